"""A slow, plain referee for Roundup!, written from the rule page alone."""

from typing import Any

from referee_base import (
    RANKS,
    SUITS,
    Refused,
    pack,
    read_card,
    read_event,
    read_number,
    read_rank,
    read_suit,
    same_cards,
)

NUMBERS = "A23456789T"  # RU-2, in the order in which a stack is built (RU-19)
FACES = "JQK"
FACE_WORDS = {"jack": "J", "queen": "Q", "king": "K"}
LEFT_OUT = {3: ["Kc"], 5: ["Kd", "Kc"], 6: ["Ks", "Kh", "Kd", "Kc"]}  # option even_deal
SUIT_POINTS = {1: 3, 2: 2, 3: 1}  # RU-44, by how many bid the suit
MOST_ROUNDS = 60  # RU-48

NUMBER_OPTIONS = {"target": [10, 5, 15, 20], "out_point": [1, 0, 2]}
TEXT_OPTIONS = {
    "goal": ["last", "first"],
    "chain": ["free", "single"],
    "first_player": ["lowest", "left"],
    "even_deal": ["off", "on"],
}


def is_whole(value: object) -> bool:
    """A whole number; True and False are none."""
    return isinstance(value, int) and not isinstance(value, bool)


def read_options(options: dict[str, object]) -> dict[str, Any]:
    """The defaults with the record's options laid over them; refuses what the page does not list (RU-54)."""
    chosen: dict[str, Any] = {}
    for name, numbers in NUMBER_OPTIONS.items():
        chosen[name] = numbers[0]
    for name, values in TEXT_OPTIONS.items():
        chosen[name] = values[0]
    if not isinstance(options, dict):
        raise Refused("RU-54", "the options are not an object")
    for name, value in options.items():
        if name not in chosen:
            raise Refused("RU-54", f"there is no option {name!r}")
        if name in NUMBER_OPTIONS:
            good = is_whole(value) and value in NUMBER_OPTIONS[name]
        else:
            good = isinstance(value, str) and value in TEXT_OPTIONS[name]
        if not good:
            raise Refused("RU-54", f"option {name} cannot be {value!r}")
        chosen[name] = value
    return chosen


def is_face(card: str) -> bool:
    return card[0] in FACES


def read_known(text: str) -> str | None:
    """One of the 52 cards; the joker is none of this game's cards."""
    card = read_card(text)
    return None if card == "*" else card


def sorted_cards(cards: list[str]) -> list[str]:
    return sorted(cards, key=lambda card: (SUITS.index(card[1]), RANKS.index(card[0])))


