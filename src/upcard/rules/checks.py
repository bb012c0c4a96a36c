"""Checks of a game before it is played: invalid declarations, and rules that would fail or not compile."""

from __future__ import annotations

from collections.abc import Iterable
from graphlib import CycleError, TopologicalSorter
from inspect import signature
from typing import Any

from upcard.rules.errors import BadGame
from upcard.rules.faults import RuleCheck
from upcard.rules.game import Game
from upcard.rules.identity import RULES
from upcard.rules.options import TOO_LARGE, BadOption
from upcard.rules.reach import Reach, reached
from upcard.rules.source import place, where
from upcard.rules.state import MOST_PLAYERS
from upcard.rules.twins import twins_of
from upcard.rules.words import brief

MOST_MOVES = 1 << 16
"""The upper limit of `Game.most_moves`."""
HEURISTIC = "choose situation surroundings traits note noted_traits over hand_signs".split()
"""The methods of players that are compiled."""


def check(game: type[Game[Any]]) -> None:
    """Raises BadGame for the first error that is found, with its remedy."""
    check_declarations(game)
    if game.base is None or twins_of(game) is not twins_of(game.base):
        check_rules(game)


def check_declarations(game: type[Game[Any]]) -> None:
    """Check players, moves, state, options and numbers. Raises BadGame."""
    counts = game.player_counts
    if not (isinstance(counts, tuple) and counts and all(type(n) is int and 2 <= n <= MOST_PLAYERS for n in counts)):
        text = f"player_counts are a row of whole numbers from 2 to {MOST_PLAYERS}, as in (3, 4)"
        raise _bad(game, "player_counts", text)
    if game.default_players not in counts:
        text = f"default_players is {brief(game.default_players)}, which is not in player_counts={counts}"
        raise _bad(game, "default_players", text)
    if type(game.most_moves) is not int or not 1 <= game.most_moves <= MOST_MOVES:
        text = f"most_moves is a whole number from 1 to {MOST_MOVES}, not {brief(game.most_moves)}"
        raise _bad(game, "most_moves", text)
    if not game.state.complete:
        text = f"say for how many seats its state is, as in class {game.state.__name__}(…, seats={max(counts)})"
        raise _bad(game, "state", text)
    if (seats := game.state.seats) < max(counts):
        above = next((state for state in game.state.__mro__[1:] if getattr(state, "seats", 0)), None)
        remedy = f"at most {seats}, since {above.__name__} has them" if above else f"write seats={max(counts)}"
        rows = f"{max(counts)} may play, but its state has rows for {seats}"
        raise _bad(game, "player_counts", f"{rows}: {remedy}")
    if (hand := game.hand.first) not in game.state.fields:
        raise _bad(game, "state", f"its state has no `{hand}`: declare `{hand}: PerSeat = held()`")
    if game.base is not None:
        check_kept(game, game.base)
    if game.defines("new_stock") and (game.defines("known_counts") or game.defines("hand_histories")):
        raise _bad(game, "new_stock", "`new_stock` cannot be combined with `known_counts` or `hand_histories`")
    for number in counts:
        check_options(game, number)


def check_kept(game: type[Game[Any]], base: type[Game[Any]]) -> None:
    """Check that a variant keeps the numbers of the phases and verbs of its base, whose rules name them. Raises
    BadGame."""
    if len(game.phases) < len(base.phases):
        raise _bad(game, "phases", f"the phases are fewer than those of {base.__name__}, {' '.join(base.phases.names)}")
    verbs = [(verb.word, verb.items) for verb in game.notation.verbs]
    usual = [(verb.word, verb.items) for verb in base.notation.verbs]
    if verbs[: len(usual)] != usual:
        raise _bad(
            game, "notation", f"the notation lacks moves of {base.__name__}: begin with a copy() of its notation"
        )


def _bad(game: type[Game[Any]], name: str, fault: str) -> BadGame:
    return BadGame(f"{where(game, name)}: {fault}")


def check_options(game: type[Game[Any]], players: int) -> None:
    """Check that the options and numbers have values with this number of players, none of them too large, and that
    those which verbs refer to exist. Raises BadGame."""
    known = game.declared_options.keys() | game.declared_numbers.keys()
    for verb in game.notation.verbs:
        if isinstance(verb.most, str) and verb.most not in known:
            text = f"verb {verb.word!r}: there is no option or number {verb.most!r} (most=)"
            raise _bad(game, "notation", text)
    for chosen in ({}, game.short or {}):
        try:
            game(players, chosen)
        except (BadOption, BadGame) as error:
            declared = [*game.declared_options, *map(game.attribute_of, game.declared_numbers)]
            named = [name for name in str(error).split()[:3] if name in declared]
            raise _bad(game, (*named, "short")[0] if chosen == {} else "short", str(error)) from None
    for name, option in game.declared_options.items():
        if option.largest(players) >= TOO_LARGE:
            text = f"the option {name} can be too large a number: options are below 2**40"
            raise _bad(game, option.attribute, text)


def check_rules(game: type[Game[Any]]) -> None:
    """Check the rules without running them, for anything that cannot be compiled or would behave differently then.
    Raises BadGame."""
    twins = twins_of(game)
    rules = [twins[name] for name in (*RULES, *HEURISTIC) if game.defines(name)]
    reach = checked_reach(game, [*rules, game.state.clear])
    for word, answer in (("RESHUFFLE", "reshuffle"), ("DRAW", "drawn")):
        waits = [rule for rule in reach.rules if word in rule.__code__.co_names]
        if waits and not game.defines(answer):
            rule = f"{answer}({', '.join(signature(getattr(game, answer)).parameters)})"
            text = f"{waits[0].__name__} awaits {word}, and no rule answers it: define `{rule}`"
            raise BadGame(f"{place(waits[0])}: {text}")


def checked_reach(game: type[Game[Any]], rules: Iterable[Any]) -> Reach:
    """Everything that these rules of a game reach. Raises BadGame for the first fault, and for rules that call
    themselves, through others or not."""
    reach = reached(rules, RuleCheck(game))
    calls = {rule: [value for value in named.values() if value in reach.rules] for rule, named in reach.rules.items()}
    try:
        TopologicalSorter(calls).prepare()
    except CycleError as error:
        rule, caller, *_ = error.args[1]
        through = "" if caller is rule else f", through {caller.__name__}"
        raise BadGame(f"{place(rule)}: {rule.__name__} calls itself{through}: write a loop") from None
    return reach
