"""Checks of a game before it is played: invalid declarations, and rules that would fail or not compile."""

from __future__ import annotations

from typing import Any

from upcard.rules.game import ARGUMENTS, RULES, BadGame, Game
from upcard.rules.options import TOO_LARGE, BadOption
from upcard.rules.reach import BadRule, mistakes, place, reached
from upcard.rules.state import MOST_PLAYERS
from upcard.rules.words import brief

MOST_MOVES = 1 << 16
"""The upper limit of `Game.most_moves`."""


def check(game: Game[Any]) -> None:
    """Raises BadGame for the first error that is found, with its remedy."""
    check_declarations(game)
    check_rules(game)


def check_declarations(game: Game[Any]) -> None:
    """Check players, moves, state, options and numbers. Raises BadGame."""
    players = game.players
    row = players if isinstance(players, tuple | list) else ()
    if not row or not all(type(number) is int and 2 <= number <= MOST_PLAYERS for number in row):
        raise BadGame(f"{game.slug}: players are a row of whole numbers from 2 to {MOST_PLAYERS}, as in players=(3, 4)")
    if type(game.most_moves) is not int or not 1 <= game.most_moves <= MOST_MOVES:
        raise BadGame(f"{game.slug}: most_moves is a whole number from 1 to {MOST_MOVES}, not {brief(game.most_moves)}")
    if game.default_players not in players:
        raise BadGame(f"{game.slug}: default_players is {game.default_players}, which is not in players={players}")
    if not game.state.complete:
        raise BadGame(f"{game.slug}: say for how many seats its state is, as in class State(…, seats={max(players)})")
    if game.state.seats < max(players):
        raise BadGame(
            f"{game.slug}: {max(players)} may play, but its state has rows for {game.state.seats}: "
            f"write seats={max(players)}"
        )
    if game.hand.first not in game.state.fields:
        raise BadGame(
            f"{game.slug}: its state has no `{game.hand.first}`: declare `{game.hand.first}: PerSeat = held()`"
        )
    if game.new_stock and (game.known_counts or game.hand_histories):
        raise BadGame(f"{game.slug}: `new_stock` cannot be combined with `known_counts` or `hand_histories`")
    for number in players:
        check_options(game, number)


def check_options(game: Game[Any], players: int) -> None:
    """Check that the options and numbers have values with this number of players, none of them too large, and that
    those which verbs refer to exist. Raises BadGame."""
    known = {*game.options.options, *game.options.numbers}
    for verb in game.notation.verbs:
        if isinstance(verb.most, str) and verb.most not in known:
            raise BadGame(f"{game.slug}: verb {verb.word!r}: there is no option or number {verb.most!r} (most=)")
    for chosen in ({}, game.short or {}):
        try:
            game.options(chosen, players, "")
        except BadOption as error:
            raise BadGame(f"{game.slug}: {error}") from None
        except Exception as error:
            raise BadGame(
                f"{game.slug}: a number of the rules cannot be worked out for {players} players: "
                f"{' '.join(str(error).split()) or type(error).__name__}"
            ) from error
    for name, option in game.options.options.items():
        if option.largest(players) >= TOO_LARGE:
            raise BadGame(f"{game.slug}: the option {name} can be too large a number: options are below 2**40")


def check_rules(game: Game[Any]) -> None:
    """Check the rules without running them, for anything that cannot be compiled or would behave differently then.
    Raises BadGame."""
    rules = [getattr(game, name) for name in RULES if getattr(game, name) is not None]
    rules += [game.state.clear, *([game.heuristic] if game.heuristic else [])]
    try:
        reach = reached(rules)
    except BadRule as error:
        raise BadGame(f"{game.slug}: {error}") from None
    known = {*game.options.options, *game.options.numbers, "players"}
    if wrong := mistakes(reach, game.state.fields, known):
        raise BadGame(f"{game.slug}: {wrong[0]}")
    for word, answer in (("RESHUFFLE", "reshuffle"), ("DRAW", "drawn")):
        waits = [rule for rule in reach.rules if word in rule.__code__.co_names]
        if waits and getattr(game, answer).__module__.startswith("upcard.rules."):
            raise BadGame(
                f"{game.slug}: {place(waits[0])}: {waits[0].__name__} awaits {word}, and no rule answers it: define "
                f"`{answer}({', '.join(ARGUMENTS[answer].split())})`"
            )
