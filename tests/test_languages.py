"""Sentences in other languages: pseudo-languages show that everything a player reads is translated, and whole."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any

import catalogs
import pytest
import small_game
from babel.messages.catalog import Catalog
from playing import GAMES, random_event, random_match
from sitting_down import ANN, BO, Ear, opened, say

import hatch_build
from upcard import Match, games
from upcard.engine.errors import IllegalMove
from upcard.languages import catalogs as loading
from upcard.languages.answers import encoder_for, in_language
from upcard.languages.catalogs import BadCatalog, best_language, forget_catalogs
from upcard.languages.localizing import texts_in
from upcard.rules.cards import SUIT_NAMES
from upcard.rules.game import Game
from upcard.rules.sentences import facts, in_context, sentence
from upcard.table.advising import _size
from upcard.table.log import Log
from upcard.table.own_scene import describe_to
from upcard.table.puzzles import _thousands
from upcard.table.refusals import explain
from upcard.table.scene import SceneView, describe

NAMES = ["Bb", "Cc", "Dd", "Ff", "Gg", "Hh", "Jj", "Kk", "Ll", "Mm"]
"""Names without the letters that a pseudo-language replaces."""
PLAIN = re.compile(r"A(?=[♣♦♥♠])|\bA\b|\{(?:cards|worth)\}")
"""What may stand in a text as it is: aces, and the places that a page fills in."""


@pytest.fixture(scope="module", autouse=True)
def pseudo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    folder = tmp_path_factory.mktemp("languages")
    catalogs.write_pseudo(folder)
    forget()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("UPCARD_LANGUAGES", str(folder))
        yield
    forget()


def forget() -> None:
    """Forget which languages there are."""
    forget_catalogs()
    texts_in.cache_clear()


def untranslated(text: str) -> str:
    """What of a text in a pseudo-language is English, or stands outside of whole sentences; empty if nothing is."""
    bare = PLAIN.sub("", text)
    if len(bare) > 1 and (english := re.search(r"\w*[aeiouyAEIOUY]\w*", bare)):
        return english[0]
    inner = None
    while inner != bare:
        inner, bare = bare, re.sub(r"\[[^][]*\]", "", bare)
    loose = set(re.findall(r"[^\W\d_]+", bare)) - {*NAMES, *"JQKT"}
    return " ".join(loose)


def texts_of(scene: SceneView) -> Iterator[str]:
    """Everything in a scene that is read."""
    yield from (scene.title, scene.headline, scene.prompt, *scene.result)
    for mark in chain(scene.marks, *scene.finished, *(seat.marks for seat in scene.seats)):
        yield from (mark.label, mark.value)
    for zone in scene.zones:
        yield zone.label
    for move in scene.offers.moves:
        yield from (move.label, move.asks)
    for row in scene.offers.rows:
        yield from (row.title, *row.words)
    for pick in scene.offers.picks:
        yield from (pick.label, pick.asks)


def read(match: Match[Any], log: Log, lacking: dict[str, None], tag: str = "en-XA") -> None:
    """Read everything that anybody is shown at a moment, and note what is not translated."""
    speaking = texts_in(tag)

    def look(text: str) -> None:
        if wrong := untranslated(speaking(text) if type(text) is not str else text):
            lacking[f"{text!r}: {wrong}"] = None

    for seat in (None, *range(match.players)):
        for scene in (describe(match.view(seat), match.last_trick, NAMES), describe_to(match.view(seat), (), NAMES)):
            for text in texts_of(scene):
                look(text)
        for to in (None, seat):
            look(log.last(seat, to=to).text)
    for spoken in log.utterances():
        look(spoken.text)
    for seat in range(match.players):
        for text in ("2c", "2c 3c", "n 3"):
            try:
                match.fork().play(seat, text)
            except IllegalMove as error:
                scene = describe_to(match.view(seat), (), NAMES)
                look(explain(match, scene, NAMES, text, error.clause))


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_everything_that_a_player_reads_is_translated(game: type[Game[Any]]) -> None:
    lacking: dict[str, None] = {}
    match = random_match(game, 1)
    rng, log, deals = Random(1), Log(match), 0
    for number in range(2000):
        if match.done:
            break
        before = match.state.copy()
        event = match.event(random_event(match, rng))
        log.note(number, before, match, event, NAMES, substituted=number % 7 == 3)
        deals += bool(match.state.awaiting)
        if (number < 120 and number % 6 == 0) or (match.state.awaiting and deals < 4) or match.done:
            read(match, log, lacking)
    assert not lacking, "\n".join(lacking)


# ------------------------------------------------------------------------------------------------- readers and catalogs


async def test_two_people_at_one_table_read_two_languages() -> None:
    table, ann, bo = await opened(ANN, BO), Ear("ann"), Ear("bo")
    for ear in (ann, bo):
        table.join(ear.client)
    await say(table, "bo", "1", table.seq, table.match.legal(1)[0])
    english, pseudo, own = (
        json.loads(text)["log"]["text"]
        for text in (ann.events()[-1].json(), ann.events()[-1].json("en-XA"), bo.events()[-1].json("en-XA"))
    )
    assert re.fullmatch(r"Bo plays \S+", english)
    assert re.fullmatch(r"\[Bo pļàýš \S+ ~+\]", pseudo)
    assert re.fullmatch(r"\[Ýöû pļàý \S+ ~+\]", own)
    assert json.loads(ann.events()[-1].json())["log"]["text"] == english  # a message is remembered by language
    titles = [json.loads(encoder_for(tag).encode(table.summary("ann")))["title"] for tag in ("en", "en-XA")]
    assert titles[0] == table.match.game.title
    assert untranslated(titles[1]) == ""


def write_catalog(folder: Path, tag: str, texts: Mapping[Any, Any]) -> None:
    """Write a catalog with these translations: by message a text, by message and plural all forms."""
    catalog = Catalog(locale=tag)
    for message, text in texts.items():
        catalog.add(message, text)
    (folder / f"{tag}.mo").write_bytes(hatch_build.machine_form(catalog))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder for catalogs, which are looked for again after the test."""
    monkeypatch.setenv("UPCARD_LANGUAGES", str(tmp_path))
    forget()
    yield tmp_path
    monkeypatch.undo()
    forget()


