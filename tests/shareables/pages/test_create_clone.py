"""Making a page like another: what was on it comes along, and what is over needs a new date."""

from __future__ import annotations

import time
from typing import Any

import pytest
from msgspec.structs import replace

from commonroom.shareables.service.listing import pages_of
from commonroom.shareables.tables import shareable
from tests.shareables.furniture import NEXT_BIRTHDAY, SUMMER, YEAR
from tests.shareables.pages.filling import Form, hold
from tests.shareables.pages.site import DAY, Site, at
from tests.support.pages import Browser, addresses, text, wrong


async def shareable_at(site: Site, address: str) -> Any:
    """The page at an address, as it is stored."""
    return await site.store.get(shareable(short_id=address.removeprefix("/s/").lower()))


class TestOnceMore:
    @pytest.mark.parametrize("ago", [0, 8 * DAY], ids=["open", "over"])
    async def test_a_page_is_made_like_this_one(
        self, site: Site, guest: Browser, ago: float
    ) -> None:
        made = await site.made(SUMMER, ago=ago)
        hold(guest, made)
        answer = await guest.send(at(made, "/admin/clone"))
        new = answer.headers["location"].removesuffix("/ready")
        assert new != at(made)
        shown = await guest.follow(answer)
        assert "Your new page is ready" in text(shown)
        assert f'href="{new}/edit"' in shown.text
        assert (await guest.get(f"{new}/edit")).status_code == 200
        assert (await (await site.browser()).get(new)).status_code == 200

    async def test_a_page_whose_time_is_over_offers_that_and_little_else(
        self, site: Site, guest: Browser
    ) -> None:
        made = await site.made(SUMMER, ago=8 * DAY)
        answer = await hold(guest, made).get(at(made, "/admin"))
        assert answer.status_code == 200
        assert "This page expired" in text(answer)
        assert addresses(answer, at(made)) == [at(made, "/admin/clone"), at(made, "/admin/delete")]
        assert (await guest.send(at(made, "/admin/extend"), days="30")).status_code == 410

    async def test_an_account_finds_the_new_one_in_its_list(self, site: Site) -> None:
        kim = await site.somebody()
        made = await site.made(account_id=kim.user_id)
        browser = await site.browser(kim)
        await browser.send(at(made, "/admin/clone"))
        assert len((await pages_of(site.store, time.time(), kim.user_id)).items) == 2


class TestAgain:
    async def test_an_event_that_is_over_asks_for_its_new_date(
        self, site: Site, guest: Browser
    ) -> None:
        past = replace(NEXT_BIRTHDAY, start_time="2001-01-01T18:00:00Z", time_zone="Europe/Paris")
        made = await site.made(past, protected=True, confirm_past=True)
        answer = await hold(guest, made).send(at(made, "/admin/clone"))
        assert answer.headers["location"] == at(made, "/again")
        form = Form(await guest.follow(answer), at(made, "/again"))
        assert form.values("name") == ["Birthday"]
        assert form.values("start_time") == [""]
        empty = await form.send(guest)
        assert "Choose when it starts." in wrong(empty, "start_time")
        made_anew = await form.type("start_time", f"{YEAR}-07-01T18:00").send(guest)
        address = made_anew.headers["location"].removesuffix("/ready")
        assert address != at(made)
        clone = await shareable_at(site, address)
        assert clone.start_time == f"{YEAR}-07-01T16:00:00.000Z"
        assert clone.view_passcode == made.page.view_passcode, "what was protected stays so"

    async def test_a_poll_that_closed_asks_when_it_closes_next(
        self, site: Site, guest: Browser
    ) -> None:
        past = replace(SUMMER, closes_at="2001-01-01T18:00:00Z")
        made = await site.made(past, confirm_past=True)
        answer = await hold(guest, made).send(at(made, "/admin/clone"))
        form = Form(await guest.follow(answer), at(made, "/again"))
        assert form.values("closes_at") == [""]
        clone = await form.send(guest)
        address = clone.headers["location"].removesuffix("/ready")
        page = await shareable_at(site, address)
        assert page.closes_at is None
        assert page.questions == made.page.questions  # type: ignore[union-attr]
