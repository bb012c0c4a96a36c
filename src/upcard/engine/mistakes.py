"""Errors in the rules of a game and in other code from outside, reported in one line that says where they are."""

from __future__ import annotations

import re
import sys
import traceback
from collections import Counter
from collections.abc import Callable, Iterable
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeVar

from upcard.engine.errors import UpcardError
from upcard.rules.cards import NO_CARD, Card, count, sign
from upcard.rules.game import Game
from upcard.rules.knowledge import fields_with
from upcard.rules.lineage import changed_numbers, classes_of, is_counted, is_shipped, root_of
from upcard.rules.state import GameState

T = TypeVar("T")
HERE = Path(__file__).parents[1]
RULES_HERE = HERE / "rules"
SLACK = 256
"""Spare room after `most_moves`, so that a list of moves longer than declared is noticed."""
MOST_CHANCE = 128
"""The largest number of cards in a chance event."""
MOST_CHANCE_EVENTS = 1000
"""A match with more consecutive chance events is assumed never to continue."""
NO_WINNER = "the match is over and nobody has won it: set `winners`"


class BadRules(UpcardError):
    """There is an error in the rules of a game."""


def bad_rules(game: type[Game[Any]], fault: str) -> BadRules:
    """An error in the rules of a game. It names the numbers that a variant has changed, because its rules may be wrong
    only with those; if they are the only change to a game that ships with Upcard, they are reported as the fault."""
    root = root_of(game)
    shown = ", ".join(f"{name}={value!s:.40}" for name, value in changed_numbers(game).items())
    if shown and is_shipped(root) and (game.identity or {}).keys() == {"variant_of", "numbers"}:
        return BadRules(f"{root.slug} cannot be played with {shown} ({fault})")
    return BadRules(f"{game.slug}{f' with {shown}' if shown else ''}: {fault}")


def obey(game: type[Game[Any]], rule: Callable[..., T], *arguments: Any) -> T:
    """Call a rule. Raises BadRules for any exception in it that is not an UpcardError."""
    try:
        return rule(*arguments)
    except UpcardError:
        raise
    except Exception as error:
        raise _mistake(game, rule, error) from error


def _mistake(game: type[Game[Any]], rule: Callable[..., Any], error: Exception) -> BadRules:
    fault = _in_words(game, error)
    if isinstance(error, IndexError) and getattr(rule, "__name__", "") == "deal":
        fault += ", or the deal takes more cards than the pack has"
    return bad_rules(game, f"{_place(error, rule)}: {fault}")


def listed_moves(setup: Game[Any], state: GameState, seat: int) -> list[int]:
    """The legal moves of a seat that is to act. Raises BadRules if there are none, or more than `most_moves`."""
    game = setup.game
    room = [0] * (game.most_moves + SLACK)
    try:
        number = setup.legal_moves(state, seat, room)
    except Exception as error:
        raise _mistake(game, setup.other_moves, error) from error
    _check_returned(game, "other_moves", number)
    if number > game.most_moves:
        raise bad_rules(
            game,
            f"seat {seat} has more than most_moves={game.most_moves} moves in the phase "
            f"{game.phases[state.phase]!r}: declare a larger number",
        )
    if number == 0:
        raise bad_rules(
            game,
            f"seat {seat} is to act in the phase {game.phases[state.phase]!r} and has no legal move: "
            "see `playable` and `other_moves`, and where `to_act` is set",
        )
    return room[:number]


def counted_moves(setup: Game[Any], state: GameState, seat: int) -> list[int] | None:
    """The `other_moves` of a seat, from `count_others` and `nth_other`; None if the game does not define these."""
    game = setup.game
    if not is_counted(game):
        return None
    room = [0] * (game.most_moves + SLACK)
    number = obey(game, setup.count_others, state, seat, room)
    return [obey(game, setup.nth_other, state, seat, room, k) for k in range(number)]


