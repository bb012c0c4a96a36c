"""The house: who may come in, and what it says about itself."""

import asyncio
import logging
import re
from collections import Counter
from pathlib import Path

import httpx
import pytest
from serving import COMPUTER, ME, OPEN, Person, served
from waiting import PATIENCE
from websockets.exceptions import ConnectionClosed, InvalidStatus

from upcard.engine.errors import UpcardError
from upcard.server.admin import admitted, revoke
from upcard.server.admissions import passphrase_hash
from upcard.server.hosting import Hosting
from upcard.server.limits import MOST_GUESSES
from upcard.server.routes.house import COOKIE
from upcard.server.storage import url_of


async def test_a_house_without_a_passphrase_is_open(ann: Person) -> None:
    told = (await ann.http.get("/api/club")).json()
    assert (told["title"], told["locked"], told["admitted"]) == ("Upcard", False, True)
    lacks = [name for name, offered in told["can"].items() if not offered]
    assert lacks == ["matches"]
    assert (await ann.http.get("/health")).json()["status"] == "ok"
    assert "<strong>Kept:</strong>" in (await ann.http.get("/api/club/privacy")).json()["html"]
    german = (await ann.http.get("/api/club/privacy", params={"language": "de"})).json()
    assert german["language"] == "de" and german["title"] == "Was über dich gespeichert wird"
    assert not re.search(r"\b(?:the|and|of|you|your|with|if|is|are)\b", german["html"])


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


async def entered(person: Person, passphrase: str = "queen") -> str:
    """The secret that a browser gets for the passphrase."""
    answer = await person.http.post("/api/club/enter", json={"passphrase": passphrase})
    assert answer.status_code == 200, answer.text
    return str(person.http.cookies[COOKIE])


@pytest.mark.parametrize("others", ["bare; ", "=; ", 'a[b]={"c": "d e"}; ', "é=1; "])
async def test_no_other_cookie_locks_anybody_out(others: str, tmp_path: Path) -> None:
    async with served(tmp_path, passphrase="queen") as place, Person(place, "Ann") as ann:
        headers = [(b"cookie", f"{others}{COOKIE}={await entered(ann)}".encode())]
        async with httpx.AsyncClient(headers=headers) as http:
            assert (await http.get(f"http://{place}/api/lobby")).status_code == 200


async def test_a_wrong_admission_is_none_in_whatever_letters(tmp_path: Path) -> None:
    async with served(tmp_path, passphrase="queen") as place, httpx.AsyncClient() as http:
        for secret in ("", "queen", "%C3%A9", "é", "%FF", "x" * 32, "0" * 64, passphrase_hash("queen", "")):
            headers = [(b"cookie", f"{COOKIE}={secret}".encode())]
            assert (await http.get(f"http://{place}/api/lobby", headers=headers)).status_code == 401
            assert (await http.get(f"http://{place}/api/club", headers=headers)).json()["admitted"] is False


async def test_every_browser_has_a_secret_of_its_own_which_is_not_stored(tmp_path: Path) -> None:
    async with served(tmp_path, passphrase="queen") as place, Person(place, "Ann") as ann, Person(place, "Bo") as bo:
        first, second = await entered(ann), await entered(bo)
        assert first != second
    kept = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert first.encode() not in kept and b"queen" not in kept
    async with served(tmp_path, passphrase="queen") as place:
        ann.http = httpx.AsyncClient(base_url=f"http://{place}", cookies={COOKIE: first})
        assert (await ann.http.get("/api/lobby")).status_code == 200


async def test_another_passphrase_ends_all_admissions(tmp_path: Path) -> None:
    async with served(tmp_path, passphrase="queen") as place, Person(place, "Ann") as ann:
        secret = await entered(ann)
    for passphrase, is_admitted in (("queen", True), ("king", False), ("queen", False)):
        headers = {"Cookie": f"{COOKIE}={secret}"}
        async with served(tmp_path, passphrase=passphrase) as place, httpx.AsyncClient(headers=headers) as http:
            assert (await http.get(f"http://{place}/api/lobby")).status_code == (200 if is_admitted else 401)
            club = await http.get(f"http://{place}/api/club")
            assert club.json()["admitted"] is is_admitted
            assert (f'{COOKIE}=""' in club.headers.get("set-cookie", "")) is not is_admitted


async def test_one_admission_is_revoked_and_its_windows_are_closed(tmp_path: Path) -> None:
    url = url_of(tmp_path)
    async with served(tmp_path, passphrase="queen") as place, Person(place, "Ann") as ann, Person(place, "Bo") as bo:
        for person in (ann, bo):
            await entered(person)
            await person.open(ME, COMPUTER)
            await person.look()
        async with asyncio.timeout(PATIENCE):
            while not all(name in "".join(admitted(url)) for name in ("Ann", "Bo")):  # written down with the next round
                await asyncio.sleep(0.05)
        (line,) = [line for line in admitted(url) if line.endswith("Ann")]
        assert revoke(url, line.split()[0]) == 1
        with pytest.raises(ConnectionClosed):
            await ann.until(lambda message: False)
        ann.line = None
        assert (await ann.http.get("/api/lobby")).status_code == 401
        assert await bo.my_turn()
        assert (await bo.http.get("/api/lobby")).status_code == 200
        with pytest.raises(UpcardError, match="there is no admission"):
            revoke(url, line.split()[0])
        assert revoke(url, None) == 1


async def test_wrong_admissions_are_counted_as_guesses(tmp_path: Path) -> None:
    async with served(tmp_path, passphrase="queen") as place, Person(place, "Ann") as ann, Person(place, "Bo") as bo:
        secret = await entered(ann)
        answers = Counter[int]()
        for number in range(int(MOST_GUESSES) + 10):
            cookie = {"Cookie": f"{COOKIE}={number:032}"}
            answers[(await bo.http.get("/api/levels", headers=cookie)).status_code] += 1
        assert answers[401] in range(int(MOST_GUESSES), int(MOST_GUESSES) + 5)
        assert answers[429] > 0
        bo.http.cookies.set(COOKIE, secret)  # whoever is known here comes in all the same
        assert (await bo.http.get("/api/levels")).status_code == 200


async def test_the_passphrase_is_compared_only_after_the_rate_was_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared = list[str]()

    def counted(passphrase: str, salt: str) -> str:
        compared.append(passphrase)
        return "wrong"

    async with served(tmp_path, passphrase="queen") as place, Person(place, "Ann") as ann:
        monkeypatch.setattr("upcard.server.admissions.passphrase_hash", counted)
        answers = [await ann.http.post("/api/club/enter", json={"passphrase": f"{n}"}) for n in range(20)]
    codes = Counter(answer.status_code for answer in answers)
    assert len(compared) == codes[403] < 20 == codes[403] + codes[429]


async def test_one_stranger_locks_nobody_else_out(tmp_path: Path) -> None:
    async with served(tmp_path, passphrase="queen") as place, Person(place, "Eve") as eve, Person(place, "Ann") as ann:
        for _ in range(15):
            answer = await eve.http.post("/api/club/enter", json={"passphrase": "king"})
        assert answer.status_code == 429
        await entered(ann)


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
