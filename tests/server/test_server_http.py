"""The server's answers over HTTP, as in docs/protocol.md, and what it refuses."""

import json
import re
from collections.abc import AsyncIterator
from operator import methodcaller
from pathlib import Path
from typing import Any, get_args

import httpx
import msgspec
import pytest
from serving import COMPUTER, ME, OPEN, Person, served

from upcard import games
from upcard.engine.errors import UpcardError
from upcard.engine.setup import Setup
from upcard.house.bodies import ToTable
from upcard.house.rulebook import rulebook_page, rules_page
from upcard.policies.learned import learned_of
from upcard.rules import cards, pages
from upcard.server import app, typescript
from upcard.server.guard import is_foreign
from upcard.server.hosting import Hosting
from upcard.server.routes.page import Asset, built_page
from upcard.table.actions import AnyAction
from upcard.table.messages import AnyMessage, SeatSummary, TableView


def wish(**change: object) -> dict[str, object]:
    return {"game": "sixty-six", "players": 2, "options": {}, "name": "Ann", "seats": [ME, OPEN]} | change


async def test_games_levels_and_options_are_told(ann: Person) -> None:
    told = (await ann.http.get("/api/games")).json()
    assert [game["slug"] for game in told] == games.names()
    sixty_six = next(game for game in told if game["slug"] == "sixty-six")
    options = {option["name"]: option for option in sixty_six["options"]}
    assert options["target"]["default"] == 7
    assert (options["target"]["low"], options["target"]["high"], options["target"]["values"]) == (1, 21, None)
    assert options["endplay"]["values"] == ["follow", "strict"]
    assert options["endplay"]["clause"] == games.load("sixty-six").declared_options["endplay"].clause
    for game in told:
        assert game["default_players"] in game["players"]
        assert game["difficulty"] in ("easy", "medium", "hard")
        stated = re.match(r"(\d+) to \d+ minutes", game["length"])
        assert game["minutes"] == (int(stated[1]) if stated else max(60, game["minutes"])), game["slug"]
        assert game["picture"] and all(cards.read(card) is not None for group in game["picture"] for card in group)
        assert {*(game["short"] or ())} <= {option["name"] for option in game["options"]}
        for option in game["options"]:
            assert set(option) - {"by_players"} == {
                *("name", "kind", "default", "low", "high", "values", "help", "clause")
            }
    levels = (await ann.http.get("/api/levels")).json()
    assert [level["name"] for level in levels] == ["easy", "casual", "medium", "strong", "expert"]
    with_medium = {game["slug"] for game in told if "medium" in game["levels"]}
    assert with_medium == {slug for slug in games.names() if learned_of(games.load(slug))}
    assert with_medium


async def test_bounds_that_differ_by_players_are_told(ann: Person) -> None:
    told = (await ann.http.get("/api/games")).json()
    oh_hell = next(game for game in told if game["slug"] == "oh-hell")
    largest = next(option for option in oh_hell["options"] if option["name"] == "max_cards")
    assert largest["high"] == 10
    assert largest["by_players"]["7"] == {"default": 7, "low": 1, "high": 7}
    assert "5" not in largest["by_players"]


@pytest.mark.parametrize("slug", games.SLUGS)
async def test_a_short_match_can_be_had_at_every_table(ann: Person, slug: str) -> None:
    game = games.load(slug)
    for players in game.player_counts:
        table = await ann.open(ME, *[OPEN] * (players - 1), game=slug, **(game.short or {}))
        assert table.options.items() >= (game.short or {}).items()


@pytest.mark.parametrize("slug", games.SLUGS)
def test_every_clause_stands_in_an_element_with_its_id(slug: str) -> None:
    page = rulebook_page(slug)
    assert page.title == games.load(slug).title
    assert re.findall(r'<li id="([^"]+)">', page.html) == list(pages.clauses(games.load(slug)))
    assert "<table>" in page.html
    assert "<script" not in page.html


@pytest.mark.parametrize("slug", games.SLUGS)
def test_players_read_rules_without_marks_for_authors(slug: str) -> None:
    html, clauses = rules_page(Setup(slug)).html, list(pages.clauses(games.load(slug)))
    assert len({*re.findall(r'href="#([^"]+)"', html)} & {*clauses}) > len(clauses) // 2
    assert {*re.findall(r'href="#([^"]+)"', html)} <= {*clauses}
    assert not re.search(r"\[source|\[ruling|slug|[Pp]refix|<code>|to_act|[\[\]{}]", html)


