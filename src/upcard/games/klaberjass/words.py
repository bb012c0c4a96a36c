"""Klaberjass for people: the clauses of refusals, the report, and the table."""

from collections.abc import Iterator
from itertools import product

from upcard.rules import *

from .rules import *

PROMPTS = {
    BID: your_turn("name another suit as trumps, or pass"),
    ANSWER: your_turn("a schmeiss is offered: shall the deal be thrown in?"),
    NAMING: your_turn("name another suit as trumps"),
    DECLARE: your_turn("declare your best sequence, or nothing"),
}
SEQUENCES = {SHORT_RUN: sentence("Twenty"), LONG_RUN: sentence("Fifty")}


class KlaberjassWords(KlaberjassRules[S]):
    """The refusals, the report and the table of Klaberjass, and what players can infer from declarations."""

    why = {
        "KJ-13": "In the first round you accept the upcard’s suit or pass, or schmeiss where that is allowed",
        "KJ-15": "In the second round you name one of the other three suits or pass, or schmeiss where that is allowed",
        "KJ-17": "A schmeiss must be answered with yes or no at once, and only then",
        "KJ-20": "Your schmeiss was refused, so you must name one of the other three suits",
        "KJ-23": "The upcard can be taken for the trump {dix:rank} only when its suit was accepted, by whoever holds "
        "that {dix:rank}",
        "KJ-24": "The dix is exchanged at your first turn in the declarations, before you say anything else",
        "KJ-29": "A declaration must be true and of your best sequence",
        "KJ-31": "You answer “not good” or “how high” only with a sequence that is as good as that",
        "KJ-33": "You answer “not good” only with a higher card, and “also” only with the same",
        "KJ-36": "You may declare now only what is true of your best sequence",
        "KJ-41": "You play a card of your own hand, once the declarations are over",
        "KJ-42": "A trump is led and you can beat it, so you must play a higher trump",
        "KJ-43": "You can follow suit, so you must",
        "KJ-44": "You cannot follow suit but have a trump, so you must play one",
        "KJ-49": "Where the bela is called, it is with the king or the queen of trumps, by whoever holds both",
        "KJ-50": "The bela is called with the second card only if it was called with the first",
    }

    speech = {
        ACCEPT: Speech("bid", "I take it"),
        SCHMEISS: Speech("call", "Schmeiss?"),
        NAME: Speech("bid", "{0}"),
        YES: Speech("answer", "Yes, throw it in"),
        NO: Speech("answer", "No, we play"),
        DIX: Speech("declare", "Dix"),
        NONE: Speech("pass", "Nothing to declare"),
        TWENTY: Speech("declare", "Twenty"),
        FIFTY: Speech("declare", "Fifty"),
        GOOD: Speech("answer", "Good"),
        NOT_GOOD: Speech("answer", "Not good"),
        HOW_HIGH: Speech("answer", "How high?"),
        ALSO: Speech("answer", "Also"),
        BELA: Speech("declare", "Bela"),
    }

    @override
    def refusal(self, s: S, me: int, attempt: Attempt) -> Reasons:
        """The clauses that a move may break, in the order of the rulebook's paragraph "Which clause a refused event
        names"."""
        yield "KJ-66", not acts(s, me) or attempt.verb is None or attempt.items is None
        bids = attempt.verb in (ACCEPT, PASS, SCHMEISS, NAME)
        yield "KJ-13", bids and s.phase == BID and s.round == 1
        yield "KJ-17", bids and s.phase == ANSWER
        yield "KJ-20", bids and s.phase == NAMING
        yield "KJ-15", bids
        yield "KJ-17", attempt.verb in (YES, NO)
        yield "KJ-24", attempt.verb == DIX and self.may_exchange(s, me)
        yield "KJ-23", attempt.verb == DIX
        if attempt.verb in (MOVES.play, BELA):
            yield from self.refused_card(s, me, attempt)
        answering = s.phase == DECLARE and s.proved[1 - me] != NO_RUN
        yield "KJ-33", answering and self.asked_how_high(s)
        yield "KJ-31", answering
        begins = attempt.verb in (NONE, TWENTY, FIFTY)
        yield "KJ-36", begins and me == s.dealer
        yield "KJ-29", begins
        yield "KJ-33", attempt.verb == ALSO
        yield "KJ-31", True

    def refused_card(self, s: S, me: int, attempt: Attempt) -> Reasons:
        one = bit(attempt.card)
        yield "KJ-41", s.phase != PLAY or not s.hand[me] & one
        if not self.playable(s, me) & one:
            yield "KJ-42", self.trump_led(s) and s.hand[me] & s.duty
            yield "KJ-43", self.trump_led(s) or s.hand[me] & s.duty
            yield "KJ-44", True
        pair = self.bela_of(s.trump)
        yield "KJ-50", attempt.verb == BELA and pair & one and pair & s.played[me]
        yield "KJ-49", True

    def trump_led(self, s: S) -> bool:
        return s.led == all_of(s.trump)

    # -------------------------------------------------------------------------------------------------------- sequences

    def sequences(self, cards: Cards, trump: Suit) -> list[list[Card]]:
        """All sequences in these cards, each from high to low; the best first, equal ones by suit (s h d c)."""
        runs = [self.run_from(cards, top) for top in as_list(self.tops(cards))]
        return sorted(
            runs,
            key=lambda run: (self.kind_of(cards, run[0]), rank_of(run[0]), suit_of(run[0]) == trump, suit_of(run[0])),
            reverse=True,
        )

    def run_from(self, cards: Cards, top: Card) -> list[Card]:
        run, one = [], bit(top)
        while one & cards:
            run.append(lowest(one))
            one = self.lowered(one)
        return run

    @override
    def consistent(self, s: S, me: int) -> bool:
        """Whether the hands in this world agree with all declarations, which must be true (KJ-29 to KJ-34), and whether
        the holder has shown all sequences (KJ-38)."""
        if s.melds and self.sequence_cards(s.hand[s.holder] | s.played[s.holder]) != s.melds:
            return False
        for seat in range(2):
            if seat != me and s.proved[seat] and not self.fits(s, seat, s.hand[seat] | s.played[seat]):
                return False
        return True

    def fits(self, s: S, seat: int, cards: Cards) -> bool:
        """Whether the best sequence in these cards agrees with what a seat has declared of its own."""
        best = self.best_sequence(cards, s.trump)
        return self.kind_of(cards, best) == s.proved[seat] and self.told_of(s, seat, best)

    def told_of(self, s: S, seat: int, top: Card) -> bool:
        """Whether the sequence that a seat has declared may have this top card."""
        if s.top[seat] != NO_RANK and s.top[seat] != rank_of(top):
            return False
        return s.suit[seat] == NO_SUIT or s.suit[seat] == suit_of(top)

    @override
    def hypotheses(self, s: S, me: int) -> list[Hypothesis]:
        """The sequences that the others' declarations may stand for; empty if nothing was declared."""
        hidden = self.pack & ~as_set(cards_in(s))
        ways = [
            list(self.possible(s, seat, hidden)) if seat != me and s.proved[seat] else [(0, 0)] for seat in range(2)
        ]
        return [Hypothesis(*zip(*way, strict=True)) for way in product(*ways)]

    def possible(self, s: S, seat: int, hidden: Cards) -> Iterator[tuple[Cards, Cards]]:
        """For every sequence that may be a seat's best: its hidden cards, and the cards that would make a better
        one."""
        seen = s.hand[seat] | s.played[seat]
        for top in as_list(self.pack):
            three = bit(top) | self.lowered(bit(top)) | self.lowered(self.lowered(bit(top)))
            fourth = self.lowered(three) & ~three
            short = s.proved[seat] == SHORT_RUN
            run = three if short else three | fourth
            ends = self.raised(bit(top)) | (fourth if short else 0)
            long_enough = count(run) == (3 if short else 4)
            if long_enough and not run & ~(seen | hidden) and not ends & seen and self.told_of(s, seat, top):
                yield run & hidden, ends & self.pack

    # ------------------------------------------------------------------------------------------------- report and table

    @override
    def utterances(self, s: S, me: int, move: int, before: S) -> Utterances:
        yield from super().utterances(s, me, move, before)
        if verb_of(move) == HOW_HIGH:  # KJ-32
            yield Utterance(1 - me, "answer", capital(sentence("{rank} high", rank=RANK_NAMES[s.top[1 - me]])))
        elif verb_of(move) == ALSO:  # KJ-34
            for seat in (1 - me, me):
                yield Utterance(seat, "answer", sentence("In {suit}", suit=SUIT_NAMES[s.suit[seat]]))
        if s.bela[me] > before.bela[me]:  # KJ-52
            yield Utterance(me, "points", f"+{s.bela[me]}")
        if s.holder == s.taker != NOBODY and s.melds and s.tricks[s.holder] == 1 and not before.tricks[s.holder]:
            yield Utterance(s.holder, "points", f"+{self.worth_of_all(s.melds)}")  # KJ-39
        if deals_over(s) > deals_over(before) and s.last_how in (MADE, BATE):
            yield Utterance(before.maker, "highlight", "Made!" if s.last_how == MADE else "Bate!")

    @override
    def report(self, s: S) -> dict[str, Any]:
        last = {"how": HOW[s.last_how], "hand": s.last_points[:2], "added": s.last_added[:2]}
        return {
            "last": last if s.last_how else None,
            **fields_told(s, "round", "maker", "holder", "bela", "bottom"),
            "meld": 0 if s.holder == NOBODY else self.worth_of_all(s.hand[s.holder] | s.played[s.holder]),
            "shown": [[text(c) for c in run] for run in self.sequences(s.melds, s.trump)],
        }

    @override
    def scene(self, s: S, seat: int | None) -> Scene:
        """KJ-62 to KJ-65."""
        bidding = s.phase in (BID, ANSWER, NAMING)
        now = sentence("round {round} of the bidding", round=s.round) if bidding else trump_fact(s.trump)
        finished = by_seat(s, Mark("Points", s.last_points, "points"), Mark("Added", s.last_added))
        return Scene(
            facts(sentence("Deal {n}", n=s.deals), now),
            self.prompt(s),
            self.zones(s) if s.deals else [],
            [self.marks(s, who) for who in range(2)],
            result=self.result(s),
            finished=[] if s.last_how == THROWN else finished,
            strength=self.strength,
            trump_strength=self.trump_strength,
        )

    def prompt(self, s: S) -> str:
        if s.phase == BID and s.round == 1:
            return your_turn("accept {suit} as trumps, or pass", suit=SUIT_NAMES[suit_of(s.upcard)])
        if s.phase == PLAY and s.in_trick:
            led = sign(s.card[s.leader])
            if self.trump_led(s):
                return your_turn("beat {led} if you can, or follow suit", led=led)
            return your_turn("follow {led} if you can, or trump it", led=led)
        if s.phase == DECLARE and s.proved[1 - s.dealer]:
            twenty = s.proved[1 - s.dealer] == SHORT_RUN
            if self.asked_how_high(s):
                message = "the twenty is {rank} high: answer it" if twenty else "the fifty is {rank} high: answer it"
                return your_turn(message, rank=RANK_NAMES[s.top[1 - s.dealer]])
            return your_turn("answer the twenty" if twenty else "answer the fifty")
        return PROMPTS.get(s.phase, "")

    def zones(self, s: S) -> list[Zone]:
        zones = [Zone("upcard", "upcard", "Upcard", (s.upcard,))]
        if s.bottom != NO_CARD:
            zones.append(Zone("bottom", "pile", "Bottom card", (s.bottom,)))
        dealt = self.size if s.maker == NOBODY else self.size + self.more  # KJ-11
        zones.append(Zone("pack", "stock", "Pack", count=count(self.pack) - 2 * dealt - len(zones)))
        for number, run in enumerate(self.sequences(s.melds, s.trump), 1):
            label = SEQUENCES[self.kind_of(s.melds, run[0])]
            zones.append(Zone(f"sequence-{number}", "meld", label, tuple(run), owner=s.holder))
        return zones

    def marks(self, s: S, seat: int) -> list[Mark]:
        if s.maker == NOBODY:
            word = self.bid_word(s, seat)
            return [Mark("Bid", word)] if word else []
        marks = [] if s.phase == DECLARE else [Mark("Points", s.points[seat], "points")]
        if s.maker == seat:
            marks.append(Mark("Maker", SUIT_SIGNS[s.trump], "maker"))
        if s.phase != DECLARE:
            marks.append(Mark("Tricks", s.tricks[seat], "tricks"))
        if s.proved[seat]:
            marks.append(Mark("Sequence", self.told(s, seat), "declared"))
        if s.called[seat] or s.bela[seat]:
            marks.append(Mark("Bela", s.bela[seat] or sentence("called"), "declared"))
        return marks

    def bid_word(self, s: S, seat: int) -> str:
        """A seat's bid so far, in one word, before there is a maker."""
        if s.phase in (ANSWER, NAMING) and acts(s, seat) == (s.phase == NAMING):
            return sentence("schmeiss")
        dealers_turn = acts(s, s.dealer) == (s.phase == BID)
        passed = s.phase != DUE and (s.round == 2 or (seat != s.dealer and dealers_turn))
        return sentence("passed") if passed else ""

    def told(self, s: S, seat: int) -> str:
        """Both players' knowledge of a seat's best sequence, short enough to fit a plate."""
        rank, suit = s.top[seat], s.suit[seat]
        top = "" if rank == NO_RANK else f" {sign(rank)[:-1]}"
        top += "" if suit == NO_SUIT else SUIT_SIGNS[suit]
        if s.holder == seat:
            message = "twenty{top} wins" if s.proved[seat] == SHORT_RUN else "fifty{top} wins"
        else:
            message = "twenty{top}" if s.proved[seat] == SHORT_RUN else "fifty{top}"
        return sentence(message, top=top)

    def result(self, s: S) -> list[Sentence]:
        if s.last_how == THROWN:
            return [sentence("The deal is thrown in")]
        if s.last_how not in (MADE, LEVEL, BATE):
            return []
        ahead, behind = PlayerAt(s.last_added[0] <= s.last_added[1]), PlayerAt(s.last_added[0] > s.last_added[1])
        if s.last_how == MADE:
            ending = sentence("{player} makes it", player=ahead)
        elif s.last_how == LEVEL:
            ending = sentence("Level: {player} scores nothing", player=behind)
        else:
            ending = sentence("{player} is bate: {other} scores everything", player=behind, other=ahead)
        both = {"player": PlayerAt(0), "other": PlayerAt(1)}
        hands = {"points": s.last_points[0], "others": s.last_points[1]}
        added = {"points": s.last_added[0], "others": s.last_added[1]}
        return [
            ending,
            sentence("Hand scores: {player} {points}, {other} {others}", **both, **hands),
            sentence("Added: {player} {points}, {other} {others}", **both, **added),
        ]
