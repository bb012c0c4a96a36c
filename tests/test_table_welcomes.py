"""A welcome is built once for everybody who sees the same, and nobody is sent one that is old or another's."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec import structs
from sitting_down import ANN, BO, LEVEL_NAMES, Ear, Notebook, ask, casual, opened, plan, say, settle

from upcard.table import clients
from upcard.table.actions import Answer, Change, Decline, Leave, LetIn, Remove, Renew, Sit, TakeBack, Withdraw
from upcard.table.clients import Clients
from upcard.table.messages import Thinking, Welcome
from upcard.table.seats import Occupant
from upcard.table.settings import Clock, Settings
from upcard.table.table import Table

PEOPLE = (None, "", "ann", "bo", "cy", "di", "eve")


@pytest.fixture
def built(monkeypatch: pytest.MonkeyPatch) -> list[str | None]:
    """For whom welcomes were built."""
    people: list[str | None] = []
    build = Clients.welcome

    def counted(self: Clients, identity: str | None) -> Welcome:
        people.append(identity)
        return build(self, identity)

    monkeypatch.setattr(Clients, "welcome", counted)
    return people


def looked(table: Table, ear: Ear) -> Welcome:
    """The answer to a look."""
    table.look(ear.client)
    message = ear.messages[-1]
    assert isinstance(message, Welcome)
    return message


def timeless(welcome: Welcome) -> Welcome:
    return Welcome(structs.replace(welcome.table, now=0.0), welcome.seq, welcome.scene, welcome.log)


async def test_a_crowd_that_looks_again_shares_one_welcome(built: list[str | None]) -> None:
    table = await opened(ANN, BO)
    crowd = [Ear(f"watcher {number}") for number in range(200)]
    for ear in [Ear("ann"), Ear("bo"), *crowd]:
        table.join(ear.client)
    await move(table)
    built.clear()
    welcomes = [looked(table, ear) for ear in crowd]
    assert len(built) == 1
    assert all(welcome.encoded() is welcomes[0].encoded() for welcome in welcomes)  # and encoded once
    assert (table.has_welcome("watcher 1"), table.has_welcome("ann")) == (True, False)


async def test_a_welcome_is_not_shared_for_long(built: list[str | None], monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages set their clocks by the time in it."""
    now = 1000.0
    monkeypatch.setattr("upcard.table.clients.time.time", lambda: now)
    table, ear = await opened(ANN, BO), Ear("eve")
    table.join(ear.client)
    for now, number in ((1000.1, 1), (1000.0 + clients.SHARED_FOR, 2), (500.0, 3)):
        welcome = looked(table, ear)
        assert len(built) == number
        assert abs(welcome.table.now - now) < clients.SHARED_FOR


Step = Callable[[Table], Any]


async def move(table: Table) -> None:
    seat = table.match.to_act[0]
    identity = table.places[seat].identity
    await say(table, identity, f"m{table.seq}", table.seq, table.match.legal(seat)[0])


async def take_back(table: Table) -> None:
    seat = table.match.events[-1].seat
    assert seat is not None
    await ask(table, table.places[seat].identity, TakeBack())


async def answer(table: Table) -> None:
    (waits_for,) = table.summary(None).asked.waits_for  # type: ignore[union-attr]
    await ask(table, table.places[waits_for].identity, Answer(agree=True))


async def let_in(table: Table) -> None:
    await _reply(table, LetIn)


async def decline(table: Table) -> None:
    await _reply(table, Decline)


async def _reply(table: Table, action: type[LetIn | Decline]) -> None:
    """The host answers whoever has knocked."""
    host = next(place.identity for place in table.places if place.who == "person")
    await ask(table, host, action(table.summary(host).knocks[0].number))


def think(state: Any) -> Step:
    async def thinking(table: Table) -> None:
        table.hear_aside(Thinking(1, state), None)

    return thinking


def come(identity: str) -> Step:
    async def coming(table: Table) -> None:
        table.join(Ear(identity).client)

    return coming


def go(ear: Ear) -> Step:
    async def going(table: Table) -> None:
        table.leave(ear.client)

    return going


def elsewhere(*identities: str) -> Step:
    async def looking(table: Table) -> None:
        table.look_elsewhere(set(identities))

    return looking


def do(identity: str, action: Any) -> Step:
    async def doing(table: Table) -> None:
        await ask(table, identity, action)

    return doing


def link(digest: str) -> Step:
    async def linking(table: Table) -> None:
        await table.link("ann", digest)

    return linking


async def test_nobody_is_sent_an_old_welcome_or_one_for_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clients, "SHARED_FOR", 1e9)
    invited = structs.replace(plan(), invite="secret", settings=Settings(clock=Clock(60, 10)))
    held = Occupant("held", "Di", None, "di")
    table = await Table.open(invited, [ANN, held], Notebook(), casual, LEVEL_NAMES)
    await settle(table)
    ears = {identity: Ear(identity) for identity in PEOPLE}
    for ear in ears.values():
        table.join(ear.client)
    window = Ear("cy")
    steps: list[Step] = [
        do("ann", Remove(1)),
        do("ann", Change(Settings(listed=True, clock=Clock(60, 10)))),
        do("cy", Sit("Cy")),
        do("ann", Remove(1, block=True)),
        do("di", Sit("Di")),
        do("di", Withdraw()),
        do("eve", Sit("Eve")),
        decline,
        do("bo", Sit("Bo")),
        do("ann", Renew()),
        let_in,
        move,
        move,
        link("a digest"),
        link(""),
        come("fay"),
        elsewhere("ann", "gus"),
        elsewhere(),
        think("thinking"),
        think("done"),
        lambda table: come("cy")(table),
        go(ears["eve"]),
        take_back,
        answer,
        move,
        do("ann", Leave()),
        do("fay", Sit("Fay")),
        let_in,
        do("bo", Leave()),
    ]
    table.join(window.client)
    for number, step in enumerate(steps):
        for ear in ears.values():  # so that a welcome to the table before the step is at hand
            looked(table, ear)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("upcard.table.table.NUDGES", 0.0)
            try:
                await step(table)
            except Exception as error:
                raise AssertionError(f"step {number} cannot be done: {error}") from error
        for identity, ear in ears.items():
            shared, own = timeless(looked(table, ear)), timeless(table.welcome(identity))
            assert shared == own, (number, identity)


async def test_only_people_with_an_identity_are_offered_a_seat() -> None:
    """Messages about the table are shared by the same kinds of viewers as welcomes."""
    table = await opened(ANN, Occupant())
    nobody, eve = Ear(None), Ear("eve")
    for ears in ((nobody, eve), (eve, nobody)):
        for ear in ears:
            table.join(ear.client)
        await ask(table, "ann", Change(Settings(listed=True)))
        assert (nobody.messages[-1].table.free, eve.messages[-1].table.free) == (None, "open")  # type: ignore[union-attr]
        for ear in ears:
            table.leave(ear.client)
        await ask(table, "ann", Change(Settings(listed=True, patience=60)))