async def test_the_rules_are_those_of_the_table(ann: Person) -> None:
    path = "/api/games/oh-hell/rules"
    assert "nothing<" in (await ann.http.get(path)).json()["html"]
    asked = {"players": "3", "options": json.dumps({"miss": "difference", "max_cards": 4})}
    told = (await ann.http.get(path, params=asked)).json()["html"]
    assert "1 point <em>less</em>" in told
    assert "up to four" in told


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        ({"options": "{"}, "not a JSON object"),
        ({"options": "[" * 9999}, "not a JSON object"),
        ({"options": "[1]"}, "Options are a dictionary"),
        ({"options": '{"miss": "all"}'}, "Option miss is nothing, difference or tricks"),
        ({"players": 9}, "for 3, 4, 5, 6 or 7 players"),
    ],
)
async def test_rules_of_a_table_that_cannot_be(ann: Person, asked: dict[str, Any], reason: str) -> None:
    answer = await ann.http.get("/api/games/oh-hell/rules", params=asked)
    assert answer.status_code == 422
    assert reason in answer.json()["error"]


def test_a_game_without_rules_for_players_shows_its_rulebook(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "written_rules", lambda game, language: None)
    assert rules_page.__wrapped__(Setup("schnapsen")) == rulebook_page("schnapsen")


def test_pictures_and_marks_are_named_in_the_language_of_the_page() -> None:
    names = {*re.findall(r'aria-label="([^"]+)"', rules_page(Setup("schnapsen"), "de").html)}
    assert {"Pik-Ass", "Herz-König, Herz-Dame", "Regel SS-17"} <= names
    assert not any(re.search(r"\b(?:of|clause)\b", name) for name in names)


def test_a_page_with_a_fault_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "written_rules", lambda game, language: "# Loo\n\n{nothing}\n")
    assert rules_page.__wrapped__(Setup("loo")) == rulebook_page("loo")


async def test_a_lesson_is_played_by_asking(ann: Person) -> None:
    lesson = (await ann.http.get("/api/games/sixty-six/lessons/1")).json()
    assert lesson["stops"][1]["move"] == "exchange"
    wrong = await ann.http.post("/api/games/sixty-six/lessons/1", json={"stop": 1, "move": "Kd"})
    assert (wrong.status_code, wrong.json()["kind"]) == (200, "wrong")
    refused = (await ann.http.post("/api/games/sixty-six/lessons/1", json={"stop": 1, "move": "Ac"})).json()
    assert refused == {"kind": "refused", "text": "You do not hold A♣.", "clause": "SS-11"}
    nowhere = await ann.http.post("/api/games/sixty-six/lessons/1", json={"stop": 99, "move": "Ac"})
    assert (nowhere.status_code, nowhere.json()["error"]) == (422, "There is no stop 99")


def view_of(answer: httpx.Response) -> TableView:
    """A table as it was told."""
    table = msgspec.json.decode(answer.content, type=TableView)
    table.now = 0
    return table


async def test_a_table_is_made_and_found_again(ann: Person, bo: Person) -> None:
    table = await ann.open(ME, OPEN, target=3)
    table.now = 0
    assert table.options == {"target": 3}
    assert (table.you, table.host, table.started, table.done) == (0, True, False, False)
    assert table.seats[0] == SeatSummary(0, "Ann", "person", None, False, table.seats[0].away_since)
    assert table.seats[1].who == "open"
    seen = view_of(await bo.http.get(f"/api/tables/{table.id}"))
    assert (seen.you, seen.host, seen.invite) == (None, False, None)
    assert msgspec.json.decode((await ann.http.get("/api/tables")).content, type=list[TableView])[0].id == table.id
    assert (await bo.http.get("/api/tables")).json() == []
    sat = await bo.sit(table)
    assert sat.status_code == 200
    assert view_of(sat).you == 1
    assert view_of(sat).started
    assert [one["id"] for one in (await bo.http.get("/api/tables")).json()] == [table.id]


async def test_the_identity_is_a_cookie_that_no_script_can_read(ann: Person) -> None:
    answer = await ann.http.post("/api/tables", json=wish())
    cookie = answer.headers["set-cookie"]
    assert re.search(r"^upcard=[\w-]{32};", cookie)
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    assert "Path=/" in cookie
    secret = ann.http.cookies["upcard"]
    assert secret not in (await ann.http.get("/api/tables")).text
    assert f"upcard={secret}" in (await ann.http.get(f"/api/tables/{answer.json()['id']}")).headers["set-cookie"]
    again = await ann.http.post("/api/tables", json=wish())
    assert f"upcard={secret}" in again.headers["set-cookie"]


