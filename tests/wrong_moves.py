"""Wrong moves in all positions: the engine and the slow referee refuse each, and name the same clause.

python tests/wrong_moves.py [NUMBER [GAME …]]     try NUMBER wrong moves of each game, 100,000 by default
"""

import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from itertools import count
from random import Random
from typing import Any

from playing import GAMES, random_event, random_header
from referee_base import Refused

from upcard import IllegalMove, Match
from upcard.rules.game import Game

CARDS = "As Kh Qh 9c 2d 7h Jc Kd 10♠ ah * Xx 1s".split()
NUMBERS = "0 1 2 3 7 14 15 99 007 -1 4294967296".split() + ["9" * 30]
OF_A_KIND = {
    "card": CARDS,
    "card+": CARDS,
    "suit": ["s", "h", "♦", "x", "S"],
    "rank": ["A", "7", "t", "1"],
    "number": NUMBERS,
    "seat": NUMBERS,
}
NO_EVENTS = ["", " ", "x", "deal", "deal ", "deal x", "reshuffle As", "reshuffle", "draw", "draw x", "draw As As"]
NO_EVENTS += ["hello there", "0", "0 ", "00 As", "-1 As", "1.0 As", "+0 As", "move 0 As", "deal As Kh"]


@dataclass(frozen=True)
class Difference:
    """A wrong move whose refusals differ: the clause of the engine, that of the referee, and the record before it."""

    text: str
    ours: str | None
    theirs: str | None
    record: dict[str, Any]


def wrong_move(game: type[Game], match: Match, rng: Random) -> str:
    """A text that is probably no event here: no event at all, a move of somebody or something else, a spoilt one."""
    kind = rng.random()
    if kind < 0.04:
        return rng.choice(NO_EVENTS)
    seat = _seat(match, rng)
    if kind < 0.08:
        return rng.choice([f"{seat}", f"{seat} ", f"{seat}  As", f"{seat} fold", f" {seat} As", f"{seat} As "])
    if kind < 0.35:
        return f"{seat} {_card(match, rng)}"
    if kind < 0.65 or not match.to_act:
        verb = rng.choice(game.notation.verbs)
        items = [_card(match, rng) if one == "card" else rng.choice(OF_A_KIND[one]) for one in verb.items]
        if verb.items == ("card+",):
            items = [_card(match, rng) for _ in range(rng.randint(0, 5))]
        return " ".join([seat, *filter(None, [verb.word]), *items])
    mover = rng.choice(match.to_act)
    words = rng.choice(match.legal(mover)).split(" ")
    place = rng.randrange(len(words))
    spoilt = [
        words[:place] + words[place + 1 :],
        [*words, _card(match, rng)],
        [*words, words[-1]],
        words[:place] + [_card(match, rng)] + words[place + 1 :],
        words[::-1],
        [*words, rng.choice(NUMBERS)],
        words[:-1] + [rng.choice(NUMBERS)],
        rng.sample(words, len(words)),
        [words[0], *[_card(match, rng) for _ in words[1:]]],
        words,
    ]
    return f"{mover if rng.random() < 0.9 else seat} {' '.join(rng.choice(spoilt))}"


def _seat(match: Match, rng: Random) -> str:
    if match.to_act and rng.random() < 0.7:
        return str(rng.choice(match.to_act))
    return str(rng.randrange(match.players)) if rng.random() < 0.8 else rng.choice(["9", "11", "1" * 30, "08"])


def _card(match: Match, rng: Random) -> str:
    hands = [hand for hand in match.report()["hands"] if hand]
    return rng.choice(rng.choice(hands)) if hands and rng.random() < 0.7 else rng.choice(CARDS)


def clause_of(match: Match, text: str) -> str | None:
    """The clause that refuses a text; None for a legal event, which is not made."""
    try:
        match.fork().event(text) if _is_legal(match, text) else match.event(text)
    except IllegalMove as refused:
        return refused.clause
    return None


def _is_legal(match: Match, text: str) -> bool:
    seat, _, said = text.partition(" ")
    read = match.game.notation.read(said)
    return (
        seat.isdecimal()
        and len(seat) < 3
        and int(seat) < match.players
        and read.move is not None
        and read.move in match.legal_moves(int(seat))
    )


def clause_by_referee(referee: Any, text: str) -> str | None:
    """The clause by which the referee refuses a text. The caller knows that the engine refuses it."""
    try:
        referee.event(text)
    except Refused as refused:
        return refused.clause
    return None


def differences(game: type[Game], number: int, first: int = 0) -> Iterator[Difference | int]:
    """Try this many wrong moves, four before every event of random matches. Yields each difference, and at the end the
    number of moves that both refuse by the same clause."""
    tried = same = 0
    for seed in count(first):
        players, dealer, options = random_header(game, seed)
        match, rng = Match(game, players, dealer=dealer, options=options), Random(f"wrong moves {seed}")
        referee = import_module(f"games.{game.slug.replace('-', '_')}.referee").Referee(players, dealer, options)
        for _ in range(400):
            for _ in range(4):
                if tried == number:
                    yield same
                    return
                text = wrong_move(game, match, rng)
                if (ours := clause_of(match, text)) is None:
                    continue
                tried += 1
                theirs = clause_by_referee(referee, text)
                if ours == theirs:
                    same += 1
                else:
                    yield Difference(text, ours, theirs, match.record())
                if theirs is None:
                    break
            else:
                if match.done:
                    break
                text = random_event(match, rng)
                match.event(text)
                referee.event(text)
                continue
            break


def main(number: int, slugs: list[str]) -> None:
    for game in GAMES:
        if slugs and game.slug not in slugs:
            continue
        begun, kinds = time.monotonic(), dict[tuple[str | None, str | None], list[Difference]]()
        same = 0
        for one in differences(game, number):
            if isinstance(one, int):
                same = one
            else:
                kinds.setdefault((one.ours, one.theirs), []).append(one)
        print(f"{game.slug:14} {same} of {number} agree, {time.monotonic() - begun:.0f} s", flush=True)
        for (ours, theirs), found in kinds.items():
            last = found[0].record["events"][-3:]
            print(f"    {ours} / {theirs}: {len(found)}, {[one.text[:60] for one in found[:6]]} after {last}"[:600])


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000, sys.argv[2:])
