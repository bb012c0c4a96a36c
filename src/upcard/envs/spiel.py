"""The OpenSpiel interface: the games as Python games. Importing this module registers all shipped games with `pyspiel`.

Chance is explicit, card by card. In games whose seats choose at the same time after the deal, as with secret bids,
nodes with several seats to act are simultaneous. In other games such seats act in turn without seeing each other's
choice.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, wraps
from random import Random
from typing import Any

import numpy as np
import pyspiel

from upcard import games
from upcard.engine.actions import action_space
from upcard.engine.errors import UpcardError
from upcard.engine.match import Match
from upcard.engine.setup import Setup, check_seat
from upcard.envs.episode import shares
from upcard.envs.history import Recall
from upcard.envs.observation import LARGEST
from upcard.envs.spiel_course import Course, Watcher, alone, as_text
from upcard.envs.spiel_loop import CHANCE, SIMULTANEOUS, TERMINAL
from upcard.envs.spiel_position import SpielPosition, SpielTable, spiel_table
from upcard.games.shipped import comes_with_upcard
from upcard.rules import cards
from upcard.rules.cards import JOKER
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
EPISODES = ("match", "deal")
"""The length of a game of OpenSpiel: a match, or its first deal."""
SHARE, POINTS = UTILITIES = ("share", "points")
"""The value of a game: a share of the win, or the lead over the average standing."""


class SpielGame(pyspiel.Game):
    """A game at one table. `register` creates a subclass for each game."""

    GAME: type[Game[Any]]
    TYPE: Any

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        given = dict(params or {})
        self.setup = _setup(self.GAME, given)
        self.recall = Recall(self.setup, given.get("history", HISTORY), sights=True)
        self.episode = _one_of("episode", EPISODES, given)
        self.utility = _one_of("utility", UTILITIES, given)
        n = self.setup.players
        most = LARGEST if self.utility == POINTS else 1.0
        info = pyspiel.GameInfo(
            num_distinct_actions=action_space(self.setup).size,
            max_chance_outcomes=JOKER + 1,
            num_players=n,
            min_utility=-most if self.utility == POINTS else -1.0 / (n - 1),
            max_utility=most,
            utility_sum=0.0,
            max_game_length=LONGEST,
        )
        super().__init__(self.TYPE, info, given)

    def __reduce__(self) -> Any:
        return load, (self.setup, self.recall.most, self.episode, self.utility)

    @cached_property
    def table(self) -> SpielTable:
        """The table in compiled code."""
        at_once = self.TYPE.dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS
        return spiel_table(self.setup, self.recall.most, at_once, self.episode == "deal")

    @cached_property
    def root(self) -> SpielPosition:
        """The position before the first deal."""
        return SpielPosition(self.table)

    def new_initial_state(self) -> SpielState:
        """The state of a match before its first deal."""
        return SpielState(self, self.root)

    def max_chance_nodes_in_history(self) -> int:
        """An upper bound; no match reaches it."""
        return LONGEST

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> SpielObserver:
        """An observer that writes tensors and strings. Raises UpcardError for an unsupported type of observation."""
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        return SpielObserver(self.table, kind)


def _informed(name: str) -> Callable[..., Any]:
    """A method of OpenSpiel's states that reads the history."""
    method = getattr(pyspiel.State, name)

    @wraps(method)
    def ask(self: SpielState, *arguments: Any) -> Any:
        self._inform()
        return method(self, *arguments)

    return ask


_new, _begin = pyspiel.State.__new__, pyspiel.State.__init__


