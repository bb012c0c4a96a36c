"""Who stands between a browser and the server: proxies that are named, others, and other names for this machine."""

from collections import Counter
from pathlib import Path

import httpx
import pytest
from serving import COMPUTER, ME, OPEN, Person, served
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from upcard.server.guard import FOREIGN
from upcard.server.hosting import Hosting, Limits
from upcard.server.limits import MOST_GUESSES

FORWARDED = [
    {"X-Forwarded-For": "192.0.2.1"},
    {"Forwarded": "for=192.0.2.1"},
    {"CF-Connecting-IP": "192.0.2.1"},
    {"X-Real-IP": "192.0.2.1"},
    {"X-Forwarded-Proto": "https"},
]


@pytest.mark.parametrize("headers", FORWARDED)
@pytest.mark.parametrize("proxies", [(), ("10.88.0.1",)])
async def test_what_comes_through_a_proxy_that_was_not_named_is_refused_with_the_remedy(
    headers: dict[str, str], proxies: tuple[str, ...], tmp_path: Path
) -> None:
    async with served(tmp_path, proxies=proxies) as place, httpx.AsyncClient() as http:
        for path in ("/", "/api/levels", "/health", "/metrics", "/api/club"):
            answer = await http.get(f"http://{place}{path}", headers=headers)
            assert answer.status_code == 421
            error = answer.json()["error"] if path.startswith("/api/") else answer.text
            assert error.endswith("start the server with --proxy 127.0.0.1")
        async with Person(place, "Ann", address=None) as ann:
            await ann.open(ME, OPEN)
            with pytest.raises(ConnectionClosed, match=r"--proxy 127\.0\.0\.1") as refused:
                await ann.look(**headers)
            assert refused.value.rcvd is not None and refused.value.rcvd.code == FOREIGN
            ann.line = None
            await ann.look()


async def test_requests_of_this_machine_are_counted(tmp_path: Path) -> None:
    async with served(tmp_path, limits=Limits(requests=0.001), proxies=()) as place, httpx.AsyncClient() as http:
        answers = [(await http.get(f"http://{place}/api/levels")).status_code for _ in range(3)]
    assert answers == [200, 429, 429]


async def test_a_stranger_behind_a_named_proxy_cannot_pass_for_another(tmp_path: Path) -> None:
    async with served(tmp_path, limits=Limits(requests=0.001)) as place, httpx.AsyncClient() as http:
        codes = Counter[int]()
        for number in range(10):
            headers = {"X-Forwarded-For": f"127.0.0.1, 198.51.100.{number}, 192.0.2.1"}
            codes[(await http.get(f"http://{place}/api/levels", headers=headers)).status_code] += 1
    assert codes == {200: 1, 429: 9}


def test_a_proxy_is_believed_by_its_address_or_network() -> None:
    assert Hosting("sqlite://", proxies=("10.0.0.0/8",)).believes("10.1.2.3")
    assert not Hosting("sqlite://", proxies=("10.0.0.0/8",)).believes("192.0.2.1")


async def test_a_name_that_somebody_gave_this_machine_is_not_answered(tmp_path: Path) -> None:
    """A page of another site can have its own name lead to this machine, and would be of this house to the browser."""
    async with served(tmp_path, proxies=(), names=("cards.lan",)) as place, httpx.AsyncClient() as http:
        port = place.partition(":")[2]
        for name in (
            "evil.example",
            "evil.example.",
            "localhost.evil.example",
            "127.0.0.1.evil.example",
            "a@b",
            "[::1",
        ):
            answer = await http.get(f"http://{place}/api/levels", headers={"Host": f"{name}:{port}"})
            assert answer.status_code == 421
            assert "--public-url" in answer.json()["error"]
        for name in ("localhost", "LOCALHOST", "127.0.0.1", "192.0.2.7", "[::1]", "cards.lan", "a.localhost"):
            answer = await http.get(f"http://{place}/api/levels", headers={"Host": f"{name}:{port}"})
            assert answer.status_code == 200
        for name in ("evil.example", f"{'long.' * 30}example"):
            async with connect(f"ws://{name}:{port}/api/tables/x/play", host="127.0.0.1", port=int(port)) as line:
                with pytest.raises(ConnectionClosed, match="does not know the name"):
                    await line.recv()


