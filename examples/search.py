"""Improves a learned policy by search: in worlds that fit what the seat sees, it plays every move out many times.

    pip install '.[fast]'
    python examples/search.py --seeds 5

A linear policy first learns one deal of Linger Longer against casual players, by policy gradient in NumPy. Then it
plays new deals alone and with search: at each decision a vector environment is loaded with worlds that fit what the
seat sees, and for every move the policy plays them to their end. The search sees no hidden card.
"""

import argparse
import time
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from upcard import Match, Setup, envs
from upcard.engine.worlds import world
from upcard.envs.vector_env import VectorEnv

TABLE = Setup("linger-longer", 4, {"deals": 1})
TABLES, STEPS, RATE, WORLDS = 128, 32, 0.005, 16
Floats = NDArray[Any]


class Policy:
    """Scores of actions that are linear in the observation, learned by Adam."""

    def __init__(self, env: VectorEnv) -> None:
        shape = env.observer.size, env.actions.size
        self.weights, self._mean, self._square = (np.zeros(shape, np.float32) for _ in range(3))
        self._updates = 0

    def odds(self, seen: Floats, mask: NDArray[np.int8]) -> Floats:
        """The probability of each action."""
        scores = np.where(mask, seen @ self.weights, -np.inf)
        odds = np.exp(scores - scores.max(1, keepdims=True))
        return odds / odds.sum(1, keepdims=True)

    def learn(self, seen: Floats, mask: NDArray[np.int8], actions: NDArray[Any], gains: Floats) -> None:
        """Make the actions with large gains more likely."""
        slope = -self.odds(seen, mask)
        slope[np.arange(len(actions)), actions] += 1
        gradient = seen.T @ (slope * gains[:, np.newaxis]) / len(actions)
        self._updates += 1
        self._mean += 0.1 * (gradient - self._mean)
        self._square += 0.01 * (gradient**2 - self._square)
        mean, square = self._mean / (1 - 0.9**self._updates), self._square / (1 - 0.99**self._updates)
        self.weights += RATE * mean / (np.sqrt(square) + 1e-6)


def scaled(env: VectorEnv) -> Floats:
    """The observations, with large numbers made small."""
    return np.clip(env.numbers(), -4, 4) / 4


def train(seed: int, rounds: int) -> Policy:
    """A policy that has learned from this many rounds of TABLES times STEPS decisions."""
    env, luck = envs.vector(TABLE, tables=TABLES, seed=seed, others="casual"), np.random.default_rng(seed)
    policy = Policy(env)
    env.reset()
    for _ in range(rounds):
        taken = []
        for _ in range(STEPS):
            seen, mask = scaled(env), env.now.mask.copy()
            cumulated = policy.odds(seen, mask).cumsum(1)
            actions = (cumulated < cumulated[:, -1:] * luck.random((TABLES, 1))).sum(1)
            shown = env.step(actions)
            taken.append((seen, mask, actions, shown.reward[:, 0].copy(), shown.done.copy()))
        later, goals = np.zeros(TABLES), []
        for *_, reward, done in reversed(taken):
            later = np.where(done, reward, 0.97 * later)
            goals.append(later)
        seen, mask, actions = (np.concatenate([step[part] for step in taken]) for part in range(3))
        gains = np.concatenate(goals[::-1])
        policy.learn(seen, mask, actions, (gains - gains.mean()) / (gains.std() + 1e-6))
    return policy


class Search:
    """Chooses the actions whose playouts by a policy are best on average."""

    def __init__(self, policy: Policy, seed: int) -> None:
        self.policy, self.luck, self.blank = policy, Random(seed), Match(TABLE)
        self.many = envs.vector(TABLE, tables=4096, seed=seed, others="casual")

    def actions(self, env: VectorEnv) -> NDArray[np.int64]:
        """An action for each table: that of the policy if there is only one, else the best."""
        chosen = env.now.mask.argmax(1)
        worlds, tries = [], []
        for table in np.flatnonzero(env.now.mask.sum(1) > 1):
            view, first = env.view(int(table)), len(worlds)
            worlds += [self.blank.in_world(world(view, self.luck)) for _ in range(WORLDS)]
            legal = np.flatnonzero(env.now.mask[table])
            tries += [(table, action, first + number) for action in legal for number in range(WORLDS)]
        values = np.full(env.now.mask.shape, -np.inf)
        for start in range(0, len(tries), self.many.tables):
            table, action, row = np.array(tries[start : start + self.many.tables]).T
            results = self.played_out(worlds, row, action)
            values[table, action] = np.where(np.isinf(values[table, action]), 0, values[table, action])
            np.add.at(values, (table, action), results)
        searched = np.isfinite(values).any(1)
        chosen[searched] = values[searched].argmax(1)
        return chosen

    def played_out(self, worlds: list[Match], row: NDArray[Any], action: NDArray[Any]) -> Floats:
        """The result of each action in a world, if the policy then plays on."""
        many, number = self.many, len(row)
        many.load(worlds, np.resize(row, many.tables), seed=self.luck.getrandbits(60))
        results, over, actions = np.zeros(many.tables), np.zeros(many.tables, bool), np.resize(action, many.tables)
        while not over.all():
            shown = many.step(actions)
            results[shown.done & ~over] = shown.reward[shown.done & ~over, 0]
            over |= shown.done
            actions = self.policy.odds(scaled(many), shown.mask).argmax(1)
        return results[:number]


def share_of_wins(policy: Policy, search: Search | None, deals: int, seed: int) -> tuple[float, float]:
    """The share of deals that the policy wins at new tables, a deal at each, and half its 95 % interval."""
    env = envs.vector(TABLE, tables=deals, seed=seed, others="casual")
    env.reset()
    shares, over = np.zeros(deals), np.zeros(deals, bool)
    while not over.all():
        actions = search.actions(env) if search else policy.odds(scaled(env), env.now.mask).argmax(1)
        shown = env.step(actions)
        ends = shown.done & ~over
        shares[ends] = (shown.reward[ends, 0] * (TABLE.players - 1) + 1) / TABLE.players
        over |= ends
    return float(shares.mean()), float(1.96 * shares.std() / deals**0.5)


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--seeds", type=int, default=1)
    asked.add_argument("--rounds", type=int, default=20, help=f"of {TABLES * STEPS} decisions each")
    asked.add_argument(
        "--deals", type=int, default=200, help="played at the end with search, and five times as many alone"
    )
    options = asked.parse_args()
    for seed in range(1, options.seeds + 1):
        start = time.process_time()
        policy = train(seed, options.rounds)
        alone, half = share_of_wins(policy, None, 5 * options.deals, 1000 + seed)
        learned = time.process_time() - start
        search, wide = share_of_wins(policy, Search(policy, seed), options.deals, 2000 + seed)
        took = time.process_time() - start - learned
        print(
            f"seed {seed}  alone {alone:.1%} ± {half:.1%} ({learned:.0f} s of processor time)  "
            f"with search {search:.1%} ± {wide:.1%} ({took:.0f} s)",
            flush=True,
        )


if __name__ == "__main__":
    main()
