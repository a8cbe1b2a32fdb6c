"""Wishes and lists, both ways: from a list to the wish list of a household, and back."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from httpx import AsyncClient

from commonroom.accounts.tables import User
from commonroom.movienight.service.watched import mark_watched
from commonroom.movienight.service.wishes import MAX_WISHES, add_wish, add_wishes, list_wishes
from commonroom.store import Store
from commonroom.titles.films import FilmFilter
from commonroom.watchlists.service.items import NewWatchlistItem, add_items
from commonroom.watchlists.service.lists import ListDraft, create_list, my_lists
from tests.accounts.people import Watch
from tests.movienight.evenings import context_of, home_of
from tests.support.cinema import Cinema, cinema, words_of
from tests.support.context import at
from tests.support.fixtures import either

store = either

PADDINGTON, TOTORO, BABE, MATRIX = 116149, 8392, 9598, 603
WISHES = "/movie-night/wishes"


@pytest.fixture
def clock() -> Watch:
    """The time at which things are done: now, as pages live now."""
    watch = Watch()
    watch.now = time.time()
    return watch


@pytest.fixture
async def house(store: Store, tmp_path: Path) -> AsyncIterator[Cinema]:
    """The whole house."""
    async with cinema(store, tmp_path) as made:
        yield made


@pytest.fixture
async def ada(house: Cinema, ben: User, clock: Watch) -> User:
    """Somebody who lives with Ben."""
    ada = await house.person("Ada")
    await home_of(house.store, clock, ada, ben)
    return ada


@pytest.fixture
async def ben(house: Cinema) -> User:
    """Somebody else."""
    return await house.person("Ben")


async def list_of(house: Cinema, person: User, *films: int, shows: tuple[int, ...] = ()) -> str:
    """The address of a private list."""
    ctx = house.asks(person)
    made = await create_list(ctx, ListDraft(title="Rainy days", is_public=False))
    wanted = [NewWatchlistItem("MOVIE", str(one)) for one in films]
    wanted += [NewWatchlistItem("SHOW", str(one)) for one in shows]
    for start in range(0, len(wanted), 30):
        await add_items(ctx, house.titles, made.watchlist_id, wanted[start : start + 30])
    return f"/lists/{made.watchlist_id}"


async def wished(house: Cinema, person: User) -> list[int]:
    """The films on the wish list of somebody's household."""
    found = await list_wishes(await context_of(house.store, person))
    return sorted(one.tmdb_movie_id for one in found)


async def some_films(house: Cinema, number: int) -> list[int]:
    """So many films of the catalogue."""
    found = await house.titles.films.discover(FilmFilter(), frozenset())
    return [one.tmdb_movie_id for one in found][:number]


def form_id_on(page: str) -> str:
    """What makes a form one that is sent once."""
    return str(re.findall(r'name="form_id" value="([^"]+)"', page)[0])


