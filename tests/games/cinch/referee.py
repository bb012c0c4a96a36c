"""A slow, plain referee for Cinch, written from the rule page alone."""

from itertools import combinations
from typing import Any

from referee_base import RANKS, SUITS, Refused, pack, read_card, read_event, read_number, read_suit, same_cards

SAME_COLOUR = {"s": "c", "c": "s", "h": "d", "d": "h"}
TRUMP_ORDER = "AKQJT9876"  # CI-3; then the right pedro, the left pedro, 4 3 2
SEATS = range(4)
HAND = 6
MOST_DEALS = 100  # CI-42
MOST_POINTS = 14

NUMBER_OPTIONS = {"target": (51, range(11, 201)), "min_bid": (1, range(1, 11))}
TEXT_OPTIONS = {
    "all_pass": ["dealer", "redeal"],
    "low": ["taken", "played"],
    "score": ["difference", "setback"],
    "bury": ["counted", "free"],
}
# The first clause that the option's row names.
OPTION_CLAUSES = {
    "target": "CI-40",
    "min_bid": "CI-9",
    "all_pass": "CI-12",
    "low": "CI-32",
    "score": "CI-36",
    "bury": "CI-23",
    "lead_trump": "CI-25",
}


def is_whole(value: object) -> bool:
    """A whole number; True and False are none."""
    return isinstance(value, int) and not isinstance(value, bool)


def read_options(options: dict[str, object]) -> dict[str, Any]:
    """The defaults with the record's options laid over them; refuses what the page does not list."""
    chosen: dict[str, Any] = {"lead_trump": False}
    for name, (default, _) in NUMBER_OPTIONS.items():
        chosen[name] = default
    for name, values in TEXT_OPTIONS.items():
        chosen[name] = values[0]
    if not isinstance(options, dict):
        raise Refused("CI-47", "the options are not an object")
    for name, value in options.items():
        if name not in chosen:
            raise Refused("CI-47", f"there is no option {name!r}")
        if name == "lead_trump":
            good = isinstance(value, bool)
        elif name in NUMBER_OPTIONS:
            good = is_whole(value) and value in NUMBER_OPTIONS[name][1]
        else:
            good = isinstance(value, str) and value in TEXT_OPTIONS[name]
        if not good:
            raise Refused(OPTION_CLAUSES[name], f"option {name} cannot be {value!r}")
        chosen[name] = value
    return chosen


def in_pack_order(cards: list[str]) -> list[str]:
    return sorted(cards, key=pack().index)


def trumps_high_to_low(trump: str) -> list[str]:
    """CI-3."""
    high = [rank + trump for rank in TRUMP_ORDER]
    return [*high, "5" + trump, "5" + SAME_COLOUR[trump], "4" + trump, "3" + trump, "2" + trump]


def values(trump: str) -> dict[str, int]:
    """The scoring cards and what they bring (CI-33)."""
    return {"J" + trump: 1, "T" + trump: 1, "5" + trump: 5, "5" + SAME_COLOUR[trump]: 5}


def same_side(first: int, second: int) -> bool:
    """CI-1."""
    return first % 2 == second % 2


