"""What games of tricks share: the trick itself, following suit, which card beats which."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from upcard.rules.cards import NO_CARD, NO_SUIT, Card, Cards, Suit, all_of, bit, lowest, of_suit, rank_of, suit_of
from upcard.rules.marks import rule
from upcard.rules.seats import among, only
from upcard.rules.state import GameState, PerSeat, Row, open_field, open_seat, open_seats, per_seat

Ranking = Sequence[int]
"""How strong a card is, by rank; see `upcard.rules.cards.ranking`."""
ANY_CARD: Cards = (1 << 53) - 1


class TrickState(GameState):
    """The trick in play, and what is remembered of those that are over.

    The rules below work on any state that has these fields and the hands (`hand`) of its seats.
    """

    leader: int = open_seat()  # who leads or led the trick
    led: Cards = open_field(of="set")  # the cards that follow the lead; none before it
    better: Cards = open_field(of="set")  # the cards that would take the trick as it lies
    ahead: int = open_seat()  # who takes it as it lies
    card: PerSeat = per_seat(NO_CARD, of="card")  # that each seat has played last
    in_trick: int = open_seats()  # who has a card in it
    lacks: PerSeat = per_seat(of="set")  # the cards that a seat has shown it does not hold
    taker: int = open_seat(kept=True)  # of the last trick, told also when the deal is over
    tricks: PerSeat = per_seat()  # taken in this deal


@rule
def take_lead(s: Any, seat: int) -> None:
    """A trick begins with this seat."""
    s.leader = seat
    s.to_act = only(seat)
    s.led = 0
    s.better = ANY_CARD
    s.in_trick = 0


@rule
def lead_trick(s: Any, seat: int, card: Card, follow: Cards, over: Cards) -> None:
    """The first card of a trick goes there from a hand: what `put_in_trick` does where it is known to lead."""
    s.hand[seat] ^= bit(card)
    s.card[seat] = card
    s.in_trick = only(seat)
    s.led = follow
    s.ahead = seat
    s.better = over


@rule
def put_in_trick(s: Any, seat: int, card: Card, follow: Cards, over: Cards) -> None:
    """A card goes from a hand to the trick. `follow` are the cards that follow it if it is led, `over` those that beat
    it.

    Whoever does not follow the lead has shown to hold no card that would.
    """
    played = bit(card)
    s.hand[seat] ^= played
    s.card[seat] = card
    s.in_trick |= only(seat)
    s.lacks[seat] |= 0 if s.led & played else s.led
    s.led = s.led or follow
    if s.better & played:
        s.ahead = seat
        s.better = over


@rule
def trick_goes_on(s: Any, seat: int) -> bool:
    """Whether this seat, the next in turn, has still to play to the trick; it is then to act."""
    if seat == s.leader:
        return False
    s.to_act = only(seat)
    return True


@rule
def follows(s: Any, seat: int) -> Cards:
    """The cards of a seat that follow the lead, or any if there are none; before the lead any."""
    hand: Cards = s.hand[seat]
    return hand & s.led or hand


@rule
def cards_in_trick(s: Any) -> Cards:
    """The set of the cards in the unfinished trick."""
    cards = 0
    for seat in range(s.players):
        if among(s.in_trick, seat):
            cards |= bit(s.card[seat])
    return cards


@rule
def win_trick(s: Any) -> int:
    """The trick goes to whoever is ahead; returns that seat."""
    s.taker = s.ahead
    s.tricks[s.ahead] += 1
    s.in_trick = 0
    return int(s.ahead)


@rule
def winner_leads(s: Any) -> bool:
    """The trick goes to whoever is ahead. Whether this seat has a card left; it then leads to the next."""
    taker = win_trick(s)
    if s.hand[taker] == 0:
        return False
    take_lead(s, taker)
    return True


@rule
def above(card: Card) -> Cards:
    """The higher cards of the same suit, the ace being the highest."""
    return all_of(suit_of(card)) & -2 * bit(card)


@rule
def beating(card: Card, trump: Suit) -> Cards:
    """The cards that take the trick from this one, ace high: the higher ones of its suit, and trumps if it is none."""
    if suit_of(card) == trump or trump == NO_SUIT:
        return above(card)
    return above(card) | all_of(trump)


def trick_of(state: type[GameState]) -> Callable[[Any], list[tuple[int, Card]]] | None:
    """Who has played what to the unfinished trick, read from a `TrickState`; None for a state without tricks."""
    if not issubclass(state, TrickState):
        return None

    def trick(s: Any) -> list[tuple[int, Card]]:
        seats = ((s.leader + i) % s.players for i in range(s.players))
        return [(seat, s.card[seat]) for seat in seats if s.in_trick >> seat & 1]

    return trick


def masks_above(strength: Ranking) -> tuple[int, ...]:
    """By rank, the set of ranks that are stronger, as a set of clubs: for `stronger`."""
    return tuple(sum(1 << other for other in range(13) if strength[other] > strength[rank] > 0) for rank in range(13))


@rule
def stronger(above: Row, card: Card) -> Cards:
    """The cards of the same suit that outrank this one, `above` being the `masks_above` of the ranks' strength."""
    return above[rank_of(card)] << 13 * suit_of(card)


@rule
def beats(card: Card, best: Card, trump: Suit) -> bool:
    """Whether a card, played after `best`, takes the trick from it: ace high, the suits as printed."""
    if suit_of(card) == suit_of(best):
        return card > best
    return suit_of(card) == trump


@rule
def beats_by(card: Card, best: Card, trump: Suit, strength: Row | Ranking) -> bool:
    """`beats` where the ranks have another order."""
    if suit_of(card) == suit_of(best):
        return strength[rank_of(card)] > strength[rank_of(best)]
    return suit_of(card) == trump


@rule
def follow(hand: Cards, suit: Suit) -> Cards:
    """The cards that follow suit, or any if there are none."""
    return of_suit(hand, suit) or hand


@rule
def higher(cards: Cards, best: Card, strength: Ranking) -> Cards:
    """Those of `cards` that are of the suit of `best` and outrank it."""
    out = 0
    left = of_suit(cards, suit_of(best))
    while left:
        card = lowest(left)
        left &= left - 1
        if beats_by(card, best, NO_SUIT, strength):
            out |= bit(card)
    return out
