"""Points of view on a match: a seat's, the public's, or with all cards face up once it is over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from upcard.engine.match import Match
from upcard.table.scene import SceneView, describe

Viewpoint = int | Literal["all"] | None
"""A seat's point of view; "all": all cards face up; None: the public's."""


def scene_for(match: Match[Any], viewpoint: Viewpoint, names: Sequence[str]) -> SceneView:
    """The present scene of a match from this point of view. Use "all" only for matches that are over."""
    if viewpoint != "all":
        return describe(match.view(viewpoint), match.last_trick, names)
    scene = describe(match.view(None), match.last_trick, names)
    for seat in scene.seats:
        seat.open = describe(match.view(seat.seat), match.last_trick, names).hand
    return scene
