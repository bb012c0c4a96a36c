"""Roundup! for people: the clauses of refusals, the report, and the table."""

from upcard.rules import *

from .rules import *

VERBS_IN = {BID: (LAY,), TIE: (SHOW,), GIVE: (GIVE_UP,)}
WEAPONS = {JACK_AT: JACK, QUEEN_AT: QUEEN, KING_AT: KING}
VERBS_IN_TURN = (MOVES.play, PASS, FREE_PASS, STOP, *WEAPONS)
ACE_LOW = ranking("K Q J T 9 8 7 6 5 4 3 2 A")
STACKS = {
    (suit, closed): capital(sentence("{suit}, closed" if closed else "{suit}", suit=name))
    for suit, name in enumerate(SUIT_NAMES)
    for closed in (False, True)
}
"""The names of the stacks, by suit and whether they are closed."""
FROM_ACE = sorted(range(52), key=lambda card: (-suit_of(card), ACE_LOW[rank_of(card)]))
"""The cards in their order on the table: suit by suit, from the ace up."""
RANK_TOLD = {ACE: sentence("ace"), TEN: "10"}


CHOICES = {
    (True, True, True): your_turn("play a card that fits, use a face card, or pass with a number card"),
    (True, True, False): your_turn("play a card that fits, use a face card, or pass with a face card"),
    (True, False, True): your_turn("play a card that fits, or pass with a number card"),
    (True, False, False): your_turn("play a card that fits, or pass with a face card"),
    (False, True, True): your_turn("use a face card, or pass with a number card"),
    (False, True, False): your_turn("use a face card, or pass with a face card"),
    (False, False, True): your_turn("pass with a number card"),
    (False, False, False): your_turn("pass"),
}
"""The prompts of a turn, by whether the player holds a card that fits, a face card, and a number card."""


