"""Kalooki for people: the clauses of refusals, the report, and the table."""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from upcard.games.kalooki.double_pack import SHOWN
from upcard.rules import *
from upcard.rules.cards import read

from .rules import *

PROMPTS = {
    DRAWING: your_turn("take the upcard or draw from the stock"),
    CALLING: your_turn("call the upcard (for a penalty card), or pass"),
    ANSWER: your_turn("allow the call, or refuse and take the upcard"),
    PLAY: your_turn("lay down the contract if you can, or discard"),
}


class KalookiWords(KalookiRules[S]):
    """The texts of Kalooki, and the knowledge that everybody has after the stock has been renewed."""

    why = {
        "KA-12": "You are down, so you may not draw the upcard again in this deal",
        "KA-14": "Only somebody who is not down and has calls left may call the upcard, while another player is going "
        "to draw",
        "KA-30": "A three is cards of one rank, with no other rank among them",
        "KA-31": "A four is cards of one suit in sequence",
        "KA-32": "In a four the ace is low or high; a sequence does not go round the corner",
        "KA-33": "You may not have two fours of one suit, nor two threes of one rank where threes must differ",
        "KA-34": "A three needs at least two cards that are not jokers",
        "KA-35": "In a four no two jokers may lie beside each other",
        "KA-38": "A meld is laid with three cards for a three or four for a four; more cards are added afterwards",
        "KA-39": "A contract is laid in one go: meld by meld as it asks for them, so that the rest can follow",
        "KA-42": "Once you are down and have drawn, cards can be added to the melds that lie on the table",
        "KA-43": "To a three only a card of its rank can be added",
        "KA-44": "To a four only the next card at its open end can be added",
        "KA-45": "A joker can be added to a four only at its open end and not beside another joker",
        "KA-46": "This card would take a joker’s place, and the joker would have nowhere to go",
        "KA-48": "A turn ends with the discard of one card that is not a joker",
        "KA-50": "You may end the turn without a discard only when you hold nothing but jokers that cannot be added",
    }

    speech = {
        TAKE: Speech("draw", "I take it"),
        STOCK: Speech("draw", "From the stock"),
        ALLOW: Speech("answer", "You may have it"),
        REFUSE: Speech("answer", "No, I take it"),
        HOLD: Speech("close", "Only jokers left"),
    }

    @override
    def refusal(self, s: S, me: int, attempt: Attempt) -> Reasons:
        """The clauses that a move may break, in the order of the rulebook's paragraph "Which clause a refused event
        names"."""
        yield "KA-14", attempt.verb == CALL
        yield "KA-12", attempt.verb == TAKE and me == s.active and s.down[me]
        yield "KA-59", not acts(s, me) or s.phase != PLAY or attempt.verb not in (LAY, TACK, DISCARD, HOLD)
        named = [read(word) for word in attempt.words[: 1 if attempt.verb == TACK else None]]
        wrong_number = len(attempt.words) != {TACK: 2, DISCARD: 1, HOLD: 0}.get(attempt.verb or 0, len(attempt.words))
        yield "KA-59", wrong_number or bool(Counter(named) - Counter(HAND.cards(s, me)))
        yield "KA-39", self.laying(s) and attempt.verb != LAY
        if attempt.verb == LAY:
            yield from self.refused_lay(s, me, attempt.items or ())
        elif attempt.verb == TACK:
            yield from self.refused_tack(s, me, attempt.items)
        yield "KA-48", attempt.verb == DISCARD
        yield "KA-50", True

    def refused_lay(self, s: S, me: int, named: Sequence[Card]) -> Reasons:
        """The clauses that may forbid a `lay` of cards that are in the hand."""
        yield "KA-38", len(named) not in (3, 4)
        naturals = [(i, c) for i, c in enumerate(named) if c != JOKER]
        mine = {kind_of(meld) for meld in s.melds[: s.laid] if owner_of(meld) == me}
        if len(named) == 4:
            begins = {(suit_of(c), (rank_of(c) - i) % 13) for i, c in naturals}
            yield "KA-32", len(begins) == 1 and {rank for _, rank in begins} <= {QUEEN, KING}
            yield "KA-35", (JOKER, JOKER) in pairwise(named)
            yield "KA-31", len(begins) != 1
            yield "KA-33", 13 + suit_of(naturals[0][1]) in mine
        else:
            ranks = {rank_of(c) for _, c in naturals}
            in_order = sorted(named, key=lambda c: 1 if c == JOKER else -suit_of(c))
            yield "KA-30", len(ranks) > 1 or list(named) != in_order
            yield "KA-34", len(naturals) < 2
            yield "KA-33", self.threes == DISTINCT and ranks <= mine
        yield "KA-39", True

    def refused_tack(self, s: S, me: int, items: Sequence[int] | None) -> Reasons:
        """The clauses that may forbid a `tack` of a card that is in the hand."""
        if not s.down[me] or items is None or not 1 <= items[1] <= s.laid:
            yield "KA-42", True
            return
        c, meld = items[0], s.melds[items[1] - 1]
        yield "KA-43", not is_four(meld)
        yield "KA-45", c == JOKER
        yield "KA-46", kind_of(meld) == 13 + suit_of(c) and jokers_in(meld) & places_of(bit(c), suit_of(c))
        yield "KA-44", True

    # -------------------------------------------------------------------------------------------- report, what all know

    @override
    def utterances(self, s: S, me: int, move: int, before: S) -> Utterances:
        if verb_of(move) == CALL:
            upcard = sign(before.discards[before.thrown - 1])
            asked = sentence("{player}, the {card}?", player=PlayerAt(before.active), card=upcard)
            yield Utterance(me, "call", asked)
        else:
            yield from super().utterances(s, me, move, before)
        if s.down[me] and not before.down[me] and verb_of(move) == LAY:
            yield Utterance(me, "declare", "I am down")
            yield Utterance(me, "highlight", "Down!")
        if s.active == NOBODY and s.last_out == me:  # KA-49
            yield Utterance(me, "close", "I am out")
            yield Utterance(me, "highlight", "Out!")

    @override
    def report(self, s: S) -> dict[str, Any]:
        last = {"how": HOW[s.last_how], "out": reported(s, "last_out"), "points": reported(s, "last_counted")}
        return {
            **fields_told(s, "contract", "attempt", "active", "caller", "down", "calls", "turns"),
            "upcard": text(s.discards[s.thrown - 1]) if s.thrown else None,
            "last": last if s.last_how else None,
            "need": [self.need_threes[s.contract], self.need_fours[s.contract]],
            "left": [s.threes, s.fours] if self.laying(s) else None,
            "discards": list(map(text, s.discards[: s.thrown])),
            "melds": [self.meld_told(number, meld) for number, meld in enumerate(s.melds[: s.laid], 1)],
        }

    def meld_told(self, number: int, meld: int) -> dict[str, Any]:
        kind = "four" if is_four(meld) else "three"
        return {"id": number, "owner": owner_of(meld), "kind": kind, "cards": list(map(text, meld_cards(meld)))}

    @override
    def table_cards(self, s: S) -> list[Card]:
        return [c for meld in s.melds[: s.laid] for c in meld_cards(meld)]

    @override
    def new_stock(self, s: S, sizes: Sequence[int], notices: Sequence[Any]) -> NewStock | None:
        """KA-24: replay everything since the reshuffle with jokers instead of the hidden cards. The result is the same
        because it depends only on the cards that everybody sees."""
        again, stock = s.copy(), s.discards[: s.thrown - 1]
        for seat in range(s.players):
            seen = SHOWN.cards(s, seat)
            HAND.put(again, seat, seen + [JOKER] * (sizes[seat] - len(seen)))
        hidden_then = self.hidden_cards(again)
        happened: list[tuple[int, Card]] = []
        for notice in notices:
            hidden = self.hidden_cards(again)
            if notice.seat is None:
                self.reshuffle(again, [JOKER] * len(stock))
            else:
                gone = self.gone_from_hidden(again, notice.seat, notice.move)
                hidden[notice.seat] -= len(gone)
                happened += [(notice.seat, c) for c in gone]
                self.apply(again, notice.seat, notice.move)
            if again.active == NOBODY:
                return None
            for seat, number in enumerate(self.hidden_cards(again)):
                happened += [(seat, NO_CARD)] * (number - hidden[seat])
        return NewStock(Counter(stock), hidden_then, happened)

    def hidden_cards(self, s: S) -> list[int]:
        """The number of cards in each hand that are not known to everybody, by seat."""
        return [HAND.size(s, seat) - SHOWN.size(s, seat) for seat in range(s.players)]

    def gone_from_hidden(self, s: S, seat: int, move: int) -> list[Card]:
        """The cards that a move shows to have been in a hand. In the state, they replace as many of the hand's
        jokers."""
        if verb_of(move) == HOLD:  # KA-50
            return [JOKER] * (s.jokers[seat] - s.shown_jokers[seat])
        numbers = {LAY: items_of(move), TACK: 1, DISCARD: 1}
        named = [item(move, i) for i in range(numbers.get(verb_of(move), 0))]
        gone = [*(Counter(named) - Counter(SHOWN.cards(s, seat))).elements()]
        for c in gone:
            if c != JOKER:
                s.jokers[seat] -= 1
                gain(s, seat, c, False)
        return gone

    @override
    def consistent(self, s: S, me: int) -> bool:
        """KA-39: whether the active player, in the middle of a contract, can lay the rest of it."""
        if not self.laying(s):
            return True
        who = s.active
        suits, ranks = self.barred(s, who)
        distinct = self.threes == DISTINCT
        return all_fit(s.hand[who], s.twice[who], s.jokers[who], s.threes, s.fours, suits, distinct, ranks)

    # ------------------------------------------------------------------------------------------------------------ scene

    @override
    def objective(self, s: S, me: int) -> str:
        return "go out"

    @override
    def meets_objective(self, s: S, me: int, before: S) -> bool:
        return s.last_out == me

    @override
    def scene(self, s: S, seat: int | None) -> Scene:
        """KA-56, KA-57."""
        zones = []
        if s.deals:
            zones.append(Zone("stock", "stock", "Stock", count=s.left))
            zones.append(Zone("upcard", "discard", "Upcard", tuple(s.discards[: s.thrown])))
        for number, meld in enumerate(s.melds[: s.laid], 1):
            cards, owner = tuple(meld_cards(meld)), owner_of(meld)
            zones.append(Zone(f"meld-{number}", "meld", str(number), cards, owner=owner, number=number))
        need = self.in_words(self.need_threes[s.contract], self.need_fours[s.contract])
        message = "Contract {number} of {last}: {melds}"
        contract = sentence(message, number=s.stage + 1, last=self.stages, melds=need)
        return Scene(
            facts(contract, sentence("attempt {attempt}", attempt=s.attempt) if s.attempt > 1 else ""),
            self.prompt(s),
            zones,
            [self.marks(s, who) for who in range(s.players)],
            table=self.contract_laid(s, seat),
            counts=True,
            target="meld-{number}",
            result=self.result(s),
            finished=self.finished(s),
        )

    def contract_laid(self, s: S, seat: int | None) -> list[Mark]:
        """The melds of the contract that a seat has laid, of those that it must lay."""
        down = seat is not None and s.down[seat]
        laying = self.laying(s) and s.active == seat
        return [
            Mark(label, need if down else need - left if laying else 0, role, need)
            for label, role, need, left in (
                (sentence("Threes"), "three", self.need_threes[s.contract], s.threes),
                (sentence("Fours"), "four", self.need_fours[s.contract], s.fours),
            )
            if need
        ]

    def in_words(self, threes: int, fours: int) -> Sentence:
        """The melds of a contract: "two threes and one four"."""
        melds = []
        if threes:
            melds.append(sentence("{word} three", "{word} threes", n=threes, word=number_word(threes)))
        if fours:
            melds.append(sentence("{word} four", "{word} fours", n=fours, word=number_word(fours)))
        return listed(melds)

    def marks(self, s: S, seat: int) -> list[Mark]:
        marks = [Mark("Down", "yes", "down")] if s.down[seat] else []
        if self.calls:
            marks.append(Mark("Calls", sentence("{number} of {most}", number=s.calls[seat], most=self.calls)))
        if s.points[seat]:
            marks.append(Mark("Points", s.points[seat], "points"))
        return marks

    def prompt(self, s: S) -> str:
        if s.phase == CALLING and s.calls[lowest(s.to_act)] == self.calls:  # KA-21
            return your_turn("pass, or call in vain for a fine of {fine}", fine=self.fine)
        if s.phase == PLAY:
            if self.laying(s):
                rest = self.in_words(s.threes, s.fours)
                return your_turn("lay the rest of the contract: {melds}", melds=rest)
            if s.down[s.active] and s.hand[s.active] == 0:  # only jokers are left: KA-50
                return your_turn("tack a joker on, or end your turn if none fits")
            if s.down[s.active]:
                return your_turn("lay and tack on what you like, then discard")
        return PROMPTS.get(s.phase, "")

    @override
    def aftermath(self, s: S, me: int, move: int, before: S) -> str:
        """KA-21: a call too many, which is fined."""
        fined = verb_of(move) == CALL and before.calls[me] == self.calls
        return (
            sentence("{player} has no call left and is fined {fine}", player=PlayerAt(me), fine=self.fine)
            if fined
            else ""
        )

    def result(self, s: S) -> list[Sentence]:
        if s.last_how == THROWN:
            dropped = s.attempt == 1 or s.phase == DONE
            nothing = sentence("The deal is thrown out and scores nothing")
            return [nothing, sentence("The contract is dropped")] if dropped else [nothing]
        if s.last_out == NOBODY:
            return []
        message = "{player} goes out and bends the table" if s.last_how == BENT else "{player} goes out"
        counted = [(PlayerAt(seat), s.last_counted[seat]) for seat in range(s.players)]
        points = [sentence("{player} {points}", player=player, points=points) for player, points in counted]
        out = sentence(message, player=PlayerAt(s.last_out))
        return [out, sentence("Points: {points}", points=joined_by(", ", points))]

    def finished(self, s: S) -> list[list[Mark]]:
        out = Mark("Out", sentence("bent the table" if s.last_how == BENT else "yes"))
        return [
            [Mark("Points", s.last_counted[seat], "points"), *[out] * (seat == s.last_out)] for seat in range(s.players)
        ]
