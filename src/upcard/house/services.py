"""The services that a house depends on, as protocols: computer players, budgets, long work, reviews; and the simplest
of each."""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, Protocol, TypeVar

from upcard.engine.views import View
from upcard.house.bodies import Review
from upcard.languages.catalogs import DEFAULT
from upcard.players import choose
from upcard.rules.game import Game
from upcard.rules.phrases import how_to_get
from upcard.rules.sentences import sentence
from upcard.table.errors import Forbidden, Refusal, WrongSecret
from upcard.table.summary import Busy
from upcard.table.table import Table

T = TypeVar("T")


@dataclass(frozen=True)
class Visitor:
    """Somebody who asks a house for something."""

    identity: str | None
    """By which they have their seats; None if they have never had one."""
    address: str | None = None
    """The network address that is charged; None where nobody is."""
    language: str = DEFAULT
    """The tag of the language in which they read."""

    @property
    def person(self) -> str:
        """Their identity. Raises Forbidden if they have none."""
        if self.identity is None:
            raise Forbidden("This needs a person with an identity")
        return self.identity


@dataclass(frozen=True)
class Requester:
    """Who asks for a piece of work."""

    address: str | None
    seated: bool = False
    """Whether they sit at the table concerned."""


class ComputerPlayers(Protocol):
    """The computer players of all levels."""

    def __call__(self, level: str, seen: View[Any]) -> str | Awaitable[str]:
        """The move of a player of this level; a quick level answers with a string."""
        ...

    def state(self, level: str, seen: View[Any]) -> Busy:
        """The state of a player of this level while it is to move, for the table to show."""
        ...

    def is_ready(self, setup: Game[Any]) -> bool:
        """Whether advice on a game is available at once; if not, it is being prepared. Raises Refusal if it never will
        be."""
        ...

    def expect(self, setup: Game[Any]) -> None:
        """Prepare for slow players or advice in a game."""
        ...


class Budget(Protocol):
    """Limits what one address may ask for. Every method may raise TooMany."""

    def table(self, client: str | None) -> None:
        """Count one new table."""
        ...

    def wrong_guess(self, client: str | None) -> None:
        """Count one wrong secret."""
        ...

    def begin_work(self, client: str | None, *, seated: bool) -> None:
        """Charge the least time for a piece of work."""
        ...

    def end_work(self, client: str | None, seconds: float) -> None:
        """Charge the time that a piece of work took, instead of the least."""
        ...


@contextlib.contextmanager
def guesses_counted(budget: Budget, visitor: Visitor) -> Iterator[None]:
    """Count a wrong guess of a visitor's address if a link turns out to be wrong."""
    try:
        yield
    except WrongSecret:
        budget.wrong_guess(visitor.address)
        raise


class WorkPool(Protocol):
    """Does long work that needs nothing but its arguments, if possible in other processes."""

    def admit(self, requester: Requester) -> None:
        """Charge the least time for a piece of work. Raises TooMany if there is no room for it."""
        ...

    async def run(self, requester: Requester, work: Callable[..., T], *about: Any, admitted: bool = False) -> T:
        """Return what `work(*about)` returns, when it is this requester's turn; `admitted` means that `admit` was
        called already. Raises TooMany, and what `work` raises."""
        ...


class Background(Protocol):
    """Does long work on the tables of this process, if possible without delaying those in play."""

    def turn(self, requester: Requester) -> AbstractAsyncContextManager[None]:
        """A context that waits for this requester's turn and then is that turn. Raises TooMany if there is no room."""
        ...

    async def run(self, requester: Requester, work: Callable[..., T], *about: Any) -> T:
        """Return what `work(*about)` returns. Requesters without a seat are charged the time instead of the least.
        Raises what `work` raises."""
        ...


class Reviewer(Protocol):
    """Reviews seats' decisions in finished matches, over a while."""

    def of(self, table: Table, seat: int) -> Review | None:
        """The review of a seat so far; None if nobody has asked for it yet."""
        ...

    def start(self, table: Table, seat: int, requester: Requester) -> Review:
        """Start a review of a seat's decisions. Raises Refusal."""
        ...


class AtOnce:
    """The simplest services, enough for a house of one person: all work and all moves are done at once in this process,
    nothing is charged, and there are no reviews."""

    def __call__(self, level: str, seen: View[Any]) -> str:
        return choose(level, seen)

    def state(self, level: str, seen: View[Any]) -> Busy:
        return ""

    def is_ready(self, setup: Game[Any]) -> bool:
        if find_spec("numba") is None:
            raise Refusal(sentence("Hints need more packages: {command}", command=how_to_get("fast")))
        return True

    def expect(self, setup: Game[Any]) -> None:
        pass

    def table(self, client: str | None) -> None:
        pass

    def wrong_guess(self, client: str | None) -> None:
        pass

    def begin_work(self, client: str | None, *, seated: bool) -> None:
        pass

    def end_work(self, client: str | None, seconds: float) -> None:
        pass

    def admit(self, requester: Requester) -> None:
        pass

    def turn(self, requester: Requester) -> AbstractAsyncContextManager[None]:
        return contextlib.nullcontext()

    async def run(self, requester: Requester, work: Callable[..., T], *about: Any, admitted: bool = False) -> T:
        return work(*about)

    def of(self, table: Table, seat: int) -> Review | None:
        return None

    def start(self, table: Table, seat: int, requester: Requester) -> Review:
        raise Refusal("Matches are not reviewed here: save the record for `upcard review`")
