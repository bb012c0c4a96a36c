"""The OpenSpiel interface: the games as Python games. Importing this module registers all shipped games with `pyspiel`.

Chance is explicit, card by card. In games whose seats choose at the same time after the deal, as with secret bids,
nodes with several seats to act are simultaneous. In other games such seats act in turn without seeing each other's
choice.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from copy import deepcopy
from random import Random
from typing import Any

import numpy as np
import pyspiel

from upcard import games
from upcard.engine.actions import action_space
from upcard.engine.errors import UpcardError
from upcard.engine.match import Match
from upcard.engine.setup import Setup, check_seat
from upcard.engine.views import View, shown_fields
from upcard.engine.worlds import world
from upcard.envs.episode import event_text, outcome_values
from upcard.envs.history import HistoryRow, Recall
from upcard.envs.observation import FloatArray32, Observer
from upcard.games.shipped import comes_with_upcard
from upcard.rules import cards
from upcard.rules.cards import JOKER, Card
from upcard.rules.game import Game
from upcard.rules.lineage import root_of
from upcard.rules.options import Option
from upcard.rules.phrases import brief

LONGEST = 1_000_000
"""An upper bound on the moves of a match."""
AS_USUAL = -1
"""The parameter value for the default of an option whose default depends on the number of players."""
HISTORY = 128
"""The default number of history rows in the tensor of an information state."""


Watcher = int | None
"""A seat, or None for a spectator."""
SpielHistory = tuple["SpielHistory", str] | None
"""Lines of text, the last one outermost. Copies of a state share the lines that they have in common."""


class Course:
    """A match whose chance events happen card by card, with everything that each watcher has seen and heard."""

    def __init__(self, setup: Game[Any], recall: Recall) -> None:
        self.match = Match(setup)
        self._recall = recall
        watchers: list[Watcher] = [*range(setup.players), None]
        self.views: dict[Watcher, View[Any]] = {who: self.match.view(who) for who in watchers}
        """The current view of each watcher."""
        self.rows: dict[Watcher, list[HistoryRow]] = {who: [] for who in watchers}
        """The events as each watcher has heard and seen them, as rows for `Recall.table`, no more than it uses."""
        self.past: dict[Watcher, SpielHistory] = dict.fromkeys(watchers)
        """The events as each watcher has heard them, and its views as text: at each of its own decisions, and after
        each event that made something visible to it."""
        self.order: list[Card] = []
        """The cards of the awaited chance event so far."""
        self.drawn = False
        """Whether this course was sampled by `world`."""

    def __getstate__(self) -> dict[str, Any]:
        """The attributes for pickling, with the past as lists: its tuples are nested too deeply in a long match."""
        return vars(self) | {"past": {who: self.lines(who) for who in self.past}}

    def __setstate__(self, attributes: dict[str, Any]) -> None:
        vars(self).update(attributes)
        self.past = {who: _past(lines) for who, lines in attributes["past"].items()}

    def __deepcopy__(self, memo: object) -> Course:
        return self._twin(self.match.fork())

    def _twin(self, match: Match[Any]) -> Course:
        twin = Course.__new__(Course)
        twin.match, twin._recall, twin.drawn = match, self._recall, self.drawn
        twin.views = self.views.copy()
        twin.rows = {who: rows[:] for who, rows in self.rows.items()}
        twin.past = self.past.copy()
        twin.order = self.order[:]
        return twin

    def world(self, seat: int, rng: Random) -> Course:
        """A course in a random world that this seat cannot distinguish from this one. It has the seat's own past.

        The past of the other seats in it is what everybody knows. Raises UpcardError if no seat is to act.
        """
        self.acting()
        twin = self._twin(self.match.in_world(world(self.views[seat], rng)))
        for other in range(self.match.players):
            if other != seat:
                twin.views[other] = twin.match.view(other)
                twin.rows[other], twin.past[other] = self.rows[None][:], self.past[None]
        twin.drawn = True
        return twin

    def outcomes(self) -> list[tuple[Card, float]]:
        """The possible next cards with their probabilities."""
        return list(self.match.chance_outcomes(self.order).items())

    def turn_up(self, card: Card) -> None:
        """Add a card to the awaited chance event, which happens when its last card is added. Raises UpcardError for an
        impossible card and then changes nothing."""
        possible = self.match.chance_outcomes(self.order)
        if card not in possible:
            choices = f"chance has {len(possible)} cards to choose from, see chance_outcomes"
            raise UpcardError(f"{choices}, but not {cards.named(card)}")
        self.order.append(card)
        if not self.outcomes():
            self.match.event(f"{self.match.awaiting} {' '.join(map(cards.text, self.order))}")
            self._record()
            self.order = []

    def act(self, seat: int, action: int) -> None:
        """Take a seat's action. Raises IllegalMove or UpcardError for an invalid action and then changes nothing."""
        self.match.apply(seat, action)
        self.past[seat] = (self.past[seat], as_text(self.views[seat]))
        self._record()

    def acting(self) -> list[int]:
        """The seats to act. Raises UpcardError if there are none."""
        if not self.match.to_act:
            raise UpcardError("the match is over" if self.match.done else "no seat is to act: chance comes first")
        return self.match.to_act

    def _record(self) -> None:
        """Record the last event and the new view of each watcher."""
        for who, before in self.views.items():
            after, event = self.match.view(who), self.match.told(who)
            visible = self._recall.came(event, before, after)
            self.views[who] = after
            self._write(who, self._recall.told(event), visible)
            self.past[who] = (self.past[who], event_text(self.match.game, event))
            if event.seat is None or visible:
                self.past[who] = (self.past[who], as_text(after))

    def _write(self, who: Watcher, new: Iterable[HistoryRow], visible: HistoryRow) -> None:
        """Add the rows of an event, the last of them together with what the event made visible."""
        *first, last = new
        rows = self.rows[who]
        rows += [*first, last + visible]
        del rows[: max(0, len(rows) - self._recall.most)]

    def history(self, who: Watcher) -> FloatArray32:
        """The latest events as a watcher has heard and seen them, as rows of numbers: see `Recall`."""
        return self._recall.table(self.rows[who])

    def lines(self, who: Watcher) -> list[str]:
        """The lines of `past`, the earliest first."""
        lines, past = [], self.past[who]
        while past:
            past, line = past
            lines.append(line)
        return lines[::-1]

    def legal(self, seat: int) -> list[int]:
        """The legal actions of a seat."""
        return list(action_space(self.match.setup).of(self.match.legal_moves(seat)))


