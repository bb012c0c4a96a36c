"""The last cards of two players, searched as if both hands were open, for players who reconsider their moves.

A step of the search is a row of numbers in a buffer: those below, which all games have, and from `OWN` on up to six of
the game. The search is alpha-beta search without recursion, because numba cannot cache recursive functions.
"""

from __future__ import annotations

from typing import TypeVar

from upcard.rules.cards import NO_CARD, Card, Cards, bit, count, highest
from upcard.rules.game import Game
from upcard.rules.state import Buffer
from upcard.rules.tricks import TrickState

MINE, THEIRS, TURN, LED, LOW, HIGH, OWN = range(7)
"""Both hands, whether it is this seat's turn (1 or 0), the card led or NO_CARD, and the bounds of the values that
matter."""
LEFT, BEST = 12, 13
"""The cards not tried yet and the best value so far, which no later step begins with."""
STEP = 14
"""The length of a step."""
FAR = 1 << 60
"""More than any value."""
MOST_HIDDEN = 14
"""The most cards of which the other player's hands are formed."""
FEWEST_HANDS = 16
"""The fewest hands of the other player that are tried, unless it can have only fewer."""

H = TypeVar("H", bound=TrickState)


class OpenHands(Game[H]):
    """The search. A game defines `answers`, `finish_trick`, `is_decided`, `decided_value` and `value_after`."""

    def answers(self, s: H, hand: Cards, led: Card) -> Cards:
        """The cards of a hand that may be played to this lead."""
        raise NotImplementedError

    def finish_trick(self, s: H, me: int, led: Card, reply: Card, room: Buffer, at: int) -> None:
        """Count a trick in the step at index `at`. Its `TURN` is that of the seat that played second; afterwards it is
        that of the seat that leads next."""
        raise NotImplementedError

    def is_decided(self, s: H, room: Buffer, at: int) -> bool:
        """Whether the search ends with this step, before a lead."""
        raise NotImplementedError

    def decided_value(self, s: H, me: int, room: Buffer, at: int) -> int:
        """The value of such a step for the seat."""
        raise NotImplementedError

    def value_after(self, s: H, me: int, move: int, theirs: Cards, least: int, room: Buffer, at: int) -> int:
        """The value of a move if the other player holds the cards `theirs` and both see all cards. Of a value below
        `least` only that matters. The buffer is free from index `at` on."""
        raise NotImplementedError

    def count_lead(self, s: H, one: Card, room: Buffer, at: int) -> None:
        """Count what a lead brings in the step at index `at`, before the card is played."""

    def is_tried(self, s: H, me: int, move: int) -> bool:
        """Whether a move is compared with the intended one."""
        return True

    def better_in_some(
        self, s: H, me: int, moves: Buffer, n: int, move: int, known: Cards, hidden: Cards, most: int
    ) -> int:
        """The move that gains most over the intended one, of those that are never worse, over the hands that the other
        player may have: the cards `known` and some of `hidden`. About `most` hands are tried. If that is too
        few, the intended move is returned."""
        lacking = count(s.hand[me]) - (1 if s.led else 0) - count(known)  # type: ignore[attr-defined]
        if count(hidden) > MOST_HIDDEN or lacking < 0:
            return move
        hands = 1
        for i in range(lacking):
            hands = hands * (count(hidden) - i) // (i + 1)
        if most < min(hands, FEWEST_HANDS):
            return move
        every = 1 + (hands - 1) // most
        gains, losses = n, 2 * n
        for i in range(n):
            moves[gains + i] = 0
            moves[losses + i] = 0
        some = 0
        hands = 0
        going = True
        while going:
            if count(some) == lacking:
                hands += 1
                if hands % every == 0:
                    self.compare_moves(s, me, moves, n, move, known | some)
            some = (some - hidden) & hidden
            going = some != 0
        best = move
        gain = 0
        for i in range(n):
            if moves[losses + i] == 0 and moves[gains + i] > gain:
                best = moves[i]
                gain = moves[gains + i]
        return best

    def compare_moves(self, s: H, me: int, moves: Buffer, n: int, move: int, theirs: Cards) -> None:
        """Add what each move gains over the intended one against this hand, and whether it is worse. Moves that have
        been worse before are out of the question."""
        left = 0
        for i in range(n):
            if moves[i] != move and moves[2 * n + i] == 0 and self.is_tried(s, me, moves[i]):
                left += 1
        if left == 0:
            return
        worth = self.value_after(s, me, move, theirs, -FAR, moves, 3 * n)
        for i in range(n):
            if moves[i] != move and moves[2 * n + i] == 0 and self.is_tried(s, me, moves[i]):
                gain = self.value_after(s, me, moves[i], theirs, worth, moves, 3 * n) - worth
                moves[n + i] += gain
                moves[2 * n + i] += 1 if gain < 0 else 0

    def begin_search(self, s: H, me: int, theirs: Cards, least: int, room: Buffer, at: int) -> None:
        """Write the numbers of the position that all games have; `least` as in `value_after`."""
        room[at + MINE] = s.hand[me]  # type: ignore[attr-defined]
        room[at + THEIRS] = theirs
        room[at + TURN] = 1
        room[at + LED] = s.card[1 - me] if s.led else NO_CARD
        room[at + LOW] = least - 1
        room[at + HIGH] = FAR

    def value_of_card(self, s: H, me: int, one: Card, room: Buffer, at: int) -> int:
        """The value of playing a card in the position at index `at`."""
        self.play_card(s, me, one, room, at)
        root = at + STEP
        at = root
        value = 0
        returned = False
        while at >= root:
            if not returned:
                if room[at + LED] == NO_CARD and self.is_decided(s, room, at):
                    value = self.decided_value(s, me, room, at)
                    returned = True
                    at -= STEP
                    continue
                hand = room[at + MINE] if room[at + TURN] else room[at + THEIRS]
                room[at + LEFT] = hand if room[at + LED] == NO_CARD else self.answers(s, hand, room[at + LED])
                room[at + BEST] = -FAR if room[at + TURN] else FAR
            elif room[at + TURN]:
                room[at + BEST] = max(room[at + BEST], value)
                room[at + LOW] = max(room[at + LOW], value)
            else:
                room[at + BEST] = min(room[at + BEST], value)
                room[at + HIGH] = min(room[at + HIGH], value)
            returned = room[at + LEFT] == 0 or room[at + LOW] >= room[at + HIGH]
            if returned:
                value = room[at + BEST]
                at -= STEP
            else:
                one = highest(room[at + LEFT])
                room[at + LEFT] &= ~bit(one)
                if room[at + LED] == NO_CARD:
                    self.lead_card(s, me, one, room, at)
                else:
                    self.play_card(s, me, one, room, at)
                at += STEP
        return value

    def lead_card(self, s: H, me: int, one: Card, room: Buffer, at: int) -> None:
        """Write the step after a lead in the search."""
        self.play_card(s, me, one, room, at)
        self.count_lead(s, one, room, at + STEP)

    def play_card(self, s: H, me: int, one: Card, room: Buffer, at: int) -> None:
        """Write the step after a card has been played."""
        after = at + STEP
        for i in range(LEFT):
            room[after + i] = room[at + i]
        room[after + (MINE if room[at + TURN] else THEIRS)] &= ~bit(one)
        if room[at + LED] == NO_CARD:
            room[after + LED] = one
            room[after + TURN] = 1 - room[at + TURN]
        else:
            room[after + LED] = NO_CARD
            self.finish_trick(s, me, room[at + LED], one, room, after)
