"""Luck and skill: how much of the variance of results is due to the cards, the place, the players, and the play.

Every deal is played in all seatings of the same players, each time with other random numbers for the players, so that
the playings of a deal have only the cards in common. The variance of a seat's result in one playing is split as in an
analysis of variance: by deal and seat (the cards), by place from the dealer, by player, and the residual (luck in play,
and interaction between players). The components are estimated from mean squares, so that few deals do not inflate luck.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import isinf, isnan, nan
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from upcard.engine.errors import UpcardError
from upcard.engine.setup import setup_of
from upcard.lab.arena import CHUNK, seatings
from upcard.lab.arguments import listed_players
from upcard.lab.experiment import Experiment
from upcard.lab.intervals import Interval, quantile, simultaneous_level, unseen, within
from upcard.lab.runner import Batch, match_spec
from upcard.lab.seating import distinct_names
from upcard.lab.sums import GROUPS, Estimates, FloatArray, Sums, are_precise, estimate, precision_of
from upcard.players import Player
from upcard.rules.game import Game
from upcard.rules.phrases import counted
from upcard.rules.renamed import former_names

PARTS = ["the cards", "the place", "the players", "how play went"]
SAME = 1e-12
"""If the variance of results is a smaller share of their mean square, they are all the same except for rounding."""


@dataclass(frozen=True)
class LuckShares:
    """Shares of the variance of one seat's result in one playing, with intervals, in the order of `PARTS`."""

    players: tuple[str, ...]
    what: str
    number: int
    """The number of deals or matches."""
    shares: list[float]
    intervals: list[Interval]
    """Between 0 and 1; infinite if there are too few deals, or their results are all the same."""
    unit: str = "deal"
    """The unit played: "deal" or "match"."""
    reached: bool = False
    """Whether a precision was asked for and these intervals have it."""

    def __str__(self) -> str:
        rows = [f"{self.what} among {', '.join(self.players)}, {counted(self.number, self.unit)} in all seatings:"]
        for part, share, between in zip(PARTS, self.shares, self.intervals, strict=True):
            text = f"{100 * share:.1f} % ({between.percent:.1f})"
            if isinf(between.half):
                text = "unknown: all results are the same" if isnan(share) else "too few to say"
            rows.append(f"  {part}: {text}")
        return "\n".join(rows)


def luck(
    setup: Game[Any] | type[Game[Any]] | str,
    number: int,
    players: Sequence[str | Player],
    *,
    what: str = "points",
    unit: str = "deal",
    seed: int = 1,
    precision: float | None = None,
    jobs: int | None = None,
    cluster: str | None = None,
    progress: Callable[[int], None] | None = None,
    kept: str | Path | None = None,
) -> LuckShares:
    """The shares of luck and skill in the results of these players, measured in "points" or "won".

    The share of skill depends on how different the players are: between equals it is zero. With a `precision`, say
    0.02, play stops when every share is known to within ± this, and `number` is an upper limit. The other arguments,
    and a run that is cut short, are as in `upcard.lab.deals`. Raises UpcardError for wrong arguments.
    """
    setup, players = setup_of(setup), listed_players(players)
    precision = precision_of(precision)
    if what not in ("points", "won"):
        raise UpcardError(f"luck is measured in points or won, not in {what!r:.40}")
    rows = seatings(len(players), setup.players)
    seated = [match_spec(unit, setup, [players[who] for who in row], seed) for row in rows]
    specs = [replace(spec, luck=playing) for playing, spec in enumerate(seated, 1)]
    reduce = partial(rows_of_playings, rows=rows, players=len(players), what=what)
    experiment = Experiment(f"luck in {what}", specs, reduce, number, CHUNK, jobs, cluster, progress, kept)
    estimates = partial(split, seats=setup.players, players=len(players), playings=len(rows))
    sums = Sums(3 + setup.players + len(players))

    def is_enough() -> bool:
        return precision is not None and are_precise(estimates(sums)[1], sums.number, precision)

    experiment.run(sums, is_enough)
    values, between = estimates(sums)
    parts = np.maximum(values, 0)
    shares = (parts / parts.sum()).tolist()
    names, ends = distinct_names(players), [within(interval) for interval in between]
    return LuckShares(names, what, sums.number, shares, ends, unit, is_enough())


