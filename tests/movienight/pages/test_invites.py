"""Links into a household, and whoever opens one."""

from __future__ import annotations

import time

import pytest
from msgspec import structs

from commonroom.accounts.tables import User
from commonroom.movienight.rules.households import MAX_INVITES
from commonroom.movienight.service import invites
from commonroom.movienight.service.members import add_managed
from commonroom.movienight.tables import Household
from tests.movienight.evenings import home_of, now_of
from tests.movienight.pages.site import Site
from tests.support.context import at
from tests.support.pages import Browser, addresses, said, text, value

INVITES = "/movie-night/household/invites"


async def made(adas: Browser) -> str:
    """The path of a link that was just made."""
    return value(await adas.send(INVITES), "link").removeprefix("http://house.example")


class TestMaking:
    async def test_an_empty_list_says_what_to_do(self, eves: Browser) -> None:
        await eves.send("/movie-night/household", name="Attic")
        page = text(await eves.get(INVITES))
        assert "No active links Create one and send it" in page
        assert "Create link" in page

    async def test_gives_a_link_with_a_code_to_show(self, adas: Browser) -> None:
        page = await adas.send(INVITES)
        assert page.status_code == 200
        assert value(page, "link").startswith("http://house.example/join/")
        assert 'class="qr"' in page.text
        assert "It is shown only once." in text(page)
        assert addresses(page, INVITES).count(INVITES) == 1, "another one is a press away"
        assert page.headers["cache-control"] == "no-store"

    async def test_shows_it_never_again(self, adas: Browser) -> None:
        token = (await made(adas)).rpartition("/")[2]
        later = await adas.get(INVITES)
        assert token not in later.text
        assert "/join/" not in later.text
        assert "Not used yet" in text(later)
        assert "Create another link" in text(later)

    async def test_says_how_many_came_in_with_a_link(self, adas: Browser, eves: Browser) -> None:
        await eves.send(await made(adas))
        assert "1 person joined with it" in text(await adas.get(INVITES))

    async def test_is_the_creators_alone(self, bens: Browser) -> None:
        page = await bens.get(INVITES)
        assert "Ada created this household and can invite others." in text(page)
        assert addresses(page, INVITES) == []
        assert (await bens.send(INVITES)).status_code == 403

    async def test_there_is_a_limit_and_it_is_said(
        self, site: Site, adas: Browser, ada: User
    ) -> None:
        for _ in range(MAX_INVITES - 1):  # one was made when Ben came
            await invites.create_invite(at(site.store, site.now(), await site.ctx(ada)))
        answer = await adas.send(INVITES)
        assert answer.status_code == 409
        assert f"This household already has {MAX_INVITES} active invitations." in text(answer)

    async def test_children_and_strangers_make_none(
        self, site: Site, eves: Browser, ben: User, zoe: User
    ) -> None:
        assert (await eves.send(INVITES)).status_code == 404
        assert (await (await site.browser(ben, zoe)).send(INVITES)).status_code == 403


class TestRevoking:
    async def test_asks_first_and_then_ends_the_link(self, adas: Browser, guest: Browser) -> None:
        link = await made(adas)
        page = await adas.get(INVITES)
        assert "Anyone who already joined with it stays." in text(page)
        revoke = addresses(page, f"{INVITES}/")[0]
        answer = await adas.send(revoke)
        shown = await adas.follow(answer)
        assert said(shown) == "Link revoked."
        assert "Ended links" in text(shown)
        assert "Revoked just now Not used · created just now" in text(shown)
        assert revoke not in addresses(shown, f"{INVITES}/")
        gone = await guest.get(link)
        assert gone.status_code == 410
        assert "Ask the person who gave you the link for a new one." in text(gone)

    async def test_nobody_else_may(
        self, adas: Browser, bens: Browser, eves: Browser, guest: Browser
    ) -> None:
        link = await made(adas)
        revoke = addresses(await adas.get(INVITES), f"{INVITES}/")[0]
        assert (await bens.send(revoke)).status_code == 403
        assert (await eves.send(revoke)).status_code == 404
        assert (await adas.send(f"{INVITES}/nothing/revoke")).status_code == 404
        assert (await guest.get(link)).status_code == 200


class TestEndedLinks:
    async def test_say_how_they_ended_for_a_day(self, site: Site, adas: Browser, ada: User) -> None:
        for days in (7.5, 8.5):
            long_ago = at(site.store, time.time() - days * 24 * 3600, await site.ctx(ada))
            await invites.create_invite(long_ago)
        page = text(await adas.get(INVITES))
        assert page.count("Expired") == 1
        assert "Expired 12 hours ago Not used · created" in page
        assert "A link is used up" not in page

    async def test_say_that_the_last_place_was_taken_with_one(
        self, site: Site, adas: Browser, eves: Browser, ada: User
    ) -> None:
        link = await made(adas)
        await _fill(site, ada, 5)
        await eves.send(link)
        page = text(await adas.get(INVITES))
        assert "A link is used up when someone takes the household’s last place with it." in page
        assert "Used up just now 1 person joined with it" in page
        assert "Active links work again when someone leaves." in page

    async def test_are_not_there_where_none_has_ended(self, adas: Browser) -> None:
        assert "Ended links" not in text(await adas.get(INVITES))


