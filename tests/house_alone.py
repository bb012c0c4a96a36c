"""A house in a process that cannot import what a browser's Python lacks: plays a match by the protocol's JSON against a
computer player, and prints what came out of it as JSON. `test_house.py` runs it."""

import asyncio
import builtins
import importlib
import json
import pkgutil
import sys
import time
from typing import Any

ABSENT = ("litestar", "sqlalchemy", "sqlite3", "uvicorn", "multiprocessing", "numba", "numpy")
USELESS = ("socket", "ipaddress")
"""Modules that the standard library imports everywhere; Upcard must not."""


def import_usable(name: str, names: Any = None, *more: Any, **named: Any) -> Any:
    if name in USELESS and str((names or {}).get("__name__")).startswith("upcard"):
        raise ImportError(f"{names['__name__']} imports {name}")
    return _import(name, names, *more, **named)


_import = builtins.__import__
setattr(builtins, "__import__", import_usable)  # noqa: B010
for name in ABSENT:
    sys.modules[name] = None  # type: ignore[assignment]
del time.thread_time

import msgspec  # noqa: E402
from house_window import play  # noqa: E402

import upcard.house  # noqa: E402
from upcard.house.bodies import NewFork, NewTable  # noqa: E402
from upcard.house.house import House  # noqa: E402
from upcard.house.services import Visitor  # noqa: E402
from upcard.house.statuses import failure_of  # noqa: E402
from upcard.house.stores import MemoryStore  # noqa: E402
from upcard.house.tables import Tables  # noqa: E402
from upcard.table.actions import AnyAction  # noqa: E402
from upcard.table.errors import Refusal  # noqa: E402

ANN, EVE = Visitor("ann"), Visitor("eve")
WISH = """{"game": "sixty-six", "players": 2, "options": {}, "name": "Ann",
           "seats": [{"who": "me"}, {"who": "computer", "level": "casual"}]}"""


def plain(value: object) -> Any:
    """What an answer is as JSON."""
    return json.loads(msgspec.json.encode(value, enc_hook=str))


async def refused(asked: Any) -> list[Any]:
    """The status and the body with which a request is refused."""
    try:
        await asked
    except Refusal as error:
        status, failure = failure_of(error)
        return [status, plain(failure)]
    raise AssertionError("it was not refused")


async def main() -> dict[str, Any]:
    house = House(Tables(MemoryStore()))
    opened = await house.open(ANN, msgspec.json.decode(WISH, type=NewTable))
    early = [
        await refused(asked)
        for asked in (
            house.record(ANN, opened.id),
            house.replay(ANN, opened.id, 1, "all"),
            house.review(EVE, opened.id),
            house.table(EVE, "nowhere"),
        )
    ]
    window = await play(house, ANN, opened.id)
    name, record = await house.record(ANN, opened.id)
    score = json.loads(await house.score(ANN, opened.id))
    replays = [plain(await house.replay(ANN, opened.id, deal["deal"], "all")) for deal in score["deals"]]
    after = await house.act(ANN, opened.id, msgspec.json.decode('{"do": "rematch"}', type=AnyAction))
    wish = {"events": score["deals"][0]["events"] - 2, "seat": 1, "name": "Ann", "level": "casual"}
    fork = await house.fork(ANN, opened.id, msgspec.convert(wish, type=NewFork))
    brought = await house.open_record(EVE, record)
    return {
        "opened": plain(opened),
        "early": early,
        "heard": sorted(window.kinds),
        "scene": plain(window.scene),
        "name": name,
        "record": json.loads(record),
        "score": score,
        "replays": replays,
        "statistics": plain([await house.statistics(visitor) for visitor in (ANN, EVE)]),
        "rematch": plain(await house.show(ANN, after.next or "")),
        "fork": plain(fork),
        "brought": plain(brought),
        "mine": [[view.id for view in await house.mine(visitor)] for visitor in (ANN, EVE)],
    }


if __name__ == "__main__":
    for module in pkgutil.iter_modules(upcard.house.__path__):
        importlib.import_module(f"upcard.house.{module.name}")
    print(json.dumps(asyncio.run(main())))
