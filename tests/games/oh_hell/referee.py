"""A slow, plain referee for Oh Hell with bids on the fingers, written from the rule page alone."""

from typing import Any

from referee_base import RANKS, Refused, pack, read_card, read_event, read_number, same_cards

TEXT_OPTIONS = {
    "order": ["up_down", "down_up", "up", "down"],
    "bidding": ["fingers", "turns", "hook"],
    "first_lead": ["bidder", "left"],
    "tie_lead": ["left", "dealer"],
    "double": ["on", "off"],
    "miss": ["nothing", "difference", "tricks"],
    "no_trump": ["never", "largest", "fifth"],
}


def is_whole(value: object) -> bool:
    """A whole number; True and False are none."""
    return isinstance(value, int) and not isinstance(value, bool)


def largest_size(players: int) -> int:
    """OH-3, OH-4."""
    return {6: 8, 7: 7}.get(players, 10)


def read_options(options: dict[str, object], players: int) -> dict[str, object]:
    """The defaults with the record's options laid over them; refuses what the page does not list (OH-43)."""
    chosen: dict[str, object] = {"max_cards": largest_size(players)}
    for name, values in TEXT_OPTIONS.items():
        chosen[name] = values[0]
    if not isinstance(options, dict):
        raise Refused("OH-43", "the options are not an object")
    for name, value in options.items():
        if name not in chosen:
            raise Refused("OH-43", f"there is no option {name!r}")
        if name == "max_cards":
            good = is_whole(value) and value in range(1, largest_size(players) + 1)
        else:
            good = isinstance(value, str) and value in TEXT_OPTIONS[name]
        if not good:
            raise Refused("OH-43", f"option {name} cannot be {value!r}")
        chosen[name] = value
    return chosen


