"""A slow, plain referee for five-card Loo, written from the rule page alone."""

from itertools import combinations
from typing import Any

from referee_base import RANKS, Refused, pack, read_card, read_event, same_cards

PAM = "Jc"  # LO-3
PAYMENT = 5  # LO-6, LO-21, LO-38
MOST_PAYMENT = 100  # option penalty=pot

TEXT_OPTIONS = {
    "penalty": ["five", "pot"],
    "flush_pays": ["in", "all"],
    "level": ["elder", "share"],
    "stock": ["reshuffle", "limit"],
}
SWITCHES = {"head": True, "civil": True, "club_law": False, "ace_lead": False}
# The first clause that the option's row names.
OPTION_CLAUSES = {
    "rounds": "LO-41",
    "penalty": "LO-21",
    "flush_pays": "LO-11",
    "level": "LO-50",
    "stock": "LO-24",
    "head": "LO-29",
    "civil": "LO-33",
    "club_law": "LO-10",
    "ace_lead": "LO-26",
}


def is_whole(value: object) -> bool:
    """A whole number; True and False are none."""
    return isinstance(value, int) and not isinstance(value, bool)


def read_options(options: dict[str, object]) -> dict[str, Any]:
    """The defaults with the record's options laid over them; refuses what the page does not list."""
    chosen: dict[str, Any] = {"rounds": 2}
    for name, values in TEXT_OPTIONS.items():
        chosen[name] = values[0]
    chosen |= SWITCHES
    if not isinstance(options, dict):
        raise Refused("LO-49", "the options are not an object")
    for name, value in options.items():
        if name not in chosen:
            raise Refused("LO-49", f"there is no option {name!r}")
        if name == "rounds":
            good = is_whole(value) and value in range(1, 11)
        elif name in SWITCHES:
            good = isinstance(value, bool)
        else:
            good = isinstance(value, str) and value in TEXT_OPTIONS[name]
        if not good:
            raise Refused(OPTION_CLAUSES[name], f"option {name} cannot be {value!r}")
        chosen[name] = value
    return chosen


def in_pack_order(cards: list[str]) -> list[str]:
    return sorted(cards, key=pack().index)


def height(card: str) -> int:
    """The greater, the higher in its suit (LO-2)."""
    return -RANKS.index(card[0])


def is_flush(cards: list[str]) -> bool:
    """LO-14: five of one suit, or four of one suit and Pam."""
    return len(cards) == 5 and len({card[1] for card in cards if card != PAM}) == 1


