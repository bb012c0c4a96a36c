"""Languages made by rule, for the page: every text is 40 % longer than in English, accented and in brackets, and may be
read from the right. What is without brackets has not been translated, what has them inside is composed of pieces.

Texts of the house in messages that the tests make themselves are lengthened by the names of their fields.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parents[2] / "page"
ACCENTS = str.maketrans("aceinouyzACEINOUYZ", "áčéíñóúýžÁČÉÍÑÓÚÝŽ")
KEPT = re.compile(r"(\{\w+\}|</?\w+>|\d+|[♠♥♦♣]|\b(?:10|[2-9JQKA])(?=[♠♥♦♣]))")
"""Places, tags, numbers and cards: they stay as they are."""
SYLLABLE = 6
SENTENCES = {"asks", "headline", "label", "prompt", "result", "says", "title", "words"}
"""Fields of messages that hold texts for people."""


def pseudo(text: str) -> str:
    """A text in the language made by rule: accented, in brackets, 40 % longer."""
    parts = KEPT.split(text)
    letters = "".join(part if index % 2 else part.translate(ACCENTS) for index, part in enumerate(parts))
    more = max(0, round(0.4 * len(KEPT.sub("x", text))) - 2)
    words = ["~" * min(SYLLABLE, more - at) for at in range(0, more, SYLLABLE)]
    return " ".join([f"[{letters}", *words]) + "]" if text.strip() else text


def pseudo_fields(message: Any, field: str = "") -> Any:
    """A message whose texts for people are in that language."""
    if isinstance(message, dict):
        return {key: pseudo_fields(value, key) for key, value in message.items()}
    if isinstance(message, list):
        return [pseudo_fields(value, field) for value in message]
    shown = field in SENTENCES and isinstance(message, str) and re.search(r"[A-Za-z]{2}", message)
    return pseudo(message) if shown else message


def node() -> str | None:
    """The program that reads the page's texts from its sources; None where it or its packages are missing."""
    program = shutil.which("node")
    return program if program and (PAGE / "node_modules" / "svelte").is_dir() else None


@cache
def page_texts() -> list[dict[str, Any]]:
    """The texts of the page, as `tools/texts.mjs` lists them."""
    program = node()
    assert program is not None, "there is no node, or the page's packages have not been fetched"
    done = subprocess.run([program, "tools/texts.mjs"], cwd=PAGE, capture_output=True, text=True, check=True)
    texts: list[dict[str, Any]] = json.loads(done.stdout)
    return texts


def pseudo_catalog(tag: str, direction: str) -> dict[str, Any]:
    """What the house answers to `languages/tag`."""
    texts: dict[str, Any] = {}
    for text in page_texts():
        key = f"{text['context']}\u0004{text['msgid']}" if text["context"] else text["msgid"]
        plural = text["plural"]
        texts[key] = {"one": pseudo(text["msgid"]), "other": pseudo(plural)} if plural else pseudo(text["msgid"])
    return {"tag": tag, "direction": direction, "name": tag, "texts": texts}
