"""A group in a browser: made, shown with its code, looked after, left."""

from __future__ import annotations

import re

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.hangouts.service.invite_codes import create_code
from commonroom.hangouts.tables import FriendGroup, GroupMembership
from commonroom.store import Store
from tests.accounts.api.calling import Calling
from tests.accounts.people import Watch
from tests.hangouts.friends import child_of, group_of, now_of
from tests.hangouts.pages.browsing import refused, sent, shown


def code_in(text: str) -> str:
    """The code of the link that a page shows."""
    return str(re.findall(r"/g/(\w{8})", text)[0])


async def test_a_group_is_made_and_a_friend_joins_with_its_link(
    calling: Calling, ada: User, eve: User
) -> None:
    adas, eves = await calling.browser(ada), await calling.browser(eve)
    there = await sent(adas, "/groups/new", group_name="Climbing")
    page = await shown(adas, there)
    assert "qr" in page
    code = code_in(page)
    assert "private group" in await shown(eves, f"/g/{code}")
    group = await sent(eves, f"/g/{code}")
    assert "Climbing" in await shown(eves, group)
    assert "already in Climbing" in await shown(eves, f"/g/{code}")


class TestAnInviteLink:
    async def test_shows_a_guest_the_way_in_and_back(
        self, calling: Calling, store: Store, clock: Watch, ada: User
    ) -> None:
        group = await group_of(store, clock, ada, name="Climbing", is_public=True)
        code = (await create_code(Context(store, ada, clock()), group.group_id)).code
        page = await shown(await calling.guest(), f"/g/{code}")
        assert "Join Climbing" in page
        assert f"/sign-up?invitation={code}&next=" in page
        assert "/sign-in?next=" in page

    async def test_that_is_off_or_unknown_is_not_found(
        self, calling: Calling, store: Store, clock: Watch, ada: User, friends: FriendGroup
    ) -> None:
        code = (await create_code(Context(store, ada, clock()), friends.group_id)).code
        adas, guest = await calling.browser(ada), await calling.guest()
        await sent(adas, f"/groups/{friends.group_id}/invite/off", code=code)
        for one in (code, "abcdefgh", "x"):
            await shown(guest, f"/g/{one}", 404)

    async def test_for_one_person_that_expires_is_made_in_the_same_place(
        self, calling: Calling, ada: User, friends: FriendGroup
    ) -> None:
        adas = await calling.browser(ada)
        place = f"/groups/{friends.group_id}/invite"
        await sent(adas, place, expires="week", single_use="true")
        assert "For one person" in await shown(adas, place)

    async def test_tells_whoever_acts_for_a_child_to_switch_back(
        self, calling: Calling, store: Store, clock: Watch, ada: User, eve: User
    ) -> None:
        child = await child_of(store, clock, eve, "Kim")
        group = await group_of(store, clock, ada)
        code = (await create_code(Context(store, ada, clock()), group.group_id)).code
        eves = await calling.browser(eve)
        await sent(eves, "/act-as", member_id=child.user_id)
        assert "Switch back" in await shown(eves, f"/g/{code}")


class TestAGroup:
    async def test_gets_another_name_and_look_from_any_member(
        self, calling: Calling, store: Store, ben: User, friends: FriendGroup
    ) -> None:
        bens = await calling.browser(ben)
        edit = f"/groups/{friends.group_id}/edit"
        assert "Delete group" not in await shown(bens, edit)
        given = {"group_name": "Climbers", "colour": "teal", "picture": "hike", "version": "1"}
        await sent(bens, edit, **given)
        assert "group-teal" in await shown(bens, f"/groups/{friends.group_id}")
        again = await refused(bens, edit, 409, **{**given, "group_name": "Mine"})
        assert "Now it says: Climbers" in again
        assert (await now_of(store, friends)).group_name == "Climbers"

    async def test_is_made_public_and_deleted_by_an_admin(
        self, calling: Calling, store: Store, ada: User, friends: FriendGroup
    ) -> None:
        adas, here = await calling.browser(ada), f"/groups/{friends.group_id}"
        given = {"group_name": "Friends", "visibility": "public", "version": "1"}
        await sent(adas, f"{here}/edit", **given)
        assert (await now_of(store, friends)).is_public
        assert await sent(adas, f"{here}/delete") == "/hangouts"
        await shown(adas, here, 404)


class TestMembers:
    async def test_are_looked_after_by_an_admin(
        self, calling: Calling, store: Store, ada: User, ben: User, friends: FriendGroup
    ) -> None:
        adas, bens = await calling.browser(ada), await calling.browser(ben)
        here = f"/groups/{friends.group_id}/members"
        assert "Make admin" in await shown(adas, here)
        assert "Make admin" not in await shown(bens, here)
        await sent(adas, f"{here}/promote", who=ben.user_id)
        await sent(bens, f"{here}/demote", who=ada.user_id)
        await refused(bens, f"{here}/demote", 409, who=ben.user_id)
        await sent(bens, f"{here}/remove", who=ada.user_id)
        assert "Its invite links are turned off." in await shown(bens, here)
        theirs = GroupMembership.at(group_id=friends.group_id, user_id=ada.user_id)
        assert await store.get(theirs) is None

    async def test_leave_by_themselves(
        self, calling: Calling, ben: User, friends: FriendGroup
    ) -> None:
        bens = await calling.browser(ben)
        assert await sent(bens, f"/groups/{friends.group_id}/leave") == "/hangouts"
        await shown(bens, f"/groups/{friends.group_id}", 404)
