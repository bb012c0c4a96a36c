"""The likelihood of worlds: each is traced back to a deal, from which the moves are replayed and their probabilities
multiplied.

A world determines where the cards are now, but not how they were dealt. So a random order of the pack is dealt and the
public history is replayed from it; whenever a seat needs a card that is not in its hand, that card is swapped into it.
At the end every card is renamed to the one in its place in the world, and the history is replayed again, until it leads
to exactly that world without a swap.
"""

from __future__ import annotations

from typing import Any

from upcard.compiled.loops import (
    apply,
    below,
    cards_to_shuffle,
    choose,
    clear,
    deal,
    kth,
    list_for,
    shuffle,
)
from upcard.compiled.portable import exp_of, log_of
from upcard.compiled.program import called, inner, of_game
from upcard.compiled.public_history import ANY, CARD, FAVOURITE, HIDDEN, IMPOSSIBLE, LEARNED, SET
from upcard.policies.weights import UNIT
from upcard.rules.cards import NO_CARD, count, lowest
from upcard.rules.notation import cards_of, form_of, items_of, verb_index
from upcard.rules.rng import LUCK
from upcard.rules.state import NOTHING

ATTEMPTS, PER_ORDER = 32, 4
"""The number of replays after which a world is given up, as impossible or too hard; and the number of replays after
which another order of the pack is tried."""
CORRECTIONS = 4
"""The number of attempts to correct a hand for one move."""
EXACT, CHANGED, STUCK = range(3)
"""The outcome of a replay: complete without changes; complete, with cards swapped or moves guessed; ended early,
because a move was impossible."""

begin = of_game("begin")
score = of_game("score")
unseen_by = of_game("unseen_by")


# ------------------------------------------------------------------------------------------------------- one decision


@inner
def same_move(move: int, other: int, any_order: int) -> bool:
    """Whether two moves are the same; with `any_order`, apart from the order of their cards."""
    return move == other or (any_order != 0 and form_of(move) == form_of(other) and cards_of(move) == cards_of(other))


@called
def legal_index(moves: Any, n: int, history: Any, k: int) -> int:
    """The index of the k-th move of the history among n legal moves; -1 if it is not legal."""
    for i in range(n):
        if same_move(moves[i], history.guesses[k], history.any_order[k]):
            return i
    return -1


@inner
def move_probability(opt: Any, s: Any, me: int, scratch: Any, n: int, k: int, shares: Any) -> float:
    """The probability that a seat makes the k-th of n legal moves: see `weigh`."""
    moves = scratch.moves
    if n == 1:
        return 1.0
    favourite = choose(opt, s, me, moves, n, below(scratch.rng, LUCK))
    probability: float = shares[ANY] / n
    if moves[k] == favourite:
        probability += shares[FAVOURITE]
    if shares[LEARNED] > 0.0:
        unseen = unseen_by(opt, s, me)
        at = begin(opt, s, me, scratch.weights, unseen, scratch.room)
        mine = score(opt, s, me, moves[k], favourite, scratch.weights, at, unseen, scratch.room)
        total = 0.0
        for i in range(n):
            other = score(opt, s, me, moves[i], favourite, scratch.weights, at, unseen, scratch.room)
            total += exp_of(min((other - mine) / UNIT, 50.0))
        probability += shares[LEARNED] / total
    return probability


# ---------------------------------------------------------------------------------------------------------- one replay


@called
def swap_cards(words: Any, history: Any, first: int, second: int) -> None:
    """Swap two cards, in the record and in the order of the pack."""
    for i in range(len(history.open_places)):
        swap_in_word(words, history.open_places[i, 0], SET, first, second)
    for i in range(len(history.places)):
        swap_in_word(words, history.places[i, 0], history.places[i, 1], first, second)
    for i in range(len(history.copies)):
        swap_in_word(words, history.copies[i, 0], history.copies[i, 1], first, second)
    for i in range(len(history.order)):
        swap_in_word(history.order, i, CARD, first, second)


