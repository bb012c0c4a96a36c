"""The table in lines of text: through pipes, for screen readers, wherever nothing but lines will do."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterable
from typing import TextIO

from upcard.rules import pages
from upcard.terminal import words
from upcard.terminal.moves import in_order, tidy
from upcard.terminal.session import Scene, Session

HELP = """\
Type a move as it is listed: a card (As, 10d, a♠, ace of spades), a word (pass), a word with cards or a number.
The number of a move in the list will do as well.
hand: your cards. moves: all you may do. table: everything on the table. last: the last trick. scores: the scores.
learn: the game in two minutes. rules: the game in short. rules SS-17: one clause. rules all: the whole page.
words: cards in words (ace of spades) or in letters (As).
quit: leave the table."""


class Plain:
    """Reads a line a move and prints what happened. The table stands still while it waits for a line."""

    def __init__(self, session: Session, lines: TextIO, out: TextIO) -> None:
        self._session = session
        self._lines = lines
        self._out = out
        self._style: words.Style = words.in_letters
        self._told = 0
        self._before: Scene = {}
        self._asking = lines.isatty()
        self._commands: dict[str, Callable[[], Iterable[str]]] = {
            "hand": lambda: [words.hand(self._scene)],
            "moves": lambda: words.numbered(in_order(self._scene), 1),
            "table": lambda: words.table(self._scene, session.names),
            "last": lambda: [words.last_trick(self._scene, session.names)],
            "scores": lambda: words.scores(self._scene, session.names),
            "learn": self._learn,
            "words": self._change_style,
        }

    def run(self) -> None:
        """Play until the match is over or the person goes."""
        with asyncio.Runner() as table:
            table.run(self._sit_down())
            self._say(self._introduction())
            self._tell()
            while not self._scene["done"]:
                line = self._read()
                if line in (None, "quit"):
                    self._say(["You leave the table."])
                    return
                table.run(self._answer(line))
            self._say([self._scene["prompt"], *words.scores(self._scene, self._session.names)])

    @property
    def _scene(self) -> Scene:
        return self._session.scene

    def _say(self, lines: Iterable[str]) -> None:
        self._print(map(self._style, lines))

    def _print(self, lines: Iterable[str]) -> None:
        for line in lines:
            self._out.write(line + "\n")
        self._out.flush()

    def _read(self) -> str | None:
        """The next line that says something; None at the end."""
        while True:
            if self._asking:
                self._out.write("> ")
                self._out.flush()
            line = self._lines.readline()
            if not line:
                return None
            if line.strip():
                return tidy(line)

    async def _sit_down(self) -> None:
        await self._session.open()
        await self._session.settle()

    def _introduction(self) -> list[str]:
        names = self._session.names
        others = [name for seat, name in enumerate(names) if seat != self._session.seat]
        return [
            f"{self._session.game.title} for {len(names)}: you are {names[self._session.seat]}.",
            f"The others are {words.listed(others)}: {self._session.level} computer players.",
            "Type help to hear what you can type.",
        ]

    def _tell(self) -> None:
        """What has happened since the last time, and what is asked now."""
        scene = self._scene
        lines = self._session.log[self._told :]
        self._told = len(self._session.log)
        lines += words.changes(self._before, scene, self._session.names)
        self._before = scene
        if not scene["done"]:
            lines += [words.hand(scene), scene["prompt"], *words.few_moves(scene)]
        self._say(lines)

    async def _answer(self, line: str) -> None:
        """A move, or a wish to hear something."""
        moves = in_order(self._scene)
        word, _, rest = line.partition(" ")
        if all(line != move["text"] for move in moves):
            if line in self._commands:
                self._say(self._commands[line]())
                return
            if word in ("help", "rules"):
                self._print(HELP.splitlines() if word == "help" else self._rules(rest))
                return
            if re.fullmatch("[0-9]{1,4}", line):
                if not 1 <= int(line) <= len(moves):
                    self._say([f"There is no move {line}: they are 1 to {len(moves)}."])
                    return
                line = moves[int(line) - 1]["text"]
        refusal = await self._session.move(line)
        if refusal:
            clause = f" ({refusal.clause})" if refusal.clause else ""
            self._say([f"{refusal}{clause}", self._scene["prompt"]])
            return
        await self._session.settle()
        self._tell()

    def _change_style(self) -> list[str]:
        self._style = words.in_letters if self._style is words.in_full else words.in_full
        return [words.hand(self._scene)]

    def _learn(self) -> list[str]:
        text = pages.draw(pages.learn(self._session.game) or "Nobody has told this game in two minutes yet.")
        return [line.replace("*", "").lstrip("# ") for line in text.splitlines() if line]

    def _rules(self, wanted: str) -> list[str]:
        """The page, a clause of it, or what the game is about."""
        game = self._session.game
        page = pages.page(game) or "This game has no page of rules yet."
        if wanted == "all":
            return page.splitlines()
        if wanted:
            clause = wanted.upper()
            if clause.isdigit():
                clause = f"{self._session.game.prefix}-{clause}"
            body = pages.clauses(game).get(clause)
            return [f"{clause}: {body}"] if body else [f"There is no clause {clause} on the page of this game."]
        at_a_glance = page.partition("\n## 2")[0]
        return [_row(line) for line in at_a_glance.splitlines() if line.strip() and not re.fullmatch(r"[|\s-]*", line)]


def _row(line: str) -> str:
    """A row of a table as a line."""
    cells = [cell.strip() for cell in line.strip("|").split("|")]
    return ": ".join(filter(None, cells)).replace("`", "").replace("*", "").lstrip("# ")
