"""A match: applies events, rejects illegal ones with the clause that they break, and reports its state.

It runs the rules in plain Python, without numba. People, computer players, records and environments all change a
match through `Match.play`, `Match.apply` or `Match.event`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from operator import index
from typing import Any, Generic, TypeVar, overload

from upcard.engine.actions import action_space
from upcard.engine.chance import Shuffler, check_chance, offshoot
from upcard.engine.errors import IllegalMove, UpcardError
from upcard.engine.events import Event, SeenEvent, chance_event, move_event
from upcard.engine.mistakes import (
    MOST_CHANCE_EVENTS,
    BadRules,
    bad_rules,
    cards_of_chance,
    check_deal,
    check_end,
    check_numbers,
    check_turn,
    listed_moves,
    obey,
)
from upcard.engine.setup import begin, check_dealer, check_number, check_seat, setup_of
from upcard.engine.views import DealSoFar, View, audience, past, seen_event, trick_text, view
from upcard.rules import cards, pages
from upcard.rules.cards import JOKER, Card
from upcard.rules.game import Game
from upcard.rules.notation import Attempt, Audience, item
from upcard.rules.phrases import as_items, brief, whole_number
from upcard.rules.report import common_fields
from upcard.rules.seats import acts
from upcard.rules.sentences import listed
from upcard.rules.state import AWAITING, DEAL, DRAW, NOTHING, RESHUFFLE, GameState, Places, Seen, seats_of

FORMAT = 1
"""The number under `upcard` in a match record."""
LONGEST_CARD = 8
"""An upper bound on the characters of a card in an event, with the space before it."""

S = TypeVar("S", bound=GameState)
Trick = list[tuple[int, Card]]


class Match(Generic[S]):
    """One match of a game, as the referee sees it: with all cards open.

    `game` is a name, a `Game` or a `Setup`. `players` and `options` default to what the game declares; `dealer` is the
    seat of the first dealer. If `chance` is given, the match carries out deals, reshuffles and draws by itself as soon
    as they are awaited; otherwise each must be passed to `event`.

    Raises BadSetup, with the clause, for a game, number of players, dealer or option that does not exist, and
    UpcardError for `players` or `options` next to a `Setup`, which already has them.
    """

    @overload
    def __init__(
        self: Match[Any],
        game: str,
        players: object = None,
        *,
        dealer: object = 0,
        options: Mapping[str, object] | None = None,
        chance: Shuffler | None = None,
    ) -> None: ...
    @overload
    def __init__(
        self,
        game: type[Game[S]] | Game[S],
        players: object = None,
        *,
        dealer: object = 0,
        options: Mapping[str, object] | None = None,
        chance: Shuffler | None = None,
    ) -> None: ...
    def __init__(
        self,
        game: str | type[Game[Any]] | Game[Any],
        players: object = None,
        *,
        dealer: object = 0,
        options: Mapping[str, object] | None = None,
        chance: Shuffler | None = None,
    ) -> None:
        if chance is not None:
            check_chance(chance)
        self.setup: Game[S] = setup_of(game, players, options)
        self.first_dealer = check_dealer(self.setup, dealer)
        self.events: list[Event] = []
        self.last_trick: Trick = []
        """The last finished trick of this deal: pairs of a seat and its card, in order of play."""
        self.state: S = begin(self.setup, self.first_dealer)
        self._sealed: list[tuple[int, int]] = []
        self._silence = 0
        self._dealt = 0
        """The index of the last deal among the events."""
        self._begun: S | None = None
        """The state before that deal."""
        self._renewed: S | None = None
        """The state before the last reshuffle of this deal."""
        self._pasts: dict[int | None, DealSoFar[S]] = {}
        """Each seat's knowledge of this deal, as of the last request for it."""
        self._chance = chance
        self._forks = 0
        """The number of forks that have been given a random generator of their own."""
        self.deal_out()

    def fork(self) -> Match[S]:
        """An independent copy of this match, in the same state.

        If this match deals by itself, so does the copy, with a random generator of its own. Each fork gets a different
        one; if the match is seeded, the first fork always gets the same one, and so do the second and all others.
        """
        twin: Match[S] = Match.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin.state = self.state.copy()
        twin.events = self.events[:]
        twin._sealed = self._sealed[:]
        twin._pasts = self._pasts.copy()
        if self._chance is not None:
            self._forks += 1
            twin._chance, twin._forks = offshoot(self._chance, f"{len(self.events)} {self._forks}"), 0
        return twin

    def in_world(self, state: S) -> Match[S]:
        """A fork of this match in another state: a world that some seat cannot distinguish from the true state.

        `upcard.engine.worlds` samples such states. The fork has no events, because the events of this match name the
        cards that others were dealt. It continues from a copy of the state. While moves are sealed, those of the fork
        are the moves that the state says. Raises UpcardError for anything but a state of this game with these players,
        and for one in which sealed moves are impossible.
        """
        if not isinstance(state, self.game.state):
            raise UpcardError(f"a world is a state of {self.game.title}, not {brief(state)}")
        if state.players != self.players:
            raise UpcardError(f"a world of this match has {self.players} players, not {state.players}")
        sealed = self._sealed_in(state)
        twin = self.fork()
        twin.state, twin._sealed = state.copy(), sealed
        twin.events, twin._dealt, twin._begun, twin._renewed, twin._pasts = [], 0, None, None, {}
        return twin

    def _sealed_in(self, state: S) -> list[tuple[int, int]]:
        """The sealed moves in a world: those that lead to what its sealed fields contain."""
        fields = {
            name: spec
            for name, spec in self.game.state.fields.items()
            if spec.seen is Seen.SEALED and not self.setup.opens(spec.unless) and state.phase < spec.until
        }
        now = state.copy()
        for seat, _ in self._sealed:
            now.to_act |= 1 << seat
            for name, spec in fields.items():
                getattr(now, name)[seat] = spec.blank
        sealed = []
        for seat, _ in self._sealed:
            for move in listed_moves(self.setup, now, seat):
                after = now.copy()
                obey(self.game, self.setup.apply, after, seat, move)
                if all(getattr(after, name)[seat] == getattr(state, name)[seat] for name in fields):
                    break
            else:
                raise UpcardError(f"in this world there is no move that seat {seat} may have chosen")
            now = after
            sealed.append((seat, move))
        return sealed

    __copy__ = fork

    # -------------------------------------------------------------------------------------------------- current state

    @property
    def game(self) -> type[Game[S]]:
        return self.setup.game

    @property
    def players(self) -> int:
        return self.setup.players

    @property
    def options(self) -> Game[S]:
        return self.setup

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
        """The chance event that must come next: "deal", "reshuffle" or "draw"; None if a move is awaited."""
        return AWAITING[self.state.awaiting]

    @property
    def scores(self) -> list[int]:
        return self.state.scores[: self.players]

    @property
    def winners(self) -> list[int]:
        """The seats that have won; empty until the match is done."""
        return seats_of(self.state.winners)

    def legal_moves(self, seat: int) -> list[int]:
        """The legal moves of a seat as numbers; empty if it is not to act. Raises UpcardError for an unknown seat."""
        return self._listed(check_seat(self.setup, seat))

    def _listed(self, seat: int) -> list[int]:
        """Like `legal_moves`, but empty for an unknown seat, so that the game refuses its events with a clause."""
        if not 0 <= seat < self.players or not acts(self.state, seat):
            return []
        return listed_moves(self.setup, self.state, seat)

    def legal(self, seat: int) -> list[str]:
        """The legal moves of a seat as texts; empty if it is not to act. Raises UpcardError for an unknown seat."""
        return list(map(self.game.notation.text, self.legal_moves(seat)))

    def actions(self, seat: int) -> dict[int, str]:
        """The legal moves of a seat as action numbers with their texts; empty if it is not to act.

        `upcard.engine.actions` explains the numbers. Raises UpcardError for an unknown seat.
        """
        moves = action_space(self.setup).of(self.legal_moves(seat))
        return {action: self.game.notation.text(move) for action, move in moves.items()}

    def view(self, seat: int | None) -> View[S]:
        """The current view of a seat, or of a spectator for None. Raises UpcardError for an unknown seat."""
        seat = None if seat is None else check_seat(self.setup, seat)
        return view(self.setup, self.state, seat, self._past(seat))

    def _past(self, seat: int | None) -> DealSoFar[S] | None:
        """A seat's knowledge of the current deal (None: a spectator's); None before the first deal."""
        if self._begun is None:
            return None
        known = self._pasts.get(seat) or past(self.setup, self._begun, self._renewed, seat)
        if new := self.events[self._dealt + len(known.seen) :]:
            seen = known.seen + tuple([seen_event(event, seat) for event in new])
            known = DealSoFar(known.begun, seen, known.renewed)
        self._pasts[seat] = known
        return known

    def history(self, seat: int | None, since: int = 0) -> list[SeenEvent]:
        """A seat's observations (None: a spectator's) of all events after the first `since`, in order. Raises
        UpcardError for an unknown seat, and unless `since` is a whole number from 0 up."""
        seat = None if seat is None else check_seat(self.setup, seat)
        first = whole_number(since)
        if first is None or first < 0:
            raise UpcardError(f"`since` is a whole number of events from 0 up, not {brief(since)}")
        return [seen_event(event, seat) for event in self.events[first:]]

    def told(self, seat: int | None) -> SeenEvent:
        """A seat's observation (None: a spectator's) of the last event. Raises UpcardError for an unknown seat, and
        before the first event."""
        seat = None if seat is None else check_seat(self.setup, seat)
        if not self.events:
            raise UpcardError("nothing has happened yet")
        return seen_event(self.events[-1], seat)

    # --------------------------------------------------------------------------------------------------------- events

    def event(self, text: str) -> Event:
        """Apply an event, written as in a match record: "0 Kh", "deal As Kd …". Returns the event.

        Raises IllegalMove if it is not legal here; the match is then unchanged.
        """
        word, _, rest = text.partition(" ") if isinstance(text, str) else ("", "", "")
        if word in AWAITING[1:]:
            return self._chance_event(word, rest)
        if re.fullmatch("0|[1-9][0-9]*", word) and rest:
            return self.play(int(word) if len(word) < 9 else 10**9, rest)
        clauses = self.game.clauses
        raise self._illegal(clauses.over if self.done else clauses.event, f"{brief(text)} is not an event")

    def play(self, seat: int, move: str) -> Event:
        """Make a move, given as text ("Kh", "bid 3"), for a seat. Returns the event.

        Raises IllegalMove if the move is not legal, and UpcardError for arguments of the wrong type; the match is then
        unchanged.
        """
        seat = check_number(seat)
        attempt = self.game.notation.read(move)
        if not 0 <= seat < self.players:
            raise self._nobody(seat, attempt)
        if attempt.move is None or attempt.move not in self._listed(seat):
            clause = obey(self.game, self.setup.forbidding, self.state, seat, attempt)
            raise self._illegal(clause, f"{seat} {brief(move)} is not possible" + self._because(clause))
        return self._apply(seat, attempt.move)

    def apply(self, seat: int, action: int) -> Event:
        """Make a move, given as an action number (see `actions`), for a seat. Returns the event.

        Raises IllegalMove if the move is not legal, and UpcardError for a number that is not an action of this table;
        the match is then unchanged.
        """
        space = action_space(self.setup)
        number = space.check(action)
        seat = check_number(seat)
        move = space.of(self._listed(seat)).get(number)
        return self.play(seat, space.text(number)) if move is None else self._apply(seat, move)

    def _apply(self, seat: int, move: int) -> Event:
        state, game = self.state, self.game
        trick, before = self._trick(), (state.phase, state.to_act)
        obey(game, self.setup.apply, state, seat, move)
        self._check(0)
        event = move_event(game.notation, seat, move, *self._disclosed(before, seat, move))
        self.events.append(event)
        verb = game.notation.spec(move)
        if trick and verb.plays and not self._trick():
            self.last_trick = [*trick, (self.players if verb.dummy else seat, item(move, 0))]
        elif verb.amends:
            self.last_trick = [(who, item(move, 0) if who == seat else card) for who, card in self.last_trick]
        self.deal_out()
        return event

    def _disclosed(self, before: tuple[int, int], seat: int, move: int) -> tuple[Audience, tuple[tuple[int, int], ...]]:
        """How much of the move just made is disclosed to the other seats, and the sealed moves that it reveals."""
        heard = audience(self.setup, before, self.state, seat, move)
        if self.game.notation.spec(move).heard is not Audience.SEALED:
            return heard, ()
        self._sealed.append((seat, move))
        if heard is not Audience.ALL:
            return heard, ()
        opened, self._sealed = sorted(self._sealed), []
        return heard, tuple(opened) if len(opened) > 1 else ()

    def deal_out(self) -> None:
        """Carry out the awaited chance events until a move is awaited, if this match has a source of chance."""
        while self._chance is not None and self.state.awaiting != NOTHING:
            self._chance_happens(tuple(self._order(self._chance)))

    def draw_lots(self, chance: Shuffler) -> str:
        """The text of the awaited chance event with an outcome drawn from `chance`, without applying it.

        Raises UpcardError if no chance event is awaited, or if `chance` cannot shuffle.
        """
        check_chance(chance)
        if self.awaiting is None:
            raise UpcardError("no chance event is awaited")
        return str(chance_event(self.state.awaiting, tuple(self._order(chance))))

    def chance_outcomes(self, listed: Sequence[Card] = ()) -> dict[Card, float]:
        """The possible next cards of the awaited chance event, after the cards `listed`, with their probabilities.

        Empty if the event is complete, or if none is awaited. Raises UpcardError for cards that it cannot list.
        """
        left, numbers = Counter(self._pool() if self.awaiting else []), _card_numbers(listed)
        left.subtract(numbers)
        if min(left.values(), default=0) < 0 or (self.state.awaiting == DRAW and len(numbers) > 1):
            names = " ".join(map(cards.named, numbers))
            raise UpcardError(f"{brief(names)} cannot be listed by chance now")
        if self.state.awaiting == DRAW and numbers:
            return {}
        return {card: number / left.total() for card, number in sorted(left.items()) if number}

    def _order(self, chance: Shuffler) -> list[Card]:
        pool = self._pool()
        if self.state.awaiting == DRAW:
            return [index(chance.choice(pool))]  # NumPy's generators choose numbers of their own kind
        chance.shuffle(pool)
        return pool

    def _pool(self) -> list[Card]:
        pool = cards_of_chance(self.setup, self.state)
        if not pool:
            raise bad_rules(self.game, f"a {self.awaiting} is awaited, but `cards_to_shuffle` lists no card")
        return pool

    def _check(self, silence: int) -> None:
        """Check the state after an event; `silence` is the number of chance events since the last move. Raises BadRules
        if the rules have left it invalid."""
        self._silence = silence
        state, game = self.state, self.game
        check_turn(game, state)
        if state.to_act == 0:
            check_numbers(game, state)
            if silence > MOST_CHANCE_EVENTS:
                raise bad_rules(
                    game, f"one {self.awaiting} follows another and nobody is to act: set `to_act` in the rule"
                )
            if self.done:
                check_end(game, state)

    def _chance_event(self, word: str, rest: str) -> Event:
        clauses = self.game.clauses
        if self.done or word != self.awaiting:
            clause = clauses.over if self.done else clauses.chance
            awaited = f", {self.awaiting} is" if self.awaiting else ""
            raise self._illegal(clause, f"{word} is not awaited{awaited}")
        pool = self._pool()
        longest = LONGEST_CARD * (len(pool) + 1)
        named = _read_cards(rest, longest)
        order = [card for card in named if card is not None]
        if self.state.awaiting == DRAW:
            fits = len(named) == len(order) == 1 and order[0] in pool
        else:
            fits = len(named) == len(order) and Counter(order) == Counter(pool)
        if not fits or len(rest) > longest:
            clause = self._wrong_cards_clause(word, named, pool)
            raise self._illegal(clause, self._wrong_cards(word, named, pool) + self._because(clause))
        return self._chance_happens(tuple(order))

    def _chance_happens(self, order: tuple[Card, ...]) -> Event:
        kind = self.state.awaiting
        if kind == DEAL:
            self.last_trick = []
            self._dealt, self._begun, self._renewed, self._pasts = len(self.events), self.state.copy(), None, {}
        elif kind == RESHUFFLE:
            self._renewed, self._pasts = self.state.copy(), {}
        self._sealed = []
        let_happen(self.setup, self.state, Places(order))
        self._check(self._silence + 1)
        if kind == DEAL:
            check_deal(self.setup, self.state, order)
        event = chance_event(kind, order)
        self.events.append(event)
        return event

    def _wrong_cards_clause(self, word: str, named: Sequence[Card | None], pool: Sequence[Card]) -> str:
        clauses = self.game.clauses
        no_card = None in named or (JOKER in named and JOKER not in pool)
        if clauses.unreadable and (no_card or (self.state.awaiting == DRAW and len(named) != 1)):
            return clauses.unreadable
        if word == "deal" and clauses.unknown_card and not set(named) <= set(pool):
            return clauses.unknown_card
        return {"deal": clauses.deal, "reshuffle": clauses.reshuffle, "draw": clauses.draw}[word]

    def _wrong_cards(self, word: str, named: Sequence[Card | None], pool: Sequence[Card]) -> str:
        if None in named:
            return f"{word} names something that is not a card"
        if len(named) > len(pool):
            return f"{word} has more cards than the {len(pool)} available"
        missing = Counter(pool) - Counter(card for card in named if card is not None)
        if word == "deal" and missing:
            return f"deal lacks {cards.text(next(iter(missing)))}: it has {len(named)} cards of {len(pool)}"
        return f"{word} has cards that are not available"

    def _trick(self) -> Trick:
        return obey(self.game, self.setup.trick, self.state)

    def _because(self, clause: str) -> str:
        gist = pages.gist(self.setup, clause)
        return f": {gist}" if gist else ""

    def _nobody(self, seat: int, attempt: Attempt) -> IllegalMove:
        """The error for a seat that is not at the table. A game can have a clause for it, but its rules need not
        handle such a seat."""
        clauses = self.game.clauses
        clause = clauses.over if self.done else clauses.event
        if seat > 0:
            with suppress(BadRules):
                clause = obey(self.game, self.setup.forbidding, self.state, seat, attempt)
        return self._illegal(clause, f"there is no seat {brief(seat)}")

    def _illegal(self, clause: str, reason: str) -> IllegalMove:
        return IllegalMove(clause, reason, len(self.events))

    # ------------------------------------------------------------------------------------------------ record, report

    def record(self) -> dict[str, Any]:
        """The match record, a JSON object: the setup and all events, including those of chance. See docs/records.md."""
        header: dict[str, Any] = {
            "upcard": FORMAT,
            "game": self.game.slug,
            "players": self.players,
            "dealer": self.first_dealer,
            "options": dict(self.setup.chosen),
        }
        if self.game.identity is not None:
            header["about"] = {"rules": self.game.identity}
        return header | {"events": [event.text for event in self.events]}

    def report(self) -> dict[str, Any]:
        """The state of the match as a JSON object, with all cards open: the fields that the rulebook defines."""
        state = self.state
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
        return common | common_fields(state) | obey(self.game, self.setup.report, state)

    def __repr__(self) -> str:
        scene = obey(self.game, self.setup.scene, self.state, None)
        at = "over" if self.done else f"phase {self.phase}, {self._waits_for()}"
        return f"<Match of {self.game.title}: {scene.headline}, {at}>"

    def _waits_for(self) -> str:
        if self.awaiting:
            return f"a {self.awaiting} is awaited"
        return f"seat{'s' * (len(self.to_act) > 1)} {listed(list(map(str, self.to_act)))} to act"

    def __str__(self) -> str:
        scene = obey(self.game, self.setup.scene, self.state, None)
        lines = [f"{self.game.title}: {scene.headline}"]
        for seat in range(self.players):
            turn = ">" if seat in self.to_act else " "
            held = " ".join(map(cards.sign, self.game.hand.cards(self.state, seat)))
            lines.append(f"{turn}{seat} {self.scores[seat]:>5}  {held}".rstrip())
        on_table = trick_text(self._trick())
        return "\n".join([*lines, *([f"   trick  {on_table}"] if on_table else [])])

    def __eq__(self, other: object) -> bool:
        """Whether both have the same setup, first dealer, events and state."""
        return isinstance(other, Match) and (self.setup, self.first_dealer, self.events, self.state) == (
            other.setup,
            other.first_dealer,
            other.events,
            other.state,
        )

    __hash__ = None  # type: ignore[assignment]

    def __getstate__(self) -> dict[str, Any]:
        values: dict[str, Any] = {
            "state": self.state.values(),
            "_begun": self._begun and self._begun.values(),
            "_renewed": self._renewed and self._renewed.values(),
            "_pasts": {},
        }
        return self.__dict__ | values

    def __setstate__(self, values: dict[str, Any]) -> None:
        self.__dict__.update(values)
        self.state = self._state_of(values["state"])
        self._begun = values["_begun"] and self._state_of(values["_begun"])
        self._renewed = values["_renewed"] and self._state_of(values["_renewed"])

    def _state_of(self, values: tuple[Any, ...]) -> S:
        return self.game.state.of(values)  # type: ignore[return-value]


def _card_numbers(listed: object) -> list[Card]:
    """The listed cards as Python integers. Raises UpcardError for anything but a sequence of integers."""
    each = as_items(listed)
    numbers = [number for number in map(whole_number, each or []) if number is not None]
    if each is None or len(numbers) < len(each):
        raise UpcardError("listed cards are given by their numbers, as in [12, 25]")
    return numbers


def _read_cards(texts: str, longest: int) -> list[Card | None]:
    """The cards in a text, with None for each word that is not a card. Text beyond `longest` characters is ignored."""
    words = texts[:longest].split(" ") if texts else []
    return [cards.read(word) for word in (words if len(texts) <= longest else words[:-1])]


def let_happen(setup: Game[S], state: S, order: list[Card]) -> None:
    """Apply the awaited chance event to a state: a deal or reshuffle in this order, or the draw of its only card."""
    game, kind = setup.game, state.awaiting
    state.awaiting = NOTHING
    if kind == DEAL:
        state.deals += 1
        state.clear()
        obey(game, setup.deal, state, order)
    elif kind == RESHUFFLE:
        obey(game, setup.reshuffle, state, order)
    else:
        obey(game, setup.drawn, state, order[0])
