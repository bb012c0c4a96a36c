"""The utterances of an event: what players say aloud with it, the same to everybody.

They are made from what a spectator sees of the event and of the states around it, so they give nothing away.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from upcard.engine.events import Event
from upcard.engine.views import seen_event, seen_state
from upcard.rules.game import Game
from upcard.rules.notation import verb_with_index
from upcard.rules.sentences import as_sentence
from upcard.rules.speech import Utterance, spoken_count, usual_utterances
from upcard.table.messages import UtteranceView


def utterances_of(
    setup: Game[Any], event: Event, before: Any, after: Any, public: Callable[[Any], Any] | None = None
) -> list[Utterance]:
    """The words that players say aloud with an event; `before` and `after` are the states around it. `public` returns
    what everybody sees of a state, if that is remembered somewhere."""
    seen = seen_event(event, None)
    if seen.seat is None:
        return []
    if seen.move is None and seen.count is not None:
        verb = next(i for i, verb in enumerate(setup.notation.verbs) if verb.word == event.word)
        return [*spoken_count(setup.speech, seen.seat, verb_with_index(verb), seen.count)]
    moves = seen.opened or ([] if seen.move is None else [(seen.seat, seen.move)])
    if not moves:
        return []
    if not setup.defines("utterances"):
        return [utterance for seat, move in moves for utterance in usual_utterances(setup, seat, move)]
    was, now = map(public or partial(seen_state, setup, seat=None), (before, after))
    return [utterance for seat, move in moves for utterance in setup.utterances(now, seat, move, was)]


def with_names(spoken: Sequence[Utterance], names: Sequence[str], game: Any) -> list[UtteranceView]:
    """Utterances with the players' names in them."""
    return [UtteranceView(seat, kind, as_sentence(text.format(*names), game)) for seat, kind, text in spoken]
