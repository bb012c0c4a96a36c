"""Sentences for players, which every reader gets in their own language.

A sentence is its English text, and remembers the message that it was made from ("{player} bids {n}") with what stands
in its places. Everything handles it as a text; where it leaves for a reader, `upcard.languages` translates the message
and fills in the places anew. So a sentence is never composed of pieces: only whole ones are joined.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Protocol, Self, cast

from upcard.rules.second_person import ME, own_form

PLACE = re.compile(r"\{([^{}]*)\}")
PLAYER_PLACES = ("player", "other", "partner", "dealer", "taker", "players")
"""The names of places for players. `players` is for several of them."""
CONTEXT = "\x04"
"""The character between the context of a message and the message, as in files of GNU gettext."""
_NOTHING: Mapping[str, Any] = {}


class Translation(Protocol):
    """How a reader's language words a message."""

    def template(self, message: str, plural: str, number: int, game: Any) -> str:
        """A message of a game (or of no game: None) in this language; with a plural, the form for this number."""
        ...

    def form(self, number: int, forms: int) -> int:
        """Which of this many plural forms goes with a number."""
        ...


class _English:
    """The language in which messages are written."""

    def template(self, message: str, plural: str, number: int, game: Any) -> str:
        return plural if plural and number != 1 else message.rpartition(CONTEXT)[2]

    def form(self, number: int, forms: int) -> int:
        return min(int(number != 1), forms - 1)


ENGLISH: Translation = _English()


class PlayerAt(int):
    """The player at a seat, whose name is filled in for each table."""

    def __str__(self) -> str:
        return f"{{{int(self)}}}"


class Sentence(str):
    """A text for players, made by `sentence` and the functions that join sentences."""

    __slots__ = ("_owned", "game", "message", "places", "plural")
    message: str
    plural: str
    """The message for other numbers than one in the place {n}; empty if there is none."""
    places: Mapping[str, Any]
    """By name: numbers, texts, sentences, players, and tuples of players' names."""
    game: Any
    """The game whose catalog has the message first; None for that of the sentence around it."""
    _owned: Sentence | None
    """The same as a sentence of the last game that was asked for."""

    @property
    def inner(self) -> Iterable[Any]:
        """Everything that stands in it."""
        return self.places.values()

    def __new__(
        cls,
        text: str,
        message: str | None = None,
        plural: str = "",
        places: Mapping[str, Any] = _NOTHING,
        game: Any = None,
    ) -> Self:
        sentence = str.__new__(cls, text)
        sentence.message = str(text) if message is None else message
        sentence.plural, sentence.places, sentence.game, sentence._owned = plural, places, game, None
        return sentence

    def words(self, language: Translation, game: Any = None) -> str:
        """The text in a language; `game` is that of the sentence around it."""
        game = self.game or game
        template = language.template(self.message, self.plural, self.places.get("n", 1), game)
        return _filled(template, self.places, language, game)

    def format(self, *names: object, **_: object) -> Sentence:
        """The same with players' names in their places, addressed to the player whose name is `ME`."""
        if not names or not _names_players(self):
            return self
        return _addressed(self.message, self.plural, (*self.places.items(),), self.game, names)

    def of(self, game: Any) -> Self:
        """The same as a sentence of this game, if it is not another's."""
        if self.game is not None or game is None:
            return self
        if self._owned is None or self._owned.game is not game:
            self._owned = self._copy(game)
        return cast(Self, self._owned)

    def _copy(self, game: Any) -> Sentence:
        return type(self)(self, self.message, self.plural, self.places, game)


def sentence(message: str, plural: str = "", /, **places: Any) -> Sentence:
    """A sentence: a message, and what stands in its places. With `plural`, the place {n} chooses between the two.

    Players stand in places of `PLAYER_PLACES`, as `PlayerAt(seat)`, or in {players} as a list of them. Raises TypeError
    for a player in another place.
    """
    for name, value in places.items():
        kind = type(value)
        if kind is list:
            places[name] = tuple(value)
        elif isinstance(value, Sentence) and (value.places or value.message != value):
            return _checked(message, plural, **places)  # its text alone does not tell it from others
    return _remembered(message, plural, **places)


def _checked(message: str, plural: str, /, **places: Any) -> Sentence:
    for name, value in places.items():
        if name not in PLAYER_PLACES and not isinstance(value, Sentence) and _names_players(value):
            raise TypeError(f"{message!r}: a player's place is called {', '.join(PLAYER_PLACES)}, not {name}")
    return _built(message, plural, places, None)


_remembered = lru_cache(1 << 13, typed=True)(_checked)
"""The same for what recurs: places without sentences that have places or a context of their own."""


def in_context(context: str, text: str) -> Sentence:
    """A word that is translated differently in different contexts, as one of this context."""
    return Sentence(text, f"{context}{CONTEXT}{text}")


def message_with(message: str, places: Mapping[str, Any], game: Any = None) -> Sentence:
    """Like `sentence`, for the messages of moves, in whose places are a move's items by number; `game` is the game
    whose catalog has the message first."""
    return _built(message, "", places, game)


def _built(message: str, plural: str, places: Mapping[str, Any], game: Any) -> Sentence:
    for value in places.values():
        if _is_mine(value):
            mine = frozenset([name for name, value in places.items() if _is_mine(value)])
            places = {name: _others(value) for name, value in places.items()}
            shared = bool(places.get("players"))
            message, plural = own_form(message, mine, shared), plural and own_form(plural, mine, shared)
            break
    english = plural if plural and places["n"] != 1 else message
    return Sentence(_filled(english, places, ENGLISH, game), message, plural, places, game)


def _is_mine(value: object) -> bool:
    return value == ME if type(value) is str else type(value) is tuple and ME in value


