"""Link previews of public lists and of curators: drawn once, kept, and not for whoever likes."""

from __future__ import annotations

import asyncio
import re
from io import BytesIO

import pytest
from PIL import Image

from commonroom.accounts.tables import User
from commonroom.http.call_limits import CallLimit
from commonroom.rate_limits import Rate
from commonroom.store import Store
from commonroom.titles.preview_pictures.rows_of_posters import PosterRow
from commonroom.watchlists.tables import Watchlist
from tests.accounts.people import Watch
from tests.support.pages import Browser, requests_for
from tests.watchlists.examples import HEAT, add_item, asks, tidied
from tests.watchlists.pages.site import page_of


def picture_of(made: Watchlist) -> str:
    """The address of a list's picture."""
    return page_of(made, "/preview.png")


@pytest.fixture
async def described(store: Store, clock: Watch, public: Watchlist) -> Watchlist:
    """Ada's list once its posters are kept with it."""
    await tidied(store, clock)
    return public


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The titles of what was drawn."""
    titles: list[str] = []
    draw = PosterRow.draw

    def noted(picture: PosterRow) -> bytes:
        titles.append(picture.title)
        return draw(picture)

    monkeypatch.setattr(PosterRow, "draw", noted)
    return titles


async def test_a_list_and_its_curator_have_a_picture(guest: Browser, described: Watchlist) -> None:
    curator = f"/curators/{described.curator_name}"
    for page in (page_of(described), curator):
        shown = (await guest.get(page)).text
        found = dict(re.findall(r'<meta property="(og:[\w:]+)" content="([^"]*)">', shown))
        assert found["og:url"] == f"http://house.example{page}"
        assert found["og:image"] == f"http://house.example{page}/preview.png"
        answer = await guest.get(f"{page}/preview.png")
        assert answer.headers["content-type"] == "image/png"
        assert Image.open(BytesIO(answer.content)).size == (1200, 630)
        assert len(answer.content) < 200_000


async def test_private_lists_have_none(guest: Browser, adas: Browser, private: Watchlist) -> None:
    for browser in (guest, adas):
        assert (await browser.get(picture_of(private))).status_code == 404
    assert "og:" not in (await adas.get(page_of(private))).text


async def test_one_is_drawn_once_whoever_asks_and_anew_when_the_list_changed(
    guest: Browser,
    adas: Browser,
    store: Store,
    clock: Watch,
    ada: User,
    *,
    described: Watchlist,
    drawn: list[str],
) -> None:
    first, second = await asyncio.gather(
        guest.get(picture_of(described)), adas.get(picture_of(described))
    )
    assert first.content == second.content
    assert len(drawn) == 1
    asked = {"If-None-Match": first.headers["etag"]}
    assert (await guest.get(picture_of(described), headers=asked)).status_code == 304
    await add_item(asks(store, clock, ada), described.watchlist_id, "MOVIE", HEAT.content_id)
    await tidied(store, clock)
    assert (await guest.get(picture_of(described), headers=asked)).status_code == 200
    assert len(drawn) == 2


async def test_nobody_has_too_many_drawn(
    guest: Browser,
    store: Store,
    clock: Watch,
    ada: User,
    *,
    described: Watchlist,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    once = CallLimit("preview-pictures", Rate(1, 1), Rate(1, 1))
    monkeypatch.setattr("commonroom.titles.preview_pictures.serving.DRAWN", once)
    path = picture_of(described)
    assert [(await guest.get(path)).status_code for _ in range(3)] == [200, 200, 200]
    await add_item(asks(store, clock, ada), described.watchlist_id, "MOVIE", HEAT.content_id)
    await tidied(store, clock)
    assert (await guest.get(path)).status_code == 429, "this one would have to be drawn"


async def test_no_more_wait_than_can_be_drawn_soon(
    guest: Browser, described: Watchlist, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("commonroom.titles.preview_pictures.serving.MAX_WAITING", 0)
    assert (await guest.get(picture_of(described))).status_code == 503


async def test_costs_one_request(guest: Browser, described: Watchlist) -> None:
    assert await requests_for(guest, picture_of(described)) == 1


@pytest.mark.parametrize("title", ["W" * 100, "", "電影 <b>&amp;", "a\u202eb"])
def test_any_title_can_be_drawn(title: str) -> None:
    content = PosterRow(title, title).draw()
    assert Image.open(BytesIO(content)).size == (1200, 630)
