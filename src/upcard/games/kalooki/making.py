"""The melds that a hand of two packs and jokers can make: threes (sets of one rank) and fours (runs of one suit).

A three has at least two natural cards; a four has no two jokers side by side. Hands and places are those of
`upcard.games.kalooki.double_pack`.
"""

from upcard.games.kalooki.double_pack import HIGH_ACE, PlaceSet, Ranks, Suits, cards_at, column, in_rank, once_less
from upcard.rules.cards import (
    JOKER,
    SUIT_CARDS,
    TWO,
    Cards,
    Rank,
    Suit,
    card,
    count,
    lowest,
)
from upcard.rules.marks import large, rule
from upcard.rules.notation import COUNT_AT, say
from upcard.rules.state import Buffer

WAYS = [
    (ones, twos)
    for ones in range(15, 0, -1)
    for twos in range(15, -1, -1)
    if twos & ~ones == 0 and ones.bit_count() + twos.bit_count() in (2, 3)
]
"""The natural cards of each possible three: its suits, and the suits that it has twice."""
ONES, TWOS = zip(*WAYS, strict=True)
JOKER_WAYS = sum(1 << way for way, (ones, twos) in enumerate(WAYS) if ones.bit_count() + twos.bit_count() == 2)
"""The entries of WAYS with a joker, as bits."""
MAKEABLE = tuple(
    sum(1 << way for way, (ones, twos) in enumerate(WAYS) if ones & ~held == 0 and twos & ~twice == 0)
    for twice in range(16)
    for held in range(16)
)
"""The entries of WAYS that can be made, as bits, indexed by 16 times the suits held twice plus the suits held."""


def _twos_laid(ones: Suits, twos: Suits) -> int:
    """A three of twos as items of a move, ordered by suit."""
    suits = [suit for suit in (3, 2, 1, 0) for _ in range((ones >> suit & 1) + (twos >> suit & 1))]
    cards = [card(TWO, suit) for suit in suits] + [JOKER] * (len(suits) == 2)
    return say(0, cards)


LAID = tuple(_twos_laid(ones, twos) for ones, twos in WAYS)
"""Each entry of WAYS as items of a move, for the rank of the twos."""
RANK_ON = tuple(0x41 if JOKER_WAYS >> way & 1 else 0x1041 for way in range(len(WAYS)))
"""The number to add to these items for each further rank: one for each natural card."""
WINDOWS = 11  # a run of four begins at a place from 0 to 10
GAPS = (0, 1, 2, 4, 8, 5, 9, 10)
"""The sets of places in a four that jokers may fill: no two side by side."""
GAPS_FOR = (1, 5, 8)
"""The number of entries of GAPS that can be filled by no joker, by one and by two."""
FILLING = tuple(sum(1 << i for i, gaps in enumerate(GAPS) if gaps & lacking == lacking) for lacking in range(16))
"""For each set of places for which a hand has no card: the entries of GAPS that contain it, as bits."""
AllPlaces = int
"""Sets of places for all suits in one number, 16 bits a suit: the place is the bit & 15, the suit the bit >> 4."""
EACH_SUIT = 0x1000100010001
"""Place 0 of each suit. Multiplying this by a set of places gives that set in each suit."""
FIRST = (1 << WINDOWS) - 1
"""The places at which a four can begin."""
FIRSTS = EACH_SUIT * FIRST
"""The places at which a four can begin, in each suit."""

# ------------------------------------------------------------------------------------------------- whether they fit


