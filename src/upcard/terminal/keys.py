"""The names of keys in the reader's language."""

from __future__ import annotations

from dataclasses import replace

from textual.dom import DOMNode

from upcard.languages.localizing import text_for_reader
from upcard.rules.sentences import in_context

KEY = "key"
"""The context in which names of keys are translated, which must be short."""


def localize_keys(node: DOMNode) -> None:
    """Name the keys of an application, a screen or a widget, as its footer shows them, in the reader's language."""
    keys = node._bindings.key_to_bindings
    for key, bindings in keys.items():
        keys[key] = [
            replace(one, description=_localized(one.description), key_display=_localized(one.key_display or "") or None)
            for one in bindings
        ]


def _localized(name: str) -> str:
    return text_for_reader(in_context(KEY, name)) if name else ""
