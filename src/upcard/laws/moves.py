"""The laws of legal moves: listed moves can be made, and all others are refused with a reason."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from upcard.engine.actions import action_space
from upcard.engine.errors import IllegalMove, UpcardError
from upcard.engine.match import Match
from upcard.engine.mistakes import counted_moves, obey
from upcard.laws.law import Broken, Trial, first_cards, last_event
from upcard.rules import pages
from upcard.rules.cards import RANKS, SUITS, as_list, count, text
from upcard.rules.dependencies import dependencies_of, globals_of
from upcard.rules.game import Game
from upcard.rules.lineage import is_counted, is_ordered
from upcard.rules.notation import say, verb_index, verb_with_index
from upcard.rules.twins import twins_of

MOST_TRIED = 60
"""The most illegal moves tried for a seat at one moment."""
MOST_MATCHES = 40
"""The number of matches in which every kind of move should be legal at some time."""


def moves_are_readable(trial: Trial) -> None:
    """Legal moves are distinct, can be read back from their texts, have actions, and belong to a seat that must act and
    has the cards."""
    for match in trial.moments():
        for seat in range(match.players):
            moves = match.legal_moves(seat)
            if seat not in match.to_act and moves:
                raise Broken(f"seat {seat} has legal moves, but is not to act")
            if len(set(moves)) < len(moves):
                twice = next(move for move in moves if moves.count(move) > 1)
                raise Broken(f"{last_event(match)} `{match.game.notation.text(twice)}` is listed twice for seat {seat}")
            for move in moves:
                _check_text(match, move)
            _check_actions(match, moves)
            check_cards(match, seat)


def check_cards(match: Match[Any], seat: int) -> None:
    """Raises Broken if a seat may play a card that is neither in its hand nor in front of it."""
    simplest = match.game.notation.of_playable
    played = {move ^ simplest for move in match.legal_moves(seat) if verb_index(move) == verb_index(simplest)}
    has = set(match.game.hand.cards(match.state, seat))
    for name, spec in match.state.fields.items():
        if spec.cards == "set" and spec.length is not None:
            has.update(as_list(getattr(match.state, name)[seat]))
    if wrong := sorted(played - has):
        raise Broken(
            f"{last_event(match)} seat {seat} may play {first_cards(wrong)}, which it does not have: see `playable`"
        )


def _check_text(match: Match[Any], move: int) -> None:
    notation = match.game.notation
    if not 0 <= move < verb_with_index(len(notation.verbs)):
        raise Broken(
            f"{last_event(match)} the legal move {move} is unknown to the notation: check the rule that adds it"
        )
    text = notation.text(move)
    if (read := notation.read(text).move) != move:
        raise Broken(f"the move {move} is written `{text}`, which reads as {read}: two moves share a text")


def _check_actions(match: Match[Any], moves: list[int]) -> None:
    """Raises Broken unless the verbs declare everything that these legal moves name: see `Verb.ranks` and
    `Verb.most`."""
    try:
        action_space(match.setup).of(moves)
    except UpcardError as error:
        raise Broken(f"{last_event(match)} {error}") from None


def moves_are_counted_as_listed(trial: Trial) -> None:
    """`count_others`, `nth_other` and `nth_in_order`, if a game has them, agree with `other_moves`. Moves that are
    numbered by their position in the list are in the order of their action numbers."""
    game = trial.game
    if not is_counted(game) and not is_ordered(game):
        return
    for match in trial.moments():
        for seat in match.to_act:
            _check_counted(match, seat)
            _check_in_order(match, seat)


def _check_counted(match: Match[Any], seat: int) -> None:
    counted = counted_moves(match.setup, match.state, seat)
    if counted is None:
        return
    if counted != match.legal_moves(seat)[count(match.setup.playable(match.state, seat)) :]:
        raise Broken(f"{last_event(match)} `count_others` and `nth_other` have other moves than `other_moves`")
    check_order(match, seat, counted)


def _check_in_order(match: Match[Any], seat: int) -> None:
    game, nth = match.game, match.setup.nth_in_order
    if not is_ordered(game):
        return
    space = action_space(match.setup)
    actions = space.of(match.legal_moves(seat)).values()
    numbered = [move for move in actions if space.families[verb_index(move)].choices is None]
    if [obey(game, nth, match.state, seat, k) for k in range(len(numbered))] != numbered:
        raise Broken(f"{last_event(match)} `nth_in_order` has other moves than `other_moves`, or another order")


def check_order(match: Match[Any], seat: int, moves: list[int]) -> None:
    """Raises Broken if moves that are numbered by their position are not in the order of actions, or not adjacent."""
    space = action_space(match.setup)
    if not moves or space.families[verb_index(moves[-1])].choices is not None:
        return
    if verb_index(moves[0]) == verb_index(moves[-1]) and list(space.of(moves).values()) != moves:
        raise Broken(f"{last_event(match)} the moves of seat {seat} are not sorted by fewer cards, then pack order")
    if len({verb_index(move) for move in moves[1:]}) > 1 and verb_index(moves[1]) == verb_index(moves[-1]):
        raise Broken(f"{last_event(match)} the moves of seat {seat} with the same verb are not adjacent")


def moves_can_be_made(trial: Trial) -> None:
    """Every legal move can be made, and changes something."""
    for match in trial.moments():
        for seat in match.to_act:
            moves = match.legal(seat)
            for move in trial.rng.sample(moves, min(3, len(moves))):
                after = trial.match = match.fork()
                after.play(seat, move)
                if after.state == match.state:
                    raise Broken(f"{last_event(after)} nothing has changed")
            trial.match = match


def every_verb_is_used(trial: Trial) -> None:
    """Every kind of move is legal at some time, or, if it is very rare, at least named in a rule that lists moves."""
    wanted = set(range(1, len(trial.game.notation.verbs)))
    for seed in range(MOST_MATCHES):
        if not wanted:
            return
        other = Trial(trial.game, 1000 * (trial.seed + 1) + seed, trial.players)
        for match in other.moments(1000):
            wanted -= {verb_index(move) for seat in match.to_act for move in match.legal_moves(seat)}
    if wanted := wanted - _listed_somewhere(trial.game):
        word = trial.game.notation.verbs[min(wanted)].word
        raise Broken(f"in {MOST_MATCHES} random matches `{word}` was never legal: see `other_moves`")


def _listed_somewhere(game: type[Game[Any]]) -> set[int]:
    """The verbs that are named in the rules that list moves."""
    listing = dependencies_of([twins_of(game)["other_moves"]]).rules
    named = {value for rule in listing for value in globals_of(rule).values() if isinstance(value, int)}
    return {number for number in range(len(game.notation.verbs)) if verb_with_index(number) in named}


# ------------------------------------------------------------------------------------------------------ illegal moves


def no_move_is_missing(trial: Trial) -> None:
    """A well-formed move that is not legal is refused by a specific clause, not as an unreadable text.

    This detects moves that are missing from the list. A refusal follows the rulebook, clause by clause: if it has no
    reason against a card in the seat's hand, while other cards may be played, then the card should have been listed. A
    refusal that ends with a catch-all clause hides this.
    """
    nothing = trial.game.clauses.event
    for match in trial.moments():
        for seat in match.to_act:
            for move in unlisted(trial, match, seat):
                text = match.game.notation.text(move)
                attempt = match.game.notation.read(text)
                clause = match.setup.forbidding(match.state, seat, attempt)
                if clause in (nothing, "") and has_reasons(match.game):
                    raise Broken(f"{last_event(match)} seat {seat} may not `{text}`, but no clause forbids it", clause)


def has_reasons(game: type[Game[Any]]) -> bool:
    """Whether a game defines its own refusal."""
    return game.defines("refusal")


def unlisted(trial: Trial, match: Match[Any], seat: int) -> list[int]:
    """Illegal moves of the kinds that a seat may make now, with cards from its hand."""
    legal = match.legal_moves(seat)
    moves = [move for verb in {verb_index(move) for move in legal} for move in _uses(match, seat, verb, legal)]
    moves = [move for move in dict.fromkeys(moves) if move not in legal]
    return trial.rng.sample(moves, min(MOST_TRIED, len(moves)))


def _uses(match: Match[Any], seat: int, verb: int, legal: list[int]) -> Iterator[int]:
    """Yield all moves of a verb with one item. For verbs with more items, it is not known which moves are well
    formed."""
    items = match.game.notation.verbs[verb].items
    if match.game.notation.verbs[verb].dummy or len(items) != 1 or items == ("card+",):
        return
    known = [match.game.notation.items(move)[0] for move in legal if verb_index(move) == verb]
    named = {"card": match.game.hand.cards(match.state, seat), "suit": [0, 1, 2, 3]}
    for item in named.get(items[0], range(min(known), max(known) + 1)):
        yield say(verb_with_index(verb), (item,))


def refusals_change_nothing(trial: Trial) -> None:
    """An illegal event is refused with a clause of the rulebook, changes nothing, and reveals nothing hidden."""
    known = pages.clauses(trial.game)
    for match in trial.moments(120):
        for _ in range(4):
            event, twin = random_text(trial, match), match.fork()
            try:
                twin.event(event)
            except IllegalMove as refused:
                _check_refusal(match, twin, event, refused)
                _check_seen(match, event, refused)
                if known and refused.clause not in known:
                    clause = refused.clause or "no clause"
                    raise Broken(
                        f"{last_event(match)} `{event:.60}` is refused by {clause}, which is not in the rulebook"
                    ) from None


def _check_refusal(match: Match[Any], twin: Match[Any], event: str, refused: IllegalMove) -> None:
    if twin.state != match.state or twin.report() != match.report():
        raise Broken(f"{last_event(match)} `{event:.60}` was refused, but it has changed the table")
    if refused.index != len(match.events):
        raise Broken(f"{last_event(match)} `{event:.60}` is refused as event {refused.index}")


def _check_seen(match: Match[Any], event: str, refused: IllegalMove) -> None:
    """Raises Broken if the clause that refuses a seat's move depends on what the seat does not see."""
    word, _, rest = event.partition(" ")
    if not rest or not word.isdigit() or int(word) >= match.players:
        return
    seat = int(word)
    asked = match.view(seat).state, seat, match.game.notation.read(rest)
    if (clause := obey(match.game, match.setup.forbidding, *asked)) != refused.clause:
        raise Broken(
            f"{last_event(match)} `{event:.60}` is refused by {refused.clause or 'no clause'}, but by "
            f"{clause or 'no clause'} in the view of seat {seat}, which can tell from the refusal what it has not seen"
        )


NONSENSE = ("", "x", "deal", "reshuffle As", "draw As", "0", "9 As", "-1 As", "0 0", f"{10**9} As", "0 As Ks", "0 *")


def random_text(trial: Trial, match: Match[Any]) -> str:
    """A random text that resembles an event."""
    rng, notation = trial.rng, match.game.notation
    if rng.random() < 0.2:
        return rng.choice(NONSENSE)
    verb = rng.choice(notation.verbs)
    words = [word for word in [verb.word, *(_item(trial, match, kind) for kind in verb.items)] if word]
    seat = rng.randrange(match.players + 1)
    return f"{seat} {' '.join(words)}"


def _item(trial: Trial, match: Match[Any], kind: str) -> str:
    rng = trial.rng
    if kind.startswith("card"):
        held = match.game.hand.cards(match.state, rng.randrange(match.players))
        return text(rng.choice([*held, rng.randrange(53)]))
    if kind == "suit":
        return rng.choice(SUITS)
    return rng.choice(RANKS) if kind == "rank" else str(rng.choice([0, 1, 3, 99]))
