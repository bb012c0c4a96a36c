"""Sixty-Six for people: the clauses of refusals, the report, and the table."""

from upcard.rules import *

from .rules import *


class SixtySixWords(SixtySixRules[S]):
    """The refusals, the report and the table of Sixty-Six."""

    why = {
        "SS-17": "You can follow suit, so you must",
        "SS-18": "You must head the card led if you can follow suit, and trump it if you cannot",
        "SS-20": "A marriage is the king and queen of one suit, shown when you are about to lead",
        "SS-22": "You have shown a marriage, so you must lead one of its two cards",
        "SS-23": "The upcard can be fetched with {if usual}the lowest trump{else}the {fetcher:rank} of trumps{end} "
        "only, when you are about to lead",
        "SS-24": "The upcard can be fetched only while it lies face up, and at some tables only with a trick won",
        "SS-25": "Before a lead you may first fetch the upcard, then close the stock, then show a marriage",
        "SS-26": "Where the stock may be closed, you can close it only when you are about to lead",
        "SS-28": "The stock is already closed or used up",
        "SS-49": "No marriage can be shown here once the stock is gone",
        "SS-30": "Where points are claimed, you can declare only when you are about to lead",
    }

    speech = {
        MELD: None,
        EXCHANGE: Speech("draw", "I take the upcard"),
        CLOSE: Speech("close", "I close"),
        DECLARE: None,
    }

    @override
    def refusal(self, s: S, me: int, attempt: Attempt) -> Reasons:
        """The clauses that a move may break, in the order of the paragraph "Which clause a refused event names"."""
        leading = s.phase == LEAD
        shown = leading and s.melded != NO_SUIT
        yield "SS-48", not acts(s, me) or attempt.items is None
        if attempt.verb == MOVES.play:
            yield "SS-11", not s.hand[me] >> attempt.card & 1
            yield "SS-22", leading
            yield "SS-17", s.hand[me] & s.led and not s.led >> attempt.card & 1
            yield "SS-18", True
        yield "SS-22", attempt.verb == MELD and shown and self.is_marriage(s, me, attempt)
        yield "SS-49", attempt.verb == MELD and leading and self.is_marriage(s, me, attempt)
        yield "SS-20", attempt.verb == MELD
        yield "SS-30", attempt.verb == DECLARE
        yield "SS-25", shown or (leading and s.closed_now and attempt.verb == EXCHANGE)
        yield "SS-24", attempt.verb == EXCHANGE and leading and s.hand[me] & bit(card(self.fetcher, s.trump))
        yield "SS-23", attempt.verb == EXCHANGE
        yield "SS-28", leading and not self.stock_open(s)
        yield "SS-26", True

    def is_marriage(self, s: S, me: int, attempt: Attempt) -> bool:
        suits = [suit for suit in range(4) if s.hand[me] & self.marriage_of(suit) == self.marriage_of(suit)]
        return attempt.items in [(card(KING, suit), card(QUEEN, suit)) for suit in suits]

    @override
    def utterances(self, s: S, me: int, move: int, before: S) -> Utterances:
        if verb_of(move) == MELD:
            worth = self.worth_of_marriage(s, suit_of(item(move, 0)))
            yield Utterance(me, "declare", capital(number_word(worth)))
            if s.points[me] > before.points[me]:  # SS-21: otherwise once a trick is won
                yield Utterance(me, "points", f"+{worth}")
            yield Utterance(me, "highlight", sentence("Marriage in {suit}", suit=SUIT_NAMES[suit_of(item(move, 0))]))
        elif verb_of(move) == DECLARE:
            claim = capital(sentence("{points}!", points=number_word(self.enough)))
            yield Utterance(me, "declare", claim)
            yield Utterance(me, "highlight", claim)
        else:
            yield from super().utterances(s, me, move, before)
            if verb_of(move) == CLOSE:
                yield Utterance(me, "highlight", "The stock is closed")

    @override
    def report(self, s: S) -> dict[str, Any]:
        last = {"how": HOW[s.last_how], "winner": reported(s, "last_winner"), "vp": s.last_gained}
        return {
            "last": last if s.last_how else None,
            "pending": s.pending[:2],
            "closed": reported(s, "closer"),
            "shown": [text(card(rank, s.melded)) for rank in (KING, QUEEN)] if s.melded != NO_SUIT else [],
            "carry": s.carry,
        }

    @override
    def objective(self, s: S, me: int) -> str:
        return "win the deal"

    @override
    def meets_objective(self, s: S, me: int, before: S) -> bool:
        return s.last_winner == me

    @override
    def scene(self, s: S, seat: int | None) -> Scene:
        """SS-45, SS-46."""
        playing = s.phase in (LEAD, FOLLOW)
        closed = s.closer != NOBODY
        zones = [Zone("stock", "stock", "Stock, closed" if closed else "Stock", count=s.left)] if s.deals else []
        if s.upcard != NO_CARD:
            zones.append(Zone("upcard", "upcard", "Turned down" if closed else "Upcard", (s.upcard,)))
        if playing and s.melded != NO_SUIT:
            pair = (card(KING, s.melded), card(QUEEN, s.melded))
            zones.append(Zone("marriage", "meld", "Marriage shown", pair, owner=s.leader))
        waiting = sentence("{points} extra waiting", points=s.carry) if s.carry else ""
        ended = by_seat(s, Mark("Tricks", s.last_tricks, "tricks"), Mark("Points", s.last_points, "points"))
        return Scene(
            facts(sentence("Deal {n}", n=s.deals), trump_fact(s.trump), waiting),
            self.prompt(s),
            zones,
            [self.marks(s, who, not playing or self.count == SHOWN) for who in range(2)],
            result=self.result(s),
            finished=ended,
            strength=self.strength,
        )

    def marks(self, s: S, seat: int, counted: bool) -> list[Mark]:
        marks = [Mark("Points", s.points[seat], "points")] if counted else []
        marks.append(Mark("Tricks", s.tricks[seat], "tricks"))
        if not counted and s.marriages[seat]:  # SS-45: the log no longer shows them
            kings = as_list(of_rank(s.marriages[seat], KING))
            marks.append(Mark("Marriages", " ".join(SUIT_SIGNS[suit_of(king)] for king in kings), "declared"))
        if s.pending[seat]:
            marks.append(Mark("Pending", s.pending[seat], "pending"))
        return marks + ([Mark("Closed", "yes", "closed")] if s.closer == seat else [])

    def prompt(self, s: S) -> str:
        if s.phase == LEAD:
            return your_turn("lead a card of the marriage" if s.melded != NO_SUIT else "lead a card")
        if s.phase != FOLLOW:
            return ""
        if self.stock_open(s):
            return your_turn("play a card")
        strict = self.endplay == STRICT
        return to_follow(sign(s.card[s.leader]), higher=strict, trump=strict and suit_of(s.card[s.leader]) != s.trump)

    def result(self, s: S) -> list[Sentence]:
        if s.last_how == 0:
            return []
        lines = [self.ending(s)]
        if s.last_how != VOID:
            lines.append(sentence("{n} victory point", "{n} victory points", n=s.last_gained))
        elif s.carry:
            lines.append(sentence("{points} extra for the next winner", points=s.carry))
        mine, others = s.last_points[0], s.last_points[1]
        points = sentence(
            "Deal points: {player} {points}, {other} {others}",
            player=PlayerAt(0),
            points=mine,
            other=PlayerAt(1),
            others=others,
        )
        return [*lines, points]

    def ending(self, s: S) -> Sentence:
        """How the last deal ended. In Schnapsen a loser may have taken more once the stock was closed."""
        winner, other = PlayerAt(max(s.last_winner, 0)), 1 - max(s.last_winner, 0)
        under = self.schneider
        if s.last_how == SCHNEIDER and s.last_points[other] >= under:
            message = "{player} wins the deal, the other is schneider (under {points} when the stock was closed)"
            return sentence(message, player=winner, points=under)
        if s.last_how == SCHNEIDER:
            return sentence(
                "{player} wins the deal, the other is schneider (under {points})", player=winner, points=under
            )
        if s.last_how == SCHWARZ and s.last_tricks[other]:
            message = "{player} wins the deal, the other is schwarz (no trick when the stock was closed)"
            return sentence(message, player=winner)
        if s.last_how == SCHWARZ:
            return sentence("{player} wins the deal, the other is schwarz (no trick)", player=winner)
        if s.last_how == BAD_DECLARE:
            message = "A wrong claim of {points}: {player} wins the deal"
            return sentence(message, points=self.enough, player=winner)
        if s.last_how == BAD_CLOSE:
            return sentence("The stock was closed in vain: {player} wins the deal", player=winner)
        return sentence("The deal is void") if s.last_how == VOID else sentence("{player} wins the deal", player=winner)

    @override
    def forgets(self) -> bool:
        """SS-46: with `hidden`, players cannot look through earlier tricks."""
        return self.count == HIDDEN