def rows_of_playings(batches: Iterable[Batch], rows: Sequence[Sequence[int]], players: int, what: str) -> FloatArray:
    """The rows whose sums `variance_shares` needs, from the same deals in all seatings: a batch for each of the `rows`,
    which come from `seatings`."""
    first, *others = batches
    results = [(batch.won if what == "won" else batch.points).astype(float) for batch in (first, *others)]
    dealers = first.numbers % first.spec.setup.players
    return rows_of(np.stack(results, axis=1), np.array(rows), players, dealers)


def rows_of(results: FloatArray, sitting: NDArray[Any], players: int, dealers: NDArray[Any]) -> FloatArray:
    """A row for each deal with the numbers whose sums `variance_shares` needs; `results` has the shape (deals,
    seatings, seats)."""
    _, playings, seats = results.shape
    cells = results.sum(axis=1)
    by_place = np.take_along_axis(cells, (dealers[:, None] + np.arange(seats)) % seats, axis=1)
    by_player = np.stack([(results * (sitting == who)).sum(axis=(1, 2)) for who in range(players)], axis=1)
    squares = (results * results).sum(axis=(1, 2)), (cells * cells).sum(axis=1) / playings, cells.sum(axis=1)
    return np.concatenate([np.stack(squares, axis=1), by_place, by_player], axis=1)


def split(sums: Sums, *, seats: int, players: int, playings: int) -> Estimates:
    """The shares of `PARTS`, with intervals that together are right in 95 of 100 cases (simultaneous coverage).

    The components of the place and the players are squares of differences. The square of a difference known to ± h may
    be greater by h². The jackknife omits this term, which dominates if the difference is small.
    """
    certain = simultaneous_level(len(PARTS))
    of = partial(variance_shares, seats=seats, players=players, playings=playings)
    values, between = estimate(of, sums, certain=certain)
    if isinf(between[0].half):
        return values, between
    card, place, _, rest = values
    rare = unseen(sums.number, certain)
    loose = quantile(min(sums.number, GROUPS) - 1, certain) ** 2 / (sums.number * seats * playings)
    more = 0, loose * (playings * (card + place) + rest), loose * rest, 0
    # A share of 0 or 1 may be due to chance: allow for events that have not occurred yet.
    return values, [
        Interval(min(interval.low, 1 - rare), max(interval.high + further, rare))
        for interval, further in zip(between, more, strict=True)
    ]


def variance_shares(totals: FloatArray, *, seats: int, players: int, playings: int) -> FloatArray:
    """The shares of `PARTS`, from the sums of `rows_of` over deals, followed by the number of deals. The estimate of a
    small share may be below 0. All are NaN if the results are always the same."""
    deals, all_squares, cell_squares, total = totals[-1], *totals[:3]
    cells = deals * seats
    results = cells * playings
    mean = total / results
    places = totals[3 : 3 + seats] / (deals * playings) - mean
    means = totals[3 + seats : 3 + seats + players] / (results / players) - mean
    between_cells = cell_squares - results * mean * mean
    between_players = results / players * (means @ means)
    rest = (all_squares - cell_squares - between_players) / (results - cells - players + 1)
    of_cells = between_cells / (cells - 1)
    place = places @ places / seats - of_cells / (deals * playings) * (seats - 1) / seats
    player = means @ means / players - rest * (players - 1) / results
    card = (of_cells - rest) / playings - place
    parts = np.array([card, place, player, rest])
    varies = parts.sum() > SAME * all_squares / results
    return np.asarray(parts / parts.sum() if varies else np.full(len(parts), nan))


__getattr__ = former_names(__name__, shares="variance_shares", Luck="LuckShares")
