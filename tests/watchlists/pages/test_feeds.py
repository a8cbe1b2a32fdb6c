"""Atom feeds of public lists and of curators: for everybody, quick, and asked for again."""

from __future__ import annotations

import pytest

from commonroom.accounts.tables import User
from commonroom.http.call_limits import CallLimit
from commonroom.rate_limits import Rate
from commonroom.store import Store
from commonroom.watchlists.service import curators
from commonroom.watchlists.service.collaborators import create_link
from commonroom.watchlists.service.items import change_note
from commonroom.watchlists.tables import Watchlist
from tests.accounts.people import Watch
from tests.support.atom import ATOM, check_feed
from tests.support.pages import Browser, requests_for
from tests.watchlists.examples import ALIEN, HEAT, MATRIX, add_item, asks, list_of, somebody, tidied
from tests.watchlists.pages.site import page_of


def feed_of(made: Watchlist) -> str:
    """The address of a list's feed."""
    return page_of(made, "/feed.atom")


@pytest.fixture
async def curators_feed(store: Store, clock: Watch, public: Watchlist) -> str:
    """The address of Ada's feed, once her list is found under her name."""
    await tidied(store, clock)
    return f"/curators/{public.curator_name}/feed.atom"


class TestOfAList:
    async def test_tells_what_was_added_last_first(
        self, guest: Browser, store: Store, clock: Watch, ada: User, public: Watchlist
    ) -> None:
        clock.now += 60
        await add_item(asks(store, clock, ada), public.watchlist_id, "MOVIE", HEAT.content_id)
        await change_note(asks(store, clock, ada), public.watchlist_id, HEAT, "Los Angeles <3")
        answer = await guest.get(feed_of(public))
        assert answer.headers["content-type"] == "application/atom+xml; charset=utf-8"
        root = check_feed(answer.content)
        assert root.findtext(f"{ATOM}title") == "Space and time"
        first = root.findall(f"{ATOM}entry")[0]
        assert first.findtext(f"{ATOM}title") == "Heat (1995)"
        assert first.findtext(f"{ATOM}content") == "Los Angeles <3"
        (link,) = first.findall(f"{ATOM}link")
        assert link.get("href") == "http://house.example/films/949"

    async def test_is_named_on_the_page_of_a_public_list_alone(
        self, adas: Browser, public: Watchlist, private: Watchlist
    ) -> None:
        page = (await adas.get(page_of(public))).text
        assert 'rel="alternate" type="application/atom+xml"' in page
        assert f'href="{feed_of(public)}"' in page
        assert "feed.atom" not in (await adas.get(page_of(private))).text

    async def test_is_there_for_public_lists_alone(
        self,
        guest: Browser,
        adas: Browser,
        store: Store,
        clock: Watch,
        ada: User,
        *,
        private: Watchlist,
    ) -> None:
        key = await create_link(asks(store, clock, ada), private.watchlist_id, "view")
        assert (await guest.get(feed_of(private))).status_code == 404
        assert (await guest.get(f"{feed_of(private)}?key={key}")).status_code == 404
        assert (await adas.get(feed_of(private))).status_code == 404, "it is nobody's but readers'"

    async def test_is_sent_again_only_when_it_changed(
        self, guest: Browser, store: Store, clock: Watch, ada: User, public: Watchlist
    ) -> None:
        first = await guest.get(feed_of(public))
        asked = {"If-None-Match": first.headers["etag"]}
        again = await guest.get(feed_of(public), headers=asked)
        assert (again.status_code, again.content) == (304, b"")
        await add_item(asks(store, clock, ada), public.watchlist_id, "MOVIE", HEAT.content_id)
        assert (await guest.get(feed_of(public), headers=asked)).status_code == 200

    async def test_costs_one_request(self, guest: Browser, public: Watchlist) -> None:
        assert await requests_for(guest, feed_of(public)) == 1

    async def test_is_not_asked_for_too_often(
        self, guest: Browser, public: Watchlist, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        once = CallLimit("watchlist-feeds", Rate(1, 1), Rate(1, 1))
        monkeypatch.setattr("commonroom.watchlists.pages.feeds.FEEDS", once)
        assert (await guest.get(feed_of(public))).status_code == 200
        assert (await guest.get(feed_of(public))).status_code == 429


class TestOfACurator:
    async def test_tells_of_public_lists_alone(
        self, guest: Browser, store: Store, clock: Watch, ada: User, *, curators_feed: str
    ) -> None:
        clock.now += 60
        await list_of(store, clock, ada, ALIEN, title="Later")
        await list_of(store, clock, ada, MATRIX, title="Secret", is_public=False)
        await tidied(store, clock)
        root = check_feed((await guest.get(curators_feed)).content)
        titles = [one.findtext(f"{ATOM}title") for one in root.findall(f"{ATOM}entry")]
        assert titles == ["Later", "Space and time"]

    async def test_is_named_on_their_page(self, guest: Browser, curators_feed: str) -> None:
        page = (await guest.get(curators_feed.removesuffix("/feed.atom"))).text
        assert f'type="application/atom+xml" title="ada" href="{curators_feed}"' in page.lower()

    async def test_ends_with_a_suspension(
        self, guest: Browser, store: Store, clock: Watch, ada: User, *, curators_feed: str
    ) -> None:
        admin = await somebody(store, clock, "Root", is_admin=True)
        await curators.decide(asks(store, clock, admin), ada.user_id, "suspend", "Because.")
        await tidied(store, clock)
        assert (await guest.get(curators_feed)).status_code == 404

    async def test_costs_four_requests(self, guest: Browser, curators_feed: str) -> None:
        assert await requests_for(guest, curators_feed) == 4
