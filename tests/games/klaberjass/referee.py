"""A slow, plain referee for Klaberjass, written from the rule page alone."""

from typing import Any

from referee_base import SUITS, Refused, pack, read_card, read_event, read_suit, same_cards

NATURAL = "AKQJT987"  # KJ-5, best first
PLAIN = "ATKQJ987"  # KJ-3
TRUMPS = "J9ATKQ87"  # KJ-4
VALUES = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0, "8": 0, "7": 0}  # KJ-6, but for the jass and the menel
MOST_DEALS = 200  # KJ-61

TEXT_OPTIONS = {
    "schmeiss": ["yes", "no"],
    "bela": ["call", "auto"],
    "equal": ["none", "nondealer"],
    "deal": ["winner", "alternate"],
    "bottom": ["hidden", "shown"],
}
# The first clause that the option's row names; schmeiss names KJ-13 first.
OPTION_CLAUSES = {
    "target": "KJ-58",
    "schmeiss": "KJ-13",
    "bela": "KJ-49",
    "equal": "KJ-35",
    "deal": "KJ-57",
    "bottom": "KJ-11",
}

NAMES = [f"name {suit}" for suit in SUITS]
BIDDING_WORDS = ["accept", "pass", "schmeiss", *NAMES]
DECLARATIONS = ["none", "twenty", "fifty"]
ANSWERS = ["good", "not good", "how high"]
TALK = [*DECLARATIONS, *ANSWERS, "also"]


def is_whole(value: object) -> bool:
    """A whole number; True and False are none."""
    return isinstance(value, int) and not isinstance(value, bool)


def read_options(options: dict[str, object]) -> dict[str, object]:
    """The defaults with the record's options laid over them; refuses what the page does not list."""
    chosen: dict[str, object] = {"target": 501}
    for name, values in TEXT_OPTIONS.items():
        chosen[name] = values[0]
    if not isinstance(options, dict):
        raise Refused("KJ-66", "the options are not an object")
    for name, value in options.items():
        if name not in chosen:
            raise Refused("KJ-66", f"there is no option {name!r}")
        if name == "target":
            good = is_whole(value) and value in range(51, 2002)
        else:
            good = isinstance(value, str) and value in TEXT_OPTIONS[name]
        if not good:
            raise Refused(OPTION_CLAUSES[name], f"option {name} cannot be {value!r}")
        chosen[name] = value
    return chosen


# --- sequences (KJ-26 to KJ-28) ---


def runs(hand: list[str]) -> list[list[str]]:
    """All whole, longest runs of three or more, each high to low, in suit order."""
    found: list[list[str]] = []
    for suit in SUITS:
        run: list[str] = []
        for rank in NATURAL:
            if rank + suit in hand:
                run.append(rank + suit)
                continue
            if len(run) >= 3:
                found.append(run)
            run = []
        if len(run) >= 3:
            found.append(run)
    return found


def worth(run: list[str]) -> int:
    """KJ-26."""
    return 20 if len(run) == 3 else 50


def goodness(run: list[str], trump: str) -> tuple[int, int, int]:
    """KJ-28: the greater, the better; equal for two sequences that are equal."""
    return worth(run), -NATURAL.index(run[0][0]), 1 if run[0][1] == trump else 0


def sequences(hand: list[str], trump: str) -> list[list[str]]:
    """Best first, equal ones in the order s h d c (sorting keeps the order of equal ones)."""
    return sorted(runs(hand), key=lambda run: goodness(run, trump), reverse=True)


