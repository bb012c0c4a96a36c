"""The house inside a browser, with a database in memory: what its page asks and hears is JSON, as from a server."""

import asyncio
import gzip
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from typing import Any

import msgspec
import pytest
import typing_extensions
from browser_database import MemoryDatabase
from playing import GAMES
from waiting import PATIENCE, until

from upcard import UpcardError
from upcard.browser import folder
from upcard.browser.slow_players import NOT_FETCHED, QUICK_LEVELS, BrowserPlayers
from upcard.browser.store import PAGE_SIZE, BrowserStore
from upcard.browser.worker import SHIPPED, BrowserHouse
from upcard.engine.chance import shuffler
from upcard.engine.match import Match
from upcard.players import LEVELS
from upcard.rules.game import Game
from upcard.table.changes import SceneChanges, applied
from upcard.table.errors import NotWritten, Overtaken, Refusal
from upcard.table.journal import Happened, Plan, Seated
from upcard.table.scene import SceneView
from upcard.table.seats import Occupant

_numbers = count()
COMPILED = ["linger-longer"]
"""The game whose module is in the folders of these tests: building one takes long."""


class Window:
    """A window of the page at one table: it shows what it is sent."""

    def __init__(self, house: BrowserHouse, table: str, line: str = "window 1") -> None:
        self.house, self.table, self.line = house, table, line
        self.scene: SceneView | None = None
        self.seq = -1
        self.you: int | None = None
        self.messages: list[dict[str, Any]] = []
        self.closed = ""

    def hear(self, text: str, closed: str) -> None:
        self.closed = closed
        message = json.loads(text or '{"type": ""}')
        self.messages.append(message)
        if message["type"] == "welcome":
            self.seq, self.you = message["seq"], message["table"]["you"]
            self.scene = msgspec.convert(message["scene"], SceneView)
        elif message["type"] in ("event", "table") and self.scene is not None:
            assert message["base"] == self.seq
            self.seq, self.scene = (
                message["seq"],
                applied(self.scene, msgspec.convert(message["changes"], SceneChanges)),
            )

    def is_due(self) -> bool:
        return self.scene is not None and (self.scene.done or self.you in self.scene.to_act)

    async def move(self) -> None:
        """Make the first move that is offered, and wait for the next turn."""
        assert self.scene is not None
        offers = self.scene.offers
        picks = [" ".join([pick.verb, *pick.cards[: pick.sizes[0]]]).strip() for pick in offers.picks]
        text = [*[move.text for move in offers.moves], *picks][0]
        before, heard = self.seq, len(self.messages)
        move = {"type": "move", "id": f"m{next(_numbers)}", "seq": self.seq, "text": text}
        await self.house.hear(self.line, json.dumps(move))
        await until(lambda: self.refusals(heard) or (self.seq > before and self.is_due()))

    def refusals(self, after: int = 0) -> list[str]:
        return [message["text"] for message in self.messages[after:] if message["type"] == "refused"]


class ModulesHere:
    """Modules of games whose loops run natively here; without a network none is there."""

    def __init__(self, online: bool = True) -> None:
        self.online = online
        self.fetched: list[str] = []

    async def load(self, game: str) -> bool:
        self.fetched.append(game)
        return self.online

    def call(self, game: str, loop: str, arguments: str, memory: bytearray, room: int) -> float:
        raise NotImplementedError


class FilesHere:
    """Upcard's further files, which are all here; without a network none is fetched."""

    def __init__(self) -> None:
        self.online = True
        self.fetched: list[str] = []

    async def load(self, part: str) -> bool:
        self.fetched += [part] if self.online else []
        return self.online


