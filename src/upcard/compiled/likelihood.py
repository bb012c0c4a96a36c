"""How likely worlds make what was played and said: each is traced back to a deal, and the deal played once more.

Which cards were dealt where is not known, only where they lie now. So any order of the pack is dealt and the story of
the deal told upon it; whenever a seat must have held a card that it does not hold, that card is put into its hand and
another taken out. In the end every card of that table is renamed to the one that lies in its place in the world, and
the story is told again, until it ends in that very world without a card being moved.
"""

from __future__ import annotations

from math import exp, log
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from upcard.compiled.loops import (
    LUCK,
    apply,
    below,
    cards_to_shuffle,
    choose,
    clear,
    deal,
    kth,
    list_moves,
    shuffle,
)
from upcard.compiled.program import called, inner, of_game
from upcard.engine.policy import UNIT
from upcard.rules.cards import NO_CARD, count, lowest
from upcard.rules.notation import cards_of, items_of
from upcard.rules.state import NOTHING

TELLINGS, FRESH = 32, 4
"""After so many a world is given up: it is impossible, or its story cannot be found; of these it begins with another
order of the pack every so often."""
IMPOSSIBLE = -1e9
HIDDEN = -1
"""In the place of a move of which not all was told."""
CARD, SET = range(2)
FAVOURITE, LEARNED, ANY = range(3)
ATTEMPTS = 4
"""So often a hand is put right for one move."""
AGREED, MENDED, BROKEN = range(3)
"""How a telling went: as it was told; after cards were moved; it came to something that cannot be."""

begin = of_game("begin")
score = of_game("score")
unseen_by = of_game("unseen_by")


class Story(NamedTuple):
    """What a seat has been told since the deal, move by move, and where cards lie in a record."""

    seats: NDArray[np.int64]
    moves: NDArray[np.int64]
    """HIDDEN where not all of the move was told; `verbs` and `counts` then say what was."""
    verbs: NDArray[np.int64]
    counts: NDArray[np.int64]
    """How many cards it named; 0 where that was not told."""
    cards: NDArray[np.int64]
    """By move, the cards that it names."""
    any_order: NDArray[np.bool_]
    """By move, whether it names nothing but cards."""
    pack: int
    """All cards that are dealt."""
    lasting: int
    """Cards that a seat that was dealt them still has, while it has thrown away the others."""
    needed: NDArray[np.int64]
    """By move, the cards that are named in it or later, and first by its seat: it has them, unless it draws them."""
    named: NDArray[np.int64]
    """By move, all cards that are named in it or later: who holds them in the end may have come by them since."""
    open_places: NDArray[np.int64]
    """Words for cards that lie open, though they belong to another place: which, and what they are (SET)."""
    places: NDArray[np.int64]
    """Words in which cards lie: which, and what they are (CARD or SET)."""
    copies: NDArray[np.int64]
    """Words that say once more of hidden cards where they lie: which, and what they are."""
    own: NDArray[np.int64]
    """By seat, the words with sets of cards that nobody else has, the hand first; -1 where there are no more."""
    order: NDArray[np.int64]
    """Room for an order of the pack."""
    guesses: NDArray[np.int64]
    """Room for the moves, with those that are hidden as they are thought to be."""
    renamed: NDArray[np.int64]
    """Room for what each card is to be."""


# ------------------------------------------------------------------------------------------------------- one decision


@inner
def is_same(move: int, other: int, any_order: bool) -> bool:
    """Whether they say the same; cards may be named in any order where a move names nothing else."""
    return move == other or (any_order and move >> 48 == other >> 48 and cards_of(move) == cards_of(other))


@called
def list_for(s: Any, opt: Any, me: int, scratch: Any) -> int:
    """List all legal moves of a seat into `scratch`; returns how many."""
    return list_moves(s, opt, me, scratch.moves)


@called
def found_among(moves: Any, n: int, story: Any, k: int) -> int:
    """The place of the k-th move of a story; -1 where it is not legal."""
    for i in range(n):
        if is_same(moves[i], story.guesses[k], story.any_order[k]):
            return i
    return -1