async def test_a_cookie_that_was_never_given_is_nobody(place: str) -> None:
    for cookie in ("x", "'; drop", "é" * 32, "a" * 33):
        async with httpx.AsyncClient(headers=[(b"cookie", f"upcard={cookie}".encode())]) as http:
            assert (await http.get(f"http://{place}/api/tables")).json() == []


@pytest.mark.parametrize(
    ("change", "status", "clause", "words"),
    [
        ({"game": "whist"}, 422, None, "no game 'whist'"),
        ({"players": 3}, 422, None, "A table for 3 players needs 3 seats, not 2"),
        ({"players": 3, "seats": [ME, OPEN, OPEN]}, 422, "SS-1", "for 2 players"),
        ({"options": {"target": 22}}, 422, "SS-43", "from 1 to 21"),
        ({"options": {"target": True}}, 422, "SS-43", "from 1 to 21"),
        ({"options": {"target": [1]}}, 422, None, "options"),
        ({"options": {"fast": "yes"}}, 422, "SS-48", "no option 'fast'"),
        ({"name": " "}, 422, None, "choose a name"),
        ({"name": "x" * 1000}, 422, None, "A name has 120 letters at most"),
        ({"settings": {"clock": {"per_move": 1}}}, 422, None, "Time a move is 5 seconds or more"),
        ({"settings": {"clock": {"bank": 7201}}}, 422, None, "Time for the match is 7200 seconds or less"),
        ({"settings": {"patience": 1}}, 422, None, "Everybody waits 10 seconds or more"),
        ({"settings": {"patience": "soon"}}, 422, None, "settings.patience is not what it must be"),
        ({"seats": [ME, *[OPEN] * 10]}, 422, None, "A table has 10 seats at most"),
        ({"options": {"endplay": "x" * 200}}, 422, None, "A choice of the rules has 120 letters at most"),
        ({"name": None}, 422, None, "name"),
        ({"seats": [OPEN, OPEN]}, 422, None, "Take one of the seats"),
        ({"seats": [ME, ME]}, 422, None, "Take one of the seats"),
        ({"seats": [ME, {"who": "computer", "level": "genius"}]}, 422, None, "genius"),
        ({"seats": [ME, {"who": "computer"}]}, 422, None, "level"),
        ({"seats": [ME, {"who": "bot"}]}, 422, None, "bot"),
        ({"dealer": 1}, 422, None, "dealer"),
    ],
)
async def test_a_bad_wish_is_refused_in_one_line(
    ann: Person, change: dict[str, object], status: int, clause: str | None, words: str
) -> None:
    answer = await ann.http.post("/api/tables", json=wish(**change))
    assert answer.status_code == status
    assert set(answer.json()) == {"error", "clause"}
    assert answer.json()["clause"] == clause
    assert words in answer.json()["error"]
    assert not {"\n", "`"} & {*answer.json()["error"]}
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b"null", b"\xff\xfe", b'{"game": "\xff\xfe"}', b'{"game": ' + b"[" * 5000]
)
async def test_a_broken_body_is_refused(ann: Person, body: bytes) -> None:
    answer = await ann.http.post("/api/tables", content=body)
    assert answer.status_code in (400, 422)
    assert answer.json()["error"].startswith("This ") and "`" not in answer.json()["error"]


async def test_a_body_that_is_too_large_is_refused(ann: Person) -> None:
    answer = await ann.http.post("/api/tables", content=b"x" * 70_000)
    assert answer.status_code == 413


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/api/tables/nosuchtable", 404),
        ("POST", "/api/tables/nosuchtable/actions", 404),
        ("GET", "/api/games/whist/rules", 404),
        ("GET", "/api/games/whist/lessons/1", 404),
        ("GET", "/api/games/loo/lessons/9", 404),
        ("GET", "/api/nothing", 404),
        ("GET", "/nothing.txt", 404),
        ("GET", "/../../etc/passwd", 404),
        ("GET", "/%2e%2e/%2e%2e/etc/passwd", 404),
        ("GET", "/api/tables/%00", 404),
        ("POST", "/api/tables/a%00/actions", 404),
        ("GET", "/api/tables/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", 404),
        ("PUT", "/api/tables", 405),
        ("DELETE", "/api/games", 405),
    ],
)
async def test_what_is_not_there_is_said_to_be_not_there(ann: Person, method: str, path: str, status: int) -> None:
    answer = await ann.http.request(method, path, json={"do": "leave"} if method == "POST" else None)
    assert answer.status_code == status
    assert set(answer.json()) == {"error", "clause"}