class Browser:
    """One worker over a database, and its windows."""

    def __init__(self, database: MemoryDatabase | None = None) -> None:
        self.database = MemoryDatabase() if database is None else database
        self.windows: dict[str, Window] = {}
        self.modules, self.files = ModulesHere(), FilesHere()
        self.house = BrowserHouse(
            self.database, lambda line, text, closed: self.windows[line].hear(text, closed), self.modules, self.files
        )

    async def ask(self, method: str, path: str, body: object = None) -> tuple[int, Any]:
        answer = json.loads(await self.house.ask(method, path, "" if body is None else json.dumps(body)))
        return answer["status"], answer["body"]

    async def get(self, path: str) -> Any:
        status, body = await self.ask("GET", path)
        assert status == 200, body
        return body

    async def post(self, path: str, body: object) -> Any:
        status, answer = await self.ask("POST", path, body)
        assert status == 200, answer
        return answer

    async def open(self, game: str = "sixty-six", players: int = 2, level: str = "casual", **options: object) -> str:
        seats = [{"who": "me"}, *[{"who": "computer", "level": level}] * (players - 1)]
        wish = {"game": game, "players": players, "options": options, "name": "Ann", "seats": seats}
        table: str = (await self.post("tables", wish))["id"]
        return table

    async def sit(self, table: str, line: str = "window 1") -> Window:
        window = self.windows[line] = Window(self.house, table, line)
        await self.house.open_line(line, table)
        if not window.closed:
            await until(window.is_due)
        return window

    async def play(self, table: str) -> Window:
        window = await self.sit(table)
        for _ in range(500):
            assert window.scene is not None
            if window.scene.done:
                break
            await window.move()
        assert window.scene is not None
        assert window.scene.done
        return window


async def test_a_match_is_played_to_its_end_over_two_visits() -> None:
    first = Browser()
    table = await first.open(target=1)
    window = await first.sit(table)
    await window.move()
    second = Browser(first.database)
    assert [(known["id"], known["you"], known["done"]) for known in await second.get("tables")] == [(table, 0, False)]
    played = await second.play(table)
    assert not played.refusals()
    assert played.scene is not None
    won = int(0 in played.scene.winners)
    third = Browser(first.database)
    score = await third.get(f"tables/{table}/score")
    assert score["winners"] == played.scene.winners
    replay = await third.get(f"tables/{table}/replay?deal=1&seat=all")
    assert replay["steps"]
    record = await third.get(f"tables/{table}/record")
    brought = await third.post("records", record)
    assert brought["done"]
    line = {"game": "sixty-six", "title": "Sixty-Six", "against": "casual", "matches": 1, "won": won}
    assert await third.get("statistics") == [line]
    rematch = await third.post(f"tables/{table}/actions", {"do": "rematch"})
    fork = await third.post(
        f"tables/{table}/fork", {"events": score["deals"][0]["first"] + 1, "seat": 0, "name": "Ann", "level": "easy"}
    )
    assert {known["id"] for known in await third.get("tables")} == {table, rematch["next"], fork["id"]}


async def test_a_deal_can_be_set_up() -> None:
    browser, me, computer = Browser(), {"who": "me"}, {"who": "computer", "level": "casual"}
    wish = {"game": "sixty-six", "players": 2, "options": {}, "name": "Ann", "seats": [me, computer]}
    table = await browser.post("tables", wish | {"given": "0=As Ts; upcard=Kd"})
    assert table["brought"] == "set up"
    window = await browser.sit(table["id"])
    assert window.scene is not None
    assert {"As", "Ts"} <= {*window.scene.hand}
    _, refused = await browser.ask("POST", "tables", wish | {"given": "0=2s"})
    assert refused["error"] == "2♠ is not in the pack"


async def test_before_that_its_cards_stay_hidden() -> None:
    browser = Browser()
    table = await browser.open()
    window = await browser.sit(table)
    for path in ("record", "replay?deal=1&seat=all"):
        assert (await browser.ask("GET", f"tables/{table}/{path}"))[0] == 409
    sent = json.dumps(window.messages)
    stored = json.loads(await browser.database.row(table))
    assert stored["plan"]["secret"]
    assert stored["plan"]["secret"] not in sent


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
async def test_every_game_is_played_against_every_quick_level(game: type[Game[Any]]) -> None:
    browser = Browser()
    for level in QUICK_LEVELS:
        window = await browser.sit(await browser.open(game.slug, game.default_players, level))
        for _ in range(3):
            if window.scene is not None and not window.scene.done:
                await window.move()
        assert not window.refusals()


