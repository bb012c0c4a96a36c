"""Whose eyes a match is seen with: a seat's, everybody's, or with all cards open once it is over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from upcard.engine.match import Match
from upcard.table.scene import SceneView, describe

Eyes = int | Literal["all"] | None
"""From whose seat a match is seen; "all": all cards open; None: as everybody saw it."""


def seen(match: Match[Any], eyes: Eyes, names: Sequence[str]) -> SceneView:
    """The table as it stands, seen with these eyes. All cards are for matches that are over."""
    if eyes != "all":
        return describe(match.view(eyes), match.last_trick, names)
    scene = describe(match.view(None), match.last_trick, names)
    for one in scene.seats:
        one.open = describe(match.view(one.seat), match.last_trick, names).hand
    return scene
