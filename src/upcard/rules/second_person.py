"""Sentences in the second person: for Ann, "Ann plays K♥" becomes "You play K♥"."""

from __future__ import annotations

import re
from collections.abc import Set
from functools import lru_cache

ME = "\ue000"
"""The placeholder for the reader's name, so that no ordinary word that equals the name is replaced."""

_IRREGULAR = {"is": "are", "has": "have", "was": "were", "does": "do", "goes": "go"}
_NOUNS = {*"clubs diamonds hearts spades cards chips jokers points tricks trumps rounds".split()}


def you(text: str, name: str) -> str:
    """A sentence addressed to the person with this name: "Ann plays K♥ and takes the trick" becomes "You play …"."""
    return _to_you(text, name) if name and name in text else text


@lru_cache(maxsize=1 << 12)
def own_form(message: str, mine: Set[str], shared: bool = False) -> str:
    """A message addressed to the player in these places: "{player} plays {0}" becomes "You play {0}". `shared`: others
    are in {players} too: "You and {players} win"."""
    for name in mine:
        message = message.replace(f"{{{name}}}", f"{ME} and {{{name}}}" if shared and name == "players" else ME)
    return re.sub(r"^You (?=\{\w+\}$)", "you ", you(message, ME))  # a name and a number are an entry of a list


@lru_cache(maxsize=1 << 12)
def _to_you(text: str, name: str) -> str:
    """Cached, as the same sentences recur."""
    parts = re.split(rf"(?<!\w){re.escape(name)}(?!\w)", text)
    sentence = parts[0]
    for part in parts[1:]:
        word = "You" if not sentence or sentence.endswith(". ") else "you"
        if part.startswith(("’s ", "'s ")):
            sentence += f"{word}r{part[2:]}"
        else:
            sentence += word + _second_person(part)
    return sentence


def _second_person(text: str) -> str:
    """Put the verbs after "you" into the second person, up to the end of the clause."""
    end = re.search(r"[.;:](?: |$)", text)
    clause, rest = (text[: end.start()], text[end.start() :]) if end else (text, "")
    clause = re.sub(r"^ ([a-z]+s)\b", lambda verb: f" {_verb(verb[1])}", clause)
    return re.sub(r"(?<= and )([a-z]+s)\b", lambda verb: _verb(verb[1]), clause) + rest


def _verb(word: str) -> str:
    """The second person of a verb: `play` for `plays`."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if word in _NOUNS or word.endswith(("ss", "us")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    return word[:-2] if word.endswith(("sses", "shes", "ches", "xes", "zes", "oes")) else word[:-1]
