"""Positions in which people complain of a computer player's move: lines for tests/positions/GAME.by-hand.jsonl.

python bench/complaints.py GAME [--number 12] [--seed 1]

Each is one that a rule below picks out of deals that the heuristic plays, and by that rule what is wrong is wrong.
"""

import argparse
import json
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

from upcard import Match
from upcard.engine.views import View
from upcard.games.cinch import rules as cinch
from upcard.games.loo import rules as loo
from upcard.games.ninety_nine import rules as ninety_nine
from upcard.games.oh_hell import rules as oh_hell
from upcard.games.sixty_six import rules as sixty_six
from upcard.players import player
from upcard.rules import (
    ACE,
    JOKER,
    KING,
    NINE,
    NO_SUIT,
    NOBODY,
    QUEEN,
    SIX,
    TEN,
    Cards,
    acts,
    bit,
    card,
    count,
    of_suit,
)
from upcard.rules.cards import as_list, rank_of, suit_of, text

Found = tuple[dict[str, str], str]
"""By wrong move a better one, and why."""
NOTHING: Found = ({}, "")


def false_claim(view: View[Any], s: Any, me: int) -> Found:
    """Whoever has 33 loses one point by playing on, and two by a claim that is false."""
    other = 1 - me
    if s.phase != sixty_six.LEAD or not 33 <= s.points[me] < 66 or s.tricks[other] == 0 or s.closer != NOBODY:
        return NOTHING
    return {"declare": text(as_list(s.hand[me])[0])}, "SS-38: the claim is false"


def missed_claim(view: View[Any], s: Any, me: int) -> Found:
    """A claim wins one point, and with 33 for the other nothing wins more."""
    if s.phase != sixty_six.LEAD or s.points[me] < 66 or not 33 <= s.points[1 - me] < 66 or s.closer != NOBODY:
        return NOTHING
    return dict.fromkeys(map(text, as_list(s.hand[me])), "declare"), "SS-34: the claim wins, and nothing wins more"


def trumps_partner(view: View[Any], s: Any, me: int) -> Found:
    """The last to play, whose partner takes a trick of plain cards already, wastes a high trump on it."""
    if s.phase != cinch.PLAY or s.in_trick.bit_count() != 3 or s.ahead != (me + 2) % 4:
        return NOTHING
    if s.trumps >> s.card[s.leader] & 1:
        return NOTHING
    legal = [one for one in view.legal_moves() if s.hand[me] >> one & 1]
    plain = [one for one in legal if not s.trumps >> one & 1]
    high = [one for one in legal if one in (card(KING, s.trump), card(QUEEN, s.trump), card(NINE, s.trump))]
    return ({text(one): text(plain[0]) for one in high} if plain else {}), "CI-30: the partner has the trick"


def nought_with_the_ace(view: View[Any], s: Any, me: int) -> Found:
    """The ace of trumps takes a trick whatever happens."""
    sure = s.trump != NO_SUIT and s.hand[me] & bit(card(ACE, s.trump))
    if s.phase != oh_hell.BID or not sure or "bid 1" not in view.legal():
        return NOTHING
    return {"bid 0": "bid 1"}, "the ace of trumps takes a trick whatever happens"


def low_when_all_are_needed(view: View[Any], s: Any, me: int) -> Found:
    """Who has bid all tricks that are left, and holds the ace of trumps, leads no low card."""
    left = count(s.hand[me])
    if (
        s.phase != oh_hell.PLAY
        or s.leader != me
        or s.in_trick
        or not 2 <= left <= 3
        or s.bids[me] - s.tricks[me] != left
    ):
        return NOTHING
    if s.trump == NO_SUIT or not s.hand[me] & bit(card(ACE, s.trump)):
        return NOTHING
    low = [one for one in as_list(s.hand[me]) if rank_of(one) <= SIX and suit_of(one) != s.trump]
    return dict.fromkeys(map(text, low), text(card(ACE, s.trump))), "every trick is needed: a low card loses one"


