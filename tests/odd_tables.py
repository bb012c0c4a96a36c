"""Tables with numbers that no shipped game has, as a designer would keep them in a file of their own."""

from upcard.games.cinch import Cinch
from upcard.games.klaberjass import Klaberjass
from upcard.games.loo import Loo
from upcard.games.ninety_nine import NinetyNine
from upcard.games.oh_hell import OhHell
from upcard.games.rounds import Rounds
from upcard.games.sixty_six import SixtySix
from upcard.rules import DIAMONDS, EIGHT, NINE, Row, card, card_set, rank_order, table_of


class OddCinch(Cinch):
    title = "Odd Cinch"
    dealt = 8
    lot = 2
    size = 4
    pedro = 12
    most_deals = 3


class OddKlaberjass(Klaberjass):
    title = "Odd Klaberjass"
    pack = card_set("AKQJT98")
    size = 5
    lot = 2
    more = 2
    dix = EIGHT
    last_trick = 18
    most_deals = 4


class OddLoo(Loo):
    title = "Odd Loo"
    size = 3
    stake = 9
    looed = 6
    pam = card(NINE, DIAMONDS)


class OddNines(NinetyNine):
    title = "Odd Nines"
    value: Row = table_of((1, 2, 0, 3), clause="NN-11")
    declared = 51
    game_at = 88
    most_rounds = 3


class OddOhHell(OhHell):
    title = "Odd Oh Hell"
    pack = card_set("AKQJT9")
    max_cards = 4
    made = 17
    times = 4


class OddRounds(Rounds):
    title = "Odd Rounds"
    pack = card_set("AKQJT98765")
    prize = card_set("Th")
    rounds = 3
    tricks = 3
    size = 5
    more = 3
    won_round = 17


class OddSixtySix(SixtySix):
    title = "Odd Sixty-Six"
    pack = card_set("AKQJT987")
    strength = rank_order("A T K Q J 9 8 7")
    size = 5
    lot = 5
    enough = 80
    last_trick = 21
    most_deals = 4