def _past(lines: Iterable[str]) -> SpielHistory:
    past: SpielHistory = None
    for line in lines:
        past = past, line
    return past


def as_text(seen: View[Any]) -> str:
    """Everything that a view shows, as text."""
    aside = [f"{name} {number}" for name, number in (*seen.piles.items(), *seen.aside.items())]
    return " ".join([repr(seen.state), f"hands {seen.sizes}", *aside])


def alone(seen: View[Any], by_all: View[Any]) -> str:
    """The part of a view that not everybody sees, as text."""
    fields = ((name, getattr(seen.state, name), getattr(by_all.state, name)) for name in shown_fields(seen.game))
    return " ".join(f"{name} {value}" for name, value, open_value in fields if value != open_value)


class SpielGame(pyspiel.Game):
    """A game at one table. `register` creates a subclass for each game."""

    GAME: type[Game[Any]]
    TYPE: Any

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        given = dict(params or {})
        self.setup = _setup(self.GAME, given)
        self.recall = Recall(self.setup, given.get("history", HISTORY), sights=True)
        n = self.setup.players
        info = pyspiel.GameInfo(
            num_distinct_actions=action_space(self.setup).size,
            max_chance_outcomes=JOKER + 1,
            num_players=n,
            min_utility=-1.0 / (n - 1),
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=LONGEST,
        )
        super().__init__(self.TYPE, info, given)

    def __reduce__(self) -> Any:
        return load, (self.setup, self.recall.most)

    def new_initial_state(self) -> SpielState:
        """The state of a match before its first deal."""
        return SpielState(self)

    def max_chance_nodes_in_history(self) -> int:
        """An upper bound; no match reaches it."""
        return LONGEST

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> SpielObserver:
        """An observer that writes tensors and strings. Raises UpcardError for an unsupported type of observation."""
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        return SpielObserver(self.setup, self.recall, kind)


