"""Cinch for people: the clauses of refusals, the report, and the table."""

from upcard.rules import *

from .rules import *


class CinchWords(CinchRules[S]):
    """The refusals, the report and the table of Cinch, and what everybody knows of the hidden cards."""

    why = {
        "CI-9": "A bid is higher than every bid before it, at least {min_bid} and at most {all_points}",
        "CI-15": "Whoever has {size + 1:word} trumps or more keeps {size:word} of them and throws the rest",
        "CI-19": "You take back cards that you threw, one at a time, until you hold {size:word}",
        "CI-20": "You can take only cards that are still in the stub",
        "CI-25": "The first lead of the deal must be a trump",
        "CI-26": "You play one card of your own hand to each trick",
        "CI-27": "A trump is led and you have one, so you must play a trump",
        "CI-28": "You can follow suit or play a trump, so you must do one or the other",
    }

    speech = {
        MAKE: Speech("bid", "{0}"),
        NAME: Speech("call", "{0}"),
    }

    @override
    def refusal(self, s: S, me: int, attempt: Attempt) -> Reasons:
        """The clauses that a move may break, in the order of part 3 of the page; CI-47 for everything else."""
        yield "CI-47", not acts(s, me)
        if s.phase == PLAY and attempt.verb == MOVES.play and attempt.items is not None:
            yield "CI-26", not s.hand[me] >> attempt.card & 1
            yield "CI-25", me == s.leader  # option `lead_trump`
            yield "CI-27", s.led == s.trumps
            yield "CI-28", True
        takes = attempt.verb == TAKE and len(attempt.words) == 1
        yield "CI-9", s.phase == BID and attempt.verb == MAKE and attempt.items is not None
        yield "CI-15", s.phase == DISCARD and attempt.verb == THROW
        yield "CI-19", s.phase == RECALL and takes
        yield "CI-20", s.phase == ROB and takes

    # ----------------------------------------------------------------------------------------------------- hidden cards

    @override
    def known_counts(self, s: S) -> list[KnownCount]:
        """CI-13, CI-14, CI-19, CI-24: everybody's knowledge of hidden cards once trumps are named."""
        if s.trumps == 0:
            return []
        plain = self.pack & ~s.trumps
        known = [KnownCount("stub", NOBODY, self.stub, plain)] if s.robber != NOBODY and s.phase == PLAY else []
        for seat in range(SEATS):
            known += [
                KnownCount("hand", seat, s.kept[seat], s.trumps, count(s.played[seat] & s.trumps)),
                KnownCount("hand", seat, s.recalled[seat], plain, count(s.played[seat] & plain)),
                KnownCount("discards", seat, count(self.pack), plain),
            ]
        return known

    @override
    def complete(self, s: S, me: int, rng: Rng) -> None:
        """Fill in the order of the stub, and whether the dealer robbed a card that does not score. The dealer robbed
        all plain cards that it holds, and any trumps beyond those kept."""
        stub = s.stub | s.left
        while stub:
            one = any_card(rng, stub)
            s.order[self.stub - count(stub)] = one
            stub ^= bit(one)
        if me != s.robber and (s.phase == ROB or self.tells_of_waste(s)):
            dealer = s.robber
            held = s.hand[dealer] | s.played[dealer]
            robbed = held & ~any_cards(rng, held & s.trumps, s.kept[dealer])
            s.wasteful[dealer] = int(robbed & ~self.scoring(s) != 0)

    def tells_of_waste(self, s: S) -> bool:
        """CI-23: whether the charge shows everybody if the dealer robbed a card that does not score."""
        defends = s.robber != NOBODY and not self.same_side(s.robber, s.declarer)
        return s.phase == PLAY and defends and self.bury == COUNTED and s.left & self.scoring(s) != 0

    @override
    def consistent(self, s: S, me: int) -> bool:
        """CI-23, CI-43: whether the declarers' points agree with the cards that the dealer robbed in this world."""
        return not self.tells_of_waste(s) or (s.wasteful[s.robber] != 0) == (s.left & s.credited != 0)

    # ----------------------------------------------------------------------------------------------------------- report

    def points_won(self, s: S) -> list[int]:
        """The points of the cards in the tricks that each side has taken so far, by seat."""
        return [self.value_of(s, self.won_by(s, seat)) for seat in range(SEATS)]

    @override
    def utterances(self, s: S, me: int, move: int, before: S) -> Utterances:
        yield from super().utterances(s, me, move, before)
        if deals_over(s) > deals_over(before) and before.declarer != NOBODY and s.last_bid:
            is_made, bid = s.last_points[before.declarer] >= s.last_bid, number_word(s.last_bid)
            ended = sentence("{bid} made!", bid=bid) if is_made else sentence("{bid} missed!", bid=bid)
            yield Utterance(before.declarer, "highlight", capital(ended))

    @override
    def report(self, s: S) -> dict[str, Any]:
        seats = [(s.dealer + 1 + i) % SEATS for i in range(SEATS)]
        bids = [(seat, s.bids[seat]) for seat in seats if s.bids[seat] != NO_BID]
        return {
            "points": self.points_won(s),
            "last": last_told(s, "dealer", "declarer", "bid", "trump", "points", "gained"),
            "bids": [f"{seat} {number or 'pass'}" for seat, number in bids],
            "bid": s.bid if bids else None,
            "declarer": None if s.phase == BID else reported(s, "declarer"),
            "stub": [text(one) for one in s.order[:] if one != NO_CARD and (s.stub | s.left) >> one & 1],
            "dead": [f"{seat} {text(one)}" for seat in seats for one in as_list(s.dead[seat])],
            **fields_told(s, "left", "credited"),
        }

    # ------------------------------------------------------------------------------------------------------------ scene

    @override
    def objective(self, s: S, me: int) -> str:
        if s.phase == BID:
            return super().objective(s, me)
        return "make your bid" if self.same_side(me, s.declarer) else "break the others' bid"

    @override
    def meets_objective(self, s: S, me: int, before: S) -> bool:
        if before.phase == BID:
            return super().meets_objective(s, me, before)
        is_made = s.last_points[s.last_declarer] >= s.last_bid
        return is_made == self.same_side(me, s.last_declarer)

    @override
    def scene(self, s: S, seat: int | None) -> Scene:
        """CI-43 to CI-46."""
        named = s.trump != NO_SUIT
        return Scene(
            facts(
                sentence("Deal {n}", n=s.deals),
                sentence("to {target}", target=self.target),
                trump_fact(s.trump),
                sentence("contract {bid}", bid=s.bid) if named else "",
            ),
            self.prompt(s),
            self.zones(s, seat),
            self.marks(s),
            sides=(0, 1, 0, 1),
            result=self.result(s),
            finished=[self.finished(s, who) for who in range(SEATS)],
            trumps=self.left_pedro(s.trump) if named else 0,
        )

    def prompt(self, s: S) -> str:
        least = self.least_bid(s)
        missing = self.size - count(s.hand[lowest(s.to_act)]) if s.to_act else 0
        to_trumps = s.led == s.trumps
        if s.phase == BID:
            possible = least <= self.all_points
            return your_turn("bid at least {least} or pass", least=least) if possible else your_turn("pass")
        if s.phase == DISCARD:
            return your_turn("throw away {number} of your trumps", number=-missing)
        if s.phase == RECALL:
            return your_turn("take back {number} of the cards that you threw away", number=missing)
        if s.phase == ROB:
            return your_turn("take {number} more from the stub", number=missing)
        if s.phase == PLAY and s.in_trick:
            return your_turn("play a trump if you can" if to_trumps else "follow suit or play a trump if you can")
        if s.phase == PLAY:
            return your_turn("lead a trump if you can" if to_trumps else "lead any card")
        return your_turn("name the trump suit") if s.phase == TRUMP else ""

    def marks(self, s: S) -> list[list[Mark]]:
        """The marks of each seat."""
        bids = [{NO_BID: "–", PASSED: sentence("pass")}.get(bid, bid) for bid in s.bids[:]]
        if s.trump == NO_SUIT:
            return [[Mark("Bid", bids[who], "out" if s.bids[who] == PASSED else "bid")] for who in range(SEATS)]
        points = self.points_won(s)
        return [
            [
                Mark("Contract", s.bid, "maker") if who == s.declarer else Mark("Bid", bids[who], "bid"),
                Mark("Points", points[who], "points", self.all_points),
                Mark("Tricks", s.tricks[who]),
                Mark("Threw", self.dealt - s.kept[who]),
                Mark("Drew", s.drawn[who], "drew"),
            ]
            for who in range(SEATS)
        ]

    def zones(self, s: S, seat: int | None) -> list[Zone]:
        face_down = self.stub - sum(s.drawn[:]) - count(s.left)
        rows = [
            self.row("left", sentence("Trumps left"), s.left),
            *(self.row(f"dead-{who}", sentence("Trumps thrown away"), s.dead[who], who) for who in range(SEATS)),
            self.row("credited", sentence("For the declarers"), s.credited),
        ]
        if seat is not None:
            rows.append(self.row("discards", sentence("You threw away"), s.discards[seat], seat))
        if seat is not None and seat == s.robber:
            rows.insert(0, self.row("stub", sentence("Stub" if s.phase == ROB else "You left"), s.stub))
        elif face_down and s.phase not in (DUE, DONE):
            rows.insert(0, Zone("stub", "stock", "Stub", count=face_down))
        return [zone for zone in rows if zone.cards or zone.count]

    def row(self, name: str, label: str, cards: Cards, owner: int | None = None) -> Zone:
        return Zone(name, "row", label, tuple(as_list(cards)), owner=owner)

    @override
    def aftermath(self, s: S, me: int, move: int, before: S) -> str:
        """CI-13 to CI-18: the number of cards that each player has thrown away and drawn."""
        verb = verb_of(move)
        robs = verb == TAKE and s.robber != NOBODY
        lines = []
        if verb == NAME:
            numbers = self.by_name([self.dealt - trumps for trumps in s.kept[:]])
            lines.append(sentence("thrown: {numbers}", numbers=numbers))
        if verb in (NAME, THROW, TAKE) and s.phase in (ROB, PLAY) and any(s.drawn[:]) and not robs:
            lines.append(sentence("drawn: {numbers}", numbers=self.by_name(s.drawn[:])))
        return capital(joined_by("; ", lines))

    def by_name(self, numbers: list[int]) -> Sentence:
        drawn = [(PlayerAt(seat), number) for seat, number in enumerate(numbers) if number]
        return joined_by(
            ", ", [sentence("{player} {number}", player=player, number=number) for player, number in drawn]
        )

    def result(self, s: S) -> list[Sentence]:
        declarer = s.last_declarer
        if declarer == NOBODY:
            return [sentence("All pass: the deal is thrown in")]
        bid, ours, theirs = s.last_bid, s.last_points[declarer], s.last_points[declarer ^ 1]
        one = "{player} named {suit} without a bid: {n} point against {theirs}"
        many = "{player} named {suit} without a bid: {n} points against {theirs}"
        if bid and ours >= bid:
            one = "{player} and {partner} bid {bid} with {suit} and made it: {n} point against {theirs}"
            many = "{player} and {partner} bid {bid} with {suit} and made it: {n} points against {theirs}"
        elif bid:
            one = "{player} and {partner} bid {bid} with {suit} and missed it: {n} point against {theirs}"
            many = "{player} and {partner} bid {bid} with {suit} and missed it: {n} points against {theirs}"
        places = {"suit": SUIT_NAMES[s.last_trump], "n": ours, "theirs": theirs}
        if bid:
            places |= {"partner": PlayerAt(self.partner_of(declarer)), "bid": bid}
        lines = [sentence(one, many, player=PlayerAt(declarer), **places)]
        for side in (0, 1):
            if gained := s.last_gained[side]:
                both, message = [PlayerAt(side), PlayerAt(side + 2)], "{players} score {points}"
                if gained < 0:
                    message = "{players} lose {points}"
                lines.append(sentence(message, players=both, points=abs(gained)))
        return lines if len(lines) > 1 else [*lines, sentence("Nobody scores")]

    def finished(self, s: S, seat: int) -> list[Mark]:
        marks = [Mark("Points", s.last_points[seat], "points"), Mark("Scored", s.last_gained[seat])]
        return marks + [Mark("Contract", s.last_bid, "bid")] * (seat == s.last_declarer)
