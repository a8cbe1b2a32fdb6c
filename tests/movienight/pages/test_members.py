"""Who is in the household, and who may change that."""

from __future__ import annotations

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.rules import MAX_MANAGED
from commonroom.accounts.service import profiles
from commonroom.accounts.tables import User
from commonroom.movienight.service.members import list_members
from commonroom.movienight.tables import Household
from tests.movienight.evenings import now_of
from tests.movienight.pages.site import Site
from tests.support.pages import Browser, addresses, said, tag, text, value, wrong

HERE = "/movie-night/household"
ALL = f"{HERE}/members"
BRING = f"{HERE}/bring-along"
MIA = {"display_name": "Mia", "avatar_key": "cat", "ceiling": "G"}


async def names(site: Site, home: Household) -> list[str]:
    members = await list_members(site.store, home.group_id)
    return [one.user.display_name for one in members if one.user is not None]


class TestTheList:
    async def test_shows_everybody(self, adas: Browser, zoe: User) -> None:
        shown = text(await adas.get(HERE))
        assert "3 of up to 8." in shown
        assert "Ada you creator Films up to PG" in shown
        assert "Zoe Managed by Ben · Films up to PG" in shown

    async def test_a_guest_signs_in_first(self, guest: Browser) -> None:
        assert (await guest.get(HERE)).headers["location"].startswith("/sign-in")

    async def test_a_child_sees_it_and_changes_nothing(
        self, site: Site, ben: User, zoe: User
    ) -> None:
        answer = await (await site.browser(ben, zoe)).get(HERE)
        assert "Zoe you" in text(answer)
        assert addresses(answer, HERE) == []
        assert "Settings" not in text(answer)


class TestAddingAChild:
    async def test_puts_it_into_the_household(
        self, site: Site, bens: Browser, home: Household
    ) -> None:
        answer = await bens.send(ALL, **MIA)
        assert said(await bens.follow(answer)) == "Member added."
        assert await names(site, home) == ["Ada", "Ben", "Mia"]

    @pytest.mark.parametrize(
        "changed,field",
        [({"display_name": "x" * 31}, "display_name"), ({"avatar_key": "?"}, "avatar_key")],
    )
    async def test_what_does_not_fit_is_shown_again(
        self,
        site: Site,
        bens: Browser,
        home: Household,
        changed: dict[str, str],
        field: str,
    ) -> None:
        answer = await bens.send(ALL, **MIA | changed)
        assert answer.status_code == 422
        assert tag(answer, f"{field}-wrong")
        assert '<details class="unfold" open>' in answer.text
        assert 'value="G" checked' in answer.text
        assert await names(site, home) == ["Ada", "Ben"]

    async def test_a_full_household_says_so(
        self, site: Site, adas: Browser, bens: Browser, home: Household
    ) -> None:
        for number in range(6):
            await adas.send(ALL, **MIA | {"display_name": f"Mia {number}"})
        page = await bens.get(HERE)
        assert "The household is full." in text(page)
        assert addresses(page, ALL) == []
        answer = await bens.send(ALL, **MIA)
        assert answer.status_code == 409
        assert "This household is full" in text(answer)
        assert len(await names(site, home)) == 8

    async def test_who_manages_many_adds_no_more(
        self, site: Site, adas: Browser, ada: User
    ) -> None:
        for number in range(MAX_MANAGED):
            known = await now_of(site.store, ada)
            await profiles.add_managed(
                Context(site.store, known, site.now()), display_name=f"Mia {number}"
            )
        page = text(await adas.get(HERE))
        assert "You can manage up to" in page
        assert "Add a child" not in page
        answer = await adas.send(ALL, **MIA)
        assert answer.status_code == 403

    async def test_a_child_adds_nobody(
        self, site: Site, ben: User, zoe: User, home: Household
    ) -> None:
        browser = await site.browser(ben, zoe)
        assert (await browser.send(ALL, **MIA)).status_code == 403

    async def test_nobody_is_added_to_no_household(self, eves: Browser) -> None:
        assert (await eves.send(ALL, **MIA)).status_code == 404

    @pytest.mark.parametrize("address", [ALL, BRING])
    async def test_its_address_leads_back(self, adas: Browser, address: str) -> None:
        assert (await adas.get(address)).headers["location"] == HERE


