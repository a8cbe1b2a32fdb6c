"""Lists as files in a browser: for whoever may read them, and they come back."""

from __future__ import annotations

import pytest

from commonroom.accounts.tables import User
from commonroom.http.call_limits import CallLimit
from commonroom.rate_limits import Rate
from commonroom.store import Store
from commonroom.watchlists.service.collaborators import create_link
from commonroom.watchlists.service.items import change_note
from commonroom.watchlists.service.lists import delete_list
from commonroom.watchlists.tables import Watchlist
from tests.accounts.people import Watch
from tests.support.pages import Browser, requests_for, text
from tests.watchlists.examples import ALIEN, HEAT, MATRIX, asks, list_of
from tests.watchlists.import_files import imported, lists_now
from tests.watchlists.pages.site import page_of


@pytest.mark.parametrize("kind", ["csv", "json"])
class TestAFile:
    async def test_is_for_whoever_may_read_the_list(
        self, guest: Browser, adas: Browser, bens: Browser, private: Watchlist, kind: str
    ) -> None:
        path = page_of(private, f"/export.{kind}")
        assert (await guest.get(path)).status_code == 404
        assert (await bens.get(path)).status_code == 404
        assert "The Matrix" in (await adas.get(path)).text

    async def test_opens_with_the_link_of_a_private_list(
        self,
        guest: Browser,
        store: Store,
        clock: Watch,
        ada: User,
        *,
        private: Watchlist,
        kind: str,
    ) -> None:
        key = await create_link(asks(store, clock, ada), private.watchlist_id, "view")
        page = await guest.get(page_of(private, f"?key={key}"))
        path = page_of(private, f"/export.{kind}?key={key}")
        assert f'href="{path}"' in page.text
        assert "The Matrix" in (await guest.get(path)).text

    async def test_is_called_like_the_list(
        self, guest: Browser, store: Store, clock: Watch, ada: User, kind: str
    ) -> None:
        made = await list_of(store, clock, ada, MATRIX, title="Été / “hiver”")
        answer = await guest.get(page_of(made, f"/export.{kind}"))
        named = answer.headers["content-disposition"]
        assert named.startswith(f'attachment; filename="-t-hiver-.{kind}"')
        assert named.endswith(f"%C3%89t%C3%A9%20%2F%20%E2%80%9Chiver%E2%80%9D.{kind}")
        assert answer.headers["cache-control"] == "no-store"

    async def test_comes_back_as_it_was(
        self,
        guest: Browser,
        store: Store,
        clock: Watch,
        ada: User,
        ben: User,
        *,
        public: Watchlist,
        kind: str,
    ) -> None:
        await change_note(asks(store, clock, ada), public.watchlist_id, ALIEN, "=1+1, «so»\nthere")
        file = (await guest.get(page_of(public, f"/export.{kind}"))).content
        before = await lists_now(store)
        await delete_list(asks(store, clock, ada), public.watchlist_id)
        await imported(store, clock, ben, file, f"list.{kind}")
        assert await lists_now(store) == before

    async def test_is_not_taken_too_often(
        self, guest: Browser, public: Watchlist, monkeypatch: pytest.MonkeyPatch, kind: str
    ) -> None:
        once = CallLimit("watchlist-exports", Rate(1, 1), Rate(1, 1))
        monkeypatch.setattr("commonroom.watchlists.request.EXPORTS", once)
        path = page_of(public, f"/export.{kind}")
        assert (await guest.get(path)).status_code == 200
        refused = await guest.get(path)
        assert refused.status_code == 429
        assert int(refused.headers["retry-after"]) > 30

    async def test_takes_two_requests(self, guest: Browser, public: Watchlist, kind: str) -> None:
        assert await requests_for(guest, page_of(public, f"/export.{kind}")) == 2


async def test_everything_is_one_file(
    adas: Browser, guest: Browser, store: Store, clock: Watch, ada: User, *, public: Watchlist
) -> None:
    await list_of(store, clock, ada, HEAT, title="Another", is_public=False)
    page = await adas.get("/watchlists/import")
    assert 'href="/watchlists/export.json"' in page.text
    told = (await adas.get("/watchlists/export.json")).json()
    assert {one["title"] for one in told["lists"]} == {"Space and time", "Another"}
    assert "sign-in" in (await guest.get("/watchlists/export.json")).headers["location"]


async def test_a_stranger_takes_a_public_list_along(guest: Browser, public: Watchlist) -> None:
    page = await guest.get(page_of(public))
    assert f'href="{page_of(public, "/export.csv")}"' in page.text
    assert "Share or copy" in text(page)
