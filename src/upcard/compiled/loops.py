"""The compiled loops, shared by random play, simulation, search and measurement. The policies are a parameter.

They take `tables`, an array of state records, and the index of the one to work on, because passing a single record
costs more than a move. `scratch` is the working memory of a loop apart from the states: see `Program.scratch`.
"""

from __future__ import annotations

from typing import Any

import llvmlite.binding
import llvmlite.ir
import numpy as np
from numba import from_dtype, types
from numba.extending import intrinsic, overload
from numpy.typing import NDArray

from upcard.compiled.program import called, in_place_of, inner, of_game
from upcard.compiled.seat_policies import (
    EASY,
    HEURISTIC,
    LEARNED,
    NEVER,
    RANDOM,
    SOMETIMES,
    WITH_LEARNED,
    policy_records,
    rollout_records,
)
from upcard.engine import chance as generators
from upcard.engine import outcome
from upcard.engine.mistakes import MOST_CHANCE_EVENTS, NO_WINNER, SLACK
from upcard.rules import rng
from upcard.rules.cards import count, lowest, nth_card
from upcard.rules.notation import put_each
from upcard.rules.rng import LUCK
from upcard.rules.state import DEAL, DRAW, NOBODY, NOTHING, RESHUFFLE

__all__ = ["EASY", "HEURISTIC", "LEARNED", "NEVER", "RANDOM", "SOMETIMES"]  # for those who import them from here

LONGEST_MATCH = 50_000_000
"""A match with more moves is assumed never to end."""

# ---------------------------------------------------------------------------------------------------- rules of the game

clear = of_game("clear")
deal = of_game("deal")
reshuffle = of_game("reshuffle")
drawn = of_game("drawn")
cards_to_shuffle = of_game("cards_to_shuffle")
playable = of_game("playable")
as_move = of_game("as_move")
other_moves = of_game("other_moves")
apply = of_game("apply")
utility = of_game("utility")


# ------------------------------------------------------------------------------------------------------------- chance


@in_place_of(rng.below)
def below(rng: Any, n: int) -> int:
    """A random number from 0 to n - 1: see `upcard.engine.chance.SplitMix`."""
    rng[0] += np.uint64(GOLDEN)
    return np.int64(_mixed(rng[0], np.uint64(n)))  # type: ignore[return-value]


@inner
def _mixed(z: Any, n: Any) -> Any:
    """The random number from 0 to n - 1 that a generator in the state `z` outputs."""
    z = (z ^ (z >> np.uint64(30))) * np.uint64(MIX_1)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(MIX_2)
    return ((z >> np.uint64(32)) * n) >> np.uint64(32)


GOLDEN, MIX_1, MIX_2 = generators.GOLDEN, generators.MIX_1, generators.MIX_2
STREAM_STEP, STREAM_MIX = generators.STREAM_STEP, generators.STREAM_MIX
PACKS, PLAY = generators.PACKS, generators.PLAY


@inner
def stream(key: int, match: int, which: int) -> Any:
    """The initial state of a match's generator: see `upcard.engine.chance.stream`."""
    z = np.uint64(key) + np.uint64(2 * match + which) * np.uint64(STREAM_STEP)
    z = (z ^ (z >> np.uint64(32))) * np.uint64(STREAM_MIX)
    z = (z ^ (z >> np.uint64(32))) * np.uint64(STREAM_MIX)
    return z ^ (z >> np.uint64(32))


@inner
def shuffle(rng: Any, order: Any, n: int) -> None:
    """Shuffle the first n numbers of a row. The state of the generator is in a register, and indices are unsigned,
    because numba otherwise allows for negative ones: this takes a seventh less time."""
    state = rng[0]
    for left in range(n, 1, -1):
        state += np.uint64(GOLDEN)
        i, j = np.uint64(left - 1), _mixed(state, np.uint64(left))
        order[i], order[j] = order[j], order[i]
    rng[0] = state