@called
def swap_in_word(words: Any, at: int, kind: int, first: int, second: int) -> None:
    """Swap two cards in one word, which is a CARD or a SET."""
    word = words[at]
    if kind == CARD:
        words[at] = second if word == first else first if word == second else word
    elif (word >> first ^ word >> second) & 1:
        words[at] = word ^ (1 << first | 1 << second)


@inner
def cards_in_world(world: Any, history: Any, seat: int) -> int:
    """The cards that a seat has in a world, in its hand or laid aside."""
    cards = 0
    for i in range(history.own.shape[1]):
        if history.own[seat, i] >= 0:
            cards |= world[history.own[seat, i]]
    return cards


@called
def assign(words: Any, history: Any, seat: int, due: int, aside: int, rng: Any) -> bool:
    """Swap cards so that a hand consists only of cards that are `due`, because its seat will name or keep them. Those
    laid `aside` have priority, then those that are `lasting`; the others may still be drawn. Returns whether any cards
    were swapped."""
    hand = words[history.own[seat, 0]]
    wrong = hand & ~due
    right = due & ~hand
    late = hand & ~(aside | history.lasting) if history.lasting else 0
    moved = False
    while (wrong and right) or (late and right & (aside | history.lasting)):
        group = right & aside if right & aside else right & history.lasting if right & history.lasting else right
        out = lowest(wrong) if wrong else lowest(late)
        other = kth(group, below(rng, count(group)))
        wrong &= ~(1 << out)
        late &= ~(1 << out)
        right ^= 1 << other
        moved = True
        swap_cards(words, history, out, other)
    return moved


@inner
def guess_move(scratch: Any, n: int, verb: int, number: int, hand: int, retained: int) -> int:
    """A guess for a hidden move: a random one of the legal moves with this verb and `number` cards (0: any number),
    among those with the fewest cards that are `retained`, or are not in the hand; HIDDEN if there is none."""
    fewest = 64
    equal = 0
    picked = HIDDEN
    for i in range(n):
        move = scratch.moves[i]
        if verb_index(move) == verb and (number == 0 or items_of(move) == number):
            missed = count(cards_of(move) & ~(hand ^ retained))
            if missed < fewest:
                fewest = missed
                equal = 0
            if missed == fewest:
                equal += 1
                picked = move if below(scratch.rng, equal) == 0 else picked
    return picked


@called
def replay_deal(s: Any, words: Any, world: Any, opt: Any, scratch: Any, history: Any, first: bool) -> int:
    """Deal the pack in the history's `order` and replay the moves, swapping cards where a move would be impossible.

    In the `first` replay of an order, every seat gets the cards that it must have at the end as soon as it moves; in
    later ones, only a seat that cannot make its move. Returns EXACT, CHANGED or STUCK.
    """
    deal_in_order(opt, s, scratch, history)
    outcome = EXACT
    for k in range(len(history.seats)):
        seat = history.seats[k]
        if s.to_act >> seat & 1 == 0:
            swap_in(words, history, seat, history.cards[k], scratch.rng)
            return STUCK
        aside = cards_in_world(world, history, seat) & ~world[history.own[seat, 0]]
        due = cards_in_world(world, history, seat) & ~history.named[k] | history.needed[k]
        if first and assign(words, history, seat, due, aside, scratch.rng):
            outcome = CHANGED
        n = list_for(opt, s, seat, scratch)
        index = legal_index(scratch.moves, n, history, k)
        if index < 0 and history.moves[k] == HIDDEN:
            hand = words[history.own[seat, 0]]
            retained = world[history.own[seat, 0]] & ~history.named[k] | history.needed[k]
            history.guesses[k] = guess_move(scratch, n, history.verbs[k], history.counts[k], hand, retained)
            outcome = CHANGED
            index = legal_index(scratch.moves, n, history, k)
        if index < 0 and assign(words, history, seat, due, aside, scratch.rng):
            outcome = CHANGED
            n = list_for(opt, s, seat, scratch)
            index = legal_index(scratch.moves, n, history, k)
        if index < 0:
            index = correct_hand(s, words, opt, scratch, history, k, due)
            n = list_for(opt, s, seat, scratch)
            outcome = CHANGED
        if index < 0:
            index = try_swaps(s, words, opt, scratch, history, k)
            n = list_for(opt, s, seat, scratch)
            outcome = CHANGED
        if index < 0:
            return STUCK
        apply(opt, s, seat, scratch.moves[index])
    return outcome


