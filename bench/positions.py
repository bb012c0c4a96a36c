"""Positions with a move that is proven to be a blunder, and who makes it.

python bench/positions.py make GAME [--number 100] [--seed 1]     lines for tests/positions/GAME.jsonl
python bench/positions.py check GAME [--number 20] [--files …]     whether that holds in so many worlds of each
python bench/positions.py ask GAME PLAYER [PLAYER …] [--files …]   how often players go wrong in them
"""

import argparse
import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from upcard import Match, games
from upcard.engine.worlds import Worlds
from upcard.lab.positions import failed, read
from upcard.players import player
from upcard.players.endings import Ending, ending_of
from upcard.players.proof import CARDS, NODES, Proof, blunders, is_near_the_end

POSITIONS = Path(__file__).parents[1] / "tests" / "positions"
TABLES: dict[str, dict[str, Any]] = {
    "linger-longer": {"players": 3, "options": {"cards": 11}},
    "loo": {"players": 5},
    "oh-hell": {"players": 3, "options": {"order": "down"}},
    "roundup": {"players": 3},
}
"""Where few cards are left face down in the end; other games are at their usual table."""
LATE = {"cinch": 2}
"""With so many cards at most positions are looked for, where with more a proof hardly ever comes off."""
SHORT = {"roundup": 2_400}
"""So many nodes at most, where proofs that come off are short and most do not."""
MUCH = 1_000_000
PLAIN = {"sixty-six": ("declare",)}
"""Moves that are wrong so often, and so plainly, that they are left out."""
ODD = 0.1
"""So often a seat plays anything, so that there are positions in which good players do not come."""


def make(slug: str, number: int, seed: int) -> Iterator[str]:
    """Lines with so many positions, or a few more."""
    found = deals = 0
    while found < number:
        record = one_deal(slug, Random(f"{slug} {seed} {deals}"))
        deals += 1
        if record["positions"]:
            found += len(record["positions"])
            yield json.dumps(record, separators=(",", ":"))


def one_deal(slug: str, rng: Random) -> dict[str, Any]:
    """The record of one deal with the positions in it."""
    table = TABLES.get(slug, {})
    match: Match[Any] = Match(slug, table.get("players"), options=table.get("options"), chance=rng)
    casual, asked, end = player("heuristic"), [], 0
    while match.state.deals == 1 and not match.done:
        seat = rng.choice(match.to_act)
        seen = match.view(seat)
        near = is_near_the_end(seen) and seen.sizes[seat] <= LATE.get(slug, CARDS)
        wrong = blunders(seen, nodes=SHORT.get(slug, NODES)) if near else {}
        texts = [(match.game.notation.text(move), match.game.notation.text(other)) for move, other in wrong.items()]
        told = {move: other for move, other in texts if move not in PLAIN.get(slug, ())}
        if told:
            end = len(match.events)
            asked.append({"after": end, "seat": seat, "wrong": told, "why": "in every world"})
        match.play(seat, rng.choice(seen.legal()) if rng.random() < ODD else casual.choose(seen, rng))
    record = match.record()
    return record | {"events": record["events"][:end], "positions": asked}


def ask(slug: str, names: list[str], files: list[Path]) -> None:
    """Print how often each player goes wrong."""
    positions = [one for file in files for one in read(file)]
    for name in names:
        started = time.perf_counter()
        wrong = failed(positions, player(name))
        spent = (time.perf_counter() - started) / max(1, len(positions))
        print(f"{slug:14} {name:12} {len(wrong)} of {len(positions)} wrong, {1000 * spent:.1f} ms each", flush=True)
        for position, move in wrong[:5]:
            print(f"    {move}: {position}")


def check(slug: str, number: int, files: list[Path]) -> None:
    """Print the positions that do not stand up: in some worlds that are dealt as for the search, the better move must
    surely reach what the wrong one can come to."""
    positions, rng, failing = [one for file in files for one in read(file)], Random(1), 0
    ending = Ending(ending_of(games.load(slug)).idle, drawn=MUCH)
    for position in positions:
        seen, sampler = position.view, Worlds(position.view)
        moves = {seen.game.notation.text(move): move for move in seen.legal_moves()}
        proofs = [Proof(seen, [sampler.sample(rng)], MUCH, ending) for _ in range(number)]
        for wrong, better in position.wrong.items():
            if not all(proof.is_as_good(moves[better], moves[wrong]) for proof in proofs):
                failing += 1
                print(f"    {wrong}: {position}")
    print(f"{slug:14} {failing} of {len(positions)} do not stand up in {number} worlds each")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["make", "check", "ask"])
    parser.add_argument("game", choices=games.SLUGS)
    parser.add_argument("players", nargs="*", help="who is asked")
    parser.add_argument("--number", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--files", type=Path, nargs="+", help="other positions than those of the repository")
    said = parser.parse_args()
    if said.what != "make":
        files = said.files or sorted(POSITIONS.glob(f"{said.game}*.jsonl"))
        if said.what == "ask":
            ask(said.game, said.players, files)
        else:
            check(said.game, said.number, [file for file in files if "by-hand" not in file.name])
        return
    for line in make(said.game, said.number, said.seed):
        sys.stdout.write(line + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
