"""Generate the page with the parts of all observations: `python -m upcard.envs.observations_page >
docs/observations.md`.

With a game and a number of players, list those of one table: `python -m upcard.envs.observations_page roundup 6`.
"""

from __future__ import annotations

import ast
import inspect
import re
from typing import Any

from upcard import games
from upcard.engine.setup import Setup
from upcard.envs.actions_page import print_or_exit
from upcard.envs.observation import Observer, Part
from upcard.rules.cards import text
from upcard.rules.game import Game
from upcard.rules.sentences import capital

HEAD = """# Parts of observations

Look up what the numbers of an observation mean, or the words of `envs.vector`, at a table with the usual number of
players. For another table, give a game and a number of players to the command that made this page,
`python -m upcard.envs.observations_page > docs/observations.md`; of a game of your own, call
`observation_table(setup)` of that module.

Numbers and words count from 0. A row of *n* entries has as many words, and the same number of numbers for each.
[Environments](environments.md#observations) explains how each kind is encoded. In a view, a field that its seat may not
see has the value that it has before a deal.
"""
OTHERS = {
    "observer": "The seat that observes",
    "sizes of hands": "The number of cards in the hand of each seat",
}


def observations_page() -> str:
    """The whole page."""
    parts = [HEAD]
    for slug in games.SLUGS:
        setup = Setup(slug)
        parts.append(f"## {setup.game.title}, {setup.players} players\n\n{observation_table(setup)}")
    return "\n".join(parts)


def observation_table(setup: Game[Any]) -> str:
    """The parts of a table's observations: a table in Markdown with their names, places, kinds and meanings, the
    phases and the order of the cards."""
    observer, meanings = Observer(setup), meanings_of(setup.game)
    lines = ["| part | words | numbers | kind | meaning |", "| --- | --- | --- | --- | --- |"]
    lines += [_line(part, meanings) for part in observer.parts]
    cards = " ".join(text(card) for card in observer.places)
    phases = ", ".join(f"{number} {name}" for number, name in enumerate(setup.game.phases.names))
    return "\n".join(lines) + f"\n\nPhases: {phases}\n\nOrder of cards: `{cards}`\n"


def _line(part: Part, meanings: dict[str, str]) -> str:
    places = _places(part.word, part.length), _places(part.start, part.stop - part.start)
    kind = f"{part.length} × {part.of}" if part.length > 1 else part.of
    return f"| `{part.name}` | {places[0]} | {places[1]} | {kind} | {_meaning(part.name, meanings)} |"


def _places(first: int, number: int) -> str:
    return f"{first}–{first + number - 1}" if number > 1 else f"{first}"


def _meaning(name: str, meanings: dict[str, str]) -> str:
    if counted := re.match("sizes? of (?!hands$)(.+)", name):
        of = "of each seat's" if name.startswith("sizes") else "in"
        return f"The number of cards {of} `{counted[1]}`"
    return OTHERS.get(name) or capital(meanings.get(name, ""))


def meanings_of(game: type[Game[Any]]) -> dict[str, str]:
    """The meaning of each field of a game's state: the comment after its declaration. Fields without one are left
    out, and so are all fields of a class whose source is not there."""
    meanings: dict[str, str] = {}
    for level in reversed(game.state.__mro__):
        meanings |= _comments(level)
    return meanings


def _comments(level: type) -> dict[str, str]:
    try:
        source = inspect.cleandoc("\n" + inspect.getsource(level))
        (tree,) = ast.parse(source).body
    except (OSError, TypeError, SyntaxError, ValueError):
        return {}
    lines, comments = source.splitlines(), {}
    for node in tree.body if isinstance(tree, ast.ClassDef) else []:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.end_lineno:
            _, mark, comment = lines[node.end_lineno - 1].rpartition("  # ")
            if mark:
                comments[node.target.id] = comment.strip()
    return comments


if __name__ == "__main__":
    print_or_exit(observations_page, observation_table)
