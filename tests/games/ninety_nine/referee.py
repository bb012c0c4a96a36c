"""A slow, plain referee for Ninety-Nine, written from the rule page alone."""

from itertools import combinations
from typing import Any

from referee_base import RANKS, Refused, pack, read_card, read_event, same_cards

SHORT = "AKQJT9876"  # NN-2, two or three players
VALUES = {"c": 3, "h": 2, "s": 1, "d": 0}  # NN-11
NEXT_TRUMP = {0: "d", 1: "s", 2: "h", 3: "c", 4: None}  # NN-9
MOST_ROUNDS = 200  # NN-43
GAME = 100  # NN-44, and the bonus of NN-45
DUMMY = "dummy"
JOKER = "*"

TEXT_OPTIONS = {
    "match": ["target", "games", "rounds"],
    "trump": ["success", "diamonds-first", "turn-up"],
    "premiums": ["yes", "no"],
    "show": ["all", "made"],
}
NUMBER_OPTIONS = {"target": (200, range(50, 1001)), "bonuses": (3, range(1, 4)), "rounds": (9, range(1, 101))}
# The first clause that the option's row names; the row of premiums names none, its subject is NN-16.
OPTION_CLAUSES = {
    "match": "NN-44",
    "target": "NN-41",
    "bonuses": "NN-47",
    "rounds": "NN-53",
    "trump": "NN-8",
    "premiums": "NN-16",
    "show": "NN-35",
}


def is_whole(value: object) -> bool:
    """A whole number; True and False are none."""
    return isinstance(value, int) and not isinstance(value, bool)


def read_options(options: dict[str, object]) -> dict[str, Any]:
    """The defaults with the record's options laid over them; refuses what the page does not list."""
    chosen: dict[str, Any] = {}
    for name, values in TEXT_OPTIONS.items():
        chosen[name] = values[0]
    for name, (default, _) in NUMBER_OPTIONS.items():
        chosen[name] = default
    if not isinstance(options, dict):
        raise Refused("NN-52", "the options are not an object")
    for name, value in options.items():
        if name not in chosen:
            raise Refused("NN-52", f"there is no option {name!r}")
        if name in NUMBER_OPTIONS:
            good = is_whole(value) and value in NUMBER_OPTIONS[name][1]
        else:
            good = isinstance(value, str) and value in TEXT_OPTIONS[name]
        if not good:
            raise Refused(OPTION_CLAUSES[name], f"option {name} cannot be {value!r}")
        chosen[name] = value
    return chosen


def in_pack_order(cards: list[str]) -> list[str]:
    """Suits s h d c, within a suit A down to 2, the joker last."""
    order = [*pack(), JOKER]
    return sorted(cards, key=order.index)