class Referee:
    def __init__(self, players: int, dealer: int, options: dict[str, object]) -> None:
        if not is_whole(players) or players != 2:
            raise Refused("KJ-1", "two players")
        if not is_whole(dealer) or dealer not in (0, 1):
            raise Refused("KJ-8", "the dealer is seat 0 or 1")
        self.options = read_options(options)

        # The match.
        self.phase = "deal"
        self.dealer = dealer
        self.deals = 0
        self.scores = [0, 0]
        self.winners: list[int] = []
        self.last: dict[str, Any] | None = None

        self.round = 0
        self.clear_deal([])

    def clear_deal(self, cards: list[str]) -> None:
        self.cards = cards  # the whole pack of this deal
        self.hands: list[list[str]] = [[], []]
        self.upcard: str | None = None
        self.trump: str | None = None
        self.bottom: str | None = None
        # The bidding.
        self.turn = 0  # who speaks, outside the play
        self.maker: int | None = None
        self.accepted = False  # trump is the upcard's suit because the upcard was accepted
        # The declarations.
        self.stage = "opening"  # "opening": the nondealer; "reply": the dealer's first turn; "height": after how high
        self.declared = "none"  # what the nondealer said
        self.holder: int | None = None
        self.held: list[list[str]] = []  # the holder's sequences
        self.shown: list[list[str]] = []
        self.meld_scored = False
        # The play.
        self.leader: int | None = None
        self.trick: list[tuple[int, str]] = []
        self.tricks = [0, 0]
        self.points = [0, 0]
        self.both = [False, False]  # held trump king and queen at the start of the play
        self.called = [False, False]  # the first call of the bela was made
        self.bela = [0, 0]

    def nondealer(self) -> int:
        return 1 - self.dealer

    # --- what the outside asks ---

    def event(self, text: str) -> None:
        if self.phase == "done":
            raise Refused("KJ-66", "the match is over")
        kind, seat, words = read_event(text)
        if kind == "deal" and self.phase == "deal":
            self.start_deal(words)
            return
        if kind != "move" or self.phase == "deal":
            raise Refused("KJ-66", "a deal when one is awaited, otherwise a move")
        if seat not in self.to_act():
            raise Refused("KJ-66", f"seat {seat} is not to act")
        self.move(seat, " ".join(words))

    def report(self) -> dict[str, Any]:
        to_act = self.to_act()
        last = None
        if self.last is not None:
            last = {"how": self.last["how"], "hand": list(self.last["hand"]), "added": list(self.last["added"])}
        return {
            "game": "klaberjass",
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
            "leader": self.leader if self.phase == "play" else None,
            "tricks": list(self.tricks),
            "points": list(self.points),
            "scores": list(self.scores),
            "winners": list(self.winners),
            "last": last,
            "stock": None,
            "round": self.round,
            "maker": self.maker,
            "holder": self.holder,
            "meld": sum(worth(run) for run in self.held),
            "shown": [list(run) for run in self.shown],
            "bela": list(self.bela),
            "bottom": self.bottom,
        }

    # --- who may do what ---

    def to_act(self) -> list[int]:
        if self.phase in ("deal", "done"):
            return []
        if self.phase == "play":
            assert self.leader is not None
            return [1 - self.leader] if self.trick else [self.leader]
        return [self.turn]

    def legal(self, seat: int) -> list[str]:
        if self.phase == "bid":
            return self.bids()
        if self.phase == "answer":
            return ["no", "yes"]  # KJ-17
        if self.phase == "name":
            return self.other_suits()  # KJ-20
        if self.phase == "declare":
            return self.sayings(seat) + (["dix"] if self.refused_dix(seat) is None else [])
        cards = self.playable(seat)
        return cards + [f"bela {card}" for card in cards if self.may_call(seat, card)]

    def other_suits(self) -> list[str]:
        assert self.upcard is not None
        return [name for name in NAMES if name != f"name {self.upcard[1]}"]

    def bids(self) -> list[str]:
        """KJ-13 to KJ-15."""
        moves = ["accept"] if self.round == 1 else self.other_suits()
        return moves + (["pass", "schmeiss"] if self.options["schmeiss"] == "yes" else ["pass"])

    def best(self, seat: int) -> list[str]:
        """The best sequence in this hand, or [] (KJ-27)."""
        assert self.trump is not None
        found = sequences(self.hands[seat], self.trump)
        return found[0] if found else []

    def declaration(self, seat: int) -> str:
        """What a seat may truthfully declare (KJ-29)."""
        best = self.best(seat)
        return "none" if not best else {20: "twenty", 50: "fifty"}[worth(best)]

    def sayings(self, seat: int) -> list[str]:
        """Everything but the dix."""
        own = self.declaration(seat)
        if self.stage == "opening" or (self.stage == "reply" and self.declared == "none"):
            return ["none"] if own == "none" else ["none", own]  # KJ-29, KJ-30, KJ-36
        if self.stage == "reply":  # KJ-31
            if own == self.declared:
                return ["good", "how high"]
            return ["good", "not good"] if own == "fifty" else ["good"]
        mine = NATURAL.index(self.best(seat)[0][0])  # KJ-33; the smaller, the higher
        theirs = NATURAL.index(self.best(1 - seat)[0][0])
        if mine < theirs:
            return ["good", "not good"]
        return ["good", "also"] if mine == theirs else ["good"]

    def refused_dix(self, seat: int) -> str | None:
        """The clause that forbids this seat the exchange now, or None."""
        if not self.accepted or f"7{self.trump}" not in self.hands[seat]:
            return "KJ-23"  # KJ-25 too: nobody holds a seven that lies there as the upcard
        if self.phase != "declare" or self.stage == "height":
            return "KJ-24"
        return None

    def is_higher_trump(self, card: str, than: str) -> bool:
        return card[1] == self.trump and TRUMPS.index(card[0]) < TRUMPS.index(than[0])

    def duty(self, seat: int) -> tuple[list[str], str]:
        """The cards that this seat may play, and the clause that forbids its others."""
        hand = self.hands[seat]
        if self.trick:
            lead = self.trick[0][1]
            higher = [card for card in hand if self.is_higher_trump(card, lead)]
            same_suit = [card for card in hand if card[1] == lead[1]]
            trumps = [card for card in hand if card[1] == self.trump]
            if lead[1] == self.trump and higher:
                return higher, "KJ-42"
            if same_suit:
                return same_suit, "KJ-43"
            if trumps:
                return trumps, "KJ-44"
        return list(hand), ""  # KJ-41, KJ-45

    def playable(self, seat: int) -> list[str]:
        return self.duty(seat)[0]

    def is_second(self, seat: int, card: str) -> bool:
        """Is this the later one of a king and queen of trumps that this seat held both?"""
        other = {"K": "Q", "Q": "K"}.get(card[0], "")
        return self.both[seat] and other != "" and card[1] == self.trump and other + card[1] not in self.hands[seat]

    def is_first(self, seat: int, card: str) -> bool:
        return self.both[seat] and card[1] == self.trump and card[0] in "KQ" and not self.is_second(seat, card)

    def may_call(self, seat: int, card: str) -> bool:
        """KJ-49 to KJ-51, for a card in this seat's hand."""
        if self.options["bela"] == "auto":
            return False
        return self.is_first(seat, card) or (self.is_second(seat, card) and self.called[seat])

    # --- events ---

    def start_deal(self, words: list[str]) -> None:
        cards = [read_card(word) or "" for word in words]
        if not same_cards(cards, pack(NATURAL)):
            raise Refused("KJ-12", "a deal lists all 32 cards, each once")
        self.clear_deal(cards)
        self.hands[self.nondealer()] = cards[0:3] + cards[6:9]  # KJ-9
        self.hands[self.dealer] = cards[3:6] + cards[9:12]
        self.upcard = cards[12]  # KJ-10
        self.deals += 1
        self.round = 1
        self.phase = "bid"
        self.turn = self.nondealer()

    def move(self, seat: int, said: str) -> None:
        """A move of the seat to act."""
        word, _, suit = said.partition(" ")
        if word == "name" and read_suit(suit):
            said = f"name {read_suit(suit)}"
        if said in BIDDING_WORDS:
            self.check_bidding_word(seat, said)
            self.bid(seat, said)
        elif said in ("yes", "no"):
            if self.phase != "answer":
                raise Refused("KJ-17", "no schmeiss waits for an answer")
            self.answer(seat, said)
        elif said == "dix":
            clause = self.refused_dix(seat)
            if clause is not None:
                raise Refused(clause, "no exchange")
            self.exchange(seat)
        elif said in TALK:
            if self.phase != "declare" or said not in self.sayings(seat):
                raise Refused(self.talk_clause(seat, said), f"{said} cannot be said now")
            self.say(seat, said)
        else:
            self.play(seat, said)

    def check_bidding_word(self, seat: int, said: str) -> None:
        if self.phase in ("bid", "name"):
            if said in self.legal(seat):
                return
            if self.phase == "name":
                raise Refused("KJ-20", "one of the three other suits must be named")
            raise Refused("KJ-13" if self.round == 1 else "KJ-15", f"{said} is not open")
        raise Refused("KJ-17" if self.phase == "answer" else "KJ-15", "nothing is being bid")

    def talk_clause(self, seat: int, said: str) -> str:
        """The clause that a refused word of the declarations names."""
        if self.phase == "declare" and self.stage == "height":
            return "KJ-33"
        if self.phase == "declare" and self.stage == "reply" and self.declared != "none":
            return "KJ-31"
        if said in DECLARATIONS:
            return "KJ-36" if seat == self.dealer else "KJ-29"
        return "KJ-31" if said in ANSWERS else "KJ-33"

    # The bidding.

    def bid(self, seat: int, said: str) -> None:
        if said == "accept":
            self.fix_trump(seat, accepted=True)
        elif said in NAMES:
            self.fix_trump(seat, accepted=False, suit=said[-1])
        elif said == "schmeiss":
            self.phase = "answer"
            self.turn = 1 - seat
        elif seat == self.nondealer():
            self.turn = self.dealer  # KJ-14, KJ-15
        elif self.round == 1:
            self.round = 2
            self.turn = self.nondealer()
        else:
            self.throw_in()  # KJ-16

    def answer(self, seat: int, said: str) -> None:
        if said == "yes":
            self.throw_in()  # KJ-18
        elif self.round == 1:
            self.fix_trump(1 - seat, accepted=True)  # KJ-19
        else:
            self.phase = "name"  # KJ-20
            self.turn = 1 - seat

    def throw_in(self) -> None:
        self.last = {"how": "thrown", "hand": [0, 0], "added": [0, 0]}
        self.phase = "deal"
        self.finish_at_most_deals()

    def fix_trump(self, maker: int, accepted: bool, suit: str = "") -> None:
        """KJ-21 and the three extra cards (KJ-11)."""
        assert self.upcard is not None
        self.maker = maker
        self.accepted = accepted
        self.trump = self.upcard[1] if accepted else suit
        self.hands[self.nondealer()] += self.cards[13:16]
        self.hands[self.dealer] += self.cards[16:19]
        if self.options["bottom"] == "shown":
            self.bottom = self.cards[31]
        self.phase = "declare"
        self.stage = "opening"
        self.turn = self.nondealer()

    # The declarations.

    def exchange(self, seat: int) -> None:
        assert self.upcard is not None
        seven = f"7{self.trump}"
        self.hands[seat].remove(seven)
        self.hands[seat].append(self.upcard)
        self.upcard = seven  # KJ-25

    def say(self, seat: int, said: str) -> None:
        if self.stage == "opening":
            self.declared = said
            self.stage = "reply"
            self.turn = self.dealer
        elif said == "how high":
            self.stage = "height"  # KJ-32
        else:
            self.start_play(self.find_holder(said))

    def find_holder(self, said: str) -> int | None:
        """KJ-37, after the dealer's last word."""
        if said == "none":
            return None
        if said == "good":
            return self.nondealer()
        if said != "also":
            return self.dealer  # "not good", or a declaration of their own (KJ-36)
        for seat in (0, 1):
            if self.best(seat)[0][1] == self.trump:
                return seat  # KJ-34
        return self.nondealer() if self.options["equal"] == "nondealer" else None  # KJ-35

    def start_play(self, holder: int | None) -> None:
        assert self.trump is not None
        self.holder = holder
        self.held = [] if holder is None else sequences(self.hands[holder], self.trump)
        for seat in (0, 1):
            self.both[seat] = "K" + self.trump in self.hands[seat] and "Q" + self.trump in self.hands[seat]
        self.leader = self.nondealer()  # KJ-41
        self.phase = "play"

    # The play.

    def play(self, seat: int, said: str) -> None:
        calls = said.startswith("bela ")
        card = read_card(said.removeprefix("bela "))
        if card is None:
            raise Refused("KJ-66", "no move of this game")
        if self.phase != "play" or card not in self.hands[seat]:
            raise Refused("KJ-41", f"{card} cannot be played")
        cards, clause = self.duty(seat)
        if card not in cards:
            raise Refused(clause, f"{card} cannot be played to this lead")
        if calls and not self.may_call(seat, card):
            raise Refused("KJ-50" if self.is_second(seat, card) else "KJ-49", "no call with that card")

        second = self.is_second(seat, card)
        if (calls and second) or (second and self.options["bela"] == "auto"):
            self.bela[seat] = 20  # KJ-50
            self.points[seat] += 20
        elif calls:
            self.called[seat] = True  # KJ-49
        self.hands[seat].remove(card)
        self.trick.append((seat, card))
        if len(self.trick) == 2:
            self.finish_trick()

    def value(self, card: str) -> int:
        """KJ-6."""
        if card == f"J{self.trump}":
            return 20
        if card == f"9{self.trump}":
            return 14
        return VALUES[card[0]]

    def finish_trick(self) -> None:
        (leader, lead), (follower, reply) = self.trick
        if reply[1] == lead[1]:
            order = TRUMPS if lead[1] == self.trump else PLAIN
            beaten = order.index(reply[0]) < order.index(lead[0])
        else:
            beaten = reply[1] == self.trump
        winner = follower if beaten else leader  # KJ-47
        self.tricks[winner] += 1
        self.points[winner] += self.value(lead) + self.value(reply)
        self.trick = []
        self.leader = winner
        self.shown = [list(run) for run in self.held]  # KJ-38
        if winner == self.holder and not self.meld_scored:  # KJ-39
            self.meld_scored = True
            self.points[winner] += sum(worth(run) for run in self.held)
        if sum(self.tricks) == 9:
            self.points[winner] += 10  # KJ-53
            self.finish_deal()

    # --- the end of a deal ---

    def finish_deal(self) -> None:
        maker = self.maker
        assert maker is not None
        defender = 1 - maker
        added = [0, 0]
        if self.points[maker] > self.points[defender]:  # KJ-54
            how = "made"
            added = list(self.points)
        elif self.points[maker] == self.points[defender]:  # KJ-55
            how = "level"
            added[defender] = self.points[defender]
        else:  # KJ-56
            how = "bate"
            added[defender] = sum(self.points)
        self.scores = [self.scores[0] + added[0], self.scores[1] + added[1]]
        self.last = {"how": how, "hand": list(self.points), "added": added}

        target = self.options["target"]
        assert isinstance(target, int)
        if max(self.scores) >= target and self.scores[0] != self.scores[1]:  # KJ-58, KJ-59
            self.finish_match()
            return
        self.phase = "deal"
        self.finish_at_most_deals()
        if self.phase == "done":
            return  # the dealer stays the last one
        if self.options["deal"] == "alternate":
            self.dealer = 1 - self.dealer
        else:
            self.dealer = maker if how == "made" else defender  # KJ-57

    def finish_at_most_deals(self) -> None:
        """KJ-61."""
        if self.deals == MOST_DEALS:
            self.finish_match()

    def finish_match(self) -> None:
        self.winners = [seat for seat in (0, 1) if self.scores[seat] == max(self.scores)]
        self.phase = "done"
