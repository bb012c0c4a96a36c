"""Sentences in other languages: pseudo-languages show that everything a player reads is translated, and whole."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from random import Random
from typing import Any

import catalogs
import pytest
from playing import GAMES, random_event, random_match

from upcard import Match
from upcard.engine.errors import IllegalMove
from upcard.languages import catalogs as loading
from upcard.languages.answers import texts_in
from upcard.rules.game import Game
from upcard.table.log import Log
from upcard.table.refusals import explain
from upcard.table.scene import SceneView, describe
from upcard.table.second_person import describe_to

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
    for remembered in (loading.languages, loading.translation, loading.best_language, loading._catalog, texts_in):
        remembered.cache_clear()
    loading._catalogs_of.cache_clear()


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
    for seed in range(2):
        match = random_match(game, seed)
        rng, log = Random(seed), Log(match)
        for number in range(400):
            if match.done:
                break
            before = match.state.copy()
            event = match.event(random_event(match, rng))
            log.note(number, before, match, event, NAMES, substituted=number % 7 == 3)
            if number % 5 == 0 or match.state.awaiting or match.done:
                read(match, log, lacking)
    assert not lacking, "\n".join(lacking)