@inner
def chance_of(s: Any, opt: Any, me: int, scratch: Any, n: int, k: int, shares: Any) -> float:
    """How likely a seat is to make the k-th of n legal moves: see `weigh`."""
    moves = scratch.moves
    if n == 1:
        return 1.0
    favourite = choose(s, opt, me, moves, n, below(scratch.rng, LUCK))
    chance: float = shares[ANY] / n
    if moves[k] == favourite:
        chance += shares[FAVOURITE]
    if shares[LEARNED] > 0.0:
        unseen = unseen_by(s, opt, me)
        at = begin(s, opt, me, scratch.weights, unseen, scratch.room)
        mine = score(s, opt, me, moves[k], favourite, scratch.weights, at, unseen, scratch.room)
        total = 0.0
        for i in range(n):
            other = score(s, opt, me, moves[i], favourite, scratch.weights, at, unseen, scratch.room)
            total += exp(min((other - mine) / UNIT, 50.0))
        chance += shares[LEARNED] / total
    return chance


# ---------------------------------------------------------------------------------------------------------- one story


@called
def exchange(words: Any, story: Any, first: int, second: int) -> None:
    """Two cards take each other's place."""
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
    """The same in one word."""
    word = words[at]
    if kind == CARD:
        words[at] = second if word == first else first if word == second else word
    elif (word >> first ^ word >> second) & 1:
        words[at] = word ^ (1 << first | 1 << second)


@inner
def held_at_last(world: Any, story: Any, seat: int) -> int:
    """The cards that a seat holds or has laid aside in a world."""
    cards = 0
    for i in range(story.own.shape[1]):
        if story.own[seat, i] >= 0:
            cards |= world[story.own[seat, i]]
    return cards


@called
def give(words: Any, story: Any, seat: int, due: int, aside: int, rng: Any) -> bool:
    """Let a seat hold only cards that are due, because it will name or keep them: rather those that it laid `aside`,
    then those that are `lasting`; the others it may still draw. Whether any had to be moved."""
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
    """Any of the legal moves with this verb and so many cards, of those that take least from a hand that is `kept` for
    later and add least that is not; HIDDEN where there is none."""
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
def tell(s: Any, words: Any, world: Any, opt: Any, scratch: Any, story: Any, first: bool) -> int:
    """Tell the story of a deal that begins with `order`, moving cards where it could not have gone so.

    When it is told for the `first` time, everybody is at once given what it must hold in the end, but for cards that
    leave a hand without being named; later only who cannot do what it did.
    """
    deal_again(s, opt, scratch, story)
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
        n = list_for(s, opt, seat, scratch)
        place = found_among(scratch.moves, n, story, k)
        if place < 0 and story.moves[k] == HIDDEN:
            hand = words[story.own[seat, 0]]
            kept = world[story.own[seat, 0]] & ~story.named[k] | story.needed[k]
            story.guesses[k] = any_hidden(scratch, n, story.verbs[k], story.counts[k], hand, kept)
            went = MENDED
            place = found_among(scratch.moves, n, story, k)
        if place < 0 and give(words, story, seat, due, aside, scratch.rng):
            went = MENDED
            n = list_for(s, opt, seat, scratch)
            place = found_among(scratch.moves, n, story, k)
        if place < 0:
            place = put_right(s, words, opt, scratch, story, k, due)
            n = list_for(s, opt, seat, scratch)
            went = MENDED
        if place < 0:
            place = search_for(s, words, opt, scratch, story, k)
            n = list_for(s, opt, seat, scratch)
            went = MENDED
        if place < 0:
            return BROKEN
        apply(s, opt, seat, scratch.moves[place])
    return went


@called
def deal_again(s: Any, opt: Any, scratch: Any, story: Any) -> None:
    """Deal the `order` of a story."""
    s.awaiting = NOTHING
    s.deals += 1
    clear(s)
    for i in range(len(story.order)):
        scratch.order[i] = story.order[i]
    deal(s, opt, scratch.order)


