"""Cases of Ninety-Nine that the random matches of `test_referees.py` do not reach, against the slow referee."""

from games.ninety_nine.referee import Referee

BIDS = {
    0: "Ad Kd Qd",
    1: "As Kd Qd",
    2: "As Ks Kd",
    3: "As Ks Qs",
    4: "As Kd Kc",
    5: "As Ks Kc",
    9: "Kc 9c 6c",
}


def play(referee: Referee, *events: str) -> None:
    for text in events:
        referee.event(text)


def deal_text(referee: Referee) -> str:
    return " ".join(["deal", *(referee.chance() or [])])


def finish(referee: Referee, bids: list[int], tricks: list[int], premium: list[str | None]) -> None:
    play(referee, deal_text(referee))
    live = referee.players
    referee.bids = [BIDS[bid].split() for bid in bids[:live]]
    referee.tricks = list(tricks[:live])
    if live == 2:
        referee.dummy_bid, referee.dummy_tricks = BIDS[bids[2]].split(), tricks[2]
    referee.premium = list(premium)
    referee.hands = [[] for _ in range(live)]
    referee.finish_round()


def test_nn_9_nn_32_example_3_all_four() -> None:
    referee = Referee(4, 3, {})
    finish(referee, [2, 3, 1, 4], [2, 3, 1, 4], [None] * 4)
    assert referee.report()["scores"] == [2, 3, 1, 4]
    play(referee, deal_text(referee))
    assert (referee.report()["trump"], referee.report()["deal"]) == (None, 2)
