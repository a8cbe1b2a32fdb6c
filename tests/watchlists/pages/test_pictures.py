"""Pictures that curators choose for themselves and their lists, shown by this server alone."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from httpx import Response

from commonroom.accounts.tables import User
from commonroom.store import Store, update
from commonroom.titles.tables import Movie
from commonroom.watchlists.service.lists import ListChange, change_list
from commonroom.watchlists.service.profiles import change_profile
from commonroom.watchlists.tables import Watchlist
from tests.accounts.people import Watch
from tests.support.pages import Browser, wrong
from tests.watchlists.examples import ALIEN, MATRIX, asks, list_of, now_of, tidied
from tests.watchlists.pages.site import Site, page_of

PICTURE = "https://pictures.example/rain.jpg"


def pictures_in(page: Response) -> list[str]:
    """Whatever a page loads as a picture."""
    found: list[str] = re.findall(r'<img[^>]* src="([^"]*)"', page.text)
    return [one for one in found if not one.startswith("/static/")]


@pytest.fixture
async def pictured(store: Store, clock: Watch, ada: User, public: Watchlist) -> Watchlist:
    """A list with a picture, by a curator with one."""
    ctx = asks(store, clock, ada)
    await change_list(ctx, public.watchlist_id, ListChange(cover_image_url=PICTURE))
    await change_profile(ctx, avatar_url="https://pictures.example/ada.jpg")
    await tidied(store, clock)
    return await now_of(store, public)


@pytest.mark.parametrize("where", ["{}", "/watchlists", "/curators/ada"])
async def test_they_are_shown_by_this_server_to_everybody(
    guest: Browser, pictured: Watchlist, where: str
) -> None:
    page = await guest.get(where.format(page_of(pictured)))
    shown = pictures_in(page)
    assert shown
    assert all(one.startswith("/pictures/") for one in shown)
    assert "pictures.example" not in page.text


async def test_without_one_everything_is_drawn(
    guest: Browser, store: Store, clock: Watch, public: Watchlist
) -> None:
    await tidied(store, clock)
    for where in (page_of(public), "/watchlists", "/curators/ada"):
        assert pictures_in(await guest.get(where)) == []


@pytest.fixture
async def drawing(store: Store, tmp_path: Path) -> AsyncIterator[Site]:
    """An installation whose operator lets nothing be fetched."""
    async with AsyncExitStack() as stack:
        yield Site(store, tmp_path, stack, covers=False)


async def test_where_nothing_is_fetched_everything_is_drawn(
    pictured: Watchlist, drawing: Site
) -> None:
    guest = await drawing.browser()
    for where in (page_of(pictured), "/watchlists", "/curators/ada"):
        assert pictures_in(await guest.get(where)) == []


async def test_the_owner_enters_an_address_and_takes_it_out(
    adas: Browser, public: Watchlist, store: Store
) -> None:
    edit, typed = page_of(public, "/edit"), {"title": "Space", "visibility": "public"}
    page = await adas.send(edit, **typed, cover_image_url="http://pictures.example/a.jpg")
    assert wrong(page, "cover_image_url") == "Enter an address that starts with https://."
    await adas.send(edit, **typed, cover_image_url=PICTURE)
    assert (await now_of(store, public)).cover_image_url == PICTURE
    assert f'value="{PICTURE}"' in (await adas.get(edit)).text
    await adas.send(edit, **typed, cover_image_url="")
    assert (await now_of(store, public)).cover_image_url is None


async def test_a_curator_enters_the_address_of_a_portrait(
    adas: Browser, guest: Browser, public: Watchlist
) -> None:
    profile = "/watchlists/profile"
    page = await adas.send(profile, username="ada", bio="", avatar_url="ftp://a.example/a.png")
    assert wrong(page, "avatar_url") == "Enter an address that starts with https://."
    await adas.send(profile, username="ada", bio="", avatar_url=PICTURE)
    assert f'value="{PICTURE}"' in (await adas.get(profile)).text
    assert len(pictures_in(await guest.get("/curators/ada"))) == 1


async def test_a_poster_that_an_administrator_entered_is_on_lists(
    guest: Browser, store: Store, clock: Watch, ada: User
) -> None:
    await list_of(store, clock, ada, MATRIX)
    await store.write(update(Movie.at(movie_id=ALIEN.content_id), poster_url=PICTURE))
    made = await list_of(store, clock, ada, MATRIX, ALIEN, title="Posters")
    (shown,) = pictures_in(await guest.get(page_of(made)))
    assert shown.startswith("/pictures/small/")