def check_counted(setup: Game[Any], state: GameState, seat: int, moves: list[int]) -> None:
    """Raises BadRules if a game's `count_others` and `nth_other`, if it defines them, disagree with these moves."""
    counted = counted_moves(setup, state, seat)
    if counted is not None and counted != moves[count(setup.playable(state, seat)) :]:
        raise bad_rules(setup.game, "`count_others` and `nth_other` have other moves than `other_moves`")


def heuristic_choice(setup: Game[Any], state: GameState, seat: int, moves: list[int], luck: int) -> int:
    """The choice of a game's heuristic, which must exist. Raises BadRules if it is not one of `moves`."""
    move = obey(setup.game, setup.choose, state, seat, moves, len(moves), luck)
    if move not in moves:
        raise bad_rules(setup.game, f"its heuristic `choose` returns {move}, which is not one of the legal moves")
    return move


def reconsidered(setup: Game[Any], state: GameState, seat: int, moves: list[int], move: int, careful: int) -> int:
    """The move that a player makes who intends `move` (see `Game.reconsider`). Raises BadRules if it is not one of
    `moves`."""
    if not setup.defines("reconsider") or len(moves) == 1:
        return move
    room = [*moves, *[0] * SLACK]
    final = obey(setup.game, setup.reconsider, state, seat, room, len(moves), move, careful)
    if final not in moves:
        raise bad_rules(setup.game, f"its `reconsider` returns {final}, which is not one of the legal moves")
    return final


def cards_of_chance(setup: Game[Any], state: GameState) -> list[Card]:
    """The cards that the awaited deal or reshuffle contains, or that the awaited draw picks from. Raises BadRules."""
    room = [NO_CARD] * MOST_CHANCE
    try:
        number = obey(setup.game, setup.cards_to_shuffle, state, room)
    except BadRules:
        if room[-1] == NO_CARD:
            raise
        fault = f"`cards_to_shuffle` lists more than {MOST_CHANCE} cards, which is too many for one chance event"
        raise bad_rules(setup.game, fault) from None
    _check_returned(setup.game, "cards_to_shuffle", number)
    return room[:number]


def _check_returned(game: type[Game[Any]], name: str, number: object) -> None:
    """Raises BadRules if a rule that fills a buffer has not returned the new length."""
    if type(number) is not int:
        raise bad_rules(game, f"`{name}` returns {number!r:.20}: it must return the new length")


def _place(error: Exception, rule: Callable[..., Any]) -> str:
    """The innermost line of the game's own code in the traceback of an exception."""
    trace, last = error.__traceback__, None
    while trace is not None:
        file = Path(trace.tb_frame.f_code.co_filename)
        if file != Path(__file__) and file.parent != RULES_HERE and file.suffix == ".py":
            last = f"{file.name}, line {trace.tb_lineno}: in {trace.tb_frame.f_code.co_name}"
        trace = trace.tb_next
    return last or f"in {getattr(rule, '__name__', 'a rule')}"


def _in_words(game: type[Game[Any]], error: Exception) -> str:
    undeclared = re.match(r"'(\w+)' object has no attribute '(\w+)'", str(error))
    if isinstance(error, AttributeError) and undeclared:
        owner, name = undeclared.groups()
        if owner == game.state.__name__:
            return missing("state", name, game.state.fields, f"`{name}: int = open_field()`")
        if owner in [one.__name__ for one in classes_of(game)]:
            known = [*game.declared_options, *game.declared_numbers]
            return missing("game", name, known, f"`{name}: int = number(1, clause=…)`")
    if isinstance(error, IndexError):
        message = str(error)
        return message if message.startswith("a row") else "a row has no such place: declare it longer, or stop in time"
    if isinstance(error, TypeError) and "float" in str(error):
        return f"numbers are whole: write `//` instead of `/` ({error})"
    if isinstance(error, ValueError) and re.search("negative shift", str(error)):
        return "a shift by a negative number: NO_CARD, NO_SUIT and NOBODY are in no set"
    return " ".join(f"{type(error).__name__}: {error}".split()).removesuffix(":")