class Referee:
    def __init__(self, players: int, dealer: int, options: dict[str, object]) -> None:
        if not is_whole(players) or players not in (2, 3, 4):
            raise Refused("NN-1", "two to four players")
        if not is_whole(dealer) or dealer not in range(players):
            raise Refused("NN-7", "the dealer is one of the seats")
        self.players = players
        self.options = read_options(options)

        # The match.
        self.phase = "deal"
        self.dealer = dealer
        self.deals = 0
        self.scores = [0] * players
        self.winners: list[int] = []
        self.last: dict[str, Any] | None = None
        self.game_no = 1
        self.game_points = [0] * players
        self.bonuses = [0] * players
        self.first_of_game = True  # the next deal is the first of the match or of a game

        self.clear_round()

    def clear_round(self) -> None:
        self.hands: list[list[str]] = [[] for _ in range(self.players)]
        self.dummy_hand: list[str] = []
        self.dummy_bid: list[str] = []
        self.dummy_tricks = 0
        self.upcard: str | None = None
        self.trump: str | None = None
        self.bids: list[list[str] | None] = [None] * self.players
        self.offers: list[str | None] = [None] * self.players
        self.premium: list[str | None] = [None] * self.players
        self.leader: int | str | None = None
        self.live_leader = 0  # two players: the last live player to lead a trick
        self.trick: list[tuple[int | str, str]] = []
        self.tricks = [0] * self.players
        self.points = [0] * self.players

    def whole_pack(self) -> list[str]:
        cards = pack() if self.players == 4 else pack(SHORT)
        return [*cards, JOKER] if self.options["trump"] == "turn-up" else cards

    def seats_from_left(self) -> list[int]:
        """All seats clockwise from the dealer's left, the dealer last."""
        return [(self.dealer + 1 + step) % self.players for step in range(self.players)]

    # --- what the outside asks ---

    def chance(self) -> list[str] | None:
        return self.whole_pack() if self.phase == "deal" else None  # NN-6

    def event(self, text: str) -> None:
        if self.phase == "done":
            raise Refused("NN-52", "the match is over")
        kind, seat, words = read_event(text)
        if kind == "deal" and self.phase == "deal":
            self.start_round(words)
            return
        if kind != "move" or self.phase == "deal":
            raise Refused("NN-52", "a deal when one is awaited, otherwise a move")
        if seat not in self.to_act():
            raise Refused("NN-52", f"seat {seat} is not to act")
        if self.phase == "bid":
            self.bid(seat, words)
        elif self.phase == "premium":
            self.offer(seat, words)
        else:
            self.play(seat, words)

    def report(self) -> dict[str, Any]:
        to_act = self.to_act()
        last = None
        if self.last is not None:
            last = {name: list(value) for name, value in self.last.items()}
        dummy = None
        if self.players == 2:
            dummy = {
                "hand": in_pack_order(self.dummy_hand),
                "bid": in_pack_order(self.dummy_bid),
                "tricks": self.dummy_tricks,
            }
        return {
            "game": "ninety-nine",
            "players": self.players,
            "done": self.phase == "done",
            "phase": self.phase,
            "dealer": self.dealer,
            "deal": self.deals,
            "to_act": to_act,
            "awaiting": "deal" if self.phase == "deal" else None,
            "legal": {str(seat): self.legal(seat) for seat in to_act},
            "hands": [list(hand) for hand in self.hands],
            "trump": self.trump,
            "upcard": self.upcard,
            "trick": [[who, card] for who, card in self.trick],
            "leader": self.leader if self.phase == "play" else None,
            "tricks": list(self.tricks),
            "points": list(self.points),
            "scores": list(self.scores),
            "winners": list(self.winners),
            "last": last,
            "stock": None,
            "bids": [None if bid is None else list(bid) for bid in self.bids],
            "offers": list(self.offers),
            "premium": list(self.premium),
            "dummy": dummy,
            "game_no": self.game_no,
            "game_points": list(self.game_points),
            "bonuses": list(self.bonuses),
        }

    # --- who may do what ---

    def turn(self) -> tuple[int, bool]:
        """In the play: the seat that chooses the next card, and whether it is a card of the dummy."""
        step = len(self.trick)
        if self.players > 2:
            assert isinstance(self.leader, int)
            return (self.leader + step) % self.players, False
        first, second = self.live_leader, 1 - self.live_leader
        if self.leader == DUMMY:
            return [(first, True), (second, False), (first, False)][step]  # NN-29
        return [(first, False), (second, False), (first, True)][step]  # NN-28

    def to_act(self) -> list[int]:
        if self.phase == "bid":
            return [seat for seat in range(self.players) if self.bids[seat] is None]  # NN-12
        if self.phase == "premium":
            return [seat for seat in self.seats_from_left() if self.offers[seat] is None][:1]  # NN-18, NN-20
        if self.phase == "play":
            return [self.turn()[0]]
        return []

    def legal(self, seat: int) -> list[str]:
        if self.phase == "bid":
            hand = in_pack_order(self.hands[seat])
            return ["bid " + " ".join(cards) for cards in combinations(hand, 3)]  # NN-14
        if self.phase == "premium":
            return self.open_offers()
        _, of_dummy = self.turn()
        if of_dummy:
            return [f"{DUMMY} {card}" for card in self.playable(self.dummy_hand)]
        return self.playable(self.hands[seat])

    def open_offers(self) -> list[str]:
        if self.players == 2:
            return ["pass", "declare"]  # NN-20
        if "declare" in self.offers:
            return ["pass", "reveal"]  # NN-18
        return ["pass", "declare", "reveal"]

    def face(self, card: str) -> str:
        """The joker is the card turned up (option trump=turn-up)."""
        if card == JOKER:
            assert self.upcard is not None
            return self.upcard
        return card

    def suit(self, card: str) -> str:
        return self.face(card)[1]

    def playable(self, hand: list[str]) -> list[str]:
        if self.trick:
            same_suit = [card for card in hand if self.suit(card) == self.suit(self.trick[0][1])]
            if same_suit:
                return same_suit  # NN-25
        return list(hand)

    # --- events ---

    def start_round(self, words: list[str]) -> None:
        cards = [read_card(word) or "" for word in words]
        if not same_cards(cards, self.whole_pack()):
            raise Refused("NN-6", "a deal lists the whole pack, each card once")
        self.clear_round()
        turned = self.options["trump"] == "turn-up"
        dealt = cards[:-1] if turned else cards
        if self.players == 2:
            dummy = dealt[1::3]
            self.hands[1 - self.dealer] = dealt[0::3]  # NN-5
            self.hands[self.dealer] = dealt[2::3]
            self.dummy_bid = dummy[:3]  # NN-15
            self.dummy_hand = dummy[3:]
        else:
            for number, card in enumerate(dealt):
                self.hands[(self.dealer + 1 + number) % self.players].append(card)  # NN-4
        if turned:
            self.upcard = cards[-1]
            none = self.upcard == JOKER or self.upcard[0] == "9"
            self.trump = None if none else self.upcard[1]
        elif self.first_of_game:
            self.trump = "d" if self.options["trump"] == "diamonds-first" else None  # NN-8, NN-46
        else:
            assert self.last is not None
            self.trump = NEXT_TRUMP[self.last["made"].count(True)]  # NN-9, NN-10
        self.first_of_game = False
        self.deals += 1
        self.phase = "bid"

    def bid(self, seat: int, words: list[str]) -> None:
        if words[0] != "bid":
            raise Refused("NN-52", "a bid is due")
        cards = [read_card(word) or "" for word in words[1:]]
        if len(cards) != 3 or len(set(cards)) != 3 or any(card not in self.hands[seat] for card in cards):
            raise Refused("NN-11", "a bid is three cards of the hand")
        if cards != in_pack_order(cards):
            raise Refused("NN-11", "the cards of a bid stand in pack order")
        self.bids[seat] = cards
        self.hands[seat] = [card for card in self.hands[seat] if card not in cards]
        if None not in self.bids:
            if self.options["premiums"] == "yes":
                self.phase = "premium"
            else:
                self.start_play()

    def offer(self, seat: int, words: list[str]) -> None:
        word = words[0]
        if len(words) != 1 or word not in ("pass", "declare", "reveal"):
            raise Refused("NN-52", "an offer is due")
        if word == "reveal" and self.players == 2:
            raise Refused("NN-20", "nobody reveals with two players")
        if word not in self.open_offers():
            raise Refused("NN-18", "a declaration stands already")
        self.offers[seat] = word
        if word == "reveal" or None not in self.offers:
            self.settle_premium()
            self.start_play()

    def settle_premium(self) -> None:
        """NN-17, NN-19, NN-20."""
        best = "reveal" if "reveal" in self.offers else "declare"
        self.premium = [offer if offer == best else None for offer in self.offers]

    def start_play(self) -> None:
        self.phase = "play"
        self.live_leader = self.seats_from_left()[0]  # NN-24
        self.leader = self.live_leader

    def play(self, seat: int, words: list[str]) -> None:
        says_dummy = words[0] == DUMMY and self.players == 2
        named = words[1:] if says_dummy else words
        card = read_card(named[0]) if len(named) == 1 else None
        if card is None:
            raise Refused("NN-52", "a card is due")
        _, of_dummy = self.turn()
        if says_dummy != of_dummy:
            raise Refused("NN-29" if self.leader == DUMMY else "NN-28", "the card of the other hand is due")
        hand = self.dummy_hand if of_dummy else self.hands[seat]
        if card not in hand:
            raise Refused("NN-24", f"{card} is not in that hand")
        if card not in self.playable(hand):
            raise Refused("NN-25", "the suit led must be followed")
        hand.remove(card)
        self.trick.append((DUMMY if of_dummy else seat, card))
        if len(self.trick) == max(3, self.players):
            self.finish_trick()

    def finish_trick(self) -> None:
        """NN-26, NN-27."""
        faces = [(who, self.face(card)) for who, card in self.trick]
        trumps = [card for _, card in faces if card[1] == self.trump]
        led = [card for _, card in faces if card[1] == faces[0][1][1]]
        best = min(trumps or led, key=lambda card: RANKS.index(card[0]))
        winner = next(who for who, card in faces if card == best)
        self.trick = []
        self.leader = winner
        if isinstance(winner, int):
            self.tricks[winner] += 1
            self.live_leader = winner
        else:
            self.dummy_tricks += 1
        self.points = list(self.tricks)
        if not any(self.hands):
            self.finish_round()  # NN-30

    # --- the end of a round ---

    def finish_round(self) -> None:
        """NN-31 to NN-40; with two players the dummy's entry stands last in each list."""
        bids = [sum(VALUES[self.suit(card)] for card in bid or []) for bid in self.bids]
        tricks = list(self.tricks)
        made = [tricks[seat] == bids[seat] for seat in range(self.players)]
        worth = [{"declare": 30, "reveal": 60}.get(premium or "", 0) for premium in self.premium]
        if self.players == 2:
            bids.append(sum(VALUES[self.suit(card)] for card in self.dummy_bid))
            tricks.append(self.dummy_tricks)
            made.append(tricks[2] <= bids[2])  # NN-40
            worth.append(30 if tricks[2] == bids[2] else 0)
        bonus = {0: 0, 1: 30, 2: 20, 3: 10, 4: 0}[made.count(True)]  # NN-32
        gain = list(tricks)  # NN-31
        both_failed = self.players == 2 and worth[:2] == [30, 30] and made[:2] == [False, False]
        for who in range(len(tricks)):
            if made[who]:
                gain[who] += bonus + worth[who]
                continue
            for other in range(len(tricks)):
                if other != who and not (both_failed and other != 2):  # NN-33, NN-39
                    gain[other] += worth[who]
        self.last = {"bids": bids, "tricks": tricks, "made": made, "gain": gain}
        self.points = gain[: self.players]
        for seat in range(self.players):
            self.scores[seat] += gain[seat]
            self.game_points[seat] += gain[seat]
        if self.options["match"] == "games":
            over = self.finish_game(made)
        elif self.options["match"] == "rounds":
            over = self.deals == self.options["rounds"]  # NN-53
        else:
            best = max(self.scores)
            over = best >= self.options["target"] and self.scores.count(best) == 1  # NN-41, NN-42
        if over or self.deals == MOST_ROUNDS:  # NN-43
            self.winners = self.find_winners()
            self.phase = "done"
            return
        self.phase = "deal"
        self.dealer = (self.dealer + 1) % self.players  # NN-7
        if self.first_of_game:
            self.game_no += 1
            self.game_points = [0] * self.players  # NN-46

    def finish_game(self, made: list[bool]) -> bool:
        """Option match=games: ends the game if it is over, and tells whether the match is."""
        if max(self.game_points) < GAME:
            return False
        for seat in range(self.players):
            if self.game_points[seat] >= GAME and made[seat]:  # NN-45
                self.bonuses[seat] += 1
                self.scores[seat] += GAME
        self.first_of_game = True
        return bool(max(self.bonuses) >= self.options["bonuses"])  # NN-47

    def find_winners(self) -> list[int]:
        """The highest total; with games more bonuses part those who are level (NN-47)."""
        best = max(self.scores)
        level = [seat for seat in range(self.players) if self.scores[seat] == best]
        if self.options["match"] == "games":
            most = max(self.bonuses[seat] for seat in level)
            level = [seat for seat in level if self.bonuses[seat] == most]
        return level
