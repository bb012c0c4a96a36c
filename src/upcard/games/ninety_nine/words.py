"""Ninety-Nine for people: the clauses of refusals, inference, the report, and the table."""

from upcard.rules import *

from .rules import *

SHOWN_OFFERS = [sentence("none"), sentence("pass"), sentence("declare"), sentence("reveal")]
"""The words of OFFERS for people."""


class NinetyNineWords(NinetyNineRules[S]):
    """The texts of Ninety-Nine, and the knowledge that a seat has of hidden cards."""

    why = {
        "NN-11": "A bid is three different cards of your hand",
        "NN-18": "Once somebody has declared, you can only reveal or pass",
        "NN-20": "With two players nobody may reveal",
        "NN-24": "The card must be in the hand that plays now",
        "NN-25": "Whoever can follow suit must",
        "NN-28": "Whose hand a card comes from is fixed: the leader’s, the other player’s, then the dummy’s",
        "NN-29": "The dummy leads: you or the other player choose its card, then both play from their own hands",
    }

    speech = {
        DECLARE: Speech("declare", "I declare my bid"),
        REVEAL: Speech("declare", "I reveal my bid and my hand"),
    }

    @override
    def refusal(self, s: S, me: int, attempt: Attempt) -> Reasons:
        """The clauses that a move may break, in the order of the paragraph "Which clause a refused event names"."""
        yield "NN-52", not acts(s, me)
        if s.phase == BIDDING:
            yield "NN-11", attempt.verb == BID
        elif s.phase == PREMIUM and attempt.items is not None:
            yield "NN-20", attempt.verb == REVEAL and s.players == 2
            yield "NN-18", attempt.verb in (DECLARE, REVEAL)
        elif attempt.items is not None and (
            attempt.verb == MOVES.play or (attempt.verb == FROM_DUMMY and s.players == 2)
        ):
            wrong_hand = (attempt.verb == FROM_DUMMY) != self.is_dummy(s, s.turn)
            yield "NN-29", wrong_hand and self.is_dummy(s, s.leader)
            yield "NN-28", wrong_hand
            yield "NN-25", s.hand[s.turn] >> attempt.card & 1
            yield "NN-24", True

    # ----------------------------------------------------------------------------------------- what a seat can work out

    def in_hands(self, s: S) -> Cards:
        """The cards that were dealt: all but the upcard."""
        return self.whole_pack() & ~(0 if s.upcard == NO_CARD else bit(s.upcard))

    @override
    def complete(self, s: S, me: int, rng: Rng) -> None:
        """Fill in the cards of the dummy that nobody sees yet (NN-50): those left after the seats have theirs."""
        if s.players > 2 or s.deals == 0:
            return
        seen = s.played
        for hand in range(self.hands(s)):
            seen |= s.hand[hand] | s.bid[hand]
        left = self.in_hands(s) & ~seen
        if s.bid[DUMMY] == 0:
            s.bid[DUMMY] = any_cards(rng, left, 3)
            left ^= s.bid[DUMMY]
        if s.hand[DUMMY] == 0:
            s.hand[DUMMY] = any_cards(rng, left, min(self.dummys_cards(s), count(left)))

    def dummys_cards(self, s: S) -> int:
        """The number of cards that the dummy holds, seen or not: NN-50."""
        return count(self.pack) // self.hands(s) - 3 if s.phase in (BIDDING, PREMIUM) else count(s.hand[DUMMY])

    @override
    def consistent(self, s: S, me: int) -> bool:
        """Option `show`: whether the bid of every player who has failed differs from the tricks won."""
        if s.deals == 0 or (s.phase != DUE and s.phase != DONE):
            return True
        for seat in range(s.players):
            if not among(s.last_made, seat) and self.tricks_bid(s, s.bid[seat]) == s.tricks[seat]:
                return False
        return True

    # ------------------------------------------------------------------------------------------------- report and table

    @override
    def trick(self, s: S) -> list[tuple[int, Card]]:
        """The cards played, each with its seat; the dummy's number is the one after the last seat's."""
        played: list[tuple[int, Card]] = []
        hand = s.leader
        while len(played) < count(s.in_trick):
            played.append((hand, s.card[hand]))
            hand = self.plays_after(s, hand)
        return played

    def who(self, s: S, hand: int) -> int | str | None:
        return None if hand == NOBODY else "dummy" if self.is_dummy(s, hand) else hand

    def texts(self, cards: Cards) -> list[str]:
        return list(map(text, as_list(cards)))

    @override
    def utterances(self, s: S, me: int, move: int, before: S) -> Utterances:
        yield from super().utterances(s, me, move, before)
        for seat in seats_of(everybody(s.players)):
            if before.phase == PREMIUM and s.bid[seat] and not before.bid[seat]:  # NN-21
                yield Utterance(seat, "bid", capital(number_word(self.tricks_bid(s, s.bid[seat]))))
        if deals_over(s) > deals_over(before):
            for seat in seats_of(s.last_made & everybody(s.players)):
                yield Utterance(seat, "highlight", "Bid made!")

    @override
    def report(self, s: S) -> dict[str, Any]:
        rows, seats = self.hands(s), range(s.players)
        last = {
            "bids": s.last_bids[:rows],
            "tricks": s.last_tricks[:rows],
            "made": [among(s.last_made, hand) for hand in range(rows)],
            "gain": s.last_gain[:rows],
        }
        dummy = {"hand": self.texts(s.hand[DUMMY]), "bid": self.texts(s.bid[DUMMY]), "tricks": s.tricks[DUMMY]}
        return {
            "trick": [[self.who(s, hand), text(card)] for hand, card in self.trick(s)],
            "leader": self.who(s, s.leader),
            "points": reported(s, "last_gain" if s.phase in (DUE, DONE) else "tricks"),
            "last": last if deals_over(s) else None,
            "bids": [self.texts(s.bid[seat]) or None for seat in seats],
            "offers": [OFFERS[s.offers[seat]] if s.offers[seat] else None for seat in seats],
            "premium": [OFFERS[s.premium[seat]] if s.premium[seat] else None for seat in seats],
            "dummy": dummy if s.players == 2 else None,
            **fields_told(s, "game_no", "game_points", "bonuses"),
        }

    @override
    def objective(self, s: S, me: int) -> str:
        return "make your bid"

    @override
    def meets_objective(self, s: S, me: int, before: S) -> bool:
        return among(s.last_made, me)

    @override
    def scene(self, s: S, seat: int | None) -> Scene:
        """NN-48 to NN-51."""
        last_bids = [sentence("secret") if bid == NO_BID else bid for bid in s.last_bids[:]]
        for_bids = as_list(self.in_hands(s)) if s.phase == BIDDING else []
        return Scene(
            self.headline(s),
            self.prompt(s),
            self.zones(s) if s.deals else [],
            [self.marks_of(s, seat) for seat in range(s.players)],
            table=[Mark(SUIT_SIGNS[suit], self.value[suit], "suit") for suit in (CLUBS, HEARTS, SPADES, DIAMONDS)],
            result=self.result(s),
            finished=by_seat(
                s,
                Mark("Bid", last_bids, "bid"),
                Mark("Tricks", s.last_tricks, "tricks"),
                Mark("Points", s.last_gain, "points"),
            ),
            worth={card: self.tricks_bid(s, bit(card)) for card in for_bids},
        )

    def headline(self, s: S) -> Sentence:
        deal = sentence("Round {n}", n=s.deals)
        if self.match == ROUNDS:
            deal = sentence("Round {round} of {last}", round=s.deals, last=self.rounds)
        number = sentence("Game {n}", n=s.game_no) if self.match == GAMES else ""
        return facts(number, deal, (trump_fact(s.trump) or sentence("no trumps")) if s.deals else "")

    def prompt(self, s: S) -> str:
        if s.phase == BIDDING:
            worths = sorted(((self.value[suit], name) for suit, name in enumerate(SUIT_NAMES)), reverse=True)
            suits = listed([sentence("{suit} are {tricks}", suit=suit, tricks=tricks) for tricks, suit in worths])
            return your_turn("bid with three cards: {suits}", suits=suits)
        if s.phase == PREMIUM:
            if s.players == 2:
                return your_turn("declare your bid, or pass")
            if DECLARED in s.offers[:]:  # NN-18
                return your_turn("reveal your bid and your hand, or pass")
            return your_turn("declare your bid, reveal your hand too, or pass")
        if s.phase != PLAY:
            return ""
        out_of_dummy = self.is_dummy(s, s.turn)
        if s.led == 0:
            return your_turn("lead a card from the dummy" if out_of_dummy else "lead a card")
        message = "follow {led} from the dummy if it can" if out_of_dummy else "follow {led} if you can"
        return your_turn(message, led=sign(self.face(s, s.card[s.leader])))

    def zones(self, s: S) -> list[Zone]:
        shown = []
        if s.upcard != NO_CARD:
            shown.append(Zone("upcard", "upcard", "Upcard", (s.upcard,)))
        if s.players == 2:
            label = sentence("Dummy, {n} trick", "Dummy, {n} tricks", n=s.tricks[DUMMY])
            shown.append(Zone("dummy", "dummy", label, tuple(as_list(s.hand[DUMMY])), count=self.dummys_cards(s)))
        for hand in range(self.hands(s)):
            if s.bid[hand]:
                message = "Dummy: bid {bid}" if self.is_dummy(s, hand) else "Bid {bid}"
                label = sentence(message, bid=self.tricks_bid(s, s.bid[hand]))
                owner = None if self.is_dummy(s, hand) else hand
                shown.append(Zone(f"bid-{hand}", "aside", label, tuple(as_list(s.bid[hand])), owner=owner))
        return shown

    def has_bid(self, s: S, seat: int) -> bool:
        """Whether a seat has laid three cards aside, seen or not."""
        return s.deals > 0 and not (s.phase == BIDDING and acts(s, seat))

    def marks_of(self, s: S, seat: int) -> list[Mark]:
        secret = sentence("secret") if self.has_bid(s, seat) else "–"
        marks = [
            Mark("Bid", self.tricks_bid(s, s.bid[seat]) if s.bid[seat] else secret, "bid"),
            Mark("Tricks", s.tricks[seat], "tricks"),
        ]
        if self.premiums == YES:
            marks.append(Mark("Offer", self.offered(s, seat), "declared"))
        if self.match == GAMES:
            marks += [Mark("Game", s.game_points[seat]), Mark("Bonuses", s.bonuses[seat])]
        return marks

    def offered(self, s: S, seat: int) -> str:
        if s.offers[seat] == NOT_ASKED:
            return "–"
        beaten = s.offers[seat] == DECLARED and s.premium[seat] == NOT_ASKED and s.phase != PREMIUM
        return sentence("beaten") if beaten else SHOWN_OFFERS[s.offers[seat]]

    def result(self, s: S) -> list[Sentence]:
        """The part of the outcome that the marks of the finished round do not show: the bids made, premiums, the
        dummy."""
        makers = [hand for hand in range(self.hands(s)) if among(s.last_made, hand)]
        named = [sentence("the dummy") if self.is_dummy(s, hand) else PlayerAt(hand) for hand in makers]
        lines = [made_bids(named, self.hands(s))]
        for seat in range(s.players):
            if s.last_premium[seat] != NOT_ASKED:
                message = "{player} declared and made it" if seat in makers else "{player} declared and missed it"
                if s.last_premium[seat] == REVEALED:
                    message = "{player} revealed and made it" if seat in makers else "{player} revealed and missed it"
                lines.append(sentence(message, player=PlayerAt(seat)))
        if s.players == 2:
            bid, tricks, gain = s.told_bids[DUMMY], s.last_tricks[DUMMY], s.last_gain[DUMMY]
            message = "The dummy bid {bid} and took {tricks}: {points}"
            lines.append(sentence(message, bid=bid, tricks=tricks, points=gain))
        return lines + [
            sentence("{player} wins the game bonus", player=PlayerAt(seat)) for seat in seats_of(s.game_won)
        ]
