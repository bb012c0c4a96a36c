"""Random variants: chains of up to three subclasses of a shipped game, as source text.

Each class wraps or replaces a rule, settles an option, adds a field, a number, a verb or a rule of its own, replaces
such a rule of a class above, or does several of these. All count, in fields that they add, how often their rules are
called, so that a call that reaches another rule in compiled code than in plain Python shows in the state.

    python tests/random_subclasses.py [NUMBER [FIRST]]     check NUMBER of them, 2,000 by default
"""

import ast
import sys
import tempfile
import time
from functools import cache
from pathlib import Path
from random import Random
from types import FunctionType
from typing import Any

from upcard import Match, Setup, games, shuffler
from upcard.compiled import loops
from upcard.compiled.program import program
from upcard.engine.chance import SplitMix
from upcard.engine.match import let_happen
from upcard.engine.mistakes import cards_of_chance, listed_moves
from upcard.rules.cards import lowest
from upcard.rules.dependencies import dependencies_of
from upcard.rules.game import Game
from upcard.rules.lineage import classes_of
from upcard.rules.source import method_of, node_of
from upcard.rules.state import DEAL, DRAW
from upcard.rules.twins import twins_of

ACTING = ("deal", "apply")
LOOKING = ("playable", "other_moves", "utility", "cards_to_shuffle", "count_others", "nth_other", "nth_in_order")
DEPTH = 3
"""The most classes in a chain."""
MOST_MOVES = 3000
"""A deal with more moves is not played on."""


@cache
def acting_rules(game: type[Game[Any]]) -> list[str]:
    """The rules that run exactly once for each event, in plain Python and compiled: those that `deal` and `apply`
    reach, and no rule does that looks at moves."""
    twins = twins_of(game)

    def names(roots: tuple[str, ...]) -> set[FunctionType]:
        return {
            method_of(rule) for rule in dependencies_of([twins[name] for name in roots if game.defines(name)]).rules
        }

    methods = names(ACTING) - names(LOOKING)
    named = ((name, method) for one in classes_of(game) for name, method in vars(one).items())
    return sorted({name for name, method in named if takes_state(method) and method in methods})


def takes_state(method: Any) -> bool:
    return isinstance(method, FunctionType) and method.__code__.co_varnames[:2] == ("self", "s")


