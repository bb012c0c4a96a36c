"""Fixtures for the server's tests: one server for all, and two people."""

from collections.abc import AsyncIterator, Iterator

import psycopg
import pytest
from postgres import NOT_THERE, postgres, programs
from serving import Person, serve_in_thread

from upcard import workers
from upcard.players.warmup import settle_in


@pytest.fixture(scope="session", autouse=True)
def undelayed() -> Iterator[None]:
    """The workers of these tests do not wait for all other programs on this machine."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(workers, "step_back", settle_in)
        yield


@pytest.fixture(scope="session")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    where, end = serve_in_thread(tmp_path_factory.mktemp("tables"))
    yield where
    end()


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    found = programs()
    if found is None:
        pytest.skip(NOT_THERE)
    with postgres(found) as address:
        yield address


@pytest.fixture
def postgres_url(postgres_server: str, request: pytest.FixtureRequest) -> str:
    """A new database of PostgreSQL."""
    name = f"test_{abs(hash(request.node.nodeid))}"
    with psycopg.connect(postgres_server.replace("%", "postgres"), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return postgres_server.replace("%", name)


@pytest.fixture
async def ann(place: str) -> AsyncIterator[Person]:
    async with Person(place, "Ann") as person:
        yield person


@pytest.fixture
async def bo(place: str) -> AsyncIterator[Person]:
    async with Person(place, "Bo") as person:
        yield person
