"""The clients of a table, players and spectators: their views and the messages sent to them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence, Set
from typing import Any, NamedTuple

from msgspec import UNSET

from upcard.engine.views import View
from upcard.rules.seats import acts
from upcard.rules.sentences import as_sentence, sentence
from upcard.table.changes import SceneChanges, scene_changes
from upcard.table.chat import Conversation, may_hear
from upcard.table.claims import may_claim
from upcard.table.clocks import Clocks, ClockView, Turns, running
from upcard.table.errors import Forbidden, TooMany
from upcard.table.journal import AnyEntry, Happened, TookBack
from upcard.table.knocks import ABSENCE, SPARED, Knock
from upcard.table.log import Log
from upcard.table.messages import (
    AnyMessage,
    Aside,
    ChatMessage,
    ChatRemoved,
    EventHappened,
    PeopleChanged,
    Reaction,
    TableChanged,
    TableView,
    Thinking,
    Welcome,
)
from upcard.table.own_scene import draw_to
from upcard.table.presence import Client, Presence
from upcard.table.scene import DrawnScene, SceneView
from upcard.table.seats import Occupant, is_full, seat_names, seat_of
from upcard.table.state import TableState
from upcard.table.summary import Busy, Now, is_host, last_move, may, people, substitutes_at, summary

Broadcast = Callable[[str, str | None, Aside], None]
"""Sends a message to the clients of a table at other servers: to one identity, or to all if it is None."""

MOST_WINDOWS, MOST_WATCHING = 8, 200
"""The most windows one person may have on a table, and the most spectators."""
CLOSED = sentence("This table is closed to spectators")
WATCHERS_PAUSE = 0.5
"""Seconds between two updates of the number of spectators."""
LONGEST_LOG = 500
"""The number of latest log lines sent with a welcome."""
SHARED_FOR = 0.25
"""Seconds for which a cached welcome is sent: pages set their clocks by the time in it."""


class Viewer(NamedTuple):
    """A kind of viewer: everybody of the same kind is sent the same messages, to the byte."""

    seat: int | None
    person: str | None
    """The identity of a person whom the table treats individually: nobody else is of their kind."""
    is_identified: bool
    """Only people with an identity can take a seat."""


class Clients:
    """The clients of one table. The state, the log and the turns passed to it belong to the table."""

    def __init__(
        self,
        state: TableState,
        log: Log,
        turns: Turns,
        broadcast: Broadcast,
        stirred: Callable[[], None] = lambda: None,
    ) -> None:
        """`stirred` is called after a change of people, seats or settings, and when the match is over."""
        self._state = state
        self._log = log
        self._turns = turns
        self._broadcast = broadcast
        self._stirred = stirred
        self._presence = Presence()
        self.opened = time.time()
        """When this program got the table."""
        self.clocks = Clocks(state.plan.players, turns)
        self.names = seat_names(state.seating.places)
        """The names of the seats."""
        self.thinking: dict[int, Busy] = {}
        """By seat, the present activity of slow computer players."""
        self.conversation = Conversation()
        self.told_up_to = 0
        """The number of the last entry that clients have been sent."""
        self._people_timer: asyncio.TimerHandle | None = None
        self._views: dict[int | None, View[Any]] = {}
        self._scenes: dict[int | None, DrawnScene] = {}
        """By seat, the present scene, computed when first needed."""
        self._sent: dict[int | None, DrawnScene] = {}
        """By seat, the scene last sent to its clients, whose unchanged parts the next one shares."""
        self._offered: dict[tuple[object, ...], list[str]] = {}
        """The actions that people at seats may ask for, by all that can change them without an entry about people."""
        self._welcomes: dict[Viewer, Welcome] = {}
        """The welcomes to the table in its present state, built when first needed."""

    @property
    def _places(self) -> list[Occupant]:
        return self._state.seating.places

    def is_here(self, identity: str | None) -> bool:
        """Whether somebody is connected to the table, here or through another server."""
        return identity is not None and self._presence.gone_since(identity, 0.0) is None

    @property
    def present(self) -> frozenset[str]:
        """The identities of those who are connected to the table here."""
        return frozenset(client.identity for client in self._presence if client.identity is not None)

    # ----------------------------------------------------------------------------------------------- views and scenes

    def look_again(self, entry: AnyEntry) -> None:
        """Discard the views cached before this entry."""
        self._views.clear()
        self._scenes.clear()
        self._welcomes.clear()
        if not isinstance(entry, Happened):
            self.names = seat_names(self._places)
            self._offered.clear()

    def view(self, seat: int | None) -> View[Any]:
        """The present view of a seat; None for the spectators'."""
        if seat not in self._views:
            self._views[seat] = self._state.match.view(seat)
        return self._views[seat]

    def scene(self, seat: int | None) -> SceneView:
        """The present scene of a seat; None for the spectators'."""
        return self._drawn(seat).shown

    def _drawn(self, seat: int | None) -> DrawnScene:
        if seat not in self._scenes:
            state = self._state
            seen, trick, ended = self.view(seat), state.match.last_trick, state.seating.ended
            self._scenes[seat] = draw_to(seen, trick, self.names, ended, self._sent.get(seat))
        return self._scenes[seat]

    def now(self) -> Now:
        """The facts that summaries need besides the seating."""
        done, match, places = self._state.done, self._state.match, self._places
        clocks, there = self._clock_views(), people(places)
        waited_since = self._waited_since() if len(there) > 1 else []  # nobody else could ask for a substitute
        take_back = {seat for seat in there if last_move(places, match.events, seat) is not None}
        claim = {seat for seat in there if acts(match.state, seat) and may_claim(self.view(seat))}
        title, thinking = as_sentence(match.game.title, match.game), self.thinking
        return Now(title, done, self._presence, self.opened, waited_since, thinking, clocks, take_back, claim)

    def _clock_views(self) -> list[ClockView] | None:
        clock, match = self._state.seating.settings.clock, self._state.match
        if clock is None:
            return None
        playing = is_full(self._places) and not self._state.done
        return self.clocks.views(clock, running(self._places, match.state) if playing else ())

    def _waited_since(self) -> list[float | None]:
        if self._state.done or not is_full(self._places):
            return [None] * len(self._places)
        state = self._state.match.state
        return [since if acts(state, seat) else None for seat, since in enumerate(self._turns.due)]

    def summary(self, identity: str | None) -> TableView:
        """The table as shown to one person."""
        return summary(self._state.seating, self.now(), identity)

    def welcome(self, identity: str | None) -> Welcome:
        """The message that contains everything a client needs to start."""
        seat = seat_of(self._places, identity)
        lines = self._log.lines(seat, LONGEST_LOG, to=seat, host=is_host(self._state.seating, identity))
        return Welcome(self.summary(identity), self._state.seq, self.scene(seat), lines)

    def _viewer(self, identity: str | None) -> Viewer:
        """This person's kind of viewer."""
        seating = self._state.seating
        named = is_host(seating, identity) or (identity is not None and seating.concerns(identity))
        return Viewer(seat_of(seating.places, identity), identity if named else None, bool(identity))

    def _shared_welcome(self, identity: str | None) -> Welcome:
        """The welcome to everybody of this person's kind."""
        if not self.has_welcome(identity):
            self._welcomes[self._viewer(identity)] = self.welcome(identity)
        return self._welcomes[self._viewer(identity)]

    def has_welcome(self, identity: str | None) -> bool:
        """Whether a recent welcome to this person's kind is cached."""
        welcome = self._welcomes.get(self._viewer(identity))
        return welcome is not None and abs(time.time() - welcome.table.now) < SHARED_FOR

    # ------------------------------------------------------------------------------------------------------- presence

    def admit(self, identity: str | None) -> None:
        """Check that this person may open one more window on the table. Raises TooMany, Forbidden."""
        if len(self._presence.of(identity)) >= MOST_WINDOWS:
            raise TooMany("You have this table open in too many windows: close one of them")
        if seat_of(self._places, identity) is not None:
            return
        if self._is_closed:
            raise Forbidden(CLOSED)
        if self._presence.watching(self._places) >= MOST_WATCHING:
            raise TooMany("There is no room for another spectator")

    @property
    def _is_closed(self) -> bool:
        """Whether spectators are shut out at present."""
        playing = is_full(self._places) and not self._state.done
        return playing and not self._state.seating.settings.watchers

    def _show_out(self) -> None:
        """Disconnect those who may no longer watch, because play began, they lost their seat or the host decided so."""
        for client in [*self._presence] if self._is_closed else ():
            if seat_of(self._places, client.identity) is None:
                self.leave(client)
                client.let_go(CLOSED)

    def join(self, client: Client) -> None:
        """Add a client: it is sent a welcome, and then every message to its seat."""
        came = self._presence.join(client)
        self._welcomes.clear()
        self.look(client)
        for message in self.conversation.heard_by(seat_of(self._places, client.identity)):
            client.send(message)
        if came:
            self._people_changed({client.identity}, but=client)

    def leave(self, client: Client) -> None:
        """Remove a client. With the last one goes what is remembered for those who look, as nobody may ever come
        again."""
        self._welcomes.clear()
        if self._presence.leave(client, time.time()):
            self._people_changed({client.identity})
        if not len(self._presence):
            for cache in (self._views, self._scenes, self._sent, self._offered):
                cache.clear()

    def waits_until(self, knock: Knock) -> float | None:
        """The time at which the knock of an absent person ends; None while they are here."""
        gone = self._presence.gone_since(knock.identity, self.opened - SPARED)
        return None if gone is None else max(knock.at, gone) + ABSENCE

    def look_elsewhere(self, identities: Set[str]) -> None:
        """Set the identities of people connected to the table through other servers."""
        self._welcomes.clear()
        if stirred := self._presence.elsewhere(identities, time.time()):
            self._people_changed(stirred)

    def look(self, client: Client) -> None:
        """Send a client a welcome to the table in its present state."""
        seat = seat_of(self._places, client.identity)
        self._sent[seat] = self._drawn(seat)
        client.send(self._shared_welcome(client.identity))

    def _people_changed(self, who: Set[str | None], but: Client | None = None) -> None:
        """Report arrivals and departures: those of players at once, those of spectators after a pause, together."""
        self._stirred()
        if any(seat_of(self._places, identity) is not None for identity in who):
            self._send_people(but)
        elif self._people_timer is None and len(self._presence):
            self._people_timer = asyncio.get_running_loop().call_later(WATCHERS_PAUSE, self._send_people)

    def _send_people(self, but: Client | None = None) -> None:
        if self._people_timer is not None:
            self._people_timer.cancel()
            self._people_timer = None
        places, presence = self._places, self._presence
        here = [presence.is_here(place) for place in places]
        away_since = [presence.away_since(place, self.opened) for place in places]
        substitutes = substitutes_at(self._state.seating, self.now())
        self.tell_all(PeopleChanged(here, away_since, presence.watching(places), substitutes), but)

    # ------------------------------------------------------------------------------------------------------- messages

    def tell_all(self, message: AnyMessage, but: Client | None = None) -> None:
        """Send everybody the same message, except the client `but`."""
        for client in self._presence:
            if client is not but:
                client.send(message)

    def say(self, message: Aside, to: str | None = None) -> None:
        """Send a message that is not in the journal to everybody, or to one person, on all servers."""
        self.hear_aside(message, to)
        self._broadcast(self._state.plan.id, to, message)

    def hear_aside(self, message: Aside, to: str | None = None) -> None:
        """Like `say`, but only to the clients at this server."""
        if isinstance(message, Thinking):
            self.thinking.pop(message.seat, None)
            if message.state != "done":
                self.thinking[message.seat] = message.state
            self._welcomes.clear()
        elif isinstance(message, ChatMessage):
            self.conversation.add(message)
        elif isinstance(message, ChatRemoved):
            self.conversation.remove(message.number)
        audience = message.audience if isinstance(message, (ChatMessage, Reaction)) else "all"
        for client in self._presence if to is None else self._presence.of(to):
            if may_hear(audience, seat_of(self._places, client.identity)):
                client.send(message)

    def tell(self, entries: Sequence[AnyEntry], before: Sequence[Occupant]) -> None:
        """Send everybody the effects of the entries just written; `before` are the places before them."""
        if not all(isinstance(entry, Happened) for entry in entries):
            self._show_out()
            self._stirred()
        elif self._state.done:
            self._stirred()
        seat_by_client = {client: seat_of(self._places, client.identity) for client in self._presence}
        watched = {*seat_by_client.values()}
        base, self.told_up_to = self.told_up_to, self._state.seq
        sent = self._sent
        changes = {seat: scene_changes(sent[seat].shown, self.scene(seat)) for seat in watched if seat in sent}
        self._sent = {seat: self._drawn(seat) for seat in watched}
        if len(entries) == 1 and isinstance(entries[0], Happened):
            messages = self._event_messages(base, changes)
            for client, seat in seat_by_client.items():
                client.send(messages[seat])
            return
        again = any(isinstance(entry, TookBack) for entry in entries)
        tables: dict[Viewer, TableChanged] = {}
        for client in self._presence:
            identity = client.identity
            viewer = self._viewer(identity)
            if again or viewer.seat != seat_of(before, identity):
                client.send(self._shared_welcome(identity))
                continue
            if viewer not in tables:
                is_for_host = is_host(self._state.seating, identity)
                remarks = self._log.remarks_since(base, viewer.seat, host=is_for_host)
                table = self.summary(identity)
                tables[viewer] = TableChanged(table, self._state.seq, base, changes[viewer.seat], remarks)
            client.send(tables[viewer])

    def _event_messages(self, base: int, changes: dict[int | None, SceneChanges]) -> dict[int | None, EventHappened]:
        """By seat, the message about the last event to those who look on from there."""
        seq, oldest, now = self._state.seq, self._log.oldest, self.now()
        substitutes = substitutes_at(self._state.seating, now)
        utterances = self._log.utterances() or UNSET
        return {
            seat: EventHappened(
                seq,
                base,
                scene,
                self._log.last(seat, to=seat),
                oldest,
                utterances,
                UNSET if now.clocks is None else now.clocks,
                UNSET if seat is None else self._may_ask(seat, now),
                substitutes if any(substitutes) else UNSET,
            )
            for seat, scene in changes.items()
        }

    def _may_ask(self, seat: int, now: Now) -> list[str]:
        """The actions that the person at this seat may ask for after an event of the match."""
        seating = self._state.seating
        waits = seating.propose_at.get(seat, 0.0) > time.time()
        asked, claimed = seating.asked is not None, seating.claimed
        key = (seat, now.done, seat in now.take_back, seat in now.claim, waits, asked, claimed)
        if key not in self._offered:
            self._offered[key] = may(seating, now, self._places[seat].identity)
        return self._offered[key]
