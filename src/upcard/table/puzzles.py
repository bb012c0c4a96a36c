"""Puzzles: positions in which one move alone is right, from a file next to a game's rules."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from functools import cache, cached_property
from typing import Any, Literal

import msgspec
from msgspec import Struct, field

from upcard.engine.errors import IllegalMove, UpcardError
from upcard.engine.match import Match
from upcard.engine.setup import Setup
from upcard.rules import pages
from upcard.rules.game import Game
from upcard.rules.phrases import number_word
from upcard.rules.sentences import Sentence, joined_by, listed, sentence
from upcard.table.event_replay import replay_events
from upcard.table.own_scene import names_with_me
from upcard.table.refusals import explain
from upcard.table.scene import SceneView, scene_for

DIFFICULTIES = sentence("Easy"), sentence("Medium"), sentence("Hard")
"""The difficulties from 1 on."""
FEWEST = 3
"""The fewest moves to choose from."""
EPOCH = date(2026, 1, 1)
"""The day of the first puzzle of the day."""


class BadPuzzle(UpcardError):
    """A puzzle that cannot be shown, explained in one line that names the file and the line."""


class FailingMove(Struct, forbid_unknown_fields=True, frozen=True, omit_defaults=True):
    """How a wrong move fails."""

    worlds: int
    """The number of worlds in which it fails."""
    answer: str = ""
    """An answer by which it fails in one of them, as in a match record: `2 Kd`; empty if no single one does it."""
    holds: str = ""
    """The hand of that seat there, before its answer."""


class PuzzleFile(Struct, forbid_unknown_fields=True, frozen=True, omit_defaults=True):
    """A puzzle as its file has it, on one line."""

    players: int
    dealer: int
    """The seat that deals first, as in a match record."""
    events: list[str]
    """All events before the position."""
    seat: int
    """The seat whose move is asked for."""
    names: list[str]
    """The players' names, by seat."""
    difficulty: int
    """From 1 to 3: one more for each level of computer players (casual, medium) that errs here."""
    move: str
    """The right move."""
    worlds: int
    """The number of worlds in which the moves were tried, equivalent ones counted once."""
    options: dict[str, Any] = field(default_factory=dict)
    aim: str = ""
    """The feat that only the right move is certain of: "make your bid of 3 tricks"."""
    goal: int = 0
    """The score at the end of the deal that means this."""
    fails: dict[str, FailingMove] = {}
    """How every other move fails; empty if experts have judged the moves."""
    costs: dict[str, int] = {}
    """By every other move, its cost in points on average, as judged by expert players; empty if there is a proof."""

    @property
    def is_judged(self) -> bool:
        """Whether expert players have judged the moves, because nothing is proved."""
        return bool(self.costs)

    @property
    def legal(self) -> list[str]:
        """All moves."""
        return [self.move, *self.fails, *self.costs]


class PuzzleAnswer(Struct, frozen=True):
    """The answer to a move that is tried in a puzzle."""

    kind: Literal["right", "wrong", "refused"]
    """`wrong`: legal, but not the right one; `refused`: not legal."""
    text: str
    """For the right move, the proof."""
    clause: str | None = None
    """For a refusal: the clause that forbids the move."""


