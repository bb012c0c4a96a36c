"""Verifiable shuffles over HTTP and WebSocket: committed before anybody sits down, revealed only after the match."""

import httpx
import msgspec
from serving import COMPUTER, ME, OPEN, Person

from upcard.engine.fairness import verify
from upcard.table.messages import TableView


async def begun(ann: Person, bo: Person) -> TableView:
    """Ann and Bo at a table, each of them with a nonce of their own; what Ann was told first."""
    ann.nonce, bo.nonce = "a1" * 32, "b0" * 32
    table = await ann.open(ME, OPEN, target=21)
    await bo.sit(table)
    for person in (ann, bo):
        await person.reveal((await person.look()).table)
    await ann.begun()
    await bo.begun()
    first = ann if ann.moves else bo
    await first.move(first.moves[0])
    return table


def seen(answer: httpx.Response) -> TableView:
    return msgspec.json.decode(answer.content, type=TableView)


async def test_the_secret_comes_with_the_record_and_not_before(ann: Person, bo: Person) -> None:
    first = await begun(ann, bo)
    assert first.shuffles is not None
    paths = ["", "/score", "/record", "/replay?deal=1", "/replay?deal=1&seat=all"]
    told = [(await ann.http.get(f"/api/tables/{first.id}{path}")).text for path in paths]
    assert (await ann.http.get(f"/api/tables/{first.id}/record")).status_code == 409
    told += [(await ann.http.get(path)).text for path in ("/api/tables", "/api/lobby")]
    await ann.act("concede")
    record = (await bo.http.get(f"/api/tables/{first.id}/record")).json()
    proof, checked = verify(record)
    assert proof.dealer
    assert (proof.commitment, proof.nonces, checked) == (first.shuffles.commitment, [ann.nonce, bo.nonce], 1)
    assert proof.secret.hex() not in "".join([*told, *ann.texts, *bo.texts])


async def test_every_table_has_a_secret_of_its_own(ann: Person, bo: Person) -> None:
    first = await begun(ann, bo)
    await ann.act("concede")
    again = seen(await ann.act("rematch", pledge=ann.pledge)).next
    wish = {"seat": 0, "name": "Ann", "level": "casual"}
    forks = [seen(await ann.http.post(f"/api/tables/{first.id}/fork", json=wish | {"events": n})) for n in (0, 1)]
    other = seen(await ann.http.get(f"/api/tables/{again}"))
    shuffles = [table.shuffles for table in [first, other, *forks] if table.shuffles is not None]
    assert len({one.commitment for one in shuffles}) == 4
    assert [one.dealer for one in shuffles] == [True, True, True, False]
    assert other.shuffles is not None
    assert sorted(other.shuffles.pledged, key=str) == sorted([None, ann.pledge], key=str)


async def test_whoever_pledges_nothing_waits_for_nothing(ann: Person) -> None:
    await ann.open(ME, COMPUTER)
    welcome = await ann.look()
    await ann.my_turn()
    assert welcome.table.shuffles is not None
    assert welcome.table.shuffles.waits_for == []
