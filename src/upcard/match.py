"""A match: events in, report out. Records, replay, and refusals with their clause.

This is the plain way to run the rules: no numba. Every door leads here: people, computer players, records and
environments all change a state through `Match.event`.
"""

from __future__ import annotations

import copy
import random
import re
import secrets
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from upcard import cards, games, rulebook
from upcard.cards import JOKER, Card
from upcard.game import AWAITING, DEAL, DRAW, NOTHING, BadOption, Game, GameState, acts, brief, item, legal, seats_of
from upcard.views import View, view

FORMAT = 1
"""The number under `upcard` in a match record."""


class UpcardError(ValueError):
    """Something that was asked of the engine cannot be; its text is one line for a person to read."""


class IllegalMove(UpcardError):
    """An event that the rules do not allow here. Nothing has changed."""

    def __init__(self, clause: str, reason: str, index: int) -> None:
        super().__init__(f"event {index}: {reason} ({clause})")
        self.clause = clause
        """The clause of the rulebook that it breaks."""
        self.index = index
        """Its place among the events of the match, from 0."""
        self.reason = reason


class BadRecord(UpcardError):
    """A text that is no match record, or a header that the game refuses."""

    def __init__(self, message: str, clause: str | None = None) -> None:
        super().__init__(f"header: {message}" + (f" ({clause})" if clause else ""))
        self.clause = clause
        self.reason = message


class Shuffler(Protocol):
    """Where chance comes from."""

    def shuffle(self, x: list[Any], /) -> None: ...
    def choice(self, seq: Sequence[Any], /) -> Any: ...


def shuffler(seed: int | None = None) -> Shuffler:
    """The operating system's generator, which can produce every order of a pack; with a seed a repeatable one."""
    return secrets.SystemRandom() if seed is None else random.Random(seed)


