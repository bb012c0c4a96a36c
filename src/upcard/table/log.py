"""The story of a match in lines of text, as each seat was told it.

It is made from the notices of `upcard.engine.views`, and keeps everything while telling only what may be told.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from upcard.engine.events import Event, Notice
from upcard.engine.match import Match
from upcard.engine.views import tell, view
from upcard.rules import cards
from upcard.rules.game import Game
from upcard.rules.options import Options
from upcard.rules.state import DEAL, DRAW, NOBODY, RESHUFFLE
from upcard.rules.words import counted
from upcard.table.offers import in_words


class Log:
    """The story of one match."""

    def __init__(self, match: Match[Any]) -> None:
        self._game: Game[Any] = match.game
        self._options = match.options
        self._events: list[tuple[Event, str]] = []
        self._kept_from = self._trick_from = 0
        self._last_trick = match.last_trick

    def note(self, dealer: int, after: Match[Any], event: Event) -> None:
        """Take down an event after which the match stands as `after`; `dealer` was the dealer before it."""
        took = after.last_trick is not self._last_trick and bool(after.last_trick)
        self._last_trick = after.last_trick
        self._events.append((event, _outcome(dealer, took, after, event)))
        if took:
            self._kept_from, self._trick_from = self._trick_from, len(self._events)

    @property
    def oldest(self) -> int:
        """The first event, from 0, that may still be read: where tricks cannot be looked through, the last's."""
        forgets = self._game.forgets is not None and self._game.forgets(self._options)
        return self._kept_from if forgets else 0

    def line(self, number: int, seat: int | None, names: Sequence[str]) -> str:
        """What a seat hears of an event, counted from 0, on one line."""
        event, outcome = self._events[number]
        return say(self._game, self._options, tell(self._game, event, seat), names) + outcome.format(*names)


def say(game: Game[Any], options: Options, told: Notice, names: Sequence[str]) -> str:
    """What a seat is told, in words."""
    if told.seat is None:
        return {DEAL: "Deal", RESHUFFLE: "The stock is made anew"}.get(told.move or 0, "A card is drawn by lot")
    if told.opened:
        return f"All is open: {', '.join(_said(game, options, seat, move, names) for seat, move in told.opened)}"
    if told.move is not None:
        return _said(game, options, told.seat, told.move, names)
    quiet = next(verb.quiet for verb in game.notation.verbs if verb.word == told.word)
    return f"{names[told.seat]} {quiet}" + (f" ({counted(told.count, 'card')})" if told.count else "")


def _said(game: Game[Any], options: Options, seat: int, move: int, names: Sequence[str]) -> str:
    return f"{names[seat]} {in_words(game.notation.spec(move).said, game, options, move, names)}"


def _outcome(dealer: int, took: bool, after: Match[Any], event: Event) -> str:
    """What everybody sees come of an event, with {0} for the name of seat 0."""
    if event.word == "deal" and event.seat is None:
        return f" {after.state.deals}: {{{dealer}}} deals"
    outcome = _drawn(after, event) if event.seat is None and event.move == DRAW else ""
    taker = getattr(after.state, "taker", NOBODY)
    if took and taker != NOBODY:
        name = f"{{{taker}}}" if taker < after.players else "the dummy"
        outcome = " and takes the trick" if event.seat == taker else f"; {name} takes the trick"
    if after.done or after.state.awaiting == DEAL:
        everybody = view(after.setup, after.state, None)
        outcome += "".join(f". {line}" for line in after.game.scene(everybody.state, after.options, None).result)
    return outcome


def _drawn(after: Match[Any], event: Event) -> str:
    """The card just drawn by lot, if it lies open now."""
    card = event.items[0]
    everybody = view(after.setup, after.state, None)
    return f": {cards.sign(card)}" if card in after.game.all_cards(everybody.state) else ""
