"""A person at a table of a house below its doors, by the protocol's JSON."""

import asyncio
import json
from typing import Any

import msgspec

from upcard.house.house import House, answer_message, read_message
from upcard.house.services import Visitor
from upcard.table.changes import applied
from upcard.table.messages import AnyMessage, EventHappened, TableChanged, Welcome
from upcard.table.presence import Client
from upcard.table.scene import SceneView

PATIENCE = 60.0
_heard: msgspec.json.Decoder[AnyMessage] = msgspec.json.Decoder(AnyMessage)


class Window:
    """What a page shows of a table, put together from what it is sent."""

    scene: SceneView
    seq = 0

    def __init__(self) -> None:
        self.changed = asyncio.Event()
        self.kinds: set[str] = set()

    def hear(self, sent: Any) -> None:
        self.kinds.add(json.loads(sent.json())["type"])
        message = _heard.decode(sent.json())
        if isinstance(message, Welcome):
            self.seq, self.scene = message.seq, message.scene
        elif isinstance(message, (EventHappened, TableChanged)):
            assert message.base == self.seq
            self.seq, self.scene = message.seq, applied(self.scene, message.changes)
        self.changed.set()

    async def settle(self) -> None:
        """Wait until Ann is to act or the match is over."""
        async with asyncio.timeout(PATIENCE):
            while not self.scene.done and self.scene.to_act != [0]:
                self.changed.clear()
                await self.changed.wait()

    def first_move(self) -> str:
        offers = self.scene.offers
        picks = [" ".join([pick.verb, *pick.cards[: pick.sizes[0]]]).strip() for pick in offers.picks]
        return [*[move.text for move in offers.moves], *picks][0]


async def play(house: House, ann: Visitor, table_id: str) -> Window:
    """Play a match to its end, Ann by the first move that the page would offer."""
    window, table = Window(), await house.table(ann, table_id)
    client = Client(ann.identity, window.hear)
    table.join(client)
    await window.settle()
    async with asyncio.timeout(10 * PATIENCE):
        while not window.scene.done:
            message = {"type": "move", "id": f"m{window.seq}", "seq": window.seq, "text": window.first_move()}
            before = window.seq
            await answer_message(table, client, read_message(json.dumps(message)))
            assert window.seq > before
            await window.settle()
    for text in ('{"type": "look"}', '{"type": "ping"}'):
        await answer_message(table, client, read_message(text))
    table.leave(client)
    return window
