"""Titles for programs: one, those that resemble a text, and those that administrators write."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest
from httpx import AsyncClient

from commonroom.accounts.tables import User
from commonroom.titles.stored_titles import load_title
from commonroom.titles.titles import TitleId
from commonroom.watchlists.service.ratings import rate
from tests.support.cinema import Cinema

API = "/api/v1/titles"
MATRIX = TitleId("MOVIE", "603")


async def get(client: AsyncClient, path: str) -> Any:
    """What a program is told."""
    answer = await client.get(f"{API}{path}")
    assert answer.status_code == 200, answer.text
    return answer.json()


class TestGet:
    async def test_a_guest_gets_facts_and_ratings(self, house: Cinema, ben: User) -> None:
        await rate(house.asks(ben), house.titles, MATRIX, rating=7, review="Quite a ride.")
        found = await get(await house.client(), "/films/603")

        assert (found["title"], found["year"], found["runtime"]) == ("The Matrix", 1999, 136)
        assert found["genres"] == ["Action", "Science Fiction"]
        assert found["rating"] == {
            "average": 7.0,
            "count": 1,
            "spread": [0, 0, 0, 0, 0, 0, 1, 0, 0, 0],
        }
        assert found["source_rating"] == {"average": 8.0, "votes": None}
        assert found["page"] == "/films/603"

    async def test_a_show_has_what_shows_have(self, house: Cinema) -> None:
        found = await get(await house.client(), "/shows/1396")

        assert (found["seasons"], found["episodes"], found["status"]) == (5, 62, "ended")
        assert (found["year"], found["end_year"]) == (2008, 2013)

    async def test_one_that_has_not_changed_is_304(self, house: Cinema) -> None:
        guest = await house.client()
        tag = (await guest.get(f"{API}/films/603")).headers["etag"]
        answer = await guest.get(f"{API}/films/603", headers={"If-None-Match": tag})

        assert answer.status_code == 304

    @pytest.mark.parametrize("path", ["/films/1", "/books/603", "/films/" + "9" * 100])
    async def test_what_is_not_there_is_404(self, house: Cinema, path: str) -> None:
        assert (await (await house.client()).get(f"{API}{path}")).status_code == 404


class TestSearch:
    async def test_gives_films_and_shows(self, house: Cinema, ben: User) -> None:
        found = await get(await house.client(ben), "?text=dark")

        assert found["items"][0]["title"] == "Dark"
        assert {one["content_type"] for one in found["items"]} == {"MOVIE", "SHOW"}

    async def test_gives_one_kind(self, house: Cinema, ben: User) -> None:
        found = await get(await house.client(ben), "?text=star&kind=shows&limit=3")

        assert [one["content_type"] for one in found["items"]] == ["SHOW"] * 3

    async def test_is_not_for_guests(self, house: Cinema) -> None:
        assert (await (await house.client()).get(f"{API}?text=dark")).status_code == 401


class TestWriting:
    MADE: ClassVar[dict[str, Any]] = {
        "title": "Our holiday",
        "year": 2025,
        "genres": ["Family", "Documentary"],
        "makers": ["Ada"],
        "runtime": 12,
        "synopsis": "Two weeks of rain.",
    }

    async def test_an_administrator_makes_a_title_and_everybody_sees_it(
        self, house: Cinema, ada: User
    ) -> None:
        answer = await (await house.client(ada)).post(f"{API}/films", json=self.MADE)
        made = answer.json()

        assert answer.status_code == 201, answer.text
        found = await get(await house.client(), f"/films/{made['content_id']}")
        assert (found["title"], found["makers"]) == ("Our holiday", ["Ada"])

    async def test_one_tmdb_id_is_one_title(self, house: Cinema, ada: User) -> None:
        adas = await house.client(ada)
        first = await adas.post(f"{API}/films", json={**self.MADE, "tmdb_id": 900_001})
        again = await adas.post(f"{API}/films", json={**self.MADE, "tmdb_id": 900_001})

        assert first.json()["content_id"] == "900001"
        assert again.status_code == 409

    async def test_all_that_is_wrong_is_said_at_once(self, house: Cinema, ada: User) -> None:
        wrong = {"title": " ", "year": 1, "genres": ["Nothing"], "seasons": 3, "imdb_id": "603"}
        answer = await (await house.client(ada)).post(f"{API}/films", json=wrong)

        assert answer.status_code == 422
        fields = {one["field"] for one in answer.json()["errors"]}
        assert fields == {"title", "year", "genres", "seasons", "imdb_id"}

    async def test_what_an_administrator_writes_stays(self, house: Cinema, ada: User) -> None:
        adas = await house.client(ada)
        answer = await adas.patch(
            f"{API}/films/603", json={"title": "Matrix", "tmdb_id": 603, "year": 1999}
        )

        assert answer.status_code == 200, answer.text
        assert (await get(await house.client(), "/films/603"))["title"] == "Matrix"

    async def test_whoever_saw_it_otherwise_is_refused(self, house: Cinema, ada: User) -> None:
        adas = await house.client(ada)
        tag = (await adas.get(f"{API}/films/603")).headers["etag"]
        body = {"title": "Matrix", "tmdb_id": 603}
        first = await adas.patch(f"{API}/films/603", json=body, headers={"If-Match": tag})
        again = await adas.patch(f"{API}/films/603", json=body, headers={"If-Match": tag})

        assert (first.status_code, again.status_code) == (200, 412)

    async def test_a_made_title_can_get_a_tmdb_id_that_nobody_has(
        self, house: Cinema, ada: User
    ) -> None:
        adas = await house.client(ada)
        made = (await adas.post(f"{API}/films", json=self.MADE)).json()["content_id"]
        await adas.post(f"{API}/films", json={**self.MADE, "tmdb_id": 900_001})
        taken = await adas.patch(f"{API}/films/{made}", json={**self.MADE, "tmdb_id": 900_001})
        free = await adas.patch(f"{API}/films/{made}", json={**self.MADE, "tmdb_id": 900_002})

        assert (taken.status_code, taken.json()["field"]) == (422, "tmdb_id")
        assert free.status_code == 200
        found = await load_title(house.store, TitleId("MOVIE", "900002"))
        assert found is not None
        assert found.title == "Our holiday"

    async def test_the_tmdb_id_of_a_catalogue_title_cannot_change(
        self, house: Cinema, ada: User
    ) -> None:
        answer = await (await house.client(ada)).patch(
            f"{API}/films/603", json={"title": "Matrix", "tmdb_id": 604}
        )

        assert answer.status_code == 422

    async def test_a_made_title_can_be_removed_and_others_cannot(
        self, house: Cinema, ada: User
    ) -> None:
        adas = await house.client(ada)
        made = (await adas.post(f"{API}/films", json=self.MADE)).json()["content_id"]

        assert (await adas.delete(f"{API}/films/{made}")).status_code == 204
        assert (await adas.get(f"{API}/films/{made}")).status_code == 404
        assert (await adas.delete(f"{API}/films/603")).status_code == 409

    async def test_nobody_else_writes_any(self, house: Cinema, ben: User) -> None:
        bens = await house.client(ben)

        assert (await bens.post(f"{API}/films", json=self.MADE)).status_code == 403
        assert (await bens.patch(f"{API}/films/603", json=self.MADE)).status_code == 403
        assert (await bens.delete(f"{API}/films/603")).status_code == 403
