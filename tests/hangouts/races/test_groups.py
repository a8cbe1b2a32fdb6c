"""Many people come and go at once: a group is never too large, and never without an admin."""

from __future__ import annotations

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.hangouts.rules.groups import MAX_CODES, MAX_MEMBERS
from commonroom.hangouts.service.invite_codes import create_code, join
from commonroom.hangouts.service.members import leave_group, remove_member, set_role
from commonroom.hangouts.tables import FriendGroup, GroupMembership, HangoutPerson
from commonroom.store import Store, update
from tests.accounts.people import Watch, at_once
from tests.hangouts.friends import (
    check_groups,
    crowd_of,
    everything_of,
    group_of,
    now_of,
    somebody,
)

HOW_OFTEN = 4


async def admins_of(store: Store) -> set[str]:
    """Whoever is admin anywhere."""
    found = await everything_of(store.engine, GroupMembership)
    return {one.user_id for one in found if one.role == "ADMIN"}


async def people_of(store: Store, clock: Watch, *names: str) -> list[User]:
    """Somebody of each name."""
    return [await somebody(store, clock, name) for name in names]


async def test_whoever_leaves_while_being_promoted_is_gone_and_an_admin_is_left(
    store: Store, clock: Watch
) -> None:
    for turn in range(HOW_OFTEN):
        ada, ben = await people_of(store, clock, f"Ada{turn}", f"Ben{turn}")
        group = await group_of(store, clock, ada, ben)
        adas, bens = Context(store, ada, clock()), Context(store, ben, clock())
        await at_once(
            set_role(adas, group.group_id, ben.user_id, "ADMIN"),
            leave_group(bens, group.group_id),
        )
        assert (await now_of(store, group)).member_count == 1
        await check_groups(store.engine)


async def test_when_two_last_admins_leave_at_once_somebody_else_becomes_one(
    store: Store, clock: Watch
) -> None:
    for turn in range(HOW_OFTEN):
        ada, ben, cleo = await people_of(store, clock, f"Ada{turn}", f"Ben{turn}", f"Cleo{turn}")
        group = await group_of(store, clock, ada, ben, cleo)
        adas, bens = Context(store, ada, clock()), Context(store, ben, clock())
        await set_role(adas, group.group_id, ben.user_id, "ADMIN")
        _, refused = await at_once(
            leave_group(adas, group.group_id), leave_group(bens, group.group_id)
        )
        assert refused == []
        assert cleo.user_id in await admins_of(store)
        await check_groups(store.engine)


async def test_when_everybody_leaves_at_once_the_group_is_gone(store: Store, clock: Watch) -> None:
    people = await people_of(store, clock, *"ABCDE")
    group = await group_of(store, clock, *people)
    _, refused = await at_once(
        *(leave_group(Context(store, one, clock()), group.group_id) for one in people)
    )
    assert refused == []
    assert await everything_of(store.engine, FriendGroup, GroupMembership) == []


async def test_two_admins_who_remove_each_other_leave_one(store: Store, clock: Watch) -> None:
    ada, ben = await people_of(store, clock, "Ada", "Ben")
    group = await group_of(store, clock, ada, ben)
    adas, bens = Context(store, ada, clock()), Context(store, ben, clock())
    await set_role(adas, group.group_id, ben.user_id, "ADMIN")
    done, refused = await at_once(
        remove_member(adas, group.group_id, ben.user_id),
        remove_member(bens, group.group_id, ada.user_id),
    )
    assert (len(done), len(refused)) == (1, 1)
    await check_groups(store.engine)


async def test_two_admins_who_step_down_at_once_leave_one(store: Store, clock: Watch) -> None:
    ada, ben = await people_of(store, clock, "Ada", "Ben")
    group = await group_of(store, clock, ada, ben)
    adas, bens = Context(store, ada, clock()), Context(store, ben, clock())
    await set_role(adas, group.group_id, ben.user_id, "ADMIN")
    done, refused = await at_once(
        set_role(adas, group.group_id, ada.user_id, "MEMBER"),
        set_role(bens, group.group_id, ben.user_id, "MEMBER"),
    )
    assert (len(done), len(refused)) == (1, 1)
    await check_groups(store.engine)


async def test_the_500th_place_goes_to_one_of_ten_who_join_at_once(
    store: Store, clock: Watch
) -> None:
    ada, *others = await people_of(store, clock, "Ada", *"BCDEFGHIJK")
    group = await group_of(store, clock, ada)
    code = (await create_code(Context(store, ada, clock()), group.group_id)).code
    await crowd_of(store, clock, group, MAX_MEMBERS - 2)
    joined, refused = await at_once(*(join(Context(store, one, clock()), code) for one in others))
    assert (len(joined), len(refused)) == (1, 9)
    assert (await now_of(store, group)).member_count == MAX_MEMBERS
    await check_groups(store.engine)


async def test_a_code_for_one_lets_one_of_ten_in(store: Store, clock: Watch) -> None:
    ada, *others = await people_of(store, clock, "Ada", *"BCDEFGHIJK")
    group = await group_of(store, clock, ada)
    made = await create_code(Context(store, ada, clock()), group.group_id, single_use=True)
    joined, refused = await at_once(
        *(join(Context(store, one, clock()), made.code) for one in others)
    )
    assert (len(joined), len(refused)) == (1, 9)
    await check_groups(store.engine)


async def test_somebody_who_joins_two_groups_with_room_for_one_is_in_one(
    store: Store, clock: Watch
) -> None:
    ada, ben = await people_of(store, clock, "Ada", "Ben")
    groups = [await group_of(store, clock, ada, name=name) for name in ("A", "B", "C")]
    adas, bens = Context(store, ada, clock()), Context(store, ben, clock())
    codes = [(await create_code(adas, one.group_id)).code for one in groups]
    await join(bens, codes[2])
    await store.write(update(HangoutPerson.at(user_id=ben.user_id), group_count=49))
    joined, refused = await at_once(*(join(bens, code) for code in codes[:2]))
    assert (len(joined), len(refused)) == (1, 1)


async def test_codes_that_are_made_at_once_are_not_too_many(store: Store, clock: Watch) -> None:
    (ada,) = await people_of(store, clock, "Ada")
    group = await group_of(store, clock, ada)
    ctx = Context(store, ada, clock())
    for _ in range(MAX_CODES - 3):
        await create_code(ctx, group.group_id)
    made, refused = await at_once(*(create_code(ctx, group.group_id) for _ in range(6)))
    assert (len(made), len(refused)) == (2, 4)
    await check_groups(store.engine)
