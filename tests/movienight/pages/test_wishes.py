"""The wish list."""

from __future__ import annotations

import pytest

from commonroom.accounts.tables import User
from commonroom.movienight.service.wishes import MAX_WISHES
from commonroom.movienight.tables import Household
from commonroom.store import delete, update
from tests.movienight.evenings import now_of
from tests.movienight.pages.site import Site, has
from tests.support.pages import Browser, said, text, value, wrong

WISHES = "/movie-night/wishes"


@pytest.fixture
async def film(site: Site) -> int:
    """A film that everybody may see."""
    return (await site.films.search("Paddington"))[0].tmdb_movie_id


async def test_it_is_for_members_of_a_household(guest: Browser, eves: Browser) -> None:
    assert (await guest.get(WISHES)).headers["location"] == f"/sign-in?next={WISHES}"
    led = await eves.get(WISHES)
    assert led.headers["location"] == "/movie-night"
    assert said(await eves.follow(led)) == "Start a household first, or ask to join one."


async def test_an_empty_one_says_what_to_do(site: Site, adas: Browser) -> None:
    assert "No films on the wish list yet Search for a title above." in text(await adas.get(WISHES))


async def test_films_are_found_and_those_on_it_are_marked(
    site: Site, adas: Browser, film: int
) -> None:
    for mark in (">Add<", ">added<"):
        answer = await adas.get(WISHES, params={"title": "paddington"})
        row = answer.text.partition(f'id="found-{film}"')[2].partition("</li>")[0]
        assert mark in row
        await adas.send(WISHES, tmdb_movie_id=film, title="paddington")


async def test_it_shows_who_wished_for_what(
    site: Site, adas: Browser, bens: Browser, ben: User, film: int
) -> None:
    answer = await bens.follow(await bens.send(WISHES, tmdb_movie_id=film))
    assert said(answer) == "Added to the wish list."
    assert has(answer, f"wish-{film}")
    assert "Ben, just now" in text(await adas.get(WISHES))
    await site.store.write(delete(await now_of(site.store, ben)))
    assert "Deleted member, just now" in text(await adas.get(WISHES))


async def test_what_cannot_be_added_is_said_beside_the_field(
    site: Site, adas: Browser, home: Household, film: int
) -> None:
    await adas.send(WISHES, tmdb_movie_id=film)
    answer = await adas.send(WISHES, tmdb_movie_id=film, title="padd")
    assert answer.status_code == 409
    assert wrong(answer, "title") == "This film is already on the wish list."
    assert value(answer, "title") == "padd"
    await site.store.write(update(home.ref, wish_count=MAX_WISHES))
    other = (await site.films.search("Moana"))[0].tmdb_movie_id
    answer = await adas.send(WISHES, tmdb_movie_id=other)
    assert "The wish list is full" in wrong(answer, "title")
    assert (await adas.send(WISHES, tmdb_movie_id=2**53)).status_code == 404


async def test_a_wish_is_removed_by_whoever_had_it_and_the_creator(
    site: Site, adas: Browser, bens: Browser, film: int
) -> None:
    for owner, remover in ((adas, adas), (bens, bens), (bens, adas)):
        await owner.send(WISHES, tmdb_movie_id=film)
        answer = await remover.follow(await remover.send(f"{WISHES}/remove", tmdb_movie_id=film))
        assert said(answer) == "Removed from the wish list."
        assert not has(answer, f"wish-{film}")
    await adas.send(WISHES, tmdb_movie_id=film)
    assert "Remove" not in text(await bens.get(WISHES))
    assert (await bens.send(f"{WISHES}/remove", tmdb_movie_id=film)).status_code == 403
