"""A slow, plain referee for Rounds, written from the rule page alone."""

from dataclasses import dataclass, field
from typing import Any

from referee_base import RANKS, Refused, pack, read_card, read_event, same_cards

CARD_POINTS = {"A": 4, "K": 3, "Q": 2, "J": 1}  # RD-29, besides the 2 of hearts
BONUS = 25  # RD-45, RD-46
EXTRA_GAMES = 10  # RD-37

# RD-59, the default first.
OPTIONS: dict[str, list[str | int]] = {
    "revokes": ["enforced", "allowed"],
    "target": [200, 100, 300, 400],
    "rank_suit": ["printed", "trump"],
    "round_lead": ["nondealer", "winner"],
    "sweep": [0, 10],
}


def is_whole(value: object) -> bool:
    """A whole number; True and False are none."""
    return isinstance(value, int) and not isinstance(value, bool)


def read_options(options: dict[str, object]) -> dict[str, str | int]:
    """The defaults with the record's options laid over them; refuses what the page does not list (RD-59)."""
    if not isinstance(options, dict):
        raise Refused("RD-59", "the options are not an object")
    chosen = {name: values[0] for name, values in OPTIONS.items()}
    for name, value in options.items():
        if name not in OPTIONS:
            raise Refused("RD-59", f"there is no option {name!r}")
        fitting = [known for known in OPTIONS[name] if type(known) is type(value) and known == value]
        if not fitting:
            raise Refused("RD-59", f"option {name} cannot be {value!r}")
        chosen[name] = fitting[0]
    return chosen


def card_points(card: str) -> int:
    """RD-29."""
    if card == "2h":
        return 10
    return CARD_POINTS.get(card[0], 0)


@dataclass
class Trick:
    """One trick of a game; it has no reply and no owner until the second card lies there."""

    round: int
    leader: int
    lead: str
    reply: str = ""
    owner: int | None = None
    instead: list[str] = field(default_factory=list)  # the L of RD-40; empty when the reply was lawful
    replied_exposed: bool = False  # the follower's hand lay exposed when she played
    covered: bool = False  # a call looked at this trick (RD-44)
    settled: bool = False  # a penalty has been paid for the follower's card here (RD-49)
    lead_proves: bool = False  # the led card proved a revoke of the leader (RD-43)
    reply_proves: bool = False  # the second card proved a revoke of the follower (RD-43)

    def follower(self) -> int:
        return 1 - self.leader


