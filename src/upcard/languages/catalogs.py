"""Catalogs: the translations of sentences, in files of GNU gettext.

`de.mo` in this folder has the sentences of tables, houses and terminals in German, and those that games share. A game
has its own next to its rulebook: `de.mo` in its folder, or `x.de.mo` next to its file `x.py`. Further folders with the
same files, those of games as `games/slug/de.mo`, are named in `UPCARD_LANGUAGES` (separated as in PATH).
"""

from __future__ import annotations

import gettext
import logging
import os
import re
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Literal

from upcard.rules.errors import UpcardError
from upcard.rules.lineage import classes_of, file_of
from upcard.rules.placeholders import forms_of, tags_of
from upcard.rules.sentences import ENGLISH, PLACE, Translation

DEFAULT = "en"
"""English, in which all messages are written: it needs no catalog."""
TAG = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*")
log = logging.getLogger("upcard.languages")


class BadCatalog(UpcardError):
    """A file of translations that cannot be read, explained in one line that names it."""


@dataclass(frozen=True)
class Language:
    """A language that there is a catalog for."""

    tag: str
    """As in BCP 47: `de`, `pt-BR`."""
    name: str
    """Its name in itself: `Deutsch`."""
    direction: Literal["ltr", "rtl"] = "ltr"
    """`ltr` or `rtl`: whether it is written from left to right."""


class Catalog(gettext.GNUTranslations):
    """The translations in one file."""

    def plural_index(self, number: int) -> int:
        """Which of the plural forms goes with a number."""
        return int(self.plural(number))  # type: ignore[attr-defined]

    def translated(self, message: str, plural: str, number: int) -> str | None:
        """The translation of a message; None if the file has none."""
        known: dict[Any, str] = self._catalog  # type: ignore[attr-defined]
        return known.get((message, self.plural_index(number)) if plural else message) or None


def folders() -> list[Path]:
    """The folders with catalogs of everything that is no game: Upcard's own, and those of `UPCARD_LANGUAGES`."""
    more = os.environ.get("UPCARD_LANGUAGES", "").split(os.pathsep)
    return [Path(__file__).parent, *(Path(folder) for folder in more if folder)]


def read_catalog(file: Path) -> Catalog:
    """The catalog in a file. Raises BadCatalog."""
    try:
        with file.open("rb") as stream:
            return Catalog(stream)
    except (OSError, ValueError, struct.error, SyntaxError) as error:
        raise BadCatalog(f"{file} is not a catalog of translations: {error}") from None


@cache
def _catalog(file: Path) -> Catalog | None:
    """The catalog in a file; None if there is none, or one that cannot be read, which is logged."""
    if not file.is_file():
        return None
    try:
        return read_catalog(file)
    except BadCatalog as error:
        log.warning("%s", error)
        return None


def catalog_files(game: type[Any] | None, tag: str) -> list[Path]:
    """The files that may have translations of a game's sentences (None: of no game's), the first one first: those of a
    variant before those of its base."""
    files = []
    kinds = [kind for kind in classes_of(game) if hasattr(kind, "slug")] if game is not None else []
    for kind in kinds:
        if (home := file_of(kind)) is not None:
            files += [folder / "games" / kind.slug / f"{tag}.mo" for folder in folders()[1:]]
            files.append(home.parent / f"{tag}.mo" if home.name == "__init__.py" else home.with_suffix(f".{tag}.mo"))
    return [*files, *(folder / f"{tag}.mo" for folder in reversed(folders()))]


class _Translated:
    """A language with catalogs."""

    def __init__(self, tag: str) -> None:
        self._tag = tag
        self._general = [one for one in map(_catalog, catalog_files(None, tag)) if one is not None]

    @lru_cache(1 << 14)  # noqa: B019  (languages live as long as the program)
    def template(self, message: str, plural: str, number: int, game: Any) -> str:
        for catalog in _catalogs_of(game, self._tag):
            text = catalog.translated(message, plural, number)
            if text is not None and has_same_places(message, plural, text):
                return text
        return ENGLISH.template(message, plural, number, game)

    def form(self, number: int, forms: int) -> int:
        if not self._general:
            return ENGLISH.form(number, forms)
        return min(self._general[0].plural_index(number), forms - 1)


