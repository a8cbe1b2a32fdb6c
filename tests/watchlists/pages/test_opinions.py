"""The forms on the page of a title: stars, reviews and marks, each without any script."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from httpx import AsyncClient

from commonroom.accounts.tables import User
from commonroom.store import Store
from commonroom.titles.titles import TitleId
from commonroom.watchlists.service.ratings import load_opinion, rate
from commonroom.watchlists.service.reviews import review_id
from tests.support.cinema import Cinema, cinema, words_of

MATRIX = TitleId("MOVIE", "603")
BREAKING_BAD = TitleId("SHOW", "1396")


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
    """Ben's browser."""
    return await house.client(ben)


async def send(client: AsyncClient, path: str, **fields: object) -> str:
    """What the page says after a form was sent."""
    answer = await client.post(path, data=fields)
    assert answer.status_code == 303, (answer.status_code, words_of(answer))
    return words_of(await client.get(answer.headers["location"]))


@pytest.mark.parametrize("title", [MATRIX, BREAKING_BAD])
async def test_a_star_is_one_press(house: Cinema, bens: AsyncClient, title: TitleId) -> None:
    said = await send(bens, f"{title.address}/rate", rating=7)

    assert "Rating saved." in said
    assert "3½ stars" in said
    assert "You have seen it" in said


async def test_half_a_star_less_or_more_is_another(house: Cinema, bens: AsyncClient) -> None:
    await send(bens, "/films/603/rate", rating=7)
    page = (await bens.get("/films/603")).text

    assert '<button class="button button-quiet button-small" name="rating" value="6">' in page
    assert '<button class="button button-quiet button-small" name="rating" value="8">' in page
    stars = page.partition('class="rate-stars"')[2].partition("</div>")[0]
    assert stars.count('aria-pressed="true"') == 1


async def test_a_review_is_read_and_changed_and_taken_back(
    house: Cinema, ben: User, bens: AsyncClient
) -> None:
    await send(bens, "/films/603/rate", rating=7)
    said = await send(bens, "/films/603/review", review="One.\n\nTwo <b>.")
    assert "Review saved." in said
    assert "One. Two <b>." in said
    await send(bens, "/films/603/rate", rating=9)
    assert "One." in words_of(await bens.get("/films/603")), "stars alone leave it"
    await send(bens, "/films/603/review", review="")
    opinion = await load_opinion(house.store, ben.user_id, MATRIX)
    assert opinion.rating is not None
    assert (opinion.rating.rating, opinion.rating.review) == (9, None)


async def test_a_review_stands_alone_on_the_page_and_goes_alone(
    house: Cinema, ben: User, bens: AsyncClient
) -> None:
    said = await send(bens, "/films/603/review", review="Words alone.")
    assert "Words alone." in said
    assert "No ratings yet" in said
    assert "Remove review" in said
    refused = await bens.post("/films/603/unseen")
    assert "Remove your review first." in words_of(refused)
    gone = await send(bens, "/films/603/review", review="")
    assert "Words alone." not in gone
    assert (await load_opinion(house.store, ben.user_id, MATRIX)).rating is None


async def test_a_review_that_is_too_long_is_still_there_and_says_why(
    bens: AsyncClient,
) -> None:
    await send(bens, "/films/603/rate", rating=7)
    answer = await bens.post("/films/603/review", data={"review": "word " * 500})

    assert answer.status_code == 422
    assert "Use at most 2000 characters." in words_of(answer)
    assert "word word" in words_of(answer)


@pytest.mark.parametrize("rating", ["0", "11", "-1"])
async def test_other_numbers_are_refused_on_the_page(bens: AsyncClient, rating: str) -> None:
    answer = await bens.post("/films/603/rate", data={"rating": rating})

    assert answer.status_code == 422
    assert "Choose half a star to five stars." in words_of(answer)


async def test_a_rating_goes_and_the_page_says_so(
    house: Cinema, ben: User, bens: AsyncClient
) -> None:
    await send(bens, "/films/603/rate", rating=7)
    said = await send(bens, "/films/603/unrate")

    assert "Rating removed." in said
    assert "No ratings yet" in said


async def test_seen_with_a_day_and_without(bens: AsyncClient) -> None:
    assert "You have seen it" in await send(bens, "/shows/1396/seen")
    assert "Seen on 14 February 2020" in await send(bens, "/shows/1396/seen", seen_on="2020-02-14")
    assert "Mark as seen" in await send(bens, "/shows/1396/unseen")


async def test_a_day_to_come_is_refused_on_the_page(bens: AsyncClient) -> None:
    answer = await bens.post("/shows/1396/seen", data={"seen_on": "9999-01-01"})

    assert answer.status_code == 422
    assert "Enter a date that is not in the future." in words_of(answer)


async def test_whoever_has_rated_it_cannot_unsee_it(bens: AsyncClient) -> None:
    await send(bens, "/films/603/rate", rating=7)
    answer = await bens.post("/films/603/unseen")

    assert answer.status_code == 409
    assert "Remove your rating first." in words_of(answer)


async def test_an_administrator_removes_a_review_and_the_stars_stay(
    house: Cinema, ben: User, bens: AsyncClient
) -> None:
    await rate(house.asks(ben), house.titles, MATRIX, rating=7, review="Rude words.")
    adas = await house.client(await house.person("Ada", is_admin=True))
    path = f"/films/603/reviews/{review_id(house.store, MATRIX, ben.user_id)}/remove"
    assert path in (await adas.get("/films/603")).text
    assert path not in (await bens.get("/films/603")).text
    assert ben.user_id not in (await adas.get("/films/603")).text
    said = await send(adas, path)

    assert "Review removed." in said
    assert "Rude words." not in said
    assert "3.5 out of 5 stars 1 rating" in said


async def test_reviews_go_on_where_they_end(house: Cinema, bens: AsyncClient) -> None:
    for number in range(23):
        person = await house.person(f"Person{number}")
        await rate(house.asks(person), house.titles, MATRIX, rating=7, review=f"Review {number}.")
    first = await bens.get("/films/603")
    rest = first.text.partition('id="reviews-pager"')[2].partition('href="')[2].partition('"')[0]
    second = await bens.get(f"/films/603{rest}")

    assert first.text.count('class="review"') == 20
    assert second.text.count('class="review"') == 3


async def test_loading_the_answer_to_a_form_anew_leads_back(bens: AsyncClient) -> None:
    answer = await bens.get("/shows/1396/rate")

    assert (answer.status_code, answer.headers["location"]) == (303, "/shows/1396")
