"""The trial of a table with other numbers than its game ships with: some laws, within two seconds, before an
experiment."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from math import sqrt
from typing import Any

from upcard import games
from upcard.engine.errors import UpcardError
from upcard.engine.setup import Setup
from upcard.laws.cards import cards_are_conserved
from upcard.laws.compiled import CompiledPlay, compiled_equals_plain
from upcard.laws.law import Broken, Law, Trial
from upcard.laws.matches import seats_rotate, totals_are_conserved
from upcard.rules.game import Game
from upcard.rules.lineage import changed_numbers
from upcard.rules.sentences import sentence
from upcard.rules.twins import twins_of

DEALS = 20_000
"""The number of deals from which shares are estimated."""
SURE = 5
"""The number of standard errors from which a difference counts as certain."""
NOTICEABLE = 0.05
"""The smallest difference in a share of wins that is worth a remark."""


def alike_players_are_even(trial: Trial) -> None:
    """If all players play alike and the deal moves on, all seats win equally often."""
    setup = trial.begin().setup
    even = 1 / setup.players
    for seat, share in enumerate(_shares(setup, "random", trial.seed)[0]):
        if abs(share - even) > SURE * sqrt(even * (1 - even) / DEALS):
            raise Broken(f"seat {seat} wins {share:.1%} of {DEALS} deals in which all play at random, not {even:.1%}")


PLAIN = (Law(cards_are_conserved, 2), Law(totals_are_conserved, 2), Law(seats_rotate, 4))
"""The laws of the trial that need no compiled code."""
TRIED = (
    *PLAIN,
    Law(compiled_equals_plain, 2),
    Law(alike_players_are_even, 1),
)
"""The laws of the trial, with the number of random matches for each."""


@lru_cache(maxsize=256)
def try_for_play(setup: Game[Any]) -> None:
    """Try a table with other numbers than its game by the laws that need no compiled code, before somebody plays there.

    A table with the usual numbers is not tried, and neither are the variants that ship with Upcard. Raises UpcardError,
    which names the law, if one is broken.
    """
    if changed_numbers(setup.game) and setup.game.slug not in games.VARIANTS:
        _obey(setup, PLAIN)


def _obey(setup: Game[Any], laws: Iterable[Law]) -> str:
    """Hold a table to some laws. Returns its changed numbers as text; raises UpcardError for a broken law."""
    name = ", ".join(f"{number}={value}" for number, value in _numbers(setup).items())
    for law in laws:
        if (broken := law.verdict(setup.game, setup=setup).broken) is not None:
            raise UpcardError(
                sentence("{numbers} breaks the law {law}: {fault}", numbers=name, law=law.name, fault=broken)
            )
    return name


@lru_cache(maxsize=256)
def try_numbers(setup: Game[Any]) -> tuple[str, ...]:
    """Try a table with other numbers than its game, and return remarks: what is uneven there, in one line each.

    A table with the usual numbers is not tried. Raises UpcardError, which names the law, if one is broken.
    """
    if not changed_numbers(setup.game):
        return ()
    name = _obey(setup, TRIED)
    dealer, usual, even = _share_of_dealer(setup), _usual_share_of_dealer(setup), 1 / setup.players
    if abs(dealer - even) < NOTICEABLE or (usual is not None and abs(dealer - usual) < NOTICEABLE):
        return ()
    than = "" if usual is None else f" ({usual:.0%} with the usual numbers)"
    return (f"uneven with {name}: the dealer wins {dealer:.0%} of deals among equal players, not {even:.0%}{than}",)


def trial_line(setup: Game[Any]) -> str:
    """The result of the trial of other numbers in one line; empty for a table with the usual numbers. Raises
    UpcardError, which names the law, if one is broken."""
    if not changed_numbers(setup.game):
        return ""
    return "; ".join(try_numbers(setup)) or "no law is broken in trial; alike players are even"


def trial_as_dict(setup: Game[Any]) -> dict[str, Any] | None:
    """The result of the trial of other numbers for JSON: the changed `numbers` as text by name, the `laws` that were
    kept, and the remarks on what is `uneven`, in one line each. None for a table with the usual numbers. Raises
    UpcardError, which names the law, if one is broken."""
    if not changed_numbers(setup.game):
        return None
    remarks = try_numbers(setup)
    return {"numbers": _numbers(setup), "laws": [law.name for law in TRIED], "uneven": list(remarks)}


def _numbers(setup: Game[Any]) -> dict[str, str]:
    """The changed numbers of a table as text by name."""
    declared = setup.game.declared_numbers
    changed = [number for number in changed_numbers(setup.game) if number in declared]
    return {number: declared[number].text_for(setup) for number in changed}


def _share_of_dealer(setup: Game[Any]) -> float:
    return _shares(setup, "heuristic", 1)[1]


def _usual_share_of_dealer(setup: Game[Any]) -> float | None:
    """The same with the usual numbers; None for a game with other rules than its base, or with options that the base
    lacks. The base is compiled as a variant too, so that the code is the same."""
    base = setup.game.base
    if base is None or twins_of(base) is not twins_of(setup.game):
        return None
    try:
        return _share_of_dealer(Setup(base.variant(f"usual-{base.slug}"), setup.players, setup.chosen))
    except UpcardError:
        return None


def _shares(setup: Game[Any], name: str, seed: int) -> tuple[list[float], float]:
    """The share of deals that each seat wins, and that the dealer wins, if all seats have the player of this name; the
    seats deal in turn."""
    play = CompiledPlay(setup, (name,) * setup.players, seed)
    play.play(DEALS, 1)
    won = (standing := play.utilities) == standing.max(axis=1, keepdims=True)
    shares = won / won.sum(axis=1, keepdims=True)
    dealt = [shares[seat :: setup.players, seat].mean() for seat in range(setup.players)]
    return shares.mean(axis=0).tolist(), float(sum(dealt) / setup.players)
