"""Answer some old questions about Roundup! and Rounds: `python docs/answers/answers.py faces`, or all of them.

Each answer is written to a page with tables next to this file. Random, casual and medium players play many deals, the
strongest affordable players fewer. Run it again when the players have become stronger.
"""

from __future__ import annotations

import argparse
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations
from math import isinf
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from upcard import Setup, UpcardError, __version__, lab
from upcard.games import load_file

HERE = Path(__file__).parent
SEED = 2026
USUAL = 4
"""The usual number of players of Roundup!, which is best with four."""
QUICK = ("random", "heuristic", "learned")
"""Random, casual and medium players, who play a round in less than a millisecond."""


@dataclass(frozen=True)
class Sizes:
    """The numbers of deals or matches, and the players."""

    volume: int
    """The number of deals or matches played by each kind of quick player."""
    strong: int
    """The number played by strong players, or 0."""
    strength: str
    """The name of the strong players."""
    keep: Path | None = None
    """The folder in which the deals of strong players are saved, because they take long."""

    def players(self, seats: int = USUAL) -> Iterator[tuple[str, int]]:
        """The players, each with a number of deals. At tables of an unusual size strong players play half as many."""
        for quick in QUICK:
            yield quick, self.volume
        if strong := self.strong if seats == USUAL else self.strong // 2:
            yield self.strength, strong

    def saved_deals(self, by: str, *about: object) -> Path | None:
        """The file in which these deals are saved; None if they are not."""
        if self.keep is None or by != self.strength:
            return None
        return self.keep / f"{' '.join(map(str, about))} {by}.npz"

    def __str__(self) -> str:
        """The version, and the commits of the players that have played."""
        now = commit()
        then = self._noted(now) if self.strong else now
        earlier = f"; {self.strength} has played at {then}" if then != now else ""
        return f"Upcard {__version__}{now and f' at {now}'}, seed {SEED}{earlier}"

    def _noted(self, now: str) -> str:
        """The commit at which the saved deals were begun."""
        if self.keep is None:
            return now
        self.keep.mkdir(parents=True, exist_ok=True)
        note = self.keep / "commit"
        if not note.exists():
            note.write_text(now, encoding="utf-8")
        return note.read_text(encoding="utf-8")


