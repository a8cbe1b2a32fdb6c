"""A link of a household, a group or a list lets people sign up, as long as it is good."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from html import unescape
from pathlib import Path
from urllib.parse import parse_qs

import pytest
from httpx import AsyncClient

from commonroom.accounts.context import Context
from commonroom.hangouts.service import groups, invite_codes
from commonroom.movienight.service import invites
from commonroom.movienight.service.household_context import HouseholdContext, find_household_context
from commonroom.movienight.service.households import create_household
from commonroom.movienight.service.invites import NewInvite
from commonroom.movienight.service.members import add_managed
from commonroom.movienight.tables import Household
from commonroom.watchlists.service import collaborators, lists
from tests.house.whole import Whole, whole
from tests.support.context import at
from tests.support.pages import text

BEN = {"display_name": "Ben", "email": "ben@example.org", "password": "a kettle on the stove"}
EVE = {"display_name": "Eve", "email": "eve@example.org", "password": "a sparrow on the sill"}


class Inviting:
    """Ada's household, and a link into it."""

    def __init__(self, house: Whole, group: Household, link: NewInvite) -> None:
        self.house, self.group, self.link = house, group, link
        self.token = link.token
        self.path = f"/join/{self.token}"

    async def seat(self) -> HouseholdContext:
        """Ada's seat."""
        ada = await self.house.store.get(self.house.ada.ref)
        assert ada is not None
        seat = await find_household_context(Context(self.house.store, ada), ada)
        assert seat is not None
        return seat

    async def revoke(self) -> None:
        """Ends the link."""
        seat, store = await self.seat(), self.house.store
        await invites.revoke_invite(at(store, time.time(), seat), self.link.invite.invite_id)

    async def fill(self) -> None:
        """Leaves no room in the household."""
        for number in range(7):
            seat, store = await self.seat(), self.house.store
            await add_managed(at(store, time.time(), seat), display_name=f"Child {number}")


async def invited_to(house: Whole) -> Inviting:
    """A link into a household of Ada's."""
    store, now = house.store, time.time()
    group = await create_household(Context(store, house.ada, now), name="Home")
    ada = await store.get(house.ada.ref)
    assert ada is not None
    link = await invites.create_invite(HouseholdContext(store, group, ada, ada, now))
    return Inviting(house, group, link)


@pytest.fixture
async def invited(tmp_path: Path) -> AsyncIterator[Inviting]:
    """A link in an installation that asks for invitations."""
    async with whole(tmp_path) as house:
        yield await invited_to(house)


@pytest.fixture
async def guest(invited: Inviting) -> AsyncClient:
    """Somebody who got the link."""
    return await invited.house.guest()


class TestSigningUp:
    async def test_goes_from_the_link_into_the_household(
        self, invited: Inviting, guest: AsyncClient
    ) -> None:
        form = await guest.get(f"/sign-up?invitation={invited.token}&next={invited.path}")
        assert form.status_code == 200
        assert f'name="invitation" value="{invited.token}"' in form.text
        assert f'name="next" value="{invited.path}"' in form.text
        sent = BEN | {"invitation": invited.token, "next": invited.path}
        answer = await guest.post("/sign-up", data=sent)
        assert (answer.status_code, answer.headers["location"]) == (303, invited.path)
        assert "Join" in text(await guest.get(invited.path))
        joined = await guest.post(invited.path)
        assert (joined.status_code, joined.headers["location"]) == (303, "/movie-night")
        assert "Ben you" in text(await guest.get("/movie-night"))

    async def test_several_people_can_with_one_link(
        self, invited: Inviting, guest: AsyncClient
    ) -> None:
        for person in (BEN, EVE):
            answer = await guest.post("/sign-up", data=person | {"invitation": invited.token})
            assert answer.status_code == 303
            guest.cookies.clear()

    async def test_a_mistake_keeps_the_link_and_the_way_back(
        self, invited: Inviting, guest: AsyncClient
    ) -> None:
        sent = BEN | {"password": "short", "invitation": invited.token, "next": invited.path}
        answer = await guest.post("/sign-up", data=sent)
        assert answer.status_code == 422
        assert f'name="invitation" value="{invited.token}"' in answer.text
        assert f'name="next" value="{invited.path}"' in answer.text

    async def test_a_revoked_link_says_so_before_anybody_types(
        self, invited: Inviting, guest: AsyncClient
    ) -> None:
        await invited.revoke()
        form = await guest.get(f"/sign-up?invitation={invited.token}")
        assert form.status_code == 410
        assert "This invitation was revoked or has expired." in text(form)
        answer = await guest.post("/sign-up", data=BEN | {"invitation": invited.token})
        assert answer.status_code == 410

    async def test_a_full_household_lets_nobody_in(
        self, invited: Inviting, guest: AsyncClient
    ) -> None:
        await invited.fill()
        answer = await guest.post("/sign-up", data=BEN | {"invitation": invited.token})
        assert answer.status_code == 410

    @pytest.mark.parametrize("link", ["nothing", "x" * 190, "é"])
    async def test_an_unknown_link_lets_nobody_in(self, guest: AsyncClient, link: str) -> None:
        assert (await guest.get("/sign-up", params={"invitation": link})).status_code == 410
        answer = await guest.post("/sign-up", data=BEN | {"invitation": link})
        assert answer.status_code == 410

    @pytest.mark.parametrize("where", ["//evil.example", "https://evil.example", "/\\evil"])
    async def test_the_way_on_never_leads_elsewhere(
        self, invited: Inviting, guest: AsyncClient, where: str
    ) -> None:
        sent = BEN | {"invitation": invited.token, "next": where}
        answer = await guest.post("/sign-up", data=sent)
        assert answer.headers["location"] == "/"
        assert (await guest.get("/sign-up", params={"next": where})).headers["location"] == "/"


