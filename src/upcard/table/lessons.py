"""Lessons: deals in which a learner makes the moves and hears why they are good, from files next to a game's rules."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from functools import cache
from typing import Any, Literal

import msgspec
from msgspec import Struct, field

from upcard.engine.errors import IllegalMove, UpcardError
from upcard.engine.match import Match
from upcard.engine.setup import Setup
from upcard.languages.catalogs import DEFAULT, translation
from upcard.rules import pages
from upcard.rules.game import Game
from upcard.rules.sentences import as_sentence, sentence
from upcard.table.event_replay import ReplayedEvent, replay_events
from upcard.table.refusals import explain
from upcard.table.scene import SceneView, scene_for

PLACES = ("hand", "headline", "moves", "trick")
"""The places that can glow in every game; the others are cards, seats (`seat 1`) and the zones of a scene."""


class BadLesson(UpcardError):
    """A lesson that cannot be played, explained in one line that names the file and the stop."""


class Stop(Struct, forbid_unknown_fields=True, frozen=True):
    """A moment at which a lesson waits for the learner: to make a move, or else only to read."""

    words: str
    """With cards as `[Kh Qh]`."""
    events: list[str] = []
    """The events between the previous stop's move and this one, as in a match record."""
    glow: list[str] = []
    """The places to look at."""
    move: str = ""
    """The move that the learner is to make; empty if the stop is only to be read."""
    right: str = ""
    """A word of praise for the move."""
    wrong: str = ""
    """The answer to any legal move that has no answer of its own."""
    answers: dict[str, str] = {}
    """Answers to other legal moves, by move."""


class LessonFile(Struct, forbid_unknown_fields=True, frozen=True, rename={"stops": "stop"}):
    """A lesson as its file has it."""

    title: str
    players: int
    dealer: int
    """The seat that deals first, as in a match record."""
    seat: int
    """The learner's seat."""
    names: list[str]
    """The players' names, by seat."""
    stops: list[Stop]
    options: dict[str, Any] = field(default_factory=dict)


class LessonAnswer(Struct, frozen=True):
    """The answer to a move that a learner tries."""

    kind: Literal["right", "wrong", "refused"]
    """`wrong`: legal, but not what this lesson is about; `refused`: not legal."""
    text: str
    clause: str | None = None
    """For a refusal: the clause that forbids the move."""


class Lesson:
    """A lesson of a game, ready to be played. `source` is the name of its file.

    Raises BadLesson if it names an impossible table.
    """

    def __init__(self, game: type[Game[Any]], source: str, file: LessonFile) -> None:
        self.game, self.source, self.file = game, source, file
        try:
            self._setup = Setup(game, file.players, file.options)
            self.first_match()
        except UpcardError as error:
            raise BadLesson(f"{source}: {error}") from None
        if len(file.names) != file.players or file.seat not in range(file.players):
            raise BadLesson(f"{source}: {file.players} players have as many names, and seats from 0")
        self.events: list[str] = []
        """All events in order, as in a match record, with the learner's moves."""
        self.seqs: list[int] = []
        """For each stop, the number of events before it."""
        for stop in file.stops:
            self.events += stop.events
            self.seqs.append(len(self.events))
            if stop.move:
                self.events.append(f"{file.seat} {stop.move}")

    @property
    def stops(self) -> list[Stop]:
        """The stops in order."""
        return self.file.stops

    def first_match(self) -> Match[Any]:
        """The match before its first event."""
        return Match(self._setup, dealer=self.file.dealer)

    def match(self, stop: int) -> Match[Any]:
        """The match at a stop, counted from 0. Raises BadLesson if the rules do not allow an event before it."""
        match = self.first_match()
        for number, text in enumerate(self.events[: self.seqs[stop]]):
            try:
                match.event(text)
            except IllegalMove as error:
                before = next(place for place, seq in enumerate(self.seqs, 1) if seq > number)
                raise BadLesson(f"{self.source}, before stop {before}: `{text}` is not possible: {error}") from None
        return match

    def scene(self, stop: int) -> SceneView:
        """The scene that the learner sees at a stop. Raises BadLesson."""
        return scene_for(self.match(stop), self.file.seat, self.file.names)

    def wanted(self, stop: int) -> str:
        """The move to make at a stop, named like its button; empty if there is none. Raises BadLesson."""
        move = self.stops[stop].move
        labels = {offered.text: offered.label for offered in self.scene(stop).offers.moves} if move else {}
        return labels.get(move) or pages.in_signs(move)

    def line(self, replayed: ReplayedEvent) -> str:
        """An event in words, without the result of a deal that it ends; empty for the learner's own moves."""
        if replayed.event.seat == self.file.seat:
            return ""
        return replayed.line(self.file.seat, result=False)

    def lines(self) -> list[str]:
        """The lines of all events. Raises BadLesson."""
        return [self.line(replayed) for replayed in self.replay()]

    def replay(self) -> Iterator[ReplayedEvent]:
        """Replay all events one by one."""
        return replay_events(self.first_match(), self.events, self.file.names)

    def answer(self, stop: int, text: str) -> LessonAnswer:
        """The answer to a move tried at a stop, counted from 0. Raises BadLesson."""
        asked = self.stops[stop]
        match = self.match(stop)
        wanted = match.fork().play(self.file.seat, asked.move) if asked.move else None
        try:
            tried = match.fork().play(self.file.seat, text)
        except IllegalMove as error:
            scene = scene_for(match, self.file.seat, self.file.names)
            return LessonAnswer("refused", explain(match, scene, self.file.names, text, error.clause), error.clause)
        if wanted is not None and tried.text == wanted.text:
            return LessonAnswer("right", pages.draw(asked.right))
        own = {match.fork().play(self.file.seat, move).text: words for move, words in asked.answers.items()}
        return LessonAnswer("wrong", pages.draw(own.get(tried.text, asked.wrong)))

    def check(self) -> None:
        """Replay the lesson and look whether everything that it names is there. Raises BadLesson."""
        if not self.stops or not self.stops[0].events:
            raise BadLesson(f"{self.source}: the first stop has no events: they begin with the deal")
        if self.stops[-1].move:
            raise BadLesson(f"{self.source}: the last stop asks for a move, so the lesson has no end")
        for number, stop in enumerate(self.stops):
            self._check_stop(f"{self.source}, stop {number + 1}", number, stop)

    def _check_stop(self, place: str, number: int, stop: Stop) -> None:
        scene, match = self.scene(number), self.match(number)
        for name in stop.glow:
            if name not in targets(scene):
                raise BadLesson(f"{place}: nothing called {name} can glow: {', '.join(targets(scene))}")
        if (stop.right or stop.wrong or stop.answers) and not stop.move:
            raise BadLesson(f"{place} has answers, but asks for no move")
        if not stop.move:
            return
        if scene.seat not in scene.to_act:
            raise BadLesson(f"{place}: it is not the learner's turn")
        for move in [stop.move, *stop.answers]:
            try:
                text = match.fork().play(self.file.seat, move).text
            except IllegalMove as error:
                raise BadLesson(f"{place}: `{move}` is not legal: {error}") from None
            if move in stop.answers and text == f"{self.file.seat} {stop.move}":
                raise BadLesson(f"{place}: `{move}` is the move wanted, so it cannot be wrong")
        if not stop.wrong and len(match.legal(self.file.seat)) > 1 + len(stop.answers):
            raise BadLesson(f"{place}: there are other legal moves, but no words for them (wrong)")


