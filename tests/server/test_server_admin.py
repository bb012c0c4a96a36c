"""What those who run a house can look up."""

import json
from pathlib import Path

import pytest
from serving import COMPUTER, ME, Person, served

from upcard.engine.errors import UpcardError
from upcard.engine.records import replay
from upcard.server.admin import export, overview
from upcard.server.storage import url_of


async def test_tables_are_listed_and_exported_while_the_server_goes_on(tmp_path: Path) -> None:
    async with served(tmp_path) as place, Person(place, "Ann") as ann:
        table = await ann.open(ME, COMPUTER)
        await ann.look()
        await ann.my_turn()
        (line,) = overview(url_of(tmp_path), 10)
        assert line.startswith(table.id)
        assert "sixty-six" in line
        assert "Ann" in line
        match = replay(json.loads(export(url_of(tmp_path), table.id)))
        assert match.view(0).hand()
        assert match.to_act == [0]


def test_what_is_not_there_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(UpcardError, match="cannot be read"):
        overview(url_of(tmp_path), 10)