def _others(value: object) -> object:
    if type(value) is tuple:
        return tuple([name for name in value if name != ME])
    return "" if value == ME else value


def _names_players(value: object) -> bool:
    """Whether a value has players without names in it."""
    if isinstance(value, Sentence):
        return any(map(_names_players, value.inner))
    return type(value) is PlayerAt or (type(value) is tuple and any(map(_names_players, value)))


def _named(value: Any, names: Sequence[Any]) -> Any:
    if type(value) is PlayerAt:
        return names[value]
    if isinstance(value, Sentence):
        return value.format(*names)
    if type(value) is tuple:
        return tuple([_named(one, names) for one in value])
    return value


@lru_cache(1 << 12)
def _addressed(
    message: str, plural: str, places: tuple[tuple[str, Any], ...], game: Any, names: Sequence[Any]
) -> Sentence:
    return _built(message, plural, {name: _named(value, names) for name, value in places}, game)


@lru_cache(1 << 12)
def _parts(template: str) -> Sequence[str]:
    """The texts and the places of a template in turn, beginning and ending with a text."""
    return PLACE.split(template)


def _filled(template: str, places: Mapping[str, Any], language: Translation, game: Any) -> str:
    if "{" not in template:
        return template
    parts = [*_parts(template)]
    for number in range(1, len(parts), 2):
        name = parts[number]
        parts[number] = _text(places[name], language, game) if name in places else f"{{{name}}}"
    return "".join(parts)


def _text(value: object, language: Translation, game: Any) -> str:
    if isinstance(value, Sentence):
        return str(value) if language is ENGLISH else value.words(language, game)
    return listed(value).words(language, game) if type(value) is tuple else str(value)


def as_sentence(text: str, game: Any) -> Sentence:
    """A text of a game as a sentence, whose message is the whole text if it is not one yet."""
    return _whole(text, game) if type(text) is str else cast(Sentence, text).of(game)


@lru_cache(1 << 10)
def _whole(text: str, game: Any) -> Sentence:
    return Sentence(text, game=game)


# ------------------------------------------------------------------------------------------------------------- joined


class Joined(Sentence):
    """Whole sentences one after another. `message` is what stands between them."""

    __slots__ = ("inner",)
    inner: Sequence[Any]
    """The sentences."""

    def words(self, language: Translation, game: Any = None) -> str:
        return self.message.join([_text(part, language, self.game or game) for part in self.inner])

    def format(self, *names: object, **_: object) -> Sentence:
        if not names or not _names_players(self):
            return self
        return joined_by(self.message, [_named(part, names) for part in self.inner], self.game)

    def _copy(self, game: Any) -> Sentence:
        return _joined(self, self.message, self.inner, game)


def joined_by(between: str, parts: Iterable[str], game: Any = None) -> Sentence:
    """These sentences with a text between them; empty ones are left out."""
    inner = [part for part in parts if part != ""]
    return _joined(between.join(inner), between, inner, game)


def _joined(text: str, between: str, inner: Sequence[Any], game: Any) -> Joined:
    joined = Joined(text, between, "", _JOINED, game)
    joined.inner = inner
    return joined


_JOINED: Mapping[str, Any] = {"": ""}
"""The places of what is joined, which is never the same as another text."""


def facts(*parts: str) -> Sentence:
    """Short sentences side by side, such as those of a headline: `Deal 2 · hearts are trumps`."""
    return joined_by(" · ", parts)


def listed(several: Sequence[object], word: str = "and") -> Sentence:
    """A list in words: `Ann`, `Ann and Bo`, `Ann, Bo and Cy`; with `or` instead of `and`."""
    names = [*map(_as_text, several)]
    if len(names) < 2:
        return joined_by("", names)
    return _built(f"{{several}} {word} {{last}}", "", {"several": joined_by(", ", names[:-1]), "last": names[-1]}, None)


def _as_text(value: object) -> str:
    return value if isinstance(value, str) else str(value)


class Capital(Sentence):
    """A sentence with a capital first letter."""

    __slots__ = ()

    def words(self, language: Translation, game: Any = None) -> str:
        return upper_first(_text(self.places["0"], language, self.game or game))

    def format(self, *names: object, **_: object) -> Sentence:
        return _capital(_named(self.places["0"], names))


def capital(text: str) -> str:
    """A text with a capital first letter."""
    return _capital(text) if isinstance(text, Sentence) else upper_first(text)


def _capital(text: str) -> Sentence:
    return Capital(upper_first(text), "", "", {"0": text}, getattr(text, "game", None))


class Lower(Sentence):
    """A sentence with a small first letter, to be named within another one."""

    __slots__ = ()

    def words(self, language: Translation, game: Any = None) -> str:
        text = _text(self.places["0"], language, self.game or game)
        return text[:1].lower() + text[1:]

    def format(self, *names: object, **_: object) -> Sentence:
        return lower_first(_named(self.places["0"], names))


def lower_first(text: str) -> Sentence:
    """A text with a small first letter."""
    small = str(text[:1]).lower() + str(text[1:])
    return Lower(small, "", "", {"0": text}, getattr(text, "game", None))


def upper_first(text: str) -> str:
    """The plain text with a capital first letter."""
    return str(text[:1]).upper() + str(text[1:])


# ---------------------------------------------------------------------------------------------------------- questions

YOUR_TURN = "Your turn: "


@lru_cache(1024)
def turn_message(message: str) -> str:
    """The whole sentence of a prompt: `Your turn: lead a card`."""
    return YOUR_TURN + message


def your_turn(message: str, plural: str = "", /, **places: Any) -> Sentence:
    """The sentence that asks a player to act: `your_turn("lead a card")` is "Your turn: lead a card"."""
    return sentence(turn_message(message), turn_message(plural) if plural else "", **places)
