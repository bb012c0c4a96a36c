"""A slow, plain referee for Kalooki: every clause of the rule page, written as simply as possible."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from referee_base import RANKS, SUITS, Refused, is_card, pack, read_event, same_cards

JOKER = "*"
PACK = pack() + pack() + [JOKER] * 4  # KA-2
PLACES = "A23456789TJQKA"  # KA-32: place 1 is the low ace, place 14 the high one
LOW_ACE, HIGH_ACE = 1, 14

# KA-4: contract -> (cards, threes, fours)
CONTRACTS = {
    1: (9, 3, 0),
    2: (10, 2, 1),
    3: (11, 1, 2),
    4: (12, 0, 3),
    5: (12, 4, 0),
    6: (13, 3, 1),
    7: (14, 2, 2),
    8: (15, 1, 3),
    9: (16, 0, 4),
}

WORDS = {
    "draw": ("take", "stock"),
    "call": ("call", "pass"),
    "answer": ("allow", "refuse"),
    "play": ("lay", "tack", "discard", "hold"),
}

MOST_ATTEMPTS = 3  # KA-28
MOST_TURNS = 300  # KA-29
FINE = 50  # KA-21

SIGNS = {"♠": "s", "♥": "h", "♦": "d", "♣": "c"}


def read_card(text: str) -> str:
    """The short form of a card (`10♦`, `td` and `TD` are `Td`); a text that is no card comes back as it is."""
    rank, suit = text[:-1].upper(), text[-1:].lower()
    card = ("T" if rank == "10" else rank) + SIGNS.get(suit, suit)
    return card if is_card(card) else text


# --- Melds -----------------------------------------------------------------------------------------------------------


@dataclass
class Meld:
    id: int
    owner: int
    kind: str  # "three" or "four"
    cards: list[str]
    low: int = 0  # the place of a four's first card

    @property
    def natural(self) -> str:
        return next(card for card in self.cards if card != JOKER)

    @property
    def rank(self) -> str:
        return self.natural[0]

    @property
    def suit(self) -> str:
        return self.natural[1]

    @property
    def high(self) -> int:
        """The place of a four's last card."""
        return self.low + len(self.cards) - 1

    def open_place(self) -> int | None:
        """KA-44: the one place where a four grows: up to the ace, then down to the two (KA-32)."""
        if self.high == HIGH_ACE:
            return self.low - 1 if self.low > LOW_ACE + 1 else None
        if self.high == HIGH_ACE - 1 and self.low == LOW_ACE:
            return None
        return self.high + 1

    def stands_for(self, index: int) -> str:
        """KA-36: the card that belongs at this place of a four."""
        return PLACES[self.low + index - 1] + self.suit

    def grow(self, card: str) -> "Meld":
        """The four with this card at its open end, whatever the card is."""
        place = self.open_place()
        assert place is not None
        if place > self.high:
            return Meld(self.id, self.owner, self.kind, [*self.cards, card], self.low)
        return Meld(self.id, self.owner, self.kind, [card, *self.cards], place)

    def beside_joker(self) -> bool:
        """Whether the card at the open end is a joker."""
        return (self.cards[0] if self.high == HIGH_ACE else self.cards[-1]) == JOKER


def suit_order(cards: list[str]) -> list[str]:
    """The order inside a three: natural cards s h d c, then jokers."""
    return sorted(cards, key=lambda card: len(SUITS) if card == JOKER else SUITS.index(card[1]))