async def test_two_workers_cannot_write_the_same_entry() -> None:
    """As where two windows cannot find each other: whoever is later is told so, and sees what the other did."""
    first = Browser()
    second = Browser(first.database)
    table = await first.open()
    here, there = await first.sit(table), await second.sit(table)
    await here.move()
    await there.move()
    assert there.refusals()
    assert there.seq >= here.seq
    moves = [entry for entry in map(json.loads, first.database.texts[table]) if entry.get("move_id")]
    assert len(moves) == 1


async def test_a_store_refuses_numbers_that_are_taken() -> None:
    database = MemoryDatabase()
    first, second = BrowserStore(database), BrowserStore(database)
    plan = Plan("abc", "sixty-six", 2, 0, {}, "me")
    await first.begin(plan, [Seated(seat=0, place=Occupant("person", "Ann", None, "me"))])
    with pytest.raises(Overtaken):
        await second.begin(plan, [])
    await second.append("abc", 2, [Happened(text="deal"), Happened(text="0 As")], done=False)
    for store in (first, second):
        with pytest.raises(Overtaken):
            await store.append("abc", 3, [Happened(text="0 Ks")], done=False)
    await first.append("abc", 4, [Happened(text="1 Ks")], done=True)
    loaded = await second.load("abc")
    assert loaded is not None
    assert [entry.text for entry in loaded.entries if isinstance(entry, Happened)] == ["deal", "0 As", "1 Ks"]
    (listed,) = await second.of("me", ["sixty-six"])
    assert [entry.text for entry in listed.entries if isinstance(entry, Happened)] == ["1 Ks"]


async def test_what_cannot_be_stored_is_not_done() -> None:
    browser = Browser()
    table = await browser.open()
    window = await browser.sit(table)
    before = window.seq
    browser.database.trouble = "this browser has no room left for it"
    await window.move()
    assert window.refusals() == ["This could not be saved, so it was not done (this browser has no room left for it)"]
    assert window.seq == before
    with pytest.raises(NotWritten):
        await BrowserStore(browser.database).begin(Plan("abc", "loo", 5, 0, {}, "me"), [])
    browser.database.trouble = ""
    await window.move()
    assert window.seq > before


async def test_lists_have_many_tables_page_by_page() -> None:
    store = BrowserStore(MemoryDatabase())
    seated = Seated(seat=0, place=Occupant("person", "Ann", None, "me"))
    for number in range(2 * PAGE_SIZE + 1):
        plan = Plan(f"t{number}", "sixty-six", 2, 0, {}, "me", created=float(number))
        await store.begin(plan, [seated], done=number % 2 == 0)
    listed = await store.of("me", ["sixty-six"])
    assert [stored.plan.id for stored in listed] == [f"t{number}" for number in range(2 * PAGE_SIZE, PAGE_SIZE, -1)]
    assert len(await store.of("me", ["sixty-six"], listed[-1].plan.created)) == PAGE_SIZE
    assert len(await store.finished("me")) == PAGE_SIZE + 1
    assert len(await store.all()) == 2 * PAGE_SIZE + 1


async def test_all_matches_go_to_another_browser_and_back() -> None:
    here, there = Browser(), Browser()
    done, going = await here.open(target=1), await here.open()
    await here.play(done)
    window = await here.sit(going)
    await window.move()
    saved = await here.get("matches")
    assert await there.post("matches", saved) == {"new": 2, "continued": [], "known": 0}
    assert await there.get("statistics") == await here.get("statistics") != []
    assert await there.post("matches", saved) == {"new": 0, "continued": [], "known": 2}
    elsewhere = await there.sit(going)
    await elsewhere.move()
    back = await there.get("matches")
    assert await here.post("matches", back) == {"new": 0, "continued": [going], "known": 1}
    await until(lambda: window.seq == elsewhere.seq)
    assert window.scene == elsewhere.scene
    assert here.database.texts == there.database.texts


