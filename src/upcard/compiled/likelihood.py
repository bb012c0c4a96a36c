"""The likelihood of worlds: each is traced back to a deal, and the moves of the deal are replayed and weighed.

A world says where the cards are now, but not how they were dealt. So a random order of the pack is dealt and the moves
are replayed from it; whenever a seat must hold a card that it does not hold, that card is swapped into its hand. At
the end every card is renamed to the one in its place in the world, and the moves are replayed again, until they lead
to exactly that world without a swap. "Telling a story" below means replaying the moves.
"""

from __future__ import annotations

from math import exp, log
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

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
from upcard.compiled.program import called, inner, of_game
from upcard.policies.weights import UNIT
from upcard.rules.cards import NO_CARD, count, lowest
from upcard.rules.notation import cards_of, items_of
from upcard.rules.rng import LUCK
from upcard.rules.state import NOTHING

TELLINGS, FRESH = 32, 4
"""The number of tellings after which a world is given up, as impossible or too hard; and the number of tellings after
which another order of the pack is tried."""
IMPOSSIBLE = -1e9
HIDDEN = -1
"""In place of a move of which the seat was told only a part."""
CARD, SET = range(2)
FAVOURITE, LEARNED, ANY = range(3)
ATTEMPTS = 4
"""The number of attempts to correct a hand for one move."""
AGREED, MENDED, BROKEN = range(3)
"""The outcome of a telling: without changes; with cards swapped or moves guessed; broken off, because a move was
impossible."""

begin = of_game("begin")
score = of_game("score")
unseen_by = of_game("unseen_by")


class PublicHistory(NamedTuple):
    """What a seat has been told since the deal, move by move, and where a record has its cards. A list of words has two
    columns: the index of the word in the record, and whether it is a CARD or a SET."""

    seats: NDArray[np.int64]
    moves: NDArray[np.int64]
    """HIDDEN if the seat was told only part of the move: `verbs` and `counts`."""
    verbs: NDArray[np.int64]
    counts: NDArray[np.int64]
    """The number of cards in it; 0 if unknown."""
    cards: NDArray[np.int64]
    """By move, the set of cards that it names."""
    any_order: NDArray[np.bool_]
    """By move, whether it names only cards."""
    pack: int
    """The set of all cards that are dealt."""
    lasting: int
    """Cards that a seat keeps if it was dealt them, while it throws others away."""
    needed: NDArray[np.int64]
    """By move, the cards that its seat is the first to name, in it or later: the seat holds them, unless it draws
    them."""
    named: NDArray[np.int64]
    """By move, all cards that are named in it or later: their final holder may have got them since."""
    open_places: NDArray[np.int64]
    """Words with cards that are open, although they belong to another place (all SET)."""
    places: NDArray[np.int64]
    """Words with places of cards."""
    copies: NDArray[np.int64]
    """Words that repeat where hidden cards are."""
    own: NDArray[np.int64]
    """By seat, the indices of the words with sets of its own cards, the hand first, padded with -1."""
    order: NDArray[np.int64]
    """Working memory for an order of the pack."""
    guesses: NDArray[np.int64]
    """Working memory for the moves, with guesses for hidden ones."""
    renamed: NDArray[np.int64]
    """Working memory for the new name of each card."""


# ------------------------------------------------------------------------------------------------------- one decision


@inner
def same_move(move: int, other: int, any_order: bool) -> bool:
    """Whether two moves are the same; with `any_order`, apart from the order of their cards."""
    return move == other or (any_order and move >> 48 == other >> 48 and cards_of(move) == cards_of(other))


@called
def found_among(moves: Any, n: int, story: Any, k: int) -> int:
    """The index of the k-th move of a story among n legal moves; -1 if it is not legal."""
    for i in range(n):
        if same_move(moves[i], story.guesses[k], story.any_order[k]):
            return i
    return -1


