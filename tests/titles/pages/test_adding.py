"""Everybody with an account adds a title that nobody knows here."""

from __future__ import annotations

import asyncio
from typing import Any

from httpx import AsyncClient, Response

from commonroom.accounts.tables import User
from commonroom.titles.adding import NEW_TITLES
from commonroom.titles.tables import Movie, Show
from commonroom.watchlists.service.lists import ListDraft, create_list
from tests.support.cinema import Cinema, words_of
from tests.watchlists.examples import everything_of

API = "/api/v1/titles"


async def add(client: AsyncClient, **fields: Any) -> Response:
    return await client.post(API, json=fields)


class TestTheApi:
    async def test_adds_a_title_by_name_and_year(self, house: Cinema, ben: User) -> None:
        bens = await house.client(ben)
        made = (await add(bens, title="Heat", year=1995, link="tt0113277")).json()
        assert (made["title"], made["year"], made["imdb_id"]) == ("Heat", 1995, "tt0113277")
        page = words_of(await (await house.client()).get(made["page"]))
        assert "Added here" in page

    async def test_adds_it_once_however_often_and_at_once(self, house: Cinema, ben: User) -> None:
        bens = await house.client(ben)
        answers = await asyncio.gather(*(add(bens, title="Heat", year=1995) for _ in range(4)))
        assert {one.status_code for one in answers} == {201}
        assert len({one.json()["content_id"] for one in answers}) == 1
        assert len(await everything_of(house.store.engine, Movie)) == 1

    async def test_gives_what_is_known_by_a_link_or_by_name_and_year(
        self, house: Cinema, ben: User
    ) -> None:
        bens = await house.client(ben)
        for fields in (
            {"link": "https://www.imdb.com/title/tt0133093/"},
            {"link": "themoviedb.org/movie/603", "title": "Something else"},
            {"title": "tt0133093"},
            {"title": "The Matrix", "year": 1999},
        ):
            assert (await add(bens, **fields)).json()["content_id"] == "603", fields
        other = (await add(bens, title="The Matrix", year=1993)).json()
        assert other["content_id"] != "603"

    async def test_adds_shows(self, house: Cinema, ben: User) -> None:
        made = (await add(await house.client(ben), kind="shows", title="Neighbours")).json()
        assert made["content_type"] == "SHOW"
        assert len(await everything_of(house.store.engine, Show)) == 1

    async def test_asks_for_a_title_where_a_link_says_nothing(
        self, house: Cinema, ben: User
    ) -> None:
        answer = await add(await house.client(ben), link="tt0000001")
        assert answer.status_code == 422
        assert "Enter a title, too" in answer.text

    async def test_is_not_for_guests_and_not_without_end(self, house: Cinema, ben: User) -> None:
        assert (await add(await house.client(), title="Heat")).status_code == 401
        bens = await house.client(ben)
        for number in range(NEW_TITLES.tries):
            assert (await add(bens, title=f"Film {number}")).status_code == 201
        assert (await add(bens, title="One more")).status_code == 429

    async def test_what_administrators_may_write_stays_theirs(
        self, house: Cinema, ben: User
    ) -> None:
        bens = await house.client(ben)
        assert (await bens.post(f"{API}/films", json={"title": "Heat"})).status_code == 403
        assert (await add(bens, title="Heat", synopsis="Mine.")).status_code in (400, 422)


class TestThePicker:
    async def test_offers_what_was_looked_for_and_adds_it(self, house: Cinema, ben: User) -> None:
        bens = await house.client(ben)
        made = await create_list(house.asks(ben), ListDraft(title="Doors"))
        page = f"/lists/{made.watchlist_id}/arrange"
        shown = await bens.get(page, params={"q": "Zzyzx Road (2006)"})
        assert "Add “Zzyzx Road” (2006)" in words_of(shown)
        typed = {"title": "Zzyzx Road", "year": "2006", "content_type": "MOVIE", "q": "Zzyzx"}
        answer = await bens.post(f"/lists/{made.watchlist_id}/items/add-missing", data=typed)
        assert answer.status_code == 303
        assert "Zzyzx Road" in words_of(await bens.get(f"/lists/{made.watchlist_id}"))

    async def test_says_beside_the_field_what_is_wrong(self, house: Cinema, ben: User) -> None:
        bens = await house.client(ben)
        made = await create_list(house.asks(ben), ListDraft(title="Doors"))
        typed = {"title": "Zzyzx Road", "year": "soon", "link": "", "q": "Zzyzx Road"}
        answer = await bens.post(f"/lists/{made.watchlist_id}/items/add-missing", data=typed)
        assert answer.status_code == 422
        assert "Enter a year such as 1995." in words_of(answer)
        assert 'value="Zzyzx Road"' in answer.text

    async def test_makes_nothing_for_who_may_not_edit_the_list(
        self, house: Cinema, ada: User, ben: User
    ) -> None:
        made = await create_list(house.asks(ada), ListDraft(title="Doors"))
        bens = await house.client(ben)
        answer = await bens.post(
            f"/lists/{made.watchlist_id}/items/add-missing", data={"title": "Zzyzx Road"}
        )
        assert answer.status_code == 404
        assert await everything_of(house.store.engine, Movie) == []