def tacked(meld: Meld, card: str) -> Meld:
    """KA-43 to KA-47: the meld after this card has been tacked on, or Refused."""
    if meld.kind == "three":
        if card != JOKER and card[0] != meld.rank:
            raise Refused("KA-43", f"{card} is not of rank {meld.rank}")
        return Meld(meld.id, meld.owner, meld.kind, suit_order([*meld.cards, card]))
    if card == JOKER:
        if meld.open_place() is None:
            raise Refused("KA-45", "the four has no open end")
        if meld.beside_joker():
            raise Refused("KA-45", "the joker would lie beside another")
        return meld.grow(JOKER)
    for index, there in enumerate(meld.cards):
        if there == JOKER and meld.stands_for(index) == card:
            cards = [*meld.cards[:index], card, *meld.cards[index + 1 :]]
            replaced = Meld(meld.id, meld.owner, meld.kind, cards, meld.low)
            if replaced.open_place() is None:
                raise Refused("KA-46", "there is no place left for the joker")
            if replaced.beside_joker():
                raise Refused("KA-46", "the joker would lie beside another")
            return replaced.grow(JOKER)
    place = meld.open_place()
    if place is None or card != PLACES[place - 1] + meld.suit:
        raise Refused("KA-44", f"{card} does not go on there")
    return meld.grow(card)


def neighbours(cards: list[str]) -> bool:
    """KA-35: whether two jokers lie side by side."""
    return any(cards[i] == JOKER and cards[i + 1] == JOKER for i in range(len(cards) - 1))


def corner(cards: list[str]) -> bool:
    """KA-32: four places of one suit in a row as written, but past the ace (king, ace, two)."""
    for row in ("QKA2", "KA23"):  # J Q K A and A 2 3 4 are whole
        for suit in SUITS:
            if all(card == JOKER or card == rank + suit for card, rank in zip(cards, row, strict=True)):
                return set(cards) != {JOKER}
    return False


def four_place(cards: list[str]) -> int | None:
    """KA-31: the place of the first card, if this is a sequence of one suit written low to high."""
    for low in range(LOW_ACE, HIGH_ACE - 2):
        for suit in SUITS:
            if all(card in (JOKER, PLACES[low + i - 1] + suit) for i, card in enumerate(cards)):
                return low
    return None


def all_threes(hand: list[str]) -> list[list[str]]:
    """Every three of three cards that these cards make, one spelling each (KA-30, KA-34)."""
    found: list[list[str]] = []
    for rank in RANKS:
        same = suit_order([card for card in hand if card != JOKER and card[0] == rank])
        for i in range(len(same)):
            for j in range(i + 1, len(same)):
                thirds = same[j + 1 :] + ([JOKER] if JOKER in hand else [])
                for third in thirds:
                    if [same[i], same[j], third] not in found:
                        found.append([same[i], same[j], third])
    return found


def fours_of_suit(held: frozenset[str], jokers: int, suit: str) -> Iterator[list[str]]:
    """Every four of four cards in this suit (KA-31, KA-32, KA-35); a joker may stand even for a card that is held."""
    for low in range(LOW_ACE, HIGH_ACE - 2):
        row = [PLACES[low + i - 1] + suit for i in range(4)]
        for mask in range(16):
            cards = [JOKER if mask >> i & 1 else row[i] for i in range(4)]
            naturals = [card for card in cards if card != JOKER]
            if not neighbours(cards) and 4 - len(naturals) <= jokers and all(card in held for card in naturals):
                yield cards


def all_fours(hand: list[str]) -> list[list[str]]:
    held = frozenset(hand)
    return [cards for suit in SUITS for cards in fours_of_suit(held, hand.count(JOKER), suit)]


def without(hand: list[str], cards: list[str]) -> list[str]:
    rest = list(hand)
    for card in cards:
        rest.remove(card)
    return rest


