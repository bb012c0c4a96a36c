"""A deal that somebody sets up: chosen cards, at a table with computer players alone."""

from pathlib import Path
from typing import Any

import pytest
from serving import COMPUTER, ME, OPEN, Person, served

from upcard.server.admin import overview
from upcard.server.storage import url_of


def wish(given: str, *seats: Any, game: str = "sixty-six") -> dict[str, Any]:
    players = len(seats)
    return {"game": game, "players": players, "options": {}, "name": "Ann", "seats": [*seats], "given": given}


async def test_chosen_cards_are_dealt_and_the_table_says_so(tmp_path: Path) -> None:
    async with served(tmp_path) as place, Person(place, "Ann") as ann:
        asked = await ann.http.post("/api/tables", json=wish("0=As Ts; upcard = Kd", ME, COMPUTER))
        table = asked.json()
        assert (table["brought"], table["shuffles"], table["practice"]) == ("set up", None, True)
        ann.table = table["id"]
        await ann.look()
        await ann.my_turn()
        assert {"As", "Ts"} <= {*ann.scene.hand}
        await ann.move(ann.moves[0])
        assert (await ann.act("concede")).status_code == 200
        # in the replay: whoever leads may have exchanged the upcard or turned it over before Ann looks
        replay = (await ann.http.get(f"/api/tables/{ann.table}/replay?deal=1&seat=all")).json()
        zones = replay["steps"][0]["changes"]["zones"]
        assert any("Kd" in zone.get("cards", ()) for zone in zones)
        assert (await ann.http.get("/api/statistics")).json() == []
        again = {"events": 1, "seat": 0, "name": "Ann", "level": "casual"}
        fork = (await ann.http.post(f"/api/tables/{table['id']}/fork", json=again)).json()
        assert fork["brought"] == "set up"
        anew = (await ann.http.post(f"/api/tables/{table['id']}/fork", json=again | {"events": 0})).json()
        assert anew["brought"] is None
        rematch = (await ann.act("rematch")).json()["next"]
        by_chance = (await ann.http.get(f"/api/tables/{rematch}")).json()
        assert (by_chance["brought"], by_chance["shuffles"] is None, by_chance["practice"]) == (None, False, True)
        lines = {line.split()[0]: line for line in overview(url_of(tmp_path), 10)}
        assert "a deal that somebody set up" in lines[table["id"]]


@pytest.mark.parametrize(
    ("given", "seats", "english", "german"),
    [
        (
            "0=As",
            (ME, OPEN),
            "Cards can be chosen only for a match against computer players alone",
            "Karten aussuchen kann man nur für eine Partie allein gegen den Computer",
        ),
        (
            "As Ts",
            (ME, COMPUTER),
            "Cards are given as in 0=As Ks or upcard=Td, not as 'As Ts'",
            "Karten gibt man an wie in 0=As Ks oder upcard=Td, nicht als 'As Ts'",
        ),
        (
            "0=Xx",
            (ME, COMPUTER),
            "'Xx' is not a card: write rank and suit, as in As or Td",
            "'Xx' ist keine Karte: Schreib Rang und Farbe, wie in As oder Td",
        ),
        ("0=2s", (ME, COMPUTER), "2♠ is not in the pack", "2♠ gehört nicht zum Kartenspiel"),
        (
            "7=As",
            (ME, COMPUTER),
            "There is no seat 7: seats are 0 to 1",
            "Es gibt keinen Platz 7, nur die Plätze 0 bis 1",
        ),
        (
            "0=As; 1=As",
            (ME, COMPUTER),
            "A♠ is given 2 times, and the pack has 1",
            "A♠ ist 2-mal angegeben, im Kartenspiel aber nur 1-mal vorhanden",
        ),
        (
            "1=A9s",
            (ME, COMPUTER),
            "'A9s' is not a card: write rank and suit, as in As or Td",
            "'A9s' ist keine Karte: Schreib Rang und Farbe, wie in As oder Td",
        ),
        (
            ";",
            (ME, COMPUTER),
            "No cards are given: write rank and suit, as in As or Td",
            "Es sind keine Karten angegeben: Schreib Rang und Farbe, wie in As oder Td",
        ),
    ],
)
async def test_impossible_cards_are_refused_in_the_language_of_the_reader(
    ann: Person, given: str, seats: tuple[Any, ...], english: str, german: str
) -> None:
    for language, words in (("en", english), ("de", german)):
        asked = await ann.http.post("/api/tables", json=wish(given, *seats), headers={"Accept-Language": language})
        assert (asked.status_code, asked.json()["error"]) == (422, words)


async def test_a_refused_option_is_in_the_language_of_the_reader(ann: Person) -> None:
    for language, words in (
        ("en", "Option target is a whole number from 1 to 21, not 22"),
        ("de", "„Ziel“ ist eine ganze Zahl von 1 bis 21, nicht 22"),
    ):
        wished = wish("", ME, COMPUTER) | {"options": {"target": 22}}
        asked = await ann.http.post("/api/tables", json=wished, headers={"Accept-Language": language})
        assert (asked.status_code, asked.json()) == (422, {"error": words, "clause": "SS-43"})