class Puzzle:
    """A puzzle of a game. `source` names its file and line. Raises BadPuzzle if it names an impossible table."""

    def __init__(self, game: type[Game[Any]], source: str, file: PuzzleFile) -> None:
        self.game, self.source, self.file = game, source, file
        try:
            self._setup = Setup(game, file.players, file.options)
            Match(self._setup, dealer=file.dealer)
        except UpcardError as error:
            raise BadPuzzle(f"{source}: {error}") from None
        if len(file.names) != file.players or file.seat not in range(file.players):
            raise BadPuzzle(f"{source}: {file.players} players have as many names, and seats from 0")

    def match(self) -> Match[Any]:
        """The match at the position. Raises BadPuzzle."""
        match = Match(self._setup, dealer=self.file.dealer)
        for text in self.file.events:
            try:
                match.event(text)
            except IllegalMove as error:
                raise BadPuzzle(f"{self.source}: `{text}` is not possible: {error}") from None
        return match

    def scene(self) -> SceneView:
        """The position as the seat sees it. Raises BadPuzzle."""
        return scene_for(self.match(), self.file.seat, self.file.names)

    def course(self) -> list[str]:
        """The events before the position in words, as the seat has seen them."""
        start: Match[Any] = Match(self._setup, dealer=self.file.dealer)
        names = names_with_me(self.file.names, self.file.seat)
        return [replayed.line(self.file.seat) for replayed in replay_events(start, self.file.events, names)]

    @property
    def question(self) -> Sentence:
        """The question in a whole sentence."""
        if self.file.is_judged:
            return sentence("Find the move that expert players judge to be clearly the best here.")
        aim, number = aim_message(self.file.aim)
        return sentence(with_aim(QUESTION, aim), number=number).of(self.game)

    @cached_property
    def labels(self) -> dict[str, str]:
        """Every legal move in words, like its button. Raises BadPuzzle."""
        labels = {offered.text: offered.label for offered in self.scene().offers.moves}
        return {move: labels.get(move) or pages.in_signs(move) for move in self.file.legal}

    def answer(self, text: str) -> PuzzleAnswer:
        """The answer to a move. Raises BadPuzzle."""
        match = self.match()
        try:
            tried = match.fork().play(self.file.seat, text)
        except IllegalMove as error:
            scene = scene_for(match, self.file.seat, self.file.names)
            return PuzzleAnswer("refused", explain(match, scene, self.file.names, text, error.clause), error.clause)
        moves = {match.fork().play(self.file.seat, move).text: move for move in self.file.legal}
        move = moves.get(tried.text, "")
        return (
            PuzzleAnswer("right", self.proof()) if move == self.file.move else PuzzleAnswer("wrong", self.why_not(move))
        )

    def proof(self) -> Sentence:
        """Why the right move is right, in sentences. Raises BadPuzzle."""
        file, right = self.file, self.labels[self.file.move]
        if file.is_judged:
            (next_best, least), *_, (worst, most) = sorted(file.costs.items(), key=lambda one: one[1])
            return sentence(
                "“{move}” is clearly the best, as expert players judge. They have tried every move in {deals} deals "
                "that fit what you have seen. On average “{next_best}”, the next best, is worse by {least}, and "
                "“{worst}” by {most}.",
                move=right,
                deals=_thousands(file.worlds),
                next_best=self.labels[next_best],
                least=_points(least),
                worst=self.labels[worst],
                most=_points(most),
            )
        if file.worlds == 1:
            message = (
                "You can work out where all cards are. After “{move}” nothing that is played can stop you; after every "
                "other move it can."
            )
            return sentence(message, move=right)
        fails = sorted(file.fails.items(), key=lambda one: -one[1].worlds)
        others = [
            sentence("“{move}” in {cases}", move=self.labels[m], cases=_thousands(one.worlds)) for m, one in fails
        ]
        aim, number = aim_message(file.aim)
        places = {"move": right, "number": number, "cases": f"{file.worlds:,}", "others": listed(others)}
        return sentence(with_aim(PROOF, aim), **places).of(self.game)

    def why_not(self, move: str) -> Sentence:
        """Why another move is wrong, in sentences that give nothing away. Raises BadPuzzle."""
        file, label = self.file, self.labels.get(move) or pages.in_signs(move)
        if move in file.costs:
            message = "“{move}” is not the best: it costs {points} on average."
            return sentence(message, move=label, points=_points(file.costs[move]))
        if move not in file.fails:
            return sentence("“{move}” is not the best.", move=label)
        failure = file.fails[move]
        fails = sentence("“{move}” can fail.", move=label)
        if file.worlds > 1 and failure.worlds == file.worlds:
            message = "“{move}” can fail in all {all} cases that the hidden cards allow."
            fails = sentence(message, move=label, all=_thousands(file.worlds))
        elif file.worlds > 1:
            message = "“{move}” can fail in {cases} of the {all} cases that the hidden cards allow."
            fails = sentence(message, move=label, cases=_thousands(failure.worlds), all=_thousands(file.worlds))
        if not failure.answer:
            return fails
        seat, _, answer = failure.answer.partition(" ")
        example = sentence(
            "For example, {player} holds {cards} and answers “{answer}”: then you can be stopped.",
            player=file.names[int(seat)],
            cards=pages.draw(f"[{failure.holds}]"),
            answer=pages.in_signs(answer),
        )
        return joined_by(" ", [fails, example])

    def check(self) -> None:
        """Replay the puzzle and look whether its moves are the legal ones. Raises BadPuzzle."""
        match, file = self.match(), self.file
        if file.seat not in match.to_act:
            raise BadPuzzle(f"{self.source}: it is not the turn of seat {file.seat}")
        legal = match.view(file.seat).legal()
        if sorted(file.legal) != sorted(legal):
            raise BadPuzzle(f"{self.source}: the legal moves are {', '.join(legal)}, not {', '.join(file.legal)}")
        if len(legal) < FEWEST:
            raise BadPuzzle(f"{self.source}: there are fewer than {FEWEST} moves to choose from")
        if file.difficulty not in range(1, len(DIFFICULTIES) + 1):
            raise BadPuzzle(f"{self.source}: difficulty is from 1 to {len(DIFFICULTIES)}")
        if bool(file.fails) == bool(file.costs) or bool(file.fails) != bool(file.aim):
            raise BadPuzzle(f"{self.source}: it has either an aim, and fails by move, or costs by move")
        if (
            not all(0 < one.worlds <= file.worlds for one in file.fails.values())
            or min(file.costs.values(), default=1) < 1
        ):
            raise BadPuzzle(f"{self.source}: every other move fails in a number of the worlds, or costs points")


