"""The history of a deal as a seat has observed it, for `upcard.compiled.likelihood`."""

from __future__ import annotations

from typing import NamedTuple

from upcard.compiled.words import WordArray

IMPOSSIBLE = -1e9
"""The log-likelihood of a world whose deal was not found."""
HIDDEN = -1
"""Stands for a move of which only a part was disclosed to the seat."""
CARD, SET = range(2)
FAVOURITE, LEARNED, ANY = range(3)


class PublicHistory(NamedTuple):
    """A seat's observations since the deal, move by move, and the words of a record that contain its cards. A list of
    words has two columns: the index of the word in the record, and whether it is a CARD or a SET."""

    seats: WordArray
    moves: WordArray
    """The moves, with HIDDEN for one of which only `verbs` and `counts` were disclosed to the seat."""
    verbs: WordArray
    """By move, the number of its verb."""
    counts: WordArray
    """By move, its number of cards; 0 if unknown."""
    cards: WordArray
    """By move, the set of cards that it names."""
    any_order: WordArray
    """By move, 1 if it names only cards, else 0."""
    pack: int
    """The set of all cards that are dealt."""
    lasting: int
    """The cards that a seat keeps if it was dealt them, while it discards others."""
    needed: WordArray
    """By move, the cards that its seat is the first to name, in this move or later: they are in its hand, unless it
    draws them."""
    named: WordArray
    """By move, all cards that are named in this move or later: their final owner may have got them since."""
    open_places: WordArray
    """The words of cards that are open, although they belong to another place (all SET)."""
    places: WordArray
    """The words of the places of cards."""
    copies: WordArray
    """The words that repeat where hidden cards are."""
    own: WordArray
    """By seat, the indices of the words with sets of its own cards, the hand first, padded with -1."""
    order: WordArray
    """Working memory for an order of the pack."""
    guesses: WordArray
    """Working memory for the moves, with guesses for hidden ones."""
    renamed: WordArray
    """Working memory for the new name of each card."""
