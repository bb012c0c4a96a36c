"""Learns Rolling Stone against casual players by proximal policy optimisation in PyTorch, in minutes on two cores.

    pip install '.[fast]' -r examples/requirements.txt
    python examples/learn.py --seeds 5 --curve docs/learn.svg

There are four players, and the usual rules. The policy sees what its seat sees, and knows nothing else about the game.
At the end it plays new matches against three casual players; an even share of wins is a quarter.
"""

import argparse
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from upcard import Setup, envs
from upcard.envs.vector_env import Step, VectorEnv

TABLE = Setup("rolling-stone", 4)
TABLES, STEPS, EPOCHS, BATCH, HIDDEN = 1024, 32, 3, 2048, 128
RATE, FADE, CLIP, SPREAD, WORTH = 1e-3, 0.95, 0.2, 0.01, 0.5
POINTS = 1.4
"""Rewards are divided by this."""
Point = tuple[int, float, float]
"""A point of the curve: decisions learned from, the share of matches won, and the half-width of its 95 % interval."""


class Policy(nn.Module):
    """The policy and the value function: from an observation to the scores of actions and the expected reward."""

    def __init__(self, env: VectorEnv, sample: Tensor) -> None:
        super().__init__()
        spread = sample.std(0)
        self.used = spread.nonzero().squeeze(1)  # most numbers of an observation matter only at other tables
        self.mean, self.spread = sample.mean(0)[self.used], spread[self.used]
        self.body = nn.Sequential(nn.Linear(len(self.used), HIDDEN), nn.Tanh(), nn.Linear(HIDDEN, HIDDEN), nn.Tanh())
        self.choice = nn.Linear(HIDDEN, env.actions.size)
        self.worth = nn.Linear(HIDDEN, 1)

    def look(self, env: VectorEnv, words: np.ndarray | None = None) -> Tensor:
        """The part of an observation that the policy uses."""
        return ((torch.from_numpy(env.numbers(words))[:, self.used] - self.mean) / self.spread).clamp_(-5, 5)

    def forward(self, seen: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        known = self.body(seen)
        return self.choice(known).masked_fill(~mask, -1e9).log_softmax(1), self.worth(known).squeeze(1)


class Experience(NamedTuple):
    """A number of steps of all tables."""

    seen: Tensor
    mask: Tensor
    action: Tensor
    likely: Tensor
    gain: Tensor
    goal: Tensor


def what_for(shown: Step) -> Tensor:
    """The learner's rewards, relative to the other seats'."""
    return torch.from_numpy(shown.reward[:, 0] - shown.reward[:, 1:].mean(1)) / POINTS


@torch.no_grad()
def play(env: VectorEnv, policy: Policy) -> Experience:
    """Play a number of steps; returns them with the advantage of each action."""
    shown, taken = env.now, []
    for _ in range(STEPS):
        seen, mask = policy.look(env), torch.from_numpy(shown.mask.astype(bool))
        odds, worth = policy(seen, mask)
        action = torch.multinomial(odds.exp(), 1)
        env.step(action.squeeze(1).numpy())
        goes_on = torch.from_numpy(~shown.done).float()
        taken.append((seen, mask, action, odds.gather(1, action), worth, what_for(shown), goes_on))
    seen, mask, action, likely, worth, reward, goes_on = map(torch.stack, zip(*taken, strict=True))
    ahead = policy(policy.look(env), torch.from_numpy(shown.mask.astype(bool)))[1]
    gain, later = torch.zeros_like(worth), torch.zeros(env.tables)
    for t in reversed(range(STEPS)):
        later = reward[t] + goes_on[t] * (ahead + FADE * later) - worth[t]
        gain[t], ahead = later, worth[t]
    return Experience(*(part.flatten(0, 1) for part in (seen, mask, action, likely, gain, gain + worth)))


def learn(policy: Policy, optimiser: torch.optim.Optimizer, all_seen: Experience) -> None:
    """Make good actions more likely, in small steps."""
    gains = (all_seen.gain - all_seen.gain.mean()) / all_seen.gain.std()
    for rows in (rows for _ in range(EPOCHS) for rows in torch.randperm(len(gains)).split(BATCH)):
        seen, mask, action, likely, _, goal = (part[rows] for part in all_seen)
        odds, worth = policy(seen, mask)
        ratio = (odds.gather(1, action) - likely).squeeze(1).exp()
        better = torch.min(ratio * gains[rows], ratio.clamp(1 - CLIP, 1 + CLIP) * gains[rows]).mean()
        spread = -(odds.exp() * odds).sum(1).mean()
        loss = -better - SPREAD * spread + WORTH * (worth - goal).square().mean()
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
        optimiser.step()


@torch.no_grad()
def wins(policy: Policy, matches: int, seed: int) -> tuple[float, float]:
    """The share of matches won (joint wins count in part) and the half-width of its 95 % interval.

    The policy always takes the action that it considers best.
    """
    env = envs.vector(TABLE, tables=min(matches, 1024), seed=seed, others="casual")
    shown, won = env.reset(), []
    left = np.full(env.tables, matches // env.tables)  # as many from each table, so that long matches are not missed
    while left.any():
        odds, _ = policy(policy.look(env), torch.from_numpy(shown.mask.astype(bool)))
        env.step(odds.argmax(1).numpy())
        counts = shown.done & (left > 0)
        won.append((shown.reward[counts, 0] * (TABLE.players - 1) + 1) / TABLE.players)
        left -= counts
    shares = np.concatenate(won)
    return float(shares.mean()), float(1.96 * shares.std() / len(shares) ** 0.5)


def train(seed: int, rounds: int, every: int, matches: int) -> Iterator[Point]:
    """Train a policy and yield the points of its curve; the last one is the result."""
    torch.manual_seed(seed)
    env = envs.vector(TABLE, tables=TABLES, seed=seed, others="casual", reward="deal")
    sample, luck = [], np.random.default_rng(seed)
    shown = env.reset()
    for _ in range(STEPS):
        sample.append(torch.from_numpy(env.numbers()))
        env.step((luck.random(shown.mask.shape) * shown.mask).argmax(1))
    policy = Policy(env, torch.cat(sample))
    optimiser = torch.optim.Adam(policy.parameters(), RATE)
    slower = torch.optim.lr_scheduler.LinearLR(optimiser, 1, 0.05, rounds)
    for number in range(rounds + 1):
        if number % every == 0 or number == rounds:
            yield number * TABLES * STEPS, *wins(policy, matches if number == rounds else matches // 10, 1000 + seed)
        learn(policy, optimiser, play(env, policy))
        slower.step()


def draw(curves: list[list[Point]], file: Path) -> None:
    """Draw the share of matches won over the decisions learned from as SVG, with a line for each seed."""
    most = max(point[0] for curve in curves for point in curve)

    def place(decisions: float, share: float) -> str:
        return f"{50 + 320 * decisions / most:.1f},{170 - 600 * (share - 0.1):.1f}"

    lines = [f'<polyline points="{" ".join(place(n, share) for n, share, _ in curve)}"/>' for curve in curves]
    even = place(0, 1 / TABLE.players), place(most, 1 / TABLE.players)
    lines.append(f'<polyline stroke="#999" stroke-dasharray="4" points="{" ".join(even)}"/>')
    said = [(12, 174, "10 %"), (12, 84, "25 %"), (12, 24, "35 %"), (50, 190, "0"), (280, 190, f"{most:,} decisions")]
    texts = [f'<text x="{x}" y="{y}">{what}</text>' for x, y, what in said]
    frame = (
        'xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 196" fill="#777" font-family="sans-serif" font-size="11"'
    )
    parts = [f"<svg {frame}>", '<g fill="none" stroke="#1f6f5c">', *lines, "</g>", *texts, "</svg>", ""]
    file.write_text("\n".join(parts), encoding="utf-8")


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--seeds", type=int, default=1)
    asked.add_argument("--rounds", type=int, default=120, help=f"of {TABLES * STEPS} decisions each")
    asked.add_argument("--every", type=int, default=10, help="rounds between two points of the curve")
    asked.add_argument("--matches", type=int, default=20480, help="played at the end")
    asked.add_argument("--curve", type=Path, help="an SVG file")
    told = asked.parse_args()
    torch.set_num_threads(1)  # for such a small network, two threads would mostly wait for each other
    curves: list[list[Point]] = []
    for seed in range(1, told.seeds + 1):
        start, busy = time.perf_counter(), time.process_time()
        curves.append([])
        for point in train(seed, told.rounds, told.every, told.matches):
            curves[-1].append(point)
            decisions, share, half = point
            took, used = time.perf_counter() - start, time.process_time() - busy
            told_now = f"{decisions:9,} decisions  {took:4.0f} s ({used:.0f} s of processor time)"
            print(f"seed {seed}  {told_now}  wins {share:.1%} ± {half:.1%}", flush=True)
    if told.curve:
        draw(curves, told.curve)


if __name__ == "__main__":
    main()
