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
        keys[key] = [replace(one, description=text_for_reader(in_context(KEY, one.description))) for one in bindings]
