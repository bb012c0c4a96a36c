"""The table in lines of text, for pipes, screen readers and terminals without cursor control."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterable
from typing import TextIO

from upcard.languages.localizing import localized, reader, text_for_reader
from upcard.players import LEVELS
from upcard.rules import listed, pages
from upcard.rules.sentences import as_sentence, sentence
from upcard.table.errors import Refusal
from upcard.table.lessons import lessons_text
from upcard.table.offers import Move
from upcard.table.players_rules import plain_rules
from upcard.table.scene import SceneView
from upcard.terminal import choosing, wording
from upcard.terminal.preferences import Preferences, save
from upcard.terminal.session import Session
from upcard.terminal.typed import several_moves, tidy

HELP = sentence(
    """\
Type a move as it is listed: a card (As, 10d, a♠, ace of spades), a word (pass), or a word with cards or a number.
You can also type the number of a move in the list. Type several moves on one line, separated by commas.
hand: your cards. moves: all your moves. table: everything on the table. last: the last trick. scores: the scores.
hint: the best moves now, and how much better they are.
undo: take your last move back. again: play this deal again from its first card.
learn: the text of the lesson. rules: the rules. rules 17: clause 17. rules all: the rulebook.
words: write cards in words (ace of spades) or in letters (As).
quit: leave the table."""
)


class LineSession:
    """Reads one line per move and prints what happened. The table is paused while it waits for a line."""

    def __init__(self, session: Session, settings: Preferences, lines: TextIO, out: TextIO) -> None:
        self._session = session
        self._settings = settings
        self._lines = lines
        self._out = out
        self._printed = 0
        """The number of the latest event that has been printed."""
        self._before: SceneView | None = None
        self._interactive = lines.isatty()
        session.noticed = lambda text: self._say([text])
        self._commands: dict[str, Callable[[], Iterable[str]]] = {
            "hand": lambda: [wording.hand(self._scene)],
            "moves": lambda: wording.all_moves(self._scene),
            "table": lambda: wording.table_lines(self._scene, session.names),
            "last": lambda: [wording.last_trick(self._scene.last_trick, session.names)],
            "scores": lambda: wording.scores(self._scene, session.names),
            "learn": self._learn,
            "words": self._change_style,
        }

    def run(self) -> None:
        """Play until the match is over or the person leaves. Raises NotWritten if the match cannot be saved."""
        with asyncio.Runner() as table:
            try:
                stays = self._play_on(table)
            except KeyboardInterrupt:  # while the others think
                stays = False
            if not stays:
                returning = f"upcard play --resume {self._session.plan.id}"
                self._say([localized("You leave the table. To return: {command}", command=returning)])
                return
            self._print(wording.afterwards(self._session.plan.id))
            self._say([self._scene.prompt, *wording.scores(self._scene, self._session.names)])

    def _play_on(self, table: asyncio.Runner) -> bool:
        """Play until the match is over; False if the person leaves earlier."""
        table.run(self._sit_down())
        self._say(self._introduction())
        self._report()
        while not self._scene.done:
            line = self._read()
            if line is None or tidy(line) in ("quit", "q"):
                return False
            texts = table.run(self._answer(line))
            if texts and self._is_sure(texts):
                table.run(self._play(texts))
        return True

    @property
    def _scene(self) -> SceneView:
        return self._session.scene

    @property
    def _style(self) -> wording.Style:
        return wording.in_full if self._settings.words else wording.in_letters

    def _say(self, lines: Iterable[str]) -> None:
        self._print(map(self._style, lines))

    def _print(self, lines: Iterable[str]) -> None:
        for line in lines:
            self._out.write(line + "\n")
        self._out.flush()

    def _read(self) -> str | None:
        """The next line that is not empty; None at the end of the input."""
        while True:
            if self._interactive:
                self._out.write("> ")
                self._out.flush()
            try:
                line = self._lines.readline()
            except KeyboardInterrupt:
                self._out.write("\n")
                return None
            if not line:
                return None
            if line.strip():
                return line

    async def _sit_down(self) -> None:
        await self._session.open()
        await self._session.settle()

    def _introduction(self) -> list[str]:
        names = self._session.names
        others = [name for seat, name in enumerate(names) if seat != self._session.seat]
        level = wording.in_small(text_for_reader(as_sentence(LEVELS[self._session.level].title, None)))
        message = "You play against {others}, {level} computer players."
        if len(others) == 1:
            message = "You play against {others}, a {level} computer player."
            if level[0] in "aeiou":
                message = "You play against {others}, an {level} computer player."
        return [
            localized("{game} for {number}.", game=self._session.title, number=len(names)),
            localized(message, others=listed(others), level=level),
            localized("Type help for a list of commands."),
        ]

    def _report(self) -> None:
        """Print what has happened since the last report, and the prompt."""
        scene = self._scene
        lines = [line.text for line in self._session.log if line.seq > self._printed]
        self._printed = self._session.seq
        lines += wording.unlogged_changes(self._before, scene, self._session.names)
        self._before = scene
        if not scene.done:
            lines += self._asked()
        self._say(lines)

    def _asked(self) -> list[str]:
        return [wording.hand(self._scene), self._scene.prompt, *wording.few_moves(self._scene)]

    async def _answer(self, line: str) -> list[str]:
        """Carry out a line if it is a command, and return no moves; otherwise return the moves that it means."""
        moves = choosing.sorted_moves(self._scene.offers, self._scene.hand)
        text = tidy(line)
        word, _, rest = text.partition(" ")
        if all(text != move.text for move in moves):
            if text in self._commands:
                self._say(self._commands[text]())
                return []
            if word in ("help", "?"):
                self._print(text_for_reader(HELP).splitlines())
                return []
            if word == "rules":
                self._print(self._rules(rest))
                return []
            if text == "hint":
                await self._advise()
                return []
            if text in ("undo", "again"):
                await self._go_back(text)
                return []
        return self._by_number(text, moves) if re.fullmatch("[0-9]{1,4}", text) else several_moves(line)

    def _by_number(self, line: str, moves: list[Move]) -> list[str]:
        if 1 <= int(line) <= len(moves):
            return [moves[int(line) - 1].text]
        if moves:
            self._say([localized("There is no move {number}: they are 1 to {last}.", number=line, last=len(moves))])
        else:
            message = "There is no move {number}: the moves that you can make now have no numbers."
            self._say([localized(message, number=line)])
        return []

    def _is_sure(self, texts: list[str]) -> bool:
        """Whether to make a move: a move that can cost a deal must be confirmed, if input is interactive."""
        asks = next((move.asks for move in self._scene.offers.moves if move.text == texts[0]), "")
        if not (asks and self._settings.ask and self._interactive):
            return True
        self._say([localized("{question} Type yes or no.", question=asks)])
        return (self._read() or "").strip().lower()[:1] in ("y", localized("yes")[:1])

    async def _play(self, texts: list[str]) -> None:
        refusal = await self._session.move(*texts)
        if refusal:
            self._refuse(refusal)
            return
        await self._session.settle()
        self._report()

    def _refuse(self, refusal: Refusal) -> None:
        self._say([localized("{refusal}.", refusal=refusal.sentence), self._scene.prompt])

    async def _go_back(self, wish: str) -> None:
        """Take back a move or the whole deal."""
        session = self._session
        refusal = await (session.undo() if wish == "undo" else session.deal_again(session.scene.deal))
        if refusal:
            self._refuse(refusal)
            return
        await session.settle()
        self._printed = session.seq
        self._before = session.scene
        news = localized("You take your move back.") if wish == "undo" else localized("The same cards again.")
        self._say([news, *self._asked()])

    async def _advise(self) -> None:
        self._say([wording.hint_waits(), *[localized("Ctrl-C: continue without it.")] * self._interactive])
        try:
            self._say(wording.hint_lines(await self._session.hint()))
        except Refusal as refusal:
            self._refuse(refusal)
        except asyncio.CancelledError:  # Ctrl-C
            self._say([localized("No hint, then."), self._scene.prompt])

    def _change_style(self) -> list[str]:
        self._settings.words = not self._settings.words
        save(self._settings)
        return [wording.hand(self._scene)]

    def _learn(self) -> list[str]:
        text = lessons_text(self._session.game, reader.get())
        return [line.replace("*", "").lstrip("# ") for line in text.splitlines() if line]

    def _rules(self, wanted: str) -> list[str]:
        """The whole page of the rulebook, one clause, or the rules in players' words."""
        game = self._session.game
        rulebook = pages.page(game) or text_for_reader(pages.NO_PAGE)
        if wanted == "all":
            return rulebook.splitlines()
        if wanted:
            clause = wanted.upper()
            if clause.isdigit():
                clause = f"{game.clauses.prefix}-{clause}"
            body = pages.clauses(game).get(clause)
            missing = localized("There is no clause {clause} on the page of this game.", clause=clause)
            return [f"{clause}: {body}"] if body else [missing]
        page = plain_rules(self._session.match.options, reader.get()) or re.split(r"\n## 2[.] ", rulebook)[0]
        return [_row(line) for line in page.splitlines() if line.strip() and not re.fullmatch(r"[|:\s-]*", line)]


def _row(line: str) -> str:
    """A row of a Markdown table, or any other line, as plain text."""
    cells = [cell.strip() for cell in line.strip("|").split("|")]
    return ": ".join(filter(None, cells)).replace("`", "").replace("*", "").lstrip("# ")
