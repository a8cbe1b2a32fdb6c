"""What an administrator allows of guests: who makes pages, how fast they write, and how much."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from commonroom.http.csrf import SAFE
from commonroom.http.routes import Endpoint
from commonroom.shareables.api import shareables_api
from commonroom.shareables.pages import shareables_pages
from commonroom.shareables.rules.events import MAX_DESCRIPTION
from commonroom.shareables.tables import Event
from commonroom.shareables.write_limits import (
    ACCOUNT,
    GUEST,
    PAGE,
    ShareableWriteLimits,
    limit_writes,
)
from tests.shareables.furniture import NEXT_BIRTHDAY, SHOPPING, everything_of
from tests.shareables.pages.site import Site, at
from tests.support.pages import Browser, text

PRIVATE = replace(SHOPPING, ticks_shared=False)
NEW: dict[str, Any] = {"name": "Picnic", "item_id": "", "item": "Bread", "expires_after": "7"}


@pytest.fixture(autouse=True)
def _while_time_stands_still(site: Site) -> Iterator[None]:
    """So that nobody is allowed more because a test took long."""
    site.app.state.write_limits = ShareableWriteLimits(clock=lambda: 0.0)
    yield
    del site.app.state.write_limits


def settings(site: Site, **changed: Any) -> None:
    """Sets something, as after a start."""
    site.app.state.settings = replace(site.app.state.settings, **changed)


def writing_routes() -> Iterator[tuple[str, Endpoint]]:
    """Every route of the room that does more than look."""
    for router in (shareables_api(), shareables_pages()):
        for one in router.endpoints():
            if one.method not in SAFE:
                yield f"{one.method} {one.path}", one


class TestWriting:
    def test_is_limited_on_every_route(self) -> None:
        found = dict(writing_routes())
        assert len(found) > 40
        unlimited = [name for name, one in found.items() if limit_writes not in one.router.guards]
        assert not unlimited

    async def test_is_limited_for_one_guest_and_not_for_others(
        self, site: Site, guest: Browser
    ) -> None:
        made = await site.made(PRIVATE)
        for _ in range(GUEST.burst):
            assert (await guest.send(at(made, "/ticks/clear"))).status_code == 303
        answer = await guest.send(at(made, "/ticks/clear"))
        assert answer.status_code == 429
        assert int(answer.headers["retry-after"]) >= 1
        assert "Please wait a moment" in text(answer)
        assert (await guest.get(at(made))).status_code == 200, "whoever looks is not counted"
        other = await site.browser()
        assert (await other.send(at(made, "/ticks/clear"))).status_code == 303

    async def test_is_limited_together_for_one_home_of_many_addresses(self, site: Site) -> None:
        made = await site.made(PRIVATE)
        home = [await site.browser(address=f"2001:db8:1:2::{number}") for number in range(1, 4)]
        for number in range(GUEST.burst):
            await home[number % 3].send(at(made, "/ticks/clear"))
        assert (await home[0].send(at(made, "/ticks/clear"))).status_code == 429
        neighbour = await site.browser(address="2001:db8:1:3::1")
        assert (await neighbour.send(at(made, "/ticks/clear"))).status_code == 303

    async def test_is_more_for_somebody_with_an_account(self, site: Site) -> None:
        made = await site.made(PRIVATE)
        bens = await site.browser(await site.somebody("Ben"))
        for _ in range(GUEST.burst + 10):
            assert (await bens.send(at(made, "/ticks/clear"))).status_code == 303
        assert ACCOUNT.burst > GUEST.burst

    async def test_is_limited_for_one_page_and_not_for_others(self, site: Site) -> None:
        made, other = await site.made(PRIVATE), await site.made(PRIVATE)
        left = PAGE.burst
        while left > 0:
            one = await site.browser()
            for _ in range(min(left, GUEST.burst)):
                assert (await one.send(at(made, "/ticks/clear"))).status_code == 303
            left -= GUEST.burst
        one = await site.browser()
        assert (await one.send(at(made, "/ticks/clear"))).status_code == 429
        assert (await one.send(at(other, "/ticks/clear"))).status_code == 303

    async def test_counts_for_more_where_a_large_page_is_stored_anew(
        self, site: Site, guest: Browser
    ) -> None:
        large = replace(NEXT_BIRTHDAY, description="\N{GRINNING FACE}" * MAX_DESCRIPTION)
        made = await site.made(large)
        sent = 0
        while (await guest.send(at(made, "/answer"), name="Bo", response="going")).is_redirect:
            sent += 1
            assert sent < GUEST.burst
        assert 10 < sent < GUEST.burst / 4

    async def test_never_refuses_what_is_done(self, site: Site) -> None:
        """The page is opened again to be shown, and that must not be refused any more."""
        large = replace(NEXT_BIRTHDAY, description="\N{GRINNING FACE}" * MAX_DESCRIPTION)
        ada = await site.somebody("Ada")
        made = await site.made(large, account_id=ada.user_id)
        adas, cloned = await site.browser(ada), 0
        while (answer := await adas.send(at(made, "/admin/clone"))).is_redirect:
            cloned += 1
        assert answer.status_code == 429
        assert len(await everything_of(site.store.engine, Event)) == cloned + 1


class TestWhoMakesPages:
    @pytest.mark.parametrize(
        "makers, guests, accounts",
        [("anybody", True, True), ("accounts", False, True), ("nobody", False, False)],
    )
    async def test_is_as_it_is_set_on_every_page(
        self, site: Site, guest: Browser, makers: str, guests: bool, accounts: bool
    ) -> None:
        ben = await site.somebody("Ben")
        bens = await site.browser(ben)
        made = await site.made(account_id=ben.user_id)
        settings(site, page_makers=makers)
        for browser, may in ((guest, guests), (bens, accounts)):
            home = await browser.get("/s")
            assert ("/s/new/checklist" in home.text) is may
            form = await browser.get("/s/new/poll")
            assert form.status_code == (200 if may else 403)
            sent = await browser.send("/s/new/checklist", **NEW)
            assert sent.status_code == (303 if may else 403)
        cloned = await bens.send(at(made, "/admin/clone"))
        assert cloned.status_code == (303 if accounts else 403)
        form = await bens.get(at(made, "/again"))
        assert form.status_code == (200 if accounts else 403)
        admin = await bens.get(at(made, "/admin"))
        assert ("/admin/clone" in admin.text) is accounts

    async def test_says_why_and_what_to_do(self, site: Site, guest: Browser) -> None:
        settings(site, page_makers="accounts")
        assert "You need an account to create pages here. Sign in" in text(await guest.get("/s"))
        answer = await guest.get("/s/new/checklist")
        assert "You need an account to create pages here. Please sign in." in text(answer)

    async def test_leaves_what_is_there_as_it_is(self, site: Site, guest: Browser) -> None:
        made = await site.made()
        settings(site, page_makers="nobody")
        item = made.page.items[0].checklist_item_id  # type: ignore[union-attr] # a checklist
        assert (await guest.send(at(made, "/tick"), tick=item)).status_code == 303
        assert (await guest.get(at(made))).status_code == 200


class TestLimitsThatAreSet:
    async def test_pages_from_one_address_in_a_day(self, site: Site) -> None:
        settings(site, guest_pages_per_day=2)
        home = [await site.browser(address=f"2001:db8:5:6::{n}") for n in (1, 2, 3)]
        sent = [(await one.send("/s/new/checklist", **NEW)).status_code for one in home]
        assert sent == [303, 303, 429]

    async def test_answers_on_one_page(self, site: Site, guest: Browser) -> None:
        settings(site, answers_per_page=1)
        made = await site.made(NEXT_BIRTHDAY)
        answer = {"name": "Bo", "response": "going"}
        assert (await guest.send(at(made, "/answer"), **answer)).status_code == 303
        other = await site.browser()
        refused = await other.send(at(made, "/answer"), **answer)
        assert refused.status_code == 409
        assert "limit of 1 answers" in text(refused)

    async def test_an_administrator_sees_them_and_what_is_taken_up(self, site: Site) -> None:
        await site.made()
        settings(site, guest_storage_mb=10)
        ada = await site.browser(await site.somebody("Ada", is_admin=True))
        shown = text(await ada.get("/admin/guests"))
        assert "1 page · 0.0 of 10 MB" in shown
        for name in ("PAGE_MAKERS", "GUEST_PAGES_PER_DAY", "GUEST_STORAGE_MB", "ANSWERS_PER_PAGE"):
            assert f"COMMONROOM_{name}" in shown
        assert (await (await site.browser()).get("/admin/guests")).status_code in (303, 401)

    async def test_a_form_that_finds_no_room_keeps_what_was_typed(
        self, site: Site, guest: Browser
    ) -> None:
        settings(site, guest_storage_mb=0)
        answer = await guest.send("/s/new/checklist", **NEW)
        assert answer.status_code == 507
        assert "has no storage left" in text(answer)
        assert "Picnic" in answer.text