@pytest.mark.parametrize("path", ["/zzz", "/g/", "/t/"])
async def test_a_mistyped_address_leads_a_browser_to_the_lobby(ann: Person, path: str) -> None:
    answer = await ann.http.get(path, headers={"accept": "text/html,application/xhtml+xml,*/*;q=0.8"})
    assert (answer.status_code, answer.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert "no such page" in answer.text and '<a href="/">' in answer.text
    assert (await ann.http.get(path)).json()["error"] == "There is no such page"
    headers = {"accept": "text/html", "accept-language": "de-AT, en;q=0.5"}
    german = (await ann.http.get(path, headers=headers)).text
    assert '<html lang="de"' in german and "Diese Seite gibt es hier nicht. <a" in german


async def test_seats_taken_and_rights_missing_have_their_status(ann: Person, bo: Person) -> None:
    table = await ann.open(ME, COMPUTER, OPEN, game="oh-hell")
    assert (await bo.sit(table, 1)).status_code == 409
    assert (await bo.sit(table, 9)).status_code == 422
    assert (await bo.act("fill", seat=2, level="casual")).status_code == 403
    filled = await ann.act("fill", seat=2, level="casual")
    assert filled.status_code == 200
    assert view_of(filled).started
    assert (await ann.act("fill", seat=2, level="casual")).status_code == 409
    assert (await bo.sit(table)).json()["error"] == "All seats are taken"


@pytest.mark.parametrize(
    "action",
    [
        {},
        {"do": "dance"},
        {"do": "fill"},
        {"do": "leave", "seat": 1},
        {"do": "swap", "seats": [1]},
        {"do": "sit", "name": "Bo", "pledge": "0" * 64 + "\n"},
        {"do": "reveal", "nonce": "0" * 64 + "\n"},
        [],
        None,
    ],
)
async def test_what_is_no_action_is_refused(ann: Person, action: object) -> None:
    table = await ann.open(ME, OPEN)
    answer = await ann.http.post(f"/api/tables/{table.id}/actions", json=action)
    assert answer.status_code == 422
    assert set(answer.json()) == {"error", "clause"}


def test_the_page_has_the_types_of_the_server() -> None:
    page = Path(__file__).parents[2] / "page" / "src" / "protocol.ts"
    assert page.read_text(encoding="utf-8") == typescript.protocol(), "python -m upcard.server.typescript writes it"


# -------------------------------------------------------------------------------------------------------------- guard


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://[", "https://127.0.0.1:1"])
async def test_a_page_of_another_site_changes_nothing(ann: Person, origin: str) -> None:
    answer = await ann.http.post("/api/tables", json=wish(), headers={"Origin": origin})
    assert answer.status_code == 403
    assert answer.json()["error"]
    assert (await ann.http.get("/api/tables")).json() == []


async def test_our_own_page_may_ask(ann: Person, place: str) -> None:
    answer = await ann.http.post("/api/tables", json=wish(), headers={"Origin": f"http://{place}"})
    assert answer.status_code == 201


async def test_behind_a_proxy_the_public_address_is_our_own(tmp_path: Path) -> None:
    async with served(tmp_path, public_url="https://cards.example") as place, Person(place, "Ann") as ann:
        for origin, status in (("https://cards.example", 201), ("http://cards.example", 403)):
            answer = await ann.http.post("/api/tables", json=wish(), headers={"Origin": origin})
            assert answer.status_code == status
        assert "Secure" in (await ann.http.post("/api/tables", json=wish())).headers["set-cookie"]


@pytest.mark.parametrize("url", ["cards.example", "ftp://cards.example", "https://", "https://[", "https://a/b"])
def test_a_public_address_that_is_none_is_one_line(url: str) -> None:
    with pytest.raises(UpcardError, match="a public address is like") as refused:
        Hosting("sqlite://", public_url=url)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("path", ["/api/games", "/nothing", "/api/tables/none"])
async def test_head_is_get_without_its_body(ann: Person, path: str) -> None:
    got, head = await ann.http.get(path), await ann.http.head(path)
    assert head.status_code == got.status_code
    assert head.content == b""
    assert head.headers["content-type"] == got.headers["content-type"]


def test_a_browser_that_hides_the_origin_still_says_that_it_is_foreign() -> None:
    for site, foreign in (("cross-site", True), ("same-site", True), ("same-origin", False), ("none", False)):
        scope = {"headers": [(b"host", b"here"), (b"sec-fetch-site", site.encode())]}
        assert is_foreign(scope) is foreign  # type: ignore[arg-type]


USED_BY_THE_PAGE = {"autoplay", "clipboard-write", "fullscreen", "screen-wake-lock", "web-share"}


@pytest.mark.parametrize("path", ["/", "/api/games", "/api/tables/none", "/nothing"])
async def test_every_answer_carries_the_security_headers(ann: Person, path: str) -> None:
    headers = (await ann.http.get(path)).headers
    policy = {name: values for name, *values in map(str.split, headers["content-security-policy"].split(";"))}
    features = headers["permissions-policy"].split(", ")
    assert policy["default-src"] == policy["style-src"] == ["'self'"]
    assert policy["frame-ancestors"] == policy["object-src"] == ["'none'"]
    assert "unsafe" not in headers["content-security-policy"]
    assert "script-src" not in policy
    switched_off = {name: allowed for name, _, allowed in map(methodcaller("partition", "="), features)}
    assert {"camera", "microphone", "geolocation", "payment", "usb", "serial", "midi"} <= set(switched_off)
    assert set(switched_off.values()) == {"()"}
    assert not USED_BY_THE_PAGE & set(switched_off)
    assert headers["x-content-type-options"] == "nosniff"
    assert "server" not in headers


def test_no_html_has_a_style_inside() -> None:
    """The policy forbids browsers to apply it. In a component, `<style>` goes into the page's style sheet."""
    root = Path(__file__).parents[2]
    page = [root / "page" / "index.html", *(root / "page" / "src").rglob("*.*")]
    styled = {file.name: re.findall(r"""\sstyle=\\?["'].*""", file.read_text()) for file in page}
    for file in (root / "src" / "upcard" / "server").glob("*.py"):
        styled[file.name] = re.findall(r"""<style|\sstyle=\\?["'].*""", file.read_text())
    assert {name: lines for name, lines in styled.items() if lines} == {}
    assert len(styled) > 100


def test_an_aligned_column_has_a_class_instead_of_a_style(monkeypatch: pytest.MonkeyPatch) -> None:
    table = "- **LO-1** A table:\n\n  | a | b | c | d |\n  | --- | :-- | :-: | --: |\n  | 1 | 2 | 3 | 4 |\n"
    monkeypatch.setattr(pages, "page", lambda game: table)
    monkeypatch.setattr(pages, "written_rules", lambda game, language: table)
    for page in (rulebook_page.__wrapped__("loo"), rules_page.__wrapped__(Setup("loo"))):
        assert "style" not in page.html
        assert [line for line in page.html.splitlines() if re.match("<t[hd][> ]", line)] == [
            *("<th>a</th>", '<th class="left">b</th>', '<th class="center">c</th>', '<th class="right">d</th>'),
            *("<td>1</td>", '<td class="left">2</td>', '<td class="center">3</td>', '<td class="right">4</td>'),
        ]


# --------------------------------------------------------------------------------------------------------------- page


@pytest.fixture
async def page(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> AsyncIterator[tuple[Person, dict[str, Asset]]]:
    """A server with a page of two files."""
    assets = {
        "index.html": Asset(b"<!doctype html>", "text/html", False),
        "assets/a-1.js": Asset(b"let a", "text/javascript", True),
    }
    monkeypatch.setattr(app, "built_page", lambda: assets)
    async with served(tmp_path) as place, Person(place, "Ann") as ann:
        yield ann, assets


async def test_the_page_is_served_with_its_files(page: tuple[Person, dict[str, Asset]]) -> None:
    ann, _ = page
    for path in ("/", "/t/abcdef", "/puzzle", "/g/loo/puzzles", "/index.html"):
        answer = await ann.http.get(path)
        assert answer.status_code == 200
        assert answer.content == b"<!doctype html>"
        assert answer.headers["content-type"] == "text/html; charset=utf-8"
    script = await ann.http.get("/assets/a-1.js")
    assert script.content == b"let a"
    assert script.headers["content-type"].startswith("text/javascript")
    assert "immutable" in script.headers["cache-control"]
    assert script.headers["content-encoding"] == "gzip"
    plain = await ann.http.get("/assets/a-1.js", headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    told = await ann.http.get("/api/games")
    assert told.headers["content-encoding"] == "gzip" and len(told.json()) == len(games.names())
    unchanged = await ann.http.get("/", headers={"If-None-Match": answer.headers["etag"]})
    assert unchanged.status_code == 304
    assert unchanged.content == b""


async def test_a_link_is_previewed_with_its_game_and_nothing_else(page: tuple[Person, dict[str, Asset]]) -> None:
    ann, assets = page
    assets["index.html"] = Asset(b"<head></head>", "text/html", False)
    table = await ann.open(ME, OPEN)
    told = {
        path: (await ann.http.get(path)).text for path in ("/", "/g/oh-hell/rules", f"/t/{table.id}", "/t/none", "/g/x")
    }
    assert 'og:title" content="Upcard"' in told["/"]
    assert games.load("oh-hell").summary in told["/g/oh-hell/rules"]
    assert "A table of Sixty-Six." in told[f"/t/{table.id}"]
    assert f'og:url" content="http://{ann.place}/t/{table.id}"' in told[f"/t/{table.id}"]
    assert "Ann" not in told[f"/t/{table.id}"]
    assert "A table of cards." in told["/t/none"]
    assert 'og:title" content="Upcard"' in told["/g/x"]


async def test_a_link_is_previewed_in_the_language_of_the_reader(page: tuple[Person, dict[str, Asset]]) -> None:
    ann, assets = page
    assets["index.html"] = Asset(b"<head></head>", "text/html", False)
    table = await ann.open(ME, OPEN)
    german = {"Accept-Language": "de-AT, en;q=0.5"}
    for path, words in (
        ("/", "Kartenspiele mit verdeckten Karten, gegen Freunde und Computerspieler."),
        ("/g/sixty-six", 'og:title" content="Sechsundsechzig · Upcard"'),
        (f"/t/{table.id}", "Ein Tisch mit Sechsundsechzig."),
        ("/r/none", "Ein Kartenabend."),
    ):
        answer = await ann.http.get(path, headers=german)
        assert words in answer.text
        assert "accept-language" in answer.headers["vary"]
    assert "accept-language" not in (await ann.http.get("/assets/a-1.js", headers=german)).headers["vary"]


async def test_a_locked_house_previews_no_table(page: tuple[Person, dict[str, Asset]], tmp_path: Path) -> None:
    _, assets = page
    assets["index.html"] = Asset(b"<head></head>", "text/html", False)
    async with served(tmp_path / "locked", passphrase="x", title="<Club>") as place, Person(place, "Bo") as bo:
        told = (await bo.http.get("/g/oh-hell")).text
        assert "Oh Hell" not in told
        assert "&lt;Club&gt;" in told


async def test_a_page_that_was_not_built_says_how_to_build_it(page: tuple[Person, dict[str, Asset]]) -> None:
    ann, assets = page
    assets.clear()
    answer = await ann.http.get("/")
    assert answer.status_code == 503
    assert "npm run build" in answer.text
    assert answer.text.count("\n") == 1


def test_a_built_page_is_read_with_all_its_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    static = tmp_path / "static"
    (static / "cards").mkdir(parents=True)
    (static / "index.html").write_text("x")
    (static / "cards" / "As.svg").write_text("<svg/>")
    monkeypatch.setattr("upcard.server.routes.page.files", lambda package: tmp_path)
    assets = built_page()
    assert sorted(assets) == ["cards/As.svg", "index.html"]
    assert assets["cards/As.svg"].media_type == "image/svg+xml"
    monkeypatch.setattr("upcard.server.routes.page.files", lambda package: tmp_path / "cards")
    assert built_page() == {}


async def test_a_bug_is_one_line_in_the_log_and_no_traceback_for_the_client(
    ann: Person, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(setup: object, language: str) -> dict[str, object]:
        raise ValueError("two\nlines")

    monkeypatch.setattr("upcard.server.routes.games.rulebook.rules_page", broken)
    answer = await ann.http.get("/api/games/sixty-six/rules")
    assert answer.status_code == 500
    assert answer.json() == {"error": "Something went wrong here; nothing was changed", "clause": None}
    (line,) = [record for record in caplog.records if record.name == "upcard.server"]
    assert line.levelname == "ERROR"
    assert json.dumps(line.getMessage()).startswith('"/api/games/sixty-six/rules: ValueError')


def test_every_action_and_message_is_documented() -> None:
    page = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text(encoding="utf-8")
    unions = (AnyAction, AnyMessage, ToTable)
    tags = {struct.__struct_config__.tag for union in unions for struct in get_args(union)}
    assert {tag for tag in tags if f"`{tag}`" not in page} == set()
