"""The numbers of a variant in the clauses of its rulebook: filled into the phrases that name them, or put in front."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from upcard.rules.game import Game
from upcard.rules.lineage import changed_numbers, root_of
from upcard.rules.options import Number
from upcard.rules.phrases import number_word
from upcard.rules.placeholders import BadPlaceholder, fill, values_of, with_numbers

_CLAUSE = re.compile(r"^(- \*\*([A-Z]{2,3}-\d+)\*\*(?: \[[^]]*\])?)(.*(?:\n  .*|\n(?=  ))*)", re.MULTILINE)
_OTHER_SECTION = re.compile(r"^## (?!.*\bClauses$).*$", re.MULTILINE)
_WORDS_BELOW = 20
_OTHER_WORDS = {2: r"|\b(?:half|twice|double)\b", 5: r"|\bfifth\b"}


def stated(value: int) -> re.Pattern[str]:
    """A pattern that finds a number in a sentence, in digits or as a word."""
    digits = rf"(?<![\w.,-]){value}(?![\w%]|\.\d)"
    words = rf"|\b{number_word(value)}\b{_OTHER_WORDS.get(value, '')}" if 0 <= value < _WORDS_BELOW else ""
    return re.compile(digits + words, re.IGNORECASE)


@lru_cache(maxsize=64)
def numbers_in_words(game: type[Game[Any]]) -> dict[str, str]:
    """The numbers that a variant changes, in words, by the clause that names them: {"LO-7": "cards in a hand: 3"}."""
    here: dict[str, list[str]] = {}
    for name, number in _changed(game).items():
        for clause in _clauses_of(game, name):
            here.setdefault(clause, []).append(_in_words(game, name, number))
    return {clause: "; ".join(numbers) for clause, numbers in here.items()}


def with_changed_numbers(page: str, game: type[Game[Any]]) -> str:
    """The rulebook of a variant's root, with the numbers that the variant changes.

    The phrases that name them are filled in. A clause that states such a number in any other way begins with it, and
    each section without clauses with the remark that it has the usual numbers.
    """
    changed, root = _changed(game), root_of(game)
    if not changed:
        return page
    usual, here = values_of(root.unconstrained()), values_of(game.unconstrained())

    def written(clause: re.Match[str]) -> str:
        head, name, body = clause.groups()
        filled = _Filled.of(body, _phrases(root, name), usual, here)
        named = [number for number in changed if name in _clauses_of(game, number)]
        left = [number for number in named if not filled.has(number, root.declared_numbers.get(number))]
        mark = "; ".join(_in_words(game, number, changed[number]) for number in left)
        return f"{head} **Here {mark}.**{filled.text}" if mark else head + filled.text

    remark = rf"\g<0>\n\n*With the usual numbers of {root.title}.*"
    return _OTHER_SECTION.sub(remark, _CLAUSE.sub(written, page))


def _changed(game: type[Game[Any]]) -> dict[str, Number]:
    """The numbers with a value of its own that a variant changes."""
    names = changed_numbers(game).keys() - root_of(game).declared_options.keys()
    return {name: one for name, one in game.declared_numbers.items() if name in names and not callable(one.value)}


def _clauses_of(game: type[Game[Any]], name: str) -> list[str]:
    """The clauses that name a number: those of the root, also where a variant declares it anew."""
    number = root_of(game).declared_numbers.get(name) or game.declared_numbers[name]
    return [*filter(None, [number.clause, *number.also.split()])]


def _in_words(game: type[Game[Any]], name: str, number: Number) -> str:
    return f"{with_numbers(number.help, game.unconstrained()) or name}: {number.text_for(None)}"


def _phrases(root: type[Game[Any]], clause: str) -> list[str]:
    """The phrases that may name a number in a clause."""
    declared = root.declared_numbers.items()
    return [phrase for name, number in declared if clause in _clauses_of(root, name) for phrase in number.phrases]


@dataclass(frozen=True)
class _Filled:
    """A clause with the numbers of a table in its phrases."""

    text: str
    rest: str
    """The clause without its phrases."""
    phrases: list[str]
    """The phrases that it has, as they are declared."""

    @staticmethod
    def of(body: str, phrases: list[str], usual: Mapping[str, Any], here: Mapping[str, Any]) -> _Filled:
        """Fill in a clause that states the usual numbers."""
        known: dict[str, str] = {}
        for phrase in phrases:
            try:
                fill(phrase, here)
                known[fill(phrase, usual)] = phrase
            except BadPlaceholder:  # a number that these words do not fit
                continue
        longest_first = sorted(known, key=len, reverse=True)
        ways = "|".join(r"\s+".join(map(re.escape, words.split())) for words in longest_first)
        pattern = re.compile(rf"(?<!\w)(?:{ways})(?!\w)" if ways else "$^")
        used = [known[" ".join(words.split())] for words in pattern.findall(body)]
        text = pattern.sub(lambda words: fill(known[" ".join(words[0].split())], here), body)
        return _Filled(text, pattern.sub("", body), used)

    def has(self, name: str, usual: Number | None) -> bool:
        """Whether the clause has a number filled in, and does not state its usual value in any other way."""
        if usual is None or not any(re.search(rf"\{{[^}}]*\b{name}\b", phrase) for phrase in self.phrases):
            return False
        value = usual.value_for(None) if not callable(usual.value) else ()
        if isinstance(value, int):
            value = (value.bit_count() if usual.is_pack else value,)
        return not any(stated(one).search(self.rest) for one in value)