async def test_matches_that_went_two_ways_stay_as_they_are() -> None:
    here, there = Browser(), Browser()
    table = await here.open()
    await there.post("matches", await here.get("matches"))
    for browser in (here, there):
        await (await browser.sit(table)).move()
    mine = [*here.database.texts[table]]
    assert await here.post("matches", await there.get("matches")) == {"new": 0, "continued": [], "known": 1}
    assert here.database.texts[table] == mine


async def test_todays_deal_has_the_same_cards_in_every_browser() -> None:
    here, there = Browser(), Browser()
    tables = [await browser.post("today", {"name": name}) for browser, name in ((here, "Ann"), (there, "Bo"))]
    table = tables[0]["id"]
    windows = [await browser.sit(table) for browser in (here, there)]
    deals = [
        [entry.get("text") for entry in map(json.loads, browser.database.texts[table])] for browser in (here, there)
    ]
    assert deals[0] == deals[1]
    assert any(str(text).startswith("deal") for text in deals[0])
    for window, browser in zip(windows, (here, there), strict=True):
        assert json.loads(await browser.database.row(table))["plan"]["secret"] not in json.dumps(window.messages)
    today = await Browser(here.database).get("today")
    assert (today["table"], today["day"], today["finished"]) == (table, tables[0]["day"], 0)
    await here.post(f"tables/{table}/actions", {"do": "abandon"})
    assert (await here.post("today", {"name": "Ann"}))["id"] == table, "there is one try"


SEAT = {"kind": "seated", "seat": 0, "place": {"who": "person", "name": "Ann", "identity": "me"}}
PLAN = {"id": "abc", "game": "sixty-six", "players": 2, "dealer": 0, "options": {}, "host": "me"}


@pytest.mark.parametrize(
    ("saved", "refusal"),
    [
        ({"format": "upcard/1"}, "This file does not have saved matches"),
        ([], "This file does not have saved matches"),
        ({"format": "upcard matches 2", "tables": []}, "This file is from another version of Upcard"),
        ({"plan": PLAN | {"id": "../x"}, "entries": [SEAT]}, "This file is damaged"),
        ({"plan": PLAN, "entries": []}, "This file is damaged"),
        ({"plan": PLAN, "entries": [SEAT | {"seat": 7}]}, "This file is damaged"),
    ],
)
async def test_other_files_are_refused(saved: Any, refusal: str) -> None:
    browser = Browser()
    if "plan" in saved:
        saved = {"format": "upcard matches 1", "tables": [{"done": False, **saved}]}
    status, answer = await browser.ask("POST", "matches", saved)
    assert status == 422
    assert answer["error"].startswith(refusal)
    assert browser.database.tables == {}


async def test_requests_that_make_no_sense_are_refused() -> None:
    browser = Browser()
    table = await browser.open()
    for method, path, body, status in (
        ("GET", "tables/nowhere", None, 404),
        ("GET", "nowhere", None, 404),
        ("DELETE", f"tables/{table}", None, 404),
        ("POST", "tables", {"game": "sixty-six"}, 422),
        ("POST", "records", [], 422),
        ("GET", "games/chess/rules", None, 404),
        ("GET", "games/loo/rules?options=x", None, 422),
        ("GET", f"tables/{table}/replay?deal=x", None, 422),
    ):
        answer = await browser.ask(method, path, body)
        assert answer[0] == status, (path, answer)
        assert set(answer[1]) == {"error", "clause"}
    window = await browser.sit("nowhere")
    assert window.closed.startswith("There is no such table here")


async def test_lessons_puzzles_and_rules_are_fetched_when_they_are_asked_for() -> None:
    browser = Browser()
    await (await browser.sit(await browser.open())).move()
    assert browser.files.fetched == []
    browser.files.online = False
    status, answer = await browser.ask("GET", "games/sixty-six/lessons/1")
    assert (status, answer["error"]) == (409, "This could not be fetched: try again when there is a connection")
    browser.files.online = True
    assert (await browser.get("games/sixty-six/lessons/1"))["steps"]
    puzzle = await browser.get("puzzles/today")
    assert (await browser.get(f"games/{puzzle['game']}/puzzles/{puzzle['number']}"))["question"]
    assert browser.files.fetched == ["lessons"]
    assert "Oh Hell" in (await browser.get('games/oh-hell/rules?options={"max_cards":3}'))["title"]
    assert browser.files.fetched == ["lessons", "rules"]


