"""What people were told of a hangout is read by itself once it no longer needs them."""

from __future__ import annotations

import time

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.hangouts.consumers.announcements import TOGETHER_SECONDS
from commonroom.hangouts.consumers.resolved import AGAIN_SECONDS
from commonroom.hangouts.service.edits import change_hangout
from commonroom.hangouts.service.hangouts import bring_back, cancel, delete_hangout
from commonroom.hangouts.service.rsvps import TypedRsvp, answer
from commonroom.hangouts.tables import FriendGroup, Hangout, RsvpStatus
from commonroom.notifications.notifications import resolve_page
from commonroom.notifications.tables import Notification, kept_for_person
from commonroom.store import Store
from tests.accounts.people import Watch
from tests.hangouts.friends import DAY, child_of, group_of, hangout_of, starts_in, tidied

HOUR = 3600


async def later(store: Store, clock: Watch, seconds: float = TOGETHER_SECONDS + 1) -> None:
    await tidied(store, clock)
    clock.forward(seconds)
    await tidied(store, clock)


async def unread(store: Store, person: User) -> list[str]:
    kept = [one async for one in store.all(kept_for_person(user_id=person.user_id))]
    return sorted(one.kind for one in kept if isinstance(one, Notification) and one.read_at is None)


async def says(
    store: Store, clock: Watch, who: User, made: Hangout, status: RsvpStatus = "GOING"
) -> None:
    typed = TypedRsvp(status=status)
    await answer(Context(store, who, clock()), who, made.hangout_id, typed)


class TestAnAnswer:
    @pytest.fixture
    def store(self, either: Store, clock: Watch) -> Store:
        clock.now = time.time()
        return either

    async def test_resolves_the_invitation_of_whoever_gave_it(
        self, store: Store, clock: Watch, ada: User, ben: User, eve: User
    ) -> None:
        group = await group_of(store, clock, ada, ben, eve)
        statuses: list[RsvpStatus] = ["GOING", "INTERESTED", "NOT_GOING"]
        made = [await hangout_of(store, clock, ada, group) for _ in statuses]
        await later(store, clock)
        assert await unread(store, ben) == ["hangout_new"] * 3
        for one, status in zip(made, statuses, strict=True):
            await says(store, clock, ben, one, status)
        await tidied(store, clock)
        assert (await unread(store, ben), len(await unread(store, eve))) == ([], 3)

    async def test_given_before_the_invitation_was_told_keeps_it_from_being_told(
        self, store: Store, clock: Watch, ada: User, ben: User, friends: FriendGroup
    ) -> None:
        made = await hangout_of(store, clock, ada, friends)
        await says(store, clock, ben, made)
        await later(store, clock)
        assert await unread(store, ben) == []


class TestTheEnd:
    async def test_of_it_resolves_everything_about_it(
        self, store: Store, clock: Watch, ada: User, ben: User, friends: FriendGroup
    ) -> None:
        when = starts_in(clock, DAY, lasts=HOUR)
        made = await hangout_of(store, clock, ada, friends, is_on=True, time=when)
        await later(store, clock)
        await hangout_of(store, clock, ada, friends)
        await says(store, clock, ben, made)
        await later(store, clock, DAY - HOUR)
        assert await unread(store, ben) == ["hangout_new", "hangout_reminder"]
        await later(store, clock, 2 * HOUR + AGAIN_SECONDS)
        assert await unread(store, ben) == ["hangout_new"], "that of the other one"
        assert await unread(store, ada) == []

    async def test_of_one_that_was_moved_comes_later(
        self, store: Store, clock: Watch, ada: User, ben: User, friends: FriendGroup
    ) -> None:
        when = starts_in(clock, DAY)
        made = await hangout_of(store, clock, ada, friends, is_on=True, time=when)
        await later(store, clock)
        moved = {"time": starts_in(clock, 3 * DAY)}
        await change_hangout(Context(store, ada, clock()), made.hangout_id, moved, version=1)
        await later(store, clock, DAY + HOUR)
        assert await unread(store, ben) == ["hangout_new"]
        await later(store, clock, 2 * DAY + 3 * HOUR)
        assert await unread(store, ben) == []


class TestCancelling:
    @pytest.fixture
    async def party(self, store: Store, clock: Watch, ada: User, ben: User, eve: User) -> Hangout:
        """A hangout of Ada's that Ben wants to go to, and Eve has not answered."""
        group = await group_of(store, clock, ada, ben, eve)
        when = starts_in(clock, 3 * DAY)
        made = await hangout_of(store, clock, ada, group, is_on=True, time=when)
        await later(store, clock)
        await says(store, clock, ben, made)
        await tidied(store, clock)
        assert await unread(store, eve) == ["hangout_new"]
        return made

    async def test_resolves_all_but_that_it_is_cancelled(
        self, store: Store, clock: Watch, party: Hangout, ben: User, eve: User
    ) -> None:
        maker = await store.get(User.at(user_id=party.created_by))
        assert maker is not None
        await cancel(Context(store, maker, clock()), party.hangout_id)
        await later(store, clock)
        assert (await unread(store, ben), await unread(store, eve)) == (["hangout_cancelled"], [])
        await bring_back(Context(store, maker, clock()), party.hangout_id)
        await later(store, clock)
        assert await unread(store, ben) == ["hangout_back"]

    async def test_or_deleting_it_leaves_nothing_unread(
        self, store: Store, clock: Watch, party: Hangout, ada: User, eve: User
    ) -> None:
        await delete_hangout(Context(store, ada, clock()), party.hangout_id)
        await tidied(store, clock)
        assert [await unread(store, one) for one in (ada, eve)] == [[], []]


async def test_a_parent_s_invitation_stays_where_only_a_child_answered(
    store: Store, clock: Watch, ada: User, ben: User, friends: FriendGroup
) -> None:
    lea = await child_of(store, clock, ben, "Lea")
    made = await hangout_of(store, clock, ada, friends)
    await later(store, clock)
    typed = TypedRsvp(status="GOING")
    await answer(Context(store, ben, clock()), lea, made.hangout_id, typed)
    await tidied(store, clock)
    assert await unread(store, ben) == ["hangout_new"]
    kept = [one async for one in store.all(kept_for_person(user_id=lea.user_id))]
    assert kept == []
    await resolve_page(store, clock(), f"/hangouts/{made.hangout_id}")
    assert await unread(store, ben) == []