@called
def deal_in_order(opt: Any, s: Any, scratch: Any, history: Any) -> None:
    """Deal the pack in the history's `order`."""
    s.awaiting = NOTHING
    s.deals += 1
    clear(s)
    for i in range(len(history.order)):
        scratch.order[i] = history.order[i]
    deal(opt, s, scratch.order)


@called
def log_likelihood(opt: Any, s: Any, scratch: Any, history: Any, me: int, shares: Any) -> float:
    """The log-likelihood of the other seats' moves, for an `order` from which they can be replayed without changes.
    Separate from `replay_deal` because a world takes many replays, and evaluating policies costs more than all the
    rest."""
    deal_in_order(opt, s, scratch, history)
    total = 0.0
    for k in range(len(history.seats)):
        seat = history.seats[k]
        n = list_for(opt, s, seat, scratch)
        index = legal_index(scratch.moves, n, history, k)
        move = scratch.moves[index]
        if seat != me:
            total += log_of(move_probability(opt, s, seat, scratch, n, index, shares))
        apply(opt, s, seat, move)
    return total


@called
def correct_hand(s: Any, words: Any, opt: Any, scratch: Any, history: Any, k: int, due: int) -> int:
    """Swap into a hand the cards that the k-th move names, and out of it any that the seat would have had to play
    instead. Returns the index of the move among the legal moves; -1 if it is still not legal."""
    seat = history.seats[k]
    named = history.cards[k]
    if named == 0:
        return -1
    swap_in(words, history, seat, named, scratch.rng)
    past = history.named[0] & ~history.named[k]
    gone = named
    index = -1
    for _ in range(CORRECTIONS):
        n = list_for(opt, s, seat, scratch)
        index = legal_index(scratch.moves, n, history, k)
        hand = words[history.own[seat, 0]]
        instead = 0
        if index < 0 and items_of(history.guesses[k]) == 1:
            for i in range(n):
                if form_of(scratch.moves[i]) == form_of(history.guesses[k]):
                    instead |= cards_of(scratch.moves[i]) & hand & ~named
        if instead == 0:
            return index
        gone |= instead
        while instead:
            hand = words[history.own[seat, 0]]
            spare = due & ~hand & ~gone
            if spare == 0:
                spare = history.pack & ~hand & ~gone & ~past
            if spare == 0:
                return -1
            swap_cards(words, history, lowest(instead), kth(spare, below(scratch.rng, count(spare))))
            instead &= instead - 1
    return index


@called
def swap_in(words: Any, history: Any, seat: int, cards: int, rng: Any) -> None:
    """Swap these cards into a hand, as far as it has other cards to exchange for them."""
    hand = words[history.own[seat, 0]]
    missing = cards & ~hand
    others = hand & ~cards
    while missing and others:
        out = kth(others, below(rng, count(others)))
        others ^= 1 << out
        swap_cards(words, history, lowest(missing), out)
        missing &= missing - 1


@called
def try_swaps(s: Any, words: Any, opt: Any, scratch: Any, history: Any, k: int) -> int:
    """Swap into a hand the first card found that makes the k-th move legal. Returns the index of the move among the
    legal moves; -1 if there is no such card."""
    seat = history.seats[k]
    hand = words[history.own[seat, 0]]
    if history.guesses[k] == HIDDEN or hand == 0:
        return -1
    out = kth(hand, below(scratch.rng, count(hand)))
    for i in range(len(history.order)):
        card = history.order[i]
        if hand >> card & 1 == 0:
            swap_cards(words, history, out, card)
            index = legal_index(scratch.moves, list_for(opt, s, seat, scratch), history, k)
            if index >= 0:
                return index
            swap_cards(words, history, out, card)
    return -1


# --------------------------------------------------------------------------------------------------- from world to deal


