"""Loo for people: the clauses of refusals, inference, the report, and the table."""

from collections.abc import Sequence

from upcard.rules import *

from .rules import *

SHOUTS = {PLAIN_FLUSH: sentence("Flush!"), TRUMP_FLUSH: sentence("Flush in trumps!"), MOUCHE: sentence("Mouche!")}
PROMPTS = {
    DECLARE: your_turn("play for the pot, or pass"),
    EARLY: your_turn("have you a flush to show?"),
    EXCHANGE: your_turn("which cards will you change?"),
    LATE: your_turn("have you a flush to show now?"),
    PLAY: your_turn("lead a card"),
}
BOARD = {
    PLAIN_FLUSH: sentence("{player} looes the board with a flush and takes the pot of {pot}"),
    TRUMP_FLUSH: sentence("{player} looes the board with a flush in trumps and takes the pot of {pot}"),
    MOUCHE: sentence("{player} looes the board with a mouche and takes the pot of {pot}"),
}
PART = {
    PLAIN_FLUSH: sentence("{player} looes the board with a flush and takes {won} of the pot of {pot}"),
    TRUMP_FLUSH: sentence("{player} looes the board with a flush in trumps and takes {won} of the pot of {pot}"),
    MOUCHE: sentence("{player} looes the board with a mouche and takes {won} of the pot of {pot}"),
}