async def test_the_public_name_is_answered(tmp_path: Path) -> None:
    url = "https://cards.example"
    async with served(tmp_path, proxies=(), public_url=url) as place, httpx.AsyncClient() as http:
        answer = await http.get(f"http://{place}/", headers={"Host": "cards.example"})
        assert answer.status_code == 200
        assert answer.headers["strict-transport-security"] == "max-age=31536000"


async def test_browsers_are_told_to_come_by_https_only_where_they_did(tmp_path: Path) -> None:
    async with served(tmp_path) as place, httpx.AsyncClient() as http:
        for scheme in ("http", "https"):
            headers = {"X-Forwarded-For": "192.0.2.1", "X-Forwarded-Proto": scheme}
            answer = await http.get(f"http://{place}/", headers=headers)
            assert ("strict-transport-security" in answer.headers) is (scheme == "https")


async def test_links_that_lead_nowhere_are_counted(tmp_path: Path) -> None:
    async with served(tmp_path) as place, Person(place, "Ann") as ann, Person(place, "Eve") as eve:
        table = await ann.open(ME, OPEN)
        own = await eve.open(ME, COMPUTER)
        paths = ["", "/record", "/replay", "/score"]
        codes = Counter[int]()
        for number in range(int(MOST_GUESSES) + 10):
            answer = await eve.http.get(f"/api/tables/guess{number}{paths[number % 4]}")
            codes[answer.status_code] += 1
        assert codes[404] in range(int(MOST_GUESSES), int(MOST_GUESSES) + 5) and codes[429] > 0
        assert (
            await eve.http.get(f"/api/tables/{table.id}")
        ).status_code == 429  # no guess is answered, right or wrong
        assert (await eve.http.get(f"/api/tables/{own.id}")).status_code == 200
        with pytest.raises(ConnectionClosed, match="wait a minute"):
            await eve.look(table.id)
        eve.line = None
        await eve.look(own.id)
        preview = await eve.http.get(f"/t/{table.id}")
        assert "Sixty-Six" not in preview.text
        assert "Sixty-Six" in (await ann.http.get(f"/t/{table.id}")).text


async def test_wrong_invitations_and_seat_links_are_counted(tmp_path: Path) -> None:
    async with served(tmp_path) as place, Person(place, "Ann") as ann, Person(place, "Eve") as eve:
        table = await ann.open(ME, OPEN)
        eve.table = table.id
        codes = Counter[int]()
        for number in range(int(MOST_GUESSES) + 10):
            if number % 3 == 0:
                answer = await eve.act("sit", name="Eve", invite=f"guess{number}")
            else:
                door = ("linked", "redeem")[number % 3 - 1]
                answer = await eve.http.post(f"/api/tables/{table.id}/{door}", json={"secret": f"guess{number}"})
            codes[answer.status_code] += 1
        assert codes[403] in range(int(MOST_GUESSES), int(MOST_GUESSES) + 5) and codes[429] > 0
        assert (await eve.sit(table)).status_code == 429
        async with Person(place, "Bo") as bo:
            assert (await bo.sit(table)).status_code == 200


async def test_sockets_to_tables_that_do_not_exist_are_counted(tmp_path: Path) -> None:
    async with served(tmp_path) as place, Person(place, "Eve") as eve:
        for number in range(int(MOST_GUESSES)):
            with pytest.raises((ConnectionClosed, InvalidStatus)):
                await eve.look(f"guess{number}")
            eve.line = None
        assert (await eve.http.get("/api/tables/guess")).status_code == 429