class SpielState(pyspiel.State):
    """The state of a match.

    OpenSpiel's C++ part takes microseconds to call Python, so what Python programs call most often does not go through
    it. It learns of such actions when it is next used. Its own calls arrive at the methods with an underscore.
    """

    __slots__ = ("__dict__", "_game")  # copies and pickles that the C++ part makes contain what is in `__dict__`

    def __init__(self, game: SpielGame, position: SpielPosition) -> None:
        """The state of a game in a position, which other states may share."""
        _begin(self, game)
        self._game = game
        self.position = position
        self._unheard = position.length
        """The number of actions at the end of the position's log that the C++ part does not know of."""

    @property
    def course(self) -> Course:
        """The match, with what has been seen and heard in it."""
        return self.position.course

    def current_player(self) -> int:
        """The seat to act, or OpenSpiel's number for chance, for simultaneous moves or for the end."""
        return self.position.player

    def is_terminal(self) -> bool:
        """Whether the match is over, or its first deal in a game of one deal."""
        return self.position.player == TERMINAL

    def is_chance_node(self) -> bool:
        """Whether chance is to act."""
        return self.position.player == CHANCE

    def is_simultaneous_node(self) -> bool:
        """Whether several seats choose at once."""
        return self.position.player == SIMULTANEOUS

    def is_player_node(self) -> bool:
        """Whether one seat is to act."""
        return self.position.player >= 0

    def legal_actions(self, player: int | None = None) -> list[int]:
        """The legal actions of a seat, by default of the one to act, or the cards of chance."""
        position = self.position
        return position.legal() if player is None or player == position.player else position.legal_of(player)

    _legal_actions = legal_actions

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The possible next cards with their probabilities."""
        return self.position.chance_outcomes()

    def apply_action(self, action: int) -> None:
        """Take an action of the seat to act, or the next card of chance. Raises IllegalMove or UpcardError for an
        invalid one and then changes nothing."""
        self._move(action)
        self._unheard += 1

    def _apply_action(self, action: int) -> None:
        self._inform()
        self._move(action)

    def _move(self, action: int) -> None:
        position = self.position
        if position.is_shared:
            position = self.position = position.copy()
        position.take(action)

    def apply_actions(self, actions: Sequence[int]) -> None:
        """Take an action of each seat; those of seats that are not to act are ignored. Raises IllegalMove or
        UpcardError for invalid ones and then changes nothing."""
        self._move_together(actions)
        self._unheard += 1

    def _apply_actions(self, actions: Sequence[int]) -> None:
        self._inform()
        self._move_together(actions)

    def _move_together(self, actions: Sequence[int]) -> None:
        after = self.position.copy()
        after.take_together(actions)
        self.position = after

    def clone(self) -> SpielState:
        """A copy that continues independently."""
        position = self.position
        position.is_shared = True
        twin: SpielState = _new(SpielState)
        _begin(twin, self._game)
        twin._game = self._game
        twin.position = position
        twin._unheard = position.length
        return twin

    def __deepcopy__(self, memo: object) -> SpielState:
        return self.clone()

    def child(self, action: int) -> SpielState:
        """The state after an action."""
        twin = self.clone()
        twin.apply_action(action)
        return twin

    def __reduce__(self) -> Any:
        return _deserialized, (self._game, self.serialize())

    def resample_from_infostate(self, player: int, probability_sampler: Callable[[], float]) -> SpielState:
        """A random state that a seat cannot distinguish from this one; all such worlds are equally likely.

        It has no history of actions, and does not include what other seats have seen in this match. Raises UpcardError
        if no seat is to act.
        """
        return SpielState(self._game, self.position.drawn(player, Random(float(probability_sampler()))))

    def string_to_action(self, *arguments: Any) -> int:
        """(player, text), or (text) if one seat or chance is to act: returns the legal action with this text. Raises
        UpcardError if there is none."""
        player, text = arguments if len(arguments) > 1 else (self.current_player(), *arguments)
        if player == SIMULTANEOUS:
            raise UpcardError("several seats act at once: string_to_action takes the seat, and then the text")
        for action in self.legal_actions(player):
            if self.action_to_string(player, action) == text:
                return int(action)
        raise UpcardError(f"{brief(text)} is not an action of player {brief(player)} now")

    def _action_to_string(self, player: int, action: int) -> str:
        if player == CHANCE:
            if not 0 <= action <= JOKER:
                raise UpcardError(f"a card is a whole number from 0 to {JOKER}, not {action}")
            return cards.text(action)
        space = self.position.table.actions
        text = space.text(action)
        return self.course.match.actions(player).get(action, text) if "#" in text else text

    def returns(self) -> list[float]:
        """The value of the match for each seat; 0 before its end."""
        players = self.position.table.setup.players
        if not self.is_terminal():
            return [0.0] * players
        standings, winners = self.position.results()
        if self._game.utility == POINTS:
            mean = sum(standings) / players
            return [standing - mean for standing in standings]
        return shares(players, winners)

    def __str__(self) -> str:
        return f"{self.course.match}\n{' '.join(map(cards.text, self.course.order))}".strip()

    # ------------------------------------------------------------------------------------- what the C++ part knows

    def _inform(self) -> None:
        """Let the C++ part record the actions that it has not heard of."""
        if not self._unheard:
            return
        position, replayed = self.position, _Replayed()
        entries = position.latest(self._unheard)
        self._unheard, self.position = 0, replayed  # type: ignore[assignment]
        try:
            for replayed.player, action in entries:
                if replayed.player == SIMULTANEOUS:
                    pyspiel.State.apply_actions(self, action)
                else:
                    pyspiel.State.apply_action(self, action)
        finally:
            self.position = position

    history = _informed("history")
    full_history = _informed("full_history")
    history_str = _informed("history_str")
    move_number = _informed("move_number")
    is_initial_state = _informed("is_initial_state")
    is_initial_non_chance_state = _informed("is_initial_non_chance_state")
    serialize = _informed("serialize")


class _Replayed:
    """In place of a position while actions are replayed for the C++ part."""

    player = CHANCE
    is_shared = False

    def take(self, action: int) -> None:
        """Do nothing: the action has been taken."""

    def take_together(self, actions: Sequence[int]) -> None:
        """Do nothing: the actions have been taken."""

    def copy(self) -> _Replayed:
        return self


def _deserialized(game: SpielGame, text: str) -> Any:
    return game.deserialize_state(text)


class SpielObserver:
    """Observations as tensors and strings: a seat's view, everybody's view, or the part that only a seat sees.

    With perfect recall they include everything seen and heard before. Raises UpcardError for other types.
    """

    def __init__(self, table: SpielTable, kind: Any) -> None:
        private = pyspiel.PrivateInfoType
        if kind.private_info == private.ALL_PLAYERS:
            raise UpcardError("an observer cannot show what all players see: private_info is SINGLE_PLAYER or NONE")
        if not kind.public_info and (kind.perfect_recall or kind.private_info == private.NONE):
            raise UpcardError("without public_info, private_info must be SINGLE_PLAYER and perfect_recall False")
        self._observer, recall = table.observer, table.recall
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
        seen = self.tensor[: self._observer.size]
        seen[:] = self._observer.observe(state.course.views[None]) if who is None else state.position.observe(who)
        if not self._sees_all:
            seen[seen == self._observer.observe(state.course.views[None])] = 0
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
        seat = check_seat(state.position.table.setup, player)
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
        parameter_specification={"players": game.default_players} | OWN_PARAMETERS | defaults,
    )
    pyspiel.register_game(game_type, type("SpielGame", (SpielGame,), {"GAME": game, "TYPE": game_type}))
    _registered.add(name)
    return name


OWN_PARAMETERS = {"history": HISTORY, "episode": EPISODES[0], "utility": SHARE}
"""The parameters of all games next to the players and options, with their defaults."""


def _one_of(name: str, values: Sequence[str], given: Mapping[str, Any]) -> str:
    """The value of a parameter of all games. Raises UpcardError for one that does not exist."""
    value = given.get(name, values[0])
    if value not in values:
        raise UpcardError(f"{name} is {' or '.join(map(repr, values))}, not {brief(value)}")
    return str(value)


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


def load(setup: Game[Any], history: int = HISTORY, episode: str = "match", utility: str = SHARE) -> Any:
    """The `pyspiel.Game` of a table, with `history` rows in its information states. Raises UpcardError."""
    rows = Recall(setup, history).most
    options = setup.game.declared_options
    chosen = {name: _as_parameter(value, options[name]) for name, value in setup.chosen.items()}
    own = {"history": rows, "episode": episode, "utility": utility}
    return pyspiel.load_game(register(setup.game), {"players": setup.players, **own, **chosen})


for _slug in (*games.SLUGS, *games.VARIANTS):
    register(games.load(_slug))