def targets(scene: SceneView) -> list[str]:
    """The names of everything that can glow in a scene."""
    shown = [*scene.hand, *(card for zone in scene.zones for card in zone.cards)]
    shown += [card for seat in scene.seats for card in seat.open]
    seats = [f"seat {seat.seat}" for seat in scene.seats]
    return list(dict.fromkeys([*PLACES, *seats, *(zone.id for zone in scene.zones), *shown]))


def lessons_of(game: type[Game[Any]], language: str = "en") -> list[Lesson]:
    """The lessons of a game in a language, in English where they are not written in it; the first one first. Raises
    BadLesson for a file that cannot be read."""
    return _lessons(game, language)


@cache
def _lessons(game: type[Game[Any]], language: str) -> list[Lesson]:
    return [read_lesson(game, name, text) for name, text in pages.lesson_files(game, language)]


def read_lesson(game: type[Game[Any]], name: str, text: str) -> Lesson:
    """A lesson from the text of its file, which has this name. Raises BadLesson."""
    try:
        return Lesson(game, name, msgspec.convert(tomllib.loads(text), LessonFile))
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise BadLesson(f"{name}: {error}") from None


def words_with_cards(stop: Stop) -> str:
    """A stop's words with cards as signs, on one line."""
    return " ".join(pages.draw(stop.words).split())


def lesson_text(lesson: Lesson, language: str = DEFAULT) -> str:
    """A lesson to be read instead of played, as Markdown; the lesson is one in this language."""
    reader = translation(language)
    lines = [f"# {as_sentence(lesson.game.title, lesson.game).words(reader)}: {lesson.file.title}"]
    for number, stop in enumerate(lesson.stops, 1):
        choice = sentence("You choose “{move}”.", move=lesson.wanted(number - 1)).words(reader) if stop.move else ""
        lines.append(f"{number}. {words_with_cards(stop)}" + (f" *{choice}*" if choice else ""))
    return "\n\n".join(lines)


def lessons_text(game: type[Game[Any]], language: str = DEFAULT) -> str:
    """All lessons of a game to be read, as Markdown. Raises BadLesson."""
    texts = [lesson_text(lesson, language) for lesson in lessons_of(game, language)]
    return "\n\n".join(texts) or NO_LESSON.words(translation(language))


NO_LESSON = sentence("This game has no lesson yet.")