async def test_a_closed_line_is_sent_nothing_more() -> None:
    browser = Browser()
    table = await browser.open()
    first, second = await browser.sit(table), await browser.sit(table, "window 2")
    browser.house.close_line("window 1")
    heard = len(first.messages)
    await second.move()
    assert len(first.messages) == heard


@pytest.mark.long
async def test_a_game_is_fetched_for_its_strong_players_hints_and_reviews() -> None:
    browser = Browser()
    window = await browser.sit(await browser.open("linger-longer", 3, "strong", cards=4))
    await window.move()
    assert browser.modules.fetched == ["linger-longer"]
    busy = [message["state"] for message in window.messages if message["type"] == "thinking"]
    assert "done" in busy
    hint = await browser.post(f"tables/{window.table}/hint", {})
    assert hint["moves"]
    async with asyncio.timeout(PATIENCE):
        while window.scene is not None and not window.scene.done:
            await window.move()
    await until_reviewed(browser, window.table)
    assert browser.modules.fetched == ["linger-longer"]


async def until_reviewed(browser: Browser, table: str) -> None:
    for _ in range(1000):
        review = await browser.post(f"tables/{table}/review?seat=0", {})
        if review["state"] == "done":
            assert review["done"] == review["of"] > 0
            return
        await asyncio.sleep(0)
    raise AssertionError(review)


async def test_a_quick_player_moves_for_stronger_ones_without_a_network() -> None:
    players = BrowserPlayers(ModulesHere(online=False))
    match = Match("sixty-six", 2, chance=shuffler(1))
    seen = match.view(match.to_act[0])
    answer = players("expert", seen)
    assert not isinstance(answer, str)
    assert await answer == players("medium", seen)
    with pytest.raises(Refusal, match=NOT_FETCHED):
        players.is_ready(match.setup)
    assert not players.is_ready(match.setup)  # it is being fetched again


# ------------------------------------------------------------------------------------------------------------- folder


@pytest.fixture(scope="module")
def contents() -> dict[str, bytes]:
    return folder.folder_contents(COMPILED)


@pytest.mark.long
def test_a_folder_has_the_page_and_every_answer(contents: dict[str, bytes]) -> None:
    names = {*contents}
    assert {
        "index.html",
        "offline.js",
        "files.json",
        "python/pyodide.asm.wasm.gz",
        "python/upcard.files.gz",
        "python/lessons.files.gz",
        "python/rules.files.gz",
        "compiled/linger-longer.wasm.gz",
    } <= names
    assert not names & {"sw.js", "source.txt"}
    assert {f"answers/games/{slug}/{part}.json" for slug in SHIPPED for part in ("rules", "rulebook")} < names
    games, levels = (json.loads(contents[f"answers/{name}.json"]) for name in ("games", "levels"))
    assert [level["name"] for level in levels] == [*LEVELS]
    assert {level for game in games for level in game["levels"]} == {*LEVELS}
    club = json.loads(contents["answers/club.json"])
    assert [name for name, offered in club["can"].items() if offered] == ["reviews", "hints", "matches", "daily"]
    assert b'"/' not in contents["index.html"]


@pytest.mark.long
def test_the_service_worker_keeps_every_file(contents: dict[str, bytes]) -> None:
    text = contents["offline.js"].decode()
    first, later = (json.loads(text.partition(f"{name} = ")[2].partition(";")[0]) for name in ("FILES", "LATER"))
    assert {*first, *later} == {*contents, "./"} - {"offline.js", "files.json"}
    assert {"compiled/linger-longer.wasm.gz", "python/lessons.files.gz", "python/rules.files.gz"} <= {*later}
    assert not {*first} & {*later}
    build = json.loads(contents["files.json"])["upcard"][:16]
    assert f'BUILD = "{build}"' in text
    assert text.count(build) == 1, "a cache is named by the variable"