class TestBringingAlong:
    async def test_brings_a_child_that_is_in_no_household(
        self, site: Site, adas: Browser, ada: User, home: Household
    ) -> None:
        mia = await _profile(site, ada)
        page = await adas.get(HERE)
        assert "Mia Managed by you, not in a household yet" in text(page)
        answer = await adas.send(BRING, member_id=mia.user_id)
        shown = await adas.follow(answer)
        assert said(shown) == "Member added."
        assert "in no household yet" not in text(shown)
        assert await names(site, home) == ["Ada", "Ben", "Mia"]

    async def test_brings_nobody_elses(
        self, site: Site, bens: Browser, ada: User, home: Household
    ) -> None:
        mia = await _profile(site, ada)
        for member_id in (mia.user_id, ada.user_id, "nobody", "x" * 900, "\x00"):
            assert (await bens.send(BRING, member_id=member_id)).status_code == 404
        assert await names(site, home) == ["Ada", "Ben"]


class TestChangingAChild:
    @pytest.mark.parametrize("is_creator", [True, False], ids=["creator", "parent"])
    async def test_parent_and_creator_may(
        self, site: Site, adas: Browser, bens: Browser, zoe: User, is_creator: bool
    ) -> None:
        browser = adas if is_creator else bens
        page = await browser.get(f"{ALL}/{zoe.user_id}")
        assert value(page, "display_name") == "Zoe"
        assert f"/movie-night/preferences/{zoe.user_id}" in page.text
        answer = await browser.send(
            f"{ALL}/{zoe.user_id}", display_name="Zoé", avatar_key="bee", ceiling="PG-13"
        )
        assert said(await browser.follow(answer)) == "Member saved."
        now = await now_of(site.store, zoe)
        assert (now.display_name, now.avatar_key) == ("Zoé", "bee")
        assert now.content_rating_ceiling == "PG-13"

    async def test_what_does_not_fit_is_shown_again(self, bens: Browser, zoe: User) -> None:
        answer = await bens.send(f"{ALL}/{zoe.user_id}", **MIA | {"display_name": ""})
        assert answer.status_code == 422
        assert wrong(answer, "display_name")

    async def test_nobody_else_may(self, site: Site, eves: Browser, ben: User, zoe: User) -> None:
        one, child = f"{ALL}/{zoe.user_id}", await site.browser(ben, zoe)
        for browser, status in ((eves, 404), (child, 403)):
            assert (await browser.get(one)).status_code == status
            assert (await browser.send(one, **MIA)).status_code == status
        assert (await now_of(site.store, zoe)).display_name == "Zoe"

    async def test_somebody_with_a_login_is_nobodys_to_change(
        self, adas: Browser, ben: User
    ) -> None:
        assert (await adas.get(f"{ALL}/{ben.user_id}")).status_code == 403
        assert (await adas.send(f"{ALL}/{ben.user_id}", **MIA)).status_code == 403

    async def test_a_child_of_ones_own_that_is_not_here_is_not_found(
        self, site: Site, adas: Browser, ada: User
    ) -> None:
        mia = await _profile(site, ada)
        assert (await adas.get(f"{ALL}/{mia.user_id}")).status_code == 404


class TestTakingOut:
    async def test_a_child_stays_with_its_parent(
        self, site: Site, adas: Browser, home: Household, zoe: User
    ) -> None:
        page = await adas.get(f"{ALL}/{zoe.user_id}")
        (remove,) = addresses(page, f"{ALL}/{zoe.user_id}/")
        assert said(await adas.follow(await adas.send(remove))) == "Member removed."
        assert await names(site, home) == ["Ada", "Ben"]
        assert (await now_of(site.store, zoe)).household_id is None

    async def test_the_creator_takes_out_others_with_a_login(
        self, site: Site, adas: Browser, home: Household, ben: User, zoe: User
    ) -> None:
        page = await adas.get(HERE)
        assert "Ben and the children they manage leave the household" in text(page)
        assert f"{ALL}/{ben.user_id}/remove" in addresses(page, ALL)
        removed = await adas.follow(await adas.send(f"{ALL}/{ben.user_id}/remove"))
        assert said(removed) == "Member removed. Your open invitation links are turned off."
        assert await names(site, home) == ["Ada"]

    async def test_nobody_else_may(
        self, site: Site, bens: Browser, eves: Browser, home: Household, ada: User
    ) -> None:
        assert "Remove" not in text(await bens.get(HERE))
        assert (await bens.send(f"{ALL}/{ada.user_id}/remove")).status_code == 403
        assert (await eves.send(f"{ALL}/{ada.user_id}/remove")).status_code == 404
        assert await names(site, home) == ["Ada", "Ben"]


async def _profile(site: Site, parent: User) -> User:
    known = await now_of(site.store, parent)
    return await profiles.add_managed(Context(site.store, known, site.now()), display_name="Mia")
