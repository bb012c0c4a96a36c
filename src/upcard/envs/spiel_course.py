"""The course of a match as texts and rows: everything that each watcher has seen and heard, for information states."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from upcard.engine.match import Match
from upcard.engine.mistakes import cards_of_chance
from upcard.engine.views import View, shown_fields
from upcard.envs.episode import event_text
from upcard.envs.history import HistoryRow, Recall
from upcard.envs.observation import FloatArray32
from upcard.envs.spiel_loop import CHANCE, SIMULTANEOUS
from upcard.rules import cards
from upcard.rules.cards import Card
from upcard.rules.game import Game
from upcard.rules.state import DRAW

Watcher = int | None
"""A seat, or None for a spectator."""
SpielHistory = tuple["SpielHistory", str] | None
"""Lines of text, the last one outermost. Copies of a state share the lines that they have in common."""


class Course:
    """A match whose chance events happen card by card, with everything that each watcher has seen and heard."""

    def __init__(self, setup: Game[Any], recall: Recall) -> None:
        self.match = Match(setup)
        self._recall = recall
        watchers: list[Watcher] = [*range(setup.players), None]
        self.views: dict[Watcher, View[Any]] = {who: self.match.view(who) for who in watchers}
        """The current view of each watcher."""
        self.rows: dict[Watcher, list[HistoryRow]] = {who: [] for who in watchers}
        """The events as each watcher has heard and seen them, as rows for `Recall.table`, no more than it uses."""
        self.past: dict[Watcher, SpielHistory] = dict.fromkeys(watchers)
        """The events as each watcher has heard them, and its views as text: at each of its own decisions, and after
        each event that made something visible to it."""
        self.order: list[Card] = []
        """The cards of the awaited chance event so far."""
        self._awaited = 0
        """The number of cards of that event, from its first card on."""

    def fork(self) -> Course:
        """A copy that continues independently."""
        return self._twin(self.match.fork())

    def _twin(self, match: Match[Any]) -> Course:
        twin = Course.__new__(Course)
        twin.match, twin._recall = match, self._recall
        twin.views = self.views.copy()
        twin.rows = {who: rows[:] for who, rows in self.rows.items()}
        twin.past = self.past.copy()
        twin.order, twin._awaited = self.order[:], self._awaited
        return twin

    def in_world(self, seat: int, state: Any) -> Course:
        """A course in a world that this seat cannot distinguish from this one. It has the seat's own past.

        The past of the other seats in it is what everybody knows.
        """
        twin = self._twin(self.match.in_world(state))
        for other in range(self.match.players):
            if other != seat:
                twin.views[other] = twin.match.view(other)
                twin.rows[other], twin.past[other] = self.rows[None][:], self.past[None]
        return twin

    def turn_up(self, card: Card) -> None:
        """Add a card to the awaited chance event, which must be possible; it happens when its last card is added."""
        match = self.match
        if not self.order:
            self._awaited = 1 if match.state.awaiting == DRAW else len(cards_of_chance(match.setup, match.state))
        self.order.append(card)
        if len(self.order) == self._awaited:
            match.event(f"{match.awaiting} {' '.join(map(cards.text, self.order))}")
            self._record()
            self.order = []

    def act(self, seat: int, action: int) -> None:
        """Take a seat's action. Raises IllegalMove or UpcardError for an invalid action and then changes nothing."""
        self.match.apply(seat, action)
        self.past[seat] = (self.past[seat], as_text(self.views[seat]))
        self._record()

    def follow(self, player: int, action: Any) -> None:
        """Follow an entry of a `PositionLog`, which must be valid."""
        if player == CHANCE:
            self.turn_up(action)
        elif player == SIMULTANEOUS:
            for seat in self.match.to_act:
                self.act(seat, action[seat])
        else:
            self.act(player, action)

    def _record(self) -> None:
        """Record the last event and the new view of each watcher."""
        for who, before in self.views.items():
            after, event = self.match.view(who), self.match.told(who)
            visible = self._recall.came(event, before, after)
            self.views[who] = after
            self._write(who, self._recall.told(event), visible)
            self.past[who] = (self.past[who], event_text(self.match.game, event))
            if event.seat is None or visible:
                self.past[who] = (self.past[who], as_text(after))

    def _write(self, who: Watcher, new: Iterable[HistoryRow], visible: HistoryRow) -> None:
        """Add the rows of an event, the last of them together with what the event made visible."""
        *first, last = new
        rows = self.rows[who]
        rows += [*first, last + visible]
        del rows[: max(0, len(rows) - self._recall.most)]

    def history(self, who: Watcher) -> FloatArray32:
        """The latest events as a watcher has heard and seen them, as rows of numbers: see `Recall`."""
        return self._recall.table(self.rows[who])

    def lines(self, who: Watcher) -> list[str]:
        """The lines of `past`, the earliest first."""
        lines, past = [], self.past[who]
        while past:
            past, line = past
            lines.append(line)
        return lines[::-1]


def as_text(seen: View[Any]) -> str:
    """Everything that a view shows, as text."""
    aside = [f"{name} {number}" for name, number in (*seen.piles.items(), *seen.aside.items())]
    return " ".join([repr(seen.state), f"hands {seen.sizes}", *aside])


def alone(seen: View[Any], by_all: View[Any]) -> str:
    """The part of a view that not everybody sees, as text."""
    fields = ((name, getattr(seen.state, name), getattr(by_all.state, name)) for name in shown_fields(seen.game))
    return " ".join(f"{name} {value}" for name, value, open_value in fields if value != open_value)
