"""OpenSpiel's interface from Python: actions and clones a second, interleaved with OpenSpiel's own games in C++.

    python bench/open_spiel_speed.py [game …]       needs the extra `open-spiel`

A Python loop plays random matches: it asks for the legal actions of the player to act, chance included, takes one of
them and clones the state. Seconds are processor time of one core. The ratios vary less than the figures.
"""

import random
import sys
import time

import pyspiel

from upcard import envs, games

ROUNDS = 5
SECONDS = 0.5
THEIRS = "oh_hell(players=4,num_tricks_fixed=10)", "spades"


def step(state: "pyspiel.State", rng: random.Random) -> None:
    """Take a random action."""
    if state.is_simultaneous_node():
        actions = [state.legal_actions(seat) for seat in range(state.num_players())]
        state.apply_actions([rng.choice(legal) if legal else 0 for legal in actions])
    else:
        actions = state.legal_actions()
        state.apply_action(actions[int(rng.random() * len(actions))])


def actions_a_second(game: "pyspiel.Game") -> float:
    """Actions in random matches."""
    rng, actions, state = random.Random(1), 0, game.new_initial_state()
    start = time.process_time()
    while (spent := time.process_time() - start) < SECONDS:
        for _ in range(50):
            if state.is_terminal():
                state = game.new_initial_state()
            step(state, rng)
        actions += 50
    return actions / spent


def clones_a_second(game: "pyspiel.Game") -> float:
    """Copies of a state in the middle of a deal."""
    rng, state = random.Random(1), game.new_initial_state()
    for _ in range(80):
        step(state, rng)
    clones = 0
    start = time.process_time()
    while (spent := time.process_time() - start) < SECONDS / 2:
        for _ in range(200):
            state.clone()
        clones += 200
    return clones / spent


def main() -> None:
    slugs = sys.argv[1:] or games.SLUGS
    tables = {slug: envs.open_spiel(slug) for slug in slugs} | {name: pyspiel.load_game(name) for name in THEIRS}
    best = dict.fromkeys(tables, (0.0, 0.0))
    for game in tables.values():
        step(game.new_initial_state(), random.Random(1))  # compiles
    for _ in range(ROUNDS):
        for name, game in tables.items():
            rates = actions_a_second(game), clones_a_second(game)
            best[name] = max(best[name][0], rates[0]), max(best[name][1], rates[1])
    unit = best[THEIRS[0]]
    for name, (actions, clones) in best.items():
        shares = f"{actions / unit[0]:6.2f} {clones / unit[1]:6.2f} of {THEIRS[0]}"
        print(f"{name:40} {actions:10,.0f} actions/s {clones:12,.0f} clones/s {shares}")


if __name__ == "__main__":
    main()
