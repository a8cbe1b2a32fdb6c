"""Opinions for programs."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from httpx import AsyncClient

from commonroom.accounts.tables import User
from commonroom.store import Store
from commonroom.titles.titles import TitleId
from commonroom.watchlists.service.ratings import rate
from tests.support.cinema import Cinema, cinema, requests_for

MATRIX = TitleId("MOVIE", "603")
FILM = "/api/v1/titles/films/603"


@pytest.fixture
async def house(store_of_now: Store, tmp_path: Path) -> AsyncIterator[Cinema]:
    """The whole house."""
    async with cinema(store_of_now, tmp_path) as made:
        yield made


@pytest.fixture
async def ben(house: Cinema) -> User:
    """Somebody with an opinion."""
    return await house.person("Ben")


@pytest.fixture
async def bens(house: Cinema, ben: User) -> AsyncClient:
    """Ben's program."""
    return await house.client(ben)


async def test_a_title_that_one_has_no_opinion_of(bens: AsyncClient) -> None:
    assert (await bens.get(f"{FILM}/opinion")).json() == {
        "rating": None,
        "review": None,
        "rated_at": None,
        "seen": False,
        "seen_on": None,
        "other_days": [],
    }


async def test_a_rating_is_put_changed_and_removed(bens: AsyncClient) -> None:
    first = await bens.put(f"{FILM}/rating", json={"rating": 7, "review": "Quite a ride."})
    again = await bens.put(f"{FILM}/rating", json={"rating": 8})
    without = await bens.put(f"{FILM}/rating", json={"rating": 8, "review": None})
    gone = await bens.delete(f"{FILM}/rating")

    assert (first.status_code, first.json()["rating"], first.json()["seen"]) == (200, 7, True)
    assert again.json()["review"] == "Quite a ride."
    assert without.json()["review"] is None
    assert gone.status_code == 204
    assert (await bens.get(f"{FILM}/opinion")).json()["seen"] is False


async def test_a_review_may_stand_alone(bens: AsyncClient) -> None:
    said = await bens.put(f"{FILM}/rating", json={"review": "Quite a ride."})
    rated = await bens.put(f"{FILM}/rating", json={"rating": 8})
    alone = await bens.put(f"{FILM}/rating", json={"rating": None})
    listed = (await bens.get(f"{FILM}/reviews")).json()["items"]
    title = (await bens.get(FILM)).json()

    assert (said.status_code, said.json()["rating"], said.json()["seen"]) == (200, None, True)
    assert (rated.json()["rating"], rated.json()["review"]) == (8, "Quite a ride.")
    assert (alone.json()["rating"], alone.json()["review"]) == (None, "Quite a ride.")
    assert [(one["rating"], one["review"]) for one in listed] == [(None, "Quite a ride.")]
    assert title["rating"]["count"] == 0


@pytest.mark.parametrize(
    "body, status",
    [
        ({"rating": 0}, 422),
        ({"rating": 11}, 422),
        ({"rating": 5, "review": "x" * 2001}, 422),
        ({"rating": "five"}, 400),
        ({"rating": 5, "stars": 3}, 400),
        ({}, 422),
    ],
)
async def test_what_is_no_rating_is_refused(
    bens: AsyncClient, body: dict[str, object], status: int
) -> None:
    assert (await bens.put(f"{FILM}/rating", json=body)).status_code == status


async def test_marks_are_put_and_removed(bens: AsyncClient) -> None:
    marked = await bens.put(f"{FILM}/seen", json={"seen_on": "2020-02-14"})
    gone = await bens.delete(f"{FILM}/seen")

    assert (marked.json()["seen"], marked.json()["seen_on"]) == (True, "2020-02-14")
    assert gone.status_code == 204


async def test_a_rated_title_cannot_be_unseen(bens: AsyncClient) -> None:
    await bens.put(f"{FILM}/rating", json={"rating": 7})

    assert (await bens.delete(f"{FILM}/seen")).status_code == 409


async def test_reviews_are_newest_first_with_who_wrote_them(
    house: Cinema, bens: AsyncClient
) -> None:
    for name in ("Cleo", "Dan"):
        person = await house.person(name)
        await rate(house.asks(person), house.titles, MATRIX, rating=7, review=f"{name} says so.")
    found = (await bens.get(f"{FILM}/reviews?limit=1")).json()
    more = (await bens.get(f"{FILM}/reviews?cursor={found['next_cursor']}")).json()

    assert [one["username"] for one in (*found["items"], *more["items"])] == ["dan", "cleo"]


async def test_only_an_administrator_removes_anothers(
    house: Cinema, ben: User, bens: AsyncClient
) -> None:
    await bens.put(f"{FILM}/rating", json={"rating": 7, "review": "Rude words."})
    adas = await house.client(await house.person("Ada", is_admin=True))

    (shown,) = (await adas.get(f"{FILM}/reviews")).json()["items"]
    assert ben.user_id not in str(shown)

    one = f"{FILM}/reviews/{shown['review_id']}"
    assert (await bens.delete(one)).status_code == 403
    assert (await adas.delete(f"{FILM}/reviews/{ben.user_id}")).status_code == 404
    assert (await adas.delete(one)).status_code == 204
    assert (await adas.delete(one)).status_code == 404


async def test_ones_own_ratings_are_listed(bens: AsyncClient) -> None:
    await bens.put(f"{FILM}/rating", json={"rating": 7})
    await bens.put("/api/v1/titles/shows/1396/rating", json={"rating": 9})
    found = (await bens.get("/api/v1/watchlists/ratings")).json()

    assert [(one["title"], one["rating"]) for one in found["items"]] == [
        ("The Matrix", 7),
        ("Breaking Bad", 9),
    ]


async def test_requests_are_few(bens: AsyncClient) -> None:
    await bens.put(f"{FILM}/rating", json={"rating": 7, "review": "Quite a ride."})

    assert await requests_for(bens, f"{FILM}/opinion") == 2
    assert await requests_for(bens, f"{FILM}/reviews") == 2
    assert await requests_for(bens, "/api/v1/watchlists/ratings") == 2


@pytest.mark.parametrize("method, path", [("GET", "opinion"), ("GET", "reviews")])
async def test_guests_are_told_nothing(house: Cinema, method: str, path: str) -> None:
    assert (await (await house.client()).request(method, f"{FILM}/{path}")).status_code == 401
