"""One person at a live table in this process; computer players have the other seats."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from random import Random
from typing import Any, Protocol
from uuid import uuid4

from upcard.engine.chance import Shuffler, shuffler
from upcard.engine.deal_conditions import DealCondition, Dealing, FirstOrder
from upcard.engine.errors import IllegalMove
from upcard.engine.match import Match
from upcard.engine.setup import Setup
from upcard.engine.views import View
from upcard.house.opening import entries_of_fork, places_around, plan_of
from upcard.house.stores import StoredTable
from upcard.languages.answers import in_language
from upcard.languages.localizing import localized, reader, text_for_reader
from upcard.players import levels_of
from upcard.rules.game import Game
from upcard.rules.sentences import as_sentence
from upcard.table.advising import Hint, Wording
from upcard.table.changes import applied
from upcard.table.errors import NotWritten, Refusal
from upcard.table.journal import Origin, Plan, TookBack
from upcard.table.messages import AnyMessage, EventHappened, LogLine, Notice, Refused, TableChanged, Welcome
from upcard.table.presence import Client
from upcard.table.refusals import explain
from upcard.table.scene import SceneView
from upcard.table.seats import Occupant, clean_name
from upcard.table.table import Table
from upcard.terminal.film import Film
from upcard.terminal.local_store import LocalStore
from upcard.terminal.thinking import Players
from upcard.terminal.typed import same_in_any_order

ME = "me"
"""The identity of the person at the table."""

SceneListener = Callable[[SceneView, SceneView], None]
"""Called with the scenes before and after an event or another change; must return at once."""


class MoveChooser(Protocol):
    """Chooses the moves of computer players."""

    async def __call__(self, level: str, seen: View[Any]) -> str: ...


def _person(name: str) -> Occupant:
    """The person at the table."""
    return Occupant("person", clean_name(name, ()), None, ME)


async def _no_pause() -> None:
    """Return at once."""


class Session:
    """A table, and the scene and log that the person at it has been shown."""

    def __init__(
        self, store: LocalStore, plan: Plan, places: Sequence[Occupant], think: MoveChooser, *, chance: Shuffler
    ) -> None:
        self.game: type[Game[Any]] = Setup(plan.game).game
        self.plan = plan
        self.seat = next(seat for seat, place in enumerate(places) if place.identity == ME)
        self.places = places
        self.names = [localized("You") if seat == self.seat else place.name or "" for seat, place in enumerate(places)]
        """The players' names, with "You" for the person."""
        self.language = reader.get()
        """The tag of the language in which the person reads everything."""
        self.title = text_for_reader(as_sentence(self.game.title, self.game))
        self._store = store
        self._saved: StoredTable | None = None
        self._think = think
        self._chance = chance
        self.advise = Players(Random()).advise
        """Gives advice to a seat, from its view."""
        self._table: Table | None = None
        self._happened = asyncio.Event()
        self.scene: SceneView
        """The latest scene, addressed to this person."""
        self.seq = 0
        self.log: list[LogLine] = []
        """The log as far as it may be read, addressed to this person."""
        self.told: SceneListener = lambda before, after: None
        self.noticed: Callable[[str], None] = lambda text: None
        """Called with notices that are not about the match."""
        self.pause: Callable[[], Awaitable[None]] = _no_pause
        """Awaited before a computer player's move is made."""

    @classmethod
    def new(
        cls,
        store: LocalStore,
        setup: Game[Any],
        *,
        name: str,
        seat: int = 0,
        level: str = "casual",
        seed: int | None = None,
        think: MoveChooser | None = None,
        condition: DealCondition | None = None,
    ) -> Session:
        """Prepare a new match; nothing is dealt before `open`. With a `condition` on the first deal it counts in no
        statistics. Raises UpcardError for an unknown level, and for a condition that no deal can meet."""
        places = places_around(_person(name), seat, setup.players, level, levels_of(setup.game))
        chance = shuffler(seed)
        origin = None if condition is None else Origin(None, 0)
        dealer, set_up = chance.choice(range(setup.players)), condition is not None
        plan = plan_of(store.new_id(), setup, dealer, ME, origin=origin, set_up=set_up)
        if condition is not None:
            chance = FirstOrder(Dealing(setup, plan.dealer, condition).deal(chance).order, chance)
        luck = Random(None if seed is None else f"{seed} players")
        return cls(store, plan, places, think or Players(luck), chance=chance)

    @classmethod
    def resumed(cls, store: LocalStore, saved: StoredTable, think: MoveChooser | None = None) -> Session:
        """Resume a saved match. Raises UpcardError if it cannot be continued."""
        places = saved.standing().seating.places
        session = cls(store, saved.plan, places, think or Players(Random()), chance=shuffler())
        session._saved = saved
        return session

    @classmethod
    async def forked(
        cls,
        store: LocalStore,
        film: Film,
        moment: int,
        *,
        name: str,
        seat: int,
        level: str,
        think: MoveChooser | None = None,
    ) -> Session:
        """Play on from a moment of another match, in a new match that is saved at once. Raises UpcardError and
        NotWritten."""
        match = film.moments[-1]
        entries = entries_of_fork(match, moment, _person(name), seat, level)
        plan = plan_of(store.new_id(), match.setup, match.first_dealer, ME, origin=Origin(None, moment))
        await store.begin(plan, entries)
        return cls.resumed(store, store.wanted(plan.id), think)

    @property
    def level(self) -> str:
        """The name of the computer players' level."""
        return next((place.level for place in self.places if place.level), "casual")

    @property
    def match(self) -> Match[Any]:
        """The match itself, with all cards; it must not be shown before it is over."""
        return self._at.match

    @property
    def _at(self) -> Table:
        if self._table is None:
            raise RuntimeError("nobody has sat down yet")
        return self._table

    async def open(self) -> None:
        """Sit down, which begins or continues the match. Raises NotWritten if it cannot be saved."""
        levels = levels_of(self.game)
        if self._saved is None:
            self._table = await Table.open(self.plan, self.places, self._store, self._paced, levels, self._chance)
        else:
            entries = self._saved.entries
            self._table = Table(self.plan, self._store, self._paced, levels, entries=entries, chance=self._chance)
            self._table.wake()
        self._table.join(Client(ME, self._hear))

    async def _paced(self, level: str, seen: View[Any]) -> str:
        """A computer player's move, made after the pause. The pause hides the time that the player took, if that was
        not longer."""
        text, _ = await asyncio.gather(self._think(level, seen), self.pause())
        return text

    def _hear(self, message: AnyMessage) -> None:
        message = in_language(message, self.language)
        if isinstance(message, Notice):
            self.noticed(message.text)
        if not isinstance(message, (Welcome, EventHappened, TableChanged)):
            return
        if isinstance(message, Welcome):
            after = message.scene
            self.log = [*message.log]
        else:
            after = applied(self.scene, message.changes)
            if isinstance(message, EventHappened):
                self.log = [line for line in self.log if line.seq >= message.oldest] + [message.log]
            else:
                self.log += message.log
        before = getattr(self, "scene", after)
        self.seq, self.scene = message.seq, after
        self._happened.set()
        self.told(before, after)

    def is_my_turn(self) -> bool:
        """Whether only the person is to act, so that nothing can happen before the person moves."""
        return self.scene.to_act == [self.seat]

    async def settle(self) -> None:
        """Wait until only the person is to act, or the match is over."""
        while not self.scene.done and not self.is_my_turn():
            self._happened.clear()
            await self._happened.wait()

    # --------------------------------------------------------------------------------------------------------- moves

    async def move(self, *texts: str) -> Refusal | None:
        """Make moves one after the other. Returns the table's refusal, if any; then nothing has changed."""
        if len(texts) > 1 and (refused := self._cannot_all(texts)):
            return refused
        for text in texts:
            text = same_in_any_order(text, self._at.match.legal(self.seat))
            answers: list[AnyMessage] = []
            await self._at.move(ME, uuid4().hex, self.seq, text, answers.append)
            for answer in answers:
                if isinstance(answer, Refused):
                    return _with_clause(self._text(answer.text), answer.clause)
        return None

    def _cannot_all(self, texts: Sequence[str]) -> Refusal | None:
        """The refusal of the first of several moves that is illegal after those before it; None if all are legal."""
        trial = self._at.match.fork()
        for text in texts:
            try:
                trial.play(self.seat, same_in_any_order(text, trial.legal(self.seat)))
            except IllegalMove as error:
                refusal = explain(self._at.match, self.scene, self._at.names, text, error.clause)
                return _with_clause(self._text(refusal), error.clause)
        return None

    # ------------------------------------------------------------------------------------------------------ practice

    async def hint(self) -> Hint:
        """A hint for the current decision. Raises Refusal."""
        seen, seq = await self._at.hint(ME)
        return in_language(Wording(seen, self.names).hint(await self.advise(seen), seq), self.language)

    def _text(self, text: str) -> str:
        """A sentence in the person's language."""
        return text_for_reader(as_sentence(text, self.game))

    @property
    def my_last_move(self) -> int | None:
        """The index of the event of the person's last move; None if there is none."""
        events = self._at.match.events
        return next((i for i in reversed(range(len(events))) if events[i].seat == self.seat), None)

    async def undo(self) -> Refusal | None:
        """Take back the person's last move and everything after it; returns the refusal, if any."""
        if self.my_last_move is None:
            return Refusal("You have not moved yet")
        return await self._take_back(self.my_last_move)

    async def deal_again(self, deal: int) -> Refusal | None:
        """Play a deal again from its first card; returns the refusal, if any."""
        deals = [i for i, event in enumerate(self._at.match.events) if event.seat is None and event.word == "deal"]
        return await self._take_back(deals[deal - 1] + 1)

    async def _take_back(self, events: int) -> Refusal | None:
        """Go back to the state after the first `events` events; returns the refusal, if any."""
        if not self.scene.done and not self.is_my_turn():
            return Refusal("You can take moves back only when it is your turn")
        try:
            entry = TookBack(seat=self.seat, events=events)
            await self._store.append(self.plan.id, self._at.seq + 1, [entry], done=False)
            await self._at.catch_up()
        except NotWritten as error:
            return error
        return None


def _with_clause(text: str, clause: str | None) -> Refusal:
    """A refusal with the text of the table and the clause of the rulebook."""
    return Refusal(text.removesuffix(".") + (f" ({clause})" if clause else ""), clause or None)