def can_finish(
    hand: list[str], threes: int, fours: int, suits: frozenset[str], ranks: frozenset[str], distinct: bool
) -> bool:
    """KA-39: whether these cards hold this many threes and fours at once, without the used suits (and ranks).

    All ways are tried: for each suit no four or any one of its fours (KA-33), then for each rank its threes.
    """
    held = frozenset(hand)

    def take(counts: tuple[int, ...], rank: str, number: int) -> tuple[int, ...]:
        changed = list(counts)
        changed[RANKS.index(rank)] -= number
        return tuple(changed)

    @cache
    def threes_from(index: int, left: int, jokers: int, counts: tuple[int, ...]) -> bool:
        if left == 0:
            return True
        if index == len(RANKS):
            return False
        if threes_from(index + 1, left, jokers, counts):
            return True
        rank = RANKS[index]
        if rank in ranks:
            return False
        onward = index + 1 if distinct else index  # KA-33: several of one rank, but for the option
        for naturals in (3, 2):  # KA-34
            if counts[index] < naturals or jokers < 3 - naturals:
                continue
            if threes_from(onward, left - 1, jokers - 3 + naturals, take(counts, rank, naturals)):
                return True
        return False

    @cache
    def fours_from(index: int, left: int, jokers: int, counts: tuple[int, ...]) -> bool:
        if left == 0:
            return threes_from(0, threes, jokers, counts)
        if index == len(SUITS):
            return False
        if fours_from(index + 1, left, jokers, counts):
            return True
        if SUITS[index] in suits:
            return False
        for cards in fours_of_suit(held, jokers, SUITS[index]):
            rest = counts
            if threes:  # with no threes to come the ranks do not matter any more
                for card in cards:
                    rest = rest if card == JOKER else take(rest, card[0], 1)
            if fours_from(index + 1, left - 1, jokers - cards.count(JOKER), rest):
                return True
        return False

    if len(hand) < 3 * threes + 4 * fours:
        return False
    every = tuple(sum(1 for card in hand if card != JOKER and card[0] == rank) for rank in RANKS)
    return fours_from(0, fours, hand.count(JOKER), every)


def value(card: str) -> int:
    """KA-51."""
    if card == JOKER:
        return 50
    if card[0] == "A":
        return 15 if card[1] in "sc" else 1
    return 10 if card[0] in "KQJT" else int(card[0])


# --- Options ---------------------------------------------------------------------------------------------------------


def is_contracts(given: object) -> bool:
    return isinstance(given, str) and 1 <= len(given) <= 9 and all(digit in "123456789" for digit in given)


def is_calls(given: object) -> bool:
    return type(given) is int and 0 <= given <= 6


def one_of(*texts: str) -> Callable[[object], bool]:
    return lambda given: isinstance(given, str) and given in texts


# name -> (default, what is accepted, the clause that a bad value breaks)
OPTIONS: dict[str, tuple[object, Callable[[object], bool], str]] = {
    "contracts": ("123456789", is_contracts, "KA-3"),
    "calls": (3, is_calls, "KA-14"),
    "overcall": ("blocked", one_of("blocked", "penalty"), "KA-21"),
    "bend": ("double", one_of("double", "single"), "KA-53"),
    "threes": ("any", one_of("any", "distinct"), "KA-33"),
    "first_upcard": ("any", one_of("any", "natural"), "KA-9"),
}


# --- The referee -----------------------------------------------------------------------------------------------------


