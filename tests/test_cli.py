"""The command line: it prints what is asked for, and errors in one line. Replaying is in test_records.py."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from playing import GAMES

import upcard
from upcard import cli, games
from upcard.engine import records
from upcard.laws import LAWS
from upcard.rules import pages

SOURCE = Path(upcard.__file__).parents[1]


class Run:
    """What a command gave."""

    def __init__(self, status: int, out: str, err: str) -> None:
        self.status = status
        self.out = out
        self.err = err

    def output(self) -> str:
        assert (self.status, self.err) == (0, "")
        return self.out

    def fault(self) -> str:
        """The one line that says what is wrong."""
        assert (self.status, self.out) == (2, "")
        assert self.err.endswith("\n")
        assert len(self.err.splitlines()) == 1, self.err
        return self.err.removeprefix("upcard: ").rstrip("\n")


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    """Runs `upcard` with these arguments."""

    def call(*arguments: str) -> Run:
        monkeypatch.setattr(sys, "argv", ["upcard", *arguments])
        with pytest.raises(SystemExit) as left:
            cli.main()
        said = capsys.readouterr()
        return Run(int(left.value.code or 0), said.out, said.err)

    return call


def python(code: str, **env: str) -> Run:
    """Runs Python code in a process of its own."""
    environ = os.environ | {"PYTHONPATH": str(SOURCE)} | env
    done = subprocess.run([sys.executable, "-c", code], env=environ, capture_output=True, text=True, timeout=300)
    return Run(done.returncode, done.stdout, done.stderr)


# ------------------------------------------------------------------------------------------------- games, rules, help


def test_games(run: Any) -> None:
    lines = run("games").output().splitlines()
    assert [line.split()[0] for line in lines] == games.names()
    assert next(line for line in lines if line.startswith("sixty-six")).split()[1:3] == ["2", "players"]


def test_the_list_of_games_fits_a_terminal() -> None:
    """Lines that the terminal breaks itself go on under the names of the games."""
    from upcard.cli.playing import _line

    for game in GAMES:
        first, *more = _line(game, 80).splitlines()
        assert max(map(len, [first, *more])) <= 80
        assert all(line.startswith(" " * 32) for line in more)
        assert " ".join([first, *more]).split() == _line(game, None).split()


def test_options_and_numbers(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    said = run("options", "sixty-six").output()
    switches, numbers = said.split("Numbers of the rules")
    rows = [re.split(" {2,}", line.strip()) for line in switches.splitlines()]
    assert ["target", "7", "victory points that win the match", "SS-43"] in rows and ["1 to 21"] in rows
    assert ["endplay", "follow", "SS-17"] in rows
    assert ["strict", "once suit must be followed, also head the trick and trump"] in rows
    rows = [re.split(" {2,}", line) for line in numbers.splitlines()]
    assert ["enough", "66", "deal points that win a deal", "SS-31"] in rows
    assert [row[1] for row in rows if row[0] in ("pack", "value")] == ["AKQJT9", "A=11 K=4 Q=3 J=2 T=10"]
    told = json.loads(run("options", "sixty-six", "--json").output())
    assert told["options"]["target"] == {
        "kind": "whole", "usual": 7, "low": 1, "high": 21, "help": "victory points that win the match",
        "clause": "SS-43",
    }  # fmt: skip
    assert told["options"]["endplay"]["values"] == ["follow", "strict"]
    assert told["numbers"]["enough"] == {"value": "66", "help": "deal points that win a deal", "clause": "SS-31"}


@pytest.mark.parametrize("slug", [game.slug for game in GAMES])
def test_rules(run: Any, slug: str) -> None:
    """In players' words; the whole page of the rulebook if it is wanted."""
    told = run("rules", slug).output()
    assert "\n## Five hints\n" in told
    assert not re.search(r"Prefix|Slug|\[|`", told)
    assert run("rules", slug, "--whole").output() == f"{pages.page(games.load(slug))}\n"


def test_learn(run: Any) -> None:
    said = run("learn", "sixty-six").output()
    assert said.startswith("# Sixty-Six: Two deals of Sixty-Six\n")
    assert "You choose “Show the marriage K♥ Q♥”." in " ".join(said.split())


