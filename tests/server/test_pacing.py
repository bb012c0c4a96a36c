"""The event loop's time is shared fairly: by addresses over all their windows, and a few milliseconds at a stretch."""

import asyncio
import heapq
import itertools
from collections import Counter
from collections.abc import Callable

from waiting import PATIENCE

from upcard.server.hosting import Limits
from upcard.server.limits import LOOP_SHARE, MOST_LOOP, RESERVE, WIDER_LOOP, Doorkeeper
from upcard.server.pacing import EVENT, LONGEST_STRETCH, MESSAGE, Pacing, Turnstile

EVE, NEIGHBOUR, ANN = "192.0.2.1", "192.0.2.2", "198.51.100.1"


class House:
    """A pacing whose time goes by only in `pass_time`, and what it has let through."""

    def __init__(self) -> None:
        self.now = 0.0
        self.checks = 0
        self.handled = Counter[tuple[str, bool]]()
        self._sleeping: list[tuple[float, int, asyncio.Future[None]]] = []
        self._numbers = itertools.count()
        self._people: list[asyncio.Task[None]] = []
        doorkeeper = Doorkeeper(Limits(), clock=lambda: self.now)
        afford = doorkeeper.loop_time

        def counted(client: str | None, seconds: float, *, seated: bool) -> float:
            self.checks += 1
            return afford(client, seconds, seated=seated)

        doorkeeper.loop_time = counted  # type: ignore[method-assign]
        self.pacing = Pacing(doorkeeper, self._sleep)

    async def _sleep(self, seconds: float) -> None:
        waking = asyncio.get_running_loop().create_future()
        heapq.heappush(self._sleeping, (self.now + seconds, next(self._numbers), waking))
        await waking

    def flood(self, client: str, sockets: int, *, seated: bool = False, seconds: float = MESSAGE) -> None:
        """So many windows of an address send without a pause."""

        async def send() -> None:
            while True:
                await self.pacing.pay(client, seconds, seated=seated)
                self.handled[client, seated] += 1

        self._people += [asyncio.create_task(send()) for _ in range(sockets)]

    async def pass_time(self, seconds: float) -> None:
        ends = self.now + seconds
        while True:
            before = -1
            async with asyncio.timeout(PATIENCE):
                while before != (before := sum(self.handled.values()) + self.checks):  # until all of them wait
                    for _ in range(5):
                        await asyncio.sleep(0)
            if not self._sleeping or self._sleeping[0][0] > ends:
                self.now = ends
                return
            self.now, _, waking = heapq.heappop(self._sleeping)
            if not waking.done():
                waking.set_result(None)

    async def end(self) -> None:
        for person in self._people:
            person.cancel()
        await asyncio.gather(*self._people, return_exceptions=True)


def most(seconds: float, share: float = 1.0, times: float = 1.0) -> int:
    """The messages that an address may send in this time."""
    return round((MOST_LOOP * share + LOOP_SHARE * seconds) * times / MESSAGE)


async def test_all_windows_of_an_address_together_have_one_budget() -> None:
    house = House()
    house.flood(EVE, 495)
    await house.pass_time(10)
    assert 0.9 * most(10, 1 - RESERVE) < house.handled[EVE, False] <= most(10, 1 - RESERVE)
    await house.end()


async def test_only_the_first_of_those_who_wait_looks_whether_it_can_go_on() -> None:
    house = House()
    house.flood(EVE, 495)
    await house.pass_time(10)
    assert house.checks < 2 * house.handled[EVE, False]
    await house.end()


async def test_neighbours_and_others_are_not_held_up() -> None:
    house = House()
    house.flood(EVE, 495)
    await house.pass_time(10)
    for client, seated in ((NEIGHBOUR, False), (NEIGHBOUR, True), (ANN, False), (ANN, True), (EVE, True)):
        house.flood(client, 1, seated=seated, seconds=5 * EVENT)
        await house.pass_time(0.001)
        assert house.handled[client, seated] >= 10
    await house.end()


async def test_many_addresses_of_a_network_have_one_budget_together() -> None:
    house = House()
    for number in range(1, 101):
        house.flood(f"192.0.2.{number}", 2)
    await house.pass_time(10)
    handled = sum(house.handled.values())
    assert 0.5 * most(10, 1 - RESERVE, WIDER_LOOP) < handled <= most(10, 1 - RESERVE, WIDER_LOOP)
    assert house.checks < 3 * handled
    await house.end()


async def test_who_is_gone_is_not_waited_for() -> None:
    house = House()
    house.flood(EVE, 50)
    await house.pass_time(1)
    await house.end()
    house.flood(EVE, 1)
    handled = house.handled[EVE, False]
    await house.pass_time(1)
    assert house.handled[EVE, False] > handled + 0.9 * LOOP_SHARE / MESSAGE
    await house.end()


async def turns(work: Callable[[], None]) -> list[Counter[str]]:
    """What was let in, in each of the next turns of the loop."""
    in_turn: list[Counter[str]] = []
    work()
    for _ in range(60):
        let_in.clear()
        await asyncio.sleep(0)
        in_turn.append(Counter(let_in))
    return [turn for turn in in_turn if turn]


let_in: list[str] = []


async def enter(turnstile: Turnstile, name: str, seconds: float, *, first: bool) -> None:
    await turnstile.enter(seconds, first=first)
    let_in.append(name)


async def test_two_thousand_messages_at_once_are_many_short_turns() -> None:
    turnstile, tasks = Turnstile(), []

    def work() -> None:
        tasks.extend([asyncio.create_task(enter(turnstile, "look", MESSAGE, first=False)) for _ in range(200)])

    in_turns = await turns(work)
    assert sum(turn["look"] for turn in in_turns) == 200
    assert max(turn["look"] for turn in in_turns) <= LONGEST_STRETCH / MESSAGE + 1
    await asyncio.gather(*tasks)


async def test_a_move_goes_before_looks_that_came_earlier() -> None:
    turnstile = Turnstile()
    looks = [asyncio.create_task(enter(turnstile, "look", LONGEST_STRETCH, first=False)) for _ in range(30)]
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    let_in.clear()
    await enter(turnstile, "move", EVENT, first=True)
    assert let_in.count("look") <= 2
    await asyncio.gather(*looks)