def fault(error: BaseException) -> str:
    """A message for an error in external code, with its location: "mine.py, line 3: ValueError: out of cards"."""
    message = f"{type(error).__name__}: {error}"
    frames = [(frame.filename, frame.lineno) for frame in traceback.extract_tb(error.__traceback__)]
    places = [place for place in frames if _is_theirs(place[0])]
    if isinstance(error, SyntaxError) and error.filename:
        message, places = f"{type(error).__name__}: {error.msg}", [(error.filename, error.lineno)]
    lines = [line for file, line in places if file == places[0][0]]
    return " ".join((f"{Path(places[0][0]).name}, line {lines[-1]}: {message}" if lines else message).split())


def _is_theirs(file: str) -> bool:
    runs_files = getattr(sys.modules.get("runpy"), "__file__", None)  # not imported, since pages fetch no such module
    return HERE not in Path(file).parents and not file.startswith("<frozen") and file != runs_files


def missing(owner: str, name: str, known: Iterable[str], remedy: str) -> str:
    """An error message for an undeclared name, with the closest declared one."""
    close = get_close_matches(name, list(known), 1)
    meant = f" (is `{close[0]}` meant?)" if close else ""
    verb = "have" if owner.endswith("s") else "has"
    return f"the {owner} {verb} no `{name}`{meant}: declare it, as in {remedy}"


def check_numbers(game: type[Game[Any]], state: GameState) -> None:
    """Raises BadRules if a value in a state is not a 64-bit integer."""
    for name, value in zip(game.state.fields, state.values(), strict=True):
        for number in value if isinstance(value, list) else [value]:
            is_whole = type(number) is int or (type(number) is bool and game.state.fields[name].of == "flag")
            if not is_whole or not -(1 << 63) <= number < 1 << 63:
                kind = "too large a number" if type(number) is int else "not a whole number"
                raise bad_rules(game, f"the field `{name}` is {number!r:.40}, {kind}: see where it is set")


def check_turn(game: type[Game[Any]], state: GameState) -> None:
    """Raises BadRules if the seats to act, the dealer or the phase do not exist."""
    if state.to_act >> state.players:
        raise bad_rules(game, "`to_act` names a seat that does not exist: see where it is set")
    if not 0 <= state.dealer < state.players:
        raise bad_rules(game, f"`dealer` is {state.dealer}, and the seats are 0 to {state.players - 1}")
    if not 0 <= state.phase < len(game.phases):
        raise bad_rules(game, f"`phase` is {state.phase}, and PHASES has {len(game.phases)} words")


def check_end(game: type[Game[Any]], state: GameState) -> None:
    """Raises BadRules if a match that awaits nothing is not in its last phase, or has no winners."""
    if state.phase != len(game.phases) - 1:
        raise bad_rules(
            game,
            f"nobody is to act and no chance event is awaited in the phase {game.phases[state.phase]!r}: "
            "set `to_act` or `awaiting`, or the last word of PHASES if the match is over",
        )
    if state.winners == 0:
        raise bad_rules(game, NO_WINNER)
    if state.winners >> state.players:
        raise bad_rules(game, "`winners` names a seat that does not exist: see where it is set")


def check_deal(setup: Game[Any], state: GameState, dealt: Iterable[Card]) -> None:
    """Raises BadRules if a field still has cards of the previous deal, so that these are in two places."""
    for card in Counter(setup.all_cards(state)) - Counter(dealt):
        for name in fields_with(state, card):
            if setup.state.fields[name].kept:
                remedy = f"`{name}` is kept from the one before: declare it without `kept=True`"
                raise bad_rules(setup.game, f"{sign(card)} is in two places after the deal: {remedy}")
