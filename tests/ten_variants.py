"""Ten variants of seven games, none longer than ten lines, as a user would keep them in a file of their own."""

from upcard.games.cinch import Cinch
from upcard.games.klaberjass import Klaberjass
from upcard.games.linger_longer import LingerLonger
from upcard.games.linger_longer.rules import LingerLongerState
from upcard.games.loo import Loo
from upcard.games.ninety_nine import NinetyNine
from upcard.games.ninety_nine.rules import NinetyNineState
from upcard.games.oh_hell import OhHell
from upcard.games.oh_hell.rules import OhHellState
from upcard.games.sixty_six import SixtySix
from upcard.games.sixty_six.rules import SixtySixState
from upcard.rules import *


class Twenty(SixtySix):
    """Sixty-Six with the nines left out: hands of five, and the jack fetches the upcard."""

    title = "Twenty"
    pack = card_set("AKQJT")
    size = lot = 5
    fetcher = JACK


class Late(SixtySix):
    title = "Late"

    @override
    def worth_of_marriage(self, s: SixtySixState, suit: Suit) -> int:
        """A marriage shown after the first trick is worth half as much again."""
        usual = super().worth_of_marriage(s, suit)
        return usual * 3 // 2 if s.tricks[0] + s.tricks[1] else usual


class Double(OhHell):
    title = "Double"

    @override
    def points_for(self, size: int, tricks_bid: int, tricks: int) -> int:
        """Twice as many points."""
        return 2 * super().points_for(size, tricks_bid, tricks)


class Stacked(Double):
    title = "Stacked"
    made = 20


class HighestState(OhHellState):
    highest: int = open_field()


class Highest(OhHell[HighestState]):
    bonus: int = number(1, clause="OH-30", help="points for making the highest bid")

    @override
    def end_deal(self, s: HighestState) -> None:
        """The highest bid is remembered, and who makes it gets one more point."""
        s.highest = highest_in(s, s.bids)
        for seat in range(s.players):
            s.scores[seat] += self.bonus * int(s.bids[seat] == s.highest and s.tricks[seat] == s.highest)
        super().end_deal(s)


class SmallLoo(Loo):
    title = "Small Loo"
    size = stake = looed = 3
    most_moves = 40


class Better(Klaberjass):
    title = "Better"

    @override
    def worth_of_all(self, held: Cards) -> int:
        """Two sequences are worth no more than the better of them."""
        return min(self.fifty, super().worth_of_all(held))


class Careless(NinetyNine):
    title = "Careless"

    @override
    def choose_card(self, s: NinetyNineState, me: int, moves: Buffer, n: int) -> int:
        """The computer players lead and follow with whatever comes first."""
        return moves[0]


class Pointed(LingerLonger):
    title = "Pointed"
    for_card = 2

    @override
    def draw(self, s: LingerLongerState) -> None:
        """Who takes a trick has a point at once."""
        s.scores[s.leader] += self.for_card
        super().draw(s)


class Dear(Cinch):
    title = "Dear"
    summary = "Cinch in which the fives are dear"
    pedro = 9
