"""The private edit link: shown once to whoever made the page, who comes back in with it."""

from __future__ import annotations

import time

from commonroom.shareables.rules.short_ids import format_short_id, recovery_address
from commonroom.shareables.service.create import Created
from commonroom.shareables.service.gate import ShareableVisitor, open_page
from commonroom.shareables.service.passcodes import renew_creator_pass
from commonroom.shareables.tables import Checklist, Event
from tests.shareables.furniture import ADMIN, SUMMER, YEAR
from tests.shareables.pages.filling import filled, new_form, stored
from tests.shareables.pages.site import DAY, HOST, Site, at
from tests.support.pages import Browser, said, text, value


class TestReady:
    async def test_shows_the_link_the_id_and_the_way_back_once(
        self, site: Site, guest: Browser
    ) -> None:
        made = await filled(await new_form(guest, "event"), "event").send(guest)
        page: Event = await stored(site, made, guest)
        answer = await guest.follow(made)
        assert answer.headers["cache-control"] == "no-store"
        assert format_short_id(page.short_id) in text(answer)
        assert value(answer, "share").endswith(f"/s/{format_short_id(page.short_id)}")
        link = value(answer, "recovery")
        assert f"/s/{format_short_id(page.short_id)}/recover/" in link
        assert (await guest.follow(made)).status_code == 200  # a phone may load it anew

        address = made.headers["location"]
        guest.client.cookies.delete("ready", path=address, domain="house.example")
        later = await guest.get(address)
        assert (later.status_code, later.headers["location"]) == (
            303,
            f"/s/{format_short_id(page.short_id)}",
        )

        token = link.rpartition("/")[2]
        elsewhere = ShareableVisitor(site.store, site.passes, time.time(), tokens=(token,))
        gate = await open_page(elsewhere, page.short_id, want="admin")
        assert gate.standing == "creator"

    async def test_is_for_whoever_made_it(self, site: Site, guest: Browser) -> None:
        made = await filled(await new_form(guest, "poll"), "poll").send(guest)
        stranger = await site.browser()
        answer = await stranger.get(made.headers["location"], headers={"cookie": "ready=made"})
        assert answer.status_code == 403
        assert "recover" not in answer.text

    async def test_is_not_for_whoever_came_in_with_the_passcode(
        self, site: Site, guest: Browser
    ) -> None:
        made = await site.made(protected=True)
        await guest.send(at(made, "/passcode"), passcode=ADMIN)
        guest.client.cookies.set("ready", "made", domain=HOST, path=at(made))
        assert (await guest.get(at(made, "/admin"))).status_code == 200
        answer = await guest.get(at(made, "/ready"))
        assert (answer.status_code, answer.headers["location"]) == (303, at(made))

    async def test_the_pass_goes_to_no_other_page(self, guest: Browser) -> None:
        made = await filled(await new_form(guest, "poll"), "poll").send(guest)
        page = made.headers["location"].removesuffix("/ready")
        kept = [one for one in made.headers.get_list("set-cookie") if "pass-creator" in one]
        assert len(kept) == 1
        assert f"Path={page};" in kept[0]
        assert "HttpOnly" in kept[0]
        assert "SameSite=lax" in kept[0]

    async def test_tells_account_holders_that_it_is_in_their_list(self, site: Site) -> None:
        browser = await site.browser(await site.somebody())
        made = await filled(await new_form(browser, "poll"), "poll").send(browser)
        assert "The page is in your list." in text(await browser.follow(made))

    async def test_says_when_the_page_ends_before_what_it_is_for(self, guest: Browser) -> None:
        form = filled(await new_form(guest, "poll"), "poll").type(
            "closes_at", f"{YEAR}-07-01T20:00"
        )
        made = await form.type("time_zone", "UTC").send(guest)
        assert f"1 July {YEAR}" in text(await guest.follow(made))
        for kind in ("event", "poll"):
            made = await filled(await new_form(guest, kind), kind).send(guest)
            assert "Extend it in its settings" not in text(await guest.follow(made))

    async def test_the_way_back_in_is_shown_at_one_address_alone(self, guest: Browser) -> None:
        made = await filled(await new_form(guest, "poll"), "poll").send(guest)
        kept = [one for one in made.headers.get_list("set-cookie") if one.startswith("ready=")]
        assert len(kept) == 1
        assert f"Path={made.headers['location']};" in kept[0]
        assert "HttpOnly" in kept[0]


class TestTheRecoveryLink:
    async def test_shows_a_button_and_does_nothing_before_it_is_pressed(
        self, site: Site, guest: Browser, shut: Created
    ) -> None:
        link = recovery_address(shut.page.short_id, shut.token)
        answer = await guest.get(link)
        assert answer.status_code == 200
        assert answer.headers["cache-control"] == "no-store"
        assert "set-cookie" not in answer.headers
        assert "Shopping" not in answer.text
        assert (await guest.get(at(shut))).status_code == 403

        back = await guest.follow(await guest.send(link))
        assert said(back).startswith("Welcome back!")
        assert f'href="{at(shut)}/admin"' in back.text

    async def test_works_for_a_page_whose_time_is_over(self, site: Site, guest: Browser) -> None:
        made = await site.made(ago=8 * DAY)
        link = recovery_address(made.page.short_id, made.token)
        assert (await guest.follow(await guest.send(link))).status_code == 200

    async def test_says_when_it_works_no_more_and_nothing_else(
        self, site: Site, guest: Browser, shut: Created
    ) -> None:
        gate = await site.opened(shut, Checklist)
        await renew_creator_pass(gate)
        open_ = await site.made(SUMMER)
        for made, token in ((shut, shut.token), (open_, "not-whole"), (open_, shut.token)):
            answer = await guest.send(recovery_address(made.page.short_id, token))
            assert answer.status_code == 403
            assert "no longer works" in text(answer)
            assert made.page.name not in answer.text
            assert "set-cookie" not in answer.headers

    async def test_of_no_page_is_not_there(self, guest: Browser) -> None:
        assert (await guest.get("/s/nonsense/recover/x")).status_code == 404
        assert (await guest.send("/s/AAA-AAA-00000/recover/x")).status_code == 404
