"""A group that is deleted takes everything along that is nobody else's."""

from __future__ import annotations

from typing import Any

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.hangouts.service.groups import change_group, delete_group
from commonroom.hangouts.service.invite_codes import create_code
from commonroom.hangouts.service.members import leave_group
from commonroom.hangouts.service.rsvps import TypedRsvp, answer
from commonroom.hangouts.tables import (
    FriendGroup,
    GroupMembership,
    GroupPlace,
    Hangout,
    Idea,
    IdeaList,
    InviteCode,
    Rsvp,
)
from commonroom.moments import iso
from commonroom.store import Store, create
from tests.accounts.people import Watch
from tests.hangouts.friends import (
    check_groups,
    check_hangouts,
    everything_of,
    group_of,
    hangout_of,
    now_of,
    somebody,
    tidied,
)


async def furnished(store: Store, clock: Watch, ada: User, group: FriendGroup) -> None:
    """A place, an idea and a code."""
    made: dict[str, Any] = {"created_by": ada.user_id, "created_at": iso(clock())}
    await store.write(
        create(IdeaList(group_id=group.group_id, list_id="l", name="Trails", **made)),
        create(Idea(group_id=group.group_id, list_id="l", idea_id="i", name="Peak", **made)),
        create(
            GroupPlace(
                group_id=group.group_id,
                place_id="p",
                name="Pub",
                updated_at=iso(clock()),
                **made,
            )
        ),
    )
    await create_code(Context(store, ada, clock()), group.group_id)


async def test_a_deleted_group_leaves_nothing_behind(
    store: Store, clock: Watch, ada: User, friends: FriendGroup
) -> None:
    await furnished(store, clock, ada, friends)
    await hangout_of(store, clock, ada, friends)
    await delete_group(Context(store, ada, clock()), friends.group_id)
    await tidied(store, clock)
    kinds = (FriendGroup, GroupMembership, Hangout, Rsvp, Idea, IdeaList, GroupPlace, InviteCode)
    assert [len(await everything_of(store.engine, kind)) for kind in kinds] == [0] * len(kinds)
    await check_groups(store.engine)
    await check_hangouts(store.engine)


async def test_the_last_one_to_leave_takes_everything_along(
    store: Store, clock: Watch, ada: User
) -> None:
    group = await group_of(store, clock, ada)
    await hangout_of(store, clock, ada, group)
    await leave_group(Context(store, ada, clock()), group.group_id)
    await tidied(store, clock)
    assert await everything_of(store.engine, Hangout, GroupMembership, InviteCode) == []


async def test_hangouts_that_are_also_somebody_elses_stay_with_them(
    store: Store, clock: Watch, ada: User, ben: User, eve: User
) -> None:
    friends = await group_of(store, clock, ada, ben)
    others = await group_of(store, clock, ada, eve, name="Others")
    shared = await hangout_of(store, clock, ada, friends, others)
    invited = await hangout_of(store, clock, ada, friends, invited_user_ids=[eve.user_id])
    await answer(Context(store, ben, clock()), ben, shared.hangout_id, TypedRsvp(status="GOING"))
    await delete_group(Context(store, ada, clock()), friends.group_id)
    await tidied(store, clock)
    assert (await now_of(store, shared)).group_ids == [others.group_id]
    assert (await now_of(store, invited)).group_ids == []
    answered = {one.user_id for one in await everything_of(store.engine, Rsvp)}
    assert answered == {ada.user_id}, "Ben may no longer have it"
    await check_hangouts(store.engine)
    await check_groups(store.engine)


async def test_a_group_that_becomes_private_loses_the_answers_of_strangers(
    store: Store, clock: Watch, ada: User, ben: User
) -> None:
    group = await group_of(store, clock, ada, ben, is_public=True)
    made = await hangout_of(store, clock, ada, group, visibility="PUBLIC")
    cleo = await somebody(store, clock, "Cleo")
    for one in (ben, cleo):
        await answer(Context(store, one, clock()), one, made.hangout_id, TypedRsvp(status="GOING"))
    ctx = Context(store, ada, clock())
    await change_group(ctx, group.group_id, {"is_public": False}, version=group.version)
    await tidied(store, clock)
    answered = {one.user_id for one in await everything_of(store.engine, Rsvp)}
    assert answered == {ada.user_id, ben.user_id}
    await check_hangouts(store.engine)
