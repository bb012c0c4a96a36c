"""Generate the page that lists the actions of every game: `python -m upcard.envs.actions_page > docs/actions.md`.

With a game and a number of players, list those of one table: `python -m upcard.envs.actions_page roundup 6`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import Any

from upcard import games
from upcard.engine.actions import Family, action_space
from upcard.engine.errors import UpcardError
from upcard.engine.setup import Setup
from upcard.rules import cards
from upcard.rules.game import Game

HEAD = """# Actions

Look up the move behind an action number at a table with the usual number of players. For another table, give a game and
a number of players to the command that made this page, `python -m upcard.envs.actions_page > docs/actions.md`.

Each line lists the first and the last action, the move, and the values of its last item in order: in
`156 to 159  jack Js  0 to 3` the action 157 is `jack Js 1`. [Environments](environments.md#actions) explains how the
numbers follow from the rules.
"""
ITEM_TEXTS = {"card": cards.text, "suit": cards.SUITS.__getitem__, "rank": cards.RANKS.__getitem__}


def actions_page() -> str:
    """The whole page."""
    parts = [HEAD]
    for slug in games.SLUGS:
        setup = Setup(slug)
        parts.append(f"## {setup.game.title}, {setup.players} players\n\n```text\n{action_lines(setup)}\n```\n")
    return "\n".join(parts)


def action_lines(setup: Game[Any]) -> str:
    """The actions of one table, in lines."""
    families = sorted(action_space(setup).families, key=lambda family: family.first)
    return "\n".join(line for family in families if family.size for line in _lines(family))


def _lines(family: Family) -> Iterator[str]:
    if family.choices is None:
        yield _line(family.first, family.size, f"{family.spec.word} #1 to #{family.size}", "the legal ones, in order")
    elif not family.choices:
        yield _line(family.first, 1, family.spec.word, "")
    else:
        *fixed, last = family.choices
        *kinds, kind = family.spec.items
        for row, items in enumerate(product(*fixed)):
            words = [family.spec.word, *(_text(*pair) for pair in zip(kinds, items, strict=True))]
            yield _line(family.first + row * len(last), len(last), " ".join(words), _in_order(kind, last))


def _line(first: int, size: int, move: str, items: str) -> str:
    numbers = f"{first} to {first + size - 1}" if size > 1 else f"{first}"
    return f"{numbers:>12}  {move}  {items}".rstrip() if move else f"{numbers:>12}  {items}"


def _text(kind: str, item: int) -> str:
    return ITEM_TEXTS.get(kind, str)(item)


def _in_order(kind: str, items: Sequence[int]) -> str:
    if kind in ("number", "seat") and len(items) > 2:
        return f"{items[0]} to {items[-1]}"
    return " ".join(_text(kind, item) for item in items)


def print_or_exit(page: Callable[[], str], of_table: Callable[[Game[Any]], str]) -> None:
    """Print a page about all games or, if the command line names a game and perhaps a number of players, what it says
    of one table."""
    try:
        if len(sys.argv) > 1:
            slug, players, *_ = [*sys.argv[1:], None]
            print(of_table(Setup(str(slug), int(players) if players and players.isdecimal() else players)))
        else:
            print(page(), end="")
    except UpcardError as error:
        sys.exit(str(error))


def main() -> None:
    """Print the page, or one table."""
    print_or_exit(actions_page, action_lines)


if __name__ == "__main__":
    main()