@large
@rule
def threes_fit(hand: Cards, twice: Cards, jokers: int, threes: int, distinct: bool, barred: Ranks) -> bool:
    """Whether `threes` threes can be made at once; with `distinct`, all of different ranks and none of a barred rank.

    The cards of all ranks are counted in parallel: bit r of `ones`, `twos`, `fours` and `eights` together give the
    number of cards of rank r. A rank with c cards makes c // 3 threes without jokers; the number of jokers for one more
    depends on c.
    """
    if threes == 0:
        return True
    ones, twos, fours, eights = tally_both(hand, twice)
    if distinct:
        free = (eights | fours | twos & ones) & ~barred
        pairs = twos & ~(fours | ones) & ~barred
        lacking = threes - count(free)
        return lacking <= min(count(pairs), jokers)
    sixes = fours & twos  # six or seven
    lacking = threes - count(eights | fours | twos & ones) - count(eights | sixes)
    if lacking <= 0:
        return True
    for_one = count(eights | twos & ~(fours | ones) | fours & ~twos & ones)  # of 8, 2 and 5 cards
    if lacking <= for_one:
        return lacking <= jokers
    for_two = count(fours & ~twos & ~ones | sixes & ones)  # of 4 and 7 cards
    lacking -= for_one
    if lacking <= for_two:
        return for_one + 2 * lacking <= jokers
    for_three = count(sixes & ~ones | eights)  # of 6 cards, and the fourth of 8
    lacking -= for_two
    return lacking <= for_three and for_one + 2 * for_two + 3 * lacking <= jokers


@rule
def ranks_of_threes(hand: Cards, twice: Cards, jokers: int) -> Ranks:
    """The ranks of which a hand can make a three."""
    ones, twos, fours, eights = tally_both(hand, twice)
    return fours | eights | (twos if jokers else twos & ones)


@rule
def tally_both(hand: Cards, twice: Cards) -> tuple[Ranks, Ranks, Ranks, Ranks]:
    """The number of cards of each rank in a hand, as binary digits for all ranks at once: ones, twos, fours, eights."""
    ones1, twos1, fours1 = tally(hand)
    ones2, twos2, fours2 = tally(twice)
    carry = ones1 & ones2
    carry2 = twos1 & twos2 | carry & (twos1 | twos2)
    return ones1 ^ ones2, twos1 ^ twos2 ^ carry, fours1 ^ fours2 | carry2, fours1 & fours2


@rule
def tally(cards: Cards) -> tuple[Ranks, Ranks, Ranks]:
    """The number of cards of each rank in a set, as binary digits for all ranks at once: ones, twos, fours."""
    clubs = cards & SUIT_CARDS
    diamonds = cards >> 13 & SUIT_CARDS
    hearts = cards >> 26 & SUIT_CARDS
    spades = cards >> 39
    minor = clubs ^ diamonds
    major = hearts ^ spades
    both_minor = clubs & diamonds
    both_major = hearts & spades
    return minor ^ major, both_minor ^ both_major ^ (minor & major), both_minor & both_major


@rule
def places_in_all(cards: Cards) -> AllPlaces:
    """The places in runs of all suits that these cards can fill; an ace fills both of its places."""
    minor = (cards & SUIT_CARDS) << 1 | (cards & SUIT_CARDS << 13) << 4
    places = minor | (cards & SUIT_CARDS << 26) << 7 | (cards & SUIT_CARDS << 39) << 10
    return places | places >> HIGH_ACE & EACH_SUIT


@rule
def runs(places: AllPlaces) -> tuple[AllPlaces, AllPlaces, AllPlaces]:
    """The first places of the fours that can be made with no joker, with up to one and with up to two."""
    second = places >> 1
    third = places >> 2
    fourth = places >> 3
    low = places & second
    high = third & fourth
    one = low & (third | fourth) | high & (places | second)
    two = second & (third | fourth) | places & third  # x * x *; * x x *; * x * x
    return low & high & FIRSTS, one & FIRSTS, two & FIRSTS


@rule
def first_places(places: AllPlaces, jokers: int, barred: Suits) -> AllPlaces:
    """The first places of the fours that can be made with these jokers, not in a barred suit."""
    none, one, two = runs(places)
    firsts = one if jokers == 1 else two if jokers else none
    return firsts & ~(in_each(barred) * FIRST)


@rule
def in_each(suits: Suits) -> AllPlaces:
    """Place 0 of each of these suits."""
    return suits * 0x200040008001 & EACH_SUIT  # four copies, each shifted by another 15 bits


@rule
def number_of_suits(firsts: AllPlaces, barred: Suits) -> int:
    """The number of suits, not counting barred ones, that have first places of fours."""
    return count(firsts + FIRSTS >> WINDOWS & EACH_SUIT & ~in_each(barred))