class Referee:
    def __init__(self, players: int, dealer: int, options: dict[str, object]) -> None:
        if type(players) is not int or not 3 <= players <= 5:
            raise Refused("KA-1", "three to five players")
        if type(dealer) is not int or not 0 <= dealer < players:
            raise Refused("KA-8", "the dealer is a seat")
        chosen: dict[str, object] = {name: row[0] for name, row in OPTIONS.items()}
        for name, given in options.items():
            if name not in OPTIONS:
                raise Refused("KA-59", f"no option {name}")
            if not OPTIONS[name][1](given):
                raise Refused(OPTIONS[name][2], f"{name} cannot be {given!r}")
            chosen[name] = given
        self.contracts = [int(digit) for digit in str(chosen["contracts"])]
        self.call_limit = int(str(chosen["calls"]))
        self.penalty = chosen["overcall"] == "penalty"
        self.doubling = chosen["bend"] == "double"
        self.distinct = chosen["threes"] == "distinct"
        self.natural_first = chosen["first_upcard"] == "natural"

        # The match
        self.players = players
        self.dealer = dealer
        self.phase = "deal"
        self.stage = 0  # which of the contracts is played
        self.attempt = 1
        self.deals = 0
        self.scores = [0] * players
        self.last: dict[str, Any] | None = None

        # The deal
        self.hands: list[list[str]] = [[] for _ in range(players)]
        self.stock: list[str] = []  # top first
        self.discards: list[str] = []  # upcard last
        self.throwers: list[int | None] = []  # who discarded each of the discards
        self.melds: list[Meld] = []
        self.down = [False] * players
        self.calls = [0] * players
        self.fines = [0] * players
        self.points = [0] * players
        self.turns = 0
        self.shuffled = False

        # The turn
        self.active: int | None = None
        self.asked: list[int] = []  # who is still to be asked, the first one now
        self.caller: int | None = None
        self.drawing: list[int] = []  # who is still to draw from the stock
        self.left: list[int] | None = None
        self.laid_now = False  # the contract was met in this turn

    # --- What the contract asks ---

    @property
    def contract(self) -> int:
        return self.contracts[self.stage]

    @property
    def need(self) -> list[int]:
        return [CONTRACTS[self.contract][1], CONTRACTS[self.contract][2]]

    # --- Events ---

    def event(self, text: str) -> None:
        try:
            kind, seat, words = read_event(text)
        except ValueError:
            kind, seat, words = "none", None, []
        if kind == "move" and seat is not None:
            self._move(seat, words)
        elif kind == "deal" and self.phase == "deal":
            self._deal([read_card(word) for word in words])
        elif kind == "reshuffle" and self.phase == "reshuffle":
            self._reshuffle([read_card(word) for word in words])
        else:
            raise Refused("KA-59", "no such event now")

    def chance(self) -> list[str] | None:
        if self.phase == "deal":
            return list(PACK)
        if self.phase == "reshuffle":
            return self.discards[:-1]
        return None

    def _deal(self, cards: list[str]) -> None:
        if not same_cards(cards, PACK):
            raise Refused("KA-7", "not the pack of 108 cards")
        n = self.players
        self.deals += 1
        self.hands = [[] for _ in range(n)]
        dealt = CONTRACTS[self.contract][0] * n
        for i in range(dealt):  # KA-6
            self.hands[(self.dealer + 1 + i) % n].append(cards[i])
        rest = cards[dealt:]
        if self.natural_first:  # KA-9, option first_upcard
            while rest[0] == JOKER:
                rest = [*rest[1:], rest[0]]
        self.discards, self.throwers = [rest[0]], [None]
        self.stock = rest[1:]
        self.melds = []
        self.down = [False] * n
        self.calls = [0] * n
        self.fines = [0] * n
        self.points = [0] * n
        self.turns = 0
        self.shuffled = False
        self._begin_turn((self.dealer + 1) % n)  # KA-10

    def _reshuffle(self, cards: list[str]) -> None:
        if not same_cards(cards, self.discards[:-1]):
            raise Refused("KA-24", "not the discards under the upcard")
        self.shuffled = True
        self.stock = list(cards)
        self.discards, self.throwers = self.discards[-1:], self.throwers[-1:]
        self._draw_on()

    def _move(self, seat: int, words: list[str]) -> None:
        word, rest = words[0], words[1:]
        if word == "call" and not (self.phase == "call" and seat == self.asked[0] and not rest):
            raise Refused("KA-14", "no call now")
        if word == "take" and seat == self.active and self.down[seat]:
            raise Refused("KA-12", "a player who is down never draws the upcard")
        if seat not in self._to_act():  # also while chance is awaited and after the end
            raise Refused("KA-59", "not this seat's turn")
        if word not in WORDS[self.phase]:
            raise Refused("KA-59", f"{word} is no move now")
        if self.phase == "play":
            self._play(seat, word, rest)
            return
        if rest:
            raise Refused("KA-59", f"{word} stands alone")
        if word in ("take", "refuse"):  # KA-11, KA-13, KA-18
            self.caller = None
            self._take_upcard(seat)
            self.phase = "play"
        elif word == "stock":
            self._ask()
        elif word == "call":
            self._call(seat)
        elif word == "pass":
            self._ask_on(self.asked[1:])
        else:
            assert word == "allow"
            assert self.caller is not None
            self._allow(self.caller)

    # --- The turn and the draw ---

    def _begin_turn(self, seat: int) -> None:
        self.active = seat
        self.caller = None
        self.left = None
        self.laid_now = False
        if not self.discards:  # KA-23
            self._draw_on([seat])
        elif self.down[seat]:  # KA-12
            self._ask()
        else:
            self.phase = "draw"

    def _take_upcard(self, seat: int) -> None:
        self.hands[seat].append(self.discards.pop())
        self.throwers.pop()

    def _draw_on(self, seats: list[int] | None = None) -> None:
        """These seats draw from the stock, the active player last; without seats, the draws go on after a reshuffle."""
        if seats is not None:
            self.drawing = list(seats)
        self.asked = []
        while self.drawing:
            if not self.stock:
                if self.shuffled or len(self.discards) < 2:  # KA-25, KA-26
                    self._throw_out()
                else:
                    self.phase = "reshuffle"  # KA-24
                return
            self.hands[self.drawing.pop(0)].append(self.stock.pop(0))
        self.phase = "play"

    # --- Calling ---

    def _ask(self) -> None:
        """KA-14, KA-15: everybody who may call, from the active player's left."""
        assert self.active is not None
        around = [(self.active + i) % self.players for i in range(1, self.players)]
        self._ask_on([seat for seat in around if self._may_call(seat)])

    def _may_call(self, seat: int) -> bool:
        if self.call_limit == 0 or self.down[seat] or self.throwers[-1] == seat:
            return False
        return self.penalty or self.calls[seat] < self.call_limit  # KA-21

    def _ask_on(self, seats: list[int]) -> None:
        assert self.active is not None
        if seats:
            self.phase, self.asked = "call", seats
        else:
            self._draw_on([self.active])  # KA-20

    def _call(self, seat: int) -> None:
        assert self.active is not None
        if self.calls[seat] >= self.call_limit:  # KA-21, option overcall
            self.fines[seat] += FINE
            self.points[seat] += FINE
            self._ask_on(self.asked[1:])
        elif self.down[self.active]:  # KA-19
            self._allow(seat)
        else:
            self.phase, self.caller, self.asked = "answer", seat, []

    def _allow(self, caller: int) -> None:
        """KA-17."""
        assert self.active is not None
        self.caller = None
        self.calls[caller] += 1
        self._take_upcard(caller)
        self._draw_on([caller, self.active])

    # --- Laying, tacking on, discarding ---

    def _play(self, seat: int, word: str, rest: list[str]) -> None:
        hand = self.hands[seat]
        if len(rest) != {"tack": 2, "discard": 1, "hold": 0}.get(word, len(rest)):
            raise Refused("KA-59", f"{word} has too few or too many words")
        cards = [read_card(text) for text in (rest[:1] if word == "tack" else rest)]
        if Counter(cards) - Counter(hand):
            raise Refused("KA-59", "a card that is not in the hand")
        if self.left is not None and word != "lay":
            raise Refused("KA-39", "in the middle of a contract")
        if word == "lay":
            kind = self._check_lay(seat, cards)
            self._lay(seat, kind, cards)
        elif word == "tack":
            self._tack(seat, cards[0], rest[1])
        elif word == "discard":
            if cards[0] == JOKER:
                raise Refused("KA-48", "a joker is never discarded")
            hand.remove(cards[0])
            self.discards.append(cards[0])
            self.throwers.append(seat)
            self._end_turn()
        else:
            if self._legal(seat) != ["hold"]:
                raise Refused("KA-50", "there is another move")
            self._end_turn()

    def _check_lay(self, seat: int, cards: list[str]) -> str:
        """The kind of this meld, or Refused; the cards are known to be in the hand."""
        if len(cards) not in (3, 4):
            raise Refused("KA-38", "three cards or four")
        kind = "three" if len(cards) == 3 else "four"
        if kind == "four":
            if corner(cards):
                raise Refused("KA-32", "not around the corner")
            if neighbours(cards):
                raise Refused("KA-35", "two jokers side by side")
            if four_place(cards) is None:
                raise Refused("KA-31", "no sequence of one suit, low to high")
        else:
            naturals = [card for card in cards if card != JOKER]
            if len({card[0] for card in naturals}) > 1 or cards != suit_order(cards):
                raise Refused("KA-30", "not of one rank, or not in order")
            if len(naturals) < 2:
                raise Refused("KA-34", "two natural cards at least")
        mark = next(card for card in cards if card != JOKER)
        if kind == "four" and mark[1] in self._suits(seat):
            raise Refused("KA-33", "a second four of one suit")
        if kind == "three" and self.distinct and mark[0] in self._ranks(seat):
            raise Refused("KA-33", "a second three of one rank")
        if not self.down[seat] and not self._contract_goes_on(seat, kind, cards):
            raise Refused("KA-39", "the contract cannot be met with it")
        return kind

    def _suits(self, seat: int) -> frozenset[str]:
        return frozenset(meld.suit for meld in self.melds if meld.owner == seat and meld.kind == "four")

    def _ranks(self, seat: int) -> frozenset[str]:
        return frozenset(meld.rank for meld in self.melds if meld.owner == seat and meld.kind == "three")

    def _contract_goes_on(self, seat: int, kind: str, cards: list[str]) -> bool:
        """KA-39: the contract still asks for this kind, and the rest can be laid from the other cards."""
        threes, fours = self.left or self.need
        suits = self._suits(seat)
        ranks = self._ranks(seat) if self.distinct else frozenset()
        mark = next(card for card in cards if card != JOKER)
        if kind == "three":
            threes -= 1
            ranks |= {mark[0]} if self.distinct else set()
        else:
            fours -= 1
            suits |= {mark[1]}
        if threes < 0 or fours < 0:
            return False
        return can_finish(without(self.hands[seat], cards), threes, fours, suits, ranks, self.distinct)

    def _lay(self, seat: int, kind: str, cards: list[str]) -> None:
        low = (four_place(cards) or 0) if kind == "four" else 0
        self.melds.append(Meld(len(self.melds) + 1, seat, kind, list(cards), low))
        self.hands[seat] = without(self.hands[seat], cards)
        if not self.down[seat]:
            left = list(self.left or self.need)
            left[0 if kind == "three" else 1] -= 1
            self.left = left if left != [0, 0] else None
            if self.left is None:
                self.down[seat] = True
                self.laid_now = True
        if not self.hands[seat]:
            self._end_turn()

    def _tack(self, seat: int, card: str, number: str) -> None:
        if not self.down[seat]:
            raise Refused("KA-42", "not down yet")
        for index, meld in enumerate(self.melds):
            if str(meld.id) == number:
                self.melds[index] = tacked(meld, card)
                self.hands[seat].remove(card)
                if not self.hands[seat]:
                    self._end_turn()
                return
        raise Refused("KA-42", f"no meld {number}")

    # --- Ends ---

    def _end_turn(self) -> None:
        """A turn has ended: with its discard (KA-48), with `hold` (KA-50) or with no card left (KA-49)."""
        assert self.active is not None
        self.turns += 1
        if not self.hands[self.active]:
            self._go_out(self.active)
        elif self.turns == MOST_TURNS:
            self._throw_out()  # KA-29
        else:
            self._begin_turn((self.active + 1) % self.players)

    def _go_out(self, seat: int) -> None:
        """KA-49, KA-52, KA-53."""
        twice = self.laid_now and self.doubling and not self.fines[seat]
        for other in range(self.players):
            held = sum(value(card) for card in self.hands[other])
            self.points[other] = held * (2 if twice else 1) + self.fines[other]
            self.scores[other] += self.points[other]
        self.last = {"how": "bent" if self.laid_now else "out", "out": seat, "points": list(self.points)}
        self._after_deal(True)

    def _throw_out(self) -> None:
        """KA-27, KA-28."""
        self.points = [0] * self.players
        self.last = {"how": "thrown", "out": None, "points": list(self.points)}
        self._after_deal(self.attempt == MOST_ATTEMPTS)

    def _after_deal(self, onward: bool) -> None:
        self.active = None
        self.caller = None
        self.asked = []
        self.drawing = []
        self.left = None
        if onward and self.stage == len(self.contracts) - 1:  # KA-54
            self.phase = "done"
            return
        self.phase = "deal"
        if onward:  # KA-8
            self.stage += 1
            self.attempt = 1
            self.dealer = (self.dealer + 1) % self.players
        else:
            self.attempt += 1

    # --- The report ---

    def _to_act(self) -> list[int]:
        if self.phase == "call":
            return [self.asked[0]]
        if self.phase in ("draw", "answer", "play"):
            assert self.active is not None
            return [self.active]
        return []

    def _legal(self, seat: int) -> list[str]:
        if self.phase != "play":
            return list(WORDS[self.phase])
        hand = self.hands[seat]
        moves: list[str] = []
        if self.left is None:
            moves += [f"discard {card}" for card in sorted(set(hand) - {JOKER})]
        for cards in self._lays(seat):
            moves.append("lay " + " ".join(cards))
        if self.down[seat]:
            for card in sorted(set(hand)):
                for meld in self.melds:
                    try:
                        tacked(meld, card)
                    except Refused:
                        continue
                    moves.append(f"tack {card} {meld.id}")
        return moves or ["hold"]

    def _lays(self, seat: int) -> list[list[str]]:
        hand = self.hands[seat]
        found: list[list[str]] = []
        begins = not self.down[seat] and self.left is None
        if begins and not can_finish(hand, self.need[0], self.need[1], frozenset(), frozenset(), self.distinct):
            return found
        for cards in all_threes(hand) + all_fours(hand):
            try:
                self._check_lay(seat, cards)
            except Refused:
                continue
            found.append(cards)
        return found

    def report(self) -> dict[str, Any]:
        done = self.phase == "done"
        return {
            "game": "kalooki",
            "players": self.players,
            "done": done,
            "phase": self.phase,
            "dealer": self.dealer,
            "deal": self.deals,
            "to_act": self._to_act(),
            "awaiting": self.phase if self.phase in ("deal", "reshuffle") else None,
            "legal": {str(seat): self._legal(seat) for seat in self._to_act()},
            "hands": [list(hand) for hand in self.hands],
            "trump": None,
            "upcard": self.discards[-1] if self.discards else None,
            "trick": [],
            "leader": None,
            "tricks": [0] * self.players,
            "points": list(self.points),
            "scores": list(self.scores),
            "winners": [s for s in range(self.players) if self.scores[s] == min(self.scores)] if done else [],
            "last": None if self.last is None else {**self.last, "points": list(self.last["points"])},
            "stock": len(self.stock),
            "contract": self.contract,
            "need": self.need,
            "attempt": self.attempt,
            "left": None if self.left is None else list(self.left),
            "active": self.active,
            "caller": self.caller,
            "discards": list(self.discards),
            "melds": [{"id": m.id, "owner": m.owner, "kind": m.kind, "cards": list(m.cards)} for m in self.melds],
            "down": list(self.down),
            "calls": list(self.calls),
            "turns": self.turns,
        }