@inner
def chance_of(opt: Any, s: Any, me: int, scratch: Any, n: int, k: int, shares: Any) -> float:
    """The probability that a seat makes the k-th of n legal moves: see `weigh`."""
    moves = scratch.moves
    if n == 1:
        return 1.0
    favourite = choose(opt, s, me, moves, n, below(scratch.rng, LUCK))
    chance: float = shares[ANY] / n
    if moves[k] == favourite:
        chance += shares[FAVOURITE]
    if shares[LEARNED] > 0.0:
        unseen = unseen_by(opt, s, me)
        at = begin(opt, s, me, scratch.weights, unseen, scratch.room)
        mine = score(opt, s, me, moves[k], favourite, scratch.weights, at, unseen, scratch.room)
        total = 0.0
        for i in range(n):
            other = score(opt, s, me, moves[i], favourite, scratch.weights, at, unseen, scratch.room)
            total += exp(min((other - mine) / UNIT, 50.0))
        chance += shares[LEARNED] / total
    return chance


# ---------------------------------------------------------------------------------------------------------- one story


@called
def exchange(words: Any, story: Any, first: int, second: int) -> None:
    """Swap two cards, in the record and in the order of the pack."""
    for i in range(len(story.open_places)):
        exchange_in(words, story.open_places[i, 0], SET, first, second)
    for i in range(len(story.places)):
        exchange_in(words, story.places[i, 0], story.places[i, 1], first, second)
    for i in range(len(story.copies)):
        exchange_in(words, story.copies[i, 0], story.copies[i, 1], first, second)
    for i in range(len(story.order)):
        exchange_in(story.order, i, CARD, first, second)


@called
def exchange_in(words: Any, at: int, kind: int, first: int, second: int) -> None:
    """Swap two cards in one word, which is a CARD or a SET."""
    word = words[at]
    if kind == CARD:
        words[at] = second if word == first else first if word == second else word
    elif (word >> first ^ word >> second) & 1:
        words[at] = word ^ (1 << first | 1 << second)


@inner
def held_at_last(world: Any, story: Any, seat: int) -> int:
    """The cards that a seat has in a world, in its hand or laid aside."""
    cards = 0
    for i in range(story.own.shape[1]):
        if story.own[seat, i] >= 0:
            cards |= world[story.own[seat, i]]
    return cards


@called
def give(words: Any, story: Any, seat: int, due: int, aside: int, rng: Any) -> bool:
    """Swap cards so that a seat holds only cards that are `due`, because it will name or keep them. Those that it laid
    `aside` come first, then those that are `lasting`; others it may still draw. Returns whether any were swapped."""
    hand = words[story.own[seat, 0]]
    wrong = hand & ~due
    right = due & ~hand
    late = hand & ~(aside | story.lasting) if story.lasting else 0
    moved = False
    while (wrong and right) or (late and right & (aside | story.lasting)):
        group = right & aside if right & aside else right & story.lasting if right & story.lasting else right
        out = lowest(wrong) if wrong else lowest(late)
        other = kth(group, below(rng, count(group)))
        wrong &= ~(1 << out)
        late &= ~(1 << out)
        right ^= 1 << other
        moved = True
        exchange(words, story, out, other)
    return moved


@inner
def any_hidden(scratch: Any, n: int, verb: int, number: int, hand: int, kept: int) -> int:
    """A random one of the legal moves with this verb and `number` cards (0: any number), among those with the fewest
    cards that the hand has `kept` or that are not in it; HIDDEN if there is none."""
    fewest = 64
    found = 0
    picked = HIDDEN
    for i in range(n):
        move = scratch.moves[i]
        if move >> 51 == verb and (number == 0 or items_of(move) == number):
            missed = count(cards_of(move) & ~(hand ^ kept))
            if missed < fewest:
                fewest = missed
                found = 0
            if missed == fewest:
                found += 1
                picked = move if below(scratch.rng, found) == 0 else picked
    return picked


