"""What Ninety-Nine says of itself: refusals, report, table."""

from random import Random
from typing import Any

from upcard.rules import *

from .rules import *

# ---------------------------------------------------------------------------------------------- what plain Python says


def refusal(s: State, opt: Opt, me: int, said: Attempt) -> str:
    """The rulebook's paragraph "Which clause a refused event names"."""
    if not acts(s, me):
        return "NN-52"
    if s.phase == BIDDING:
        return "NN-11" if said.verb == BID else "NN-52"
    if said.items is None:
        return "NN-52"
    if s.phase == PREMIUM:
        if said.verb == REVEAL and s.players == 2:
            return "NN-20"
        return "NN-18" if said.verb in (DECLARE, REVEAL) else "NN-52"
    if said.verb != MOVES.play and (said.verb != FROM_DUMMY or s.players > 2):
        return "NN-52"
    if (said.verb == FROM_DUMMY) != is_dummy(s, s.turn):
        return "NN-29" if is_dummy(s, s.leader) else "NN-28"
    return "NN-25" if s.hand[s.turn] >> said.items[0] & 1 else "NN-24"


def has_bid(s: State, seat: int) -> bool:
    """Whether a seat has laid three cards aside, seen or not."""
    return s.deals > 0 and not (s.phase == BIDDING and acts(s, seat))


def dummys_cards(s: State) -> int:
    """How many cards the dummy holds, seen or not: NN-50."""
    return 9 if s.phase in (BIDDING, PREMIUM) else count(s.hand[DUMMY])


def complete(s: State, opt: Opt, me: int, rng: Random) -> None:
    """What nobody sees of the dummy yet, NN-50: the cards left when the seats have theirs."""
    if s.players > 2 or s.deals == 0:
        return
    seen = s.played | (0 if s.upcard == NO_CARD else bit(s.upcard))
    for hand in range(hands(s)):
        seen |= s.hand[hand] | s.bid[hand]
    left = as_list(whole_pack(s, opt) & ~seen)
    rng.shuffle(left)
    if s.bid[DUMMY] == 0:
        s.bid[DUMMY] = as_set(left[:3])
        del left[:3]
    if s.hand[DUMMY] == 0:
        s.hand[DUMMY] = as_set(left[: dummys_cards(s)])


def consistent(s: State, opt: Opt, me: int) -> bool:
    """Option `show`: who has failed cannot have bid the tricks won."""
    if s.deals == 0 or s.phase not in (DUE, DONE):
        return True
    return all(s.made >> seat & 1 or tricks_bid(s, s.bid[seat]) != s.tricks[seat] for seat in range(s.players))


def trick(s: State) -> list[tuple[int, Card]]:
    """Who has played what; the dummy has the number after the last seat's."""
    played: list[tuple[int, Card]] = []
    hand = s.leader
    while s.phase == PLAY and hand != s.turn:
        played.append((hand, s.card[hand]))
        hand = plays_after(s, hand)
    return played


def who(s: State, hand: int) -> int | str | None:
    return None if hand == NOBODY else "dummy" if is_dummy(s, hand) else hand


def texts(cards: Cards) -> list[str]:
    return list(map(text, as_list(cards)))


def rounds_over(s: State) -> int:
    """How many rounds of the match have ended."""
    return s.deals - (s.phase not in (DUE, DONE))


def report(s: State, opt: Opt) -> dict[str, Any]:
    rows = hands(s)
    seats = range(s.players)
    last = {
        "bids": s.last_bids[:rows],
        "tricks": s.last_tricks[:rows],
        "made": [bool(s.made >> hand & 1) for hand in range(rows)],
        "gain": s.last_gain[:rows],
    }
    dummy = {"hand": texts(s.hand[DUMMY]), "bid": texts(s.bid[DUMMY]), "tricks": s.tricks[DUMMY]}
    return {
        "trump": None if s.trump == NO_SUIT else SUITS[s.trump],
        "upcard": None if s.upcard == NO_CARD else text(s.upcard),
        "trick": [[who(s, hand), text(card)] for hand, card in trick(s)],
        "leader": who(s, s.leader),
        "tricks": s.tricks[: s.players],
        "points": (s.last_gain if s.phase in (DUE, DONE) else s.tricks)[: s.players],
        "last": last if rounds_over(s) else None,
        "bids": [texts(s.bid[seat]) or None for seat in seats],
        "offers": [OFFERS[s.offers[seat]] for seat in seats],
        "premium": [OFFERS[s.premium[seat]] for seat in seats],
        "dummy": dummy if s.players == 2 else None,
        "game_no": s.game_no,
        "game_points": s.game_points[: s.players],
        "bonuses": s.bonuses[: s.players],
    }