@large
@rule
def fours_fit(hand: Cards, jokers: int, fours: int, barred: Suits) -> bool:
    """Whether `fours` fours of different suits can be made at once, none of a barred suit."""
    if fours == 0:
        return True
    none, one, two = runs(places_in_all(hand))
    with_none = number_of_suits(none, barred)
    up_to_one = number_of_suits(one, barred)
    for_one = min(max(fours - with_none, 0), up_to_one - with_none)
    for_two = max(fours - up_to_one, 0)
    return for_two <= number_of_suits(two, barred) - up_to_one and for_one + 2 * for_two <= jokers


@large
@rule
def all_fit(
    hand: Cards, twice: Cards, jokers: int, threes: int, fours: int, suits: Suits, distinct: bool, ranks: Ranks
) -> bool:
    """Whether this many threes and fours, at most four together, can be made at once, without barred suits and ranks.

    The answer is exact. Most hands fail one of the necessary conditions that are checked first, fours more often.
    """
    if count(hand) + count(twice) + jokers < 3 * threes + 4 * fours:
        return False
    if not fours_fit(hand, jokers, fours, suits) or not threes_fit(hand, twice, jokers, threes, distinct, ranks):
        return False
    if threes == 0 or fours == 0:
        return True
    if threes == 1:
        return fours_beside_three(hand, twice, jokers, fours, suits, distinct, ranks)
    if fours == 1:
        return threes_beside_four(hand, twice, jokers, threes, suits, 0, distinct, ranks)
    return threes_beside_fours(hand, twice, jokers, threes, suits, distinct, ranks)


@rule
def any_fits(hand: Cards, twice: Cards, jokers: int) -> bool:
    """Whether any three or four can be made, including barred ones."""
    return ranks_of_threes(hand, twice, jokers) | first_places(places_in_all(hand), jokers, 0) != 0


@rule
def fours_beside_three(
    hand: Cards, twice: Cards, jokers: int, fours: int, suits: Suits, distinct: bool, ranks: Ranks
) -> bool:
    """`all_fit` for one three: try every three, and judge the fours from the remaining cards suit by suit."""
    left = ranks_of_threes(hand, twice, jokers) & ~(ranks if distinct else 0)
    while left:
        rank = lowest(left)
        left &= left - 1
        ways = ways_to_make(hand, twice, jokers, rank)
        while ways:
            way = lowest(ways)
            ways &= ways - 1
            rest, _, spare = without_three(hand, twice, jokers, rank, way)
            if fours_fit(rest, spare, fours, suits):
                return True
    return False


@rule
def ways_to_make(hand: Cards, twice: Cards, jokers: int, rank: Rank) -> int:
    """The entries of WAYS by which a hand can make a three of this rank, as bits."""
    ways = MAKEABLE[column(hand, rank) | column(twice, rank) << 4]
    return ways if jokers else ways & ~JOKER_WAYS


@rule
def without_three(hand: Cards, twice: Cards, jokers: int, rank: Rank, way: int) -> tuple[Cards, Cards, int]:
    """The cards and jokers left of a hand after a three of this rank is made in this way, one of WAYS."""
    ones = in_rank(ONES[way], rank)
    left = once_less(hand, twice, ones) & ~in_rank(TWOS[way], rank)
    return left, twice & ~ones, jokers - (JOKER_WAYS >> way & 1)


@rule
def threes_beside_fours(
    hand: Cards, twice: Cards, jokers: int, threes: int, suits: Suits, distinct: bool, ranks: Ranks
) -> bool:
    """`all_fit` for two fours: try every four together with one of a later suit."""
    places = places_in_all(hand)
    firsts = first_places(places, jokers, suits)
    while firsts:
        first = lowest(firsts)
        firsts &= firsts - 1
        ways = ways_to_fill(places, jokers, first)
        while ways:
            gaps = GAPS[lowest(ways)]
            ways &= ways - 1
            rest, again, spare = without_four(hand, twice, jokers, first, gaps)
            if threes_beside_four(rest, again, spare, threes, suits, (first >> 4) + 1, distinct, ranks):
                return True
    return False