class Chain:
    """The source of a chain of subclasses."""

    def __init__(self, seed: int) -> None:
        self.rng = Random(seed)
        self.slug = self.rng.choice(games.SLUGS)
        self.root = games.load(self.slug)
        self.moves = self.root.most_moves
        self.numbers: list[str] = []
        self.helpers: list[str] = []
        self.settled: set[str] = set()
        self.traits = "noted_traits" if self.root.defines("noted_traits") else "traits"
        modules = dict.fromkeys(one.__module__ for one in classes_of(self.root))
        self.lines = [f"from {module} import *" for module in reversed(modules)]
        self.lines += ["from upcard.rules import *", f"from {self.root.__module__} import {self.root.__name__}", ""]
        base, state = self.root.__name__, self.root.state.__name__
        self.lines.append(f"{state} = {self.root.__name__}.state")
        self.names: list[str] = []
        for level in range(self.rng.randint(1, DEPTH)):
            base, state = self.add(level, base, state, seed)

    def add(self, level: int, base: str, state: str, seed: int) -> tuple[str, str]:
        rng, name = self.rng, f"Random{seed}{'ABC'[level]}"
        kinds = rng.sample(["wrap", "replace", "settle", "number", "verb", "change", "helper"], rng.randint(1, 4))
        fields = [f"    calls_{level}: int = open_field(kept={rng.random() < 0.5})"]
        body = [f'    title = "Random {seed} {level}"', f"    state = {name}State"]
        before = []
        rules = [*acting_rules(self.root)]
        rng.shuffle(rules)
        if "change" in kinds and self.numbers:
            body.append(f"    {self.numbers[-1]} = {rng.randint(10, 99)}")
        if "number" in kinds:
            self.numbers.append(f"extra_{level}")
            body.append(f'    extra_{level}: int = number({rng.randint(1, 9)}, clause="XX-1")')
        free = [key for key, one in self.root.declared_options.items() if one.values and key not in self.settled]
        if "settle" in kinds and free:
            key = rng.choice(free)
            self.settled.add(key)
            option = self.root.declared_options[key]
            body.append(f"    {option.attribute} = {rng.choice(option.values)!r}")
        if "helper" in kinds:
            helper = rng.choice([f"helper_{level}", *self.helpers])
            inherited = f"super().{helper}(s, n)" if helper in self.helpers and rng.random() < 0.7 else "n"
            body += ["", *["    @override"] * (helper in self.helpers), f"    def {helper}(self, s, n):"]
            body += [f"        return {rng.randint(1, 3)} * {inherited} + s.calls_{level} % {rng.randint(1, 9)}"]
            self.helpers = [*dict.fromkeys([*self.helpers, helper])]
        steps = [f"self.{number}" for number in self.numbers]
        steps += [f"self.{helper}(s, {rng.randint(1, 5)})" for helper in self.helpers]
        step = rng.choice([str(rng.randint(1, 5)), *steps])
        if "verb" in kinds:
            self.moves += 1
            fields.append(f"    nudges_{level}: int = open_field()")
            before += [
                f"VERBS_{level} = {base}.notation.copy()",
                f'NUDGE_{level} = VERBS_{level}.verb("nudge{level}", label="Nudge", said="nudges")',
                "",
            ]
            body += [f"    notation = VERBS_{level}", f"    most_moves = {self.moves}", "", *verb(level, self.traits)]
        if "wrap" in kinds or not {"replace", "verb"} & {*kinds}:
            wrapped = next(one for one in rules if not ("verb" in kinds and one == "apply"))
            rules.remove(wrapped)
            body += ["", *self.wrapped(wrapped, level, step)]
        if "replace" in kinds:
            body += ["", *next((text for one in rules if (text := self.replaced(one, level, step))), [])]
        self.lines += [
            "",
            *before,
            "",
            f"class {name}State({state}):",
            *fields,
            "",
            "",
            f"class {name}({base}):",
            *body,
        ]
        self.names.append(name)
        return name, f"{name}State"

    def wrapped(self, name: str, level: int, step: str) -> list[str]:
        """A rule that counts its calls and does what it did."""
        node = node_of(self.method(name))
        parameters = [argument.arg for argument in node.args.args]
        gives = "" if isinstance(node.returns, ast.Constant) and node.returns.value is None else "return "
        return [
            "    @override",
            f"    def {name}({', '.join(parameters)}):",
            f"        s.calls_{level} += {step}",
            f"        {gives}super().{name}({', '.join(parameters[1:])})",
        ]

    def replaced(self, name: str, level: int, step: str) -> list[str]:
        """The text of a rule of the game itself, which also counts its calls; nothing if it needs what is above it."""
        text = ast.unparse(node_of(self.method(name)))
        if "super()" in text or (name == "apply" and self.moves > self.root.most_moves):  # which knows no nudges
            return []
        node = ast.parse(text).body[0]
        assert isinstance(node, ast.FunctionDef)
        node.decorator_list, node.returns = [], None
        for argument in node.args.args:
            argument.annotation = None
        node.body = [*ast.parse(f"s.calls_{level} += {step}").body, *node.body]
        return ["    @override", *(f"    {line}" for line in ast.unparse(ast.fix_missing_locations(node)).splitlines())]

    def method(self, name: str) -> FunctionType:
        return next(vars(one)[name] for one in classes_of(self.root) if name in vars(one))

    @property
    def source(self) -> str:
        return "\n".join(self.lines) + "\n"


