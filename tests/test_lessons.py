"""The lessons of the games: they can be played, every move has an answer, and hidden cards stay hidden."""

import io
import re
import tomllib
from pathlib import Path
from typing import Any

import msgspec
import pytest
from playing import GAMES

from upcard import games
from upcard.cli.common import games_named
from upcard.cli.new_game import write_template
from upcard.house.bodies import LessonTry
from upcard.house.lessons import lesson_answer, lesson_numbered, lesson_view
from upcard.laws import Law
from upcard.laws.lessons import lessons_can_be_played
from upcard.rules import cards, pages
from upcard.rules.game import Game
from upcard.rules.lineage import root_of
from upcard.table.errors import Unacceptable
from upcard.table.lessons import BadLesson, Lesson, lessons_of, lessons_text, read_lesson, words_with_cards
from upcard.terminal.lesson_lines import LessonLines

WITH_LESSONS = GAMES + [variant for variant in map(games.load, games.VARIANTS) if root_of(variant) in GAMES]
CARD = re.compile(r'"((?:[2-9TJQKA][cdhs]))"')
LONGEST = 310
"""The most letters of a stop: more would not fit above the table on a phone."""
LESSONS = [lesson for game in WITH_LESSONS for lesson in lessons_of(game)]


@pytest.fixture(params=LESSONS, ids=lambda lesson: f"{lesson.game.slug} {lesson.source}")
def lesson(request: pytest.FixtureRequest) -> Lesson:
    """Each lesson of each game in turn, variants that come with Upcard as well."""
    chosen: Lesson = request.param
    return chosen


@pytest.mark.parametrize("game", WITH_LESSONS, ids=lambda game: game.slug)
def test_every_game_has_a_first_lesson_and_one_for_the_rest(game: type[Game]) -> None:
    first, second = (lesson.stops[-1].words for lesson in lessons_of(game))
    assert "play" in first and "first" in first
    assert re.search(r"(?i)\bplay a match\b", " ".join(second.split()))


def test_a_lesson_can_be_played_and_is_short(lesson: Lesson) -> None:
    lesson.check()
    assert 8 <= len(lesson.stops) <= 15
    assert max(len(words_with_cards(stop)) for stop in lesson.stops) <= LONGEST
    assert sum(bool(stop.move) for stop in lesson.stops) >= len(lesson.stops) // 2


def test_its_words_name_cards_of_the_game_and_no_notation(lesson: Lesson) -> None:
    for stop in lesson.stops:
        for text in (stop.words, stop.right, stop.wrong, *stop.answers.values()):
            named: list[cards.Card] = []

            def collect(drawn: list[cards.Card], into: list[cards.Card] = named) -> str:
                into.extend(drawn)
                return ""

            plain = pages.draw(text, collect)
            assert not re.search(r"\b[2-9TJQKA][cdhs]\b|\[|\b[A-Z]{2}-\d|\bevents?\b|\bseat \d", plain), plain
            assert {*map(cards.text, named)} <= {*lesson.events[0].split(), "*"}
            assert not plain.strip() or re.search(r"[.!?”]$", plain.strip()), plain


def test_every_other_move_has_an_answer(lesson: Lesson) -> None:
    for number, stop in enumerate(lesson.stops):
        if not stop.move:
            continue
        assert lesson.answer(number, stop.move).kind == "right"
        match = lesson.match(number)
        wanted = match.fork().play(lesson.file.seat, stop.move).text
        others = [move for move in match.legal(lesson.file.seat) if f"{lesson.file.seat} {move}" != wanted]
        for move in others[:6]:
            answer = lesson.answer(number, move)
            assert (answer.kind, answer.clause) == ("wrong", None)
            assert answer.text
        refused = lesson.answer(number, "nonsense")
        assert refused.kind == "refused"
        assert refused.clause in pages.clauses(lesson.game)