class Referee:
    def __init__(self, players: int, dealer: int, options: dict[str, object]) -> None:
        if not is_whole(players) or players not in range(5, 11):
            raise Refused("LO-1", "five to ten players")
        if not is_whole(dealer) or dealer not in range(players):
            raise Refused("LO-5", "the dealer is one of the seats")
        self.players = players
        self.options = read_options(options)

        # The match.
        self.phase = "deal"
        self.dealer = dealer
        self.deals = 0
        self.scores = [0] * players
        self.winners: list[int] = []
        self.last: dict[str, Any] | None = None
        self.pot = 0

        self.clear_deal()

    def clear_deal(self) -> None:
        self.hands: list[list[str]] = [[] for _ in range(self.players)]
        self.dealt: list[list[str]] = [[] for _ in range(self.players)]
        self.inside = list(range(self.players))  # the seats that have not passed
        self.asked: list[int] = []  # who has answered in this phase, in turn
        self.shown: list[int] = []  # who has shown a flush in this round
        self.stock: list[str] = []
        self.dead: list[str] = []
        self.thrown: list[str] = []  # by the player who is drawing
        self.missing = 0  # the cards this player still draws
        self.upcard: str | None = None
        self.trump: str | None = None
        self.leader: int | None = None
        self.trick: list[tuple[int, str]] = []
        self.civil = False
        self.tricks = [0] * self.players

    def in_turn(self) -> list[int]:
        """The seats that are in, clockwise from the dealer's left."""
        order = [(self.dealer + 1 + step) % self.players for step in range(self.players)]
        return [seat for seat in order if seat in self.inside]

    # --- what the outside asks ---

    def awaiting(self) -> str | None:
        if self.phase == "deal":
            return "deal"
        if self.phase == "exchange" and self.missing:
            return "reshuffle"  # LO-24
        return None

    def event(self, text: str) -> None:
        if self.phase == "done":
            raise Refused("LO-49", "the match is over")
        kind, seat, words = read_event(text)
        awaited = self.awaiting() or "move"
        if kind != awaited:
            raise Refused("LO-49", f"a {awaited} is due")
        if kind == "deal":
            self.start_deal(words)
            return
        if kind == "reshuffle":
            self.reshuffle(words)
            return
        if seat not in self.to_act():
            raise Refused("LO-49", f"seat {seat} is not to act")
        if self.phase == "declare":
            self.declare(seat, words)
        elif self.phase == "exchange":
            self.exchange(seat, words)
        elif self.phase == "play":
            self.play(seat, words)
        else:
            self.answer(seat, words)

    def report(self) -> dict[str, Any]:
        to_act = self.to_act()
        last = None
        if self.last is not None:
            last = {name: list(value) if isinstance(value, list) else value for name, value in self.last.items()}
        return {
            "game": "loo",
            "players": self.players,
            "done": self.phase == "done",
            "phase": self.phase,
            "dealer": self.dealer,
            "deal": self.deals,
            "to_act": to_act,
            "awaiting": self.awaiting(),
            "legal": {str(seat): self.legal(seat) for seat in to_act},
            "hands": [list(hand) for hand in self.hands],
            "trump": self.trump,
            "upcard": self.upcard,
            "trick": [[seat, card] for seat, card in self.trick],
            "leader": self.leader,
            "tricks": list(self.tricks),
            "points": [tricks * (self.pot // 5) for tricks in self.tricks],
            "scores": list(self.scores),
            "winners": list(self.winners),
            "last": last,
            "stock": len(self.stock),
            "pot": self.pot,
            "in": sorted(self.inside),
            "civil": self.civil,
            "discard": len(self.dead),
        }

    # --- who may do what ---

    def to_act(self) -> list[int]:
        if self.phase == "play":
            assert self.leader is not None
            order = self.in_turn()
            return [order[(order.index(self.leader) + len(self.trick)) % len(order)]]  # LO-27
        if self.phase in ("declare", "early", "exchange", "late") and self.awaiting() is None:
            return [seat for seat in self.in_turn() if seat not in self.asked][:1]
        return []

    def legal(self, seat: int) -> list[str]:
        if self.phase == "declare":
            return ["play", "pass"]
        if self.phase == "exchange":
            hand = in_pack_order(self.hands[seat])
            moves = ["keep"]
            for count in range(1, min(5, self.most_discards()) + 1):
                moves += ["discard " + " ".join(cards) for cards in combinations(hand, count)]
            return moves
        if self.phase in ("early", "late"):
            return ["no", "flush"] if is_flush(self.hands[seat]) else ["no"]
        cards = self.playable(seat)
        return cards + [f"civil {card}" for card in cards if self.may_call(card)]

    def most_discards(self) -> int:
        """LO-25."""
        if self.options["stock"] == "limit":
            return len(self.stock)
        return len(self.stock) + len(self.dead)

    def may_call(self, card: str) -> bool:
        """LO-33, LO-34."""
        return bool(self.options["civil"]) and not self.trick and card == f"A{self.trump}"

    # --- the cards that may be played ---

    def suit(self, card: str) -> str:
        """LO-3: Pam's suit is trumps."""
        if card == PAM:
            assert self.trump is not None
            return self.trump
        return card[1]

    def strength(self, card: str) -> int:
        """The greater, the higher among cards of one suit; Pam is above the ace of trumps."""
        return 1 if card == PAM else height(card)

    def in_trick(self, suit: str) -> list[str]:
        return [card for _, card in self.trick if self.suit(card) == suit]

    def higher(self, cards: list[str], suit: str) -> list[str]:
        """Those of the cards that are higher than every card of the suit in the trick."""
        best = max([self.strength(card) for card in self.in_trick(suit)], default=-100)
        return [card for card in cards if self.strength(card) > best]

    def duties(self, seat: int) -> list[tuple[list[str], str]]:
        """Ever smaller choices, each with the clause that forbids what it leaves out."""
        hand = list(self.hands[seat])
        if not self.trick:
            ace = f"A{self.trump}"
            if self.options["ace_lead"] and sum(self.tricks) == 0 and ace in hand:
                return [([ace], "LO-26")]
            return [(hand, "")]  # LO-27
        assert self.trump is not None
        led = self.suit(self.trick[0][1])
        following = [card for card in hand if self.suit(card) == led]
        trumps = [card for card in hand if self.suit(card) == self.trump]
        choices: list[tuple[list[str], str]] = []
        if following and led != self.trump:
            choices.append((following, "LO-28"))
            winning = self.higher(following, led)
            if self.options["head"] and not self.in_trick(self.trump) and winning:
                choices.append((winning, "LO-29"))
            return choices
        if not trumps:
            return [(hand, "")]  # LO-32
        choices.append((trumps, "LO-28" if led == self.trump else "LO-30"))
        if self.civil and len(trumps) > 1 and PAM in trumps:
            trumps = [card for card in trumps if card != PAM]
            choices.append((trumps, "LO-33"))
        winning = self.higher(trumps, self.trump)
        if self.options["head"] and winning:
            choices.append((winning, "LO-31"))
        return choices

    def playable(self, seat: int) -> list[str]:
        return self.duties(seat)[-1][0]

    # --- the deal and the declarations ---

    def start_deal(self, words: list[str]) -> None:
        cards = [read_card(word) or "" for word in words]
        if not same_cards(cards, pack()):
            raise Refused("LO-2", "a deal lists all 52 cards, each once")
        self.clear_deal()
        dealt = 5 * self.players
        for number in range(dealt):
            self.hands[(self.dealer + 1 + number) % self.players].append(cards[number])  # LO-7
        self.dealt = [list(hand) for hand in self.hands]
        self.upcard = cards[dealt]  # LO-8
        self.trump = self.upcard[1]
        self.stock = cards[dealt + 1 :]  # LO-9
        self.inside = list(range(self.players))
        self.deals += 1
        self.pot += PAYMENT  # LO-6
        self.scores[self.dealer] -= PAYMENT
        self.start_phase("early" if self.options["club_law"] and self.trump == "c" else "declare")

    def start_phase(self, phase: str) -> None:
        self.phase = phase
        self.asked = []
        self.shown = []

    def declare(self, seat: int, words: list[str]) -> None:
        if words not in (["play"], ["pass"]):
            raise Refused("LO-49", "play or pass")
        self.asked.append(seat)
        if words == ["pass"]:
            self.inside.remove(seat)  # LO-11
            self.dead += self.hands[seat]
            self.hands[seat] = []
        if self.inside == [self.dealer] or (len(self.inside) == 1 and not self.to_act()):
            self.take_pot(self.inside[0])  # LO-12, LO-13
        elif not self.to_act():
            self.start_phase("early")

    def take_pot(self, seat: int) -> None:
        won = [0] * self.players
        won[seat] = self.pot
        self.finish_deal([0] * self.players, won, [], None)

    # --- flushes ---

    def answer(self, seat: int, words: list[str]) -> None:
        if words not in (["no"], ["flush"]):
            raise Refused("LO-49", "flush or no")
        if words == ["flush"] and not is_flush(self.hands[seat]):
            raise Refused("LO-14", "no flush in hand")
        self.asked.append(seat)
        if words == ["flush"]:
            self.shown.append(seat)
        if self.to_act():
            return  # LO-17
        if self.shown:
            self.loo_the_board()
        elif self.phase == "early":
            self.start_phase("exchange")
        else:
            self.start_phase("play")
            self.leader = self.in_turn()[0]  # LO-26

    def flush_rank(self, seat: int) -> tuple[int, list[int]]:
        """LO-18, LO-19: the greater, the better."""
        hand = self.hands[seat]
        tops = sorted([height(card) for card in hand if card != PAM], reverse=True)
        if PAM in hand:
            return 2, tops
        return (1 if hand[0][1] == self.trump else 0), tops

    def loo_the_board(self) -> None:
        """LO-20, LO-21."""
        best = max(self.flush_rank(seat) for seat in self.shown)
        winner = next(seat for seat in self.in_turn() if seat in self.shown and self.flush_rank(seat) == best)
        tricks = [0] * self.players
        tricks[winner] = 5
        won = [0] * self.players
        won[winner] = self.pot
        if self.options["level"] == "share":  # LO-50
            equal = [seat for seat in self.shown if self.flush_rank(seat) == best]
            for seat in equal:
                won[seat] = self.pot // len(equal)
            won[winner] += self.pot - sum(won)
        payers = []
        for seat in range(self.players):
            if seat not in self.inside and self.options["flush_pays"] == "in":
                continue
            cards = self.hands[seat] if seat in self.inside else self.dealt[seat]
            if seat != winner and not is_flush(cards) and PAM not in cards:
                payers.append(seat)
        self.finish_deal(tricks, won, payers, winner)

    # --- the exchange ---

    def exchange(self, seat: int, words: list[str]) -> None:
        if words == ["keep"]:
            self.asked.append(seat)
            self.after_exchange()
            return
        if words[0] != "discard":
            raise Refused("LO-49", "keep or discard")
        cards = [read_card(word) or "" for word in words[1:]]
        if cards == []:
            raise Refused("LO-49", "a discard names cards")
        if len(set(cards)) < len(cards) or any(card not in self.hands[seat] for card in cards):
            raise Refused("LO-22", "a discard names held cards, once each")
        if cards != in_pack_order(cards):
            raise Refused("LO-22", "a discard is in pack order")
        if len(cards) > self.most_discards():
            raise Refused("LO-25", "there are not so many cards to draw")
        self.thrown = cards
        self.hands[seat] = [card for card in self.hands[seat] if card not in cards]
        self.missing = len(cards)
        self.draw(seat)

    def draw(self, seat: int) -> None:
        """LO-23, LO-24: from the top of the stock until nothing is missing or the stock is empty."""
        while self.missing and self.stock:
            self.hands[seat].append(self.stock.pop(0))
            self.missing -= 1
        if self.missing == 0:
            self.dead += self.thrown
            self.thrown = []
            self.asked.append(seat)
            self.after_exchange()

    def reshuffle(self, words: list[str]) -> None:
        cards = [read_card(word) or "" for word in words]
        if not same_cards(cards, self.dead):
            raise Refused("LO-24", "a reshuffle lists the dead cards, each once")
        self.stock = cards
        self.dead = []
        self.draw(next(seat for seat in self.in_turn() if seat not in self.asked))

    def after_exchange(self) -> None:
        if not self.to_act():
            self.start_phase("late")  # LO-16

    # --- the play ---

    def play(self, seat: int, words: list[str]) -> None:
        calls = words[0] == "civil" and bool(self.options["civil"])
        named = words[1:] if calls else words
        card = read_card(named[0]) if len(named) == 1 else None
        if card is None:
            raise Refused("LO-49", "a card is due")
        if card not in self.hands[seat]:
            raise Refused("LO-27", f"{card} is not in that hand")
        if calls and not self.may_call(card):
            raise Refused("LO-33", "the call is made with the ace of trumps led")
        for cards, clause in self.duties(seat):
            if card not in cards:
                raise Refused(clause, f"{card} cannot be played now")
        self.hands[seat].remove(card)
        self.trick.append((seat, card))
        if calls:
            self.civil = True
        if len(self.trick) == len(self.inside):
            self.finish_trick()

    def finish_trick(self) -> None:
        """LO-35."""
        assert self.trump is not None
        cards = self.in_trick(self.trump) or self.in_trick(self.suit(self.trick[0][1]))
        best = max(cards, key=self.strength)
        winner = next(seat for seat, card in self.trick if card == best)
        self.tricks[winner] += 1
        self.trick = []
        self.civil = False
        self.leader = winner
        if not self.hands[winner]:
            won = [tricks * (self.pot // 5) for tricks in self.tricks]  # LO-36
            looed = [seat for seat in sorted(self.inside) if self.tricks[seat] == 0]  # LO-38
            self.finish_deal(list(self.tricks), won, looed, None)

    # --- the end of a deal ---

    def finish_deal(self, tricks: list[int], won: list[int], payers: list[int], flush: int | None) -> None:
        scheduled = self.players * self.options["rounds"]  # LO-41
        payment = min(self.pot, MOST_PAYMENT) if self.options["penalty"] == "pot" else PAYMENT
        paid = [0] * self.players
        if self.deals < scheduled + self.players:  # LO-43
            for seat in payers:
                paid[seat] = payment
        self.last = {
            "deal": self.deals,
            "dealer": self.dealer,
            "pot": self.pot,
            "tricks": tricks,
            "won": won,
            "paid": paid,
            "flush": flush,
        }
        for seat in range(self.players):
            self.scores[seat] += won[seat] - paid[seat]  # LO-39
        self.pot = sum(paid)
        self.clear_deal()
        if self.deals >= scheduled and self.pot == 0:  # LO-42
            best = max(self.scores)
            self.winners = [seat for seat in range(self.players) if self.scores[seat] == best]  # LO-44
            self.phase = "done"
            return
        self.phase = "deal"
        self.dealer = (self.dealer + 1) % self.players  # LO-40
