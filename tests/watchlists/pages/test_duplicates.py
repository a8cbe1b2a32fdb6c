"""Merging duplicates in a browser and by programs: said before it is done, for administrators."""

from __future__ import annotations

import pytest

from commonroom.accounts.tables import User
from commonroom.store import Store
from commonroom.titles.stored_titles import id_of, load_title, store_title
from commonroom.titles.titles import TitleFacts, TitleId
from commonroom.watchlists.service.ratings import rate
from tests.accounts.people import Watch
from tests.support.pages import Browser, text
from tests.watchlists.examples import MATRIX, TITLES, asks, tidied
from tests.watchlists.pages.site import Site


@pytest.fixture
async def roots(room: Site, root: User) -> Browser:
    """The browser of an administrator."""
    return await room.browser(root)


@pytest.fixture
async def copy(store: Store, clock: Watch, ben: User) -> TitleId:
    """A duplicate of the Matrix that Ben has rated."""
    made = TitleFacts(content_type="MOVIE", content_id="again", title="Matrix again", year=1999)
    title = id_of(await store_title(store, made, clock()))
    await rate(asks(store, clock, ben), TITLES, title, rating=8)
    return title


async def test_it_is_said_first_and_then_done(
    roots: Browser, store: Store, clock: Watch, copy: TitleId
) -> None:
    shown = text(await roots.get("/admin/duplicates?goes=films/again&stays=films/603"))
    assert "1 person’s rating or review" in shown
    assert "its places on 0 lists" in shown
    answer = await roots.send("/admin/duplicates", goes="films/again", stays="films/603")
    assert answer.headers["location"] == MATRIX.address
    clock.forward(7200)  # pages live now
    await tidied(store, clock)
    kept = await load_title(store, copy)
    assert kept is not None
    assert (id_of(kept), kept.rating_count) == (MATRIX, 1)


async def test_what_cannot_be_merged_says_why(roots: Browser, copy: TitleId) -> None:
    wrong_way = "/admin/duplicates?goes=films/603&stays=films/again"
    assert "Merge the other one into it." in text(await roots.get(wrong_way))
    for nothing in ("goes=films/none&stays=films/603", "goes=x&stays=y", "goes=films/again"):
        assert (await roots.get(f"/admin/duplicates?{nothing}")).status_code == 200
    refused = await roots.send("/admin/duplicates", goes="films/603", stays="films/again")
    assert refused.status_code == 409


async def test_titles_are_found_and_chosen(roots: Browser, copy: TitleId) -> None:
    page = (await roots.get("/admin/duplicates?q=matrix&goes=films/again")).text
    assert "stays=films%2F603" in page
    assert "goes=films%2F603" not in page, "what a source knows stays"
