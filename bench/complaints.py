"""Positions in which people complain about a computer player's move: lines for tests/positions/GAME.by-hand.jsonl.

python bench/complaints.py GAME [--number 12] [--seed 1]

The rules below pick positions from deals played by the heuristic; each rule guarantees that its wrong moves are wrong.
"""

import argparse
import json
from collections import Counter
from collections.abc import Callable
from itertools import compress
from random import Random
from typing import Any, cast

import numpy as np
from ends import ends_of, worths

from upcard import Match
from upcard.compiled.dealer import Dealer
from upcard.compiled.seat_policies import HEURISTIC, rollout_records
from upcard.engine.views import View
from upcard.engine.worlds import Worlds
from upcard.games.cinch import rules as cinch
from upcard.games.kalooki import Kalooki
from upcard.games.kalooki import rules as kalooki
from upcard.games.loo import rules as loo
from upcard.games.ninety_nine import NinetyNine
from upcard.games.oh_hell import OhHell
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
from upcard.rules.notation import verb_of
from upcard.rules.state import NOTHING

Found = tuple[dict[str, str], str]
"""The wrong moves, each with a better one, and the reason."""
FINE: Found = ({}, "")


def false_claim(view: View[Any], s: Any, me: int) -> Found:
    """A false claim loses two points; if the other player has 33, playing on loses only one."""
    other = 1 - me
    if s.phase != sixty_six.LEAD or not 33 <= s.points[me] < 66 or s.tricks[other] == 0 or s.closer != NOBODY:
        return FINE
    return {"declare": text(as_list(s.hand[me])[0])}, "SS-38: the claim is false"


def missed_claim(view: View[Any], s: Any, me: int) -> Found:
    """A claim wins one point, and if the other player has 33, nothing wins more."""
    if s.phase != sixty_six.LEAD or s.points[me] < 66 or not 33 <= s.points[1 - me] < 66 or s.closer != NOBODY:
        return FINE
    return dict.fromkeys(map(text, as_list(s.hand[me])), "declare"), "SS-34: the claim wins, and nothing wins more"


def trumps_partner(view: View[Any], s: Any, me: int) -> Found:
    """The last player wastes a high trump on a trick of plain cards that the partner is already taking."""
    if s.phase != cinch.PLAY or s.in_trick.bit_count() != 3 or s.ahead != (me + 2) % 4:
        return FINE
    if s.trumps >> s.card[s.leader] & 1:
        return FINE
    legal = [move for move in view.legal_moves() if s.hand[me] >> move & 1]
    plain = [move for move in legal if not s.trumps >> move & 1]
    high = [move for move in legal if move in (card(KING, s.trump), card(QUEEN, s.trump), card(NINE, s.trump))]
    return ({text(move): text(plain[0]) for move in high} if plain else {}), "CI-30: the partner has the trick"


def nought_with_the_ace(view: View[Any], s: Any, me: int) -> Found:
    """The ace of trumps takes a trick whatever happens."""
    sure = s.trump != NO_SUIT and s.hand[me] & bit(card(ACE, s.trump))
    if s.phase != oh_hell.BID or not sure or "bid 1" not in view.legal():
        return FINE
    return {"bid 0": "bid 1"}, "the ace of trumps takes a trick whatever happens"


def low_when_all_are_needed(view: View[Any], s: Any, me: int) -> Found:
    """A player who has bid all remaining tricks, and holds the ace of trumps, should not lead a low card."""
    left = count(s.hand[me])
    if (
        s.phase != oh_hell.PLAY
        or s.leader != me
        or s.in_trick
        or not 2 <= left <= 3
        or s.bids[me] - s.tricks[me] != left
    ):
        return FINE
    if s.trump == NO_SUIT or not s.hand[me] & bit(card(ACE, s.trump)):
        return FINE
    low = [one for one in as_list(s.hand[me]) if rank_of(one) <= SIX and suit_of(one) != s.trump]
    return dict.fromkeys(map(text, low), text(card(ACE, s.trump))), "every trick is needed: a low card loses one"


def low_trump_when_all_are_needed(view: View[Any], s: Any, me: int) -> Found:
    """A player who needs all remaining tricks, and has a trump that nothing beats, should not lead one that an unseen
    trump beats: the best one may draw that."""
    left = count(s.hand[me])
    if s.phase != oh_hell.PLAY or s.trump == NO_SUIT or s.led or left != 3 or s.bids[me] - s.tricks[me] != left:
        return FINE
    setup = cast(OhHell, view.setup)
    unseen = of_suit(setup.pack & ~(s.hand[me] | s.played | bit(s.upcard)), s.trump)
    trumps = as_list(of_suit(s.hand[me], s.trump))
    best = [one for one in trumps if unseen < bit(one)]
    low = [one for one in trumps if unseen > bit(one)]
    if not unseen or not best:
        return FINE
    return dict.fromkeys(map(text, low), text(best[-1])), "every trick is needed: the best trump may draw what beats it"


def stays_with_nothing(view: View[Any], s: Any, me: int) -> Found:
    """No trump, nothing above a ten, and the pot cannot pay what being looed costs."""
    hand = as_list(s.hand[me])
    high = [one for one in hand if rank_of(one) > TEN or s.trumps >> one & 1]
    others = s.inside.bit_count() - 1
    if s.phase != loo.DECLARE or high or others < 3 or "play" not in view.legal():
        return FINE
    return {"play": "pass"}, "no trump and nothing above a ten: staying is being looed"


