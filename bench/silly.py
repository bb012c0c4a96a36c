"""Moves that people laugh at: how often each level makes them, and what they cost.

    python bench/silly.py [GAME …] [--positions 100] [--seed 1] [--worlds 300] [--levels easy casual …] [--kinds]
                          [--deals 400] [--seconds 600]

A kind is a predicate over the view of the seat that is to act: it lists the moves that look silly. The decisions are
those of first deals of casual players, with some random moves, until there are enough positions of each kind. A level
errs if it makes such a move and the worlds of the seat's own view agree: another move, the best one in half of the
worlds, is better in the other half by more than `CLEARLY` standard errors. All seats then play as medium. So a silly
move that is right, as some are on purpose, counts for nothing.

For each game and level there is a line with the positions, the share of errors and the mean cost of a position in the
game's `utility`, with 95 % intervals; with `--kinds`, one for each kind as well.
"""

import argparse
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import inf, sqrt
from random import Random
from typing import Any

import numpy as np
from mine import LEVELS, decisions, judged

from upcard import games
from upcard.engine.errors import UpcardError
from upcard.engine.views import View
from upcard.games.cinch import rules as cinch
from upcard.games.kalooki import rules as kalooki
from upcard.games.klaberjass import rules as klaberjass
from upcard.games.linger_longer import rules as linger
from upcard.games.loo import rules as loo
from upcard.games.ninety_nine import rules as ninety_nine
from upcard.games.oh_hell import rules as oh_hell
from upcard.games.roundup import rules as roundup
from upcard.games.sixty_six import rules as sixty_six
from upcard.players import player
from upcard.rules import ACE, JACK, JOKER, KING, NINE, NO_SUIT, QUEEN, TEN, beating, bit, card, count, of_rank, of_suit
from upcard.rules.cards import as_list, rank_of, suit_of
from upcard.rules.notation import cards_of, item, verb_of

CLEARLY = 3.0
"""The number of standard errors by which a move must be worse to count as an error."""
MOST_DEALS = 400
"""The number of deals in which positions of a rare kind are looked for."""

Silly = Callable[[Any, Any, int, list[int]], list[int]]
"""(setup, s, me, moves): the moves that look silly, none where the kind does not occur."""
KINDS: dict[str, list[tuple[str, Silly]]] = {slug: [] for slug in games.SLUGS}
"""By game, the kinds with their titles."""


def kind(slug: str, title: str) -> Callable[[Silly], Silly]:
    """Register a kind of move."""

    def register(silly: Silly) -> Silly:
        KINDS[slug].append((title, silly))
        return silly

    return register


# ------------------------------------------------------------------------------------------------- parts of predicates


def cards_among(moves: list[int]) -> list[int]:
    """The moves that only play a card."""
    return [move for move in moves if verb_of(move) == 0]


def verbs_among(moves: list[int], *verbs: int) -> list[int]:
    return [move for move in moves if verb_of(move) in verbs]


def is_last(s: Any) -> bool:
    """Whether the seat that is to act plays the last card of the trick."""
    return bool(s.led) and count(s.in_trick) == s.players - 1


def takers(s: Any, moves: list[int]) -> list[int]:
    """The cards that take the lead in the trick."""
    return [one for one in cards_among(moves) if s.better >> one & 1]


def losers(s: Any, moves: list[int]) -> list[int]:
    """The cards that do not."""
    return [one for one in cards_among(moves) if not s.better >> one & 1]


def is_sure(led: int, unseen: int, trump: int) -> bool:
    """Whether none of these cards beats a lead."""
    return not unseen & beating(led, trump)


def unless_all(some: list[int], moves: list[int]) -> list[int]:
    """These moves, if there are others."""
    return some if len(some) < len(moves) else []


# ------------------------------------------------------------------------------------------------------------ Sixty-Six


