"""The pages of the environments: the sizes of every game's spaces, and the meaning of every action."""

import re
import subprocess
import sys
from itertools import groupby
from pathlib import Path

import pytest

from upcard import Setup
from upcard.engine.actions import action_space
from upcard.envs.actions_page import action_lines, actions_page
from upcard.envs.observation import Observer
from upcard.envs.observations_page import observation_table, observations_page
from upcard.rules.game import Game

PAGE = Path(__file__).parents[2] / "docs" / "environments.md"


def rows(game: type[Game]) -> list[str]:
    """The lines of a game in the table of sizes: one for all numbers of players with the same sizes."""
    setups = [Setup(game, players) for players in game.player_counts]
    sizes = [(action_space(setup).size, Observer(setup).size, setup.players) for setup in setups]
    lines = []
    for (actions, numbers), group in groupby(sizes, key=lambda row: row[:2]):
        players = [players for *_, players in group]
        told = f"{players[0]} to {players[-1]}" if len(players) > 1 else f"{players[0]}"
        lines.append(f"| {game.slug} | {told} | {actions} | {numbers} |")
    return lines


def test_the_sizes_are_those_of_the_page(game: type[Game]) -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert [line for line in page.splitlines() if line.startswith(f"| {game.slug} |")] == rows(game)


def test_the_page_of_actions_is_what_the_command_makes() -> None:
    assert PAGE.with_name("actions.md").read_text(encoding="utf-8") == actions_page()


def test_the_page_of_observations_is_what_the_command_makes() -> None:
    assert PAGE.with_name("observations.md").read_text(encoding="utf-8") == observations_page()


def test_every_part_of_an_observation_has_a_meaning(game: type[Game]) -> None:
    table = observation_table(Setup(game, max(game.player_counts)))
    rows = [line.strip("| ").split(" | ") for line in table.splitlines() if line.startswith("| `")]
    assert [name.strip("`") for name, *_ in rows] == [part.name for part in Observer(Setup(game)).parts]
    assert all(len(row) == 5 and re.match("[A-Z]{2}-?[0-9]*|[A-Z][a-z]+ [a-z]", row[4]) for row in rows)
    assert not any(re.fullmatch("[A-Z]{2}-[0-9]+.*", row[4]) for row in rows)  # a clause alone is no meaning


def texts(line: str) -> dict[int, str]:
    """The actions of a line of that page, read as the page explains."""
    numbers, *rest = line.strip().split("  ")
    first, _, last = numbers.partition(" to ")
    *move, items = rest if len(rest) > 1 or " to " in numbers else [*rest, ""]
    low, to, high = items.partition(" to ")
    each = [str(number) for number in range(int(low), int(high) + 1)] if to else items.split(" ")
    assert len(each) == int(last or first) - int(first) + 1
    return {int(first) + place: " ".join([*move, item]).strip() for place, item in enumerate(each)}


@pytest.mark.parametrize("most", [False, True])
def test_every_line_of_that_page_is_true(game: type[Game], most: bool) -> None:
    setup = Setup(game, max(game.player_counts) if most else None)
    space = action_space(setup)
    told: dict[int, str] = {}
    for line in action_lines(setup).splitlines():
        if "the legal ones" in line:
            family = next(family for family in space.families if f" {family.spec.word} #1 to " in line)
            told |= {action: space.text(action) for action in range(family.first, family.first + family.size)}
        else:
            told |= texts(line)
    assert told == {action: space.text(action) for action in range(space.size)}


def test_the_command_says_in_a_line_what_cannot_be() -> None:
    command = [sys.executable, "-m", "upcard.envs.actions_page", "loo", "2"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("Loo is for 5, 6, 7, 8, 9 or 10 players, not 2")