@cache
def _catalogs_of(game: Any, tag: str) -> Sequence[Catalog]:
    return [one for one in map(_catalog, catalog_files(game, tag)) if one is not None]


def has_same_places(message: str, plural: str, translation: str) -> bool:
    """Whether a translation has the places of its message, so that it can be filled in. The number of a plural may be
    left out, as in "one card"."""
    if any(map(forms_of, (message, translation))):
        return tags_of(message) == tags_of(translation)
    has, needed = set(PLACE.findall(translation)), set(PLACE.findall(message))
    return has <= needed | set(PLACE.findall(plural)) and needed - has <= ({"n"} if plural else set())


@cache
def translation(tag: str) -> Translation:
    """The language with this tag; English if there is none."""
    return _Translated(tag) if tag != DEFAULT and tag in {language.tag for language in languages()} else ENGLISH


@cache
def languages() -> Sequence[Language]:
    """The languages that there are catalogs for, English first."""
    there = {
        file.stem: file for folder in folders() for file in sorted(folder.glob("*.mo")) if TAG.fullmatch(file.stem)
    }
    here = [Language(DEFAULT, "English")]
    for tag, file in sorted(there.items()):
        if (catalog := _catalog(file)) is not None and tag != DEFAULT:
            name, direction = (catalog.translated(message, "", 1) for message in ("English", "ltr"))
            here.append(Language(tag, name or tag, "rtl" if direction == "rtl" else "ltr"))
    return here


def forget_catalogs() -> None:
    """Look for catalogs again, since files have been added."""
    for remembered in (_catalog, _catalogs_of, translation, languages, best_language):
        remembered.cache_clear()


def page_texts(tag: str) -> bytes | None:
    """The translations of the page's own texts, as JSON; None if there are none in this language."""
    if TAG.fullmatch(tag) and tag in {language.tag for language in languages()}:
        for folder in reversed(folders()):
            file = folder / f"{tag}.json"
            if file.is_file():
                return file.read_bytes()
    return None


@lru_cache(1 << 10)
def best_language(accepted: str) -> str:
    """The best language for a reader who accepts these, as in a header `Accept-Language`: `de-AT, de;q=0.9, en;q=0.8`.
    English if there is none of them."""
    there = {language.tag.lower(): language.tag for language in languages()}
    for tag in _in_order(accepted[:500]):
        parts = tag.split("-")
        while parts:
            if (known := there.get("-".join(parts))) is not None:
                return known
            parts.pop()
    return DEFAULT


def language_of_environment() -> str:
    """The language that the environment asks for, by the variables that GNU gettext reads."""
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        if wanted := os.environ.get(name):
            tags = [one.partition(".")[0].partition("@")[0].replace("_", "-") for one in wanted.split(":")]
            return best_language(",".join(tags))
    return DEFAULT


def language_named(tag: str | None) -> str:
    """The language with this tag; for None, that of the environment. Raises UpcardError for one that is not here."""
    if tag is None:
        return language_of_environment()
    there = [language.tag for language in languages()]
    if tag not in there:
        raise UpcardError(f"there is no language {tag!r:.20} (there are: {', '.join(there)})")
    return tag


def _in_order(accepted: str) -> list[str]:
    """The tags of an `Accept-Language` header in lower case, the most welcome first."""
    weighed = []
    for place, part in enumerate(accepted.split(",")):
        tag, _, weight = part.strip().partition(";")
        quality = re.fullmatch(r"\s*q\s*=\s*([01](?:\.\d*)?)\s*", weight)
        if TAG.fullmatch(tag.strip()) and (not weight or quality):
            weighed.append((-(float(quality[1]) if quality else 1.0), place, tag.strip().lower()))
    return [tag for quality, _, tag in sorted(weighed) if quality < 0]