@rule
def threes_beside_four(
    hand: Cards, twice: Cards, jokers: int, threes: int, suits: Suits, suit: Suit, distinct: bool, ranks: Ranks
) -> bool:
    """`all_fit` for a four of a suit from `suit` on: try each, and count the threes from the remaining cards."""
    places = places_in_all(hand)
    firsts = first_places(places, jokers, suits | (1 << suit) - 1)
    while firsts:
        first = lowest(firsts)
        firsts &= firsts - 1
        ways = ways_to_fill(places, jokers, first)
        while ways:
            gaps = GAPS[lowest(ways)]
            ways &= ways - 1
            rest, again, spare = without_four(hand, twice, jokers, first, gaps)
            if threes_fit(rest, again, spare, threes, distinct, ranks):
                return True
    return False


@rule
def ways_to_fill(places: AllPlaces, jokers: int, first: int) -> int:
    """The entries of GAPS that jokers may fill in the four that begins at this place, as bits."""
    return FILLING[15 & ~(places >> first)] & (1 << GAPS_FOR[min(jokers, 2)]) - 1


@rule
def naturals_of(first: int, gaps: PlaceSet) -> Cards:
    """The natural cards of the four that begins at this place, with jokers in these gaps."""
    return cards_at((15 & ~gaps) << (first & 15), first >> 4)


@rule
def without_four(hand: Cards, twice: Cards, jokers: int, first: int, gaps: PlaceSet) -> tuple[Cards, Cards, int]:
    """The cards and jokers left of a hand after the four that begins at this place is made, with jokers in these
    gaps."""
    gone = naturals_of(first, gaps)
    return once_less(hand, twice, gone), twice & ~gone, jokers - count(gaps)


# ------------------------------------------------------------------------------------------------------- the moves


@rule
def put_threes(
    lay: int,
    hand: Cards,
    twice: Cards,
    jokers: int,
    threes: int,
    fours: int,
    suits: Suits,
    distinct: bool,
    ranks: Ranks,
    out: Buffer,
    n: int,
) -> int:
    """Write threes of three cards to the buffer, as moves of the verb `lay`, and return the new length. Of `threes` and
    `fours` to be made, without barred suits and ranks, the threes are those after which the rest can still be made.
    """
    left = ranks_of_threes(hand, twice, jokers) & ~ranks
    while left:
        rank = lowest(left)
        left &= left - 1
        ways = ways_to_make(hand, twice, jokers, rank)
        while ways:
            way = lowest(ways)
            ways &= ways - 1
            rest, again, spare = without_three(hand, twice, jokers, rank, way)
            bars = ranks | 1 << rank
            if rest_fits(rest, again, spare, threes - 1, fours, suits, distinct, bars):
                out[n] = lay | LAID[way] + rank * RANK_ON[way]
                n += 1
    return n


@rule
def rest_fits(
    hand: Cards, twice: Cards, jokers: int, threes: int, fours: int, suits: Suits, distinct: bool, ranks: Ranks
) -> bool:
    """`all_fit` for the rest of a contract, which may be empty."""
    return threes + fours <= 0 or all_fit(hand, twice, jokers, threes, fours, suits, distinct, ranks)


@rule
def put_fours(
    lay: int,
    hand: Cards,
    twice: Cards,
    jokers: int,
    threes: int,
    fours: int,
    suits: Suits,
    distinct: bool,
    ranks: Ranks,
    out: Buffer,
    n: int,
) -> int:
    """Write fours of four cards to the buffer in the same way. A joker may even stand for a card that the seat
    holds."""
    places = places_in_all(hand)
    firsts = first_places(places, jokers, suits)
    while firsts:
        first = lowest(firsts)
        firsts &= firsts - 1
        ways = ways_to_fill(places, jokers, first)
        while ways:
            gaps = GAPS[lowest(ways)]
            ways &= ways - 1
            rest, again, spare = without_four(hand, twice, jokers, first, gaps)
            bars = suits | 1 << (first >> 4)
            if rest_fits(rest, again, spare, threes, fours - 1, bars, distinct, ranks):
                out[n] = lay | four(first, gaps)
                n += 1
    return n


@rule
def four(first: int, gaps: PlaceSet) -> int:
    """The four that begins at this place, with jokers in these gaps, as items of a move."""
    move = 3 << COUNT_AT
    for i in range(4):
        move |= (JOKER if gaps >> i & 1 else lowest(naturals_of(first, 15 & ~(1 << i)))) << 6 * i
    return move
