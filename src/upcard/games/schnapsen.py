"""Schnapsen, the Austrian sister of Sixty-Six: twenty cards, five in hand, a strict end game, the last trick wins."""

from typing import Any

from upcard.games.shipped import shipped
from upcard.games.sixty_six.rules import (
    ALWAYS,
    BAD_CLOSE,
    BAD_DECLARE,
    CLOSE,
    DECLARE,
    DECLARER,
    LEAD,
    NONE,
    PLAIN,
    SCHNEIDER,
    SCHWARZ,
    STRICT,
    end_deal,
)
from upcard.rules import JACK, NOBODY, Buffer, choice, number, open_field, rule, words

DECLARED, AUTOMATIC = CLAIMS = words("declared automatic")
ALLOWED, NEVER = CLOSING = words("allowed never")


@rule
def other_moves(s: Any, opt: Any, me: int, out: Buffer, n: int) -> int:
    """A table may do without closing (SS-26), and where claims are automatic nobody declares (SS-30)."""
    end: int = other_moves(s, opt, me, out, n)
    for i in range(n, end):
        if not ((out[i] == DECLARE and opt.claims == AUTOMATIC) or (out[i] == CLOSE and opt.closing == NEVER)):
            out[n] = out[i]
            n += 1
    return n


@rule
def apply(s: Any, opt: Any, me: int, move: int) -> None:
    """Where claims are automatic a deal ends as soon as a player about to lead has enough points (SS-30)."""
    if move == CLOSE:
        s.closed_at = s.points[1 - me]
    apply(s, opt, me, move)
    if opt.claims == AUTOMATIC and s.phase == LEAD and s.points[s.leader] >= opt.enough:
        declare(s, opt, s.leader)


@rule
def declare(s: Any, opt: Any, me: int) -> None:
    """The first right declaration wins, whatever the other has (SS-35), and a closer who is forestalled loses."""
    other = 1 - me
    if s.points[me] < opt.enough:  # SS-31, SS-38
        none = s.tricks[other] == 0 or (s.closer == me and s.closed_on == 0)
        end_deal(s, opt, other, BAD_DECLARE, 3 if none else 2)
    elif s.closer == other:  # SS-39
        end_deal(s, opt, me, BAD_CLOSE, 3 if s.closed_on == 0 else 2)
    else:
        win(s, opt, me)


@rule
def win(s: Any, opt: Any, me: int) -> None:
    """A closer wins by what the other player had when the stock was closed (SS-34)."""
    other = 1 - me
    tricks = s.closed_on if s.closer == me else s.tricks[other]
    points = s.closed_at if s.closer == me else s.points[other]
    if tricks == 0:
        end_deal(s, opt, me, SCHWARZ, 3)
    elif points < opt.schneider:
        end_deal(s, opt, me, SCHNEIDER, 2)
    else:
        end_deal(s, opt, me, PLAIN, 1)


@rule
def play_out(s: Any, opt: Any) -> None:
    """A deal that nobody ends is won by the last trick, for one victory point, unless the stock was closed (SS-33,
    SS-36): then its taker must have enough points, or the closer loses (SS-39)."""
    if s.points[s.taker] >= opt.enough:
        declare(s, opt, s.taker)
    elif s.closer != NOBODY:
        end_deal(s, opt, 1 - s.closer, BAD_CLOSE, 3 if s.closed_on == 0 else 2)
    else:
        end_deal(s, opt, s.taker, PLAIN, 1)


GAME = shipped("sixty-six").variant(
    "schnapsen",
    title="Schnapsen",
    summary="Sixty-Six with twenty cards, sharper: head the trick or trump once the stock is gone.",
    picture=("Kh Qh", "Jh"),
    numbers={"pack": "ATKQJ", "strength": "A T K Q J", "size": 5, "last_trick": 0, "fetcher": JACK},
    rules={
        "other_moves": other_moves,
        "apply": apply,
        "declare": declare,
        "win": win,
        "play_out": play_out,
    },
    fields={"closed_at": open_field()},  # the other's points when the stock was closed, SS-34
    options={
        "claims": choice(CLAIMS, clause="SS-30", help="automatic: the deal ends as soon as a player has 66"),
        "closing": choice(CLOSING, clause="SS-26", help="never: nobody may close the stock"),
        "endplay": number(STRICT, clause="SS-18", help="once suit must be followed, also head the trick and trump"),
        "last": number(ALWAYS, clause="SS-5", help="the last trick brings no points"),
        "both": number(DECLARER, clause="SS-35", help="a right declaration wins even if both have 66"),
        "carry": number(NONE, clause="SS-37", help="no deal is void"),
    },
)