@called
def rename_set(renamed: Any, used: int, from_cards: int, to_cards: int) -> int:
    """Rename cards to others, as far as neither has been assigned before. `used` is the set of names assigned so far;
    returns the new set."""
    left = 0
    while from_cards:
        card = lowest(from_cards)
        from_cards &= from_cards - 1
        left |= 1 << card if renamed[card] < 0 else 0
    wanted = to_cards & ~used
    same = left & wanted
    used |= same
    left ^= same
    wanted ^= same
    while same:
        renamed[lowest(same)] = lowest(same)
        same &= same - 1
    while left and wanted:
        renamed[lowest(left)] = lowest(wanted)
        used |= wanted & -wanted
        left &= left - 1
        wanted &= wanted - 1
    return used


@called
def rename_order(words: Any, world: Any, history: Any) -> None:
    """Rename the cards of the history's `order` so that each becomes the one in its place in the world."""
    renamed = history.renamed
    pack = 0
    for i in range(len(history.order)):
        pack |= 1 << history.order[i]
    for card in range(len(renamed)):
        renamed[card] = -1
    used = 0
    for i in range(len(history.places)):
        at = history.places[i, 0]
        if history.places[i, 1] == CARD and words[at] != NO_CARD and world[at] != NO_CARD:
            if renamed[words[at]] < 0 and used >> world[at] & 1 == 0:
                renamed[words[at]] = world[at]
                used |= 1 << world[at]
    for i in range(len(history.open_places)):
        at = history.open_places[i, 0]
        used = rename_set(renamed, used, words[at] & pack, world[at] & pack)
    for i in range(len(history.places)):
        at = history.places[i, 0]
        if history.places[i, 1] == SET:
            used = rename_set(renamed, used, words[at] & pack, world[at] & pack)
    rename_set(renamed, used, pack, pack)
    for i in range(len(history.order)):
        history.order[i] = renamed[history.order[i]]
    for k in range(len(history.guesses)):
        if history.moves[k] == HIDDEN and history.guesses[k] != HIDDEN:
            history.guesses[k] = renamed_move(renamed, history.guesses[k])


@inner
def renamed_move(renamed: Any, move: int) -> int:
    """A hidden move, which names only cards, with its cards renamed."""
    result = form_of(move)
    for i in range(items_of(move)):
        result |= renamed[move >> 6 * i & 63] << 6 * i
    return result


@inner
def is_world(words: Any, world: Any, history: Any) -> bool:
    """Whether all cards are where they are in the world."""
    differences = 0
    for i in range(len(history.places)):
        differences += words[history.places[i, 0]] != world[history.places[i, 0]]
    return differences == 0


def weigh(
    tables: Any, words: Any, opts: Any, scratch: Any, history: Any, me: int, shares: Any, likelihoods: Any
) -> int:
    """Write for each of the first tables, which are worlds, the log-likelihood of the other seats' moves.

    The model of a seat is a mixture of the heuristic, the learned policy and uniformly random moves (nobody is as
    predictable as a policy); `shares` are their probabilities, by FAVOURITE, LEARNED and ANY. After the worlds come a
    table that awaits the deal, and one as a workspace; `words` are the same tables as rows of integers. A world whose
    deal was not found gets IMPOSSIBLE. Returns the number of worlds whose deal was found.
    """
    number = len(likelihoods)
    s = tables[number + 1]
    possible = 0
    for w in range(number):
        likelihoods[w] = IMPOSSIBLE
        for attempt in range(ATTEMPTS):
            if attempt % PER_ORDER == 0:
                n = cards_to_shuffle(opts[0], tables[number], history.order)
                shuffle(scratch[0].rng, history.order, n)
                for k in range(len(history.moves)):
                    history.guesses[k] = history.moves[k]
            tables[number + 1] = tables[number]
            outcome = replay_deal(
                s, words[number + 1], words[w], opts[0], scratch[0], history, attempt % PER_ORDER == 0
            )
            if outcome == EXACT and is_world(words[number + 1], words[w], history):
                tables[number + 1] = tables[number]
                likelihoods[w] = log_likelihood(opts[0], s, scratch[0], history, me, shares)
                possible += 1
                break
            if outcome != STUCK or attempt % PER_ORDER == 0:  # later replays just continue from their swapped cards
                rename_order(words[number + 1], words[w], history)
    return possible
