"""A household: made, changed, left, deleted."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from commonroom.accounts.tables import User
from commonroom.movienight.pages.households import regions
from commonroom.movienight.tables import Household
from commonroom.titles.streaming_services import SERVICES
from tests.movienight.evenings import now_of
from tests.movienight.pages.site import Site
from tests.support.pages import Browser, said, tag, text, value, wrong

ROOM = "/movie-night"
HERE = f"{ROOM}/household"
SETTINGS = f"{HERE}/settings"


async def household_of(site: Site, person: User) -> Household | None:
    known = await now_of(site.store, person)
    if known.household_id is None:
        return None
    return await site.store.get(Household.at(group_id=known.household_id))


class TestMaking:
    async def test_takes_a_name_and_services(self, site: Site, eves: Browser, eve: User) -> None:
        answer = await eves.send(HERE, name=" The  Attic ", streaming_services=["mubi", "arte"])
        shown = await eves.follow(answer)
        assert said(shown) == "Your household is ready. Now set your tastes."
        made = await household_of(site, eve)
        assert made is not None
        assert (made.name, made.streaming_services) == ("The Attic", ["arte", "mubi"])

    @pytest.mark.parametrize("services", [[], ["mubi"]], ids=["none", "one"])
    async def test_takes_few_services_as_well(
        self, site: Site, eves: Browser, eve: User, services: list[str]
    ) -> None:
        await eves.send(HERE, name="Home", streaming_services=services)
        made = await household_of(site, eve)
        assert made is not None
        assert made.streaming_services == services

    @pytest.mark.parametrize(
        "name, why",
        [
            ("", "Enter a name."),
            ("   ", "Enter a name."),
            ("x" * 41, "Use at most 40 characters."),
        ],
    )
    async def test_a_name_that_does_not_fit_is_shown_again(
        self, site: Site, eves: Browser, eve: User, name: str, why: str
    ) -> None:
        answer = await eves.send(HERE, name=name, streaming_services=["mubi"])
        assert answer.status_code == 422
        assert wrong(answer, "name") == why
        assert value(answer, "name") == name
        assert 'value="mubi" checked' in answer.text
        assert await household_of(site, eve) is None

    async def test_an_unknown_service_is_said_beside_the_services(self, eves: Browser) -> None:
        answer = await eves.send(HERE, name="Home", streaming_services=["nowhere"])
        assert answer.status_code == 422
        assert "Choose a streaming service from the list." in text(answer)
        assert tag(answer, "streaming_services-wrong")

    async def test_nobody_makes_a_second_one(self, adas: Browser) -> None:
        answer = await adas.send(HERE, name="Another")
        assert answer.status_code == 409
        assert "You can only be in one household." in text(answer)

    async def test_a_child_makes_none(self, site: Site, ben: User, zoe: User) -> None:
        answer = await (await site.browser(ben, zoe)).send(HERE, name="Ours")
        assert answer.status_code == 403

    async def test_a_form_with_more_than_it_has_is_refused(self, eves: Browser) -> None:
        assert (await eves.send(HERE, name="Home", rich="yes")).status_code == 400

    async def test_its_address_leads_home_while_there_is_none(self, eves: Browser) -> None:
        assert (await eves.get(HERE)).headers["location"] == ROOM


class TestSettings:
    async def test_show_name_and_services(self, adas: Browser) -> None:
        await adas.send(SETTINGS, name="Home", streaming_services=["netflix", "stan"])
        page = await adas.get(SETTINGS)
        assert value(page, "name") == "Home"
        assert 'value="netflix" checked' in page.text
        assert '<details class="unfold" open>' in page.text, "what was chosen is not hidden"

    async def test_every_member_may_change_them(
        self, site: Site, bens: Browser, home: Household
    ) -> None:
        answer = await bens.send(SETTINGS, name="Nest", streaming_services=["arte"])
        assert said(await bens.follow(answer)) == "Household saved."
        now = await now_of(site.store, home)
        assert (now.name, now.streaming_services) == ("Nest", ["arte"])

    async def test_services_can_all_be_taken_away(
        self, site: Site, adas: Browser, home: Household
    ) -> None:
        await adas.send(SETTINGS, name="Home", streaming_services=["arte"])
        await adas.send(SETTINGS, name="Home")
        assert (await now_of(site.store, home)).streaming_services == []

    async def test_a_name_that_does_not_fit_is_shown_again(
        self, site: Site, adas: Browser, home: Household
    ) -> None:
        answer = await adas.send(SETTINGS, name="x" * 41)
        assert answer.status_code == 422
        assert wrong(answer, "name")
        assert (await now_of(site.store, home)).name == "Home"

    async def test_strangers_and_children_have_none(
        self, site: Site, eves: Browser, ben: User, zoe: User
    ) -> None:
        child = await site.browser(ben, zoe)
        for browser, shown, status in ((eves, 303, 404), (child, 403, 403)):
            assert (await browser.get(SETTINGS)).status_code == shown
            assert (await browser.send(SETTINGS, name="Ours")).status_code == status


class TestLeaving:
    async def test_says_who_takes_over(self, adas: Browser) -> None:
        shown = text(await adas.get(SETTINGS))
        assert "You leave, and your tastes are deleted. Ben takes over the household." in shown

    async def test_says_who_leaves_along(self, bens: Browser, zoe: User) -> None:
        shown = text(await bens.get(SETTINGS))
        assert (
            "You leave together with Zoe, and your tastes are deleted. Past movie nights" in shown
        )
        assert "takes over" not in shown

    async def test_says_when_it_is_the_end(self, adas: Browser, bens: Browser) -> None:
        await bens.send(f"{HERE}/leave")
        shown = text(await adas.get(SETTINGS))
        assert "You are the last one with a login." in shown
        assert "The household and everything in it is deleted." in shown

    async def test_asks_first_and_then_leaves(
        self, site: Site, adas: Browser, ada: User, ben: User
    ) -> None:
        assert '<details class="confirm">' in (await adas.get(SETTINGS)).text
        answer = await adas.send(f"{HERE}/leave")
        assert said(await adas.follow(answer)) == "You have left the household."
        assert await household_of(site, ada) is None
        left = await household_of(site, ben)
        assert left is not None
        assert left.created_by == ben.user_id

    async def test_the_last_ones_leaving_ends_it(
        self, site: Site, adas: Browser, bens: Browser, home: Household
    ) -> None:
        await bens.send(f"{HERE}/leave")
        await adas.send(f"{HERE}/leave")
        assert await site.store.get(home.ref) is None

    async def test_who_is_in_none_cannot(self, eves: Browser) -> None:
        assert (await eves.send(f"{HERE}/leave")).status_code == 404


class TestDeleting:
    async def test_takes_the_typed_name(self, site: Site, adas: Browser, home: Household) -> None:
        answer = await adas.send(f"{HERE}/delete", typed="home")
        assert said(await adas.follow(answer)) == "Household deleted."
        assert await site.store.get(home.ref) is None

    async def test_another_name_deletes_nothing(
        self, site: Site, adas: Browser, home: Household
    ) -> None:
        answer = await adas.send(f"{HERE}/delete", typed="Nest")
        assert answer.status_code == 422
        assert wrong(answer, "typed") == "Type “Home” to confirm."
        assert '<details class="confirm" open>' in answer.text
        settings = re.search(rf'<a href="{SETTINGS}"[^>]*>', answer.text)
        assert settings
        assert "aria-current" in settings[0], "one is still where one was"
        assert await site.store.get(home.ref) is not None

    async def test_is_the_creators_alone(self, site: Site, bens: Browser, home: Household) -> None:
        assert "Delete household" not in text(await bens.get(SETTINGS))
        assert (await bens.send(f"{HERE}/delete", typed="Home")).status_code == 403
        assert await site.store.get(home.ref) is not None

    @pytest.mark.parametrize("deed", ["leave", "delete"])
    async def test_its_address_leads_back(self, adas: Browser, deed: str) -> None:
        assert (await adas.get(f"{HERE}/{deed}")).headers["location"] == SETTINGS


class TestStreamingServices:
    def test_every_service_can_be_found_once(self) -> None:
        listed = Counter(one.slug for region in regions(()) for one in region.services)
        assert listed == Counter(SERVICES.keys())

    def test_a_region_knows_whether_one_of_its_services_was_chosen(self) -> None:
        chosen = [region.name for region in regions({"arte", "stan"}) if region.is_chosen]
        assert chosen == ["The rest of Europe", "Elsewhere"]
