"""A slow, plain referee for Linger Longer, written from the rule page alone."""

from typing import Any

from referee_base import RANKS, Refused, pack, read_card, read_event, same_cards

TEXT_OPTIONS = {
    "trump": ["dealer", "turned", "none"],
    "next_dealer": ["left", "winner"],
    "score": ["cards", "one"],
}


def is_whole(value: object) -> bool:
    """A whole number; True and False are none."""
    return isinstance(value, int) and not isinstance(value, bool)


def read_options(options: dict[str, object], players: int) -> dict[str, object]:
    """The defaults with the record's options laid over them; refuses what the page does not list (LL-37)."""
    chosen: dict[str, object] = {"deals": players, "cards": players}  # LL-24, LL-4
    ranges = {"deals": range(1, 21), "cards": range(2, 51 // players + 1)}
    for name, values in TEXT_OPTIONS.items():
        chosen[name] = values[0]
    if not isinstance(options, dict):
        raise Refused("LL-37", "the options are not an object")
    for name, value in options.items():
        if name not in chosen:
            raise Refused("LL-37", f"there is no option {name!r}")
        if name in ranges:
            good = is_whole(value) and value in ranges[name]
        else:
            good = isinstance(value, str) and value in TEXT_OPTIONS[name]
        if not good:
            raise Refused("LL-37", f"option {name} cannot be {value!r}")
        chosen[name] = value
    return chosen


class Referee:
    def __init__(self, players: int, dealer: int, options: dict[str, object]) -> None:
        if not is_whole(players) or players not in (3, 4, 5, 6):
            raise Refused("LL-1", "three to six players")
        if not is_whole(dealer) or dealer not in range(players):
            raise Refused("LL-3", "the dealer is one of the seats")
        self.players = players
        self.options = read_options(options, players)

        # The match.
        self.phase = "deal"
        self.dealer = dealer
        self.deals = 0
        self.scores = [0] * players
        self.winners: list[int] = []
        self.last: dict[str, Any] | None = None

        self.clear_deal()

    def clear_deal(self) -> None:
        self.hands: list[list[str]] = [[] for _ in range(self.players)]
        self.stock: list[str] = []
        self.discards: list[str] = []
        self.active: list[int] = []  # the seats that are in
        self.trump: str | None = None
        self.upcard: str | None = None
        self.leader: int | None = None
        self.trick: list[tuple[int, str]] = []
        self.tricks = [0] * self.players
        self.points = [0] * self.players

    # --- what the outside asks ---

    def event(self, text: str) -> None:
        """Checks in the order of LL-38."""
        if self.phase == "done":
            raise Refused("LL-31", "the match is over")
        kind, seat, words = read_event(text)
        if kind == "none":
            raise Refused("LL-35", "neither chance nor a seat and a move")
        if kind != ("move" if self.phase == "play" else self.phase):
            raise Refused("LL-32", "chance when it is awaited, and only then")
        if kind == "deal":
            self.start_deal(words)
        elif kind == "reshuffle":
            self.reshuffle(words)
        else:
            self.play(seat, words)

    def report(self) -> dict[str, Any]:
        to_act = self.to_act()
        last = None
        if self.last is not None:
            last = dict(self.last) | {"tricks": list(self.last["tricks"]), "points": list(self.last["points"])}
        return {
            "game": "linger-longer",
            "players": self.players,
            "done": self.phase == "done",
            "phase": self.phase,
            "dealer": self.dealer,
            "deal": self.deals,
            "to_act": to_act,
            "awaiting": self.phase if self.phase in ("deal", "reshuffle") else None,
            "legal": {str(seat): self.playable(seat) for seat in to_act},
            "hands": [list(hand) for hand in self.hands],
            "trump": self.trump,
            "upcard": self.upcard,
            "trick": [[seat, card] for seat, card in self.trick],
            "leader": self.leader,
            "tricks": list(self.tricks),
            "points": list(self.points),
            "scores": list(self.scores),
            "winners": list(self.winners),
            "last": last,
            "stock": len(self.stock),
            "discard": len(self.discards),
            "active": list(self.active),
        }

    # --- who may do what ---

    def still_to_play(self) -> list[int]:
        """The seats that are in and have not played to the trick, in turn from its leader (LL-9, LL-16)."""
        assert self.leader is not None
        played = [seat for seat, _ in self.trick]
        around = [(self.leader + step) % self.players for step in range(self.players)]
        return [seat for seat in around if seat in self.active and seat not in played]

    def to_act(self) -> list[int]:
        return self.still_to_play()[:1] if self.phase == "play" else []

    def playable(self, seat: int) -> list[str]:
        hand = self.hands[seat]
        if self.trick:
            same_suit = [card for card in hand if card[1] == self.trick[0][1][1]]
            if same_suit:
                return same_suit  # LL-9
        return list(hand)  # LL-8, LL-10

    # --- events ---

    def start_deal(self, words: list[str]) -> None:
        cards = [read_card(word) or "" for word in words]
        if not same_cards(cards, pack()):
            raise Refused("LL-33", "a deal lists all 52 cards, each once")
        each = self.options["cards"]
        assert isinstance(each, int)
        self.clear_deal()
        dealt = each * self.players
        for number in range(dealt):
            self.hands[(self.dealer + 1 + number) % self.players].append(cards[number])  # LL-5
        self.stock = cards[dealt:]  # LL-6
        if self.options["trump"] == "dealer":
            self.upcard = cards[dealt - 1]  # LL-7
        elif self.options["trump"] == "turned":
            self.upcard = self.stock.pop(0)
        self.trump = None if self.upcard is None else self.upcard[1]
        self.active = list(range(self.players))
        self.leader = (self.dealer + 1) % self.players  # LL-8
        self.deals += 1
        self.phase = "play"

    def play(self, seat: int, words: list[str]) -> None:
        if seat not in self.to_act():
            raise Refused("LL-34", f"seat {seat} is not to act")
        card = read_card(words[0])
        if len(words) != 1 or card is None:
            raise Refused("LL-35", "a move is one card")
        if card not in self.hands[seat]:
            raise Refused("LL-36", f"{card} is not in that hand")
        if card not in self.playable(seat):
            raise Refused("LL-9", "the suit led must be followed")
        self.hands[seat].remove(card)
        self.trick.append((seat, card))
        if not self.still_to_play():
            self.finish_trick()

    def finish_trick(self) -> None:
        """The steps (a) to (c) of LL-13."""
        trumps = [card for _, card in self.trick if card[1] == self.trump]
        led = [card for _, card in self.trick if card[1] == self.trick[0][1][1]]
        best = min(trumps or led, key=lambda card: RANKS.index(card[0]))  # LL-11
        winner = next(seat for seat, card in self.trick if card == best)
        self.tricks[winner] += 1
        self.discards += [card for _, card in self.trick]
        self.trick = []
        self.leader = winner  # LL-14; the seat that draws, also when the deal ends here
        if self.stock:
            self.draw()
        else:
            self.phase = "reshuffle"  # LL-20

    def reshuffle(self, words: list[str]) -> None:
        cards = [read_card(word) or "" for word in words]
        if not same_cards(cards, self.discards):
            raise Refused("LL-21", "a reshuffle lists the discard pile, each card once")
        self.stock = cards
        self.discards = []
        self.phase = "play"
        self.draw()

    def draw(self) -> None:
        """The steps (c) to (e) of LL-13."""
        winner = self.leader
        assert winner is not None
        self.hands[winner].append(self.stock.pop(0))  # LL-12
        self.active = [seat for seat in self.active if self.hands[seat]]  # LL-15
        if self.active == [winner]:
            self.finish_deal(winner)  # LL-17

    # --- the end of a deal ---

    def finish_deal(self, winner: int) -> None:
        self.points[winner] = 1 if self.options["score"] == "one" else len(self.hands[winner])  # LL-23
        self.scores[winner] += self.points[winner]
        self.last = {
            "deal": self.deals,
            "winner": winner,
            "tricks": list(self.tricks),
            "points": list(self.points),
        }
        if self.deals == self.options["deals"]:
            best = max(self.scores)
            self.winners = [seat for seat in range(self.players) if self.scores[seat] == best]  # LL-26
            self.phase = "done"
            return
        if self.options["next_dealer"] == "winner":
            self.dealer = winner
        else:
            self.dealer = (self.dealer + 1) % self.players  # LL-25
        self.clear_deal()
        self.phase = "deal"
