"""Asking TMDB."""

from __future__ import annotations

import asyncio

import pytest
from aiohttp import web

from commonroom.titles.tmdb import requests
from commonroom.titles.tmdb.client import TmdbClient
from commonroom.titles.tmdb.responses import (
    Failed,
    NotThere,
    Resting,
    TmdbUnavailable,
    TokenRefused,
)
from tests.support.engines import Clock
from tests.support.tmdb import KEY, TROUBLES, StandIn, film, status
from tests.titles.tmdb.conftest import Sources

REQUEST = requests.details(603, "US")


@pytest.fixture
def client(sources: Sources, stand_in: StandIn) -> TmdbClient:
    """A client that asks for a film that is there."""
    stand_in.add(film(603))
    return sources.client(seconds=1)


async def asked(client: TmdbClient) -> TmdbUnavailable | None:
    """How asking ends."""
    try:
        await client.send(REQUEST)
    except TmdbUnavailable as error:
        return error
    return None


async def test_it_asks_with_the_token_in_a_header_and_nowhere_else(
    client: TmdbClient, stand_in: StandIn
) -> None:
    assert (await client.send(REQUEST)).title == "Film 603"
    (request,) = stand_in.asked
    assert request.path == "movie/603"
    assert (
        request.query["append_to_response"]
        == "release_dates,credits,alternative_titles,watch/providers"
    )
    assert request.headers["Authorization"] == f"Bearer {KEY}"
    assert KEY not in str(request.query)


async def test_a_token_that_is_refused_is_not_shown_again_for_ten_minutes(
    sources: Sources, stand_in: StandIn, clock: Clock
) -> None:
    client = sources.client(key="wrong")
    assert isinstance(await asked(client), TokenRefused)
    clock.ahead = 599
    assert isinstance(await asked(client), Resting)
    clock.ahead = 601
    assert isinstance(await asked(client), TokenRefused)
    assert len(stand_in.asked) == 2


async def test_what_is_not_there_is_no_trouble(client: TmdbClient, stand_in: StandIn) -> None:
    for _ in range(5):
        with pytest.raises(NotThere):
            await client.send(requests.details(604, "US"))
    assert len(stand_in.asked) == 5


@pytest.mark.parametrize(
    "retry_after, seconds",
    [("7", 7), ("0", 1), ("100000", 600), ("99999999999999999999", 10), ("soon", 10), ("-5", 10)],
)
async def test_when_it_is_asked_too_often_it_is_left_alone_for_as_long_as_it_wants(
    client: TmdbClient, stand_in: StandIn, clock: Clock, retry_after: str, seconds: int
) -> None:
    stand_in.troubles["movie"] = status(429, Retry_After=retry_after)
    error = await asked(client)
    assert error is not None
    assert f"wait {seconds} seconds" in error.detail
    stand_in.troubles.clear()
    clock.ahead = seconds - 0.9
    assert isinstance(await asked(client), Resting)
    clock.ahead = seconds + 0.1
    assert await asked(client) is None
    assert len(stand_in.asked) == 2


@pytest.mark.parametrize("trouble", TROUBLES)
async def test_after_three_failures_it_is_left_alone_and_tried_again_later(
    client: TmdbClient, stand_in: StandIn, clock: Clock, trouble: str
) -> None:
    stand_in.troubles["movie"] = TROUBLES[trouble](stand_in)
    for _ in range(3):
        assert isinstance(await asked(client), Failed)
    before = len(stand_in.asked)
    assert isinstance(await asked(client), Resting)
    assert len(stand_in.asked) == before
    clock.ahead = 31
    assert isinstance(await asked(client), Failed)
    assert isinstance(await asked(client), Resting)
    stand_in.troubles.clear()
    clock.ahead = 62
    assert await asked(client) is None
    assert await asked(client) is None


async def test_a_token_that_cannot_be_sent_fails_as_everything_else_does(
    sources: Sources, stand_in: StandIn
) -> None:
    for key in ("with\nnewline", "schlüssel\u2603"):
        assert isinstance(await asked(sources.client(key=key)), TmdbUnavailable)


async def test_who_asks_the_same_at_the_same_time_gets_the_same_answer_and_later_ones_the_cached(
    sources: Sources, stand_in: StandIn
) -> None:
    stand_in.add(film(603))
    client = sources.cached_client()
    kept = await asyncio.gather(*(client.send(REQUEST) for _ in range(20)))
    assert {one.response.title for one in kept} == {"Film 603"}
    await client.send(REQUEST)
    await sources.cached_client().send(REQUEST)
    assert stand_in.paths == ["movie/603"]


async def test_no_more_than_eight_questions_are_asked_at_once(
    sources: Sources, stand_in: StandIn
) -> None:
    now = most = 0
    many = asyncio.Event()

    async def counted(request: web.Request) -> web.StreamResponse:
        nonlocal now, most
        now += 1
        most = max(most, now)
        if now == 8:
            many.set()
        await many.wait()
        await asyncio.sleep(0.01)  # a ninth would come about now
        now -= 1
        return web.json_response(film(int(request.path.rpartition("/")[2])))

    stand_in.troubles["movie"] = counted
    client = sources.cached_client()
    await asyncio.gather(*(client.send(requests.details(one, "US")) for one in range(1, 31)))
    assert most == 8


async def test_who_gives_up_leaves_the_answer_to_the_cache(
    sources: Sources, stand_in: StandIn
) -> None:
    go_on = asyncio.Event()

    async def held(request: web.Request) -> web.StreamResponse:
        await go_on.wait()
        return web.json_response(film(603))

    stand_in.troubles["movie"] = held
    client = sources.cached_client()
    asking = asyncio.create_task(client.send(REQUEST))
    await stand_in.arrived.wait()
    asking.cancel()
    again = asyncio.create_task(client.send(REQUEST))
    go_on.set()
    assert (await again).response.title == "Film 603"
    assert len(stand_in.asked) == 1


async def test_closing_gives_up_what_is_under_way(sources: Sources, stand_in: StandIn) -> None:
    stand_in.troubles["movie"] = stand_in.hang
    client = sources.cached_client()
    asking = asyncio.create_task(client.send(REQUEST))
    await stand_in.arrived.wait()
    await client.close()
    with pytest.raises(TmdbUnavailable, match="shutting down"):
        await asking