@called
def how_likely(s: Any, opt: Any, scratch: Any, story: Any, me: int, shares: Any) -> float:
    """The logarithm of how likely the other seats are to do what they did in a story that can be told of its `order`.
    Apart from the telling, because a world takes many, and to ask policies costs more than all else."""
    deal_again(s, opt, scratch, story)
    likely = 0.0
    for k in range(len(story.seats)):
        seat = story.seats[k]
        n = list_for(s, opt, seat, scratch)
        place = found_among(scratch.moves, n, story, k)
        move = scratch.moves[place]
        if seat != me:
            likely += log(chance_of(s, opt, seat, scratch, n, place, shares))
        apply(s, opt, seat, move)
    return likely


@called
def put_right(s: Any, words: Any, opt: Any, scratch: Any, story: Any, k: int, due: int) -> int:
    """Let a seat hold the cards that it names, and instead of those that it would have had to play in place of its card
    others that are due; the place of its move among the legal moves, -1 where it is not found."""
    seat = story.seats[k]
    named = story.cards[k]
    if named == 0:
        return -1
    bring(words, story, seat, named, scratch.rng)
    past = story.named[0] & ~story.named[k]
    gone = named
    place = -1
    for _ in range(ATTEMPTS):
        n = list_for(s, opt, seat, scratch)
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
    """Let a seat hold these cards, in place of others."""
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
    """Give a seat some card with which it may make a move; its place among the legal moves, -1 where none does."""
    seat = story.seats[k]
    hand = words[story.own[seat, 0]]
    if story.guesses[k] == HIDDEN or hand == 0:
        return -1
    out = kth(hand, below(scratch.rng, count(hand)))
    for i in range(len(story.order)):
        card = story.order[i]
        if hand >> card & 1 == 0:
            exchange(words, story, out, card)
            place = found_among(scratch.moves, list_for(s, opt, seat, scratch), story, k)
            if place >= 0:
                return place
            exchange(words, story, out, card)
    return -1


# --------------------------------------------------------------------------------------------------- from world to deal


@called
def rename_set(renamed: Any, used: int, from_cards: int, to_cards: int) -> int:
    """Let some cards be renamed to others, as far as neither has been dealt with; returns all names given so far."""
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
    """Rename the cards of the order so that each becomes the one that lies in its place in the world."""
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
    """A hidden move, which names cards only, with these renamed."""
    made = move >> 48 << 48
    for i in range(items_of(move)):
        made |= renamed[move >> 6 * i & 63] << 6 * i
    return made


@inner
def is_there(words: Any, world: Any, story: Any) -> bool:
    """Whether all cards lie as in the world."""
    apart = 0
    for i in range(len(story.places)):
        apart += words[story.places[i, 0]] != world[story.places[i, 0]]
    return apart == 0


def weigh(tables: Any, words: Any, opts: Any, scratch: Any, story: Any, me: int, shares: Any, likelihoods: Any) -> int:
    """For each of the first tables, which are worlds: the logarithm of how likely the other seats make what they did.

    A seat is taken to follow with some chance the heuristic, with some the learned policy, and else to make any legal
    move, because nobody is as predictable as a policy: `shares` says how often, by FAVOURITE, LEARNED and ANY.
    After them come a table about to be dealt, and one to work at; `words` are the same tables as bare numbers. Of a
    world whose deal was not found it is IMPOSSIBLE. Returns for how many it was found.
    """
    number = len(likelihoods)
    s = tables[number + 1]
    found = 0
    for w in range(number):
        likelihoods[w] = IMPOSSIBLE
        for telling in range(TELLINGS):
            if telling % FRESH == 0:
                n = cards_to_shuffle(tables[number], opts[0], story.order)
                shuffle(scratch[0].rng, story.order, n)
                for k in range(len(story.moves)):
                    story.guesses[k] = story.moves[k]
            tables[number + 1] = tables[number]
            went = tell(s, words[number + 1], words[w], opts[0], scratch[0], story, telling % FRESH == 0)
            if went == AGREED and is_there(words[number + 1], words[w], story):
                tables[number + 1] = tables[number]
                likelihoods[w] = how_likely(s, opts[0], scratch[0], story, me, shares)
                found += 1
                break
            if went != BROKEN or telling % FRESH == 0:  # a story that breaks off again goes on from what it has moved
                rename(words[number + 1], words[w], story)
    return found
