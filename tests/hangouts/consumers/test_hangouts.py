"""Nothing stays behind of a hangout that is gone, nor of people who may no longer have one."""

from __future__ import annotations

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.hangouts.service.edits import change_hangout, invite, uninvite
from commonroom.hangouts.service.guests import TypedGuestRsvp, rsvp_for
from commonroom.hangouts.service.hangouts import delete_hangout
from commonroom.hangouts.service.rsvps import TypedRsvp, answer
from commonroom.hangouts.tables import FriendGroup, Hangout, Rsvp, TalkMessage, inviter
from commonroom.store import Store, create, update
from tests.accounts.people import Watch
from tests.hangouts.friends import (
    check_hangouts,
    child_of,
    everything_of,
    group_of,
    hangout_of,
    now_of,
    tidied,
)

GOING = TypedRsvp(status="GOING")


async def left_of_hangouts(store: Store) -> set[str]:
    items = (await store.engine.scan(inviter, limit=1000)).items
    return {item["itemType"] for item in items} - {"GROUP", "MEMBERSHIP", "PERSON", "INVITE_CODE"}


async def test_a_deleted_hangout_leaves_nothing(
    store: Store, clock: Watch, ada: User, ben: User, friends: FriendGroup
) -> None:
    made = await hangout_of(store, clock, ada, friends)
    await answer(Context(store, ben, clock()), ben, made.hangout_id, GOING)
    ctx = Context(store, ada, clock())
    await rsvp_for(ctx, made.hangout_id, TypedGuestRsvp(name="Jo", status="GOING"))
    said = [
        TalkMessage(
            hangout_id=made.hangout_id,
            message_id=f"{number:04}",
            user_id=ada.user_id,
            text="Hello",
            sent_at="",
        )
        for number in range(150)
    ]
    await store.engine.load(inviter, [one.to_item() for one in said])
    await delete_hangout(ctx, made.hangout_id)
    await tidied(store, clock)
    assert await left_of_hangouts(store) == set()


async def test_answers_go_with_the_group_they_came_from(
    store: Store, clock: Watch, ada: User, ben: User, friends: FriendGroup
) -> None:
    club = await group_of(store, clock, ada, name="Club")
    lea = await child_of(store, clock, ben, "Lea")
    made = await hangout_of(store, clock, ada, friends, club, is_on=True, place_limit=2)
    theirs = Context(store, ben, clock())
    await answer(theirs, ben, made.hangout_id, GOING)
    await answer(theirs, lea, made.hangout_id, GOING)
    ctx = Context(store, ada, clock())
    await change_hangout(ctx, made.hangout_id, {"group_ids": [club.group_id]}, version=1)
    await tidied(store, clock)
    assert [one.user_id for one in await everything_of(store.engine, Rsvp)] == [ada.user_id]
    assert (await now_of(store, made)).going_count == 1
    await check_hangouts(store.engine)


async def test_an_answer_goes_with_the_invitation_unless_a_group_lets_them_stay(
    store: Store, clock: Watch, ada: User, ben: User, eve: User
) -> None:
    friends = await group_of(store, clock, ada, ben)
    made = await hangout_of(store, clock, ada, friends)
    ctx = Context(store, ada, clock())
    for one in (ben, eve):
        await invite(ctx, made.hangout_id, one.email or "")
        await answer(Context(store, one, clock()), one, made.hangout_id, GOING)
        await uninvite(ctx, made.hangout_id, one.user_id)
    await tidied(store, clock)
    left = {one.user_id for one in await everything_of(store.engine, Rsvp)}
    assert left == {ada.user_id, ben.user_id}
    await check_hangouts(store.engine)


async def test_a_public_one_that_no_longer_is_loses_whoever_came_from_outside(
    store: Store, clock: Watch, ada: User, eve: User
) -> None:
    group = await group_of(store, clock, ada, is_public=True)
    made = await hangout_of(store, clock, ada, group, visibility="PUBLIC")
    await answer(Context(store, eve, clock()), eve, made.hangout_id, GOING)
    ctx = Context(store, ada, clock())
    await change_hangout(ctx, made.hangout_id, {"visibility": "INVITE_ONLY"}, version=1)
    await tidied(store, clock)
    assert (await now_of(store, made)).going_count == 0
    await check_hangouts(store.engine)


async def test_a_new_name_reaches_the_answers(
    store: Store, clock: Watch, ada: User, friends: FriendGroup
) -> None:
    await hangout_of(store, clock, ada, friends)
    await store.write(update(ada.ref, display_name="Adele"))
    await tidied(store, clock)
    assert {one.user_name for one in await everything_of(store.engine, Rsvp)} == {"Adele"}


async def test_a_hangout_that_came_back_under_the_same_id_is_left_alone(
    store: Store, clock: Watch, ada: User, friends: FriendGroup
) -> None:
    made = await hangout_of(store, clock, ada, friends)
    await delete_hangout(Context(store, ada, clock()), made.hangout_id)
    await store.write(create(made))
    await tidied(store, clock)
    assert await everything_of(store.engine, Hangout) == [made]
