"""Rounds: positions for its tests, and what they play and ask there."""

from collections.abc import Iterator
from itertools import chain
from random import Random
from typing import Any

from upcard import Match, games
from upcard.games.rounds.rules import RoundsState
from upcard.rules import cards
from upcard.rules.cards import text

ROUNDS = games.load("rounds")
PACK = [text(card) for card in cards.pack()]
ALLOWED: dict[str, Any] = {"revokes": "allowed"}


def table(
    seat_0: str = "", seat_1: str = "", upcard: str = "5c", dealer: int = 1, **options: object
) -> Match[RoundsState]:
    """A match with its first deal made; unless said otherwise seat 0 leads and clubs are trumps, and fives.

    Hands shorter than nine cards are filled up with plain diamonds and hearts, then spades, low cards first.
    """
    hands = [seat_0.split(), seat_1.split()]
    rest = [card for card in PACK if card not in [*hands[0], *hands[1], upcard]]
    rest.sort(key=lambda card: (card[0] == upcard[0], "dhsc".index(card[1]), "23456789TJQKA".index(card[0])))
    for hand in hands:
        while len(hand) < 9:
            hand.append(rest.pop(0))
    match = Match(ROUNDS, dealer=dealer, options=options)
    first, second = hands[1 - dealer], hands[dealer]
    match.event(f"deal {' '.join([*chain(*zip(first, second, strict=True)), upcard, *rest])}")
    return match


def last_round(seat_0: str, seat_1: str, pile: str, **options: object) -> Match[RoundsState]:
    """Seat 0 leads to round 5, the seats hold these four cards, the pile is this one. Revokes are allowed.

    So whatever is asked for, nobody has had to part with these cards.
    """
    kept = [seat_0.split(), seat_1.split()]
    turned = pile.split()
    others = [card for card in PACK if card not in kept[0] + kept[1] + turned]
    for seed in range(100):
        rest = Random(seed).sample(others, len(others))
        hands = chain(*zip(kept[0] + rest[:5], kept[1] + rest[5:10], strict=True))
        later = [[*rest[i : i + 10], upcard] for i, upcard in zip((10, 20, 30), turned[1:], strict=True)]
        match = Match(ROUNDS, dealer=1, options={**ALLOWED, **options})
        match.event(f"deal {' '.join([*hands, turned[0], *chain(*later)])}")
        while match.report()["round"] < 5 and (spare := legal(match) - {*kept[0], *kept[1], "call"}):
            play(match, min(spare))
        if match.report()["round"] == 5:
            return match
    raise AssertionError("no such round was found")


def play(match: Match[RoundsState], line: str) -> Match[RoundsState]:
    """The seats to act play this line: "Ks 2c, call, 9d"."""
    for part in line.split(", "):
        for move in part.split() if cards.read(part[:2]) is not None else [part]:
            match.event(f"{match.to_act[0]} {move}")
    return match


def options_of(match: Match[RoundsState]) -> Any:
    """The options, which have the rules of the game as their methods."""
    return match.options


def legal(match: Match[RoundsState]) -> set[str]:
    """The moves of the seat to act."""
    return set(match.legal(match.to_act[0]))


def hand(match: Match[RoundsState], seat: int) -> set[str]:
    return set(match.report()["hands"][seat])


def seen(match: Match[RoundsState], viewer: int | None, seat: int) -> set[str]:
    """The cards of a seat that a viewer sees."""
    return {text(card) for card in match.view(viewer).hand(seat) if card is not None}


def random_game(match: Match[RoundsState], seed: int) -> Iterator[Match[RoundsState]]:
    """One game with random lawful cards, nobody ever questioning anything: the match after each event."""
    rng = Random(seed)
    match.event(match.draw_lots(rng))
    yield match
    while match.to_act:
        match.event(f"{match.to_act[0]} {rng.choice(sorted(legal(match)))}")
        yield match


def game_that_brings(match: Match[RoundsState], points: list[int]) -> Match[RoundsState]:
    """The match after a game that brings the seats these points."""
    for seed in range(3000):
        *_, after = random_game(match.fork(), seed)
        if after.report()["last"]["points"] == points:
            return after
    raise AssertionError("no such game was found")


def at_scores(first: int, second: int, **options: object) -> Match[RoundsState]:
    """A match that awaits a deal at these scores."""
    match = Match(ROUNDS, options=options)
    match.state.scores = [first, second]
    return match


def closing() -> Match[RoundsState]:
    """The closing step of round 1: in the last trick seat 1 has thrown 2h on a spade, though it holds one."""
    match = table("Ks Qs Js Ts 9s 2d 3d 4d 6d", "8s 7s 6s 4s 3s 2h 3h 4h 6h", **ALLOWED)
    return play(match, "Ks 8s Qs 7s Js 6s Ts 4s 9s 2h")
