"""Cases of Rolling Stone that the random matches of `test_referees.py` do not reach, against the slow referee."""

from games.rolling_stone.referee import PACK_RANKS, Referee
from referee_base import pack


def deal_text(players: int = 4) -> str:
    return " ".join(["deal", *pack(PACK_RANKS[players])])


def play(referee: Referee, *events: str) -> None:
    for text in events:
        referee.event(text)


def position(hands: list[str], leader: int, **options: object) -> Referee:
    """The middle of a deal: these hands, everything else on the discard pile."""
    referee = Referee(len(hands), 0, options)
    referee.event(deal_text(len(hands)))
    referee.hands = [hand.split() for hand in hands]
    referee.discards = [card for card in referee.whole_pack() if all(card not in hand for hand in referee.hands)]
    referee.leader = leader
    return referee


def test_rs_18_rs_19_example_7_the_limit() -> None:
    hands = ["7s 8s 9s Ts Js", "7h 8h 9h Th Jh Qh Kh Ah Qs", "7d 8d 9d Td Jd Qd", "7c 8c 9c Tc Jc Qc Kc Ac"]
    # The pips: 7 + 8 + 9 + four tens + the ace's 1 in hearts and in clubs, the queen of spades, the 7 of diamonds.
    for score, points in (("win", 1), ("cards", 18), ("pips", 65 + 65 + 10 + 7)):
        referee = position(hands, 2, score=score)
        referee.tricks, referee.taken = [49, 0, 0, 0], [0, 50, 0, 0]
        play(referee, "2 7d", "3 take")
        report = referee.report()
        assert (report["played"], report["trick"], report["leader"]) == (100, [], None)
        assert report["last"] == {
            "deal": 1,
            "winners": [0, 2],
            "limit": True,
            "left": [5, 9, 5, 9],
            "points": [points, 0, points, 0],
        }
        assert (report["done"], report["scores"], report["winners"]) == (True, [points, 0, points, 0], [0, 2])
