"""Answers from the cache or from TMDB, each asked for once at a time."""

from __future__ import annotations

import asyncio

import pytest
from aiohttp import web

from commonroom.catalog.tmdb import requests
from commonroom.catalog.tmdb.errors import NoAnswer
from tests.catalog.tmdb.conftest import Sources
from tests.support.tmdb import StandIn, film

REQUEST = requests.details(603, "US")


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
    with pytest.raises(NoAnswer, match="shutting down"):
        await asking
