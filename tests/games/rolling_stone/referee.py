"""A slow, plain referee for Rolling Stone, written from the rule page alone."""

from typing import Any

from referee_base import RANKS, Refused, pack, read_card, read_event, same_cards

PACK_RANKS = {4: "AKQJT987", 5: "AKQJT98765", 6: "AKQJT9876543"}  # RS-2
PIPS = {"A": 1, "K": 10, "Q": 10, "J": 10, "T": 10}  # option score=pips; the others count their number

NUMBER_OPTIONS = {"deals": range(1, 21), "limit": range(10, 1001)}
MOST_TRICKS = {4: 100, 5: 200, 6: 200}  # RS-18
TEXT_OPTIONS = {
    "score": ["win", "cards", "pips"],
    "finish": ["at_once", "trick"],
    "next_dealer": ["left", "winner"],
}


def is_whole(value: object) -> bool:
    """A whole number; True and False are none."""
    return isinstance(value, int) and not isinstance(value, bool)


def read_options(options: dict[str, object], players: int) -> dict[str, object]:
    """The defaults with the record's options laid over them; refuses what the page does not list (RS-34)."""
    chosen: dict[str, object] = {"deals": 1, "limit": MOST_TRICKS[players]}
    for name, values in TEXT_OPTIONS.items():
        chosen[name] = values[0]
    if not isinstance(options, dict):
        raise Refused("RS-34", "the options are not an object")
    for name, value in options.items():
        if name not in chosen:
            raise Refused("RS-34", f"there is no option {name!r}")
        if name in NUMBER_OPTIONS:
            good = is_whole(value) and value in NUMBER_OPTIONS[name]
        else:
            good = isinstance(value, str) and value in TEXT_OPTIONS[name]
        if not good:
            raise Refused("RS-34", f"option {name} cannot be {value!r}")
        chosen[name] = value
    return chosen


def pips(card: str) -> int:
    return PIPS[card[0]] if card[0] in PIPS else int(card[0])


