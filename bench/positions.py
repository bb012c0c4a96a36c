"""Positions with a move that is proven to be a blunder, and how often players make it.

python bench/positions.py make GAME [--number 100] [--seed 1]     lines for tests/positions/GAME.jsonl
python bench/positions.py check GAME [--number 20] [--files …]     test the proofs in this many worlds
python bench/positions.py ask GAME PLAYER [PLAYER …] [--files …]   how often players blunder in them
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
from upcard.players import player
from upcard.players.blunders import CARDS, NODES, WorldProofs, blunders, is_near_the_end
from upcard.players.endgame_worlds import EndgameSymmetry, ending_of

POSITIONS = Path(__file__).parents[1] / "tests" / "positions"
sys.path.append(str(POSITIONS.parent))
from position_files import read_positions, wrong_moves  # noqa: E402

TABLES: dict[str, dict[str, Any]] = {
    "linger-longer": {"players": 3, "options": {"cards": 11}},
    "loo": {"players": 5},
    "oh-hell": {"players": 3, "options": {"order": "down"}},
    "roundup": {"players": 3},
}
"""Tables at which few cards remain face down at the end; other games use their usual table."""
LATE = {"cinch": 2}
"""The largest hand for which positions are searched, in games in which proofs with more cards rarely succeed."""
SHORT = {"roundup": 2_400}
"""The limit on nodes in games in which most proofs fail, and successful ones are short."""
MUCH = 1_000_000
PLAIN = {"sixty-six": ("declare",)}
"""Moves that are left out because they are wrong so often and so obviously."""
ODD = 0.1
"""The probability of a random move, so that there are also positions that good players avoid."""


def make(slug: str, number: int, seed: int) -> Iterator[str]:
    """Lines with `number` positions, or a few more."""
    written = deals = 0
    while written < number:
        record = one_deal(slug, Random(f"{slug} {seed} {deals}"))
        deals += 1
        if record["positions"]:
            written += len(record["positions"])
            yield json.dumps(record, separators=(",", ":"))


def one_deal(slug: str, rng: Random) -> dict[str, Any]:
    """The record of one deal, with the positions in it."""
    table = TABLES.get(slug, {})
    match: Match[Any] = Match(slug, table.get("players"), options=table.get("options"), chance=rng)
    casual, asked, end = player("heuristic"), [], 0
    while match.state.deals == 1 and not match.done:
        seat = rng.choice(match.to_act)
        seen = match.view(seat)
        near = is_near_the_end(seen) and seen.sizes[seat] <= LATE.get(slug, CARDS)
        wrong = blunders(seen, nodes=SHORT.get(slug, NODES)) if near else {}
        texts = [(match.game.notation.text(move), match.game.notation.text(other)) for move, other in wrong.items()]
        better = {move: other for move, other in texts if move not in PLAIN.get(slug, ())}
        if better:
            end = len(match.events)
            asked.append({"after": end, "seat": seat, "wrong": better, "why": "in every world"})
        match.play(seat, rng.choice(seen.legal()) if rng.random() < ODD else casual.choose(seen, rng))
    record = match.record()
    return record | {"events": record["events"][:end], "positions": asked}


def ask(slug: str, names: list[str], files: list[Path]) -> None:
    """Print how often each player blunders."""
    positions = [position for file in files for position in read_positions(file)]
    for name in names:
        started = time.perf_counter()
        wrong = wrong_moves(positions, player(name))
        spent = (time.perf_counter() - started) / max(1, len(positions))
        print(f"{slug:14} {name:12} {len(wrong)} of {len(positions)} wrong, {1000 * spent:.1f} ms each", flush=True)
        for position, move in wrong[:5]:
            print(f"    {move}: {position}")


def check(slug: str, number: int, files: list[Path]) -> None:
    """Print the positions that fail the check: in a number of worlds sampled as for the search, the better move must be
    certain to do at least as well as the wrong one can."""
    positions, rng, failing = [position for file in files for position in read_positions(file)], Random(1), 0
    ending = EndgameSymmetry(ending_of(games.load(slug)).idle, drawn=MUCH)
    for position in positions:
        seen, sampler = position.view, Worlds(position.view)
        moves = {seen.game.notation.text(move): move for move in seen.legal_moves()}
        proofs = [WorldProofs(seen, [sampler.sample(rng)], MUCH, ending) for _ in range(number)]
        for wrong, better in position.wrong.items():
            if not all(proof.is_as_good(moves[better], moves[wrong]) for proof in proofs):
                failing += 1
                print(f"    {wrong}: {position}")
    print(f"{slug:14} {failing} of {len(positions)} fail in {number} worlds each")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["make", "check", "ask"])
    parser.add_argument("game", choices=games.SLUGS)
    parser.add_argument("players", nargs="*", help="the players that are asked")
    parser.add_argument("--number", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--files", type=Path, nargs="+", help="positions other than those of the repository")
    args = parser.parse_args()
    if args.what != "make":
        files = args.files or sorted(POSITIONS.glob(f"{args.game}*.jsonl"))
        if args.what == "ask":
            ask(args.game, args.players, files)
        else:
            check(args.game, args.number, [file for file in files if "by-hand" not in file.name])
        return
    for line in make(args.game, args.number, args.seed):
        sys.stdout.write(line + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