@called
def replay_deal(s: Any, words: Any, world: Any, opt: Any, scratch: Any, story: Any, first: bool) -> int:
    """Deal the story's `order` and replay its moves, swapping cards where a move would be impossible.

    In the `first` telling of an order, every seat gets the cards that it must have at the end as soon as it moves; in
    later ones, only a seat that cannot make its move. Returns AGREED, MENDED or BROKEN.
    """
    deal_again(opt, s, scratch, story)
    went = AGREED
    for k in range(len(story.seats)):
        seat = story.seats[k]
        if s.to_act >> seat & 1 == 0:
            bring(words, story, seat, story.cards[k], scratch.rng)
            return BROKEN
        aside = held_at_last(world, story, seat) & ~world[story.own[seat, 0]]
        due = held_at_last(world, story, seat) & ~story.named[k] | story.needed[k]
        if first and give(words, story, seat, due, aside, scratch.rng):
            went = MENDED
        n = list_for(opt, s, seat, scratch)
        place = found_among(scratch.moves, n, story, k)
        if place < 0 and story.moves[k] == HIDDEN:
            hand = words[story.own[seat, 0]]
            kept = world[story.own[seat, 0]] & ~story.named[k] | story.needed[k]
            story.guesses[k] = any_hidden(scratch, n, story.verbs[k], story.counts[k], hand, kept)
            went = MENDED
            place = found_among(scratch.moves, n, story, k)
        if place < 0 and give(words, story, seat, due, aside, scratch.rng):
            went = MENDED
            n = list_for(opt, s, seat, scratch)
            place = found_among(scratch.moves, n, story, k)
        if place < 0:
            place = put_right(s, words, opt, scratch, story, k, due)
            n = list_for(opt, s, seat, scratch)
            went = MENDED
        if place < 0:
            place = search_for(s, words, opt, scratch, story, k)
            n = list_for(opt, s, seat, scratch)
            went = MENDED
        if place < 0:
            return BROKEN
        apply(opt, s, seat, scratch.moves[place])
    return went


@called
def deal_again(opt: Any, s: Any, scratch: Any, story: Any) -> None:
    """Deal the pack in the story's `order`."""
    s.awaiting = NOTHING
    s.deals += 1
    clear(s)
    for i in range(len(story.order)):
        scratch.order[i] = story.order[i]
    deal(opt, s, scratch.order)


@called
def how_likely(opt: Any, s: Any, scratch: Any, story: Any, me: int, shares: Any) -> float:
    """The log-likelihood of the other seats' moves, in a story that can be told from its `order` without changes.
    Separate from `tell` because a world takes many tellings, and evaluating policies costs more than all the rest."""
    deal_again(opt, s, scratch, story)
    likely = 0.0
    for k in range(len(story.seats)):
        seat = story.seats[k]
        n = list_for(opt, s, seat, scratch)
        place = found_among(scratch.moves, n, story, k)
        move = scratch.moves[place]
        if seat != me:
            likely += log(chance_of(opt, s, seat, scratch, n, place, shares))
        apply(opt, s, seat, move)
    return likely


@called
def put_right(s: Any, words: Any, opt: Any, scratch: Any, story: Any, k: int, due: int) -> int:
    """Swap into a hand the cards that the k-th move names, and out of it any that the seat would have had to play
    instead. Returns the index of the move among the legal moves; -1 if it is still not legal."""
    seat = story.seats[k]
    named = story.cards[k]
    if named == 0:
        return -1
    bring(words, story, seat, named, scratch.rng)
    past = story.named[0] & ~story.named[k]
    gone = named
    place = -1
    for _ in range(ATTEMPTS):
        n = list_for(opt, s, seat, scratch)
        place = found_among(scratch.moves, n, story, k)
        hand = words[story.own[seat, 0]]
        instead = 0
        if place < 0 and items_of(story.guesses[k]) == 1:
            for i in range(n):
                if scratch.moves[i] >> 48 == story.guesses[k] >> 48:
                    instead |= cards_of(scratch.moves[i]) & hand & ~named
        if instead == 0:
            return place
        gone |= instead
        while instead:
            hand = words[story.own[seat, 0]]
            spare = due & ~hand & ~gone
            if spare == 0:
                spare = story.pack & ~hand & ~gone & ~past
            if spare == 0:
                return -1
            exchange(words, story, lowest(instead), kth(spare, below(scratch.rng, count(spare))))
            instead &= instead - 1
    return place


@called
def bring(words: Any, story: Any, seat: int, cards: int, rng: Any) -> None:
    """Swap these cards into a hand, as far as it has others to give."""
    hand = words[story.own[seat, 0]]
    missing = cards & ~hand
    others = hand & ~cards
    while missing and others:
        out = kth(others, below(rng, count(others)))
        others ^= 1 << out
        exchange(words, story, lowest(missing), out)
        missing &= missing - 1