def test_its_frames_show_no_hidden_card(lesson: Lesson) -> None:
    """Neither a stop's scene nor the changes that lead to it contain a card that somebody else holds and nobody has
    named or shown."""
    seat, named = lesson.file.seat, set[str]()
    view = lesson_view(lesson)
    for replayed, step in zip(lesson.replay(), view.steps, strict=True):
        if not replayed.event.text.startswith("deal"):
            named |= set(replayed.event.text.split())
        report = replayed.match.report()
        hidden = {card for other, hand in enumerate(report["hands"]) if other != seat for card in hand}
        shown = {card for other in step.changes.seats for card in other.open} | set(report["hands"][seat])
        named |= {str(report.get("upcard")), *map(str, report.get("pile") or [])}
        changes = msgspec.structs.replace(step.changes, order=msgspec.UNSET)  # it lists ranks, and trumps by rule
        seen = set(CARD.findall(msgspec.json.encode(changes, enc_hook=str).decode()))
        assert not seen & hidden - named - shown, replayed.event.text


def test_it_is_asked_for_by_number(lesson: Lesson) -> None:
    view = lesson_view(lesson)
    number = lessons_of(lesson.game).index(lesson) + 1
    assert lesson_numbered(lesson.game, number) is lesson
    assert lesson_numbered(lesson.game, 0) is lesson_numbered(lesson.game, 99) is None
    assert [stop.seq for stop in view.stops] == lesson.seqs
    assert view.steps[-1].events == len(lesson.events)
    with pytest.raises(Unacceptable):
        lesson_answer(lesson, LessonTry(len(lesson.stops), "pass"))