def reveals_in_vain(view: View[Any], s: Any, me: int) -> Found:
    """A middling bid with middling cards: two others who see the hand can always spoil it."""
    wanted = cast(NinetyNine, view.setup).tricks_bid(s, s.bid[me])
    middling: Cards = sum(bit(one) for one in as_list(s.hand[me]) if NINE <= rank_of(one) <= QUEEN)
    trumps = count(of_suit(s.hand[me], s.trump)) if s.trump != NO_SUIT else 0
    if "reveal" not in view.legal() or not 2 <= wanted <= 6 or count(middling) < 4 or trumps >= 4:
        return FINE
    return {"reveal": "pass"}, "a middling bid with middling cards, open to two who may spoil it"


def keeps_the_contract(view: View[Any], s: Any, me: int) -> Found:
    """The first contract, of threes only, is complete, and no single further card would allow the player to lay down
    the whole hand, for which the others would pay double. A player who does not lay it now may be caught with it. Often
    that hardly matters; here it does."""
    lays = [move for move in view.legal_moves() if verb_of(move) == kalooki.LAY]
    throws = [move for move in view.legal_moves() if verb_of(move) == kalooki.DISCARD]
    if not (lays and throws) or s.deals != 1 or could_bend(view.hand(me)):
        return FINE
    lost = worths(*tried(view, [lays[0], *throws], WORLDS * len(throws)))
    lost = lost[0] - lost[1:]
    wrong = lost.mean(axis=1) > CLEARLY * lost.std(axis=1) / lost.shape[1] ** 0.5
    text = view.game.notation.text
    better = {text(move): text(lays[0]) for move in compress(throws, wrong)} if wrong.all() else {}
    return better, "the contract can be laid, and bending is far (KA-53)"


def tried(view: View[Any], moves: list[int], worlds: int) -> Any:
    """The results of a deal that continues by the heuristic, by move and world."""
    policies = rollout_records(view.state.players, HEURISTIC)
    return ends_of(Dealer(view), policies, moves, np.arange(1, worlds + 1, dtype=np.uint64))


def stays_in(view: View[Any], s: Any, me: int) -> Found:
    """In the last deal of a match, the player with the fewest points wins by going out, whatever the others hold."""
    others = [seat for seat in range(s.players) if seat != me]
    is_last = s.phase == kalooki.PLAY and s.stage == cast(Kalooki, view.setup).stages - 1
    if not is_last or view.sizes[me] > MOST_LEFT or any(total(s, me) > total(s, seat) for seat in others):
        return FINE
    world = Worlds(view).sample(Random(0))
    moves = view.legal_moves()
    out = [move for move in moves if goes_out(view, world, me, move)]
    others = [move for move in moves if move not in out] if out else []
    wrong = [move for move, won in zip(others, least_won(view, others), strict=True) if won < 1]
    text = view.game.notation.text
    return {text(move): text(out[0]) for move in wrong}, "KA-54: going out now wins the match, this may yet lose it"


MOST_LEFT = 4
"""The largest hand for which a way to go out is searched."""
WORLDS = 200
CLEARLY = 5
"""The number of standard errors by which a move must be worse to count as clearly worse."""


def total(s: Any, seat: int) -> int:
    """The points of a seat, including the fines of this deal."""
    return int(s.scores[seat] + s.points[seat])


def goes_out(view: View[Any], state: Any, me: int, move: int) -> bool:
    """Whether a seat can end the match in this turn, beginning with this move. This depends only on its own cards, as
    any card counts."""
    after = state.copy()
    view.setup.apply(after, me, move)
    if not acts(after, me):
        return bool(after.awaiting == NOTHING and after.winners == bit(me))
    buffer = [0] * view.game.most_moves
    number = view.setup.legal_moves(after, me, buffer)
    return any(goes_out(view, after, me, further) for further in buffer[:number])


def least_won(view: View[Any], moves: list[int]) -> list[float]:
    """The share of the match that each move wins in the worst of the worlds that are examined."""
    return list(tried(view, moves, WORLDS)[1].min(axis=1)) if moves else []


def could_bend(hand: list[int | None]) -> bool:
    """Whether a whole hand could be laid down after a discard, a draw and another discard: every pair lacks one card,
    which can be a joker, and single cards must be discarded."""
    jokers = sum(one >= JOKER for one in hand if one is not None)
    number = Counter(rank_of(one) for one in hand if one is not None and one < JOKER)
    alone, pairs = (sum(held == size for held in number.values()) for size in (1, 2))
    return alone <= 2 and pairs - jokers <= 1


Rule = Callable[[View[Any], Any, int], Found]
RULES: dict[str, list[Rule]] = {
    "sixty-six": [false_claim, missed_claim],
    "cinch": [trumps_partner],
    "oh-hell": [nought_with_the_ace, low_when_all_are_needed, low_trump_when_all_are_needed],
    "loo": [stays_with_nothing],
    "ninety-nine": [reveals_in_vain],
    "kalooki": [keeps_the_contract, stays_in],
}
TURNS = {"order": "down", "bidding": "turns"}
OPTIONS: dict[Rule, dict[str, Any]] = {
    nought_with_the_ace: TURNS,
    low_when_all_are_needed: TURNS,
    low_trump_when_all_are_needed: TURNS,
    stays_in: {"contracts": "1"},
}
ODD = 0.05
"""The probability of a random move."""


def position(slug: str, find: Rule, rng: Random) -> dict[str, Any] | None:
    """The record of a deal with the first position that a rule picks from it; None if there is none."""
    match: Match[Any] = Match(slug, options=OPTIONS.get(find), chance=rng)
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
    args = parser.parse_args()
    for find in RULES[args.game]:
        positions = deals = 0
        while positions < args.number:
            record = position(args.game, find, Random(f"{find.__name__} {args.seed} {deals}"))
            deals += 1
            if record is not None:
                positions += 1
                print(json.dumps(record, separators=(",", ":")), flush=True)


if __name__ == "__main__":
    main()