class RoundupWords(RoundupRules[S]):
    """The refusals, the report and the table of Roundup!, and the parts of a world that players cannot see."""

    why = {
        "RU-8": "You bid with a number card that lies face down in your hand",
        "RU-15": "Only a number card can be shown",
        "RU-20": "This card does not fit: it must be the next one of its suit’s stack",
        "RU-22": "One of your face-up cards fits, so you must play from those",
        "RU-24": "Between two face-up cards of a turn you go on with another that fits, or stop",
        "RU-28": "A pass costs a number card from your face-down hand",
        "RU-29": "You hold face cards only, so a pass costs one of these",
        "RU-30": "Your face-down hand is empty, so all that you can do is pass",
        "RU-31": "A face card is used at another player; it is never put on a stack",
        "RU-32": "A face card is used at another player, with one of those that you hold",
        "RU-36": "You are asked for a card of the suit that was named",
        "RU-37": "You are asked for a card of the rank that was named",
        "RU-53": "This card is not one of yours that can be used now",
    }

    speech = {
        LAY: Speech("bid", "{0}"),
        SHOW: Speech("bid", "{0}"),
        JACK_AT: Speech("attack", "{1}, any card"),
        QUEEN_AT: Speech("attack", "{1}, one of your {2}"),
        PASS: Speech("pass", "Pass"),
        STOP: Speech("close", "I stop"),
        GIVE_UP: None,
    }

    @override
    def refusal(self, s: S, me: int, attempt: Attempt) -> Reasons:
        """The clauses that a move may break, in the page's order."""
        yield "RU-51", s.phase in (DUE, LOT, DONE) or not self.readable(s, attempt)
        yield "RU-52", not acts(s, me)
        named = as_set(attempt.items[:1]) if attempt.items else 0
        yield "RU-53", named & ~(s.hand[me] | (s.face_up[me] if s.phase in (PLAY, MORE) else 0))
        yield "RU-8", s.phase == BID
        yield "RU-15", s.phase == TIE
        yield "RU-36", s.phase == GIVE and rank_of(s.weapon) == QUEEN
        yield "RU-37", s.phase == GIVE
        from_face_up = attempt.verb == MOVES.play and s.face_up[me] & named
        yield "RU-20", s.phase == MORE and from_face_up
        yield "RU-24", s.phase == MORE or attempt.verb == STOP
        yield "RU-22", s.face_up[me] & s.fits and not from_face_up
        yield "RU-20", attempt.verb == MOVES.play and named & self.number_cards
        yield "RU-31", attempt.verb == MOVES.play
        yield "RU-32", attempt.verb in WEAPONS
        yield "RU-28", s.hand[me] & self.number_cards
        yield "RU-29", s.hand[me]
        yield "RU-30", True

    def readable(self, s: S, attempt: Attempt) -> bool:
        """RU-51: whether a text is a move of this phase."""
        if attempt.items is None or attempt.verb not in VERBS_IN.get(s.phase, VERBS_IN_TURN):
            return False
        if attempt.items[:1] == (JOKER,):
            return False
        if attempt.verb not in WEAPONS:
            return True
        known = rank_of(attempt.items[0]) == WEAPONS[attempt.verb] and attempt.items[1] < s.players
        return known and (attempt.verb != KING_AT or self.value[attempt.items[2]] > 0)

    # ----------------------------------------------------------------------------------------------------------- worlds

    def chosen_in_secret(self, s: S, seat: int) -> bool:
        """Whether, in a view, this seat has made a bid or chosen a card that is still hidden: RU-7, RU-13."""
        if s.phase == BID:  # everybody knows who does not bid, RU-9
            return s.bids[seat] == NO_CARD and not acts(s, seat) and s.lacks[seat] != self.number_cards
        return s.phase == TIE and s.shows[seat] == NO_CARD and not acts(s, seat) and among(s.tied, seat)

    @override
    def complete(self, s: S, me: int, rng: Rng) -> None:
        """Fill in the bids and chosen cards that `me` cannot see yet, with any possible ones."""
        for seat in range(s.players):
            choices = s.hand[seat] & self.number_cards
            if choices and self.chosen_in_secret(s, seat):
                chosen = any_card(rng, choices)
                if s.phase == BID:
                    s.bids[seat] = chosen
                else:
                    s.shows[seat] = chosen

    @override
    def consistent(self, s: S, me: int) -> bool:
        """Whether every player who is asked for a card, or was until all had chosen, has one: RU-9, RU-16, RU-38."""
        if s.phase == GIVE:
            return s.hand[s.target] & self.demanded(s) != 0
        for seat in range(s.players):
            asked = (s.phase == BID and s.lacks[seat] == 0) or (s.phase == TIE and among(s.tied, seat))
            if asked and s.hand[seat] & self.number_cards == 0:
                return False
        return True

    @override
    def hypotheses(self, s: S, me: int) -> list[Hypothesis]:
        """RU-16: hypotheses about which of the seats that could not continue have no number card face down."""
        nothing = (0,) * s.players
        stuck = seats_of(s.stuck)
        if not stuck or (me in stuck and not s.hand[me] & self.number_cards):
            return [Hypothesis(nothing, nothing)]
        return [
            Hypothesis(nothing, tuple(self.number_cards if seat == one else 0 for seat in range(s.players)))
            for one in stuck
            if one != me
        ]

    @override
    def moves_are_public(self, s: S, me: int) -> bool:
        """RU-22, RU-30: a face-up card that fits must be played; without face-down cards one can only pass."""
        return s.phase == PLAY and (s.face_up[me] & s.fits != 0 or s.hand[me] == 0)

    # ----------------------------------------------------------------------------------------------------------- report

    @override
    def utterances(self, s: S, me: int, move: int, before: S) -> Utterances:
        if verb_of(move) == KING_AT:
            rank = RANK_NAMES[item(move, 2)]
            message = "{player}, an {rank}" if rank[0] in "ae" else "{player}, a {rank}"
            yield Utterance(me, "attack", sentence(message, player=PlayerAt(item(move, 1)), rank=rank))
        else:
            yield from super().utterances(s, me, move, before)
        if verb_of(move) == MOVES.play and self.value[rank_of(move)] == self.height:
            yield Utterance(me, "highlight", capital(sentence("{suit} are closed", suit=SUIT_NAMES[suit_of(move)])))

    @override
    def report(self, s: S) -> dict[str, Any]:
        last = {name: reported(s, f"last_{name}") for name in ("points", "bids", "first_out")}
        return {
            "last": last | {"closed": [SUITS[suit] for suit in s.last_closed[:4]]} if deals_over(s) else None,
            **fields_told(s, "face_up", "bids", "first_out"),
            "stacks": [count(of_suit(s.stacked, suit)) for suit in (SPADES, HEARTS, DIAMONDS, CLUBS)],
            "closed": [SUITS[suit] for suit in s.closed[:4] if suit != NO_SUIT],
            "discards": list(map(text, s.discards[: s.thrown])),
            "attack": self.attack_told(s) if s.phase in (LOT, GIVE) else None,
        }

    def attack_told(self, s: S) -> dict[str, Any]:
        name = None if s.phase == LOT else SUITS[s.named] if rank_of(s.weapon) == QUEEN else RANKS[s.named]
        return {"seat": s.attacker, "card": text(s.weapon), "target": s.target, "name": name}

    # ------------------------------------------------------------------------------------------------------------ scene

    @override
    def scene(self, s: S, seat: int | None) -> Scene:
        """RU-50."""
        zones = [self.stack(s, suit) for suit in (SPADES, HEARTS, DIAMONDS, CLUBS)]
        for who in range(s.players):
            if s.face_up[who]:
                zones.append(Zone(f"face-up-{who}", "meld", "Face up", self.spread(s.face_up[who]), owner=who))
        zones.append(Zone("discards", "row", "Discards", tuple(s.discards[: s.thrown])))
        if s.phase in (LOT, GIVE):
            zones.append(Zone("attack", "row", capital(self.demand_told(s)), (s.weapon,), owner=s.attacker))
        closed = " ".join(SUIT_SIGNS[suit] for suit in s.closed[:4] if suit != NO_SUIT)
        return Scene(
            facts(
                sentence("Round {n}", n=s.deals),
                sentence("to {points} points", points=self.target),
                sentence("closed: {suits}", suits=closed) if closed else "",
            ),
            "" if seat is None else self.prompt(s, seat),
            zones,
            [self.marks_of(self.bid_told(s, who), who == s.first_out) for who in range(s.players)],
            result=self.result(s),
            finished=self.finished(s),
            strength=ACE_LOW,
        )

    def stack(self, s: S, suit: Suit) -> Zone:
        lying = self.spread(of_suit(s.stacked, suit))
        backers = tuple(seat for seat in range(s.players) if s.bids[seat] != NO_CARD and suit_of(s.bids[seat]) == suit)
        label = STACKS[suit, len(lying) == self.height]
        return Zone(f"stack-{SUITS[suit]}", "pile", label, lying, goal=self.height, suit=suit, backers=backers)

    def spread(self, cards: Cards) -> tuple[Card, ...]:
        """Cards in their order on the table."""
        return tuple([card for card in FROM_ACE if cards >> card & 1]) if cards else ()

    def suits_told(self, suits: Row) -> Sentence:
        return joined_by(", ", [SUIT_NAMES[suit] for suit in suits[:4] if suit != NO_SUIT])

    def demand_told(self, s: S) -> str:
        """The card or cards that the last attack asks for."""
        if rank_of(s.weapon) == QUEEN:
            return SUIT_NAMES[s.named]
        if rank_of(s.weapon) == JACK:
            return sentence("any card")
        return sentence("rank {rank}", rank=RANK_TOLD.get(s.named, RANKS[s.named]))

    def bid_told(self, s: S, seat: int) -> str:
        if s.bids[seat] != NO_CARD:
            return sign(s.bids[seat])
        return sentence("secret") if self.chosen_in_secret(s, seat) else "–"

    def marks_of(self, bid: str, first_out: bool) -> list[Mark]:
        return [Mark("Bid", bid), *([Mark("Out", "first", "out")] if first_out else [])]

    def prompt(self, s: S, seat: int) -> str:
        if s.phase == PLAY:
            if s.face_up[seat] & s.fits:
                return your_turn("play a face-up card that fits")
            hand, number_cards = s.hand[seat], self.number_cards
            return CHOICES[hand & s.fits != 0, hand & ~number_cards != 0, hand & number_cards != 0]
        if s.phase == GIVE:
            return your_turn("give up a face-down card of {demand}", demand=self.demand_told(s))
        if s.phase == BID and self.goal == FIRST:
            return your_turn("lay a number card of the suit that you think will be closed first")
        if s.phase == BID:
            return your_turn("lay a number card of the suit that you think will be closed last")
        if s.phase == TIE:
            return your_turn("a tie for the lowest card: choose another number card to show")
        return your_turn("play another face-up card, or stop") if s.phase == MORE else ""

    def result(self, s: S) -> list[Sentence]:
        """The course of the last round; bids and points are in the marks of the finished round."""
        lines = [sentence("Closed in this order: {suits}", suits=self.suits_told(s.last_closed))]
        if s.last_first_out in range(s.players):
            lines.append(sentence("{player} was the first without cards", player=PlayerAt(s.last_first_out)))
        return lines

    def finished(self, s: S) -> list[list[Mark]]:
        bids = ["–" if bid == NO_CARD else sign(bid) for bid in s.last_bids[: s.players]]
        return [
            [
                Mark("Points", s.last_points[seat], "points"),
                Mark("Bid", bids[seat]),
                *[Mark("Out", "first")] * (seat == s.last_first_out),
            ]
            for seat in range(s.players)
        ]