def test_it_can_be_read_and_played_in_a_terminal(lesson: Lesson, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    typed = "".join(f"{stop.move}\n" for stop in lesson.stops[:-1])
    out = io.StringIO()
    assert LessonLines(lesson, io.StringIO(typed), out).run()
    assert max(map(len, out.getvalue().splitlines())) <= 80
    assert f"upcard play {lesson.game.slug}" in out.getvalue()
    assert not LessonLines(lesson, io.StringIO("quit\n"), io.StringIO()).run()
    assert lessons_text(lesson.game).count("\n\n") >= len(lesson.stops)


def test_a_terminal_answers_wrong_moves_and_commands() -> None:
    out = io.StringIO()
    typed = "\nclose\nAc\nmoves\ntable\nshow\n1\nskip\nquit\n"
    LessonLines(lessons_of(games.load("sixty-six"))[0], io.StringIO(typed), out).run()
    text = " ".join(out.getvalue().split())
    assert "That would give the swap away. Take Th first." in text
    assert "You do not hold Ac." in text
    assert "Choose “Fetch the upcard”." in text


# ------------------------------------------------------------------------------------------------------- translations

SOURCES = Path(__file__).parents[1] / "src" / "upcard" / "games"
TRANSLATED = [file for file in sorted(SOURCES.rglob("*.toml")) if re.search(r"\blesson\d*\.[a-z]{2}\b", file.name)]
"""The lessons in other languages than English: `lesson.de.toml`."""
WORDED = ("words", "right", "wrong")


def texts_of(lesson: dict[str, Any]) -> list[str]:
    """All sentences of a lesson's file in their order."""
    texts = [lesson["title"]]
    for stop in lesson["stop"]:
        texts += [stop[name] for name in WORDED if name in stop] + [*stop.get("answers", {}).values()]
    return texts


def without_texts(lesson: dict[str, Any]) -> dict[str, Any]:
    """A lesson's file with nothing in the places of its sentences and of the learner's name."""
    stops = [
        stop | {name: "" for name in WORDED if name in stop} | {"answers": dict.fromkeys(stop.get("answers", {}), "")}
        for stop in lesson["stop"]
    ]
    names = [name for seat, name in enumerate(lesson["names"]) if seat != lesson["seat"]]
    return lesson | {"title": "", "names": names, "stop": stops}


@pytest.mark.parametrize("file", TRANSLATED, ids=lambda file: str(file.relative_to(SOURCES)))
def test_a_translated_lesson_is_the_english_one_in_other_words(file: Path) -> None:
    """It has the same moves, places and cards, fits on a phone too, and names the version that it was made from."""
    english = file.with_name(re.sub(r"\.[a-z]{2}(?=\.toml$)", "", file.name))
    source, text = (path.read_text(encoding="utf-8") for path in (english, file))
    stated = f"# source: {english.name} {pages.version_of(source)}"
    assert text.partition("\n")[0] == stated, f"read {english.name} again, correct {file.name}, then its first line"
    one, other = tomllib.loads(source), tomllib.loads(text)
    assert without_texts(other) == without_texts(one)
    for original, translated in zip(texts_of(one), texts_of(other), strict=True):
        groups = [sorted(re.findall(r"\[(.*?)\]", words)) for words in (original, translated)]
        assert groups[0] == groups[1], translated
        assert len(" ".join(pages.draw(translated).split())) <= LONGEST, translated
        assert not re.search(r"\b(?:the|and|you|your|with|if|is|are)\b", translated)


# ------------------------------------------------------------------------------------------------------------- faults

GOOD = (Path(__file__).parents[1] / "src/upcard/games/sixty_six/lesson.toml").read_text(encoding="utf-8")
FAULTS = [
    ('move = "exchange"', 'move = "9h 9h"', "lesson.toml, stop 2: `9h 9h` is not legal: "),
    ('glow = ["upcard"]', 'glow = ["pond"]', "lesson.toml, stop 2: nothing called pond can glow: hand, headline, "),
    ('"0 9c"', '"0 Kh"', "lesson.toml, before stop 4: `0 Kh` is not possible: "),
    ('"close" =', '"As" =', "lesson.toml, stop 3: `As` is the move wanted, so it cannot be wrong"),
    ('"close" =', '"Ac" =', "lesson.toml, stop 3: `Ac` is not legal: "),
    ('wrong = "That would give', 'right = "That would give', "lesson.toml: Cannot overwrite a value"),
    ("seat = 1", "seat = 2", "lesson.toml: 2 players have as many names, and seats from 0"),
    ("dealer = 0", "dealer = 7", "lesson.toml: "),
    ("title =", "name =", "lesson.toml: Object "),
    ('glow = ["hand"]', 'right = "Good."', "lesson.toml, stop 1 has answers, but asks for no move"),
    ('glow = ["hand"]', 'move = "Ks"\nwrong = "No."', "lesson.toml, stop 1: `Ks` is not legal: "),
    ('wrong = "You have enough.', 'x = "You have enough.', "lesson.toml: Object contains unknown field `x`"),
]


@pytest.mark.parametrize(("old", "new", "words"), FAULTS, ids=[words[-40:] for _, _, words in FAULTS])
def test_a_fault_is_explained_in_one_line(old: str, new: str, words: str) -> None:
    assert old in GOOD
    with pytest.raises(BadLesson) as fault:
        read_lesson(games.load("sixty-six"), "lesson.toml", GOOD.replace(old, new, 1)).check()
    assert str(fault.value).startswith(words)
    assert "\n" not in str(fault.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "lesson.toml: Object missing required field"),
        ('\n[[stop]]\nwords = "Wait."\nevents = ["0 9c"]\nmove = "As"', "asks for a move, so the lesson has no end"),
        (
            '\n[[stop]]\nwords = "Wait."\nevents = ["0 9c"]\nmove = "Kd"\n\n[[stop]]\nwords = "End."',
            "no words for them",
        ),
    ],
)
def test_a_lesson_that_is_not_finished(text: str, words: str) -> None:
    start = GOOD.partition("[[stop]]\nevents")[0]
    begun = GOOD.split('[[stop]]\nevents = ["0 9c"]')[0] if text else start
    with pytest.raises(BadLesson, match=re.escape(words)):
        read_lesson(games.load("sixty-six"), "lesson.toml", begun + text).check()


def test_check_game_replays_lessons(tmp_path: Path) -> None:
    folder = write_template("Plain Tricks", tmp_path)
    law = Law(lessons_can_be_played, 1)
    text = (folder / "lesson.toml").read_text(encoding="utf-8")
    other = write_template("Odd Tricks", tmp_path)
    (other / "lesson.toml").write_text(text.replace('move = "Kh"', 'move = "Ac"'), encoding="utf-8")
    [good], [wrong] = games_named(str(folder)), games_named(str(other))
    assert law.verdict(good).broken is None
    assert str(law.verdict(wrong).broken).startswith("lesson.toml, stop 2: `Ac` is not legal: ")