class TestFromAList:
    async def test_its_films_are_wished_for_once(self, house: Cinema, ada: User) -> None:
        seat = at(house.store, time.time(), await context_of(house.store, ada))
        await add_wish(seat, house.titles.films, TOTORO)
        await mark_watched(seat, house.titles.films, BABE)
        here = await list_of(house, ada, PADDINGTON, TOTORO, BABE, MATRIX, shows=(1396,))
        adas = await house.client(ada)
        assert f'action="{here}/wish"' in (await adas.get(here)).text
        answer = await adas.post(f"{here}/wish")

        assert answer.headers["location"] == WISHES
        assert await wished(house, ada) == sorted([PADDINGTON, TOTORO, MATRIX])
        again = await adas.post(f"{here}/wish")
        assert again.status_code == 409
        assert "on the wish list already, or you have watched them" in words_of(again)

    async def test_as_many_as_there_is_room_for(self, house: Cinema, ada: User) -> None:
        films = await some_films(house, MAX_WISHES + 10)
        here = await list_of(house, ada, *films)
        adas = await house.client(ada)
        answer = await adas.post(f"{here}/wish")
        assert answer.headers["location"] == WISHES
        shown = await adas.get(WISHES)

        assert "as many as fit" in words_of(shown)
        assert len(await wished(house, ada)) == MAX_WISHES
        group = (await context_of(house.store, ada)).group
        assert group.wish_count == MAX_WISHES
        full = await adas.post(f"{here}/wish")
        assert full.status_code == 409
        assert "The wish list is full" in words_of(full)

    async def test_it_is_ones_own(self, house: Cinema, ada: User, ben: User) -> None:
        here = await list_of(house, ada, PADDINGTON)
        bens = await house.client(ben)

        assert (await bens.post(f"{here}/wish")).status_code == 404
        assert await wished(house, ada) == []

    async def test_two_at_once_count_each_film_once(
        self, house: Cinema, ada: User, ben: User
    ) -> None:
        films = await some_films(house, 6)
        seats = [
            at(house.store, time.time(), await context_of(house.store, one)) for one in (ada, ben)
        ]
        await asyncio.gather(
            *(
                add_wishes(one, house.titles.films, some)
                for one, some in zip(seats, (films[:4], films[2:]), strict=True)
            )
        )

        assert await wished(house, ada) == sorted(films)
        assert (await context_of(house.store, ada)).group.wish_count == len(films)

    async def test_nobody_without_a_household_is_offered_it(self, house: Cinema) -> None:
        eve = await house.person("Eve")
        here = await list_of(house, eve, PADDINGTON)
        eves = await house.client(eve)

        assert "wish" not in (await eves.get(here)).text
        assert (await eves.post(f"{here}/wish")).status_code == 404


class TestToAList:
    async def keep(self, client: AsyncClient, form_id: str) -> str:
        """Where a press leads."""
        answer = await client.post(f"{WISHES}/save", data={"form_id": form_id})
        return str(answer.headers["location"])

    async def test_the_wishes_become_one_private_list(
        self, house: Cinema, ada: User, ben: User
    ) -> None:
        films = await some_films(house, 45)
        seat = at(house.store, time.time(), await context_of(house.store, ada))
        await add_wishes(seat, house.titles.films, films)
        adas, bens = await house.client(ada), await house.client(ben)
        once = form_id_on((await adas.get(WISHES)).text)
        here = await self.keep(adas, once)

        assert await self.keep(adas, once) == here
        mine = (await my_lists(house.asks(ada))).items
        assert [(one.title, one.is_public, one.item_count) for one in mine] == [
            ("Wish list of Home", False, 45)
        ]
        assert (await bens.get(here)).status_code == 404
        # What somebody else sends with the same form is a list of their own.
        assert await self.keep(bens, once) != here

    async def test_an_empty_one_is_none(self, house: Cinema, ada: User) -> None:
        adas = await house.client(ada)

        assert "save-as-list" not in (await adas.get(WISHES)).text
        assert (await adas.post(f"{WISHES}/save", data={})).status_code == 409


@pytest.mark.parametrize("closed", ["movienight", "watchlists"])
async def test_a_room_that_is_switched_off_takes_it_away(
    embedded: Store, tmp_path: Path, clock: Watch, closed: str
) -> None:
    rooms = {"movienight", "library", "shareables", "watchlists", "hangouts"} - {closed}
    async with cinema(embedded, tmp_path, rooms=",".join(sorted(rooms))) as house:
        ada = await house.person("Ada")
        await home_of(house.store, clock, ada)
        seat = at(house.store, time.time(), await context_of(house.store, ada))
        await add_wish(seat, house.titles.films, TOTORO)
        here = await list_of(house, ada, PADDINGTON)
        client = await house.client(ada)
        page, deed = (here, "wish") if closed == "movienight" else (WISHES, "save")
        shown = await client.get(page)
        assert shown.status_code == 200
        assert f"{page}/{deed}" not in shown.text
        assert (await client.post(f"{page}/{deed}", data={})).status_code == 404
