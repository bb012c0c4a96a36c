"""Learned weights: small files of whole numbers next to the rules of a game."""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from upcard.engine.errors import UpcardError
from upcard.rules.game import Game
from upcard.rules.lineage import file_of, root_of

log = logging.getLogger("upcard.games")
UNIT_BITS = 10
UNIT = 1 << UNIT_BITS
"""Weights are multiples of 1 / UNIT of a natural logarithm."""
MOST = 1 << 31
"""Weights are smaller than this in absolute value."""


class BadWeights(UpcardError):
    """A file of weights was made for other rules."""


@dataclass(frozen=True)
class Learned:
    """Trained weights of a game."""

    weights: tuple[int, ...]
    origin: dict[str, Any]
    """How they were learned: the command, and its results."""


def read_weights(game: type[Game[Any]], kind: str, layout: str, size: int) -> Learned | None:
    """The weights of a game, or of its root if it has no file of its own; None if there are none, or if those of the
    root do not fit a variant. A damaged file is logged, and None is returned.

    Raises BadWeights if the game's own file was made for another `layout`.
    """
    files = [file for one in (game, root_of(game)) if (file := weights_file(one, kind)) is not None and file.is_file()]
    if not files:
        return None
    try:
        saved = json.loads(files[0].read_text(encoding="utf-8"))
        if saved["layout"] != layout:
            if files[0] == weights_file(game, kind):
                raise BadWeights(f"{files[0]} does not fit the rules of {game.slug}: train again, or remove it")
            return None
        weights = [0] * size
        for offset, *run in saved["weights"]:
            weights[offset : offset + len(run)] = run
        if len(weights) != size or not all(isinstance(weight, int) and abs(weight) < MOST for weight in weights):
            raise ValueError
    except BadWeights:
        raise
    except OSError as error:
        log.warning("%s cannot be read: %s", files[0], error.strerror)
        return None
    except (ValueError, KeyError, TypeError):
        log.warning("%s contains no weights: it is damaged, or another kind of file", files[0])
        return None
    return Learned(tuple(weights), {name: value for name, value in saved.items() if name != "weights"})


def weights_file(game: type[Game[Any]], kind: str) -> Path | None:
    """The file for weights of this kind. For the kind "policy" it is `policy.json` next to the rules, or
    `x.policy.json` for a variant x or a game x in a single file. None for a game without a file."""
    file = file_of(game)
    if file is None:
        return None
    alone = game.base is None and file.name == "__init__.py"
    return file.with_name(f"{kind}.json" if alone else f"{game.slug}.{kind}.json")


def place_for_weights(game: type[Game[Any]], kind: str) -> Path:
    """Like `weights_file`, for writing. Raises UpcardError for a game without a file."""
    file = weights_file(game, kind)
    if file is None:
        raise UpcardError(f"{game.slug} was not loaded from a file, so there is no place for its weights")
    return file


def write_weights(
    game: type[Game[Any]], kind: str, weights: Sequence[int], origin: dict[str, Any], layout: str
) -> None:
    """Write the weights next to the game, as runs of nonzero weights, each preceded by its offset. Raises UpcardError
    for a game without a file."""
    runs: list[list[int]] = []
    for offset, weight in enumerate(weights):
        if weight and offset and weights[offset - 1]:
            runs[-1].append(weight)
        elif weight:
            runs.append([offset, weight])
    head = json.dumps(origin | {"layout": layout}, indent=1)[:-2]
    text = f'{head},\n "weights": {json.dumps(runs, separators=(",", ":"))}\n}}\n'
    place_for_weights(game, kind).write_text(text, encoding="utf-8")