class TestThePreview:
    async def test_shows_strangers_the_name_and_the_size_and_nothing_else(
        self, adas: Browser, guest: Browser, home: Household, zoe: User
    ) -> None:
        page = await guest.get(await made(adas))
        assert "Join Home A household of 3 picks its films together here." in text(page)
        assert not any(name in page.text for name in ("Ada", "Ben", "Zoe", home.group_id))

    async def test_leads_a_guest_in_and_back(self, adas: Browser, guest: Browser) -> None:
        link = await made(adas)
        page, token = await guest.get(link), link.rpartition("/")[2]
        assert f'href="/sign-in?next={link}"' in page.text
        assert f'href="/sign-up?invitation={token}&amp;next={link}"' in page.text

    async def test_offers_no_account_where_none_can_be_made(
        self, site: Site, adas: Browser, guest: Browser
    ) -> None:
        link = await made(adas)
        settings = site.app.state.settings
        site.app.state.settings = structs.replace(settings, sign_up="closed")
        page = await guest.get(link)
        assert "/sign-up" not in page.text
        assert "Sign-up is closed" in text(page)

    @pytest.mark.parametrize("token", ["nothing", "x" * 3000, "%00", "é"])
    async def test_an_unknown_link_is_not_there(
        self, guest: Browser, eves: Browser, token: str
    ) -> None:
        for browser in (guest, eves):
            answer = await browser.get(f"/join/{token}")
            assert answer.status_code == 404
        assert (await eves.send(f"/join/{token}")).status_code == 404

    async def test_a_link_of_last_week_is_over(self, site: Site, guest: Browser, ada: User) -> None:
        ctx = await site.ctx(ada)
        old = await invites.create_invite(at(site.store, time.time() - 7.5 * 24 * 3600, ctx))
        assert (await guest.get(f"/join/{old.token}")).status_code == 410

    async def test_a_full_household_takes_nobody(
        self, site: Site, adas: Browser, guest: Browser, eves: Browser, ada: User
    ) -> None:
        link = await made(adas)
        await _fill(site, ada)
        for browser in (guest, eves):
            page = await browser.get(link)
            assert "This household is full at the moment." in text(page)
            assert addresses(page, "/join") == []
            assert "/sign-up" not in page.text
        refused = await eves.send(link)
        assert refused.status_code == 409
        assert "This household is full (8 members)." in text(refused)


class TestJoining:
    async def test_brings_somebody_in(
        self, site: Site, adas: Browser, eves: Browser, eve: User, home: Household
    ) -> None:
        link = await made(adas)
        assert addresses(await eves.get(link), "/join") == [link]
        answer = await eves.send(link)
        shown = await eves.follow(answer)
        assert said(shown) == "Welcome! Now set your tastes."
        assert "Eve you" in text(shown)
        assert (await now_of(site.store, eve)).household_id == home.group_id

    async def test_a_guest_cannot(self, adas: Browser, guest: Browser) -> None:
        assert (await guest.send(await made(adas))).status_code == 401

    async def test_who_is_in_it_already_is_told_so(self, adas: Browser, bens: Browser) -> None:
        link = await made(adas)
        page = await bens.get(link)
        assert "You are already in Home" in text(page)
        assert addresses(page, "/join") == []

    async def test_who_is_in_another_one_is_told_what_to_do(
        self, site: Site, adas: Browser, eves: Browser, eve: User
    ) -> None:
        await home_of(site.store, site.clock, eve)
        link = await made(adas)
        page = await eves.get(link)
        assert "You can only be in one household." in text(page)
        assert addresses(page, "/join") == []
        refused = await eves.send(link)
        assert refused.status_code == 409
        assert "You can only be in one household." in text(refused)

    async def test_who_acts_for_a_child_is_told_to_be_themselves(
        self, site: Site, adas: Browser, eve: User
    ) -> None:
        await home_of(site.store, site.clock, eve)
        ctx = await site.ctx(eve)
        kim = await add_managed(at(site.store, site.now(), ctx), display_name="Kim")
        link = await made(adas)
        browser = await site.browser(eve, kim)
        assert "Using Commonroom as Kim" in text(await browser.get(link))
        assert (await browser.send(link)).status_code == 403


async def _fill(site: Site, ada: User, places: int = 6) -> None:
    for number in range(places):
        ctx = await site.ctx(ada)
        await add_managed(at(site.store, site.now(), ctx), display_name=f"Child {number}")
