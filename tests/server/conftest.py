"""Fixtures of the server's tests: one server for all, and two people."""

from collections.abc import AsyncIterator, Iterator

import pytest
from serving import Person, serve_in_thread


@pytest.fixture(scope="session")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    where, end = serve_in_thread(tmp_path_factory.mktemp("tables"))
    yield where
    end()


@pytest.fixture
async def ann(place: str) -> AsyncIterator[Person]:
    async with Person(place, "Ann") as person:
        yield person


@pytest.fixture
async def bo(place: str) -> AsyncIterator[Person]:
    async with Person(place, "Bo") as person:
        yield person
