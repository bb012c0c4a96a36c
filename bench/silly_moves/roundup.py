"""Silly moves at Roundup!."""

from typing import Any

from silly_moves.kinds import kind
from silly_moves.predicates import cards_among, unless_all, verbs_among
from upcard.games.roundup import rules
from upcard.rules import of_rank, of_suit
from upcard.rules.cards import suit_of
from upcard.rules.notation import item, verb_of

SLUG = "roundup"


@kind(SLUG, "attacks a player who bid the same suit")
def attacks_ally(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    bids = s.bids
    attacks = verbs_among(moves, rules.JACK_AT, rules.QUEEN_AT, rules.KING_AT)
    allies = {seat for seat in range(s.players) if seat != me and bids[seat] != rules.NO_CARD != bids[me]}
    allies = {seat for seat in allies if suit_of(bids[seat]) == suit_of(bids[me])}
    return unless_all([move for move in attacks if item(move, 1) in allies], moves)


@kind(SLUG, "passes with a card of the suit that it bid")
def passes_own_suit(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    if s.bids[me] == rules.NO_CARD:
        return []
    passes = verbs_among(moves, rules.PASS)
    return unless_all([move for move in passes if suit_of(item(move, 0)) == suit_of(s.bids[me])], passes)


@kind(SLUG, "attacks for its own suit")
def calls_own_suit(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    if s.bids[me] == rules.NO_CARD:
        return []
    own = [move for move in verbs_among(moves, rules.QUEEN_AT) if item(move, 2) == suit_of(s.bids[me])]
    return unless_all(own, moves)


@kind(SLUG, "attacks a player who cannot have what it asks for")
def attacks_in_vain(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    vain = []
    for move in verbs_among(moves, rules.JACK_AT, rules.QUEEN_AT, rules.KING_AT):
        seat, verb = item(move, 1), verb_of(move)
        asked = game.pack & ~s.lacks[seat] if s.down[seat] else 0
        if verb == rules.QUEEN_AT:
            asked = of_suit(asked, item(move, 2))
        elif verb == rules.KING_AT:
            asked = of_rank(asked, item(move, 2))
        if not asked:
            vain.append(move)
    return unless_all(vain, moves)


@kind(SLUG, "plays on in its own suit where it may stop")
def plays_own_suit(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    if s.phase != rules.MORE or s.bids[me] == rules.NO_CARD:
        return []
    return [one for one in cards_among(moves) if suit_of(one) == suit_of(s.bids[me])]
