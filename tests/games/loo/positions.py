"""Positions of Loo for tests: deals with given hands, and matches at a given phase."""

from collections.abc import Sequence
from random import Random
from typing import Any

from playing import random_header, refused_header
from playing import seen_by as sees

from upcard import Match, games
from upcard.rules import Scene
from upcard.rules.cards import as_set, pack, read, text

LOO = games.load("loo")
PACK = [text(card) for card in pack()]
NAMES = ["Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal", "Ina", "Jo"]
NO_FLUSHES = ["2s 3s 4d 5d 6c", "2c 3c 4s 5s 6d", "2d 3d 4c 5c 6s", "7s 8s 9d Td 7c", "8c 9c Ts Js 7d"]
"""Hands for the seats that a test says nothing about: low cards, no hearts, no flushes and no Pam."""


def deal(top: str) -> str:
    """A deal event whose pack begins with these cards."""
    first = top.split()
    return " ".join(["deal", *first, *[card for card in PACK if card not in first]])


def deal_hands(hands: Sequence[str], upcard: str, dealer: int = 0, stock: str = "") -> str:
    """The deal event that gives each seat these cards (where none are named, any that make no flush)."""
    named = " ".join([*hands, upcard, stock]).split()
    rest = [card for card in PACK if card not in [*named, "Jc"]]
    Random(1).shuffle(rest)
    held = [hand.split() if hand else [rest.pop() for _ in range(5)] for hand in hands]
    rounds = [held[(dealer + 1 + k) % len(held)][i] for i in range(5) for k in range(len(held))]
    return deal(" ".join([*rounds, upcard, stock]).strip())


def play(match: Match, *events: str) -> Match:
    for event in events:
        match.event(event)
    return match


def declare(match: Match, inside: Sequence[int]) -> Match:
    """These seats stay in, all others pass."""
    while match.phase == "declare":
        seat = match.to_act[0]
        match.event(f"{seat} {'play' if seat in inside else 'pass'}")
    return match


def hurry(match: Match, phase: str) -> Match:
    """Nobody shows a flush and all keep their cards, until this phase."""
    while match.phase != phase:
        match.event(f"{match.to_act[0]} {'keep' if match.phase == 'exchange' else 'no'}")
    return match


def dealt(
    hands: Sequence[str],
    upcard: str = "2h",
    inside: Sequence[int] = (),
    phase: str = "declare",
    *,
    dealer: int = 0,
    top: str = "",
    **options: Any,
) -> Match:
    """A match whose first deal has these hands, and these cards on top of the stock, at a phase of it."""
    match = Match("loo", len(hands), dealer=dealer, options=options)
    play(match, deal_hands(hands, upcard, dealer, top))
    return hurry(declare(match, inside), phase) if phase != "declare" else match


def five(**hands: str) -> list[str]:
    """Hands of five players: `five(s1="…", s3="…")`, the others any."""
    return [hands.get(f"s{seat}", "") for seat in range(5)]


def state(match: Match) -> Any:
    return match.state


def options(match: Match) -> Any:
    return match.options


def scene(match: Match, seat: int | None) -> Scene:
    """What the game says of its table to a seat."""
    return match.setup.scene(sees(match, seat), seat)


def marks(match: Match, seat: int | None = None) -> list[dict[str, object]]:
    return [{label: value for label, value, *_ in row} for row in scene(match, seat).marks]


def bad_header(players: object = 6, dealer: object = 0, **options: object) -> str | None:
    return refused_header("loo", players, dealer, **options)


def last(match: Match) -> dict[str, Any]:
    found: dict[str, Any] = match.report()["last"]
    return found


def free_deal(match: Match) -> Match:
    """Everybody passes: the dealer gets the pot back."""
    return declare(play(match, match.draw_lots(Random(3))), [])


SWEEP = "Jc Ah Kh Qh Th"


def looed_deal(match: Match) -> Match:
    """The seat left of the dealer takes all tricks from the next one, which is looed."""
    n, dealer = match.players, match.report()["dealer"]
    first, second = (dealer + 1) % n, (dealer + 2) % n
    hands = [""] * n
    hands[first], hands[second] = SWEEP, "2s 3s 4d 5d 6c"
    play(match, deal_hands(hands, "2h", dealer))
    hurry(declare(match, [first, second]), "play")
    while match.phase == "play":
        match.event(f"{match.to_act[0]} {match.legal(match.to_act[0])[0]}")
    return match


def random_matches(number: int) -> list[Match]:
    """Matches before the first deal, of one round, with all sorts of options."""
    headers = [random_header(LOO, seed) for seed in range(number)]
    return [
        Match("loo", players, dealer=dealer, options={**chosen, "rounds": 1}) for players, dealer, chosen in headers
    ]


def cards(texts: str) -> int:
    return as_set(read(card) or 0 for card in texts.split())


def ten_players(inside: Sequence[int], **options: Any) -> Match:
    """Ten players at the exchange; nobody holds Pam, which is the only card of the stock."""
    return dealt([""] * 10, "2h", inside, "exchange", top="Jc", **options)