# ------------------------------------------------------------------------------------------------- what faces draw


def scene(s: State, opt: Opt, seat: int | None) -> Scene:
    """NN-48 to NN-51."""
    headline = f"Game {s.game_no} · " if opt.match == GAMES else ""
    headline += f"Round {s.deals}"
    if s.deals:
        headline += f" · {'no trumps' if s.trump == NO_SUIT else SUIT_NAMES[s.trump] + ' are trumps'}"
    return Scene(
        headline,
        _prompt(s),
        _zones(s) if s.deals else [],
        [_marks(s, opt, who) for who in range(s.players)],
        s.trump,
        None if s.leader == NOBODY or is_dummy(s, s.leader) else s.leader,
        result=_result(s),
    )


def _prompt(s: State) -> str:
    if s.phase == BIDDING:
        return "bid with three cards: a club is 3 tricks, a heart 2, a spade 1, a diamond 0"
    if s.phase == PREMIUM:
        return "declare your bid, or pass" if s.players == 2 else "declare your bid, reveal your hand too, or pass"
    if s.phase != PLAY:
        return ""
    out_of = " from the dummy" if is_dummy(s, s.turn) else ""
    if s.led == 0:
        return f"lead a card{out_of}"
    return f"follow {sign(face(s, s.card[s.leader]))}{out_of} if {'it' if out_of else 'you'} can"


def _zones(s: State) -> list[Zone]:
    on_table = trick(s)
    cards, hands_played = tuple(card for _, card in on_table), tuple(hand for hand, _ in on_table)
    zones = [Zone("trick", "trick", "Trick", cards, seats=hands_played)]
    if s.upcard != NO_CARD:
        zones.append(Zone("upcard", "upcard", "Upcard", (s.upcard,)))
    if s.players == 2:
        tricks = f"Dummy, {s.tricks[DUMMY]} trick{'s' * (s.tricks[DUMMY] != 1)}"
        zones.append(Zone("dummy", "dummy", tricks, tuple(as_list(s.hand[DUMMY])), count=dummys_cards(s)))
    for hand in range(hands(s)):
        if s.bid[hand]:
            label = f"{'Dummy: bid' if is_dummy(s, hand) else 'Bid'} {tricks_bid(s, s.bid[hand])}"
            owner = None if is_dummy(s, hand) else hand
            zones.append(Zone(f"bid-{hand}", "aside", label, tuple(as_list(s.bid[hand])), owner=owner))
    return zones


def _marks(s: State, opt: Opt, seat: int) -> list[tuple[str, object]]:
    secret = "secret" if has_bid(s, seat) else "–"
    marks: list[tuple[str, object]] = [
        ("Bid", tricks_bid(s, s.bid[seat]) if s.bid[seat] else secret),
        ("Tricks", s.tricks[seat]),
    ]
    if opt.premiums == YES:
        marks.append(("Offer", _offer(s, seat)))
    if opt.match == GAMES:
        marks += [("Game", s.game_points[seat]), ("Bonuses", s.bonuses[seat])]
    return marks


def _offer(s: State, seat: int) -> str:
    beaten = s.offers[seat] == DECLARED and s.premium[seat] == NOT_ASKED and s.phase != PREMIUM
    return "beaten" if beaten else OFFERS[s.offers[seat]] or "–"


def _result(s: State) -> list[str]:
    if rounds_over(s) == 0:
        return []
    lines = []
    for hand in range(hands(s)):
        name = "The dummy" if is_dummy(s, hand) else f"{{{hand}}}"
        bid = "missed a secret bid" if s.told_bids[hand] == NO_BID else f"bid {s.told_bids[hand]}"
        premium = {DECLARED: ", declared", REVEALED: ", revealed"}.get(s.last_premium[hand], "")
        lines.append(f"{name} {bid}{premium} and took {s.last_tricks[hand]}: {s.last_gain[hand]}")
    lines += [f"{{{seat}}} wins the game bonus" for seat in range(s.players) if s.game_won >> seat & 1]
    return lines
