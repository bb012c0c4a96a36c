"""Pages with placeholders and conditional sentences, filled in with the options and numbers of one table.

| on the page | becomes |
| --- | --- |
| `{target}`, `{value['A']}`, `{2 * size}` | the number, or the text of an option |
| `{size:word}`, `{size:Word}` | the number as a word up to twenty: `six`, `Six` |
| `{target:point\\|points}` | the number with its noun: `1 point`, `7 points` |
| `{contracts:listed}` | the letters or digits of a text as a list: `1, 4 and 7` |
| `{fetcher:rank}`, `{pam:card}`, `{prize:cards}`, `{next_trump[1]:suit}` | `nine`, `[Jc]`, `[2h]`, `spades` |
| `{pam:written}` | a card in notation: `Jc` |
| `{pam:suit of}` | the suit of a card: `clubs` |
| `{pack:count}`, `{pack:group}` | how many cards a set has; their ranks as cards, highest first: `[As Ks Qs]` |
| `{pack:ranks}`, `{strength:ranks}` | its ranks, the strongest first: `A K Q J T 9` |
| `{strength:faces}`, `{strength:dashes}` | its ranks as cells of a table, strongest first; the line below them |
| `{value:along strength}` | what each of these counts, as further cells |
| `{if endplay == 'strict'} … {else} … {end}` | one part or the other |
| `{if usual} … {end}` | a part for tables with the numbers that the game ships with |

A tag alone on its line takes no line. Expressions have names, numbers, texts, `[…]`, `+ - * //`, comparisons,
`and`, `or`, `not`, and `count(pack)`, the number of cards in a set.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Mapping
from typing import Any

from upcard.rules.cards import NO_SUIT, RANK_NAMES, RANKS, SUIT_NAMES, as_list, as_set, pack, suit_of, text
from upcard.rules.errors import UpcardError
from upcard.rules.game import Game
from upcard.rules.lineage import changed_numbers, root_of
from upcard.rules.phrases import number_word
from upcard.rules.sentences import ENGLISH, Sentence, Translation, as_sentence, capital, listed

_NO, _NONE = Sentence("no"), Sentence("none")
LARGEST_WORD = 20
"""Larger numbers are written in digits."""
_TAG = re.compile(r"\{([^{}]*)\}")
_OWN_LINE = re.compile(r"^[ ]*(\{(?:if [^{}]*|else|end)\})[ ]*\n", re.MULTILINE)
_OPERATORS: dict[type[ast.AST], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.FloorDiv: operator.floordiv,
    ast.Eq: operator.eq, ast.NotEq: operator.ne,
    ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge,
}  # fmt: skip


class BadPlaceholder(UpcardError):
    """A placeholder that cannot be filled in: an unknown name, a wrong expression, an `if` without its `end`."""


def fill(page: str, values: Mapping[str, Any], language: Translation = ENGLISH) -> str:
    """Fill in the placeholders of a page in this language, from the options and numbers of a table by name.

    Raises BadPlaceholder.
    """
    parts = _TAG.split(_OWN_LINE.sub(r"\1", page))  # text, tag, text, tag, …, text
    if stray := re.search(r"[^\n]{0,20}[{}]", "".join(parts[::2])):
        raise BadPlaceholder(f"a brace without its partner at {stray[0]!r}")
    written: list[str] = []
    branches: list[tuple[bool, bool]] = []  # for each open `if`: whether its part is written, and its other part
    for place, part in enumerate(parts):
        shown = all(now for now, _ in branches)
        if place % 2 == 0:
            written.append(part if shown else "")
        elif part.startswith("if "):
            holds = shown and bool(_value(part[3:], values))
            branches.append((holds, shown and not holds))
        elif part in ("else", "end"):
            if not branches:
                raise BadPlaceholder(f"{{{part}}} without an {{if …}}")
            _, other = branches.pop()
            if part == "else":
                branches.append((other, False))
        elif shown:
            try:
                filled = _filled(part, values, language)
                written.append(filled.words(language) if isinstance(filled, Sentence) else filled)
            except (TypeError, LookupError, AttributeError):
                raise BadPlaceholder(f"{{{part}}} does not fit its form") from None
    if branches:
        raise BadPlaceholder("an {if …} without its {end}")
    closed_up = re.sub(r"(?<=\S)[ \n](?=[.,;](?:\s|$))", "", "".join(written))  # a part that begins with a comma
    return re.sub(r"\n{3,}", "\n\n", closed_up)


class FilledIn(Sentence):
    """A short text with placeholders. Its places are the options and numbers of a table by name."""

    __slots__ = ()

    def words(self, language: Translation, game: Any = None) -> str:
        game = self.game or game
        return fill(language.template(self.message, "", 1, game), self.places, language)

    def format(self, *names: object, **_: object) -> Sentence:
        return self


def with_numbers(text: str, setup: Game[Any]) -> Sentence:
    """A short text of a game, filled in with the options and numbers of a table; unchanged if that is not possible,
    because its braces are no placeholders."""
    if "{" in text:
        try:
            values = values_of(setup)
            return FilledIn(fill(text, values), text, "", values, setup.game)
        except BadPlaceholder:
            pass
    return as_sentence(text, setup.game)


def tags_of(text: str) -> list[str]:
    """The expressions of a text's placeholders and its conditions, sorted."""
    return sorted(
        tag if tag.startswith("if ") or tag in ("else", "end") else tag.partition(":")[0] for tag in _TAG.findall(text)
    )


