"""Groups, their members, codes, places and ideas."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from commonroom.hangouts.tables import (
    GroupMembership,
    GroupPlace,
    HangoutPerson,
    IdeaList,
    InviteCode,
    PersonPlace,
)
from commonroom.store import update
from tests.hangouts.checks.example import House
from tests.hangouts.checks.faults.declared import LONG_AGO, fault, lose, read


@fault("counts", "member_count is 9, not 3")
async def members_of_a_group(house: House) -> None:
    await house.load(house.group, memberCount=9)


@fault("counts", "admin_count is 3, not 1")
async def admins_of_a_group(house: House) -> None:
    await house.load(house.group, adminCount=3)


@fault("groups", "It has no admin")
async def a_group_without_an_admin(house: House) -> None:
    ref = GroupMembership.at(group_id=house.group.group_id, user_id=house.ada.user_id)
    await house.load(await read(house, ref), role="MEMBER")


@fault("groups", "Nobody is in it")
async def a_group_without_members(house: House) -> None:
    await house.load(replace(house.group, group_id="empty", invite_codes=[]))


@fault("memberships", "The group “Friends” was deleted")
async def a_membership_in_no_group(house: House) -> None:
    person = await read(house, HangoutPerson.at(user_id=house.ben.user_id))
    ref = GroupMembership.at(group_id=house.group.group_id, user_id=house.ben.user_id)
    await house.load(replace(await read(house, ref), group_id="gone"))
    groups = person.groups | {"gone": LONG_AGO}
    await house.load(replace(person, groups=groups, group_count=2))


@fault("memberships", "A member has no account any more")
async def a_membership_of_nobody(house: House) -> None:
    ref = GroupMembership.at(group_id=house.group.group_id, user_id=house.ben.user_id)
    await house.load(replace(await read(house, ref), user_id="gone"))
    await house.store.write(update(house.group.ref, member_count=4))


@fault("memberships", "It does not count for its person")
async def a_membership_that_does_not_count(house: House) -> None:
    cleo = house.cleo
    await house.load(HangoutPerson(user_id=cleo.user_id, user_name=cleo.display_name))


@fault("memberships", "It does not count for its person")
async def a_member_whom_the_room_does_not_know(house: House) -> None:
    await lose(house, HangoutPerson.at(user_id=house.cleo.user_id))


@fault("counts", "Its group_count is 2; 1 groups have them")
async def a_group_that_does_not_have_them(house: House) -> None:
    person = await read(house, HangoutPerson.at(user_id=house.ben.user_id))
    groups = person.groups | {"gone": LONG_AGO}
    await house.load(replace(person, groups=groups, group_count=2))


@fault("counts", "Its group_count is 7; 1 groups have them")
async def groups_of_a_person(house: House) -> None:
    await house.load(await read(house, HangoutPerson.at(user_id=house.ben.user_id)), groupCount=7)


@fault("orphans", "Its person has no account any more")
async def what_is_known_of_nobody(house: House) -> None:
    await house.load(HangoutPerson(user_id="gone"))


@fault("copies", "group_name is 'Foes' and FriendGroup says 'Friends'")
async def a_membership_with_another_name(house: House) -> None:
    ref = GroupMembership.at(group_id=house.group.group_id, user_id=house.ben.user_id)
    await house.load(await read(house, ref), groupName="Foes")


@fault("codes", "Its group does not know of it")
async def a_code_that_nobody_can_turn_off(house: House) -> None:
    at: dict[str, Any] = {"group_id": house.group.group_id, "created_by": house.ben.user_id}
    await house.load(InviteCode(code="abcdefgh", created_at=LONG_AGO, **at))


@fault("codes", "1 of its invite codes let nobody in")
async def a_code_that_is_not_there(house: House) -> None:
    await house.load(replace(house.group, invite_codes=[*house.group.invite_codes, "abcdefgh"]))


@fault("orphans", "Its group was deleted")
async def a_code_of_no_group(house: House) -> None:
    at: dict[str, Any] = {"group_id": "gone", "created_by": house.ben.user_id}
    await house.load(InviteCode(code="abcdefgh", created_at=LONG_AGO, **at))


def _place(house: House) -> dict[str, Any]:
    made: dict[str, Any] = {
        "created_by": house.ben.user_id,
        "created_at": LONG_AGO,
        "updated_at": LONG_AGO,
    }
    return {"place_id": "home", "name": "Home", **made}


@fault("orphans", "Its group was deleted")
async def a_place_of_no_group(house: House) -> None:
    await house.load(GroupPlace(group_id="gone", **_place(house)))


@fault("counts", "place_count is 4, not 1, idea_list_count is 2, not 1, idea_count is 0, not 1")
async def places_and_ideas_of_a_group(house: House) -> None:
    await house.load(house.group, placeCount=4, ideaListCount=2, ideaCount=0)


@fault("counts", "place_count is 9, not 1")
async def places_of_a_person(house: House) -> None:
    await house.load(await read(house, HangoutPerson.at(user_id=house.ben.user_id)), placeCount=9)


@fault("orphans", "Its person has no account any more")
async def a_place_of_nobody(house: House) -> None:
    await house.load(PersonPlace(user_id="gone", **_place(house)))


@fault("places", "The place that is their home was deleted")
async def a_home_that_is_not_there(house: House) -> None:
    await house.load(
        await read(house, HangoutPerson.at(user_id=house.cleo.user_id)), homePlaceId="gone"
    )


@fault("orphans", "The list that it was on was deleted")
async def an_idea_on_no_list(house: House) -> None:
    await house.load(replace(house.skating, list_id="gone"))


@fault("counts", "Its idea_count is 5, not 1")
async def ideas_on_a_list(house: House) -> None:
    at = {"group_id": house.group.group_id, "list_id": house.skating.list_id}
    await house.load(await read(house, IdeaList.at(**at)), ideaCount=5)


@fault("ideas", "Somebody is interested who is not in the group")
async def a_stranger_who_is_interested(house: House) -> None:
    interested = house.skating.interested | {house.zoe.user_id: LONG_AGO}
    await house.load(replace(house.skating, interested=interested))


@fault("ideas", "The hangout that it became was deleted")
async def an_idea_that_became_nothing(house: House) -> None:
    await house.load(replace(house.skating, hangout_id="gone"))


@fault("orphans", "Its group was deleted")
async def a_list_of_no_group(house: House) -> None:
    made: dict[str, Any] = {"created_by": house.ben.user_id, "created_at": LONG_AGO}
    await house.load(IdeaList(group_id="gone", list_id="one", name="Winter", **made))
