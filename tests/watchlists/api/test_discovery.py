"""Public lists by HTTP."""

from __future__ import annotations

import asyncio
import time

import pytest

from commonroom.store import Store, counting
from commonroom.watchlists.consumers.trending import rank
from tests.accounts.api.calling import given, problem
from tests.watchlists.api.curating import ALIEN, LISTS, MATRIX, Curating, caught_up, titles


async def test_anyone_finds_lists_newest_first_page_by_page(here: Curating) -> None:
    for name in ("One", "Two", "Three"):
        await here.list(MATRIX, title=name)
        await asyncio.sleep(0.002)
    await here.list(MATRIX, title="Hidden", is_public=False)
    with counting() as count:
        page = given(await here.guest.get(LISTS, params={"limit": 2}))
    assert (titles(page), count.requests) == (["Three", "Two"], 1)
    asked = {"limit": 2, "cursor": page["next_cursor"]}
    assert titles(given(await here.guest.get(LISTS, params=asked))) == ["One"]
    problem(await here.guest.get(LISTS, params={"cursor": "x"}), 400)


@pytest.mark.parametrize(
    "asked, expected",
    [
        ({"tag": "SCIFI"}, ["Space"]),
        ({"tag": "other"}, []),
        ({"genre": "horror"}, ["Space"]),
        ({"decade": "1970"}, ["Space"]),
        ({"film": MATRIX}, ["Space"]),
        ({"show": MATRIX}, []),
        ({"curator": "Ann"}, ["Space"]),
    ],
)
async def test_lists_are_found_by_what_is_in_them(
    here: Curating, store: Store, asked: dict[str, str], expected: list[str]
) -> None:
    await here.list(MATRIX, ALIEN, tags=["SciFi"])
    await caught_up(store)
    assert titles(given(await here.guest.get(LISTS, params=asked))) == expected


async def test_filters_come_one_at_a_time(here: Curating) -> None:
    problem(await here.guest.get(LISTS, params={"tag": "a", "genre": "b"}), 400)
    problem(await here.guest.get(LISTS, params={"colour": "red"}), 400)
    problem(await here.guest.get(LISTS, params={"decade": "soon"}), 400)
    problem(await here.guest.get(LISTS, params={"curator": "nobody"}), 404)


async def test_what_many_save_is_trending(here: Curating, store: Store) -> None:
    assert titles(given(await here.guest.get(f"{LISTS}/trending"))) == []
    address = await here.list(MATRIX)
    given(await here.ben.put(f"{LISTS}/saved/{address.rpartition('/')[2]}"), 204)
    await rank(store, time.time())
    assert titles(given(await here.guest.get(f"{LISTS}/trending"))) == ["Space"]
