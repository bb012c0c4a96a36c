"""A slow, plain referee for Sixty-Six, written from the rule page alone."""

from typing import Any

from referee_base import Refused, pack, read_card, read_event, same_cards

RANKS = "ATKQJ9"  # SS-3, strongest first
VALUES = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0}  # SS-4

TEXT_OPTIONS = {
    "endplay": ["follow", "strict"],
    "last": ["always", "open"],
    "exchange": ["free", "trick"],
    "both": ["void", "declarer"],
    "carry": ["add", "one", "none"],
    "count": ["shown", "hidden"],
    "marriages": ["always", "stock"],
}
# The first clause that the option's row names.
OPTION_CLAUSES = {
    "target": "SS-43",
    "endplay": "SS-17",
    "last": "SS-5",
    "exchange": "SS-24",
    "both": "SS-34",
    "carry": "SS-37",
    "count": "SS-46",
    "marriages": "SS-49",
}


def is_whole(value: object) -> bool:
    """A whole number; True and False are none."""
    return isinstance(value, int) and not isinstance(value, bool)


def read_options(options: dict[str, object]) -> dict[str, object]:
    """The defaults with the record's options laid over them; refuses what the page does not list."""
    chosen: dict[str, object] = {"target": 7}
    for name, values in TEXT_OPTIONS.items():
        chosen[name] = values[0]
    if not isinstance(options, dict):
        raise Refused("SS-48", "the options are not an object")
    for name, value in options.items():
        if name not in chosen:
            raise Refused("SS-48", f"there is no option {name!r}")
        if name == "target":
            good = is_whole(value) and value in range(1, 22)
        else:
            good = isinstance(value, str) and value in TEXT_OPTIONS[name]
        if not good:
            raise Refused(OPTION_CLAUSES[name], f"option {name} cannot be {value!r}")
        chosen[name] = value
    return chosen


