"""The players' edition of the rulebook: the same clauses, without the parts that concern only records, programs
and authors."""

from __future__ import annotations

import re

from upcard.rules.pages import CLAUSE, in_signs

_LEFT_OUT = ("3. Moves", "The report", "Records", "The record")
"""Sections about how events are recorded."""
_TITLES = {"2. Clauses": "The rules", "4. Options": "House rules", "5. Worked examples": "Examples"}
_TAG = re.compile(r" ?\[(?:source|ruling)[^\]]*\]")
_NAMED = re.compile(
    r"(?:Clause prefix:|Prefix|Slug|Game name in records:) [^.\n]*\. ?|^Values are text unless.*\n", re.MULTILINE
)
_REMARK = re.compile(r"\s*\([^()|]*\bsource\b[^()|]*\)")
_NAMED_THERE = re.compile(r",\s+[^,:;.()]*\bthat\s+the\s+source\s+\w+")
_ITS_EXAMPLE = re.compile(r"\bThe source's example\b")
_ASIDE = re.compile(r"^ *(?:The|In the) source\b.*\n(?: *[^\s|#-].*\n)*", re.MULTILINE)
_ROW = re.compile(r"^\|.*\bthe source\b.*\|$", re.MULTILINE)
_REASON = re.compile(r"[,:;]\s+(?:(?:and|as|because|since)\s+)?the\s+source\b(?:\([^()]*\)|[^.:;()])*(?=[.:;])")
"""Remarks about the source of the rules, which matter only to those who review the rulings."""
_TECHNICAL = re.compile(
    r"\b[Tt]he\s+source\b|\brecord|\breport|\bevents?\b|\bwinners`|`to_act`|`dealer`|`deal`|\bmod\b|[Ss]oftware"
)
_SENTENCE = re.compile(r"(?<=[.;])\s+(?=[A-Z(`])")
_PART = re.compile(r"(?<=[:;] )")
_ITEM = re.compile(rf"^- \*\*{CLAUSE}\*\*.*(?:\n  .*)*", re.MULTILINE)
_CODE = re.compile(r"`([^`]+)`")
_TEN = re.compile(r"(?<![\w(])T(?!\w)")


def for_players(text: str) -> str:
    """A page of the rulebook for players, as Markdown."""
    sections = re.split(r"^(?=##+ )", _TAG.sub("", text), flags=re.MULTILINE)
    sections = [_named(section) for section in sections if not _is_left_out(section)]
    sections[0] = _head(_NAMED.sub("", sections[0]))
    edited = _ITEM.sub(lambda item: _plain(item[0]), _unsourced(_NAMED.sub("", "".join(sections))))
    return re.sub(r"\n{3,}", "\n\n", _CODE.sub(lambda code: _in_words(code[1]), edited))


def _is_left_out(section: str) -> bool:
    return section.partition("\n")[0].lstrip("# ") in _LEFT_OUT


def _named(section: str) -> str:
    """A section with its title for players, without a number."""
    title, _, body = section.partition("\n")
    level, _, name = title.partition(" ")
    return f"{level} {_TITLES.get(name, re.sub(r'^[0-9]+[.] ', '', name))}\n{body}"


def _head(section: str) -> str:
    """The title of the page and the introduction beneath it."""
    title, _, body = section.partition("\n")
    return f"{title}\n\n{_without_technical(body.strip())}\n\n"


def _unsourced(text: str) -> str:
    """The text without remarks, paragraphs and table sentences about the source."""
    text = _ASIDE.sub("", _ITS_EXAMPLE.sub("An example", _NAMED_THERE.sub("", _REMARK.sub("", text))))
    return _ROW.sub(lambda row: "|".join(map(_without_technical, row[0].split("|"))), text)


def _plain(item: str) -> str:
    """A clause without its technical sentences; one that begins with such a sentence stays whole."""
    first, *others = _SENTENCE.split(_REASON.sub("", item), maxsplit=1)
    return " ".join([first, *filter(None, map(_without_technical, others))])


def _without_technical(text: str) -> str:
    return " ".join(filter(None, map(_sentence, _SENTENCE.split(text))))


def _sentence(sentence: str) -> str:
    """A sentence up to its first technical part: the part before a colon is often the rule itself."""
    rule = ""
    for part in _PART.split(sentence):
        if _TECHNICAL.search(part):
            return rule and f"{rule.rstrip(' :;')}."
        rule += part
    return sentence


def _in_words(code: str) -> str:
    """Inline code in words: cards as signs, values of options without underscores."""
    shown = _TEN.sub("10", in_signs(code))
    return shown if shown != code else f"*{code.replace('_', ' ')}*"