QUESTION = "Find the only move that is certain to {aim}, however the hidden cards lie."
PROOF = (
    "“{move}” is certain to {aim}, whatever is played: one way to play on succeeds in all {cases} cases that the "
    "hidden cards allow. The other moves can fail: {others} of these cases."
)
AIMS = (
    "score at least {number} point in this deal",
    "score at least {number} points in this deal",
    "score at least {number} point for your side in this deal",
    "score at least {number} points for your side in this deal",
    "take at least {number} trick in this deal",
    "take at least {number} tricks in this deal",
    "make your bid of {number} trick",
    "make your bid of {number} tricks",
    "win the deal",
    "win the deal with {number} points",
)
"""The messages of the aims that `upcard make-puzzles` gives; other aims are read as they are."""
_NUMBERS = {number_word(number): number_word(number) for number in range(2, 100)}


def with_aim(message: str, aim: str) -> str:
    """The message of a whole sentence that names an aim."""
    return message.replace("{aim}", aim)


def aim_message(aim: str) -> tuple[str, str]:
    """The message of an aim, and the number in it as it is written there: `win the deal with three points`."""
    for word in aim.split():
        if word.isdecimal() or word in _NUMBERS:
            return aim.replace(f" {word} ", " {number} "), _NUMBERS.get(word, word)
    return aim, ""


def _thousands(number: int) -> str:
    """A number below a million with a mark after its thousands, in which languages differ."""
    thousands, rest = divmod(number, 1000)
    return sentence("{thousands},{rest}", thousands=thousands, rest=f"{rest:03}") if thousands else str(rest)


def _points(number: int) -> Sentence:
    return sentence("{n} point", "{n} points", n=number)


@cache
def puzzles_of(game: type[Game[Any]]) -> Sequence[Puzzle]:
    """The puzzles of a game in order; empty if it has none. Raises BadPuzzle for a file that cannot be read."""
    stored = pages.puzzle_file(game)
    return () if stored is None else read_puzzles(game, *stored)


def read_puzzles(game: type[Game[Any]], name: str, text: str) -> Sequence[Puzzle]:
    """The puzzles in the text of a file with this name, which has one on each line. Raises BadPuzzle."""
    puzzles = []
    for number, line in enumerate(filter(None, text.splitlines()), 1):
        try:
            puzzles.append(Puzzle(game, f"{name}, line {number}", msgspec.json.decode(line, type=PuzzleFile)))
        except (msgspec.ValidationError, msgspec.DecodeError) as error:
            raise BadPuzzle(f"{name}, line {number}: {error}") from None
    return puzzles


def difficulties_of(game: type[Game[Any]]) -> list[int]:
    """The difficulty of each puzzle of a game; empty if its file cannot be read, which `upcard check-game` explains."""
    try:
        return [puzzle.file.difficulty for puzzle in puzzles_of(game)]
    except BadPuzzle:
        return []


def puzzle_of_day(games: Sequence[type[Game[Any]]], day: date) -> Puzzle | None:
    """The puzzle of a day, the same for everybody who has these games: each game in turn. None if no game has any."""
    having = [game for game in games if difficulties_of(game)]
    if not having:
        return None
    turn, place = divmod((day - EPOCH).days, len(having))
    puzzles = puzzles_of(having[place])
    return puzzles[turn % len(puzzles)]