class Referee:
    def __init__(self, players: int, dealer: int, options: dict[str, object]) -> None:
        if not is_whole(players) or players != 2:
            raise Refused("SS-1", "two players")
        if not is_whole(dealer) or dealer not in (0, 1):
            raise Refused("SS-6", "the dealer is seat 0 or 1")
        self.options = read_options(options)

        # The match.
        self.phase = "deal"
        self.dealer = dealer
        self.deals = 0
        self.scores = [0, 0]
        self.carry = 0
        self.winners: list[int] = []
        self.last: dict[str, object] | None = None

        # The deal.
        self.hands: list[list[str]] = [[], []]
        self.stock: list[str] = []
        self.trump: str | None = None
        self.upcard: str | None = None
        self.closed: int | None = None
        self.other_had_trick_at_close = False
        self.tricks = [0, 0]
        self.points = [0, 0]
        self.pending = [0, 0]

        # The trick.
        self.leader: int | None = None
        self.trick: list[tuple[int, str]] = []
        self.shown: list[str] = []
        self.closed_for_this_lead = False

    # --- what the outside asks ---

    def event(self, text: str) -> None:
        if self.phase == "done":
            raise Refused("SS-48", "the match is over")
        kind, seat, words = read_event(text)
        if self.phase == "deal":
            if kind != "deal":
                raise Refused("SS-48", "a deal is awaited")
            self.start_deal(words)
            return
        if kind != "move":
            raise Refused("SS-48", "a move is awaited")
        if seat != self.to_act()[0]:
            raise Refused("SS-48", f"it is not the turn of seat {seat}")
        if words[0] == "meld" and len(words) == 3 and all(map(read_card, words[1:])):
            self.meld(seat, words[1:])
        elif words == ["exchange"]:
            self.exchange(seat)
        elif words == ["close"]:
            self.close(seat)
        elif words == ["declare"]:
            self.declare(seat)
        else:
            card = read_card(words[0])
            if len(words) != 1 or card is None:
                raise Refused("SS-48", f"{' '.join(words)!r} is not a move")
            self.play(seat, card)

    def report(self) -> dict[str, Any]:
        to_act = self.to_act()
        return {
            "game": "sixty-six",
            "players": 2,
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
            "last": None if self.last is None else dict(self.last),
            "stock": len(self.stock),
            "pending": list(self.pending),
            "closed": self.closed,
            "shown": list(self.shown),
            "carry": self.carry,
        }

    # --- who may do what ---

    def to_act(self) -> list[int]:
        if self.leader is None:
            return []
        return [self.leader] if self.phase == "lead" else [1 - self.leader]

    def legal(self, seat: int) -> list[str]:
        """Section 3, Moves."""
        hand = self.hands[seat]
        if self.phase == "follow":
            return [card for card in hand if self.why_not_follow(seat, card) is None]
        if self.shown:
            return [*self.shown, "declare"]  # SS-22, SS-30
        moves = list(hand)  # SS-11
        for suit in "shdc":
            if "K" + suit in hand and "Q" + suit in hand and self.may_show():
                moves.append(f"meld K{suit} Q{suit}")  # SS-19, SS-20
        if self.may_exchange(seat):
            moves.append("exchange")
        if self.upcard is not None and self.closed is None:
            moves.append("close")  # SS-26, SS-28
        moves.append("declare")  # SS-30
        return moves

    def may_show(self) -> bool:
        """SS-49: the stock is gone once the upcard has been drawn."""
        return self.options["marriages"] == "always" or self.upcard is not None

    def may_exchange(self, seat: int) -> bool:
        """SS-23 and SS-24, for a leader who has shown no marriage for this lead."""
        if f"9{self.trump}" not in self.hands[seat]:
            return False
        if self.upcard is None or self.closed is not None:
            return False
        return self.options["exchange"] == "free" or self.tricks[seat] > 0

    def drawing(self) -> bool:
        """Whether the stock is still open: not closed, not gone (SS-16)."""
        return self.closed is None and self.upcard is not None

    def why_not_follow(self, seat: int, card: str) -> str | None:
        """The clause that forbids this card in hand to the second player, or None."""
        if self.drawing():
            return None  # SS-13
        hand = self.hands[seat]
        led = self.trick[0][1]
        same_suit = [own for own in hand if own[1] == led[1]]
        if same_suit and card not in same_suit:
            return "SS-17"
        if self.options["endplay"] == "strict":
            higher = [own for own in same_suit if RANKS.index(own[0]) < RANKS.index(led[0])]
            trumps = [own for own in hand if own[1] == self.trump]
            if higher and card not in higher:
                return "SS-18"
            if not same_suit and trumps and card not in trumps:
                return "SS-18"
        return None

    # --- events ---

    def start_deal(self, words: list[str]) -> None:
        cards = [read_card(word) or "" for word in words]
        if not same_cards(cards, pack(RANKS)):
            raise Refused("SS-10", "a deal lists all 24 cards, each once")
        nondealer = 1 - self.dealer
        self.hands[nondealer] = cards[0:3] + cards[6:9]  # SS-7
        self.hands[self.dealer] = cards[3:6] + cards[9:12]
        self.upcard = cards[12]  # SS-8
        self.trump = cards[12][1]
        self.stock = cards[13:]  # SS-9
        self.closed = None
        self.other_had_trick_at_close = False
        self.tricks = [0, 0]
        self.points = [0, 0]
        self.pending = [0, 0]
        self.trick = []
        self.shown = []
        self.closed_for_this_lead = False
        self.leader = nondealer  # SS-11
        self.deals += 1
        self.phase = "lead"

    def meld(self, seat: int, words: list[str]) -> None:
        if self.phase == "follow":
            raise Refused("SS-20", "only a player about to lead shows a marriage")
        cards = [read_card(word) or "" for word in words]
        if len(cards) != 2 or cards[0][:1] != "K" or cards[1][:1] != "Q" or cards[0][1] != cards[1][1]:
            raise Refused("SS-20", "a marriage is a king and the queen of its suit, king first")
        if cards[0] not in self.hands[seat] or cards[1] not in self.hands[seat]:
            raise Refused("SS-20", "both cards must be in hand")
        if self.shown:
            raise Refused("SS-22", "one marriage per lead")
        if not self.may_show():
            raise Refused("SS-49", "the stock is gone")
        points = 40 if cards[0][1] == self.trump else 20  # SS-19
        if seat != self.dealer and self.tricks == [0, 0]:
            self.pending[seat] = points  # SS-21, before the very first lead
        else:
            self.points[seat] += points
        self.shown = cards

    def exchange(self, seat: int) -> None:
        if self.phase == "lead" and self.shown:
            raise Refused("SS-25", "no exchange after a meld")
        if self.phase == "lead" and self.closed_for_this_lead:
            raise Refused("SS-25", "no exchange after closing")
        nine = f"9{self.trump}"
        if self.phase == "follow" or nine not in self.hands[seat]:
            raise Refused("SS-23", "only a player about to lead who holds the trump nine may exchange it")
        if not self.may_exchange(seat) or self.upcard is None:
            raise Refused("SS-24", "the upcard cannot be fetched now")
        self.hands[seat].remove(nine)
        self.hands[seat].append(self.upcard)
        self.upcard = nine

    def close(self, seat: int) -> None:
        if self.phase == "lead" and self.shown:
            raise Refused("SS-25", "no closing after a meld")
        if self.phase == "follow":
            raise Refused("SS-26", "only a player about to lead may close")
        if not self.drawing():
            raise Refused("SS-28", "the stock is closed or gone")
        self.closed = seat
        self.closed_for_this_lead = True
        self.other_had_trick_at_close = self.tricks[1 - seat] > 0

    def play(self, seat: int, card: str) -> None:
        if card not in self.hands[seat]:
            raise Refused("SS-11", f"{card} is not in that hand")
        if self.phase == "lead":
            if self.shown and card not in self.shown:
                raise Refused("SS-22", "a card of the marriage must be led")
            self.shown = []
            self.closed_for_this_lead = False
            self.hands[seat].remove(card)
            self.trick = [(seat, card)]
            self.phase = "follow"
            return
        clause = self.why_not_follow(seat, card)
        if clause is not None:
            raise Refused(clause, f"{card} may not be played to {self.trick[0][1]}")
        self.hands[seat].remove(card)
        self.trick.append((seat, card))
        self.finish_trick()

    def finish_trick(self) -> None:
        first, second = self.trick
        winner, loser = first[0], second[0]
        if self.beats(second[1], first[1]):
            winner, loser = loser, winner
        self.tricks[winner] += 1
        self.points[winner] += VALUES[first[1][0]] + VALUES[second[1][0]]
        self.points[winner] += self.pending[winner]  # SS-21
        self.pending[winner] = 0
        self.trick = []
        self.leader = winner  # SS-11
        self.phase = "lead"

        if self.drawing():
            self.hands[winner].append(self.stock.pop(0))  # SS-14
            if self.stock:
                self.hands[loser].append(self.stock.pop(0))
            elif self.upcard is not None:
                self.hands[loser].append(self.upcard)  # SS-15
                self.upcard = None

        if self.hands == [[], []]:
            if self.options["last"] == "always" or self.closed is None:
                self.points[winner] += 10  # SS-5
            self.end_played_out()

    def beats(self, second: str, led: str) -> bool:
        """SS-12: whether the second card takes the trick from the card led."""
        if second[1] == led[1]:
            return RANKS.index(second[0]) < RANKS.index(led[0])
        return second[1] == self.trump

    # --- the end of a deal ---

    def declare(self, seat: int) -> None:
        if self.phase == "follow":
            raise Refused("SS-30", "only a player about to lead may declare")
        other = 1 - seat
        if self.points[seat] < 66:
            # SS-38
            if self.closed == seat:
                other_had_trick = self.other_had_trick_at_close
            else:
                other_had_trick = self.tricks[other] > 0
            self.end_deal("bad-declare", other, 2 if other_had_trick else 3)
        elif self.points[other] >= 66 and self.options["both"] == "void":
            self.end_deal("void", None, 0)  # SS-35, SS-37
        elif self.closed == other and self.points[other] < 66:
            self.end_bad_close()  # SS-39
        else:
            self.end_won(seat)  # SS-35

    def end_played_out(self) -> None:
        enough = [seat for seat in (0, 1) if self.points[seat] >= 66]
        if self.closed is not None and self.closed not in enough:
            self.end_bad_close()  # SS-39
        elif len(enough) == 1:
            self.end_won(enough[0])  # SS-36
        else:
            self.end_deal("void", None, 0)  # SS-37

    def end_bad_close(self) -> None:
        """SS-39."""
        assert self.closed is not None
        self.end_deal("bad-close", 1 - self.closed, 2 if self.other_had_trick_at_close else 3)

    def end_won(self, winner: int) -> None:
        """SS-34."""
        loser = 1 - winner
        if self.tricks[loser] == 0:
            self.end_deal("schwarz", winner, 3)
        elif self.points[loser] <= 32:
            self.end_deal("schneider", winner, 2)
        else:
            self.end_deal("plain", winner, 1)

    def end_deal(self, how: str, winner: int | None, victory_points: int) -> None:
        if winner is None:
            if self.options["carry"] == "add":
                self.carry += 1  # SS-41
            elif self.options["carry"] == "one":
                self.carry = 1
        else:
            victory_points += self.carry  # SS-40
            self.carry = 0
            self.scores[winner] += victory_points
        self.last = {"how": how, "winner": winner, "vp": victory_points}
        self.leader = None
        self.trick = []

        best = max(self.scores)
        target = self.options["target"]
        assert isinstance(target, int)
        if best >= target or self.deals == 100:  # SS-43, SS-44
            self.winners = [seat for seat in (0, 1) if self.scores[seat] == best]
            self.phase = "done"
        else:
            self.dealer = 1 - self.dealer  # SS-42
            self.phase = "deal"