@called
def search_for(s: Any, words: Any, opt: Any, scratch: Any, story: Any, k: int) -> int:
    """Swap some card into a hand that makes the k-th move legal. Returns the index of the move among the legal moves;
    -1 if no card does."""
    seat = story.seats[k]
    hand = words[story.own[seat, 0]]
    if story.guesses[k] == HIDDEN or hand == 0:
        return -1
    out = kth(hand, below(scratch.rng, count(hand)))
    for i in range(len(story.order)):
        card = story.order[i]
        if hand >> card & 1 == 0:
            exchange(words, story, out, card)
            place = found_among(scratch.moves, list_for(opt, s, seat, scratch), story, k)
            if place >= 0:
                return place
            exchange(words, story, out, card)
    return -1


# --------------------------------------------------------------------------------------------------- from world to deal


@called
def rename_set(renamed: Any, used: int, from_cards: int, to_cards: int) -> int:
    """Rename cards to others, as far as neither has been handled before. `used` is the set of names given so far;
    returns the new one."""
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
def rename(words: Any, world: Any, story: Any) -> None:
    """Rename the cards of the story's order so that each becomes the one in its place in the world."""
    renamed = story.renamed
    pack = 0
    for i in range(len(story.order)):
        pack |= 1 << story.order[i]
    for card in range(len(renamed)):
        renamed[card] = -1
    used = 0
    for i in range(len(story.places)):
        at = story.places[i, 0]
        if story.places[i, 1] == CARD and words[at] != NO_CARD and world[at] != NO_CARD:
            if renamed[words[at]] < 0 and used >> world[at] & 1 == 0:
                renamed[words[at]] = world[at]
                used |= 1 << world[at]
    for i in range(len(story.open_places)):
        at = story.open_places[i, 0]
        used = rename_set(renamed, used, words[at] & pack, world[at] & pack)
    for i in range(len(story.places)):
        at = story.places[i, 0]
        if story.places[i, 1] == SET:
            used = rename_set(renamed, used, words[at] & pack, world[at] & pack)
    rename_set(renamed, used, pack, pack)
    for i in range(len(story.order)):
        story.order[i] = renamed[story.order[i]]
    for k in range(len(story.guesses)):
        if story.moves[k] == HIDDEN and story.guesses[k] != HIDDEN:
            story.guesses[k] = renamed_move(renamed, story.guesses[k])


@inner
def renamed_move(renamed: Any, move: int) -> int:
    """A hidden move, which names only cards, with its cards renamed."""
    made = move >> 48 << 48
    for i in range(items_of(move)):
        made |= renamed[move >> 6 * i & 63] << 6 * i
    return made


@inner
def is_there(words: Any, world: Any, story: Any) -> bool:
    """Whether all cards are where they are in the world."""
    apart = 0
    for i in range(len(story.places)):
        apart += words[story.places[i, 0]] != world[story.places[i, 0]]
    return apart == 0


def weigh(tables: Any, words: Any, opts: Any, scratch: Any, story: Any, me: int, shares: Any, likelihoods: Any) -> int:
    """Write for each of the first tables, which are worlds, the log-likelihood of the other seats' moves.

    The model of a seat is a mixture of the heuristic, the learned policy and uniformly random moves (nobody is as
    predictable as a policy); `shares` are their probabilities, by FAVOURITE, LEARNED and ANY. After the worlds come a
    table that awaits the deal, and one as a workspace; `words` are the same tables as rows of integers. A world whose
    deal was not found gets IMPOSSIBLE. Returns the number of worlds whose deal was found.
    """
    number = len(likelihoods)
    s = tables[number + 1]
    found = 0
    for w in range(number):
        likelihoods[w] = IMPOSSIBLE
        for telling in range(TELLINGS):
            if telling % FRESH == 0:
                n = cards_to_shuffle(opts[0], tables[number], story.order)
                shuffle(scratch[0].rng, story.order, n)
                for k in range(len(story.moves)):
                    story.guesses[k] = story.moves[k]
            tables[number + 1] = tables[number]
            went = replay_deal(s, words[number + 1], words[w], opts[0], scratch[0], story, telling % FRESH == 0)
            if went == AGREED and is_there(words[number + 1], words[w], story):
                tables[number + 1] = tables[number]
                likelihoods[w] = how_likely(opts[0], s, scratch[0], story, me, shares)
                found += 1
                break
            if went != BROKEN or telling % FRESH == 0:  # later broken tellings just continue from their swapped cards
                rename(words[number + 1], words[w], story)
    return found