class Referee:
    def __init__(self, players: int, dealer: int, options: dict[str, object]) -> None:
        if not is_whole(players) or players not in (4, 5, 6):
            raise Refused("RS-1", "four to six players")
        if not is_whole(dealer) or dealer not in range(players):
            raise Refused("RS-5", "the dealer is one of the seats")
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
        self.discards: list[str] = []
        self.leader: int | None = None
        self.last_winner: int | None = None
        self.trick: list[tuple[int, str]] = []
        self.tricks = [0] * self.players
        self.taken = [0] * self.players
        self.points = [0] * self.players

    def whole_pack(self) -> list[str]:
        return pack(PACK_RANKS[self.players])

    def played(self) -> int:
        """The tricks of this deal that are over."""
        return sum(self.tricks) + sum(self.taken)

    # --- what the outside asks ---

    def event(self, text: str) -> None:
        """Checks in the order of RS-35."""
        if self.phase == "done":
            raise Refused("RS-28", "the match is over")
        kind, seat, words = read_event(text)
        if kind == "none":
            raise Refused("RS-32", "neither chance nor a seat and a move")
        if (kind == "deal") != (self.phase == "deal") or kind in ("reshuffle", "draw"):
            raise Refused("RS-29", "a deal when it is awaited, and only then")
        if kind == "deal":
            self.start_deal(words)
            return
        if seat not in self.to_act():
            raise Refused("RS-31", f"seat {seat} is not to act")
        if words == ["take"]:
            self.take(seat)
        else:
            self.play(seat, words)

    def report(self) -> dict[str, Any]:
        to_act = self.to_act()
        last = None
        if self.last is not None:
            last = {name: list(value) if isinstance(value, list) else value for name, value in self.last.items()}
        return {
            "game": "rolling-stone",
            "players": self.players,
            "done": self.phase == "done",
            "phase": self.phase,
            "dealer": self.dealer,
            "deal": self.deals,
            "to_act": to_act,
            "awaiting": "deal" if self.phase == "deal" else None,
            "legal": {str(seat): self.legal(seat) for seat in to_act},
            "hands": [list(hand) for hand in self.hands],
            "trump": None,
            "upcard": None,
            "trick": [[seat, card] for seat, card in self.trick],
            "leader": self.leader if self.phase != "done" or self.trick else self.last_winner,
            "tricks": list(self.tricks),
            "points": list(self.points),
            "scores": list(self.scores),
            "winners": list(self.winners),
            "last": last,
            "stock": None,
            "taken": list(self.taken),
            "played": self.played(),
            "discard": len(self.discards),
        }

    # --- who may do what ---

    def to_act(self) -> list[int]:
        if self.phase != "play":
            return []
        assert self.leader is not None
        return [(self.leader + len(self.trick)) % self.players]

    def following(self, seat: int) -> list[str]:
        """The cards of the suit led, when one has been led."""
        return [card for card in self.hands[seat] if card[1] == self.trick[0][1][1]]

    def legal(self, seat: int) -> list[str]:
        if not self.trick:
            return list(self.hands[seat])  # RS-7, RS-10, RS-12
        return self.following(seat) or ["take"]  # RS-8, RS-11

    # --- events ---

    def start_deal(self, words: list[str]) -> None:
        cards = [read_card(word) or "" for word in words]
        if not same_cards(cards, self.whole_pack()):
            raise Refused("RS-30", "a deal lists the whole pack, each card once")
        self.clear_deal()
        for number, card in enumerate(cards):
            self.hands[(self.dealer + 1 + number) % self.players].append(card)  # RS-6
        self.leader = (self.dealer + 1) % self.players  # RS-7
        self.deals += 1
        self.phase = "play"

    def take(self, seat: int) -> None:
        if not self.trick or self.following(seat):
            raise Refused("RS-13", "only a player who cannot follow takes up the cards")
        self.hands[seat] += [card for _, card in self.trick]  # RS-11, RS-15
        self.trick = []
        self.taken[seat] += 1
        self.leader = seat  # RS-12
        self.after_trick()

    def play(self, seat: int, words: list[str]) -> None:
        card = read_card(words[0])
        if len(words) != 1 or card not in self.whole_pack():
            raise Refused("RS-32", "a move is take or a card of the pack")
        if card not in self.hands[seat]:
            raise Refused("RS-33", f"{card} is not in that hand")
        if self.trick and card[1] != self.trick[0][1][1]:
            raise Refused("RS-8" if self.following(seat) else "RS-11", "another suit was led")
        self.hands[seat].remove(card)
        self.trick.append((seat, card))
        if not self.hands[seat] and self.options["finish"] == "at_once":
            self.finish_deal([seat], False)  # RS-16
        elif len(self.trick) == self.players:
            self.complete_trick()

    def complete_trick(self) -> None:
        winner, _ = min(self.trick, key=lambda played: RANKS.index(played[1][0]))  # RS-10; all are of one suit
        self.discards += [card for _, card in self.trick]  # RS-9
        self.trick = []
        self.tricks[winner] += 1
        self.leader = self.last_winner = winner
        self.after_trick()

    def after_trick(self) -> None:
        empty = [seat for seat in range(self.players) if not self.hands[seat]]
        if empty:
            self.finish_deal(empty, False)  # option finish=trick
        elif self.played() == self.options["limit"]:  # RS-18
            fewest = min(len(hand) for hand in self.hands)
            self.finish_deal([seat for seat in range(self.players) if len(self.hands[seat]) == fewest], True)  # RS-19

    # --- the end of a deal ---

    def points_each(self, deal_winners: list[int]) -> int:
        """What each winner of the deal scores (RS-20)."""
        if self.options["score"] == "win":
            return 1
        left = [card for seat in range(self.players) if seat not in deal_winners for card in self.hands[seat]]
        if self.options["score"] == "cards":
            return len(left)
        return sum(pips(card) for card in left)

    def finish_deal(self, deal_winners: list[int], by_limit: bool) -> None:
        each = self.points_each(deal_winners)
        for seat in deal_winners:
            self.points[seat] = each
            self.scores[seat] += each
        self.last = {
            "deal": self.deals,
            "winners": list(deal_winners),
            "limit": by_limit,
            "left": [len(hand) for hand in self.hands],
            "points": list(self.points),
        }
        if self.deals == self.options["deals"]:
            best = max(self.scores)
            self.winners = [seat for seat in range(self.players) if self.scores[seat] == best]  # RS-23
            self.phase = "done"
            return
        if self.options["next_dealer"] == "winner" and len(deal_winners) == 1:
            self.dealer = deal_winners[0]
        else:
            self.dealer = (self.dealer + 1) % self.players  # RS-22
        self.clear_deal()
        self.phase = "deal"