def verb(level: int, traits: str) -> list[str]:
    """A move that any seat may make instead of another, twice a deal, and that does nothing. What the game knows of its
    own moves, its heuristic and its features, is not asked about this one."""
    head = f"def {traits}(self, s, me, move{', notes, at' if traits == 'noted_traits' else ''}):"
    return [
        "    @override",
        "    def other_moves(self, s, me, out, n):",
        "        n = super().other_moves(s, me, out, n)",
        f"        return add(out, n, NUDGE_{level}, s.nudges_{level} < 2)",
        "",
        "    @override",
        "    def apply(self, s, me, move):",
        f"        if move == NUDGE_{level}:",
        f"            s.nudges_{level} += 1",
        "        else:",
        "            super().apply(s, me, move)",
        "",
        "    @override",
        "    def choose(self, s, me, moves, n, luck):",
        f"        if moves[n - 1] == NUDGE_{level}:",
        "            n -= 1",
        "        return super().choose(s, me, moves, n, luck)",
        "",
        "    @override",
        f"    {head}",
        f"        return 0 if move == NUDGE_{level} else super().{head[4:-1].replace('self, ', '')}",
    ]


def load(chain: Chain, folder: Path) -> list[type[Game[Any]]]:
    """The classes of a chain, in order."""
    file = folder / f"{chain.names[-1].lower()}.py"
    file.write_text(chain.source)
    by_name = {game.__name__: game for game in games.load_file(file).values()}
    return [by_name[name] for name in chain.names]


def played_plain(setup: Game[Any], state: Any, seed: int) -> Any:
    """A deal played to its end at random, with the random numbers that `loops.rollouts` uses."""
    state, rng = state.copy(), SplitMix(seed)
    for _ in range(MOST_MOVES):
        if state.to_act:
            seat = lowest(state.to_act)
            moves = listed_moves(setup, state, seat)
            setup.apply(state, seat, moves[rng.below(len(moves))])
        elif state.awaiting > DEAL:
            order = cards_of_chance(setup, state)
            if state.awaiting == DRAW:
                order = [order[rng.below(len(order))]]
            else:
                rng.shuffle(order)
            let_happen(setup, state, order)
        else:
            break
    return state


def played_compiled(setup: Game[Any], state: Any, seed: int) -> Any:
    """The same, compiled."""
    run = program(setup.game)
    tables = run.states(2)
    run.put(tables, 0, state)
    run.entry(loops.rollouts)(tables, 0, 1, run.options(setup), run.scratch(seed), None, 1)
    return run.get(tables, 1)


def check(seed: int, folder: Path) -> str:
    """Check a chain; returns a line about it. Raises AssertionError with its source."""
    chain = Chain(seed)
    root, rng = chain.root, Random(seed)
    before = Match(root, chance=shuffler(seed)).state
    ends = played_plain(Setup(root), before, seed), program(root).build
    classes = load(chain, folder)
    game = classes[-1]
    setup = Setup(game, rng.choice(game.player_counts))
    for deal in range(3):
        begun = Match(setup, chance=shuffler(seed + deal)).state
        plain, compiled = played_plain(setup, begun, seed), played_compiled(setup, begun, seed)
        for name in game.state.fields:
            ours, theirs = getattr(plain, name), getattr(compiled, name)
            assert ours == theirs, f"{name} is {ours} plain and {theirs} compiled:\n{chain.source}"
    assert played_plain(Setup(root), before, seed) == ends[0], f"{root.slug} has changed:\n{chain.source}"
    assert program(root).build == ends[1]
    identities = [str(one.identity) for one in (root, *classes)]
    assert len({*identities}) == len(identities), f"two have one identity:\n{chain.source}"
    counted = sum(getattr(plain, name) for name in game.state.fields if name.startswith("calls_"))
    return f"{seed} {root.slug}, {len(classes)} classes, {counted} calls counted"


def main() -> None:
    number, first = [*map(int, sys.argv[1:]), 2000, 0][:2] if len(sys.argv) != 2 else (int(sys.argv[1]), 0)
    started = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(first, first + number):
            print(check(seed, Path(folder)), flush=True)
    print(f"{number} chains of subclasses, {time.perf_counter() - started:.0f} s")


if __name__ == "__main__":
    main()