def test_rules_where_letters_cannot_be_written() -> None:
    code = "from upcard.cli import main; import sys; sys.argv[1:] = ['rules', 'sixty-six']; main()"
    assert "A\\u2660" in python(code, PYTHONIOENCODING="latin-1").output()


def test_version(run: Any) -> None:
    assert run("--version").output() == f"upcard {upcard.__version__}\n"


def test_code_from_outside_cannot_end_the_program_silently(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "names", sys.exit)
    assert run("games").fault() == "a game or a player has called sys.exit"


def every_command(command: Any, name: str = "upcard") -> Iterator[tuple[str, Any]]:
    """All commands, with their whole names."""
    for word, one in getattr(command, "commands", {}).items():
        yield from every_command(one, f"{name} {word}")
    if not hasattr(command, "commands"):
        yield name, command


COMMANDS = dict(every_command(typer.main.get_command(cli.app)))


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_examples_that_are_commands(name: str, run: Any) -> None:
    """What stands in brackets after an example explains it."""
    examples = [one.partition(" (")[0] for one in (COMMANDS[name].epilog or "").partition(": ")[2].split("; ")]
    for example in examples:
        assert example == name or example.startswith(name + " ")
        COMMANDS[name].make_context(name, shlex.split(example.removeprefix(name)))
    shown = run(*name.split()[1:], "-h").output()
    assert "Example" in shown
    assert "[[" not in shown and not re.search(r"\{[a-z]", shown)


STOPPED_EARLY = """
import sys


class Stop:
    def find_spec(self, name, *where):
        if name == "{module}":
            raise KeyboardInterrupt


sys.meta_path.insert(0, Stop())
from upcard_command import main

main()
"""


@pytest.mark.parametrize("module", ["upcard", "upcard.engine.match", "upcard.cli", "upcard.cli.serving"])
def test_ctrl_c_while_modules_are_loaded(module: str) -> None:
    stopped = python(STOPPED_EARLY.replace("{module}", module))
    assert (stopped.status, stopped.out, stopped.err) == (130, "", "")


