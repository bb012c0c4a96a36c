"""The laws of whole matches: they end, replay from their records, and treat all seats alike."""

from __future__ import annotations

from typing import Any

from upcard.engine import records
from upcard.engine.errors import BadRecord, IllegalMove
from upcard.engine.match import Match
from upcard.engine.mistakes import check_numbers
from upcard.engine.setup import Setup
from upcard.laws.law import EVENTS, LONGEST, Broken, Trial, last_event, random_event
from upcard.rules import pages
from upcard.rules.game import broken_constraint
from upcard.rules.state import mind_places

TOTALLED = 1000
"""The number of events of a match in which totals are watched: several deals."""


def matches_end(trial: Trial) -> None:
    """Every match ends with a winner, and no event is possible after it."""
    match = trial.to_the_end()
    if not match.done:
        raise Broken(f"a random match is still going on after {LONGEST} events")
    try:
        match.event("0 As")
    except IllegalMove:
        return
    raise Broken("a card can be played after the end of the match")


def rows_have_their_places(trial: Trial) -> None:
    """Rules never use a negative index, for example NOBODY, NO_CARD or NO_SUIT."""
    match = trial.begin()
    mind_places(match.state)
    while not match.done and len(match.events) < EVENTS:
        match.event(random_event(match, trial.rng))


def numbers_are_whole(trial: Trial) -> None:
    """All values in a state, and the utility of a deal, are 64-bit integers, and only seats that play have a score."""
    for match in trial.moments():
        check_numbers(match.game, match.state)
        if any(match.state.scores[match.players :]):
            raise Broken(f"{last_event(match)} `scores` has a number for a seat that does not exist")
        if match.to_act:
            continue
        for seat in range(match.players):
            worth = match.setup.utility(match.state, seat)
            if type(worth) is not int:
                raise Broken(f"`utility` returns {worth!r:.40}: it must be a whole number")


def totals_are_conserved(trial: Trial) -> None:
    """The totals that a game declares as `conserved`, such as the chips of all players and the pot, never change."""
    match = trial.begin()
    before = dict(match.setup.conserved(match.state))
    while before and not match.done and len(match.events) < TOTALLED:
        match.event(random_event(match, trial.rng))
        after = dict(match.setup.conserved(match.state))
        if after != before:
            name = next(name for name in [*before, *after] if before.get(name) != after.get(name))
            totals = f"{before.get(name)} before it, {after.get(name)} after it"
            raise Broken(f"{last_event(match)} the {name} are not conserved: {totals}")


def deals_begin_anew(trial: Trial) -> None:
    """At the start of a deal no tricks have been taken, no trick is in play, and no seat is known to lack cards."""
    for match in trial.moments(1000):
        if match.events[-1].word != "deal" or not match.to_act:
            continue
        state: Any = match.state
        for name in ("tricks", "in_trick", "lacks", "led"):
            if name not in state.fields:
                continue
            value: Any = getattr(state, name)
            blank = state.fields[name].blank
            if {*value} - {blank} if isinstance(value, list) else value != blank:
                raise Broken(
                    f"a deal begins with `{name}` of the previous deal: is it kept=True, or not cleared in `deal`?"
                )


def records_replay(trial: Trial) -> None:
    """A match replays from its record, cut anywhere, to the same report."""
    match = trial.to_the_end(EVENTS)
    record = match.record()
    if records.replay(record, match.game).state != match.state:
        raise Broken("its record replays to a different state")
    cut = trial.rng.randrange(len(record["events"]) + 1)
    begun = records.replay(record | {"events": record["events"][:cut]}, match.game)
    for text in record["events"][cut:]:
        begun.event(text)
    if begun.report() != match.report():
        raise Broken(f"it replays to a different report if its record is cut after {cut} events")


# --------------------------------------------------------------------------------------------------------------- seats


def seats_rotate(trial: Trial) -> None:
    """If all players and the dealer move one seat on, the match is the same, one seat on."""
    match = trial.begin()
    other = Match(match.setup, dealer=(match.first_dealer + 1) % match.players)
    while not match.done and len(match.events) < 300:
        text = random_event(match, trial.rng)
        match.event(text)
        try:
            other.event(further(match, text))
        except IllegalMove:
            raise Broken(f"`{text}` is not possible one seat further, though all else is the same") from None
        _compare(match, other)


def further(match: Match[Any], event: str) -> str:
    """An event, moved one seat further."""
    word, _, move = event.partition(" ")
    if not word.isdigit():
        return event
    return f"{(int(word) + 1) % match.players} {_moved(match, move)}"


def _moved(match: Match[Any], text: str) -> str:
    """The text of a move, with the seats in it moved one further."""
    notation = match.game.notation
    move = notation.read(text).move
    assert move is not None
    kinds, words = notation.kinds(move), text.split(" ")
    for place, kind in enumerate(kinds, len(words) - len(kinds)):
        if kind == "seat":
            words[place] = str((int(words[place]) + 1) % match.players)
    return " ".join(words)


def _compare(match: Match[Any], other: Match[Any]) -> None:
    here, there = match.report(), other.report()
    players = match.players
    for name in ("hands", "tricks", "points", "scores"):
        if there[name] != here[name][-1:] + here[name][:-1]:
            raise Broken(f"{last_event(match)} `{name}` is {here[name]}, and one seat further {there[name]}")
    for name in ("dealer", "leader", "to_act", "winners"):
        if _seats(there[name]) != {_next(seat, players) for seat in _seats(here[name])}:
            raise Broken(f"{last_event(match)} `{name}` is {here[name]}, and one seat further {there[name]}")
    for seat, moves in here["legal"].items():
        if {_moved(match, move) for move in moves} != set(there["legal"][str((int(seat) + 1) % players)]):
            raise Broken(f"{last_event(match)} seat {seat} has other moves than the same player one seat further")


def _seats(value: Any) -> set[Any]:
    return set() if value is None else set(value) if isinstance(value, list) else {value}


def _next(seat: int | str, players: int) -> int | str:
    """The next seat; the dummy, which belongs to no seat, is returned unchanged."""
    return (seat + 1) % players if isinstance(seat, int) else seat


# ------------------------------------------------------------------------------------------------------------- headers


def tables_are_refused_by_clause(trial: Trial) -> None:
    """Every declared value of an option is accepted, unless a constraint excludes it; other values, and wrong players
    and dealers, are refused with a clause."""
    game, known = trial.game, pages.clauses(trial.game)
    for players in game.player_counts:
        for name, option in game.declared_options.items():
            low, high = option.bounds(players)
            values = option.values or ([low, high] if option.kind == "whole" else ["1", "9" * high])
            for value in (*values, option.default_for(players)):
                if broken_constraint(game.unconstrained(players, {name: value})) is None:
                    Match(Setup(game, players, {name: value}))
    good: dict[str, Any] = Match(game).record()
    wrong: tuple[object, ...] = (None, 10**9, "x", [], 1.5)
    bad: list[dict[str, object]] = [{"players": number} for number in (99, 0, True, None, "2")]
    bad += [{"dealer": seat} for seat in (-1, 99, True, 0.0, None)]
    bad += [{"options": {"no such": 1}}]
    bad += [{"options": {name: value}} for name in game.declared_options for value in wrong]
    for change in bad:
        try:
            records.header(good | change, game=game)
        except BadRecord as refused:
            if known and refused.clause not in known:
                raise Broken(
                    f"{change} is refused by {refused.clause or 'no clause'}, which is not in the rulebook"
                ) from None
        else:
            raise Broken(f"{change} is accepted")