class Match:
    """One match of a game, seen by the referee: all cards open.

    `players` and `options` default to what the game says, `dealer` is the first dealer's seat. With `chance` the match
    deals by itself whenever a deal, a reshuffle or a draw is awaited; without it these events must be given. Raises
    BadRecord, naming the clause, for a game, number, seat or option that does not exist.
    """

    def __init__(
        self,
        game: str | Game,
        players: object = None,
        *,
        dealer: object = 0,
        options: Mapping[str, object] | None = None,
        chance: Shuffler | None = None,
    ) -> None:
        try:
            self.game = games.load(game) if isinstance(game, str) else game
        except games.UnknownGame as error:
            raise BadRecord(str(error)) from None
        faults = self.game.faults
        players = self.game.default_players if players is None else players
        if type(players) is not int or players not in self.game.players:
            numbers = " or ".join(map(str, self.game.players))
            raise BadRecord(f"{self.game.title} is for {numbers} players, not {brief(players)}", faults.players)
        self.players = players
        if type(dealer) is not int or not 0 <= dealer < self.players:
            raise BadRecord(f"the dealer is a seat from 0 to {self.players - 1}, not {brief(dealer)}", faults.dealer)
        try:
            self.options = self.game.options(options or {}, self.players, faults.options)
        except BadOption as error:
            raise BadRecord(str(error), error.clause) from None
        self.first_dealer = dealer
        self.events: list[str] = []
        self.last_trick: list[tuple[int, Card]] = []
        """The last finished trick of this deal: who played what, in order."""
        self.state: GameState = self.game.state()
        self.state.players = self.players
        self.game.start(self.state, self.options, dealer)
        self._buffer = [0] * max(self.game.most_moves, 128)
        self._chance = chance
        self.deal_out()

    def fork(self) -> Match:
        """A match of its own that stands where this one does: what happens to it does not happen here."""
        twin = copy.copy(self)
        twin.state = self.state.copy()
        twin.events = self.events[:]
        twin._buffer = self._buffer[:]
        return twin

    # ------------------------------------------------------------------------------------------------ where it stands

    @property
    def done(self) -> bool:
        return self.state.to_act == 0 and self.state.awaiting == NOTHING

    @property
    def phase(self) -> str:
        return self.game.phases[self.state.phase]

    @property
    def to_act(self) -> list[int]:
        """The seats that may move now."""
        return seats_of(self.state.to_act)

    @property
    def awaiting(self) -> str | None:
        """The chance event that must come next: "deal", "reshuffle", "draw", or None."""
        return AWAITING[self.state.awaiting]

    @property
    def scores(self) -> list[int]:
        return self.state.scores[: self.players]

    @property
    def winners(self) -> list[int]:
        """The seats that have won, once the match is done."""
        return seats_of(self.state.winners)

    def moves(self, seat: int) -> list[int]:
        """The legal moves of a seat as numbers; empty when it is not to act."""
        if not 0 <= seat < self.players or not acts(self.state, seat):
            return []
        return self._buffer[: legal(self.game, self.state, self.options, seat, self._buffer)]

    def legal(self, seat: int) -> list[str]:
        """The legal moves of a seat as texts; empty when it is not to act."""
        return [self.game.moves.text(move) for move in self.moves(seat)]

    def view(self, seat: int | None) -> View:
        """What a seat sees; for None what everybody may see."""
        return view(self.game, self.state, self.options, seat)

    # --------------------------------------------------------------------------------------------------------- events

    def event(self, text: str) -> None:
        """Apply one event of a record. Raises IllegalMove; then nothing has changed."""
        word, _, rest = text.partition(" ") if isinstance(text, str) else ("", "", "")
        if word in AWAITING[1:]:
            self._chance_event(word, rest)
        elif re.fullmatch("0|[1-9][0-9]?", word) and rest:
            self.play(int(word), rest)
        else:
            faults = self.game.faults
            raise self._illegal(faults.over if self.done else faults.event, f"{brief(text)} is no event")

    def play(self, seat: int, text: str) -> None:
        """A seat makes a move, given as text. Raises IllegalMove; then nothing has changed."""
        said = self.game.moves.read(text)
        if said.move is None or said.move not in self.moves(seat):
            clause = self.game.refusal(self.state, self.options, seat, said)
            raise self._illegal(clause, f"{seat} {brief(text)} is not possible" + self._because(clause))
        before = self._trick()
        self.game.apply(self.state, self.options, seat, said.move)
        self.events.append(f"{seat} {self.game.moves.text(said.move)}")
        spec = self.game.moves.spec(said.move)
        if before and spec.plays and not self._trick():
            self.last_trick = [*before, (self.players if spec.dummy else seat, item(said.move, 0))]
        elif spec.amends:
            self.last_trick = [(who, item(said.move, 0) if who == seat else card) for who, card in self.last_trick]
        self.deal_out()

    def deal_out(self) -> None:
        """Let chance speak as long as it is awaited, if this match has a source of chance."""
        while self._chance is not None and self.state.awaiting != NOTHING:
            self.event(self.draw_lots(self._chance))

    def draw_lots(self, chance: Shuffler) -> str:
        """The awaited chance event, as this source makes it; nothing is applied."""
        pool = self._pool()
        if self.state.awaiting == DRAW:
            pool = [chance.choice(pool)]
        else:
            chance.shuffle(pool)
        return f"{self.awaiting} {' '.join(map(cards.text, pool))}"

    def _pool(self) -> list[Card]:
        return self._buffer[: self.game.gather(self.state, self.options, self._buffer)]

    def _chance_event(self, word: str, rest: str) -> None:
        faults = self.game.faults
        if self.done or word != self.awaiting:
            clause = faults.over if self.done else faults.chance
            awaited = f", {self.awaiting} is" if self.awaiting else ""
            raise self._illegal(clause, f"{word} is not awaited{awaited}")
        named = [cards.read(name) for name in rest.split(" ")] if rest else []
        order = [card for card in named if card is not None]
        pool = self._pool()
        if self.state.awaiting == DRAW:
            fits = len(named) == len(order) == 1 and order[0] in pool
        else:
            fits = len(named) == len(order) and Counter(order) == Counter(pool)
        if not fits:
            clause = self._wrong_cards_clause(word, named, pool)
            raise self._illegal(clause, self._wrong_cards(word, named, pool) + self._because(clause))
        if self.state.awaiting == DEAL:
            self.last_trick = []
        self.game.chance(self.state, self.options, order)
        self.events.append(f"{word} {' '.join(map(cards.text, order))}")

    def _wrong_cards_clause(self, word: str, named: Sequence[Card | None], pool: Sequence[Card]) -> str:
        faults = self.game.faults
        no_card = None in named or (JOKER in named and JOKER not in pool)
        if faults.unreadable and (no_card or (self.state.awaiting == DRAW and len(named) != 1)):
            return faults.unreadable
        if word == "deal" and faults.unknown_card and not set(named) <= set(pool):
            return faults.unknown_card
        return {"deal": faults.deal, "reshuffle": faults.reshuffle, "draw": faults.draw}[word]

    def _wrong_cards(self, word: str, named: Sequence[Card | None], pool: Sequence[Card]) -> str:
        if None in named:
            return f"{word} names something that is no card"
        missing = Counter(pool) - Counter(card for card in named if card is not None)
        if word == "deal" and missing:
            return f"deal lacks {cards.text(next(iter(missing)))}: it has {len(named)} cards of {len(pool)}"
        return f"{word} has cards that are not there"

    def _trick(self) -> list[tuple[int, Card]]:
        return self.game.trick(self.state) if self.game.trick else []

    def _because(self, clause: str) -> str:
        gist = rulebook.gist(self.game.slug, clause)
        return f": {gist}" if gist else ""

    def _illegal(self, clause: str, reason: str) -> IllegalMove:
        return IllegalMove(clause, reason, len(self.events))

    # ------------------------------------------------------------------------------------------------ record, report

    def record(self) -> dict[str, Any]:
        """The match record: everything that happened, chance included."""
        return {
            "upcard": FORMAT,
            "game": self.game.slug,
            "players": self.players,
            "dealer": self.first_dealer,
            "options": dict(self.options.chosen),
            "events": list(self.events),
        }

    def report(self) -> dict[str, Any]:
        """Where the match stands, as the referee sees it: the fields of the rulebook's report."""
        state = self.state
        own = self.game.report(state, self.options)
        common = {
            "game": self.game.slug,
            "players": self.players,
            "done": self.done,
            "phase": self.phase,
            "dealer": state.dealer,
            "deal": state.deals,
            "to_act": self.to_act,
            "awaiting": self.awaiting,
            "legal": {str(seat): self.legal(seat) for seat in self.to_act},
            "hands": [list(map(cards.text, self.game.hand.cards(state, seat))) for seat in range(self.players)],
            "trump": None,
            "upcard": None,
            "trick": [[seat, cards.text(card)] for seat, card in self._trick()],
            "leader": None,
            "tricks": [0] * self.players,
            "points": [0] * self.players,
            "scores": self.scores,
            "winners": self.winners if self.done else [],
            "last": None,
            "stock": None,
        }
        return common | own