def test_a_game_that_may_be_in_a_broken_file(run: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What is wrong with the file is told, and not that there is no such game."""
    (tmp_path / "fifty.py").write_text("def f(:\n")
    monkeypatch.setenv("UPCARD_GAMES", str(tmp_path))
    assert run("rules", "fifty").fault() == f"{tmp_path / 'fifty.py'}: line 1: invalid syntax"
    assert run("rules", "sixty-sx").fault() == "there is no game 'sixty-sx': did you mean sixty-six?"


def test_a_file_of_games_that_is_not_there(run: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("UPCARD_GAMES", str(tmp_path / "fifty.py"))
    done = run("games")
    assert (done.status, done.err) == (0, f"upcard: {tmp_path / 'fifty.py'} does not exist\n")
    assert "oh-hell" in done.out
    assert run("rules", "fifty").status == 2


@pytest.mark.parametrize("arguments", [(), ("--help",)])
def test_help_names_every_command(run: Any, arguments: tuple[str, ...]) -> None:
    said = run(*arguments).output()
    assert "Usage: upcard" in said
    for command in ("games", "rules", "learn", "replay", "simulate", "bench", "check-game", "play", "serve"):
        assert f"\n  {command} " in said
        assert "Usage: upcard" in run(command, "--help").output()


@pytest.mark.parametrize("group", ["admin", "lab"])
def test_a_group_alone_lists_its_commands(run: Any, group: str) -> None:
    assert run(group).output() == run(group, "--help").output()


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("fold", "there is no command 'fold': upcard -h lists them"),
        ("optins", "there is no command 'optins': did you mean options?"),
        ("--fold", "there is no option --fold: upcard -h lists them"),
        ("rules --hole loo", "there is no option --hole (similar: --help, --whole)"),
        ("rules", "GAME is missing: see upcard rules -h"),
        ("options loo --players", "--players needs a value"),
        ("games --json=3", "--json takes no value"),
        ("simulate sixty-six --matches 0", "--matches must be at least 1"),
        ("lab report sixty-six --number 0", "--number must be at least 1"),
        ("lab report sixty-six --compare last=open;", "--compare takes NAME=VALUE, the name of a variant, or"),
        ("lab report sixty-six --out=", "--out must be the name of a page, such as sixty-six.html, not ''"),
        ("watch nothing --speed fast", "--speed must be a number"),
        ("rules whist", "there is no game 'whist' (there are: "),
        ("learn whist", "there is no game 'whist' (there are: "),
        ("rules sixty-six x", "unexpected argument: x"),
        ("rules \x1b[31m", r"there is no game '\x1b[31m'"),
        ("rules ../rulebook/sixty-six", "there is no game"),
        ("games --long", "there is no option --long"),
        ("simulate whist", "there is no game 'whist'"),
        ("simulate sixty-six -o target", "--option takes NAME=VALUE, not 'target'"),
        ("simulate sixty-six -o =3", "there is no option or number ''"),
        ("simulate sixty-six -o fold=3", "there is no option or number 'fold' (see upcard options sixty-six)"),
        ("simulate sixty-six -o target=22", "option target is a whole number from 1 to 21, not 22 (SS-43)"),
        ("simulate sixty-six -o target=x", "option target is a whole number from 1 to 21, not 'x' (SS-43)"),
        ("simulate sixty-six -o last=never", "option last is always or open, not 'never' (SS-5)"),
        ("simulate sixty-six --players 3", "Sixty-Six is for 2 players, not 3 (SS-1)"),
        ("simulate sixty-six --players two", "--players must be a whole number"),
        ("simulate sixty-six --by random,random,random", "--by names 3 players for 2 seats"),
        ("simulate sixty-six --by nobody", "there is no player 'nobody'"),
        ("simulate sixty-six --by ,", "there is no player ''"),
        ("simulate sixty-six --records /nowhere/x", "/nowhere/x cannot be written: No such file or directory"),
        ("simulate sixty-six --seed x", "--seed must be a whole number"),
        ("bench whist", "there is no game 'whist'"),
        ("check-game whist", "there is no game 'whist'"),
        ("check-game whist.py", "/"),
        ("play whist", "there is no game 'whist'"),
        ("play sixty-six --seat 2", "--seat must be 0 to 1"),
        ("play sixty-six --seat -1", "--seat must be at least 0"),
        ("serve --port 70000", "--port, or UPCARD_PORT, must be at most 65535"),
        ("serve --proxy nginx", "a proxy is named by its address, such as 127.0.0.1 or 10.0.0.0/8, not 'nginx'"),
        ("serve --data /dev/null", "/dev/null cannot be used: "),
        ("admin tables --data nowhere", "there are no tables in nowhere/upcard.sqlite3"),
    ],
)
def test_what_cannot_be(run: Any, line: str, fault: str) -> None:
    assert run(*line.split(" ")).fault().startswith(fault)


@pytest.mark.parametrize(("port", "bound"), [("x", "a whole number"), ("-1", "at least 0"), ("70000", "at most 65535")])
def test_the_port_is_read_from_the_environment(
    run: Any, monkeypatch: pytest.MonkeyPatch, port: str, bound: str
) -> None:
    monkeypatch.setenv("UPCARD_PORT", port)
    no_server = ("--proxy", "nginx")
    assert run("serve", *no_server).fault() == f"--port, or UPCARD_PORT, must be {bound}"
    assert run("serve", "--port", "0", *no_server).fault().startswith("a proxy is named")


# ------------------------------------------------------------------------------------------------- simulate and bench


def test_simulate(run: Any) -> None:
    said = run("simulate", "sixty-six", "--matches", "20", "--seed", "3", "--by", "heuristic,random").output()
    first, header, *seats = said.splitlines()
    assert first.startswith("20 matches of sixty-six, seed 3: ")
    assert header.split()[:3] == ["seat", "player", "wins"]
    assert [seat.split()[:2] for seat in seats[:2]] == [["0", "heuristic"], ["1", "random"]]


def test_simulate_as_json_and_with_records(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "records.jsonl"
    arguments = ["simulate", "sixty-six", "--matches", "4", "-o", "target=3", "--json", "--records", str(file)]
    summary = json.loads(run(*arguments).output())
    assert (summary["game"], summary["matches"], summary["seed"]) == ("sixty-six", 4, 1)
    played = [records.replay(record) for _, record in records.parse(file.read_text())]
    assert len(played) == 4
    assert all(match.done for match in played)
    assert [match.options.chosen for match in played] == [{"target": 3}] * 4
    assert sum(seat["wins"] for seat in summary["seats"]) == 4
    for seat in (0, 1):
        assert summary["seats"][seat]["mean"] == sum(match.scores[seat] for match in played) / 4
    assert json.loads(run(*arguments).output()) == summary


def test_simulate_says_what_is_missing(tmp_path: Path) -> None:
    """Without numba everything plain works, and what needs it names the extra to install."""
    (tmp_path / "numba.py").write_text("raise ModuleNotFoundError(\"No module named 'numba'\", name='numba')")
    path = os.pathsep.join([str(tmp_path), str(SOURCE)])
    for command in ("['simulate', 'sixty-six']", "['bench', 'sixty-six']"):
        done = python(f"from upcard.cli import main; import sys; sys.argv[1:] = {command}; main()", PYTHONPATH=path)
        assert re.fullmatch(r"this needs more packages \(numba\): pip install .*('numba|fast).*", done.fault())


@pytest.mark.long
def test_bench_as_json(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("upcard.lab.bench.SECONDS", 0.01)
    monkeypatch.setattr("upcard.lab.bench.REPEATS", 1)
    speed = json.loads(run("bench", "sixty-six", "--json").output())
    assert (speed["game"], speed["players"]) == ("sixty-six", 2)
    assert min(speed["rollouts"], speed["matches"], speed["plain"]) > 0


def test_a_server_that_cannot_begin_says_so(run: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def broken(thinkers: object) -> None:
        raise RuntimeError("nothing can be made ready")

    monkeypatch.setattr("upcard.server.thinking.Thinkers.warm_all", broken)
    done = run("serve", "--no-browser", "--port", "0", "--data", str(tmp_path))
    assert done.status == 2
    assert done.err.splitlines()[-1] == "upcard: the server could not start: see the last lines of its log"


def test_a_host_that_is_no_name_is_one_line(run: Any, tmp_path: Path) -> None:
    done = run("serve", "--no-browser", "--host", "a..b", "--data", str(tmp_path))
    assert (done.status, done.err) == (2, "upcard: cannot listen on 'a..b': that is not a host name\n")


# --------------------------------------------------------------------------------------------------------- check-game


@pytest.mark.long
def test_check_game_prints_a_line_for_every_law(run: Any) -> None:
    title, *lines, last = run("check-game", "sixty-six").output().splitlines()
    assert title == "Sixty-Six (sixty-six)"
    assert [line.split()[:2] for line in lines] == [["kept", law.name] for law in LAWS]
    assert last.strip() == "No law is broken."


@pytest.mark.long
def test_check_game_tells_what_is_broken_with_a_record_to_replay(run: Any, tmp_path: Path) -> None:
    home = shutil.copytree(SOURCE / "upcard" / "games" / "oh_hell", tmp_path / "leaky")
    declared, rules_file = home / "__init__.py", home / "rules.py"
    declared.write_text(declared.read_text().replace("class OhHell(", "class Leaky("))
    sealed = 'sealed(until=PLAY, unless="bidding", blank=NO_BID)'
    rules_file.write_text(rules_file.read_text().replace(sealed, "per_seat(NO_BID)"))
    found = tmp_path / "found.jsonl"
    done = run("check-game", str(home), "--records", str(found))
    assert (done.status, done.err) == (1, "")
    broken = [line.split()[1] for line in done.out.splitlines() if line.strip().startswith("BROKEN")]
    assert "hidden-stays-hidden" in broken
    assert f"upcard replay {found} --game {home}" in done.out
    reports = run("replay", str(found), "--game", str(home)).output().splitlines()
    assert len(reports) == len(found.read_text().splitlines()) > 0


ENDLESS = """
from upcard.games.sixty_six import SixtySix
from upcard.rules import *

class Endless(SixtySix):
    title = "Endless"

    @override
    def deal(self, s, order):
        while s.deals:
            s.leader = count(s.hand[0])
"""


def test_check_game_tells_which_rule_never_returns(tmp_path: Path) -> None:
    """In a process of its own: what never returns goes on as long as the process does."""
    file, found = tmp_path / "endless.py", tmp_path / "found.jsonl"
    file.write_text(ENDLESS)
    line = ["check-game", str(file), "--timeout", "1", "--records", str(found)]
    done = python(f"import sys; from upcard import cli; sys.argv[1:] = {line}; cli.main()")
    _, law, told, _ = done.out.splitlines()
    assert (done.status, done.err) == (1, "")
    assert law.split(maxsplit=2)[2].startswith("endless.py, line ")
    assert law.endswith(": deal has not returned for 1 seconds")
    assert told == f"  Laws broken: 1 of 1; the {len(LAWS) - 1} after it were not tried."
    assert json.loads(found.read_text())["events"] == []


COMPILED = """
import numpy as np
from upcard import games
from upcard.compiled.cache import BuildFolder
from upcard.compiled.program import CompiledLoop
from upcard.laws.timeout import Endless, in_time

def forever(numbers):
    while numbers[0] >= 0:
        numbers[0] ^= 1

loop = CompiledLoop(games.load("sixty-six"), forever, BuildFolder("forever"))
numbers = np.zeros(1, np.int64)
loop.prepare(numbers)
try:
    in_time(games.load("sixty-six"), lambda: loop(numbers), 0.1)
except Endless as error:
    print(error)
"""


def test_a_rule_that_never_returns_is_noticed_in_compiled_code_too(tmp_path: Path) -> None:
    (tmp_path / "looping.py").write_text(COMPILED)
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import looping"
    done = python(code, UPCARD_CACHE=str(tmp_path))
    assert done.output().startswith("a compiled rule has not returned")


# ------------------------------------------------------------------------------------------------- what starts quickly


@pytest.mark.parametrize("line", ["games", "rules sixty-six", "replay -", "--version", ""])
def test_plain_commands_import_nothing_heavy(line: str) -> None:
    code = f"""
import sys
from upcard.cli import main
sys.argv[1:] = {line.split()}
try:
    main()
except SystemExit:
    heavy = {{"numba", "numpy", "litestar", "textual", "sqlalchemy", "asyncio", "msgspec"}} & set(sys.modules)
    print("heavy:", sorted(heavy), file=sys.stderr)
"""
    assert "heavy: []" in python(code).err


def test_the_package_imports_nothing_heavy() -> None:
    code = (
        "import sys, upcard; upcard.Match('sixty-six'); print({'numba', 'numpy', 'typer', 'rich'} & set(sys.modules))"
    )
    assert python(code).output() == "set()\n"


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ("sixty-six --deals 10", "the policy of sixty-six has hidden units, and cannot be refined by whole deals"),
        ("loo --rounds 0", "--rounds and --deals are both 0: there is nothing to learn from"),
        ("kalooki --hands 10 --deals 10", "--hands cannot be combined with --deals"),
    ],
)
def test_what_cannot_be_trained_is_told_before_anything_is_played(run: Any, options: str, told: str) -> None:
    assert told in run("train", *options.split()).fault()


def test_a_game_without_signs_has_no_hands_to_learn(run: Any) -> None:
    assert run("train", "rounds", "--hands", "10").fault().startswith("rounds has no signs of hands")


LEAKY = """
from upcard.games.loo import Loo
from upcard.rules import override


class Leaky(Loo):
    title = "Leaky"
    stake = 10

    @override
    def share(self, s):
        return s.pot // self.size - 1
"""


def test_a_variant_that_loses_chips_is_not_played(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "leaky.py"
    file.write_text(LEAKY)
    assert run("play", str(file), "--plain").fault().startswith("stake=10 breaks the law totals-are-conserved: ")


def test_presets_are_listed_and_their_rules_printed(run: Any) -> None:
    assert "--preset short: rounds=1\n--preset author: flush_pays=all\n" in run("options", "loo").output()
    assert "--preset author: the usual options" in run("options", "oh-hell").output()
    assert "at this table so do those who passed" in " ".join(
        run("rules", "loo", "--preset", "author").output().split()
    )
    assert run("rules", "schnapsen", "--preset", "author").fault().startswith("Schnapsen has no author's preset")
