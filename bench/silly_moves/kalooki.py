"""Silly moves at Kalooki."""

from typing import Any

from silly_moves.kinds import kind
from silly_moves.predicates import unless_all, verbs_among
from upcard.games.kalooki import rules
from upcard.rules import JOKER
from upcard.rules.notation import item

SLUG = "kalooki"


@kind(SLUG, "discards a card that it could add to a meld")
def discards_tackable(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    fits = {item(move, 0) for move in verbs_among(moves, rules.TACK)}
    throws = verbs_among(moves, rules.DISCARD)
    return unless_all([move for move in throws if item(move, 0) in fits], throws)


@kind(SLUG, "keeps the last contract's melds in the hand")
def keeps_melds(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    late = s.phase == rules.PLAY and any(s.down[seat] for seat in range(s.players))
    return verbs_among(moves, rules.DISCARD) if late and verbs_among(moves, rules.LAY) else []


@kind(SLUG, "draws from the stock where the upcard lets it go out")
def misses_way_out(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    stock = verbs_among(moves, rules.STOCK)
    return stock if stock and game.upcard_goes_out(s, me) else []


@kind(SLUG, "leaves a joker on the discard pile")
def leaves_joker(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    stock = verbs_among(moves, rules.STOCK)
    return stock if stock and s.discards[s.thrown - 1] == JOKER else []


@kind(SLUG, "does not lay its way out")
def stays_in(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    lays = verbs_among(moves, rules.LAY)
    spans, ranks = game.way_out(s, me) if lays else (0, 0)
    ways = [move for move in lays if game.on_the_way(s, me, move, spans, ranks)] if spans | ranks else []
    return verbs_among(moves, rules.DISCARD) if ways else []
