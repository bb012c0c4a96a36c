"""Helpers for the tests of worlds: sampling them, plain and compiled, and whether each is found as often as due."""

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

from upcard.compiled.dealer import Dealer
from upcard.engine.views import View
from upcard.engine.worlds import Worlds

Sampled = Callable[[View, int, int], list[Any]]


def plain(seen: View, number: int, seed: int) -> list[Any]:
    """So many worlds, dealt in plain Python."""
    sampler, rng = Worlds(seen), Random(seed)
    return [sampler.sample(rng) for _ in range(number)]


def compiled(seen: View, number: int, seed: int) -> list[Any]:
    """So many worlds, dealt in a compiled loop."""
    dealer = Dealer(seen)
    tables = dealer.deal(number, seed)
    return [dealer.run.get(tables, i) for i in range(number)]


def fits(found: Counter[Any], shares: dict[Any, float], least: float = 5) -> bool:
    """Whether what was found is as likely as these shares say, the rare cases taken together."""
    number = found.total()
    assert set(found) <= set(shares)
    rare = [one for one, share in shares.items() if share * number < least]
    cells = [(found[one], share * number) for one, share in shares.items() if one not in rare]
    cells += [(sum(found[one] for one in rare), sum(shares[one] for one in rare) * number)] if rare else []
    square = sum((seen - expected) ** 2 / expected for seen, expected in cells)
    freedom = len(cells) - 1
    return square <= freedom + 5 * (2 * freedom) ** 0.5