class Referee:
    def __init__(self, players: int, dealer: int, options: dict[str, object]) -> None:
        if not is_whole(players) or players != 2:
            raise Refused("RD-1", "two players")
        if not is_whole(dealer) or dealer not in (0, 1):
            raise Refused("RD-3", "the dealer is seat 0 or 1")
        self.options = read_options(options)

        # The match.
        self.phase = "deal"
        self.dealer = dealer
        self.deals = 0
        self.scores = [0, 0]
        self.tie_break = False
        self.extra_games = 0
        self.winners: list[int] = []
        self.winning_score: int | None = None
        self.last: dict[str, list[int]] | None = None
        self.clear_game()

    def clear_game(self) -> None:
        """Nothing lies on the table: a deal is awaited."""
        self.round = 0
        self.hands: list[list[str]] = [[], []]
        self.stock: list[str] = []
        self.pile: list[str] = []
        self.history: list[Trick] = []  # the complete tricks of this game
        self.table: Trick | None = None  # the trick that waits for its second card
        self.leader: int | None = None
        self.closing: list[int] = []  # who must still accept (RD-48)
        self.exposed = [False, False]
        self.rounds_won = [0, 0]
        self.round_points = [0, 0]

    # Options in words.

    def revokes_allowed(self) -> bool:
        return self.options["revokes"] == "allowed"

    def target(self) -> int:
        target = self.options["target"]
        assert isinstance(target, int)
        return target

    # Trumps and suits.

    def trump(self) -> str | None:
        """RD-12."""
        return self.pile[-1][1] if self.pile else None

    def trump_rank(self) -> str | None:
        """RD-12."""
        return self.pile[-1][0] if self.pile else None

    def is_rank_trump(self, card: str) -> bool:
        """RD-14."""
        return card[0] == self.trump_rank() and card[1] != self.trump()

    def suit_of(self, card: str) -> str | None:
        """The suit that a card in a hand belongs to: RD-13 and the option `rank_suit`."""
        if self.is_rank_trump(card) and self.options["rank_suit"] == "trump":
            return self.trump()
        return card[1]

    def suit_to_follow(self, lead: str) -> str | None:
        """RD-17."""
        return self.trump() if self.is_rank_trump(lead) else lead[1]

    def lawful(self, hand: list[str], lead: str) -> tuple[list[str], str]:
        """The cards that may lawfully answer this lead, and the clause that any other card breaks."""
        suit = self.suit_to_follow(lead)
        following = [card for card in hand if self.suit_of(card) == suit]
        if following:
            return following, "RD-18"
        rank_trumps = [card for card in hand if self.is_rank_trump(card)]
        if suit == self.trump() and rank_trumps:
            return rank_trumps, "RD-19"
        return list(hand), ""  # RD-20

    def natural_winner(self, trick: Trick) -> int:
        """RD-21, RD-22: the winner of the trick, by its two cards."""
        if self.power(trick.reply, trick.lead) > self.power(trick.lead, trick.lead):
            return trick.follower()
        return trick.leader

    def power(self, card: str, lead: str) -> int:
        """How strong a card is in this trick. All rank trumps are alike, so the leader keeps the trick (RD-22)."""
        if self.is_rank_trump(card):
            return 200
        height = len(RANKS) - RANKS.index(card[0])
        if card[1] == self.trump():
            return 100 + height
        return height if card[1] == lead[1] else 0

    # Tricks and counts.

    def round_tricks(self) -> list[Trick]:
        """The complete tricks of the round."""
        return [trick for trick in self.history if trick.round == self.round]

    def pile_owner(self) -> int | None:
        """RD-25, RD-51: the pile goes with the last trick of round 5."""
        tricks = self.round_tricks()
        if self.round == 5 and len(tricks) == 4:
            return tricks[-1].owner
        return None

    def tricks_won(self) -> list[int]:
        """In this round, with the pile as the fifth trick of round 5."""
        won = [0, 0]
        for trick in self.round_tricks():
            assert trick.owner is not None
            won[trick.owner] += 1
        owner = self.pile_owner()
        if owner is not None:
            won[owner] += 1
        return won

    def game_points(self) -> list[int]:
        """Card points (RD-29) and the points for rounds (RD-27) of this game so far."""
        points = list(self.round_points)
        for trick in self.history:
            assert trick.owner is not None
            points[trick.owner] += card_points(trick.lead) + card_points(trick.reply)
        owner = self.pile_owner()
        if owner is not None:
            points[owner] += sum(card_points(card) for card in self.pile)
        return points

    # What a seat may do.

    def to_act(self) -> list[int]:
        if self.phase == "play":
            if self.table is not None:
                return [self.table.follower()]
            assert self.leader is not None
            return [self.leader]
        if self.phase == "close":
            return [self.closing[0]]
        return []

    def correctable(self, seat: int) -> list[str]:
        """RD-41: the cards that the seat to act may put in place of its last revoke."""
        tricks = self.round_tricks()
        if not tricks:
            return []
        trick = tricks[-1]
        if trick.follower() != seat or trick.settled:
            return []
        return list(trick.instead)

    def open_tricks(self, seat: int) -> list[Trick]:
        """RD-44: the tricks of this seat that the other one may call."""
        return [
            trick
            for trick in self.round_tricks()
            if trick.follower() == seat and not trick.replied_exposed and not trick.covered and not trick.settled
        ]

    def may_call(self, seat: int) -> bool:
        return self.revokes_allowed() and self.open_tricks(1 - seat) != []

    def playable(self, seat: int) -> list[str]:
        """The cards on the list of the seat to act."""
        hand = self.hands[seat]
        if self.table is None:
            return list(hand)  # RD-16
        if self.revokes_allowed() and not self.exposed[seat]:
            return list(hand)  # RD-40
        return self.lawful(hand, self.table.lead)[0]

    def legal(self) -> dict[str, list[str]]:
        moves: dict[str, list[str]] = {}
        for seat in self.to_act():
            own = ["accept"] if self.phase == "close" else self.playable(seat)
            own += [f"correct {card}" for card in self.correctable(seat)]
            if self.may_call(seat):
                own.append("call")
            moves[str(seat)] = own
        return moves

    # Events.

    def event(self, text: str) -> None:
        kind, seat, words = read_event(text)
        if self.phase == "done":
            raise Refused("RD-56", "the match is over")
        if kind == "deal":
            self.read_deal(words)
        elif kind == "move":
            self.read_move(seat, words)
        else:
            raise Refused("RD-56", f"{text!r} is no event of this game")

    def read_deal(self, words: list[str]) -> None:
        if self.phase != "deal":
            raise Refused("RD-56", "no deal is awaited")
        cards = []
        for word in words:
            card = read_card(word)
            if card is None or card == "*":
                raise Refused("RD-56", f"{word!r} is no card of this game")
            cards.append(card)
        if not same_cards(cards, pack()):
            raise Refused("RD-10", "a deal lists all 52 cards once each")
        self.deal(cards)

    def read_move(self, seat: int, words: list[str]) -> None:
        """The checks in the order of the page's table, then the move."""
        if self.phase == "deal":
            raise Refused("RD-56", "a deal is awaited")
        if words in (["call"], ["accept"]):
            move, card = words[0], ""
        elif len(words) == 2 and words[0] == "correct":
            move, card = "correct", self.known_card(words[1])
        elif len(words) == 1:
            move, card = "card", self.known_card(words[0])
        else:
            raise Refused("RD-56", f"{' '.join(words)!r} is no move of this game")

        if seat not in self.to_act():
            raise Refused("RD-57", f"seat {seat} is not to act")
        if move == "call" and not self.may_call(seat):
            raise Refused("RD-44", "there is no open trick to call")
        if move == "accept" and self.phase != "close":
            raise Refused("RD-48", "there is nothing to accept")
        if move == "card" and self.phase == "close":
            raise Refused("RD-48", "no card can be played in the closing step")
        if move == "correct" and card not in self.correctable(seat):
            raise Refused("RD-41", f"{card} corrects nothing")
        if move == "card":
            self.check_card(seat, card)

        if move == "call":
            self.call(seat)
        elif move == "accept":
            self.accept()
        elif move == "correct":
            self.correct(seat, card)
        else:
            self.play(seat, card)

    def known_card(self, text: str) -> str:
        card = read_card(text)
        if card is None or card == "*":
            raise Refused("RD-56", f"{text!r} is no card or word of this game")
        return card

    def check_card(self, seat: int, card: str) -> None:
        if card not in self.hands[seat]:
            raise Refused("RD-58", f"seat {seat} does not hold {card}")
        if card not in self.playable(seat):
            assert self.table is not None
            _, clause = self.lawful(self.hands[seat], self.table.lead)
            raise Refused(clause, f"{card} does not follow {self.table.lead}")

    # Dealing.

    def deal(self, cards: list[str]) -> None:
        self.clear_game()
        self.deals += 1
        self.stock = list(cards)
        self.start_round(1)

    def start_round(self, number: int) -> None:
        self.round = number
        leader = 1 - self.dealer  # RD-15
        if number > 1 and self.options["round_lead"] == "winner":
            owner = self.history[-1].owner
            assert owner is not None
            leader = owner
        if number <= 4:  # RD-9: nothing is dealt before round 5
            for _ in range(9 if number == 1 else 5):  # RD-6, RD-8
                self.hands[1 - self.dealer].append(self.stock.pop(0))
                self.hands[self.dealer].append(self.stock.pop(0))
            self.pile.append(self.stock.pop(0))  # RD-7
        self.leader = leader
        self.closing = []
        self.exposed = [False, False]  # RD-54
        self.phase = "play"

    # Playing.

    def play(self, seat: int, card: str) -> None:
        if self.table is None:
            self.hands[seat].remove(card)
            self.table = Trick(self.round, seat, card)
            self.prove(seat, card, self.table)
            return
        trick = self.table
        lawful, _ = self.lawful(self.hands[seat], trick.lead)
        self.hands[seat].remove(card)
        trick.reply = card
        trick.replied_exposed = self.exposed[seat]
        trick.instead = [] if card in lawful else lawful
        self.prove(seat, card, trick)
        self.judge(trick)
        self.table = None
        self.history.append(trick)
        self.leader = trick.owner  # RD-23
        if len(self.round_tricks()) == (4 if self.round == 5 else 5):  # RD-24
            self.leader = None
            if self.revokes_allowed() and self.round < 5:  # RD-48, RD-52
                self.phase = "close"
                self.closing = [trick.follower(), trick.leader]
            else:
                self.end_round()

    def prove(self, seat: int, card: str, trick: Trick) -> None:
        """RD-43: the card that seat just put into this trick may show that it has revoked."""
        proved = [
            old
            for old in self.round_tricks()
            if old is not trick and old.follower() == seat and not old.settled and card in old.instead
        ]
        if not proved:
            return
        for old in proved:
            old.owner = 1 - seat
            old.settled = True
        self.exposed[seat] = True
        if seat == trick.leader:
            trick.lead_proves = True
        else:
            trick.reply_proves = True
            trick.settled = True  # RD-49: this card has cost its trick already

    def judge(self, trick: Trick) -> None:
        """Who owns a trick that has just been completed or corrected. The follower's proof is the later one (RD-43)."""
        if trick.reply_proves:
            trick.owner = trick.leader
        elif trick.lead_proves:
            trick.owner = trick.follower()
        else:
            trick.owner = self.natural_winner(trick)

    def correct(self, seat: int, card: str) -> None:
        """RD-42."""
        trick = self.round_tricks()[-1]
        if self.table is not None:
            self.hands[self.table.leader].append(self.table.lead)
            self.table = None  # with it goes what the lead proved about its own trick (RD-43)
        self.hands[seat].remove(card)
        self.hands[seat].append(trick.reply)
        trick.reply = card
        trick.instead = []
        self.prove(seat, card, trick)
        self.judge(trick)
        if self.phase == "play":
            self.leader = trick.owner

    def call(self, caller: int) -> None:
        """RD-44 to RD-46."""
        called = 1 - caller
        looked_at = self.open_tricks(called)
        revoked = [trick for trick in looked_at if trick.instead]
        for trick in looked_at:
            trick.covered = True
        for trick in revoked:
            trick.owner = caller
            trick.settled = True
        if revoked:
            self.exposed[called] = True
            self.bonus(caller)
        else:
            self.exposed[caller] = True
            self.bonus(called)

    def bonus(self, seat: int) -> None:
        before = self.scores[seat]
        self.scores[seat] += BONUS
        if before < self.target() <= self.scores[seat] and not self.tie_break:  # RD-47, RD-35
            self.phase = "done"
            self.winners = [seat]
            self.winning_score = abs(self.scores[0] - self.scores[1])

    def accept(self) -> None:
        """RD-48."""
        self.closing = self.closing[1:]
        if not self.closing:
            self.end_round()

    # Ends.

    def end_round(self) -> None:
        won = self.tricks_won()
        winner = 0 if won[0] >= 3 else 1  # RD-27
        self.rounds_won[winner] += 1
        self.round_points[winner] += 10
        if won[winner] == 5:
            sweep = self.options["sweep"]  # RD-28
            assert isinstance(sweep, int)
            self.round_points[winner] += sweep
        self.exposed = [False, False]  # RD-54
        if self.round < 5:
            self.start_round(self.round + 1)
        else:
            self.end_game()

    def end_game(self) -> None:
        points = self.game_points()
        self.scores = [self.scores[seat] + points[seat] for seat in (0, 1)]  # RD-31
        self.last = {"points": points, "rounds_won": list(self.rounds_won)}
        if self.tie_break:
            self.extra_games += 1
        high, low = max(self.scores), min(self.scores)
        if high >= self.target() and high > low:  # RD-32, RD-33
            self.end_match([self.scores.index(high)])
        elif high >= self.target() and self.extra_games == EXTRA_GAMES:  # RD-37
            self.end_match([0, 1])
        else:
            if high >= self.target():
                self.tie_break = True  # RD-34
            self.dealer = 1 - self.dealer  # RD-4
            self.clear_game()
            self.phase = "deal"

    def end_match(self, winners: list[int]) -> None:
        self.phase = "done"
        self.winners = winners
        self.winning_score = abs(self.scores[0] - self.scores[1])  # RD-36

    # What the referee shows.

    def report(self) -> dict[str, Any]:
        return {
            "game": "rounds",
            "players": 2,
            "done": self.phase == "done",
            "phase": self.phase,
            "dealer": self.dealer,
            "deal": self.deals,
            "to_act": self.to_act(),
            "awaiting": "deal" if self.phase == "deal" else None,
            "legal": self.legal(),
            "hands": [list(hand) for hand in self.hands],
            "trump": self.trump(),
            "trump_rank": self.trump_rank(),
            "upcard": self.pile[-1] if self.pile else None,
            "pile": list(self.pile),
            "trick": [] if self.table is None else [[self.table.leader, self.table.lead]],
            "leader": self.leader,
            "tricks": self.tricks_won(),
            "points": self.game_points(),
            "rounds_won": list(self.rounds_won),
            "round": self.round,
            "exposed": list(self.exposed),
            "scores": list(self.scores),
            "tie_break": self.tie_break,
            "winners": list(self.winners),
            "winning_score": self.winning_score,
            "last": None if self.last is None else {name: list(values) for name, values in self.last.items()},
            "stock": len(self.stock),
        }
