"""The server as a program: killed at any moment, it resumes where its players left off; it starts and stops cleanly."""

import asyncio
import re
import signal
import socket
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from programs import Player, Program
from serving import COMPUTER, ME, OPEN, Person
from waiting import PATIENCE

from upcard.engine.errors import UpcardError
from upcard.engine.fairness import Proof, verify
from upcard.house.old_rules import record
from upcard.server import make_database
from upcard.server.storage import Store, url_of
from upcard.table.messages import Notice, Thinking


@pytest.mark.long
async def test_a_server_that_is_killed_goes_on_where_its_players_saw_it(tmp_path: Path) -> None:
    rng = Random(1)
    program = Program(tmp_path)
    ann, bo, cy = Player("Ann"), Player("Bo"), Player("Cy")
    ann.nonce, cy.nonce = "a1" * 32, "c0" * 32
    for person in (ann, bo, cy):
        person.go_to(program.place)
    table = await ann.open(ME, OPEN, target=21)
    await bo.sit(table)
    await cy.open(ME, COMPUTER, COMPUTER, game="oh-hell")
    for crash in range(3):
        for person in (ann, bo, cy):
            await person.come_back(program.place)
        playing = [asyncio.create_task(person.play(Random(f"{crash} {person.name}"))) for person in (ann, bo, cy)]
        await asyncio.gather(*[person.has_made(2 * crash + 2) for person in (ann, bo, cy)])
        await asyncio.sleep(rng.uniform(0, 0.3))
        assert program.end(signal.SIGKILL) == (-signal.SIGKILL, "")
        await asyncio.wait_for(asyncio.gather(*playing), PATIENCE)
        program = Program(tmp_path)
    for person in (ann, bo, cy):
        await person.come_back(program.place)
        moves = list(person.accepted.values())
        assert len(moves) == len(set(moves)) > 5
    await cy.my_turn()  # the computer players go on, too
    for person in (ann, bo, cy):
        await person.hang_up()
        await person.http.aclose()
    assert program.end(signal.SIGINT) == (0, "")
    for person in (ann, cy):
        proof, checked = await fair_luck(tmp_path, person.table)
        assert (proof.commitment, checked > 0) == (person.commitment, True)
        assert [nonce for nonce in proof.nonces if nonce] == [person.nonce]


async def fair_luck(folder: Path, table: str) -> tuple[Proof, int]:
    """What the luck of a table follows from, and how much of it was checked, as if its match were over."""
    store = Store(url_of(folder))
    try:
        kept = await store.load(table)
    finally:
        store.close()
    assert kept is not None
    return verify(record(replace(kept, done=True)))


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
async def test_a_server_ends_at_once_though_a_strong_player_is_getting_ready(
    tmp_path: Path, how: signal.Signals
) -> None:
    program = Program(tmp_path)
    async with Person(program.place, "Ann") as ann:
        await ann.open(ME, {"who": "computer", "level": "strong"})
        welcome = await ann.look()
        states: list[str] = [seat.thinking for seat in welcome.table.seats]
        async with asyncio.timeout(PATIENCE):
            while "getting ready" not in states:
                await ann.my_turn()
                await ann.move(ann.moves[0])
                states += [message.state for message in ann.messages if isinstance(message, Thinking)]
        status, errors = program.end(how)
        assert errors == ""
        assert status in (0, -how)
        assert (await ann.hear(Notice)).kind == "closing"


def test_a_second_server_over_the_same_tables_is_one_line(tmp_path: Path) -> None:
    first, second = Program(tmp_path), Program(tmp_path)
    status, errors = second.end(signal.SIGCONT)
    assert status == 2
    assert "another server has" in errors
    assert errors.count("\n") == 1
    assert first.end(signal.SIGINT) == (0, "")


def test_a_port_in_use_is_one_line(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        program = Program(tmp_path, taken.getsockname()[1])
        status, errors = program.end(signal.SIGCONT)
    assert status == 2
    assert errors == f"upcard: port {taken_port(errors)} is in use already: choose another with --port\n"
    assert program.greeting == ""


def taken_port(errors: str) -> str:
    found = re.search(r"\d+", errors)
    return found[0] if found else ""


def test_a_file_that_is_no_database_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "upcard.sqlite3").write_text("no database at all" * 100)
    program = Program(tmp_path)
    status, errors = program.end(signal.SIGCONT)
    assert status == 2
    assert str(tmp_path) in errors
    assert errors.count("\n") == 1


def test_a_data_directory_that_is_a_file_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("UPCARD_DATABASE", raising=False)
    (tmp_path / "data").write_text("")
    with pytest.raises(UpcardError, match="cannot be used: this is a file, not a directory"):
        make_database(tmp_path / "data")