class Referee:
    def __init__(self, players: int, dealer: int, options: dict[str, object]) -> None:
        if not is_whole(players) or players not in (3, 4, 5, 6, 7):
            raise Refused("OH-1", "three to seven players")
        if not is_whole(dealer) or dealer not in range(players):
            raise Refused("OH-6", "the dealer is one of the seats")
        self.players = players
        self.options = read_options(options, players)

        # The match.
        most = self.options["max_cards"]
        assert isinstance(most, int)
        up = list(range(1, most + 1))
        down = list(range(most, 0, -1))
        orders = {"up_down": up + down, "down_up": down + up, "up": up, "down": down}
        self.sizes = orders[str(self.options["order"])]  # OH-3
        self.phase = "deal"
        self.dealer = dealer
        self.deals = 0
        self.scores = [0] * players
        self.winners: list[int] = []
        self.last: dict[str, object] | None = None

        self.size = self.sizes[0]
        self.clear_deal()

    def clear_deal(self) -> None:
        self.hands: list[list[str]] = [[] for _ in range(self.players)]
        self.bids: list[int | None] = [None] * self.players
        self.tricks = [0] * self.players
        self.points = [0] * self.players
        self.trump: str | None = None
        self.upcard: str | None = None
        self.leader: int | None = None
        self.trick: list[tuple[int, str]] = []

    # --- what the outside asks ---

    def event(self, text: str) -> None:
        """Checks in the order of OH-44."""
        if self.phase == "done":
            raise Refused("OH-37", "the match is over")
        kind, seat, words = read_event(text)
        if kind == "none":
            raise Refused("OH-41", "neither chance nor a seat and a move")
        if (kind == "deal") != (self.phase == "deal") or kind in ("reshuffle", "draw"):
            raise Refused("OH-38", "a deal when it is awaited, and only then")
        if kind == "deal":
            self.start_deal(words)
        elif self.phase == "bid":
            self.bid(seat, words)
        else:
            self.play(seat, words)

    def report(self) -> dict[str, Any]:
        to_act = self.to_act()
        return {
            "game": "oh-hell",
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
            "trick": [[seat, card] for seat, card in self.trick],
            "leader": self.leader,
            "tricks": list(self.tricks),
            "points": list(self.points),
            "scores": list(self.scores),
            "winners": list(self.winners),
            "last": self.copy_of_last(),
            "stock": None,
            "cards": self.size,
            "deals_in_match": len(self.sizes),
            "bids": list(self.bids),
        }

    def copy_of_last(self) -> dict[str, object] | None:
        if self.last is None:
            return None
        return {name: list(value) if isinstance(value, list) else value for name, value in self.last.items()}

    # --- who may do what ---

    def seats_from_left(self) -> list[int]:
        """All seats clockwise from the dealer's left, the dealer last."""
        return [(self.dealer + 1 + step) % self.players for step in range(self.players)]

    def to_act(self) -> list[int]:
        if self.phase == "bid":
            waiting = [seat for seat in self.seats_from_left() if self.bids[seat] is None]
            return waiting if self.options["bidding"] == "fingers" else waiting[:1]  # OH-11
        if self.phase == "play" and self.leader is not None:
            return [(self.leader + len(self.trick)) % self.players]  # OH-20
        return []

    def legal(self, seat: int) -> list[str]:
        if self.phase == "bid":
            return [f"bid {number}" for number in range(self.size + 1) if number != self.forbidden_bid(seat)]  # OH-12
        return self.playable(seat)

    def forbidden_bid(self, seat: int) -> int | None:
        """With option bidding=hook: the bid with which the dealer would make the sum equal the size."""
        if self.options["bidding"] != "hook" or seat != self.dealer:
            return None
        return self.size - sum(number for number in self.bids if number is not None)

    def playable(self, seat: int) -> list[str]:
        hand = self.hands[seat]
        if self.trick:
            same_suit = [card for card in hand if card[1] == self.trick[0][1][1]]
            if same_suit:
                return same_suit  # OH-20
        return list(hand)  # OH-19, OH-21

    # --- events ---

    def start_deal(self, words: list[str]) -> None:
        cards = [read_card(word) or "" for word in words]
        if not same_cards(cards, pack()):
            raise Refused("OH-39", "a deal lists all 52 cards, each once")
        self.clear_deal()
        for number in range(self.size * self.players):
            self.hands[(self.dealer + 1 + number) % self.players].append(cards[number])  # OH-8
        self.upcard = cards[self.size * self.players]  # OH-9
        self.deals += 1
        self.trump = None if self.is_without_trumps() else self.upcard[1]
        self.phase = "bid"

    def is_without_trumps(self) -> bool:
        """OH-46."""
        if self.options["no_trump"] == "largest":
            return self.size == max(self.sizes)
        return self.options["no_trump"] == "fifth" and self.deals in range(5, 100, 5)

    def bid(self, seat: int, words: list[str]) -> None:
        if seat < self.players and self.bids[seat] is not None:
            raise Refused("OH-14", "that seat has bid already")
        if seat not in self.to_act():
            raise Refused("OH-40", f"seat {seat} is not to act")
        number = read_number(words[1]) if len(words) == 2 and words[0] == "bid" else None
        if number is None:
            raise Refused("OH-41", "a bid is 'bid' and a whole number")
        if number > self.size or number == self.forbidden_bid(seat):
            raise Refused("OH-12", f"{number} cannot be bid")
        self.bids[seat] = number
        if None not in self.bids:
            self.phase = "play"  # OH-16
            self.leader = self.first_leader()

    def first_leader(self) -> int:
        """OH-17, OH-18."""
        order = self.seats_from_left()
        if self.options["first_lead"] == "left":
            return order[0]
        if self.options["tie_lead"] == "dealer":
            order = [self.dealer] + order[:-1]
        highest = max(number for number in self.bids if number is not None)
        return next(seat for seat in order if self.bids[seat] == highest)

    def play(self, seat: int, words: list[str]) -> None:
        if seat not in self.to_act():
            raise Refused("OH-40", f"seat {seat} is not to act")
        card = read_card(words[0])
        if len(words) != 1 or card is None:
            raise Refused("OH-41", "a move in the play is a card")
        if card not in self.hands[seat]:
            raise Refused("OH-42", f"{card} is not in that hand")
        if card not in self.playable(seat):
            raise Refused("OH-20", "the suit led must be followed")
        self.hands[seat].remove(card)
        self.trick.append((seat, card))
        if len(self.trick) == self.players:
            self.finish_trick()

    def finish_trick(self) -> None:
        """OH-22, OH-23."""
        trumps = [card for _, card in self.trick if card[1] == self.trump]
        led = [card for _, card in self.trick if card[1] == self.trick[0][1][1]]
        best = min(trumps or led, key=lambda card: RANKS.index(card[0]))
        winner = next(seat for seat, card in self.trick if card == best)
        self.tricks[winner] += 1
        self.trick = []
        self.leader = winner
        if not self.hands[winner]:
            self.finish_deal()

    # --- the end of a deal ---

    def points_for(self, bid: int, tricks: int) -> int:
        if bid != tricks:
            missed = {"nothing": 0, "difference": -abs(bid - tricks), "tricks": tricks}  # OH-25, OH-45
            return missed[str(self.options["miss"])]
        if self.options["double"] == "on" and 2 * bid >= self.size:
            return 20 + 2 * bid  # OH-26, OH-28
        return 10 + bid  # OH-24

    def finish_deal(self) -> None:
        bids = [number or 0 for number in self.bids]
        self.points = [self.points_for(bids[seat], self.tricks[seat]) for seat in range(self.players)]
        self.scores = [self.scores[seat] + self.points[seat] for seat in range(self.players)]  # OH-29
        self.last = {"deal": self.deals, "bids": bids, "tricks": list(self.tricks), "points": list(self.points)}
        if self.deals == len(self.sizes):
            best = max(self.scores)
            self.winners = [seat for seat in range(self.players) if self.scores[seat] == best]  # OH-30
            self.phase = "done"
            return
        self.dealer = (self.dealer + 1) % self.players  # OH-7
        self.size = self.sizes[self.deals]
        self.clear_deal()
        self.phase = "deal"
