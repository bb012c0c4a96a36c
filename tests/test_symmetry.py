"""Seats are symmetric: a table rotated by one seat, with the same packs and the same random numbers for everybody,
plays the same match, rotated. So equal players have equal chances in every seat as the deal passes around."""

from random import Random

import pytest

from upcard import Match, Setup
from upcard.engine.chance import SplitMix
from upcard.players import player
from upcard.rules.game import Game

EVENTS = 200


class Shuffled(SplitMix):
    """It gives the same pack in whatever order the cards were gathered in, which may be by seats."""

    def shuffle(self, x: list[int]) -> None:
        x.sort()
        super().shuffle(x)


BY_NUMBER = {"oh-hell", "roundup"}
"""Where casual players of three and more go by the numbers of seats, though none gains by it: chances are rounded
seat after seat (Oh Hell), and lots between moves are drawn in the order of the seats that they name (Roundup!)."""


@pytest.mark.parametrize("by", ["random", "heuristic"])
def test_a_turned_table_plays_the_same_match(game: type[Game], by: str) -> None:
    for seats in game.player_counts:
        if by == "random" or seats == 2 or game.slug not in BY_NUMBER:
            for seed in range(2):
                assert played(Setup(game, seats), by, seed, 1) == played(Setup(game, seats), by, seed, 0)


def played(setup: Game, by: str, seed: int, turn: int) -> list[object]:
    """Chance, what everybody may do and does, and the scores so far: with seats as if the table were not turned."""
    match, chance, one, seats = Match(setup, dealer=turn), Shuffled(seed), player(by), setup.players
    luck = [Random(f"{seed} {place}") for place in range(seats)]
    found: list[object] = []
    while not match.done and len(match.events) < EVENTS:
        if match.awaiting:
            told = match.draw_lots(chance)
            match.event(told)
            found.append(told)
            continue
        place = min((seat - turn) % seats for seat in match.to_act)
        seat = (place + turn) % seats
        may = {turned(match, move, -turn): match.game.notation.text(move) for move in match.legal_moves(seat)}
        if by == "random":
            move = may[luck[place].choice(sorted(may))]
        else:
            move = one.choose(match.view(seat), luck[place])
        match.play(seat, move)
        found.append((place, sorted(may), [named for named, text in may.items() if text == move]))
    return [*found, [match.scores[(place + turn) % seats] for place in range(seats)]]


def turned(match: Match, move: int, turn: int) -> str:
    """A move, with the seats that it names turned."""
    words, kinds = match.game.notation.text(move).split(), match.game.notation.kinds(move)
    for place, kind in zip(range(-len(kinds), 0), kinds, strict=True):
        if kind == "seat":
            words[place] = str((int(words[place]) + turn) % match.players)
    return " ".join(words)
