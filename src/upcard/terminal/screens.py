"""Modal screens over the table: the rules, the end of a deal, a question."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, ClassVar

from rich.markdown import Markdown
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Footer, Static

from upcard.languages.localizing import localized, reader, text_for_reader
from upcard.rules import pages
from upcard.rules.game import Game
from upcard.table.players_rules import plain_rules
from upcard.terminal import paint
from upcard.terminal.keys import localize_keys
from upcard.terminal.paint import Ink


class Rules(ModalScreen[None]):
    """The rules of the table in players' words; or the page of the rulebook, scrolled to the clause of a refusal."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,f1,f2,question_mark", "dismiss", "Back to the table", key_display="esc"),
    ]

    def __init__(self, setup: Game[Any], clause: str | None) -> None:
        super().__init__()
        localize_keys(self)
        rules = None if clause else plain_rules(setup, reader.get())
        self._page = rules or pages.page(setup.game) or text_for_reader(pages.NO_PAGE)
        self._clause = clause

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="page"):
            for clause, text in rulebook_sections(self._page):
                shown = "clause here" if clause and clause == self._clause else "clause"
                yield Static(Markdown(text), classes=shown, id=clause)
        yield Footer()

    def on_mount(self) -> None:
        self.query("#page").focus()  # there is none if the application is closing
        if self._clause and self.query(f"#{self._clause}"):
            self.call_after_refresh(self._turn_to, self._clause)

    def _turn_to(self, clause: str) -> None:
        self.query_one("#page").scroll_to_widget(self.query_one(f"#{clause}"), top=True, animate=False)


def rulebook_sections(page: str) -> list[tuple[str | None, str]]:
    """Split a rulebook page at its clauses and headings; returns each piece with the clause it begins with, or None."""
    pieces = re.split(rf"^(?=- \*\*{pages.CLAUSE}\*\*|#+ )", page, flags=re.MULTILINE)
    clauses = [re.match(rf"- \*\*({pages.CLAUSE})\*\*", piece) for piece in pieces]
    return [(match[1] if match else None, piece) for match, piece in zip(clauses, pieces, strict=True) if piece.strip()]


class TextScreen(ModalScreen[None]):
    """A page of text to read."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,l,f3,enter", "dismiss", "Back to the table", key_display="esc"),
    ]

    def __init__(self, text: str) -> None:
        super().__init__()
        localize_keys(self)
        self._text = text

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="page"):
            yield Static(Markdown(self._text))
        yield Footer()

    def on_mount(self) -> None:
        self.query("#page").focus()  # there is none if the application is closing


class Note(ModalScreen[None]):
    """A note to read before play continues."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,space,escape,f1", "dismiss", "Continue", key_display="enter"),
        Binding("down,pagedown", "turn(1)", show=False),
        Binding("up,pageup", "turn(-1)", show=False),
        Binding("ctrl+c,ctrl+q", "app.quit", show=False),
    ]

    def __init__(self, title: str, lines: Sequence[str], go_on: str, ink: Ink = paint.TWO) -> None:
        super().__init__()
        localize_keys(self)
        self._title = title
        self._lines = lines
        self._go_on = go_on
        self._ink = ink

    def compose(self) -> ComposeResult:
        with Vertical(classes="note"):
            yield Static(self._title, classes="title", markup=False)
            with VerticalScroll(can_focus=False):
                yield Static(paint.line("\n".join(self._lines), self._ink), markup=False)
            yield Static(self._go_on, classes="go-on", markup=False)

    def action_turn(self, by: int) -> None:
        """Scroll the text."""
        self.query_one(VerticalScroll).scroll_relative(y=4 * by, animate=False)

    def on_click(self) -> None:
        self.dismiss()


class Question(ModalScreen[bool]):
    """A question that confirms a move."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y,enter", "answer(True)", "Yes"),
        Binding("n,escape,q", "answer(False)", "No"),
        Binding("ctrl+c,ctrl+q", "app.quit", show=False),
    ]

    def __init__(self, title: str, text: str) -> None:
        super().__init__()
        localize_keys(self)
        self._title = title
        self._text = text

    def compose(self) -> ComposeResult:
        with Vertical(classes="note"):
            yield Static(self._title, classes="title", markup=False)
            yield Static(self._text, markup=False)
            yield Static(localized("y: yes   n: no"), classes="go-on")

    def action_answer(self, sure: bool) -> None:
        self.dismiss(sure)