class Referee:
    def __init__(self, players: int, dealer: int, options: dict[str, object]) -> None:
        if not is_whole(players) or players not in (2, 3, 4, 5, 6):
            raise Refused("RU-1", "two to six players")
        if not is_whole(dealer) or dealer not in range(players):
            raise Refused("RU-3", "the dealer is one of the seats")
        self.players = players
        self.options = read_options(options)

        # The match.
        self.phase = "deal"
        self.dealer = dealer
        self.deals = 0
        self.scores = [0] * players
        self.winners: list[int] = []
        self.last: dict[str, Any] | None = None

        self.clear_round()

    def clear_round(self) -> None:
        self.hands: list[list[str]] = [[] for _ in range(self.players)]  # face down
        self.face_up: list[list[str]] = [[] for _ in range(self.players)]
        self.bids: list[str | None] = [None] * self.players
        self.tied: list[int] = []
        self.shows: dict[int, str] = {}
        self.turn = 0
        self.stacks = dict.fromkeys(SUITS, 0)
        self.closed: list[str] = []
        self.discards: list[str] = []
        self.first_out: int | None = None
        self.attack: dict[str, Any] | None = None
        self.points = [0] * self.players

    def whole_pack(self) -> list[str]:
        left_out = LEFT_OUT.get(self.players, []) if self.options["even_deal"] == "on" else []
        return [card for card in pack() if card not in left_out]

    def seats_from_left(self) -> list[int]:
        """All seats clockwise from the dealer's left, the dealer last."""
        return [(self.dealer + 1 + step) % self.players for step in range(self.players)]

    # --- what the outside asks ---

    def awaiting(self) -> str | None:
        return self.phase if self.phase in ("deal", "draw") else None

    def chance(self) -> list[str] | None:
        if self.phase == "deal":
            return self.whole_pack()  # RU-4
        if self.phase == "draw":
            assert self.attack is not None
            return list(self.hands[self.attack["target"]])  # RU-35
        return None

    def event(self, text: str) -> None:
        """Checks in the order of the page's table."""
        if self.phase == "done":
            raise Refused("RU-51", "the match is over")
        kind, seat, words = read_event(text)
        awaited = self.awaiting() or "move"
        if kind != awaited:
            raise Refused("RU-51", f"a {awaited} is due")
        if kind == "deal":
            self.start_round(words)
            return
        if kind == "draw":
            self.draw(words)
            return
        if not self.readable(words):
            raise Refused("RU-51", "no move of this phase")
        if seat not in self.to_act():
            raise Refused("RU-52", f"seat {seat} is not to act")
        if self.phase == "bid":
            self.bid(seat, words)
        elif self.phase == "tie":
            self.show(seat, words)
        elif self.phase == "give":
            self.give(seat, words)
        else:
            self.take_turn(seat, words)

    def report(self) -> dict[str, Any]:
        to_act = self.to_act()
        last = None
        if self.last is not None:
            last = {name: list(value) if isinstance(value, list) else value for name, value in self.last.items()}
        return {
            "game": "roundup",
            "players": self.players,
            "done": self.phase == "done",
            "phase": self.phase,
            "dealer": self.dealer,
            "deal": self.deals,
            "to_act": to_act,
            "awaiting": self.awaiting(),
            "legal": {str(seat): self.legal(seat) for seat in to_act},
            "hands": [list(hand) for hand in self.hands],
            "trump": None,
            "upcard": None,
            "trick": [],
            "leader": None,
            "tricks": [0] * self.players,
            "points": list(self.points),
            "scores": list(self.scores),
            "winners": list(self.winners),
            "last": last,
            "stock": None,
            "face_up": [sorted_cards(cards) for cards in self.face_up],
            "bids": list(self.bids),
            "stacks": [self.stacks[suit] for suit in SUITS],
            "closed": list(self.closed),
            "discards": list(self.discards),
            "first_out": self.first_out,
            "attack": None if self.attack is None else dict(self.attack),
        }

    # --- who may do what ---

    def numbers_down(self, seat: int) -> list[str]:
        return [card for card in self.hands[seat] if not is_face(card)]

    def faces_down(self, seat: int) -> list[str]:
        return [card for card in self.hands[seat] if is_face(card)]

    def fits(self, card: str) -> bool:
        """RU-20."""
        return not is_face(card) and NUMBERS.index(card[0]) == self.stacks[card[1]]

    def fitting_up(self, seat: int) -> list[str]:
        return [card for card in self.face_up[seat] if self.fits(card)]

    def to_act(self) -> list[int]:
        if self.phase == "bid":
            return [seat for seat in range(self.players) if self.bids[seat] is None and self.numbers_down(seat)]  # RU-9
        if self.phase == "tie":
            return [seat for seat in self.tied if seat not in self.shows]
        if self.phase in ("play", "more"):
            return [self.turn]
        if self.phase == "give":
            assert self.attack is not None
            return [self.attack["target"]]
        return []

    def legal(self, seat: int) -> list[str]:
        if self.phase == "bid":
            return [f"bid {card}" for card in self.numbers_down(seat)]  # RU-8
        if self.phase == "tie":
            return [f"show {card}" for card in self.numbers_down(seat)]  # RU-13, RU-15
        if self.phase == "give":
            return [f"give {card}" for card in self.matching(seat)]
        up = self.fitting_up(seat)
        if self.phase == "more":
            return [*up, "stop"]  # RU-24
        if up:
            return up  # RU-22
        down = [card for card in self.hands[seat] if self.fits(card)]  # RU-25
        return down + self.attacks(seat) + self.passes(seat)

    def attacks(self, seat: int) -> list[str]:
        """RU-31, RU-32."""
        moves = []
        for card in self.faces_down(seat):
            for target in range(self.players):
                if target == seat:
                    continue
                if card[0] == "J":
                    moves.append(f"jack {card} {target}")
                elif card[0] == "Q":
                    moves += [f"queen {card} {target} {suit}" for suit in SUITS]
                else:
                    moves += [f"king {card} {target} {number}" for number in NUMBERS]
        return moves

    def passes(self, seat: int) -> list[str]:
        """RU-27 to RU-30."""
        price = self.numbers_down(seat) or self.faces_down(seat)
        return [f"pass {card}" for card in price] or ["pass"]

    def matching(self, seat: int) -> list[str]:
        """The target's face-down cards that a Queen or King named (RU-36, RU-37)."""
        assert self.attack is not None
        place = 1 if self.attack["card"][0] == "Q" else 0
        return [card for card in self.hands[seat] if card[place] == self.attack["name"]]

    # --- reading ---

    def readable(self, words: list[str]) -> bool:
        """Is this a move that this phase knows (RU-51)?"""
        word = words[0]
        if self.phase in ("bid", "tie", "give"):
            expected = {"bid": "bid", "tie": "show", "give": "give"}[self.phase]
            return word == expected and len(words) == 2 and read_known(words[1]) is not None
        if word == "stop":
            return len(words) == 1
        if word == "pass":
            return len(words) == 1 or (len(words) == 2 and read_known(words[1]) is not None)
        if word in FACE_WORDS:
            return self.readable_attack(words)
        return len(words) == 1 and read_known(word) is not None

    def readable_attack(self, words: list[str]) -> bool:
        if len(words) != (3 if words[0] == "jack" else 4):
            return False
        card = read_known(words[1])
        target = read_number(words[2])
        if card is None or card[0] != FACE_WORDS[words[0]] or target not in range(self.players):
            return False
        if words[0] == "queen":
            return read_suit(words[3]) is not None
        return words[0] == "jack" or read_rank(words[3]) in [*NUMBERS]

    # --- the beginning of a round ---

    def start_round(self, words: list[str]) -> None:
        cards = [read_known(word) or "" for word in words]
        if "" in cards:
            raise Refused("RU-51", "unknown cards")
        if not same_cards(cards, self.whole_pack()):
            raise Refused("RU-4", "a deal lists the whole pack, each card once")
        self.clear_round()
        for number, card in enumerate(cards):
            self.hands[(self.dealer + 1 + number) % self.players].append(card)  # RU-4
        self.deals += 1
        self.phase = "bid"

    def face_down_card(self, seat: int, words: list[str]) -> str:
        """The card of a bid, a show or a gift."""
        card = read_known(words[1])
        if card is None or card not in self.hands[seat]:
            raise Refused("RU-53", "that card is not face down in that hand")
        return card

    def lay_open(self, seat: int, card: str) -> None:
        self.hands[seat].remove(card)
        self.face_up[seat].append(card)

    def bid(self, seat: int, words: list[str]) -> None:
        card = self.face_down_card(seat, words)
        if is_face(card):
            raise Refused("RU-8", "a bid is a number card")
        self.bids[seat] = card
        if self.to_act():
            return
        shown: dict[int, str] = {}
        for bidder, bid in enumerate(self.bids):
            if bid is not None:
                self.lay_open(bidder, bid)  # RU-10
                shown[bidder] = bid
        if self.options["first_player"] == "left":
            self.begin(self.seats_from_left()[0])
        else:
            self.find_beginner(shown)

    def find_beginner(self, shown: dict[int, str]) -> None:
        """RU-12 to RU-16, from the cards shown last."""
        lowest = min(NUMBERS.index(card[0]) for card in shown.values())
        self.tied = [seat for seat in sorted(shown) if NUMBERS.index(shown[seat][0]) == lowest]  # RU-14
        self.shows = {}
        if len(self.tied) == 1:
            self.begin(self.tied[0])
        elif any(not self.numbers_down(seat) for seat in self.tied):
            self.begin(next(seat for seat in self.seats_from_left() if seat in self.tied))  # RU-16
        else:
            self.phase = "tie"

    def show(self, seat: int, words: list[str]) -> None:
        card = self.face_down_card(seat, words)
        if is_face(card):
            raise Refused("RU-15", "a number card must be shown")
        self.shows[seat] = card
        if self.to_act():
            return
        for shower in self.tied:
            self.lay_open(shower, self.shows[shower])
        self.find_beginner(self.shows)

    def begin(self, seat: int) -> None:
        self.tied = []
        self.shows = {}
        self.turn = seat
        self.phase = "play"

    # --- turns ---

    def take_turn(self, seat: int, words: list[str]) -> None:
        """A move in play or more."""
        self.check_turn(seat, words)
        word = words[0]
        if word == "stop":
            self.next_turn()
        elif word == "pass":
            self.pass_turn(seat, words)
        elif word in FACE_WORDS:
            self.start_attack(seat, words)
        else:
            card = read_known(word)
            assert card is not None
            self.play(seat, card)

    def check_turn(self, seat: int, words: list[str]) -> None:
        """The rows of the page's table from RU-53 down."""
        word = words[0]
        plain = word not in ("stop", "pass") and word not in FACE_WORDS
        card = read_known(word) if plain else (read_known(words[1]) if len(words) > 1 else None)
        if card is not None and card not in self.hands[seat] and card not in self.face_up[seat]:
            raise Refused("RU-53", f"{card} is not in either hand")
        from_up = plain and card in self.face_up[seat]
        if self.phase == "more":
            if from_up and card not in self.fitting_up(seat):
                raise Refused("RU-20", f"{card} does not fit")
            if not from_up and word != "stop":
                raise Refused("RU-24", "a face-up card that fits, or stop")
            return
        if word == "stop":
            raise Refused("RU-24", "nothing has been played in this turn")
        if self.fitting_up(seat) and not from_up:
            raise Refused("RU-22", "a face-up card fits")
        if plain:
            assert card is not None
            if is_face(card):
                raise Refused("RU-31", "a face card is never put on a stack")
            if not self.fits(card):
                raise Refused("RU-20", f"{card} does not fit")
        elif word in FACE_WORDS:
            if read_number(words[2]) == seat:
                raise Refused("RU-32", "another player must be named")
        elif " ".join(words) not in self.passes(seat) and f"pass {card}" not in self.passes(seat):
            if self.numbers_down(seat):
                raise Refused("RU-28", "a pass costs a face-down number card")
            raise Refused("RU-29" if self.hands[seat] else "RU-30", "a wrong price for the pass")

    def play(self, seat: int, card: str) -> None:
        from_up = card in self.face_up[seat]
        (self.face_up if from_up else self.hands)[seat].remove(card)
        self.stacks[card[1]] += 1
        if self.stacks[card[1]] == len(NUMBERS):
            self.closed.append(card[1])
        self.note_empty(seat)
        if len(self.closed) == len(SUITS):
            self.finish_round()  # RU-43
        elif from_up and self.options["chain"] == "free" and self.fitting_up(seat):
            self.phase = "more"  # RU-24
        else:
            self.next_turn()

    def pass_turn(self, seat: int, words: list[str]) -> None:
        if len(words) == 2:
            card = read_known(words[1])
            assert card is not None
            self.lose(seat, card)  # RU-28, RU-29
        self.next_turn()

    def lose(self, seat: int, card: str) -> None:
        """A face-down card is laid open or, if it is a face card, discarded."""
        if is_face(card):
            self.hands[seat].remove(card)
            self.discards.append(card)
        else:
            self.lay_open(seat, card)
        self.note_empty(seat)

    def note_empty(self, seat: int) -> None:
        """RU-41, RU-45."""
        if self.first_out is None and not self.hands[seat] and not self.face_up[seat]:
            self.first_out = seat
            self.points[seat] += self.options["out_point"]

    def next_turn(self) -> None:
        """RU-17, RU-18; after an attack self.turn is still the attacker (RU-39)."""
        self.attack = None
        self.phase = "play"
        while True:
            self.turn = (self.turn + 1) % self.players
            if self.hands[self.turn] or self.face_up[self.turn]:
                return

    # --- face cards ---

    def start_attack(self, seat: int, words: list[str]) -> None:
        card = read_known(words[1])
        target = read_number(words[2])
        assert card is not None
        assert target is not None
        self.lose(seat, card)  # RU-33, RU-42
        name = None
        if len(words) == 4:
            name = read_suit(words[3]) if words[0] == "queen" else read_rank(words[3])
        self.attack = {"seat": seat, "card": card, "target": target, "name": name}
        if card[0] == "J" and self.hands[target]:
            self.phase = "draw"
        elif card[0] != "J" and self.matching(target):
            self.phase = "give"
        else:
            self.next_turn()  # RU-34, RU-38

    def draw(self, words: list[str]) -> None:
        card = read_known(words[0]) if len(words) == 1 else None
        if card is None:
            raise Refused("RU-51", "a draw names one card")
        assert self.attack is not None
        target = self.attack["target"]
        if card not in self.hands[target]:
            raise Refused("RU-35", f"{card} is not face down in the target's hand")
        self.lose(target, card)
        self.next_turn()

    def give(self, seat: int, words: list[str]) -> None:
        assert self.attack is not None
        card = self.face_down_card(seat, words)
        if card not in self.matching(seat):
            raise Refused("RU-36" if self.attack["card"][0] == "Q" else "RU-37", f"{card} was not named")
        self.lose(seat, card)
        self.next_turn()

    # --- the end of a round ---

    def finish_round(self) -> None:
        suit = self.closed[0] if self.options["goal"] == "first" else self.closed[-1]
        bidders = [seat for seat, bid in enumerate(self.bids) if bid is not None and bid[1] == suit]
        for seat in bidders:
            self.points[seat] += SUIT_POINTS.get(len(bidders), 0)  # RU-44
        self.scores = [self.scores[seat] + self.points[seat] for seat in range(self.players)]
        self.last = {
            "points": list(self.points),
            "closed": list(self.closed),
            "bids": list(self.bids),
            "first_out": self.first_out,
        }
        best = max(self.scores)
        leaders = [seat for seat in range(self.players) if self.scores[seat] == best]
        if (best >= self.options["target"] and len(leaders) == 1) or self.deals == MOST_ROUNDS:  # RU-47, RU-48
            self.winners = leaders
            self.phase = "done"
            return
        self.dealer = (self.dealer + 1) % self.players  # RU-3
        self.clear_round()
        self.phase = "deal"