@pytest.mark.long
def test_a_first_visit_is_light(contents: dict[str, bytes]) -> None:
    """On a host that compresses what is not compressed already."""
    text = contents["offline.js"].decode()
    first = json.loads(text.partition("FILES = ")[2].partition(";")[0])
    sizes = {name: len(gzip.compress(contents[name], 9)) for name in first if name != "./"}
    assert sum(sizes.values()) < 5_500_000, sorted(sizes.items(), key=lambda pair: -pair[1])[:12]


@pytest.mark.long
def test_the_same_sources_give_the_same_folder(contents: dict[str, bytes]) -> None:
    assert folder.folder_contents(COMPILED) == contents


@pytest.mark.long
def test_a_folder_is_replaced_by_the_next_edition(
    contents: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "cards"
    monkeypatch.setattr(
        folder, "folder_contents", lambda compiled: {"assets/old.js": b"1", "files.json": _listing("assets/old.js")}
    )
    folder.write_folder(place)
    assert (place / "assets" / "old.js").exists()
    monkeypatch.setattr(folder, "folder_contents", lambda compiled: contents)
    assert folder.write_folder(place) == sum(map(len, contents.values()))
    written = {str(file.relative_to(place)) for file in place.rglob("*") if file.is_file()}
    assert written == {*contents}


def _listing(*names: str) -> bytes:
    return json.dumps({"upcard": "1", "files": names}).encode()


@pytest.mark.parametrize("other", ["notes.txt", "files.json"])
def test_a_folder_with_other_files_is_left_alone(tmp_path: Path, other: str) -> None:
    (tmp_path / other).write_text("{}")
    with pytest.raises(UpcardError, match="has other files"):
        folder.write_folder(tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == [other]


def test_a_listing_cannot_name_files_elsewhere(
    contents: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine, place = tmp_path / "mine.txt", tmp_path / "cards"
    place.mkdir()
    mine.write_text("mine")
    (place / "files.json").write_bytes(_listing("../mine.txt", "old.js"))
    monkeypatch.setattr(folder, "folder_contents", lambda compiled: {"index.html": b""})
    folder.write_folder(place)
    assert mine.read_text() == "mine"


def unpack(files: bytes, place: Path) -> None:
    head, _, everything = gzip.decompress(files).partition(b"\n")
    begin = 0
    for name, size in json.loads(head)["files"]:
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_bytes(everything[begin : begin + size])
        begin += size
    assert begin == len(everything)


def test_the_archive_has_all_that_the_house_imports(contents: dict[str, bytes], tmp_path: Path) -> None:
    """Apart from msgspec's compiled part, and the standard library of another version of Python."""
    for part in ("upcard", "rules"):
        unpack(contents[f"python/{part}.files.gz"], tmp_path)
    shutil.rmtree(tmp_path / "msgspec")
    (tmp_path / "msgspec").symlink_to(Path(msgspec.__file__).parent)
    (tmp_path / "typing_extensions.py").write_bytes(Path(typing_extensions.__file__).read_bytes())
    code = f"""import sys; sys.path.insert(0, {str(tmp_path)!r})
import upcard.browser.worker as worker, upcard.games as games, upcard.players as players
pages = [worker.rules_of_table(slug, {{}}).title for slug in worker.SHIPPED]
worker.load_games()
import gc, random
generators = [one for one in gc.get_objects() if isinstance(one, random.Random) and type(one) is random.Random]
before = [one.getstate() for one in generators]
players.reseed()
assert len(generators) >= 2 and not any(one.getstate() in before for one in generators)
import upcard.players.review, upcard.players.reasons, upcard.compiled.dealer
assert not any(name in sys.modules for name in ("numpy", "numba", "litestar", "sqlite3"))
print(len(pages), worker.__file__)"""
    done = run_isolated(["-I", "-S", "-c", code])
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == [str(len(SHIPPED)), str(tmp_path / "upcard" / "browser" / "worker.py")]


def run_isolated(words: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """Run Python without the packages that are installed."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run(
        [sys.executable, *words], capture_output=True, text=True, env=environment, timeout=300, check=False
    )
