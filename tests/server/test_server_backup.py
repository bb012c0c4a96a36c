"""A backup made while people play can be played on."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from serving import COMPUTER, ME, Person, served

from upcard.engine.errors import UpcardError
from upcard.server import make_database
from upcard.server.admin import back_up
from upcard.server.storage import Store, metadata, url_of
from upcard.table.messages import Accepted


async def test_a_copy_taken_while_people_play_can_be_played_on(tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    async with served(tmp_path) as place, Person(place, "Ann") as ann:
        await ann.open(ME, COMPUTER)
        await ann.look()
        await ann.my_turn()
        scene, seq = ann.scene, ann.seq
        back_up(url_of(tmp_path), copy)
        with pytest.raises(
            UpcardError, match="the database itself"
        ):  # the server would go on writing where nobody reads
            back_up(url_of(tmp_path), tmp_path / "upcard.sqlite3")
        assert isinstance(await ann.move(ann.moves[0]), Accepted)  # comes too late for the copy
    assert sorted(path.name for path in tmp_path.iterdir()) == ["copy", "upcard.sqlite3", "upcard.sqlite3.lock"]
    restored = tmp_path / "restored"
    restored.mkdir()
    shutil.copy(copy, restored / "upcard.sqlite3")
    async with served(restored) as place, Person(place, "Ann") as again:
        again.http.cookies = ann.http.cookies
        again.table = ann.table
        await again.look()
        assert (again.scene, again.seq) == (scene, seq)
        assert isinstance(await again.move(again.moves[0]), Accepted)


def test_what_cannot_be_copied_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(UpcardError, match="there are no tables in"):
        back_up(url_of(tmp_path), tmp_path / "copy")
    (tmp_path / "upcard.sqlite3").touch()  # to SQLite a database, though an empty one
    with pytest.raises(UpcardError, match="there are no tables in"):
        back_up(url_of(tmp_path), tmp_path / "copy")
    (tmp_path / "upcard.sqlite3").write_text("no database at all" * 100)
    with pytest.raises(UpcardError, match=r"the tables in .*upcard.sqlite3 cannot be read: file is not a database"):
        back_up(url_of(tmp_path), tmp_path / "copy")
    assert [path.name for path in tmp_path.iterdir()] == ["upcard.sqlite3"]


def test_only_their_owner_reads_the_tables_and_their_copy(tmp_path: Path) -> None:
    Store(make_database(tmp_path)).close()
    back_up(url_of(tmp_path), tmp_path / "copy")
    for name in ("upcard.sqlite3", "copy"):
        assert (tmp_path / name).stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("name", ["a#b", "c?d", "e%41"])
def test_a_folder_may_have_any_name(name: str, tmp_path: Path) -> None:
    folder, copy = tmp_path / name, tmp_path / "copy"
    folder.mkdir()
    Store(url_of(folder)).close()
    assert (folder / "upcard.sqlite3").exists()
    back_up(url_of(folder), copy)
    with closing(sqlite3.connect(copy)) as connection:
        assert {name for (name,) in connection.execute("SELECT name FROM sqlite_master")} >= {*metadata.tables}
    assert {path.name for path in tmp_path.iterdir()} == {name, "copy"}