class Referee:
    def __init__(self, players: int, dealer: int, options: dict[str, object]) -> None:
        if not is_whole(players) or players != 4:
            raise Refused("CI-1", "four players")
        if not is_whole(dealer) or dealer not in SEATS:
            raise Refused("CI-6", "the dealer is one of the seats")
        self.options = read_options(options)

        # The match.
        self.phase = "deal"
        self.dealer = dealer
        self.deals = 0
        self.sides = [0, 0]  # the scores of seats 0 and 2, and of 1 and 3
        self.winners: list[int] = []
        self.last: dict[str, Any] | None = None

        self.clear_deal()

    def clear_deal(self) -> None:
        self.hands: list[list[str]] = [[] for _ in SEATS]
        self.plain: list[list[str]] = [[] for _ in SEATS]  # the plain cards each has thrown away
        self.stub: list[str] = []
        self.bids: list[str] = []
        self.highest = 0
        self.bidder: int | None = None  # who made the highest bid
        self.declarer: int | None = None
        self.trump: str | None = None
        self.taker = 0  # who acts in recall and rob
        self.took_other = False  # the dealer took a card from the stub that is no scoring card
        self.dead: list[str] = []
        self.left: list[str] = []
        self.credited: list[str] = []
        self.leader: int | None = None
        self.trick: list[tuple[int, str]] = []
        self.played: list[tuple[int, int, str]] = []  # who won it, who played it, the card
        self.tricks = [0, 0]

    def in_turn(self) -> list[int]:
        """Clockwise from the dealer's left, the dealer last."""
        return [(self.dealer + 1 + step) % 4 for step in SEATS]

    # --- what the outside asks ---

    def event(self, text: str) -> None:
        if self.phase == "done":
            raise Refused("CI-47", "the match is over")
        kind, seat, words = read_event(text)
        if kind == "deal" and self.phase == "deal":
            self.start_deal(words)
            return
        if kind != "move" or self.phase == "deal":
            raise Refused("CI-47", "a deal when one is awaited, otherwise a move")
        if seat not in self.to_act():
            raise Refused("CI-47", f"seat {seat} is not to act")
        if self.phase == "bid":
            self.bid(seat, words)
        elif self.phase == "trump":
            self.name_trump(words)
        elif self.phase == "discard":
            self.discard(seat, words)
        elif self.phase in ("recall", "rob"):
            self.take(seat, words)
        else:
            self.play(seat, words)

    def report(self) -> dict[str, Any]:
        to_act = self.to_act()
        last = None
        if self.last is not None:
            last = {name: list(value) if isinstance(value, list) else value for name, value in self.last.items()}
        points = self.won_in_tricks()
        return {
            "game": "cinch",
            "players": 4,
            "done": self.phase == "done",
            "phase": self.phase,
            "dealer": self.dealer,
            "deal": self.deals,
            "to_act": to_act,
            "awaiting": "deal" if self.phase == "deal" else None,
            "legal": {str(seat): self.legal(seat) for seat in to_act},
            "hands": [list(hand) for hand in self.hands],
            "trump": self.trump,
            "upcard": None,
            "trick": [[seat, card] for seat, card in self.trick],
            "leader": self.leader,
            "tricks": [self.tricks[seat % 2] for seat in SEATS],
            "points": [points[seat % 2] for seat in SEATS],
            "scores": [self.sides[seat % 2] for seat in SEATS],
            "winners": list(self.winners),
            "last": last,
            "stock": None,
            "bids": list(self.bids),
            "bid": self.highest if self.bids else None,
            "declarer": self.declarer,
            "stub": list(self.stub),
            "dead": list(self.dead),
            "left": list(self.left),
            "credited": in_pack_order(self.credited),
        }

    # --- who may do what ---

    def to_act(self) -> list[int]:
        if self.phase == "bid":
            return [self.in_turn()[len(self.bids)]]
        if self.phase == "trump":
            assert self.declarer is not None
            return [self.declarer]
        if self.phase == "discard":
            return [seat for seat in self.in_turn() if len(self.hands[seat]) > HAND][:1]  # CI-15
        if self.phase in ("recall", "rob"):
            return [self.taker]
        if self.phase == "play":
            assert self.leader is not None
            return [(self.leader + len(self.trick)) % 4]  # CI-26
        return []

    def legal(self, seat: int) -> list[str]:
        if self.phase == "bid":
            return ["pass"] + [f"bid {number}" for number in range(self.least_bid(), MOST_POINTS + 1)]
        if self.phase == "trump":
            return [f"trump {suit}" for suit in SUITS]  # CI-11
        if self.phase == "discard":
            hand = in_pack_order(self.hands[seat])
            return ["discard " + " ".join(cards) for cards in combinations(hand, len(hand) - HAND)]
        if self.phase in ("recall", "rob"):
            return [f"take {card}" for card in self.takeable()]
        return self.duty(seat)[0]

    def least_bid(self) -> int:
        """CI-9."""
        return max(self.highest + 1, int(self.options["min_bid"]))

    def takeable(self) -> list[str]:
        return self.stub if self.phase == "rob" else self.plain[self.taker]

    def is_trump(self, card: str) -> bool:
        assert self.trump is not None
        return card in trumps_high_to_low(self.trump)

    def duty(self, seat: int) -> tuple[list[str], str]:
        """The cards that this seat may play, and the clause that forbids its others."""
        hand = list(self.hands[seat])
        trumps = [card for card in hand if self.is_trump(card)]
        if not self.trick:
            if self.options["lead_trump"] and not self.played and trumps:
                return trumps, "CI-25"
            return hand, ""  # CI-25, CI-26
        lead = self.trick[0][1]
        if self.is_trump(lead):
            return (trumps, "CI-27") if trumps else (hand, "")
        allowed = [card for card in hand if self.is_trump(card) or card[1] == lead[1]]
        return (allowed, "CI-28") if allowed else (hand, "")  # CI-29

    # --- the deal and the bidding ---

    def start_deal(self, words: list[str]) -> None:
        cards = [read_card(word) or "" for word in words]
        if not same_cards(cards, pack()):
            raise Refused("CI-2", "a deal lists all 52 cards, each once")
        self.clear_deal()
        for packet in range(12):  # CI-7
            self.hands[self.in_turn()[packet % 4]] += cards[3 * packet : 3 * packet + 3]
        self.stub = cards[36:]
        self.deals += 1
        self.phase = "bid"

    def bid(self, seat: int, words: list[str]) -> None:
        if words == ["pass"]:
            self.bids.append(f"{seat} pass")
        else:
            number = read_number(words[1]) if len(words) == 2 and words[0] == "bid" else None
            if number is None:
                raise Refused("CI-47", "pass, or bid and a number")
            if number not in range(self.least_bid(), MOST_POINTS + 1):
                raise Refused("CI-9", f"{number} cannot be bid")
            self.bids.append(f"{seat} {number}")
            self.highest = number
            self.bidder = seat
        if len(self.bids) < 4:
            return
        if self.bidder is None and self.options["all_pass"] == "redeal":
            self.end_deal([0, 0], [0, 0])
            return
        self.declarer = self.dealer if self.bidder is None else self.bidder  # CI-10, CI-12
        self.phase = "trump"

    def name_trump(self, words: list[str]) -> None:
        suit = read_suit(words[1]) if len(words) == 2 and words[0] == "trump" else None
        if suit is None:
            raise Refused("CI-47", "trump and a suit")
        self.trump = suit
        for seat in SEATS:  # CI-13
            self.plain[seat] = [card for card in self.hands[seat] if not self.is_trump(card)]
            self.hands[seat] = [card for card in self.hands[seat] if self.is_trump(card)]
        self.phase = "discard"
        if not self.to_act():
            self.fill_up()

    # --- throwing away and filling up ---

    def discard(self, seat: int, words: list[str]) -> None:
        if words[0] != "discard":
            raise Refused("CI-47", "trumps must be thrown")
        cards = [read_card(word) or "" for word in words[1:]]
        hand = self.hands[seat]
        if len(cards) != len(hand) - HAND or len(set(cards)) < len(cards) or any(card not in hand for card in cards):
            raise Refused("CI-15", "a discard names held trumps and leaves six")
        if cards != in_pack_order(cards):
            raise Refused("CI-15", "a discard is in pack order")
        assert self.trump is not None
        assert self.declarer is not None
        self.hands[seat] = [card for card in hand if card not in cards]
        self.dead += [f"{seat} {card}" for card in cards]
        if not same_side(seat, self.declarer):
            self.credited += [card for card in cards if card in values(self.trump)]  # CI-16
        if not self.to_act():
            self.fill_up()

    def fill_up(self) -> None:
        """CI-18 to CI-22, from wherever it stands."""
        for seat in self.in_turn():
            missing = HAND - len(self.hands[seat])
            if seat == self.dealer and 0 < missing < len(self.stub):
                self.phase = "rob"  # CI-20
                self.taker = seat
                return
            self.hands[seat] += self.stub[:missing]
            self.stub = self.stub[missing:]
            if len(self.hands[seat]) < HAND:
                self.phase = "recall"  # CI-19, CI-22
                self.taker = seat
                return
        self.phase = "play"
        self.leader = self.declarer  # CI-25

    def take(self, seat: int, words: list[str]) -> None:
        if len(words) != 2 or words[0] != "take":
            raise Refused("CI-47", "a card must be taken")
        card = read_card(words[1])
        if card not in self.takeable():
            raise Refused("CI-20" if self.phase == "rob" else "CI-19", "that card is not there")
        assert self.trump is not None
        self.takeable().remove(card)
        self.hands[seat].append(card)
        if self.phase == "rob" and card not in values(self.trump):
            self.took_other = True
        if len(self.hands[seat]) < HAND:
            return
        if self.phase == "rob":
            self.finish_robbing()
        self.fill_up()

    def finish_robbing(self) -> None:
        assert self.trump is not None
        assert self.declarer is not None
        self.left = in_pack_order([card for card in self.stub if self.is_trump(card)])  # CI-24
        defends = not same_side(self.dealer, self.declarer)
        if defends and self.took_other and self.options["bury"] == "counted":
            self.credited += [card for card in self.left if card in values(self.trump)]  # CI-23

    # --- the play ---

    def play(self, seat: int, words: list[str]) -> None:
        card = read_card(words[0])
        if len(words) != 1 or card is None:
            raise Refused("CI-47", "a card is due")
        if card not in self.hands[seat]:
            raise Refused("CI-26", f"{card} is not in that hand")
        cards, clause = self.duty(seat)
        if card not in cards:
            raise Refused(clause, f"{card} cannot be played now")
        self.hands[seat].remove(card)
        self.trick.append((seat, card))
        if len(self.trick) == 4:
            self.finish_trick()

    def finish_trick(self) -> None:
        """CI-30."""
        assert self.trump is not None
        trumps = [card for _, card in self.trick if self.is_trump(card)]
        if trumps:
            best = min(trumps, key=trumps_high_to_low(self.trump).index)
        else:
            led = [card for _, card in self.trick if card[1] == self.trick[0][1][1]]
            best = min(led, key=lambda card: RANKS.index(card[0]))
        winner = next(seat for seat, card in self.trick if card == best)
        self.played += [(winner, seat, card) for seat, card in self.trick]
        self.tricks[winner % 2] += 1
        self.trick = []
        self.leader = winner
        if sum(self.tricks) == HAND:
            self.count_deal()

    # --- the end of a deal ---

    def won_in_tricks(self) -> list[int]:
        """Jack, ten and pedros so far (CI-33)."""
        points = [0, 0]
        for winner, _, card in self.played:
            assert self.trump is not None
            points[winner % 2] += values(self.trump).get(card, 0)
        return points

    def count_deal(self) -> None:
        """CI-31 to CI-38."""
        assert self.trump is not None
        assert self.declarer is not None
        points = self.won_in_tricks()
        order = trumps_high_to_low(self.trump)
        trumps = [play for play in self.played if self.is_trump(play[2])]
        trumps.sort(key=lambda play: order.index(play[2]))
        points[trumps[0][1] % 2] += 1  # CI-31
        lowest_winner, lowest_player, _ = trumps[-1]
        points[(lowest_player if self.options["low"] == "played" else lowest_winner) % 2] += 1  # CI-32
        ours = self.declarer % 2
        theirs = 1 - ours
        points[ours] += sum(values(self.trump)[card] for card in self.credited)  # CI-16, CI-23
        made = points[ours] >= self.highest
        gained = [0, 0]
        if self.options["score"] == "setback":
            gained[theirs] = points[theirs]
            gained[ours] = points[ours] if made else -self.highest
        elif made:
            difference = points[ours] - points[theirs]  # CI-36, CI-38
            gained[ours] = max(difference, 0)
            gained[theirs] = max(-difference, 0)
        else:
            gained[theirs] = MOST_POINTS + self.highest - points[ours]  # CI-37
        self.end_deal(points, gained)

    def end_deal(self, points: list[int], gained: list[int]) -> None:
        self.last = {
            "deal": self.deals,
            "dealer": self.dealer,
            "declarer": self.declarer,
            "bid": self.highest,
            "trump": self.trump,
            "points": [points[seat % 2] for seat in SEATS],
            "gained": [gained[seat % 2] for seat in SEATS],
        }
        self.sides = [self.sides[side] + gained[side] for side in (0, 1)]
        best = max(self.sides)
        if best >= self.options["target"] or self.deals == MOST_DEALS:
            self.winners = self.find_winners()
            self.phase = "done"
        else:
            self.phase = "deal"
            self.dealer = (self.dealer + 1) % 4  # CI-39
        self.clear_deal()

    def find_winners(self) -> list[int]:
        """CI-40 to CI-42."""
        if self.sides[0] != self.sides[1]:
            side = 0 if self.sides[0] > self.sides[1] else 1
        elif self.sides[0] >= self.options["target"] and self.declarer is not None:
            side = self.declarer % 2
        else:
            return list(SEATS)
        return [seat for seat in SEATS if seat % 2 == side]
