"""Odd arguments at every entrance of the Python API: they work, or raise one of Upcard's errors in one line."""

from collections.abc import Callable
from functools import cache, partial
from itertools import chain
from random import Random
from typing import Any

import numpy as np
import pytest

from upcard import Match, Setup, UpcardError, envs, games, lab, players, replay, shuffler
from upcard.engine import fairness, records
from upcard.engine.worlds import world
from upcard.rules.phrases import whole_number

LONG = 10**5000
"""More digits than Python writes."""
ODD: list[Any] = [
    *(LONG, -LONG, -1, 99, 1.5, float("nan"), float("inf"), 1j, True, None),
    *("x", "", "\ud800", "1" * 6000, b"x", [], [[]], {}, {"a": 1}, {1: 2}, {None: 3}, {"a": LONG}, [LONG], ()),
    *(object(), int, Match, repr, range(3), np.int64(3), np.float64(2), np.array([1, 2]), np.array(3)),
]


@cache
def played() -> Match[Any]:
    return Match("loo", chance=shuffler(1))


def match() -> Match[Any]:
    return played().fork()


def record(**fields: object) -> dict[str, Any]:
    return played().record() | fields


def replay_with(field: str, odd: object) -> object:
    return replay(record(**{field: odd}))


def hashable(value: object) -> bool:
    return type(value).__hash__ is not None


LOO = games.load("loo")
ENTRANCES: dict[str, Callable[[Any], object]] = {
    "Match, game": lambda odd: Match(odd),
    "Match, players": lambda odd: Match("loo", odd),
    "Match, dealer": lambda odd: Match("loo", dealer=odd),
    "Match, options": lambda odd: Match("loo", options=odd),
    "Match, a whole number": lambda odd: Match("loo", options={"rounds": odd}),
    "Match, a choice": lambda odd: Match("loo", options={"penalty": odd}),
    "Match, digits": lambda odd: Match("kalooki", options={"contracts": odd}),
    "Match, an option's name": lambda odd: hashable(odd) and Match("loo", options={odd: 1}),
    "Match, chance": lambda odd: Match("loo", chance=odd),
    "play, seat": lambda odd: match().play(odd, "x"),
    "play, move": lambda odd: match().play(1, odd),
    "apply, seat": lambda odd: match().apply(odd, 0),
    "apply, action": lambda odd: match().apply(1, odd),
    "event": lambda odd: match().event(odd),
    "legal": lambda odd: match().legal(odd),
    "legal_moves": lambda odd: match().legal_moves(odd),
    "actions": lambda odd: match().actions(odd),
    "view": lambda odd: match().view(odd),
    "history, seat": lambda odd: match().history(odd),
    "history, since": lambda odd: match().history(0, odd),
    "told": lambda odd: match().told(odd),
    "draw_lots": lambda odd: Match("loo").draw_lots(odd),
    "chance_outcomes": lambda odd: Match("loo").chance_outcomes(odd),
    "in_world": lambda odd: match().in_world(odd),
    "View, allows": lambda odd: match().view(0).allows(odd),
    "View, hand": lambda odd: match().view(0).hand(odd),
    "Setup, game": lambda odd: Setup(odd),
    "Setup, players": lambda odd: Setup("loo", odd),
    "Setup, options": lambda odd: Setup("loo", None, odd),
    "Setup, setting": lambda odd: Setup("loo").setting(odd),
    "shuffler": shuffler,
    "replay": replay,
    "replay, game": lambda odd: replay(record(), odd),
    **{
        f"replay, {field}": partial(replay_with, field)
        for field in ("upcard", "game", "players", "dealer", "options", "events", "about")
    },
    "replay, an event": lambda odd: replay(record(events=[odd])),
    "replay, the next event": lambda odd: replay(record(events=[*played().record()["events"], odd])),
    "replay, rules": lambda odd: replay(record(about={"rules": odd})),
    "verify": fairness.verify,
    "verify, proof": lambda odd: fairness.verify(record(about={"fairness": odd})),
    "parse": lambda odd: list(records.parse(odd)),
    "world, view": lambda odd: world(odd, Random(1)),
    "world, rng": lambda odd: world(match().view(0), odd),
    "player, name": players.player,
    "player, limit": lambda odd: players.player("search", odd),
    "choose, level": lambda odd: players.choose(odd, match().view(1)),
    "choose, view": lambda odd: players.choose("random", odd),
    "levels_of": players.levels_of,
    "games.load": games.load,
    "games.load_file": games.load_file,
    "variant, slug": LOO.variant,
    "variant, numbers": lambda odd: LOO.variant("odd", numbers=odd),
    "variant, a number": lambda odd: LOO.variant("odd", numbers={"stake": odd}),
    "variant, an option": lambda odd: LOO.variant("odd", numbers={"rounds": odd}),
    "variant, a pack": lambda odd: LOO.variant("odd", numbers={"pack": odd}),
    "variant, a row": lambda odd: games.load("sixty-six").variant("odd", numbers={"strength": odd}),
    "variant, title": lambda odd: LOO.variant("odd", title=odd),
    "lab, game": lambda odd: lab.matches(odd, 1),
    "lab, number": lambda odd: lab.matches("rounds", odd if whole_number(odd) is None else 0),
    "lab, by": lambda odd: lab.matches("rounds", 0, by=odd),
    "lab, seed": lambda odd: lab.matches("rounds", 0, seed=odd),
    "lab, jobs": lambda odd: lab.matches("rounds", 0, jobs=odd),
    "arena, players": lambda odd: lab.arena("rounds", 0, odd),
    "measure": lab.measure,
    "compare": lambda odd: lab.compare(odd, odd, "points"),
    "study": lambda odd: lab.study(odd, 0),
    "bootstrap": lambda odd: lab.bootstrap(odd, lambda rows: float(rows.mean()), samples=1),
    "vector, tables": lambda odd: envs.vector("rounds", tables=odd if type(odd) is int and abs(odd) == LONG else -1),
    "vector, others": lambda odd: envs.vector("rounds", tables=0, others=odd),
    "gymnasium, seat": lambda odd: envs.gymnasium("rounds", seat=odd, others="random"),
    "gymnasium, others": lambda odd: envs.gymnasium("rounds", others=odd),
    "pettingzoo, reward": lambda odd: envs.pettingzoo("rounds", reward=odd),
    "pettingzoo, history": lambda odd: envs.pettingzoo("rounds", history=odd),
}


@pytest.mark.parametrize("name", ENTRANCES)
@pytest.mark.filterwarnings("ignore")
def test_only_errors_of_upcard_are_raised(name: str) -> None:
    wrong: list[str] = []
    for place, odd in enumerate(chain(ODD, [iter([1])])):
        try:
            ENTRANCES[name](odd)
        except UpcardError as error:
            if "\n" in str(error) or not 0 < len(str(error)) < 700:
                wrong.append(f"{place}: {str(error)[:80]}")
        except Exception as error:
            wrong.append(f"{place}, {type(odd).__name__}: {type(error).__name__}")
    assert not wrong
