"""The page of the environments says how large the spaces of every game are."""

from itertools import groupby
from pathlib import Path

from upcard import Setup
from upcard.engine.actions import action_space
from upcard.envs.observation import Observer
from upcard.rules import Game

PAGE = Path(__file__).parents[2] / "docs" / "environments.md"


def rows(game: Game) -> list[str]:
    """The lines of a game in the table of sizes: one for all numbers of players that have the same."""
    setups = [Setup(game, players) for players in game.players]
    sizes = [(action_space(setup).size, Observer(setup).size, setup.players) for setup in setups]
    lines = []
    for (actions, numbers), group in groupby(sizes, key=lambda row: row[:2]):
        players = [players for *_, players in group]
        told = f"{players[0]} to {players[-1]}" if len(players) > 1 else f"{players[0]}"
        lines.append(f"| {game.slug} | {told} | {actions} | {numbers} |")
    return lines


def test_the_sizes_are_those_of_the_page(game: Game) -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert [line for line in page.splitlines() if line.startswith(f"| {game.slug} |")] == rows(game)
