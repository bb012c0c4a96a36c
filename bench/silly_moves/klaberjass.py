"""Silly moves at Klaberjass."""

from typing import Any

from silly_moves.kinds import kind
from silly_moves.predicates import cards_among, losers, takers, unless_all, verbs_among
from upcard.games.klaberjass import rules
from upcard.rules import ACE, JACK, NINE, NO_SUIT, TEN, bit, card, count, of_suit
from upcard.rules.cards import rank_of, suit_of
from upcard.rules.notation import item, verb_of

SLUG = "klaberjass"


@kind(SLUG, "ruffs with the jass where a low trump wins")
def ruffs_with_jass(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    if not s.led or s.trump == NO_SUIT or suit_of(s.card[s.leader]) == s.trump:
        return []
    ruffs = [one for one in takers(s, moves) if suit_of(one) == s.trump]
    return unless_all([one for one in ruffs if rank_of(one) in (JACK, NINE)], ruffs)


@kind(SLUG, "throws an ace or ten away")
def wastes_counter(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    lost = losers(s, moves) if s.led else []
    high = [one for one in lost if rank_of(one) in (ACE, TEN)]
    return unless_all(high, lost)


@kind(SLUG, "takes a suit with neither jass nor nine and at most one trump")
def makes_with_nothing(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    bold = []
    for move in verbs_among(moves, rules.ACCEPT, rules.NAME):
        suit = suit_of(s.upcard) if verb_of(move) == rules.ACCEPT else item(move, 0)
        high = s.hand[me] & (bit(card(JACK, suit)) | bit(card(NINE, suit)))
        if not high and count(of_suit(s.hand[me], suit)) <= 1:
            bold.append(move)
    return unless_all(bold, moves)


@kind(SLUG, "hides a sequence")
def hides_sequence(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    runs = verbs_among(moves, rules.TWENTY, rules.FIFTY)
    return verbs_among(moves, rules.NONE) if runs else []


@kind(SLUG, "does not call bela")
def forgets_bela(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    called = {item(move, 0) for move in verbs_among(moves, rules.BELA)}
    return [one for one in cards_among(moves) if one in called]