class TestTheApi:
    async def test_takes_a_households_link(self, invited: Inviting, guest: AsyncClient) -> None:
        answer = await guest.post("/api/v1/accounts", json=BEN | {"invitation": invited.token})
        assert answer.status_code == 201

    async def test_refuses_one_that_was_revoked(
        self, invited: Inviting, guest: AsyncClient
    ) -> None:
        await invited.revoke()
        answer = await guest.post("/api/v1/accounts", json=BEN | {"invitation": invited.token})
        assert answer.status_code == 410

    async def test_refuses_everybody_without_a_link(self, guest: AsyncClient) -> None:
        assert (await guest.post("/api/v1/accounts", json=BEN)).status_code == 403


class TestSettings:
    async def test_a_closed_installation_lets_nobody_in(self, tmp_path: Path) -> None:
        async with whole(tmp_path, sign_up="closed") as house:
            invited, guest = await invited_to(house), await house.guest()
            answer = await guest.post("/sign-up", data=BEN | {"invitation": invited.token})
            assert answer.status_code == 403

    async def test_a_room_that_is_switched_off_vouches_for_nobody(self, tmp_path: Path) -> None:
        async with whole(tmp_path, rooms="library") as house:
            invited, guest = await invited_to(house), await house.guest()
            assert (await guest.get(invited.path)).status_code == 404
            answer = await guest.post("/sign-up", data=BEN | {"invitation": invited.token})
            assert answer.status_code == 410


class TestAGroupsCode:
    async def test_leads_through_signing_up_into_the_group(
        self, invited: Inviting, guest: AsyncClient
    ) -> None:
        ctx = Context(invited.house.store, invited.house.ada, time.time())
        group = await groups.create_group(ctx, name="Climbing")
        code = (await invite_codes.create_code(ctx, group.group_id)).code
        page = await guest.get(f"/g/{code}")
        assert f"invitation={code}" in page.text
        assert (await guest.get(f"/sign-up?invitation={code}")).status_code == 200
        sent = BEN | {"invitation": code, "next": f"/g/{code}"}
        answer = await guest.post("/sign-up", data=sent)
        assert (answer.status_code, answer.headers["location"]) == (303, f"/g/{code}")
        joined = await guest.post(f"/g/{code}")
        assert joined.headers["location"] == f"/groups/{group.group_id}"

    async def test_cannot_be_guessed_at_the_form_either(
        self, invited: Inviting, guest: AsyncClient
    ) -> None:
        for _ in range(20):
            answer = await guest.get("/sign-up?invitation=abcdefgh")
            assert answer.status_code == 410
        assert (await guest.get("/sign-up?invitation=abcdefgh")).status_code == 429


class TestACollaboratorsLink:
    async def test_leads_a_stranger_through_signing_up_to_the_list(
        self, invited: Inviting, guest: AsyncClient
    ) -> None:
        path = await link_to_list(invited.house)
        page = await guest.get(path)
        assert page.status_code == 200
        assert "Help with “Doors”?" in text(page)
        _, _, way = page.text.partition('href="/sign-up?')
        asked = parse_qs(unescape(way.partition('"')[0]))
        assert asked["next"] == [path]
        assert (await guest.get("/sign-up", params=asked)).status_code == 200
        sent = BEN | {name: value[0] for name, value in asked.items()}
        answer = await guest.post("/sign-up", data=sent)
        assert (answer.status_code, answer.headers["location"]) == (303, path)
        joined = await guest.post(path)
        assert joined.headers["location"].endswith("/arrange")

    async def test_lets_nobody_in_once_it_is_revoked_or_wrong(
        self, invited: Inviting, guest: AsyncClient
    ) -> None:
        path = await link_to_list(invited.house)
        watchlist_id, key = path.split("/")[2], path.split("/")[-1]
        good = collaborators.signup_invitation(watchlist_id, key)
        ctx = Context(invited.house.store, invited.house.ada, time.time())
        for link in (f"{good}x", f".{key}", f"{watchlist_id}."):
            assert (await guest.get("/sign-up", params={"invitation": link})).status_code == 410
        await collaborators.revoke_link(ctx, watchlist_id, "join")
        answer = await guest.post("/sign-up", data=BEN | {"invitation": good})
        assert answer.status_code == 410


async def link_to_list(house: Whole) -> str:
    """The address that invites to help with a private list of Ada's."""
    ctx = Context(house.store, house.ada, time.time())
    made = await lists.create_list(ctx, lists.ListDraft(title="Doors", is_public=False))
    key = await collaborators.create_link(ctx, made.watchlist_id, "join")
    return f"/lists/{made.watchlist_id}/join/{key}"
