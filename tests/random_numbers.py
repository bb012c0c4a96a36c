"""Random values for random numbers of all games: each table is refused with a sentence, or keeps the laws.

python tests/random_numbers.py [NUMBER [FIRST [JOBS]]]     check NUMBER tables, 3,000 by default
"""

import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from random import Random
from typing import Any

from upcard import Setup, games
from upcard.engine.errors import BadSetup
from upcard.laws import Law
from upcard.laws.cards import piles_are_counted
from upcard.laws.hidden import hidden_stays_hidden
from upcard.laws.law import LawVerdict, random_options
from upcard.laws.matches import (
    deals_begin_anew,
    matches_end,
    numbers_are_whole,
    records_replay,
    rows_have_their_places,
)
from upcard.laws.moves import (
    moves_are_counted_as_listed,
    moves_are_readable,
    moves_can_be_made,
    no_move_is_missing,
    refusals_change_nothing,
)
from upcard.laws.numbers import TRIED
from upcard.laws.players import heuristics_choose, heuristics_look_at_nothing_hidden
from upcard.laws.tables import tables_can_be_shown
from upcard.laws.worlds import nobody_holds_what_it_lacks, worlds_agree
from upcard.rules.cards import RANKS
from upcard.rules.errors import BadGame
from upcard.rules.options import Number, Option

LAWS = (
    *TRIED,
    Law(matches_end, 1),
    Law(moves_are_readable, 1),
    Law(rows_have_their_places, 1),
    Law(numbers_are_whole, 1),
    Law(records_replay, 1),
)
"""The laws that are tried on every table."""
OF_PLAY = (
    heuristics_look_at_nothing_hidden,
    tables_can_be_shown,
    worlds_agree,
    no_move_is_missing,
    refusals_change_nothing,
    moves_can_be_made,
    heuristics_choose,
    hidden_stays_hidden,
    moves_are_counted_as_listed,
    piles_are_counted,
    deals_begin_anew,
    nobody_holds_what_it_lacks,
)
"""The laws of moves, views and players, of which each table is held to some."""
SOME = 3
"""The number of these laws that are tried on each table."""
GAMES = (*games.SLUGS, "schnapsen")


@dataclass(frozen=True)
class NumbersCase:
    """A game, a number of players, and values for some of its numbers and options."""

    seed: int

    @property
    def slug(self) -> str:
        return GAMES[self.seed % len(GAMES)]

    @property
    def laws(self) -> list[Law]:
        """The laws that are tried on this table: each in turn of those of which only some are."""
        turn = self.seed // len(GAMES) + self.seed
        return [*LAWS, *(Law(OF_PLAY[(SOME * turn + i) % len(OF_PLAY)], 1) for i in range(SOME))]

    @property
    def drawn(self) -> tuple[dict[str, Any], int, dict[str, object]]:
        """The numbers, the players and the options."""
        rng, game = Random(f"numbers {self.seed}"), games.load(self.slug)
        free: dict[str, Number | Option] = {name: one for name, one in game.declared_numbers.items() if not one.derived}
        free |= {name: one for name, one in game.declared_options.items() if rng.random() < 0.2}
        players = rng.choice(game.player_counts)
        table = game(players)
        names = rng.sample(sorted(free), min(rng.randint(1, 3), len(free)))
        numbers = {name: _value(free[name], table.setting(name), rng) for name in names}
        options = random_options(game, players, rng) if rng.random() < 0.5 else {}
        return numbers, players, {name: value for name, value in options.items() if name not in numbers}

    def setup(self) -> Any:
        """The table. Raises BadGame or BadSetup if it is refused."""
        numbers, players, options = self.drawn
        return Setup(games.load(self.slug).variant(f"random-{self.seed}", numbers=numbers), players, options)

    def broken(self, setup: Any) -> LawVerdict | None:
        """The first law that the table breaks; None if it keeps all."""
        verdicts = (law.verdict(setup.game, seed=self.seed, setup=setup) for law in self.laws)
        return next((verdict for verdict in verdicts if verdict.broken), None)


def _value(declared: Number | Option, usual: Any, rng: Random) -> Any:
    """Another value for a number or option, often a small change, sometimes an impossible one."""
    if isinstance(usual, tuple):
        row = list(usual)
        for place in rng.sample(range(len(row)), rng.randint(1, 3)):
            row[place] = _whole(row[place], rng)
        return row if rng.random() < 0.8 else rng.sample(row, len(row))
    if isinstance(declared, Number) and declared.is_pack:
        return _pack(usual, rng)
    return _whole(usual, rng)


def _whole(usual: int, rng: Random) -> int:
    if rng.random() < 0.6:
        return usual + rng.choice([-3, -2, -1, 1, 2, 3, 5])
    return rng.choice([0, 1, 2, 3, 7, 12, 40, 2 * usual, 3 * usual, -1, rng.randint(0, 100)])


def _pack(usual: int, rng: Random) -> object:
    if rng.random() < 0.6:
        number = rng.randint(3, 13)
        return RANKS[-number:] if rng.random() < 0.7 else "".join(rng.sample(RANKS, number))
    return usual ^ 1 << rng.randrange(53)


def check(seed: int) -> str:
    """What becomes of a table: the game's slug and "kept", or "refused" and the sentence. Raises AssertionError for a
    broken law, and for a refusal that is not a sentence."""
    case = NumbersCase(seed)
    try:
        setup = case.setup()
    except (BadGame, BadSetup) as error:
        sentence = str(error)
        if "\n" in sentence or " " not in sentence or "cannot be checked" in sentence:
            raise AssertionError((seed, case.slug, case.drawn, sentence)) from error
        return f"refused: {sentence}"
    broken = case.broken(setup)
    assert broken is None, (seed, case.slug, case.drawn, broken.law.name, str(broken.broken))
    return "kept"


def check_all(seeds: list[int]) -> Counter[str]:
    """Check these tables, print the faults, and return how many of each game were kept, refused and failed."""
    results = Counter[str]()
    for seed in seeds:
        try:
            result = check(seed)
        except Exception as error:
            result = "FAILED"
            print(f"{type(error).__name__}: {error}", flush=True)
        results[f"{NumbersCase(seed).slug} {result.partition(':')[0]}"] += 1
        if "-v" in sys.argv:
            print(seed, NumbersCase(seed).slug, result, flush=True)
    return results


def main(number: int = 3000, first: int = 0, jobs: int = 1) -> None:
    """Each game has a process of its own, so that only its machine code is in memory."""
    begun, tables = time.monotonic(), range(first, first + number)
    parts = [list(tables[at :: len(GAMES)]) for at in range(len(GAMES))]
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), max_tasks_per_child=1) as pool:
        for results in pool.map(check_all, parts):
            for name, times in sorted(results.items()):
                print(f"{name:30} {times}", flush=True)
    print(f"{number} tables in {time.monotonic() - begun:.0f} s")


if __name__ == "__main__":
    main(*map(int, [word for word in sys.argv[1:] if word != "-v"]))
