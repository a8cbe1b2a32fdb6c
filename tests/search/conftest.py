"""An empty index of each engine: a file, OpenSearch's stand-in, a real one where it is named."""

from __future__ import annotations

import os
import uuid
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from commonroom.outgoing.fetcher import Fetcher
from commonroom.search.embedded.engine import EmbeddedIndex
from commonroom.search.index import SearchIndex
from commonroom.search.opensearch.client import OpenSearchClient
from commonroom.search.opensearch.engine import OpenSearchIndex
from tests.support.commands import FOR_TESTS
from tests.support.opensearch import LOGIN, StandIn, standing_in

REAL, REAL_LOGIN = FOR_TESTS
"""The address of an OpenSearch in which the tests may make indexes, and how to sign in there."""


@pytest.fixture
async def embedded_index(tmp_path: Path) -> AsyncIterator[EmbeddedIndex]:
    """An empty index in a file."""
    index = EmbeddedIndex(tmp_path / "search.db")
    yield index
    await index.close()


@pytest.fixture
async def stand_in() -> AsyncIterator[StandIn]:
    """OpenSearch, as far as Commonroom knows; nothing may be asked of it that is not documented."""
    async with standing_in() as stand_in:
        yield stand_in
    assert stand_in.complaints == []


def index_at(address: str, login: str, prefix: str) -> OpenSearchIndex:
    """An index at an address, of which everything that is written is found at once."""
    client = OpenSearchClient(Fetcher([address]), address, login)
    return OpenSearchIndex(client, prefix, refresh=True)


@pytest.fixture
async def stand_in_index(stand_in: StandIn) -> AsyncIterator[OpenSearchIndex]:
    """An index in the stand-in for OpenSearch, which was just made."""
    index = index_at(stand_in.address, LOGIN, "test")
    await _make(index)
    yield index
    await index.close()


@pytest.fixture
async def real_index() -> AsyncIterator[OpenSearchIndex]:
    """The same in a real OpenSearch; without one, these tests are skipped and say so."""
    address = os.environ.get(REAL)
    if not address:
        pytest.skip(f"{REAL} names no OpenSearch, so the adapter meets its stand-in only.")
    prefix = f"test-{uuid.uuid4().hex[:12]}"
    index = index_at(address, os.environ.get(REAL_LOGIN, ""), prefix)
    await _make(index)
    yield index
    client = OpenSearchClient(Fetcher([address]), address, os.environ.get(REAL_LOGIN, ""))
    await client.write("DELETE", f"/{prefix}-*")
    await client.close()
    await index.close()


async def _make(index: OpenSearchIndex) -> None:
    """Makes an index that answers, with nothing in it: in a file, opening it does that."""
    begun = await index.begin_reindex("", "fixture", 0.0)
    assert begun is not None
    await index.finish_reindex(begun)


ENGINES = ["embedded_index", "stand_in_index"]
if REAL in os.environ:  # not counted as skipped where nobody meant it
    ENGINES.append("real_index")


@pytest.fixture(params=ENGINES)
def index(request: pytest.FixtureRequest) -> SearchIndex:
    """An empty index, once of each engine."""
    index: SearchIndex = request.getfixturevalue(request.param)
    return index
