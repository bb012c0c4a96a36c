"""Adds up the processor time of tests by part and by test, from the file of `pytest --junitxml=FILE`.

python tests/costs.py FILE [LONGEST]
"""

import re
import sys
from collections import defaultdict
from pathlib import Path
from xml.etree import ElementTree

PARTS = {
    "the browser": "browser/",
    "the server": "server/",
    "the lab": "lab/",
    "environments": "envs/",
    "the terminal": "terminal/",
    "WebAssembly": "test_wasm",
    "random numbers and variants": "test_random_",
    "variants": "test_variant|test_mistakes|test_faults|test_compiled",
    "computer players": "test_(players|policy|hands|beliefs|positions|worlds|puzzles|advice)",
    "laws and second opinions": "test_every_game|test_referee|.*_referee",
}
"""The parts by the files of their tests; a file belongs to the first that it fits."""


def part_of(file: str) -> str:
    """The part that a file of tests belongs to."""
    return next((part for part, files in PARTS.items() if re.match(files, file)), "the rest")


def costs(file: Path) -> dict[tuple[str, str], list[float]]:
    """The seconds of processor time of every test, by file and function."""
    by_test: dict[tuple[str, str], list[float]] = defaultdict(list)
    for case in ElementTree.parse(file).iter("testcase"):
        folder = case.get("classname", "").removeprefix("tests.").replace(".", "/")
        name = re.split(r"[\[@]", case.get("name", ""))[0]
        taken = [one.get("value", "0") for one in case.iter("property") if one.get("name") == "processor"]
        by_test[folder, name] += [sum(map(float, taken))]
    return by_test


def main() -> None:
    file, longest = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 20
    by_test = costs(Path(file))
    parts: dict[str, float] = defaultdict(float)
    for (folder, _), taken in by_test.items():
        parts[part_of(folder)] += sum(taken)
    total = sum(parts.values())
    print(f"{total / 60:.1f} minutes of processor time, {sum(map(len, by_test.values())):,} tests")
    for part, seconds in sorted(parts.items(), key=lambda one: -one[1]):
        print(f"{seconds:8.0f} s {seconds / total:6.0%}  {part}")
    print()
    for (folder, name), taken in sorted(by_test.items(), key=lambda one: -sum(one[1]))[:longest]:
        print(f"{sum(taken):8.1f} s {len(taken):5} tests  {folder}.py::{name}")


if __name__ == "__main__":
    main()
