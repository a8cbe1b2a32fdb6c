"""What TMDB answered lately, on both engines."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from commonroom.store import Store, put
from commonroom.store.dynamodb import DynamoSettings
from commonroom.titles.tables import CachedResponse, cached_response, tmdb_cache
from commonroom.titles.tmdb import requests
from commonroom.titles.tmdb.client import ResponseCache
from commonroom.titles.tmdb.responses import Details
from tests.support.clocks import SET_BACK
from tests.support.dynamodb_local import settings_for
from tests.support.engines import Clock, Place, made_tables, opened
from tests.support.hostile_engine import Hostility, hostile_file
from tests.support.world import fresh

REQUEST = requests.details(603, "US")
ANSWER = Details(id=603, title="The Matrix", runtime=136)
DAY = 24 * 3600


@pytest.fixture(scope="module")
def settings(dynamodb_local: str) -> Iterator[DynamoSettings]:
    """The table in DynamoDB Local, made once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AWS_ACCESS_KEY_ID", "films")
        patch.setenv("AWS_SECRET_ACCESS_KEY", "tests")
        patch.delenv("AWS_SESSION_TOKEN", raising=False)
        own = settings_for(dynamodb_local, f"films-{fresh()}-")
        yield made_tables(own, [tmdb_cache])


@pytest.fixture(params=["embedded", "dynamodb"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """Where the engine of this run has its data."""
    if request.param == "embedded":
        return tmp_path / "films.db"
    settings: DynamoSettings = request.getfixturevalue("settings")
    return settings


@pytest.fixture
async def store(place: Place, clock: Clock) -> AsyncIterator[Store]:
    """A store on the engine of this run."""
    async with opened(place, [tmdb_cache], clock) as engine:
        yield Store(engine)


@pytest.fixture
def unique() -> requests.TmdbRequest[Details]:
    """A request that no other test asks."""
    return requests.details(603, fresh())


async def test_an_answer_is_found_for_as_long_as_it_is_good_and_not_longer(
    store: Store, clock: Clock, unique: requests.TmdbRequest[Details]
) -> None:
    cache = ResponseCache(store, clock)
    assert await cache.get(unique) is None
    kept = await cache.put(unique, ANSWER)
    assert (kept.response, kept.age) == (ANSWER, 0)
    clock.ahead = 13 * 3600
    found = await cache.get(unique)
    assert found is not None
    assert found.response == ANSWER
    assert 13 * 3600 <= found.age < 13 * 3600 + 60
    clock.ahead = DAY + 2
    assert await cache.get(unique) is None


@pytest.mark.parametrize("ahead", SET_BACK)
async def test_an_answer_of_a_clock_that_was_ahead_is_asked_for_anew(
    store: Store, clock: Clock, unique: requests.TmdbRequest[Details], ahead: float
) -> None:
    cache = ResponseCache(store, clock)
    clock.ahead = ahead
    await cache.put(unique, ANSWER)
    clock.ahead = 0.0
    assert await cache.get(unique) is None


async def test_it_is_stored_as_the_data_model_says(
    store: Store, clock: Clock, unique: requests.TmdbRequest[Details]
) -> None:
    clock.stopped = 1_800_000_000.0
    await ResponseCache(store, clock).put(unique, ANSWER)
    stored = await store.get(cached_response(cache_key=unique.key))
    assert stored == CachedResponse(
        cache_key=unique.key,
        response_data='{"id":603,"title":"The Matrix","runtime":136}',
        cached_at="2027-01-15T08:00:00.000Z",
        ttl=1_800_000_000 + DAY,
    )


async def test_what_was_kept_is_replaced(
    store: Store, clock: Clock, unique: requests.TmdbRequest[Details]
) -> None:
    cache = ResponseCache(store, clock)
    await cache.put(unique, ANSWER)
    clock.ahead = 3600
    await cache.put(unique, Details(id=603, title="Matrix"))
    found = await cache.get(unique)
    assert found is not None
    assert found.response.title == "Matrix"
    assert found.age < 60


async def test_what_cannot_be_read_is_not_found(
    store: Store, clock: Clock, unique: requests.TmdbRequest[Details]
) -> None:
    cache = ResponseCache(store, clock)
    for text in ("nonsense", '{"id": 604, "title": "Another"}', "[]"):
        response = CachedResponse(
            cache_key=unique.key, response_data=text, cached_at="", ttl=int(clock()) + 60
        )
        await store.write(put(response))
        assert await cache.get(unique) is None
    await cache.put(unique, ANSWER)
    assert await cache.get(unique) is not None


class TestFailing:
    async def test_a_store_that_fails_fails_nothing_and_is_left_alone(
        self, tmp_path: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        always = Hostility(throttled_reads=1, throttled_writes=1)
        async with hostile_file(tmp_path, [tmdb_cache], seed=1, hostility=always) as engine:
            cache = ResponseCache(Store(engine))
            assert await cache.get(REQUEST) is None
            for _ in range(10):
                assert (await cache.put(REQUEST, ANSWER)).response == ANSWER
                assert await cache.get(REQUEST) is None
            assert sum(engine.happened.values()) == 3
        assert [record.levelname for record in caplog.records] == ["WARNING"]

    async def test_one_that_is_there_again_is_used_again(self, tmp_path: Path) -> None:
        sometimes = Hostility(throttled_reads=0.5, throttled_writes=0.5)
        async with hostile_file(tmp_path, [tmdb_cache], seed=1, hostility=sometimes) as engine:
            for _ in range(50):
                cache = ResponseCache(Store(engine))
                await cache.put(REQUEST, ANSWER)
                if await cache.get(REQUEST) is not None:
                    return
        pytest.fail("It was never found.")

    async def test_a_file_without_the_table_fails_nothing(self, tmp_path: Path) -> None:
        async with opened(tmp_path / "empty.db", [], Clock()) as engine:
            cache = ResponseCache(Store(engine))
            assert (await cache.put(REQUEST, ANSWER)).response == ANSWER
            assert await cache.get(REQUEST) is None