@inner
def chance_happens(opt: Any, s: Any, order: Any) -> None:
    """Apply the awaited chance event: a deal or reshuffle in this order, or the draw of its first card."""
    kind = s.awaiting
    s.awaiting = NOTHING
    if kind == DEAL:
        s.deals += 1
        clear(s)
        deal(opt, s, order)
    elif kind == RESHUFFLE:
        reshuffle(opt, s, order)
    else:
        drawn(opt, s, order[0])


@inner
def chance_speaks(opt: Any, s: Any, rng: Any, order: Any) -> int:
    """Carry out the awaited deal, reshuffle or draw; returns the number of cards listed for it."""
    kind = s.awaiting
    n: int = cards_to_shuffle(opt, s, order)
    if kind == DRAW:
        picked = below(rng, n)
        order[0] = order[picked]
        n = 1
    else:
        shuffle(rng, order, n)
    chance_happens(opt, s, order)
    return n


# ------------------------------------------------------------------------------------------------------------ deciding


def _bits_of(name: str) -> Any:
    """An x86 instruction that takes a number and a mask."""

    def instruction(typing_context: Any, value: Any, mask: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            word = llvmlite.ir.IntType(64)
            kind = llvmlite.ir.FunctionType(word, [word, word])
            return builder.call(builder.module.declare_intrinsic(name, [], kind), args)

        return types.int64(types.int64, types.int64), generate

    return intrinsic(instruction)


deposit = _bits_of("llvm.x86.bmi.pdep.64")
"""(value, mask): PDEP, which deposits the low bits of a number at the bits of a mask."""
extract = _bits_of("llvm.x86.bmi.pext.64")
"""(value, mask): PEXT, which extracts the bits of a number at the bits of a mask."""
HAS_DEPOSIT = bool(llvmlite.binding.get_host_cpu_features().get("bmi2"))


@in_place_of(nth_card)
def kth(cards: int, k: int) -> int:
    """The k-th card of a set, without a loop if the processor has PDEP."""
    if HAS_DEPOSIT:
        return lowest(deposit(1 << k, cards))
    for _ in range(k):
        cards &= cards - 1
    return lowest(cards)


@inner
def list_moves(opt: Any, s: Any, me: int, moves: Any) -> int:
    """List all legal moves of a seat; returns their number."""
    n: int = other_moves(opt, s, me, moves, put_each(moves, 0, as_move(s, 0), playable(opt, s, me)))
    if n > len(moves) - SLACK:
        raise ValueError("a seat has more moves than most_moves says: declare a larger number")
    return n


@called
def list_for(opt: Any, s: Any, me: int, scratch: Any) -> int:
    """List all legal moves of a seat into `scratch`; returns their number."""
    return list_moves(opt, s, me, scratch.moves)


@inner
def list_others(opt: Any, s: Any, me: int, moves: Any) -> int:
    """List the legal moves of a seat other than playing a card; returns their number."""
    n: int = other_moves(opt, s, me, moves, 0)
    if n > len(moves) - SLACK:
        raise ValueError("a seat has more moves than most_moves says: declare a larger number")
    return n


@inner
def _from_list(opt: Any, s: Any, me: int, moves: Any, k: int) -> int:
    return int(moves[k])


count_others = of_game("count_others", otherwise=list_others)
nth_other = of_game("nth_other", otherwise=_from_list)


@inner
def random_move(opt: Any, s: Any, me: int, scratch: Any) -> int:
    """A uniformly random legal move of a seat."""
    cards = playable(opt, s, me)
    n = count(cards)
    k = below(scratch.rng, n + count_others(opt, s, me, scratch.moves))
    return as_move(s, kth(cards, k)) if k < n else int(nth_other(opt, s, me, scratch.moves, k - n))


@inner
def random_policy(opt: Any, s: Any, me: int, scratch: Any) -> int:
    """Like `random_move`, but draws as many random numbers as other policies do, so that the moves of a seat do not
    depend on the policies of the others."""
    cards = playable(opt, s, me)
    n = count(cards)
    number = n + count_others(opt, s, me, scratch.moves)
    scratch.choices = number
    k = 0
    if number > 1:
        below(scratch.rng, LUCK)
        k = below(scratch.rng, number)
    return as_move(s, kth(cards, k)) if k < n else int(nth_other(opt, s, me, scratch.moves, k - n))


@inner
def heuristic_policy(opt: Any, s: Any, me: int, scratch: Any, epsilon: int, slips: int) -> int:
    """The move of the game's heuristic. One in `epsilon` moves is a random legal one instead, and one in `slips` is a
    similar one (NEVER: none)."""
    moves = scratch.moves
    n = list_moves(opt, s, me, moves)
    scratch.choices = n
    if n == 1:
        return int(moves[0])
    luck = below(scratch.rng, LUCK)
    if epsilon != NEVER and luck % epsilon == 0:
        return int(moves[below(scratch.rng, n)])
    move = int(choose(opt, s, me, moves, n, luck))
    if epsilon == NEVER:
        move = int(reconsider(opt, s, me, moves, n, move, 0))
    if slips != NEVER and below(scratch.rng, slips) == 0:
        return int(slip(s, moves, n, move, below(scratch.rng, LUCK)))
    return move


@inner
def _any_of(opt: Any, s: Any, me: int, moves: Any, n: int, luck: int) -> int:
    """The choice in a game without a heuristic."""
    return int(moves[luck % n])


@inner
def _as_intended(opt: Any, s: Any, me: int, moves: Any, n: int, move: int, careful: int) -> int:
    """The final move in a game that declares no other."""
    return move


choose = of_game("choose", otherwise=_any_of)
reconsider = of_game("reconsider", otherwise=_as_intended)
slip = of_game("slip")


learned = of_game("learned")


@inner
def learned_policy(opt: Any, s: Any, me: int, scratch: Any, noisy: int) -> int:
    """A move of the game's learned policy."""
    moves = scratch.moves
    n = list_moves(opt, s, me, moves)
    scratch.choices = n
    if n == 1:
        return int(moves[0])
    luck = below(scratch.rng, LUCK)
    favourite = choose(opt, s, me, moves, n, luck)
    move = int(learned(opt, s, me, moves, n, luck, favourite, scratch.weights, noisy, scratch.room))
    return move if noisy else int(reconsider(opt, s, me, moves, n, move, 1))


def policies_of(kinds: list[int]) -> NDArray[Any]:
    """`policy_records` as an array of NumPy."""
    return policy_records(kinds).numpy


def rollout_policies(seats: int, kind: int = HEURISTIC) -> NDArray[Any]:
    """`rollout_records` as an array of NumPy."""
    return rollout_records(seats, kind).numpy


def choose_move(opt: Any, s: Any, me: int, scratch: Any, policies: Any) -> int:
    """The move that a seat makes. `policies` has one record per seat; with None all seats play at random, and as few
    random numbers as possible are drawn."""
    raise NotImplementedError("only compiled code calls this")


@overload(choose_move, strict=False)
def _decide(opt: Any, s: Any, me: int, scratch: Any, policies: Any) -> Any:
    if isinstance(policies, types.NoneType):
        return lambda opt, s, me, scratch, policies: random_move(opt, s, me, scratch)
    return _by_any_policy if policies.dtype == from_dtype(WITH_LEARNED.dtype) else _by_policy


@inner
def _by_policy(opt: Any, s: Any, me: int, scratch: Any, policies: Any) -> int:
    if policies[me].kind == RANDOM:
        return random_policy(opt, s, me, scratch)
    return heuristic_policy(opt, s, me, scratch, policies[me].epsilon, policies[me].slips)


@inner
def _by_any_policy(opt: Any, s: Any, me: int, scratch: Any, policies: Any) -> int:
    if policies[me].kind == LEARNED:
        return learned_policy(opt, s, me, scratch, policies[me].noisy)
    if policies[me].kind == RANDOM:
        return random_policy(opt, s, me, scratch)
    return heuristic_policy(opt, s, me, scratch, policies[me].epsilon, policies[me].slips)


# ------------------------------------------------------------------------------------------------- playing a deal out


@inner
def finish_deal(opt: Any, s: Any, scratch: Any, policies: Any) -> int:
    """Continue to the end of the deal; returns the number of moves."""
    moves = 0
    silence = 0
    while True:
        if s.to_act != 0:
            me = lowest(s.to_act)
            apply(opt, s, me, choose_move(opt, s, me, scratch, policies))
            moves += 1
            silence = 0
            if moves > LONGEST_MATCH:
                raise ValueError("a deal does not end")
        elif s.awaiting > DEAL:
            chance_speaks(opt, s, scratch.rng, scratch.order)
            silence = not_for_ever(silence)
        else:
            return moves


share_of_match = inner(outcome.share_of_match)


@inner
def not_for_ever(silence: int) -> int:
    """Add one to the number of chance events since the last move; raises ValueError if there are too many."""
    if silence > MOST_CHANCE_EVENTS:
        raise ValueError("one chance event follows another and nobody is to act: set `to_act` in the rule")
    return silence + 1


def rollouts(tables: Any, root: int, work: int, opts: Any, scratch: Any, policies: Any, number: int) -> int:
    """Play the deal at `root` to its end `number` times, each time at `work`; returns the number of moves."""
    moves = 0
    for _ in range(number):
        tables[work] = tables[root]
        moves += finish_deal(opts[0], tables[work], scratch[0], policies)
    return moves


# ------------------------------------------------------------------------------------------------------ whole matches

WINNERS, DEALS, MOVES, BEGINS, CHOICES, FORCED, LEADER, CHANGES, SETTLED = range(9)
"""The result columns of `play_matches` after the scores: the set of the seats that have won, the number of deals, of
decisions, the first seat to act alone in the first deal, the number of legal moves in all decisions, of decisions with
one legal move, the seat that leads alone (or did before a tie), how often the lead passed from one seat to another, and
the deal after which it last did."""


def row_type(players: int) -> np.dtype[Any]:
    """A row of results of `play_matches`, with names: the scores, the numbers listed above, and for each seat the
    number of deals after which it was behind and its utility at the end (`standing`). All are 64-bit integers."""
    names = "winners deals moves begins choices forced leader changes settled"
    by_seat = np.int64, (players,)
    single = [(name, np.int64) for name in names.split()]
    return np.dtype([("scores", *by_seat), *single, ("behind", *by_seat), ("standing", *by_seat)])


def play_matches(
    tables: Any,
    opts: Any,
    packs: Any,
    scratch: Any,
    policies: Any,
    key: int,
    luck: int,
    first: int,
    most: int,
    results: Any,
    dealt: Any,
    ended: Any,
    trace: Any,
) -> int:
    """Play matches from number `first` on, or their first `most` deals: one for each row of `results`, see `row_type`.

    Packs are shuffled with the key `key`, and players draw random numbers with the key `luck`, which is mostly the
    same: see `stream`. The first tables are matches about to begin, one for each first dealer, or matches just after
    their first deal, one for each row; the table after them is the workspace. `dealt` and `ended`, as far as they are
    long enough, get the states after the first deal and at the end. `trace`, as far as it is long enough, gets two
    numbers for each move of the last match, its seat and the move, and for each chance event its kind as a negative
    number, the number of cards that it lists, and these cards. Returns the length of the complete trace.
    """
    at = len(tables) - 1
    players = tables[0].players
    end = 0
    for row in range(len(results)):
        tables[at] = tables[(first + row) % at]
        s = tables[at]
        opt = opts[0]
        result = results[row]
        packs[0].rng[0] = stream(key, first + row, PACKS)
        scratch[0].rng[0] = stream(luck, first + row, PLAY)
        result[players:] = 0
        result[players + LEADER] = NOBODY
        end = moves = choices = forced = silence = 0
        deals = s.deals
        begins = together = -1
        if deals and row < len(dealt):
            dealt[row] = tables[at]
        while True:
            if s.to_act != 0:
                me = lowest(s.to_act)
                if begins < 0 and deals == 1:
                    if s.to_act & (s.to_act - 1):
                        together = s.phase
                    elif s.phase != together:
                        begins = me
                move = choose_move(opt, s, me, scratch[0], policies)
                choices += scratch[0].choices
                forced += scratch[0].choices == 1
                apply(opt, s, me, move)
                moves += 1
                silence = 0
                if moves > LONGEST_MATCH:
                    raise ValueError("a match does not end")
                trace_move(trace, end, me, move)
                end += 2
                continue
            kind = s.awaiting
            if kind <= DEAL and deals:
                record_lead(opt, s, players, deals, result)
                if kind == NOTHING or deals == most:
                    break
            deals += kind == DEAL
            n = chance_speaks(opt, s, packs[0].rng, packs[0].order)
            silence = not_for_ever(silence)
            trace_chance(trace, end, kind, packs[0], n)
            end += 2 + n
            if kind == DEAL and deals == 1 and row < len(dealt):
                dealt[row] = tables[at]
        if row < len(ended):
            ended[row] = tables[at]
        record_end(s, players, moves, begins, choices, forced, result)
    return end


@inner
def trace_move(trace: Any, at: int, me: int, move: int) -> None:
    """Write a move to the trace, if there is room. (Returning the index after it would cost a sixth of the speed.)"""
    if at + 1 < len(trace):
        trace[at] = me
        trace[at + 1] = move


@inner
def trace_chance(trace: Any, at: int, kind: int, packs: Any, n: int) -> None:
    """Write a chance event with its n cards to the trace, if there is room."""
    if at + 1 + n < len(trace):
        trace[at] = -kind
        trace[at + 1] = n
        for place in range(n):
            trace[at + 2 + place] = packs.order[place]


@inner
def won_by(s: Any) -> int:
    """The set of the seats that have won; empty while the match continues. Raises ValueError if it has ended and nobody
    has won it."""
    if s.awaiting == NOTHING and s.winners == 0:
        raise ValueError(NO_WINNER)
    return int(s.winners)


@inner
def record_end(s: Any, players: int, moves: int, begins: int, choices: int, forced: int, result: Any) -> None:
    """Write the result of a match, or its state after the last deal, to a row of results."""
    for seat in range(players):
        result[seat] = s.scores[seat]
    result[players + WINNERS] = won_by(s)
    result[players + DEALS] = s.deals
    result[players + MOVES] = moves
    result[players + BEGINS] = begins
    result[players + CHOICES] = choices
    result[players + FORCED] = forced


@inner
def record_lead(opt: Any, s: Any, players: int, deals: int, result: Any) -> None:
    """Write the seats' utilities after a deal, the leader and the seats behind to a row of results."""
    behind = players + SETTLED + 1
    utilities = behind + players
    best = -(1 << 60)
    leaders = 0
    for seat in range(players):
        value = utility(opt, s, seat)
        result[utilities + seat] = value
        if value > best:
            best = value
            leaders = 0
        if value == best:
            leaders |= 1 << seat
    for seat in range(players):
        result[behind + seat] += leaders >> seat & 1 == 0
    if leaders & (leaders - 1) == 0 and result[players + LEADER] != lowest(leaders):
        result[players + CHANGES] += result[players + LEADER] != NOBODY
        result[players + LEADER] = lowest(leaders)
        result[players + SETTLED] = deals