def stays_with_nothing(view: View[Any], s: Any, me: int) -> Found:
    """No trump, nothing above a ten, and the pot cannot pay what being looed costs."""
    hand = as_list(s.hand[me])
    high = [one for one in hand if rank_of(one) > TEN or s.trumps >> one & 1]
    others = s.inside.bit_count() - 1
    if s.phase != loo.DECLARE or high or others < 3 or "play" not in view.legal():
        return NOTHING
    return {"play": "pass"}, "no trump and nothing above a ten: staying is being looed"


def reveals_in_vain(view: View[Any], s: Any, me: int) -> Found:
    """A middling bid with middling cards: two others who see the hand can always spoil it."""
    wanted = ninety_nine.tricks_bid(s, view.options, s.bid[me])
    middling: Cards = sum(bit(one) for one in as_list(s.hand[me]) if NINE <= rank_of(one) <= QUEEN)
    trumps = count(of_suit(s.hand[me], s.trump)) if s.trump != NO_SUIT else 0
    if "reveal" not in view.legal() or not 2 <= wanted <= 6 or count(middling) < 4 or trumps >= 4:
        return NOTHING
    return {"reveal": "pass"}, "a middling bid with middling cards, open to two who may spoil it"


def keeps_the_contract(view: View[Any], s: Any, me: int) -> Found:
    """The first contract, of threes alone, is complete, and no one card more would do to lay all at once, for which
    the others would pay double: who keeps it now is left with it."""
    lays = [move for move in view.legal() if move.startswith("lay ")]
    throws = [move for move in view.legal() if move.startswith("discard ")]
    waits = lays and s.deals == 1 and not could_bend(view.hand(me))
    return (dict.fromkeys(throws, lays[0]) if waits else {}), "the contract can be laid, and bending is far (KA-53)"


def could_bend(hand: list[int | None]) -> bool:
    """Whether a hand could be laid down whole after a throw, a draw and another throw: pairs lack a card each, which a
    joker may be, and cards of a rank of their own must be thrown."""
    jokers = sum(one >= JOKER for one in hand if one is not None)
    number = Counter(rank_of(one) for one in hand if one is not None and one < JOKER)
    alone, pairs = (sum(held == size for held in number.values()) for size in (1, 2))
    return alone <= 2 and pairs - jokers <= 1


Rule = Callable[[View[Any], Any, int], Found]
RULES: dict[str, list[Rule]] = {
    "sixty-six": [false_claim, missed_claim],
    "cinch": [trumps_partner],
    "oh-hell": [nought_with_the_ace, low_when_all_are_needed],
    "loo": [stays_with_nothing],
    "ninety-nine": [reveals_in_vain],
    "kalooki": [keeps_the_contract],
}
OPTIONS: dict[str, dict[str, Any]] = {"oh-hell": {"order": "down", "bidding": "turns"}}
ODD = 0.05
"""So often a seat plays anything."""


def position(slug: str, find: Rule, rng: Random) -> dict[str, Any] | None:
    """The first position of a deal that a rule picks out, as a record with it; None where there is none."""
    match: Match[Any] = Match(slug, options=OPTIONS.get(slug), chance=rng)
    casual = player("heuristic")
    while match.state.deals == 1 and not match.done:
        seat = rng.choice(match.to_act)
        assert acts(match.state, seat)
        seen = match.view(seat)
        wrong, why = find(seen, seen.state, seat)
        wrong = {move: better for move, better in wrong.items() if {move, better} <= {*seen.legal()}}
        if wrong:
            asked = {"after": len(match.events), "seat": seat, "wrong": wrong, "why": why}
            return match.record() | {"positions": [asked]}
        match.play(seat, rng.choice(seen.legal()) if rng.random() < ODD else casual.choose(seen, rng))
    return None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=RULES)
    parser.add_argument("--number", type=int, default=12, help="of each complaint")
    parser.add_argument("--seed", type=int, default=1)
    said = parser.parse_args()
    for find in RULES[said.game]:
        found = deals = 0
        while found < said.number:
            record = position(said.game, find, Random(f"{find.__name__} {said.seed} {deals}"))
            deals += 1
            if record is not None:
                found += 1
                print(json.dumps(record, separators=(",", ":")), flush=True)


if __name__ == "__main__":
    main()
