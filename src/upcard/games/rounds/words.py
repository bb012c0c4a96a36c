"""Rounds for people: the clauses of refusals, the report, and the table."""

from collections.abc import Sequence

from upcard.rules import *

from .rules import *

REASONS = {
    PROVED: sentence("revoke proved"),
    CAUGHT: sentence("revoke called"),
    WRONG_CALL: sentence("wrong call"),
}
"""Why a hand lies open."""


class RoundsWords(RoundsRules[S]):
    """The refusals, the report and the table of Rounds, and the changes of hands that everybody has seen."""

    why = {
        "RD-18": "You can follow suit, so you must",
        "RD-19": "You have no card of the trump suit but rank trumps, so you must play one of them",
        "RD-41": "You have no revoke that could still be corrected with this card",
        "RD-44": "There is no trick of the other player that could still be called",
        "RD-48": "After the last trick of a round you accept it, or question it",
        "RD-58": "This card is not in your hand",
    }

    speech = {
        CORRECT: Speech("call", "I revoked: {0}"),
        CALL: Speech("call", "You revoked!"),
        ACCEPT: Speech("answer", "I accept"),
    }

    @override
    def refusal(self, s: S, me: int, attempt: Attempt) -> Reasons:
        """The clauses that a move may break, in the order of the rulebook's table "Which clause an error names"."""
        yield "RD-56", s.phase in (DUE, DONE) or attempt.items is None or JOKER in attempt.items
        yield "RD-57", not acts(s, me)
        yield "RD-44", attempt.verb == CALL
        yield "RD-48", attempt.verb == ACCEPT
        yield "RD-41", attempt.verb == CORRECT
        yield "RD-48", s.phase == CLOSE
        yield "RD-58", not s.hand[me] & bit(attempt.card)
        yield "RD-18", s.hand[me] & s.led
        yield "RD-19", True

    @override
    def table_cards(self, s: S) -> list[Card]:
        """The card led, which nobody has won yet."""
        return [s.card[s.leader]] if s.in_trick else []

    @override
    def hand_histories(self, s: S, notices: Sequence[Any]) -> list[HandHistory]:
        """RD-8, RD-18, RD-19: the cards that seats lacked before they were dealt more. (If revokes are allowed, not
        following suit proves nothing.)"""
        if self.revokes == ALLOWED or s.round == 0:
            return []
        again: Any = self.state()
        turns: list[list[Turn]] = [[], []]
        in_round, left = 0, 2 * self.size
        for notice in notices[1:]:
            if in_round == 0:
                again.round += 1
                if again.round == 1 or again.round < self.rounds:
                    self.turn_up(again, s.pile[again.round - 1])
            seat, card = notice.seat, notice.move
            lacks = 0
            if in_round % 2 == 0:
                again.led, again.forced = self.asked_for(again, card), self.forced_by(again, card)
            elif not again.led & bit(card):
                lacks = again.led if again.forced & bit(card) else again.led | again.forced
            turns[seat].append(Turn(card, lacks))
            in_round, left = in_round + 1, left - 1
            if in_round == 2 * self.tricks or left == 0:
                in_round = 0
                if again.round + 1 < self.rounds:
                    left += 2 * self.more
                    for of_seat in turns:
                        of_seat.append(Turn(drawn=self.more))
        return [HandHistory(self.size, of_seat) for of_seat in turns]

    @override
    def aftermath(self, s: S, me: int, move: int, before: S) -> str:
        """RD-42, RD-43, RD-45, RD-46: the revokes shown by a call, a correction or a card."""
        if self.revokes == ENFORCED or verb_of(move) == ACCEPT:
            return ""
        if verb_of(move) == CALL:
            return self.call_told(s, me, before)
        sentences = []
        if verb_of(move) == CORRECT and before.in_trick:
            led, leader = sign(before.card[before.leader]), PlayerAt(before.leader)
            sentences.append(sentence("{card} goes back to {player}’s hand", card=led, player=leader))
        corrected = bit(before.finished - 1) if verb_of(move) == CORRECT else 0
        if proved := self.proofs(before, me, item(move, 0)) & ~corrected:
            proof = sentence(
                "This proves a revoke: the revoked trick and this one go to {other}; {player}’s hand lies open for the "
                "rest of the round",
                "This proves a revoke: the revoked tricks and this one go to {other}; {player}’s hand lies open for "
                "the rest of the round",
                n=count(proved),
                other=PlayerAt(1 - me),
                player=PlayerAt(me),
            )
            sentences.append(proof)
        return joined_by(". ", sentences)

    def call_told(self, s: S, me: int, before: S) -> Sentence:
        mine, other, points = PlayerAt(me), PlayerAt(1 - me), self.bonus
        if s.exposed[1 - me] != CAUGHT:
            return sentence(
                "There was no revoke: {other} scores {points}; {player}’s hand lies open for the rest of the round",
                other=other,
                points=points,
                player=mine,
            )
        gained = s.tricks[me] - before.tricks[me]
        if not gained:
            return sentence(
                "There was a revoke: {player} scores {points}; {other}’s hand lies open for the rest of the round",
                player=mine,
                points=points,
                other=other,
            )
        return sentence(
            "There was a revoke: {player} scores {points} and gets {n} revoked trick; {other}’s hand lies open for "
            "the rest of the round",
            "There was a revoke: {player} scores {points} and gets {n} revoked tricks; {other}’s hand lies open for "
            "the rest of the round",
            player=mine,
            points=points,
            n=gained,
            other=other,
        )

    def pile(self, s: S) -> list[Card]:
        """The cards of the pile: RD-26."""
        return [c for c in s.pile[:] if c != NO_CARD]

    def has_finished_one(self, s: S) -> bool:
        """Whether a game of this match is over, and has thus brought points: RD-30."""
        return any(s.last_points[:2])

    @override
    def utterances(self, s: S, me: int, move: int, before: S) -> Utterances:
        yield from super().utterances(s, me, move, before)
        if verb_of(move) == CALL:  # RD-45, RD-46
            yield Utterance(me if s.exposed[1 - me] == CAUGHT else 1 - me, "points", f"+{self.bonus}")

    @override
    def report(self, s: S) -> dict[str, Any]:
        last = {"points": s.last_points[:2], "rounds_won": s.last_rounds[:2]}
        return {
            "trump_rank": None if s.trump_rank == NO_RANK else RANKS[s.trump_rank],
            "pile": list(map(text, self.pile(s))),
            "upcard": text(self.pile(s)[-1]) if self.pile(s) else None,
            **fields_told(s, "round", "rounds_won"),
            "exposed": [why != CLOSED for why in s.exposed[:2]],
            "tie_break": s.extra > 0,
            "points": [self.points(s, seat) for seat in range(2)],
            "winning_score": abs(s.scores[0] - s.scores[1]) if s.phase == DONE else None,  # RD-36
            "last": last if self.has_finished_one(s) else None,
        }

    @override
    def scene(self, s: S, seat: int | None) -> Scene:
        zones = [Zone("stock", "stock", "Stock", count=s.left), Zone("pile", "row", "Trump pile", tuple(self.pile(s)))]
        ended = by_seat(s, Mark("Points", s.last_points, "points"), Mark("Rounds", s.last_rounds))
        return Scene(
            self.headline(s),
            self.prompt(s),
            zones if s.round else [],
            [self.marks(s, who) for who in range(2)],
            result=self.result(s),
            finished=ended if self.has_finished_one(s) else [],
            trumps=s.rank_trumps,
        )

    def headline(self, s: S) -> Sentence:
        game = sentence("Extra game {n}", n=s.deals) if s.extra else sentence("Game {n}", n=s.deals)
        if not s.round:
            return game
        rank, suit = RANK_NAMES[s.trump_rank], SUIT_NAMES[s.trump]
        return facts(
            game,
            sentence("round {round} of {last}", round=s.round, last=self.rounds),
            sentence("trumps: every {rank}, then {suit}", rank=rank, suit=suit),
        )

    def prompt(self, s: S) -> str:
        if s.phase == CLOSE:
            questionable = s.open_tricks[1 - lowest(s.to_act)]
            return your_turn("accept the round, or question it" if questionable else "accept the round")
        if not s.in_trick:
            return your_turn("lead a card") if s.phase == PLAY else ""
        led = s.card[s.leader]
        places = {"led": sign(led), "suit": SUIT_NAMES[suit_of(led)]}
        if not s.trumps & bit(led):
            if all_of(suit_of(led)) & ~s.led:  # option `rank_suit`
                message = "{led} is led: follow with {suit} other than the {rank} if you can"
                return your_turn(message, **places, rank=RANK_NAMES[s.trump_rank])
            return your_turn("{led} is led: follow with {suit} if you can", **places)
        if s.forced & ~s.led:
            message = "{led} is led: follow with {trump}, or else with a rank trump, if you can"
            return your_turn(message, led=sign(led), trump=SUIT_NAMES[s.trump])
        return your_turn("{led} is led: follow with a trump if you can", led=sign(led))

    def marks(self, s: S, seat: int) -> list[Mark]:
        marks = [
            Mark("Tricks", s.tricks[seat], "tricks"),
            Mark("Points", self.points(s, seat), "points"),
            Mark("Rounds", s.rounds_won[seat]),
        ]
        if s.exposed[seat] != CLOSED:  # RD-54
            marks.append(Mark("Exposed", REASONS[s.exposed[seat]]))
        return marks

    def result(self, s: S) -> list[Sentence]:
        if s.phase == DONE and s.tricks[0] + s.tricks[1] == s.finished:  # that is, without the pile
            return [sentence("A bonus ends the match; this game does not count")]  # RD-47
        lines, both = [], {"player": PlayerAt(0), "other": PlayerAt(1)}
        if self.has_finished_one(s):
            points = {"points": s.last_points[0], "others": s.last_points[1]}
            lines.append(sentence("Points of the game: {player} {points}, {other} {others}", **both, **points))
            rounds = {"rounds": s.last_rounds[0], "others": s.last_rounds[1]}
            lines.append(sentence("Rounds won: {player} {rounds}, {other} {others}", **both, **rounds))
        if s.extra and s.phase != DONE:
            lines.append(sentence("The scores are equal: one more game decides"))
        return lines