def forms_of(text: str) -> list[str]:
    """The placeholders of a text that are more than the name of a place."""
    return [tag for tag in _TAG.findall(text) if not re.fullmatch(r"\w+(\.\w+)?", tag)]


def has_usual_numbers(game: type[Game[Any]]) -> bool:
    """Whether a game has all numbers of its root, apart from options that it settles."""
    return not changed_numbers(game).keys() - root_of(game).declared_options.keys()


def values_of(setup: Game[Any]) -> dict[str, Any]:
    """The number of players, and the options and numbers of a table by name: options as tables choose them; and
    `usual`, whether all numbers are those that the game ships with."""
    values: dict[str, Any] = {"players": setup.players, "usual": has_usual_numbers(setup.game)}
    for name in setup.declared_numbers:
        values[name] = setup.setting(name)
    for name, option in (root_of(setup.game).declared_options | setup.declared_options).items():
        number = setup.setting(name)
        if option.kind == "digits":
            values[name] = str(number)
        else:
            values[name] = next(
                (value for value in option.values if option.number(value, setup.players) == number), number
            )
    return values


def conditions(page: str) -> list[str]:
    """The conditions of a page's sentences, in their order."""
    return [tag[3:] for tag in _TAG.findall(page) if tag.startswith("if ")]


def _filled(tag: str, values: Mapping[str, Any], language: Translation) -> str:
    expression, _, form = tag.partition(":")
    value = _value(expression, values)
    if form == "listed":
        return listed(list(str(value)))
    if form in ("word", "Word"):
        word = (
            number_word(value) if isinstance(value, int) and 0 < value <= LARGEST_WORD else str(value) if value else _NO
        )
        return capital(word) if form == "Word" else word
    if form == "rank":
        return RANK_NAMES[int(value)]
    if form == "suit":
        return _NONE if value == NO_SUIT else SUIT_NAMES[int(value)]
    if form == "suit of":
        return SUIT_NAMES[suit_of(value)]
    if form == "written":
        return text(value)
    if form in ("card", "cards"):
        return f"[{' '.join(map(text, [value] if form == 'card' else as_list(value)))}]"
    if form in ("count", "group", "ranks", "faces", "dashes"):
        return _of_ranks(form, value, values)
    if form.startswith("along "):
        return " | ".join(str(value[RANKS.index(rank)]) for rank in _ranks(values[form[6:]], values))
    forms = form.split("|")
    if form and len(forms) < 2:
        raise BadPlaceholder(f"{{{tag}}}: what stands after the colon is neither a form nor a noun as in point|points")
    return f"{value} {forms[language.form(value, len(forms))]}" if form else str(value)


def _of_ranks(form: str, value: Any, values: Mapping[str, Any]) -> str:
    """A set of cards or a row of strengths as a count, or as cards that are drawn."""
    if form == "count":
        return str(int(value).bit_count())
    ranks = _ranks(value, values)
    if form == "ranks":
        if values["pack"] != as_set(pack("".join(ranks))):
            raise BadPlaceholder("not all suits have the same ranks")
        return " ".join(ranks)
    if form == "dashes":
        return " | ".join("---" for _ in ranks)
    return f"[{' '.join(f'{rank}s' for rank in ranks)}]" if form == "group" else " | ".join(f"[{r}s]" for r in ranks)


def _ranks(value: Any, values: Mapping[str, Any]) -> list[str]:
    """The ranks of a set of cards in natural order, or of a row of strengths that the pack has, the strongest first."""
    held = [rank for rank in reversed(RANKS) if as_set(pack(rank)) & values["pack"]]
    if isinstance(value, int):
        return held
    return sorted(held, key=lambda rank: value[RANKS.index(rank)], reverse=True)


def _value(expression: str, values: Mapping[str, Any]) -> Any:
    try:
        return _evaluate(ast.parse(expression.strip(), mode="eval").body, values)
    except BadPlaceholder:
        raise
    except (SyntaxError, TypeError, ValueError, LookupError, ArithmeticError, RecursionError):
        raise BadPlaceholder(f"{{{expression}}} cannot be worked out") from None


def _evaluate(node: ast.AST, values: Mapping[str, Any]) -> Any:
    match node:
        case ast.Constant(value=value):
            return value
        case ast.Name(id=name):
            if name not in values:
                raise BadPlaceholder(f"there is no option or number {name}")
            return values[name]
        case ast.Subscript(value=row, slice=place):
            index = _evaluate(place, values)
            return _evaluate(row, values)[RANKS.index(index) if isinstance(index, str) else index]
        case ast.Call(func=ast.Name(id="count"), args=[cards], keywords=[]):
            return int(_evaluate(cards, values)).bit_count()
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return not _evaluate(operand, values)
        case ast.BoolOp(op=ast.And(), values=several):
            return all(_evaluate(one, values) for one in several)
        case ast.BoolOp(values=several):
            return any(_evaluate(one, values) for one in several)
        case ast.BinOp(left=left, op=op, right=right) | ast.Compare(left=left, ops=[op], comparators=[right]):
            if type(op) in _OPERATORS:
                return _OPERATORS[type(op)](_evaluate(left, values), _evaluate(right, values))
    raise ValueError("this is not part of an expression here")