def commit() -> str:
    """The current commit of the repository that contains this file; "" if there is none."""
    command = ["git", "rev-parse", "--short", "HEAD"]
    try:
        return subprocess.run(command, cwd=HERE, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def cores(number: int) -> int | None:
    """The number of jobs: one for few deals, which takes less time than starting processes."""
    return 1 if number < 100 else None


Results = TypeVar("Results", lab.Played, lab.Study, lab.LuckShares)


def complete(results: Results, number: int) -> Results:
    """Return results of this many deals or matches unchanged.

    Raises KeyboardInterrupt if there are fewer: their page would give a wrong number.
    """
    if results.number < number:
        raise KeyboardInterrupt
    return results


Rows = list[list[str]]
Answer = Callable[[Sizes], Iterator[tuple[str, list[str], Rows]]]
"""Returns tables, each with its title, its column heads and its rows."""


@cache
def rounds_of_roundup(sizes: Sizes, seats: int, by: str, number: int, rule: str = "lowest") -> lab.Played:
    """Rounds of Roundup! that several questions use; they are played only once."""
    setup, file = Setup("roundup", seats, {"first_player": rule}), sizes.saved_deals(by, "roundup", seats, rule)
    return complete(lab.deals(setup, number, seed=SEED, by=by, jobs=cores(number), kept=file), number)


def between(value: float, interval: lab.Interval, form: str = ".3g") -> str:
    if isinf(interval.half):
        return f"{value:{form}} (too few to say)"
    return f"{value:{form}} ({interval.low:{form}} to {interval.high:{form}})"


def mean(values: np.ndarray[Any, Any], form: str = ".3g") -> str:
    return between(float(values.mean()), lab.bootstrap(values.astype(float), np.mean, samples=400), form)


def compared(comparison: lab.Comparison) -> str:
    if not comparison.differing:
        return f"no difference in any of {comparison.number}"
    low, high = comparison.interval.low, comparison.interval.high
    doubt = "" if comparison.told else ": not significant"
    return f"{comparison.difference:+.3g} ({low:+.3g} to {high:+.3g}){doubt}"


# ------------------------------------------------------------------------------------------------------------ Roundup!

TABLES = range(2, 7)


def faces(sizes: Sizes) -> Iterator[tuple[str, list[str], Rows]]:
    """Roundup!: are players who are dealt more face cards sure to win?"""
    rows = []
    for seats in TABLES:
        for by, number in sizes.players(seats):
            played = rounds_of_roundup(sizes, seats, by, number)
            counts = played.count("K Q J").reshape(-1, seats)
            most = counts == counts.max(axis=1, keepdims=True)
            alone = most.sum(axis=1) == 1
            won = played.by_deal("won")
            (value,) = lab.card_values(played, ["K Q J"], what="won")
            rows.append([f"{seats}", by, f"{number}", mean(won[alone][most[alone]]), f"{1 / seats:.3g}", worth(value)])
    head = ["players", "who plays", "rounds", "won with the most face cards", "even", "one more face card"]
    yield (
        "How often a player who alone was dealt the most face cards wins the round, and how much one more face card "
        "adds to the share won.",
        head,
        rows,
    )


def worth(value: lab.CardValue) -> str:
    return f"{value.value:+.3g} ({value.interval.low:+.3g} to {value.interval.high:+.3g})" + (
        "" if value.told else ": not significant"
    )


def useful(sizes: Sizes) -> Iterator[tuple[str, list[str], Rows]]:
    """Roundup!: which face card is of the most use?"""
    for what in ("points", "won"):
        rows = []
        for seats in TABLES:
            for by, number in sizes.players(seats):
                played = rounds_of_roundup(sizes, seats, by, number)
                values = lab.card_values(played, ["K", "Q", "J"], what=what)
                rows.append([f"{seats}", by, f"{number}", *map(worth, values)])
        head = ["players", "who plays", "rounds", "a King", "a Queen", "a Jack"]
        yield (
            f"How much one more of each adds to the {'points of a round' if what == 'points' else 'share won'}. The "
            "three intervals of a row are right together. Holm's procedure can find a value significant even where "
            "its interval reaches 0.",
            head,
            rows,
        )


def length(sizes: Sizes) -> Iterator[tuple[str, list[str], Rows]]:
    """Roundup!: how long is a round?"""
    rows = []
    for seats in TABLES:
        for by, number in sizes.players(seats):
            moves = rounds_of_roundup(sizes, seats, by, number).by_deal("moves")[:, 0]
            tenths = [f"{np.quantile(moves, share):.0f}" for share in (0.1, 0.9)]
            rows.append([f"{seats}", by, f"{number}", mean(moves), f"{tenths[0]} to {tenths[1]}"])
    head = ["players", "who plays", "rounds", "mean decisions", "eight rounds in ten"]
    yield "Decisions of all players in a round. Choosing the cards of a bid counts as one.", head, rows


def begin(sizes: Sizes) -> Iterator[tuple[str, list[str], Rows]]:
    """Roundup!: who should begin?"""
    for rule, title in (
        ("lowest", "By the rules, the lowest bid begins."),
        ("left", "By the option `first_player=left`, the dealer's left begins."),
    ):
        rows = []
        for seats in TABLES:
            for by, number in sizes.players(seats):
                played = rounds_of_roundup(sizes, seats, by, number, rule)
                first = next(one for one in lab.measure(played) if one.measure == "first")
                shown = "" if first.told else ": not significant"
                rows.append(
                    [f"{seats}", by, f"{number}", between(first.value, first.interval) + shown, f"{1 / seats:.3g}"]
                )
        yield title, ["players", "who plays", "rounds", "won by the first player", "even"], rows


def alliances(sizes: Sizes) -> Iterator[tuple[str, list[str], Rows]]:
    """Roundup!: do alliances pay?"""
    (allied,) = load_file(HERE / "allies.py").values()
    rows = []
    for seats in range(3, 7):
        for by, number in sizes.players(seats):
            apart = rounds_of_roundup(sizes, seats, by, number)
            file = sizes.saved_deals(by, "allies", seats)
            played = lab.deals(Setup(allied, seats), number, seed=SEED, by=by, jobs=cores(number), kept=file)
            together = complete(played, number)
            comparisons = [lab.compare(apart, together, "points", seat=seat, looks=3) for seat in range(3)]
            rows.append([f"{seats}", by, f"{number}", *map(compared, comparisons)])
    head = ["players", "who plays", "rounds", "seat 0, allied", "seat 1, against both", "seat 2, allied"]
    yield "How many more points a round brings when seats 0 and 2 never attack each other.", head, rows


# -------------------------------------------------------------------------------------------------------------- Rounds


def revoking(sizes: Sizes) -> Iterator[tuple[str, list[str], Rows]]:
    """Rounds: does revoking pay?"""
    (bold,) = load_file(HERE / "bold.py").values()
    rows = []
    for caller in ("sure", "suspicious", "trusting"):
        setups = [
            Setup(bold, options={"revokes": "allowed", "caller": caller, "bold": how})
            for how in ("honest", "always", "last")
        ]
        honest, *others = (
            complete(lab.deals(setup, sizes.volume, seed=SEED, by="heuristic"), sizes.volume) for setup in setups
        )
        for how, played in zip(("any trick", "the last trick of a round"), others, strict=True):
            lead = [each.by_deal("points")[:, 0] - each.by_deal("points")[:, 1] for each in (honest, played)]
            pair = (lab.compare(honest, played, "points", seat=seat, looks=2) for seat in range(2))
            rows.append([caller, how, f"{sizes.volume}", mean(lead[1] - lead[0], "+.3g"), *map(compared, pair)])
    head = ["how the other calls", "seat 0 revokes to take", "games", "its lead", "its points", "the other's points"]
    yield (
        "Seat 0 revokes, and hides it, whenever only that takes the trick; otherwise both play casually. What changes:",
        head,
        rows,
    )


def dealing(sizes: Sizes) -> Iterator[tuple[str, list[str], Rows]]:
    """Rounds: is dealing an advantage?"""
    rows = []
    for by, number in sizes.players():
        for unit, play in (("games", lab.deals), ("matches", lab.matches)):
            some = number if unit == "games" else max(1, number // 5)
            file = sizes.saved_deals(by, "rounds", unit)
            played = complete(play("rounds", some, seed=SEED, by=by, jobs=cores(some), kept=file), some)
            dealer = next(one for one in lab.measure(played) if one.label == "the dealer")
            shown = "" if dealer.told else ": not significant"
            rows.append([by, f"{some} {unit}", between(dealer.value, dealer.interval) + shown])
    yield (
        "The share won by the dealer (of matches, by the first dealer); even is 0.5.",
        ["who plays", "played", "won by the dealer"],
        rows,
    )


def trump_rank(sizes: Sizes) -> Iterator[tuple[str, list[str], Rows]]:
    """Rounds: what does the trump rank change?"""
    (without,) = load_file(HERE / "no_rank_trumps.py").values()
    rows = []
    wanted = ("the dealer", "legal moves of a decision", "share of forced moves", "standard deviation of points")
    for by, number in sizes.players():
        arms = [lab.Arm("with", Setup("rounds"), by), lab.Arm("without", Setup(without), by)]
        file = sizes.saved_deals(by, "trump-rank")
        study = complete(lab.study(arms, number, unit="deal", seed=SEED, jobs=cores(number), kept=file), number)
        for usual, other in zip(study.found(0), study.differences(1), strict=True):
            if usual.label in wanted:
                shown = "" if other.told else ": not significant"
                rows.append([by, f"{number}", usual.label, between(usual.value, usual.interval)])
                rows[-1].append(between(other.value, other.interval, "+.3g") + shown)
    head = ["who plays", "games", "measure", "by the rules", "without rank trumps: difference"]
    yield "Games with and without rank trumps, on the same packs.", head, rows
    rows = []
    for pair in combinations(QUICK, 2):
        for name, game in (("by the rules", "rounds"), ("without rank trumps", without)):
            some = max(5, sizes.volume // 10)
            luck = complete(lab.luck(Setup(game), some, pair, seed=SEED), some)
            rows.append([" and ".join(pair), name, f"{luck.number}", *map(between, luck.shares, luck.intervals)])
    head = ["who plays", "rules", "games, in both seatings", "the cards", "the place", "the players", "how play went"]
    yield "What the points depend on when two different players meet: shares of their variance.", head, rows


# --------------------------------------------------------------------------------------------------------------- pages

ANSWERS: dict[str, Answer] = {
    "faces": faces,
    "useful": useful,
    "length": length,
    "begin": begin,
    "alliances": alliances,
    "revoking": revoking,
    "dealing": dealing,
    "trump-rank": trump_rank,
}
QUICKLY = {"revoking"}
"""Questions without strong players, because they cannot be made to revoke."""
VOLUMES = dict.fromkeys(("revoking", "dealing", "trump-rank"), 200_000)
"""The usual number of deals by each kind of quick player, for questions for which 100,000 are too few."""


def page(name: str, sizes: Sizes) -> str:
    """The answer to a question, as Markdown."""
    answer = ANSWERS[name]
    sizes = replace(sizes, strong=0) if name in QUICKLY else sizes
    command = f"python docs/answers/answers.py {name} --volume {sizes.volume}"
    command += f" --strong {sizes.strong} --strength {sizes.strength}" if sizes.strong else ""
    lines = [f"# {answer.__doc__}", "", f"    {command}", ""]
    lines += [f"{sizes}. 95 % intervals are in brackets.", ""]
    for title, head, rows in answer(sizes):
        lines += [title, "", f"| {' | '.join(head)} |", f"| {' | '.join('---' for _ in head)} |"]
        lines += [*(f"| {' | '.join(row)} |" for row in rows), ""]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("questions", nargs="*", help=f"of {', '.join(ANSWERS)}; all if none is named")
    parser.add_argument(
        "--volume", type=int, help="deals by each of the random, casual and medium players (100,000 or 200,000)"
    )
    parser.add_argument("--strong", type=int, default=0, help="deals by strong players")
    parser.add_argument("--strength", default="search:100", help="the name of the strong players")
    parser.add_argument(
        "--keep", type=Path, help="a folder in which to save strong players' deals, and to continue from"
    )
    parser.add_argument("--out", type=Path, default=HERE, help="the folder for the pages")
    arguments = parser.parse_args()
    if unknown := set(arguments.questions) - ANSWERS.keys():
        parser.error(f"there is no question {min(unknown)!r}")
    if not arguments.out.is_dir():
        parser.error(f"there is no folder {arguments.out}")
    for name in arguments.questions or ANSWERS:
        try:
            volume = VOLUMES.get(name, 100_000) if arguments.volume is None else arguments.volume
            text = page(name, Sizes(volume, arguments.strong, arguments.strength, arguments.keep))
            (arguments.out / f"{name}.md").write_text(text, encoding="utf-8")
        except (UpcardError, OSError) as error:
            parser.error(str(error))
        except KeyboardInterrupt:
            parser.exit(130, f"stopped: {name} is not answered\n")
        print(text)


if __name__ == "__main__":
    main()