def test_a_language_has_as_many_plurals_as_it_needs(folder: Path) -> None:
    write_catalog(folder, "uk", {("{n} card", "{n} cards"): ("{n} карта", "{n} карти", "{n} карт")})
    forget()
    read = texts_in("uk")
    cards = [read(sentence("{n} card", "{n} cards", n=n)) for n in (1, 2, 5, 21)]
    assert cards == ["1 карта", "2 карти", "5 карт", "21 карта"]
    assert hatch_build.categories(Catalog(locale="uk"), "uk") == {"one": 0, "few": 1, "many": 2, "other": 2}


def test_a_translation_with_other_places_is_not_used(folder: Path) -> None:
    german = {"Deal {n}": "Spiel {m}", "pass": "passt", "{suit} are trumps": "{suit} ist Trumpf"}
    write_catalog(folder, "nl", german)
    forget()
    read = texts_in("nl")
    assert read(sentence("Deal {n}", n=3)) == "Deal 3"
    assert read(facts(sentence("Deal {n}", n=3), sentence("pass"))) == "Deal 3 · passt"
    assert read(sentence("{suit} are trumps", suit=SUIT_NAMES[2])) == "hearts ist Trumpf"


def test_a_broken_catalog_is_named_in_one_line(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    (folder / "nl.mo").write_bytes(b"no catalog")
    forget()
    assert "nl" not in [language.tag for language in loading.languages()]
    assert best_language("nl") == "en"
    assert len(caplog.messages) == 1
    assert "nl.mo is not a catalog of translations: " in caplog.messages[0]
    with pytest.raises(BadCatalog, match="is not a catalog"):
        loading.read_catalog(folder / "nl.mo")


def test_a_game_from_outside_brings_its_catalog(folder: Path) -> None:
    file = folder / "small.py"
    file.write_text(Path(small_game.__file__).read_text())
    write_catalog(folder, "nl", {"Small Game": "Kleines Spiel", "Tricks": "Stiche"})
    (folder / "nl.mo").rename(folder / "small.nl.mo")
    write_catalog(folder, "nl", {"Small Game": "falsch", "A new match": "Eine neue Partie", "Trick": "Stich"})
    forget()
    (game,) = games.load_file(file).values()
    scene = in_language(describe(Match(game).view(0)), "nl")
    assert (scene.title, scene.headline) == ("Kleines Spiel", "Eine neue Partie")


def test_a_reader_is_answered_in_the_best_language_that_is_here() -> None:
    assert best_language("fr, en-XA;q=0.5, ar;q=0.1") == "en-XA"
    assert best_language("ar-XB-u-nu-latn") == "ar-XB"
    assert best_language("en-XA;q=0") == "en"
    assert [best_language(nonsense) for nonsense in ("", "*", ";;;", "de;q=x", "-" * 600)] == ["en"] * 5


def test_a_word_is_translated_in_its_context_whatever_was_translated_before() -> None:
    german = loading.translation("de")
    for word, text in ((sentence("ten"), "Pik-zehn"), (in_context("rank", "ten"), "Pik-Zehn")):
        assert sentence("{rank} of {suit}", rank=word, suit=SUIT_NAMES[3]).words(german) == text


def test_every_language_is_whole() -> None:
    lacks = [lack for tag in catalogs.tags() for file in catalogs.po_files() for lack in catalogs.faults(file, tag)]
    assert not lacks, "\n".join(f"{lack.file}: {lack.message!r} {lack.reason}" for lack in lacks)


def test_a_language_begins_with_every_message_and_no_translation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = catalogs.PoFile(tmp_path, "", games.load("rounds"))
    monkeypatch.setattr(catalogs, "po_files", lambda: [file])
    catalogs.update("de")
    lacks = [*catalogs.faults(file, "de")]
    assert "{player} wins {cards}" not in [lack.message for lack in lacks]
    assert "Your turn: accept the round" in [lack.message for lack in lacks]
    assert {lack.reason for lack in lacks} == {"is not translated"}
    written = file.path("de").read_text()
    file.path("de").write_text(written.replace('msgid "Game {n}"\nmsgstr ""', 'msgid "Game {n}"\nmsgstr "Partie {m}"'))
    assert [lack.reason for lack in catalogs.faults(file, "de") if lack.message == "Game {n}"] == [
        "has other places than its translation 'Partie {m}'"
    ]
    catalogs.update("de")  # what is there stays
    assert "Partie {m}" in file.path("de").read_text()


def test_numbers_have_the_marks_of_the_language() -> None:
    german = texts_in("de")
    assert [str(number) for number in (_size(1.1), _size(1.0), _size(12.3), _thousands(7), _thousands(12034))] == [
        *("1.1", "1", "12", "7", "12,034")
    ]
    assert [german(number) for number in (_size(1.1), _thousands(12034))] == ["1,1", "12.034"]
