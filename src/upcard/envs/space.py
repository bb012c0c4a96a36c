"""The Gymnasium spaces of a table, the same for all its seats."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

from upcard.engine.actions import MOST_NUMBERS
from upcard.envs.episode import Episode


def discrete_actions(episode: Episode) -> spaces.Discrete[Any]:
    """The action space: one number for each move that can ever be legal."""
    return spaces.Discrete(episode.actions.size)


def observation_space(episode: Episode) -> spaces.Dict:
    """The observation space: a seat's view, its mask of legal actions, and its history if that is recorded."""
    low, high = episode.observer.bounds()
    parts: dict[str, spaces.Space[Any]] = {
        "observation": spaces.Box(low, high, dtype=np.float32),
        "action_mask": spaces.Box(0, 1, (episode.actions.size,), np.int8),
    }
    recall = episode.recall
    if recall.most:
        parts["history"] = spaces.Box(0, MOST_NUMBERS, (recall.most, recall.width), np.float32)
    return spaces.Dict(parts)