class SpielState(pyspiel.State):
    """The state of a match."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.course = Course(game.setup, game.recall)
        self._at_once = game.TYPE.dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS

    def current_player(self) -> int:
        """The seat to act, or OpenSpiel's number for chance, for simultaneous moves or for the end."""
        match = self.course.match
        if match.done:
            return int(pyspiel.PlayerId.TERMINAL)
        if match.awaiting:
            return int(pyspiel.PlayerId.CHANCE)
        if len(match.to_act) > 1 and self._at_once:
            return int(pyspiel.PlayerId.SIMULTANEOUS)
        return match.to_act[0]

    def _legal_actions(self, player: int) -> list[int]:
        return self.course.legal(player)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The possible next cards with their probabilities."""
        return self.course.outcomes()

    def __reduce__(self) -> Any:
        if self.course.drawn:
            raise UpcardError("a state drawn from an information state cannot be pickled: no history leads to it")
        return _deserialized, (self.get_game(), self.serialize())

    def __deepcopy__(self, memo: object) -> SpielState:
        twin: SpielState = self.clone()
        return twin

    def resample_from_infostate(self, player: int, probability_sampler: Callable[[], float]) -> SpielState:
        """A random state that a seat cannot distinguish from this one; all such worlds are equally likely.

        It has no history of actions, and does not include what other seats have seen in this match. Raises UpcardError
        if no seat is to act.
        """
        game = self.get_game()
        drawn: SpielState = game.new_initial_state()
        drawn.course = self.course.world(check_seat(game.setup, player), Random(float(probability_sampler())))
        return drawn

    def string_to_action(self, *arguments: Any) -> int:
        """(player, text), or (text) if one seat or chance is to act: returns the legal action with this text. Raises
        UpcardError if there is none."""
        player, text = arguments if len(arguments) > 1 else (self.current_player(), *arguments)
        if player == pyspiel.PlayerId.SIMULTANEOUS:
            raise UpcardError("several seats act at once: string_to_action takes the seat, and then the text")
        for action in self.legal_actions(player):
            if self.action_to_string(player, action) == text:
                return int(action)
        raise UpcardError(f"{brief(text)} is not an action of player {brief(player)} now")

    def _apply_action(self, action: int) -> None:
        if self.course.match.awaiting:
            self.course.turn_up(action)
            return
        seats = self.course.acting()
        if len(seats) > 1 and self._at_once:
            raise UpcardError(f"{len(seats)} seats act at once: apply_actions takes an action for each")
        self.course.act(seats[0], action)

    def _apply_actions(self, actions: list[int]) -> None:
        after = deepcopy(self.course)
        if len(actions) != self.num_players():
            raise UpcardError(f"there must be {self.num_players()} actions, one for each seat, not {len(actions)}")
        for seat in after.acting():
            after.act(seat, actions[seat])
        self.course = after

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            if not 0 <= action <= JOKER:
                raise UpcardError(f"a card is a whole number from 0 to {JOKER}, not {action}")
            return cards.text(action)
        match = self.course.match
        return match.actions(player).get(action) or action_space(match.setup).text(action)

    def is_terminal(self) -> bool:
        """Whether the match is over."""
        return self.course.match.done

    def returns(self) -> list[float]:
        """The value of the match for each seat; 0 before its end."""
        match = self.course.match
        return outcome_values(match) if match.done else [0.0] * match.players

    def __str__(self) -> str:
        return f"{self.course.match}\n{' '.join(map(cards.text, self.course.order))}".strip()


def _deserialized(game: SpielGame, text: str) -> Any:
    return game.deserialize_state(text)


class SpielObserver:
    """Observations as tensors and strings: a seat's view, everybody's view, or the part that only a seat sees.

    With perfect recall they include everything seen and heard before. Raises UpcardError for other types.
    """

    def __init__(self, setup: Game[Any], recall: Recall, kind: Any) -> None:
        private = pyspiel.PrivateInfoType
        if kind.private_info == private.ALL_PLAYERS:
            raise UpcardError("an observer cannot show what all players see: private_info is SINGLE_PLAYER or NONE")
        if not kind.public_info and (kind.perfect_recall or kind.private_info == private.NONE):
            raise UpcardError("without public_info, private_info must be SINGLE_PLAYER and perfect_recall False")
        self._observer = Observer(setup)
        self._recalls = kind.perfect_recall
        self._sees_own = kind.private_info != private.NONE
        self._sees_all = kind.public_info
        size = self._observer.size
        self.tensor = np.zeros(size + recall.most * recall.width * self._recalls, np.float32)
        self.dict = {
            part.name: self.tensor[part.start : part.stop].reshape(part.shape) for part in self._observer.parts
        }
        if self._recalls:
            self.dict["history"] = self.tensor[size:].reshape(recall.most, recall.width)

    def set_from(self, state: SpielState, player: int) -> None:
        """Fill the tensor with the observation, and with perfect recall also with the history."""
        who = self._who(state, player)
        seen = self._observer.observe(state.course.views[who])
        if not self._sees_all:
            seen[seen == self._observer.observe(state.course.views[None])] = 0
        self.tensor[: self._observer.size] = seen
        if self._recalls:
            self.dict["history"][:] = state.course.history(who)

    def string_from(self, state: SpielState, player: int) -> str:
        """The observation as text; with perfect recall preceded by everything seen and heard before."""
        who = self._who(state, player)
        seen = state.course.views[who]
        text = as_text(seen) if self._sees_all else alone(seen, state.course.views[None])
        now = f"{'all' if who is None else who}: {text}"
        return "\n".join([*state.course.lines(who), now]) if self._recalls else now

    def _who(self, state: SpielState, player: int) -> Watcher:
        seat = check_seat(state.course.match.setup, player)
        return seat if self._sees_own else None


_registered: set[str] = set()


def spiel_name(game: type[Game[Any]]) -> str:
    """The name of a game in OpenSpiel, the same in every process. For a game that does not ship with Upcard it contains
    a hash of the rules, to distinguish games of the same name."""
    name = f"upcard_{game.slug.replace('-', '_')}"
    if comes_with_upcard(game):
        return name
    identity = json.dumps(game.identity, sort_keys=True)
    return f"{name}_{hashlib.sha256(identity.encode()).hexdigest()[:8]}"


def register(game: type[Game[Any]]) -> str:
    """Register a game with OpenSpiel; returns its name for `pyspiel.load_game`."""
    name = spiel_name(game)
    if name in _registered:
        return name
    dynamics = pyspiel.GameType.Dynamics
    at_once = _chooses_at_once(game)
    defaults = {option: _default(declared, game) for option, declared in game.declared_options.items()}
    game_type = pyspiel.GameType(
        short_name=name,
        long_name=f"{game.title} (Upcard)",
        dynamics=dynamics.SIMULTANEOUS if at_once else dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=max(game.player_counts),
        min_num_players=min(game.player_counts),
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification={"players": game.default_players, "history": HISTORY} | defaults,
    )
    pyspiel.register_game(game_type, type("SpielGame", (SpielGame,), {"GAME": game, "TYPE": game_type}))
    _registered.add(name)
    return name


def _default(option: Option, game: type[Game[Any]]) -> Any:
    return AS_USUAL if callable(option.default) else _as_parameter(option.default_for(game.default_players), option)


def _as_parameter(value: Any, option: Option) -> Any:
    """The value of an option as a parameter. OpenSpiel converts a text of digits to a number, so it gets the number."""
    return int(value) if option.kind == "digits" else value


def _setup(game: type[Game[Any]], parameters: Mapping[str, Any]) -> Game[Any]:
    """The setup of a table with these parameters."""
    options = game.declared_options
    chosen = {
        name: value
        for name, value in parameters.items()
        if name in options and not (value == AS_USUAL and callable(options[name].default))
    }
    texts = {name: str(value) for name, value in chosen.items() if options[name].kind == "digits"}
    return Setup(game, parameters.get("players"), chosen | texts)


def _chooses_at_once(game: type[Game[Any]]) -> bool:
    """Whether several seats are to act after the first deal. Decided by a variant's root, whose default setup can
    always be dealt."""
    return len(Match(root_of(game), chance=Random(0)).to_act) > 1


def load(setup: Game[Any], history: int = HISTORY) -> Any:
    """The `pyspiel.Game` of a table, with `history` rows in its information states. Raises UpcardError."""
    rows = Recall(setup, history).most
    options = setup.game.declared_options
    chosen = {name: _as_parameter(value, options[name]) for name, value in setup.chosen.items()}
    return pyspiel.load_game(register(setup.game), {"players": setup.players, "history": rows, **chosen})


for _slug in (*games.SLUGS, *games.VARIANTS):
    register(games.load(_slug))