class LooWords(LooRules[S]):
    """The texts of Loo, and the knowledge that a seat has of the other players' cards."""

    why = {
        "LO-14": "This is not a flush: {size:word} cards of one suit, or {size - 1:word} and Pam",
        "LO-22": "You change as many of your cards as you like at once, or keep them all",
        "LO-25": "There are not that many cards left to draw from",
        "LO-26": "Whoever leads to the first trick with the ace of trumps in hand leads it here",
        "LO-27": "You play one card of your own hand to each trick",
        "LO-28": "You can follow suit, so you must",
        "LO-29": "You can beat the cards of the suit led, so you must",
        "LO-30": "You cannot follow suit but have a trump, so you must play one",
        "LO-31": "You can beat the trumps in the trick, so you must",
        "LO-33": "“Pam be civil” is called while leading the ace of trumps; then Pam may not be played to that trick "
        "by anybody who has another trump",
    }

    speech = {
        STAY: Speech("bid", "I play"),
        NO: Speech("pass", "No flush"),
        KEEP: Speech("draw", "I keep my cards"),
        DISCARD: Speech("draw", "{count}"),
        CIVIL: Speech("call", "Pam be civil"),
    }

    @override
    def refusal(self, s: S, me: int, attempt: Attempt) -> Reasons:
        """The clauses that a move may break, in the order of the paragraph "Which clause a refused event names"."""
        yield "LO-49", not acts(s, me)
        if attempt.verb == DISCARD and s.phase == EXCHANGE and attempt.words:
            named = list(attempt.items or ())
            yield "LO-25", named != [] and named == as_list(as_set(named) & s.hand[me])
            yield "LO-22", True
        yield "LO-49", attempt.items is None
        yield "LO-14", attempt.verb == FLUSH and s.phase in (EARLY, LATE)
        if s.phase == PLAY and (attempt.verb == MOVES.play or (attempt.verb == CIVIL and self.civil)):
            yield "LO-27", not s.hand[me] >> attempt.card & 1
            yield "LO-33", attempt.verb == CIVIL
            yield "LO-26", s.led == 0
            if not s.led >> attempt.card & 1:
                yield "LO-28", s.hand[me] & s.led
                yield "LO-31", s.trumps >> attempt.card & 1
                yield "LO-30", True
            yield "LO-33", s.civil and attempt.card == self.pam
            yield "LO-31", s.led == s.trumps
            yield "LO-29", True

    # ----------------------------------------------------------------------------------------- what a seat can work out

    @override
    def complete(self, s: S, me: int, rng: Rng) -> None:
        """Fill in the cards that the others threw away; of cards that were reshuffled nothing more is known."""
        for seat in range(s.players):
            if seat != me:
                s.thrown[seat] = s.buried[seat]

    def found_again(self, s: S, me: int) -> Cards:
        """The cards that this seat threw away and that are no longer dead."""
        return 0 if me == NOBODY else s.thrown[me] & ~s.buried[me]

    @override
    def hypotheses(self, s: S, me: int) -> list[Hypothesis]:
        """LO-46: a seat knows the cards that it threw away, and that only players who drew later can hold any of
        them."""
        again = self.found_again(s, me)
        lacks = tuple(0 if among(s.finders[me], seat) else again for seat in range(s.players))
        return [Hypothesis((0,) * s.players, lacks)]

    @override
    def hand_histories(self, s: S, notices: Sequence[Any]) -> list[HandHistory]:
        """LO-24: another seat can hold cards that the observing seat threw away (which only that seat's own view shows)
        only among those it drew from the stock into which they were shuffled."""
        me = next((seat for seat in range(s.players) if s.thrown[seat]), NOBODY)
        again = self.found_again(s, me)
        if not again:
            return []
        mixed_draws = [0] * s.players
        played: list[list[Turn]] = [[] for _ in range(s.players)]
        left, dead, drawer, thrown, missing = count(self.pack) - self.size * s.players - 1, 0, NOBODY, 0, 0
        mine_dead = mine_mixed = False
        for notice in notices[1:]:
            verb = DISCARD if notice.move is None else verb_of(notice.move)
            if notice.seat is None:
                left, dead, mine_mixed, mine_dead = dead, 0, mine_dead, False
            elif verb == PASS:
                dead += self.size
                mine_dead |= notice.seat == me
            elif verb == DISCARD:
                drawer = notice.seat
                thrown = missing = count(cards_of(notice.move)) if notice.count is None else notice.count
            elif verb in (0, CIVIL):
                played[notice.seat].append(Turn(item(notice.move, 0)))
            drawn = min(missing, left)
            left, missing = left - drawn, missing - drawn
            mixed_draws[drawer] += drawn * mine_mixed
            if thrown and not missing:
                dead, thrown = dead + thrown, 0
                mine_dead |= drawer == me
        return [
            HandHistory(self.size - drawn, [Turn(lacks=again, drawn=drawn), *turns])
            for drawn, turns in zip(mixed_draws, played, strict=True)
        ]

    @override
    def consistent(self, s: S, me: int) -> bool:
        """Whether the cards that `me` threw away are in places that they can have reached in this world."""
        again = self.found_again(s, me)
        if again == 0:
            return True
        if not among(s.mixed, me):
            for i in range(s.left):
                if again >> s.stock[i] & 1:
                    return False
        for seat in range(s.players):
            if seat != me and (again & s.buried[seat] or count(again & s.hand[seat]) > max(s.changed[seat], 0)):
                return False
        return True

    # ------------------------------------------------------------------------------------------------- report and table

    @override
    def utterances(self, s: S, me: int, move: int, before: S) -> Utterances:
        announced: str = ""
        if verb_of(move) == FLUSH:
            announced = SHOUTS[self.flush_kind(before, s.shown[me] or s.last_hands[me])]
        elif verb_of(move) == MOVES.play and move == self.pam:
            announced = sentence("Pam!")
        if announced:
            yield Utterance(me, "declare", announced)
            yield Utterance(me, "highlight", announced)
        else:
            yield from super().utterances(s, me, move, before)

    @override
    def report(self, s: S) -> dict[str, Any]:
        return {
            "points": [tricks * self.share(s) for tricks in s.tricks[: s.players]],
            "last": last_told(s, "dealer", "pot", "tricks", "won", "paid", "flush"),
            **fields_told(s, "pot", "civil"),
            "in": seats_of(s.inside or everybody(s.players)),
            "discard": s.dead,
        }

    @override
    def scene(self, s: S, seat: int | None) -> Scene:
        """LO-45 to LO-48."""
        zones = []
        if s.upcard != NO_CARD:
            zones.append(Zone("upcard", "upcard", "Upcard", (s.upcard,)))
            zones.append(Zone("stock", "stock", "Stock", count=s.left))
            zones.append(Zone("dead", "discard", "Dead", count=s.dead))
        if seat is not None and s.thrown[seat]:
            zones.append(Zone("thrown", "aside", "You threw away", tuple(as_list(s.thrown[seat])), owner=seat))
        return Scene(
            self.headline(s),
            self.prompt(s),
            zones,
            [self.marks(s, who) for who in range(s.players)],
            result=self.result(s),
            finished=[self.finished(s, who) for who in range(s.players)],
            trumps=bit(self.pam) & s.trumps,
            pot=s.pot,
        )

    def headline(self, s: S) -> Sentence:
        due = self.scheduled(s)
        deal = sentence("Deal {deal} of {last}", deal=s.deals, last=due)
        if s.deals > due:
            deal = sentence("Extra deal {deal} of at most {last}", deal=s.deals - due, last=s.players)
        out = sentence("Pam is out") if s.upcard == self.pam else ""
        return facts(deal, sentence("pot {pot}", pot=s.pot), trump_fact(s.trump), out)

    def prompt(self, s: S) -> str:
        if s.phase == PLAY and s.led:
            led, trump = sign(s.card[s.leader]), s.led != s.trumps
            if not s.civil:
                return to_follow(led, higher=bool(self.head), trump=trump)
            if self.head:
                return your_turn("follow {led}, higher if you can (Pam be civil)", led=led)
            return your_turn("follow {led} if you can (Pam be civil)", led=led)
        if s.phase == PLAY and self.must_lead(s) & s.hand[lowest(s.to_act)]:
            return your_turn("lead the ace of trumps")
        return PROMPTS.get(s.phase, "")

    def marks(self, s: S, seat: int) -> list[Mark]:
        if s.upcard == NO_CARD:
            return []
        if not among(s.inside, seat):
            return [Mark("Said", "pass", "out")]
        marks = [Mark("Tricks", s.tricks[seat], "tricks")] if s.phase == PLAY else []
        if s.changed[seat] != NOT_YET:  # that is, if this seat plays
            return [*marks, Mark("Drew", s.changed[seat], "drew")]
        to_be_asked = s.phase == DECLARE and self.turn(s, seat) >= self.turn(s, lowest(s.to_act))
        return marks or [Mark("Said", "–" if to_be_asked else sentence("play"))]

    def turn(self, s: S, seat: int) -> int:
        """The position of a seat in the order of play; the dealer comes last."""
        return (seat - s.dealer - 1) % s.players

    def finished(self, s: S, seat: int) -> list[Mark]:
        return [
            Mark("Chips", s.last_won[seat] - s.last_paid[seat], "chips"),
            Mark("Tricks", s.last_tricks[seat], "tricks"),
        ]

    def result(self, s: S) -> list[Sentence]:
        """The part of the outcome that the marks of the finished deal do not show: a pot that nobody played for, the
        looed seats, a flush."""
        tricks = [0 if seat == s.last_flush else s.last_tricks[seat] for seat in range(s.players)]
        lines = [self.takes(s, seat) for seat in range(s.players) if s.last_won[seat] and not tricks[seat]]
        if looed := [seat for seat in range(s.players) if s.last_paid[seat]]:
            one, many = "Looed, {n} chip each: {players}", "Looed, {n} chips each: {players}"
            lines.append(sentence(one, many, n=s.last_paid[looed[0]], players=[*map(PlayerAt, looed)]))
        elif not lines:
            lines.append(sentence("Nobody pays"))
        if s.last_flush != NOBODY:
            held = [(seat, hand) for seat, hand in enumerate(s.last_hands[: s.players]) if hand]
            lines += [
                sentence("{player} held {cards}", player=PlayerAt(seat), cards=signs(hand)) for seat, hand in held
            ]
        return lines

    def takes(self, s: S, seat: int) -> Sentence:
        won, player = s.last_won[seat], PlayerAt(seat)
        if s.last_flush != NOBODY and won < s.last_pot:  # LO-50
            return sentence(PART[s.last_kind], player=player, won=won, pot=s.last_pot)
        if seat == s.last_flush:
            return sentence(BOARD[s.last_kind], player=player, pot=won)
        return sentence("{player} takes the pot of {pot}", player=player, pot=won)
