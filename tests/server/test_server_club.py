"""The house: who may come in, and what it says about itself."""

import logging
from pathlib import Path

import httpx
import pytest
from serving import COMPUTER, ME, OPEN, Person, served
from websockets.exceptions import InvalidStatus

from upcard.engine.errors import UpcardError
from upcard.server.club import COOKIE, key_of
from upcard.server.hosting import Hosting


async def test_a_house_without_a_passphrase_is_open(ann: Person) -> None:
    told = (await ann.http.get("/api/club")).json()
    assert (told["title"], told["locked"], told["admitted"]) == ("Upcard", False, True)
    assert (await ann.http.get("/health")).json()["status"] == "ok"
    assert "<strong>Kept:</strong>" in (await ann.http.get("/api/club/privacy")).json()["html"]


async def test_nothing_is_told_before_the_passphrase_is_given(tmp_path: Path) -> None:
    async with served(tmp_path, passphrase="queen") as place, Person(place, "Ann") as ann:
        for path in ("/api/games", "/api/tables", "/api/lobby", "/api/tables/abc", "/api/lobby/", "/%61pi/lobby"):
            for written in (path, f"/{path}", f"/{path}//", path.replace("/api/", "//api///")):
                assert (await ann.http.get(f"http://{place}{written}")).status_code == 401
        assert (await ann.http.post("/api/tables", json={})).status_code == 401
        with pytest.raises(InvalidStatus):
            await ann.look("abc")
        assert (await ann.http.get("/api/club")).json()["admitted"] is False
        assert (await ann.http.get("/api/club/privacy")).status_code == 200
        assert (await ann.http.post("/api/club/enter", json={"passphrase": "king"})).status_code == 403
        assert (await ann.http.post("/api/club/enter", json={"passphrase": "queen"})).json()["admitted"] is True
        await ann.open(ME, COMPUTER)


@pytest.mark.parametrize("others", ["bare; ", "=; ", 'a[b]={"c": "d e"}; ', "é=1; "])
async def test_no_other_cookie_locks_anybody_out(others: str, tmp_path: Path) -> None:
    headers = [(b"cookie", f"{others}{COOKIE}={key_of('queen')}".encode())]
    async with served(tmp_path, passphrase="queen") as place, httpx.AsyncClient(headers=headers) as http:
        assert (await http.get(f"http://{place}/api/lobby")).status_code == 200


async def test_a_wrong_key_is_no_key_in_whatever_letters(tmp_path: Path) -> None:
    async with served(tmp_path, passphrase="queen") as place, httpx.AsyncClient() as http:
        for key in ("", "queen", "%C3%A9", "é", "%FF"):
            headers = [(b"cookie", f"{COOKIE}={key}".encode())]
            assert (await http.get(f"http://{place}/api/lobby", headers=headers)).status_code == 401
            assert (await http.get(f"http://{place}/api/club", headers=headers)).json()["admitted"] is False


@pytest.mark.parametrize("passphrase", ["", "x" * 121])
def test_a_passphrase_that_cannot_be_given_is_refused(passphrase: str) -> None:
    with pytest.raises(UpcardError, match=f"a passphrase has 1 to 120 characters, not {len(passphrase)}"):
        Hosting("sqlite://", passphrase=passphrase)


async def test_the_longest_passphrase_opens(tmp_path: Path) -> None:
    async with served(tmp_path, passphrase="é" * 120) as place, Person(place, "Ann") as ann:
        assert (await ann.http.post("/api/club/enter", json={"passphrase": "é" * 120})).status_code == 200


async def test_a_passphrase_is_not_guessed(tmp_path: Path) -> None:
    async with served(tmp_path, passphrase="queen") as place, Person(place, "Ann") as ann:
        answers = [await ann.http.post("/api/club/enter", json={"passphrase": f"{n}"}) for n in range(12)]
        assert {answer.status_code for answer in answers} == {403, 429}


async def test_every_request_is_a_line_of_the_access_log_without_secrets(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "upcard.access")
    async with served(tmp_path) as place, Person(place, "Ann", address="192.0.2.1") as ann:
        await ann.http.get("/api/club?secret=1")
        await ann.http.get("/a%0ab")
        table = await ann.open(ME, COMPUTER)
        await ann.look()
    lines = [record.getMessage() for record in caplog.records if record.name == "upcard.access"]
    assert lines[0] == "192.0.2.1 GET /api/club 200"
    assert lines[1] == "192.0.2.1 GET /a%0ab 404"
    assert lines[2] == "192.0.2.1 POST /api/tables 201"
    assert lines[3].startswith("192.0.2.1 WEBSOCKET ") and table.id in lines[3] and lines[3].endswith(" 101")
    assert len(lines) == 4


async def test_listed_tables_are_in_the_lobby_until_they_are_over(ann: Person, bo: Person) -> None:
    table = await ann.open(ME, OPEN)
    assert table.id not in [one["id"] for one in (await bo.http.get("/api/lobby")).json()]
    await ann.act("change", settings={"listed": True})
    assert table.id in [one["id"] for one in (await bo.http.get("/api/lobby")).json()]
    bo.table = table.id
    assert (await bo.act("sit", name="Bo")).status_code == 200
    await bo.act("concede")
    assert table.id not in [one["id"] for one in (await bo.http.get("/api/lobby")).json()]


async def test_older_tables_come_after_the_newest(ann: Person) -> None:
    first, second = await ann.open(ME, COMPUTER), await ann.open(ME, COMPUTER)
    older = (await ann.http.get("/api/tables", params={"before": second.created})).json()
    assert [table["id"] for table in older] == [first.id]