@kind("sixty-six", "claims without enough points")
def claims_falsely(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    return verbs_among(moves, sixty_six.DECLARE) if s.points[me] < game.enough else []


@kind("sixty-six", "does not claim with enough points")
def misses_claim(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    enough = s.phase == sixty_six.LEAD and s.points[me] >= game.enough
    return [move for move in moves if verb_of(move) != sixty_six.DECLARE] if enough else []


@kind("sixty-six", "does not show a marriage that wins")
def misses_marriage(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    if s.tricks[me] == 0 or s.points[me] >= game.enough:
        return []
    shows = verbs_among(moves, sixty_six.MELD)
    wins = [move for move in shows if s.points[me] + game.marriage_value(s, move) >= game.enough]
    return [move for move in moves if move not in wins] if wins else []


@kind("sixty-six", "shows a marriage that does not win before its sure trumps")
def shows_too_early(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    if s.closer == sixty_six.NOBODY or s.points[me] >= game.enough:
        return []
    trumps = [one for one in cards_among(moves) if suit_of(one) == s.trump]
    sure = [one for one in trumps if not game.unseen(s, me) & game.over(s, one)]
    shows = verbs_among(moves, sixty_six.MELD)
    return [move for move in shows if s.points[me] + game.marriage_value(s, move) < game.enough] if sure else []


@kind("sixty-six", "throws an ace or ten away")
def gives_counter(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    lost = losers(s, moves) if s.led else []
    high = [one for one in lost if rank_of(one) in (ACE, TEN)]
    return high if any(rank_of(one) not in (ACE, TEN) and suit_of(one) != s.trump for one in lost) else []


@kind("sixty-six", "breaks a marriage")
def breaks_marriage(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    if not s.led or not game.stock_open(s):
        return []
    pair = [one for one in losers(s, moves) if game.marriage_with(s, s.hand[me], one)]
    return pair if any(one not in pair and suit_of(one) != s.trump for one in losers(s, moves)) else []


@kind("sixty-six", "closes without trump and ace")
def closes_with_nothing(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    strong = [one for one in as_list(s.hand[me]) if suit_of(one) == s.trump or rank_of(one) == ACE]
    return [] if strong else verbs_among(moves, sixty_six.CLOSE)


# ---------------------------------------------------------------------------------------------------------------- Cinch


@kind("cinch", "leads a pedro with a higher trump in hand")
def leads_pedro(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    if s.phase != cinch.PLAY or s.led:
        return []
    fives = [one for one in cards_among(moves) if game.pedros(s) >> one & 1]
    return fives if s.hand[me] & game.upper(s.trump) else []


@kind("cinch", "gives a scoring trump to the others")
def gives_trump(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    if s.phase != cinch.PLAY or not is_last(s) or s.ahead == game.partner_of(me):
        return []
    scoring = [one for one in losers(s, moves) if game.value_of(s, bit(one))]
    return unless_all(scoring, moves)


@kind("cinch", "puts a high trump on a plain trick of the partner")
def overtakes_partner(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    if s.phase != cinch.PLAY or not is_last(s) or s.ahead != game.partner_of(me):
        return []
    high = [one for one in cards_among(moves) if s.trumps >> one & 1 and rank_of(one) in (KING, QUEEN, NINE)]
    return [] if s.trumps >> s.card[s.leader] & 1 else unless_all(high, moves)


@kind("cinch", "bids without ace, king or pedro")
def bids_with_nothing(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    good = [one for one in as_list(s.hand[me]) if rank_of(one) in (ACE, KING) or rank_of(one) == cinch.FIVE]
    return verbs_among(moves, cinch.MAKE) if s.phase == cinch.BID and not good else []


@kind("cinch", "names a suit in which it holds fewer than two cards")
def names_short_suit(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    if s.phase != cinch.TRUMP:
        return []
    return unless_all([move for move in moves if count(of_suit(s.hand[me], item(move, 0))) < 2], moves)


# ----------------------------------------------------------------------------------------------------------- Klaberjass


@kind("klaberjass", "ruffs with the jass where a low trump wins")
def ruffs_with_jass(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    if not s.led or s.trump == NO_SUIT or suit_of(s.card[s.leader]) == s.trump:
        return []
    ruffs = [one for one in takers(s, moves) if suit_of(one) == s.trump]
    return unless_all([one for one in ruffs if rank_of(one) in (JACK, NINE)], ruffs)


@kind("klaberjass", "throws an ace or ten away")
def wastes_counter(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    lost = losers(s, moves) if s.led else []
    high = [one for one in lost if rank_of(one) in (ACE, TEN)]
    return unless_all(high, lost)


@kind("klaberjass", "takes a suit with neither jass nor nine and at most one trump")
def makes_with_nothing(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    bold = []
    for move in verbs_among(moves, klaberjass.ACCEPT, klaberjass.NAME):
        suit = suit_of(s.upcard) if verb_of(move) == klaberjass.ACCEPT else item(move, 0)
        high = s.hand[me] & (bit(card(JACK, suit)) | bit(card(NINE, suit)))
        if not high and count(of_suit(s.hand[me], suit)) <= 1:
            bold.append(move)
    return unless_all(bold, moves)


@kind("klaberjass", "hides a sequence")
def hides_sequence(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    runs = verbs_among(moves, klaberjass.TWENTY, klaberjass.FIFTY)
    return verbs_among(moves, klaberjass.NONE) if runs else []


@kind("klaberjass", "does not call bela")
def forgets_bela(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    called = {item(move, 0) for move in verbs_among(moves, klaberjass.BELA)}
    return [one for one in cards_among(moves) if one in called]


# ------------------------------------------------------------------------------------------- games of exact bids


def wants_more(s: Any, me: int, bid: int) -> int:
    """How many more tricks a seat needs for its bid."""
    return int(bid - s.tricks[me])


@kind("oh-hell", "bids no trick with the ace of trumps")
def bids_nought(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    if s.phase != oh_hell.BID or s.trump == NO_SUIT or not s.hand[me] & bit(card(ACE, s.trump)):
        return []
    return [move for move in moves if item(move, 0) == 0]


@kind("oh-hell", "bids every trick of a large hand")
def bids_everything(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    size = count(s.hand[me])
    return [move for move in moves if item(move, 0) >= size - 1] if s.phase == oh_hell.BID and size > 3 else []


@kind("oh-hell", "takes a trick too many as the last to play")
def takes_unwanted(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    done = s.phase == oh_hell.PLAY and is_last(s) and wants_more(s, me, s.bids[me]) == 0
    return unless_all(takers(s, moves), moves) if done else []


@kind("oh-hell", "lets a trick go as the last to play when it needs all")
def lets_needed_go(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    needed = s.phase == oh_hell.PLAY and is_last(s) and wants_more(s, me, s.bids[me]) == count(s.hand[me])
    return unless_all(losers(s, moves), moves) if needed else []


@kind("oh-hell", "leads a low card when it needs all")
def leads_low(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    if s.phase != oh_hell.PLAY or s.led or wants_more(s, me, s.bids[me]) < count(s.hand[me]):
        return []
    unseen = game.pack & ~(s.hand[me] | s.played | bit(s.upcard))
    beaten = [one for one in moves if any(suit_of(o) == suit_of(one) and o > one for o in as_list(unseen))]
    return unless_all(beaten, moves)


@kind("ninety-nine", "takes a trick too many as the last to play")
def takes_another(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    done = s.phase == ninety_nine.PLAY and is_last(s) and wants_more(s, me, game.tricks_bid(s, s.bid[me])) == 0
    return unless_all(takers(s, moves), moves) if done else []


@kind("ninety-nine", "lets a trick go as the last to play when it needs all")
def lets_another_go(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    wanted = wants_more(s, me, game.tricks_bid(s, s.bid[me])) if s.phase == ninety_nine.PLAY else 0
    return unless_all(losers(s, moves), moves) if is_last(s) and wanted == count(s.hand[me]) else []


@kind("ninety-nine", "leads a sure winner with its bid made")
def leads_unwanted(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    done = s.phase == ninety_nine.PLAY and not s.led and wants_more(s, me, game.tricks_bid(s, s.bid[me])) == 0
    sure = [one for one in cards_among(moves) if is_sure(one, game.unseen_by(s, me), s.trump)] if done else []
    return unless_all(sure, moves)


@kind("ninety-nine", "reveals a middling hand")
def reveals_in_vain(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    reveals = verbs_among(moves, ninety_nine.REVEAL)
    return reveals if reveals and 2 <= game.tricks_bid(s, s.bid[me]) <= 6 else []


# ------------------------------------------------------------------------------------------------------------------ Loo


@kind("loo", "stays in with nothing")
def stays_with_nothing(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    good = [one for one in as_list(s.hand[me]) if rank_of(one) >= KING or s.trumps >> one & 1]
    return verbs_among(moves, loo.STAY) if s.phase == loo.DECLARE and not good and len(moves) > 1 else []


@kind("loo", "passes with Pam or the ace of trumps")
def passes_with_best(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    best = s.hand[me] & (bit(game.pam) | bit(card(ACE, s.trump))) if s.phase == loo.DECLARE else 0
    return verbs_among(moves, loo.PASS) if best and len(moves) > 1 else []


@kind("loo", "throws a high trump away")
def throws_trump(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    throws = verbs_among(moves, loo.DISCARD)
    high = bit(game.pam) | (bit(card(ACE, s.trump)) | bit(card(KING, s.trump)) if throws else 0)
    return unless_all([move for move in throws if cards_of(move) & high], moves)


@kind("loo", "does not show a flush")
def hides_flush(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    return verbs_among(moves, loo.NO) if verbs_among(moves, loo.FLUSH) else []


# -------------------------------------------------------------------------------------------------------------- Kalooki


@kind("kalooki", "discards a card that it could add to a meld")
def discards_tackable(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    fits = {item(move, 0) for move in verbs_among(moves, kalooki.TACK)}
    throws = verbs_among(moves, kalooki.DISCARD)
    return unless_all([move for move in throws if item(move, 0) in fits], throws)


@kind("kalooki", "keeps the last contract's melds in the hand")
def keeps_melds(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    late = s.phase == kalooki.PLAY and any(s.down[seat] for seat in range(s.players))
    return verbs_among(moves, kalooki.DISCARD) if late and verbs_among(moves, kalooki.LAY) else []


@kind("kalooki", "draws from the stock where the upcard lets it go out")
def misses_way_out(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    stock = verbs_among(moves, kalooki.STOCK)
    return stock if stock and game.upcard_goes_out(s, me) else []


@kind("kalooki", "leaves a joker on the discard pile")
def leaves_joker(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    stock = verbs_among(moves, kalooki.STOCK)
    return stock if stock and s.discards[s.thrown - 1] == JOKER else []


@kind("kalooki", "does not lay its way out")
def stays_in(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    lays = verbs_among(moves, kalooki.LAY)
    spans, ranks = game.way_out(s, me) if lays else (0, 0)
    ways = [move for move in lays if game.on_the_way(s, me, move, spans, ranks)] if spans | ranks else []
    return verbs_among(moves, kalooki.DISCARD) if ways else []


# ------------------------------------------------------------------------------------------------------ the other games


@kind("linger-longer", "lets a trick go with its last cards")
def lets_draw_go(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    last = bool(s.led) and s.phase == linger.PLAY and count(s.in_trick) == count(s.active) - 1
    return unless_all(losers(s, moves), moves) if last and count(s.hand[me]) <= 2 else []


@kind("linger-longer", "takes a trick with an ace or king where a low card wins")
def takes_too_high(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    last = bool(s.led) and s.phase == linger.PLAY and count(s.in_trick) == count(s.active) - 1
    wins = takers(s, moves) if last else []
    return unless_all([one for one in wins if rank_of(one) >= KING], wins)


@kind("linger-longer", "leads another card than a sure winner with its last cards")
def leads_loser(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    if s.led or s.phase != linger.PLAY or count(s.hand[me]) > 2:
        return []
    sure = [one for one in cards_among(moves) if is_sure(one, game.unseen_by(s, me), s.trump)]
    return [one for one in moves if one not in sure] if sure else []


@kind("linger-longer", "throws a trump away")
def wastes_trump(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    lost = losers(s, moves) if s.led and s.trump != NO_SUIT else []
    return unless_all([one for one in lost if suit_of(one) == s.trump], lost)


@kind("rounds", "throws the two of hearts on a lost trick")
def gives_prize(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    lost = losers(s, moves) if s.led else []
    return unless_all([one for one in lost if game.prize >> one & 1], moves)


@kind("rounds", "leads the two of hearts")
def leads_prize(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    return [] if s.led else unless_all([one for one in cards_among(moves) if game.prize >> one & 1], moves)


@kind("rounds", "does not take the two of hearts")
def lets_prize_go(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    led = s.led and game.prize >> s.card[s.leader] & 1
    return losers(s, moves) if led and takers(s, moves) else []


@kind("rolling-stone", "leads its highest card of a suit that the next seat follows for certain with a lower one")
def leads_high(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    if s.led:
        return []
    following = (me + 1) % s.players
    known = s.known[following]
    high = [one for one in cards_among(moves) if of_suit(known, suit_of(one)) and rank_of(one) >= QUEEN]
    return unless_all(high, moves)


def is_last_to_follow(s: Any, me: int) -> bool:
    """Whether the trick is complete with this seat's card."""
    return bool(s.led) and (me + 1) % s.players == s.leader


@kind("rolling-stone", "leads a suit in which a seat's last card is known to be")
def leads_to_last_card(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    last = [s.known[seat] for seat in range(s.players) if seat != me and s.size[seat] == 1 and s.known[seat]]
    return [] if s.led else unless_all([one for one in moves if any(of_suit(c, suit_of(one)) for c in last)], moves)


@kind("rolling-stone", "leaves the lead to a player with one card")
def gives_lead_away(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    near = is_last_to_follow(s, me) and s.size[s.ahead] == 1
    return unless_all([one for one in cards_among(moves) if bit(one) < s.table], moves) if near else []


@kind("rolling-stone", "does not win the lead for its last card")
def misses_lead(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    near = is_last_to_follow(s, me) and s.size[me] == 2
    return unless_all([one for one in cards_among(moves) if bit(one) < s.table], moves) if near else []


@kind("roundup", "attacks a player who bid the same suit")
def attacks_ally(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    bids = s.bids
    attacks = verbs_among(moves, roundup.JACK_AT, roundup.QUEEN_AT, roundup.KING_AT)
    allies = {seat for seat in range(s.players) if seat != me and bids[seat] != roundup.NO_CARD != bids[me]}
    allies = {seat for seat in allies if suit_of(bids[seat]) == suit_of(bids[me])}
    return unless_all([move for move in attacks if item(move, 1) in allies], moves)


@kind("roundup", "passes with a card of the suit that it bid")
def passes_own_suit(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    if s.bids[me] == roundup.NO_CARD:
        return []
    passes = verbs_among(moves, roundup.PASS)
    return unless_all([move for move in passes if suit_of(item(move, 0)) == suit_of(s.bids[me])], passes)


@kind("roundup", "attacks for its own suit")
def calls_own_suit(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    if s.bids[me] == roundup.NO_CARD:
        return []
    own = [move for move in verbs_among(moves, roundup.QUEEN_AT) if item(move, 2) == suit_of(s.bids[me])]
    return unless_all(own, moves)


@kind("roundup", "attacks a player who cannot have what it asks for")
def attacks_in_vain(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    vain = []
    for move in verbs_among(moves, roundup.JACK_AT, roundup.QUEEN_AT, roundup.KING_AT):
        seat, verb = item(move, 1), verb_of(move)
        asked = game.pack & ~s.lacks[seat] if s.down[seat] else 0
        if verb == roundup.QUEEN_AT:
            asked = of_suit(asked, item(move, 2))
        elif verb == roundup.KING_AT:
            asked = of_rank(asked, item(move, 2))
        if not asked:
            vain.append(move)
    return unless_all(vain, moves)


@kind("roundup", "plays on in its own suit where it may stop")
def plays_own_suit(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    if s.phase != roundup.MORE or s.bids[me] == roundup.NO_CARD:
        return []
    return [one for one in cards_among(moves) if suit_of(one) == suit_of(s.bids[me])]


# -------------------------------------------------------------------------------------------------------------- judging


@dataclass
class Record:
    """The decisions of one kind by one level."""

    costs: list[float]
    """The cost of each, 0 if it is no error."""
    errors: int = 0

    def line(self, name: str, level: str) -> str:
        number = len(self.costs)
        low, high = share_interval(self.errors, number)
        mean, error = (float(np.mean(self.costs)), float(np.std(self.costs)) / sqrt(number)) if number else (0.0, 0.0)
        share = 100 * self.errors / max(1, number)
        return (
            f"{name:14} {level:7} {self.errors} of {number} ({share:.2f} %, {100 * low:.2f} to {100 * high:.2f}), "
            f"{mean:.4f} ± {1.96 * error:.4f} each"
        )


def share_interval(some: int, number: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share."""
    if number == 0:
        return 0.0, 1.0
    z, share = 1.96, some / number
    middle = share + z * z / (2 * number)
    width = z * sqrt(share * (1 - share) / number + z * z / (4 * number * number))
    return max(0.0, (middle - width) / (1 + z * z / number)), (middle + width) / (1 + z * z / number)


def cost_of(view: View[Any], move: int, worlds: int, seed: int) -> float:
    """What a move costs in the worlds of its view, 0 if it is not clearly worse than the best one."""
    verdict = judged(view, worlds, seed)
    half = worlds // 2
    best = int(verdict.values[:, :half].mean(axis=1).argmax())
    mine = verdict.moves.index(move)
    gain = verdict.values[best, half:] - verdict.values[mine, half:]
    error = float(gain.std()) / sqrt(len(gain))
    if best == mine or float(gain.mean()) <= CLEARLY * error:
        return 0.0
    return max(0.0, float((verdict.utilities[best, half:] - verdict.utilities[mine, half:]).mean()))


def positions(slug: str, number: int, seed: int, deals: int = MOST_DEALS) -> Iterator[tuple[str, View[Any], list[int]]]:
    """Views with a title of their kind and the moves that look silly: at most `number` of each kind, and what there is
    of rare ones in this many deals."""
    seen = dict.fromkeys((title for title, _ in KINDS[slug]), 0)
    for deal in range(deals):
        for view in decisions(slug, Random(f"silly {slug} {seed} {deal}")):
            moves = view.legal_moves()
            for title, silly in KINDS[slug]:
                ones = silly(view.setup, view.state, view.seat or 0, moves) if seen[title] < number else []
                if ones:
                    seen[title] += 1
                    yield title, view, ones
        if min(seen.values()) >= number:
            return


def judge(
    slug: str,
    number: int,
    seed: int,
    worlds: int,
    levels: tuple[str, ...] = LEVELS,
    deals: int = MOST_DEALS,
    seconds: float = inf,
) -> dict[tuple[str, str], Record]:
    """The records by kind and level. After as many seconds no further position is judged. Raises UpcardError for a
    level that there is not."""
    records = {(title, level): Record([]) for title, _ in KINDS[slug] for level in levels}
    begun = time.perf_counter()
    for at, (title, view, silly) in enumerate(positions(slug, number, seed, deals)):
        if time.perf_counter() - begun > seconds:
            break
        moves = {view.game.notation.text(move): move for move in view.legal_moves()}
        costs: dict[int, float] = {}
        for level in levels:
            move = moves[player(level).choose(view, Random(f"{slug} {seed} {at}"))]
            if move in silly and move not in costs:
                costs[move] = cost_of(view, move, worlds, at)
            cost = costs.get(move, 0.0)
            records[title, level].costs.append(cost)
            records[title, level].errors += cost > 0
    return records


def report(slug: str, records: dict[tuple[str, str], Record], by_kind: bool) -> Iterator[str]:
    """The lines about a game."""
    for level in dict.fromkeys(level for _, level in records):
        ones = [record for (_, other), record in records.items() if other == level]
        yield Record([cost for one in ones for cost in one.costs], sum(one.errors for one in ones)).line(slug, level)
    if by_kind:
        for (title, level), record in records.items():
            yield f"    {record.line(title, level)}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", choices=[[], *games.SLUGS], default=[])
    parser.add_argument("--positions", type=int, default=100, help="of each kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--worlds", type=int, default=300)
    parser.add_argument("--levels", nargs="+", default=LEVELS)
    parser.add_argument("--deals", type=int, default=MOST_DEALS, help="in which positions are looked for, at most")
    parser.add_argument("--seconds", type=float, default=inf, help="for each game")
    parser.add_argument("--kinds", action="store_true", help="a line for each kind, too")
    args = parser.parse_args()
    for slug in args.games or [slug for slug in games.SLUGS if KINDS[slug]]:
        try:
            levels = tuple(args.levels)
            records = judge(slug, args.positions, args.seed, args.worlds, levels, args.deals, args.seconds)
        except UpcardError as fault:
            parser.error(str(fault))
        print(*report(slug, records, args.kinds), sep="\n", flush=True)


if __name__ == "__main__":
    main()
