"""Ten variants of seven games, none longer than fifteen lines, as a user would keep them in a file of their own."""

from typing import Any

from upcard.games import load
from upcard.rules import JACK, Buffer, Cards, Suit, open_field, rule

# Sixty-Six with the nines left out: hands of five, and the jack fetches the upcard.
TWENTY = load("sixty-six").variant("twenty", numbers={"pack": "AKQJT", "size": 5, "lot": 5, "fetcher": JACK})


@rule
def worth_of_marriage(s: Any, opt: Any, suit: Suit) -> int:
    """A marriage shown after the first trick is worth half as much again."""
    usual = worth_of_marriage(s, opt, suit)
    return usual * 3 // 2 if s.tricks[0] + s.tricks[1] else int(usual)


LATE = load("sixty-six").variant("late", rules={"worth_of_marriage": worth_of_marriage})


@rule
def points_for(opt: Any, size: int, tricks_bid: int, tricks: int) -> int:
    """Twice as many points."""
    return 2 * points_for(opt, size, tricks_bid, tricks)


DOUBLE = load("oh-hell").variant("double", rules={"points_for": points_for})
STACKED = DOUBLE.variant("stacked", numbers={"made": 20})


@rule
def bid(s: Any, opt: Any, me: int, tricks: int) -> None:
    """The highest bid is remembered: the player who makes it gets one more point."""
    bid(s, opt, me, tricks)
    s.highest = max(s.highest, tricks)


@rule
def end_deal(s: Any, opt: Any) -> None:
    """A point more for the highest bid, if it was made."""
    for seat in range(s.players):
        s.scores[seat] += int(s.bids[seat] == s.highest and s.tricks[seat] == s.highest)
    end_deal(s, opt)


HIGHEST = load("oh-hell").variant("highest", rules={"bid": bid, "end_deal": end_deal}, fields={"highest": open_field()})

SMALL_LOO = load("loo").variant("small-loo", numbers={"size": 3, "stake": 3, "looed": 3}, most_moves=40)


@rule
def worth_of_all(opt: Any, held: Cards) -> int:
    """Two sequences are worth no more than the better of them."""
    return min(opt.fifty, int(worth_of_all(opt, held)))


BETTER = load("klaberjass").variant("better", rules={"worth_of_all": worth_of_all})


@rule
def choose_card(s: Any, opt: Any, me: int, moves: Buffer, n: int) -> int:
    """The computer players lead and follow with whatever comes first."""
    return moves[0]


CARELESS = load("ninety-nine").variant("careless", rules={"choose_card": choose_card})


@rule
def draw(s: Any, opt: Any) -> None:
    """Who takes a trick has a point at once."""
    s.scores[s.leader] += opt.for_card
    draw(s, opt)


POINTED = load("linger-longer").variant("pointed", rules={"draw": draw}, numbers={"for_card": 2})

DEAR = load("cinch").variant("dear", numbers={"pedro": 9}, summary="Cinch in which the fives are dear")
