"""Checks of a game before it is played: invalid declarations, and rules that would fail or not compile."""

from __future__ import annotations

from collections.abc import Iterable
from graphlib import CycleError, TopologicalSorter
from inspect import signature
from typing import Any

from upcard.rules.dependencies import Dependencies, dependencies_of
from upcard.rules.errors import BadGame
from upcard.rules.faults import RuleCheck
from upcard.rules.game import Game, broken_constraint, has_tables
from upcard.rules.identity import RULES
from upcard.rules.options import TOO_LARGE, BadOption
from upcard.rules.phrases import brief
from upcard.rules.source import Faults, place
from upcard.rules.state import MOST_PLAYERS
from upcard.rules.twins import twins_of

MOST_MOVES = 1 << 16
"""The upper limit of `Game.most_moves`."""
HEURISTIC = "choose reconsider situation surroundings traits note noted_traits over hand_signs".split()
"""The compiled methods of the players."""


def check_declarations(game: type[Game[Any]]) -> Faults:
    """Yield invalid numbers of players or moves, an unsuitable state, option or number, and gaps in a variant."""
    counts, base = game.player_counts, game.base
    if not (isinstance(counts, tuple) and counts and all(type(n) is int and 2 <= n <= MOST_PLAYERS for n in counts)):
        yield "player_counts", f"player_counts are a row of whole numbers from 2 to {MOST_PLAYERS}, as in (3, 4)"
    if game.default_players not in counts:
        usual = brief(game.default_players)
        yield "default_players", f"default_players is {usual}, which is not in player_counts={counts}"
    if type(game.most_moves) is not int or not 1 <= game.most_moves <= MOST_MOVES:
        yield "most_moves", f"most_moves is a whole number from 1 to {MOST_MOVES}, not {brief(game.most_moves)}"
    if not game.state.complete:
        example = f"class {game.state.__name__}(…, seats={max(counts)})"
        yield "state", f"say for how many seats its state is, as in {example}"
    if (seats := game.state.seats) < max(counts):
        above = next((state for state in game.state.__mro__[1:] if getattr(state, "seats", 0)), None)
        remedy = f"at most {seats}, since {above.__name__} has them" if above else f"write seats={max(counts)}"
        yield "player_counts", f"{max(counts)} may play, but its state has rows for {seats}: {remedy}"
    if (hand := game.hand.first) not in game.state.fields:
        yield "state", f"its state has no `{hand}`: declare `{hand}: PerSeat = held()`"
    if base is not None and len(game.phases) < len(base.phases):  # its rules name its phases and verbs
        phases = " ".join(base.phases.names)
        yield "phases", f"the phases are fewer than those of {base.__name__}, {phases}"
    if base is not None and _items(game)[: len(_items(base))] != _items(base):
        yield "notation", f"the notation lacks moves of {base.__name__}: begin with a copy() of its notation"
    if game.defines("new_stock") and (game.defines("known_counts") or game.defines("hand_histories")):
        yield "new_stock", "`new_stock` cannot be combined with `known_counts` or `hand_histories`"
    for verb in game.notation.verbs:
        if isinstance(verb.most, str) and verb.most not in game.declared_options | game.declared_numbers:
            yield "notation", f"verb {verb.word!r}: there is no option or number {verb.most!r} (most=)"
    for players in counts:
        yield from _check_options(game, players)


def _items(game: type[Game[Any]]) -> list[tuple[Any, ...]]:
    return [(verb.word, verb.items) for verb in game.notation.verbs]


def _check_options(game: type[Game[Any]], players: int) -> Faults:
    """Yield the options and numbers that have no value at a table of this many players, or one that is too large."""
    for preset, chosen in (("", {}), ("short", game.short or {}), ("author", game.author or {})):
        try:
            game.unconstrained(players, chosen)
        except (BadOption, BadGame) as error:
            declared = [*game.declared_options, *map(game.attribute_of, game.declared_numbers)]
            named = [name for name in str(error).split()[:3] if name in declared]
            yield preset or (*named, "short")[0], str(error)
    for name, option in game.declared_options.items():
        if option.largest(players) >= TOO_LARGE:
            yield option.attribute, f"the option {name} can be too large a number: options are below 2**40"


def check_constraints(game: type[Game[Any]]) -> Faults:
    """Leave out the numbers of players that the constraints exclude, and yield the broken constraint of the usual
    table.

    A variant made of numbers at run time may have no usual table: its options are chosen later.
    """
    possible = tuple(players for players in game.declared_counts if has_tables(game, players))
    usual = [players for players in possible if broken_constraint(game.unconstrained(players)) is None]
    game.player_counts = possible or game.declared_counts
    if usual and game.default_players not in usual and "default_players" not in vars(game):
        game.default_players = usual[0]
    broken = broken_constraint(game.unconstrained())
    if broken is not None and "_given" not in vars(game):
        yield "", f"{broken.reason} ({broken.clause})" if broken.clause else broken.reason


def check_rules(game: type[Game[Any]]) -> None:
    """Check the rules, without running them, for code that cannot be compiled or behaves differently when compiled.

    A variant that has the same rules as its base is not checked again. Raises BadGame.
    """
    twins = twins_of(game)
    if game.base is not None and twins is twins_of(game.base):
        return
    rules = [twins[name] for name in (*RULES, *HEURISTIC) if game.defines(name)]
    reach = checked_reach(game, [*rules, game.state.clear])
    for word, answer in (("RESHUFFLE", "reshuffle"), ("DRAW", "drawn")):
        waits = [rule for rule in reach.rules if word in rule.__code__.co_names]
        if waits and not game.defines(answer):
            rule = f"{answer}({', '.join(signature(getattr(game, answer)).parameters)})"
            text = f"{waits[0].__name__} awaits {word}, and no rule answers it: define `{rule}`"
            raise BadGame(f"{place(waits[0])}: {text}")


def checked_reach(game: type[Game[Any]], rules: Iterable[Any]) -> Dependencies:
    """The dependencies of these rules of a game. Raises BadGame for the first fault, and for a rule that calls itself,
    directly or through others."""
    reach = dependencies_of(rules, RuleCheck(game))
    calls = {rule: [value for value in named.values() if value in reach.rules] for rule, named in reach.rules.items()}
    try:
        TopologicalSorter(calls).prepare()
    except CycleError as error:
        rule, caller, *_ = error.args[1]
        through = "" if caller is rule else f", through {caller.__name__}"
        raise BadGame(f"{place(rule)}: {rule.__name__} calls itself{through}: write a loop") from None
    return reach
