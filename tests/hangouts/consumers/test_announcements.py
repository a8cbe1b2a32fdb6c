"""Whom a hangout concerns is told of it, once, and never of what they did themselves."""

from __future__ import annotations

import time
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.hangouts import notifications
from commonroom.hangouts.consumers.announcements import TELL, TOGETHER_SECONDS, follow_hangout
from commonroom.hangouts.service.edits import change_hangout, invite
from commonroom.hangouts.service.hangouts import bring_back, cancel, confirm, unconfirm
from commonroom.hangouts.service.rsvps import TypedRsvp, answer, withdraw
from commonroom.hangouts.tables import EnteredTime, FriendGroup, Hangout, RsvpStatus
from commonroom.notifications.kinds import Words
from commonroom.notifications.tables import Notification, kept_for_person
from commonroom.store import Store, update
from commonroom.store.streams import Change
from commonroom.timers.scheduler import WAITING_BY_BUCKET
from tests.accounts.people import Watch
from tests.hangouts.friends import (
    DAY,
    HOUR,
    PUB,
    child_of,
    crowd_of,
    group_of,
    hangout_of,
    now_of,
    somebody,
    starts_in,
    tidied,
    told,
)

SOON = TOGETHER_SECONDS + 1


async def read(store: Store, person: User) -> list[Words]:
    """What somebody was told, as they read it."""
    kinds = {one.name: one for one in notifications.KINDS}
    kept = [one async for one in store.all(kept_for_person(user_id=person.user_id))]
    touched = [one for one in kept if isinstance(one, Notification)]
    return [
        kinds[one.kind].words(one.facts)
        for one in touched
        if one.kind != notifications.ANSWERED.name
    ]


async def later(store: Store, clock: Watch, seconds: float = SOON) -> None:
    """What happens within a while."""
    await tidied(store, clock)
    clock.forward(seconds)
    await tidied(store, clock)


async def says(
    store: Store, clock: Watch, who: User, made: Hangout, status: RsvpStatus = "GOING"
) -> None:
    ctx = Context(store, who, clock())
    await answer(ctx, who, made.hangout_id, TypedRsvp(status=status))


class TestNew:
    @pytest.fixture
    def store(self, either: Store, clock: Watch) -> Store:
        # Changes have the moment of the engine, which is the machine's own in DynamoDB.
        clock.now = time.time()
        return either

    async def test_members_and_invited_people_are_told_once_and_its_maker_is_not(
        self, store: Store, clock: Watch, ada: User, ben: User, eve: User
    ) -> None:
        friends = await group_of(store, clock, ada, ben)
        both = await group_of(store, clock, ben, ada, name="Club")
        await hangout_of(store, clock, ada, friends, both, invited_user_ids=[eve.user_id])
        await later(store, clock)
        assert await told(store, ada) == []
        assert await told(store, ben) == ["hangout_new"]
        assert await read(store, eve) == [Words("You are invited: Karaoke?", "")]

    async def test_whoever_is_added_later_is_told_and_nobody_again(
        self, store: Store, clock: Watch, ada: User, ben: User, eve: User
    ) -> None:
        friends = await group_of(store, clock, ada, ben)
        made = await hangout_of(store, clock, ada, friends, title="Picnic", place=PUB)
        await later(store, clock)
        club = await group_of(store, clock, ada, eve, name="Club")
        ctx = Context(store, ada, clock())
        groups = {"group_ids": [friends.group_id, club.group_id]}
        await change_hangout(ctx, made.hangout_id, groups, version=1)
        await invite(ctx, made.hangout_id, ben.email or "")
        await later(store, clock)
        assert await told(store, ben) == ["hangout_new"]
        assert await read(store, eve) == [Words("New in Club: Picnic", "The pub")]


async def test_what_is_unread_says_what_is_true_by_then(
    store: Store, clock: Watch, ada: User, ben: User, friends: FriendGroup
) -> None:
    made = await hangout_of(store, clock, ada, friends)
    await later(store, clock)
    (invitation,) = await read(store, ben)
    assert invitation.text == "", "there may be a day by the time that he reads it"
    for day, version in ((2, 1), (5, 2)):
        when = starts_in(clock, day * DAY)
        ctx = Context(store, ada, clock())
        await change_hangout(ctx, made.hangout_id, {"time": when}, version=version)
        await later(store, clock)
        start = datetime.fromisoformat(when.start_time or "")
        touched = await read(store, ben)
        assert touched
        assert all(f"{start:%A}, {start.day} {start:%B}" in one.text for one in touched)


async def test_five_hundred_members_are_told_a_hundred_at_a_time(
    store: Store, clock: Watch, ada: User, friends: FriendGroup
) -> None:
    people = await crowd_of(store, clock, friends, 230)
    await hangout_of(store, clock, ada, friends)
    await tidied(store, clock)
    assert [await told(store, one) for one in people] == [["hangout_new"]] * 230
    left = await store.merged(WAITING_BY_BUCKET, limit=1000)
    assert not any(one.kind == TELL for one in left.items), "no timer stays behind"


async def test_whoever_does_not_want_to_hear_of_it_is_not_told(
    store: Store, clock: Watch, ada: User, ben: User, friends: FriendGroup
) -> None:
    await store.write(update(ben.ref, notification_prefs={"hangout_new": False}))
    await hangout_of(store, clock, ada, friends)
    await tidied(store, clock)
    assert await told(store, ben) == []


async def test_what_is_carried_here_from_elsewhere_is_no_news(
    store: Store, clock: Watch, ada: User, ben: User, friends: FriendGroup
) -> None:
    made = await hangout_of(store, clock, ada, friends)
    at = clock() + 2 * DAY
    change = Change(Hangout, "insert", (), None, made, at, by_ttl=False)
    await follow_hangout(store, change)
    assert (await store.merged(WAITING_BY_BUCKET, limit=10)).items == []


class TestChanges:
    @pytest.fixture
    async def people(
        self, store: Store, clock: Watch, ada: User, ben: User, eve: User
    ) -> list[User]:
        return [ada, ben, eve, await somebody(store, clock, "Dan")]

    @pytest.fixture
    async def made(self, store: Store, clock: Watch, people: list[User]) -> Hangout:
        """A hangout of Ada's: Ben goes, Eve is interested, and Dan cannot."""
        ada, ben, eve, dan = people
        group = await group_of(store, clock, *people)
        made = await hangout_of(store, clock, ada, group, is_on=True, time=starts_in(clock, DAY))
        await says(store, clock, ben, made)
        await says(store, clock, eve, made, "INTERESTED")
        await says(store, clock, dan, made, "NOT_GOING")
        await tidied(store, clock)
        return await now_of(store, made)

    async def news(self, store: Store, people: list[User]) -> list[list[str]]:
        """What each was told besides that it is new."""
        return [
            [kind for kind in await told(store, one) if kind != "hangout_new"] for one in people
        ]

    async def test_of_a_new_time_or_place_whoever_comes_but_not_who_changed_it(
        self, store: Store, clock: Watch, people: list[User], made: Hangout
    ) -> None:
        ben = Context(store, people[1], clock())
        later_start = {"time": starts_in(clock, 2 * DAY)}
        await change_hangout(ben, made.hangout_id, later_start, version=made.version)
        await later(store, clock)
        changed = ["hangout_changed"]
        assert await self.news(store, people) == [changed, [], changed, []]

    async def test_of_changes_in_one_minute_once_and_as_they_are_then(
        self, store: Store, clock: Watch, people: list[User], made: Hangout
    ) -> None:
        ada = Context(store, people[0], clock())
        for number, name in enumerate(("The pubb", "The pub")):
            key = {"place": PUB.__class__(name=name)}
            await change_hangout(ada, made.hangout_id, key, version=made.version + number)
        await change_hangout(ada, made.hangout_id, {"title": "Songs"}, version=made.version + 2)
        await later(store, clock)
        texts = [one.text for one in await read(store, people[1]) if one.title.startswith("Ch")]
        assert len(texts) == 1
        assert texts[0].endswith(" · The pub")

    async def test_of_a_new_title_nobody(
        self, store: Store, clock: Watch, people: list[User], made: Hangout
    ) -> None:
        ada = Context(store, people[0], clock())
        await change_hangout(ada, made.hangout_id, {"title": "Songs"}, version=made.version)
        await later(store, clock)
        assert await self.news(store, people) == [[], [], [], []]

    async def test_that_it_is_cancelled_and_that_it_is_back(
        self, store: Store, clock: Watch, people: list[User], made: Hangout
    ) -> None:
        ada = Context(store, people[0], clock())
        await cancel(ada, made.hangout_id)
        await later(store, clock)
        cancelled = ["hangout_cancelled"]
        assert await self.news(store, people) == [[], cancelled, cancelled, []]
        await bring_back(ada, made.hangout_id)
        await later(store, clock)
        both = ["hangout_back", "hangout_cancelled"]
        assert await self.news(store, people) == [[], both, both, []]

    async def test_a_slip_of_the_finger_that_is_taken_back_disturbs_nobody(
        self, store: Store, clock: Watch, people: list[User], made: Hangout
    ) -> None:
        ada = Context(store, people[0], clock())
        await cancel(ada, made.hangout_id)
        await bring_back(ada, made.hangout_id)
        await later(store, clock)
        assert ["hangout_cancelled"] not in await self.news(store, people)

    async def test_of_a_past_hangout_nobody(
        self, store: Store, clock: Watch, people: list[User], made: Hangout
    ) -> None:
        clock.forward(3 * DAY)
        ada = Context(store, people[0], clock())
        await change_hangout(ada, made.hangout_id, {"place": PUB}, version=made.version)
        await cancel(ada, made.hangout_id)
        await later(store, clock)
        assert await self.news(store, people) == [[], [], [], []]

    async def test_somebody_with_another_clock_reads_whose_time_it_is(
        self, store: Store, clock: Watch, people: list[User], made: Hangout
    ) -> None:
        ben = people[1]
        await store.write(update(ben.ref, time_zone="America/New_York"))
        ada = Context(store, people[0], clock())
        await change_hangout(ada, made.hangout_id, {"place": PUB}, version=made.version)
        await later(store, clock)
        texts = [
            [one.text for one in await read(store, who) if one.title.startswith("Changed")]
            for who in people[1:3]
        ]
        assert "(Berlin time) · The pub" in texts[0][0]
        assert "Berlin" not in texts[1][0]


class TestItIsOn:
    async def test_by_hand_everybody_who_has_not_declined(
        self, store: Store, clock: Watch, ada: User, ben: User, eve: User
    ) -> None:
        group = await group_of(store, clock, ada, ben, eve)
        made = await hangout_of(store, clock, ada, group)
        await says(store, clock, eve, made, "NOT_GOING")
        await tidied(store, clock)
        await confirm(Context(store, ada, clock()), made.hangout_id)
        await later(store, clock)
        assert await told(store, ben) == ["hangout_new", "hangout_on"]
        assert await told(store, eve) == []
        assert await told(store, ada) == []

    async def test_by_an_answer_the_others(
        self, store: Store, clock: Watch, ada: User, ben: User, friends: FriendGroup
    ) -> None:
        when = starts_in(clock, DAY)
        made = await hangout_of(store, clock, ada, friends, time=when, place=PUB)
        for one in (ada, ben):
            await says(store, clock, one, made)
        await later(store, clock)
        assert await told(store, ada) == ["hangout_on"]
        assert await told(store, ben) == []

    async def test_days_after_anybody_edited_it_too(
        self, store: Store, clock: Watch, ada: User, ben: User, friends: FriendGroup
    ) -> None:
        when = starts_in(clock, 9 * DAY)
        made = await hangout_of(store, clock, ada, friends, time=when, place=PUB)
        await later(store, clock, 5 * DAY)
        for one in (ada, ben):
            await says(store, clock, one, made)
        await later(store, clock)
        assert await told(store, ada) == ["hangout_on"]

    async def test_again_where_it_was_taken_back_in_between(
        self, store: Store, clock: Watch, ada: User, ben: User, friends: FriendGroup
    ) -> None:
        made = await hangout_of(store, clock, ada, friends)
        ctx = Context(store, ada, clock())
        await confirm(ctx, made.hangout_id)
        await unconfirm(ctx, made.hangout_id)
        await confirm(ctx, made.hangout_id)
        await later(store, clock)
        assert await told(store, ben) == ["hangout_new", "hangout_on", "hangout_on"]


class TestWaitingList:
    async def test_whoever_moves_up_is_told_and_who_left_is_not(
        self, store: Store, clock: Watch, ada: User, ben: User, eve: User
    ) -> None:
        group = await group_of(store, clock, ada, ben, eve)
        made = await hangout_of(store, clock, ada, group, is_on=True, place_limit=1)
        for one in (ben, eve):
            await says(store, clock, one, made)
        await withdraw(Context(store, ben, clock()), ben, made.hangout_id)
        await withdraw(Context(store, ada, clock()), ada, made.hangout_id)
        await tidied(store, clock)
        await tidied(store, clock)
        assert await told(store, ben) == []
        assert await told(store, eve) == ["hangout_place"]

    async def test_a_parent_is_told_of_a_child_that_has_a_place(
        self, store: Store, clock: Watch, ada: User, ben: User, friends: FriendGroup
    ) -> None:
        lea = await child_of(store, clock, ben, "Lea")
        made = await hangout_of(store, clock, ada, friends, is_on=True, place_limit=1)
        ctx = Context(store, ben, clock())
        await answer(ctx, lea, made.hangout_id, TypedRsvp(status="GOING"))
        ada_now = Context(store, ada, clock())
        await change_hangout(ada_now, made.hangout_id, {"place_limit": 2}, version=1)
        await tidied(store, clock)
        assert await told(store, ben) == ["hangout_new", "hangout_place"]

    async def test_nobody_is_told_that_they_helped_themselves(
        self, store: Store, clock: Watch, ada: User, ben: User, friends: FriendGroup
    ) -> None:
        made = await hangout_of(store, clock, ada, friends, is_on=True, place_limit=1)
        await says(store, clock, ben, made)
        theirs = Context(store, ben, clock())
        await change_hangout(theirs, made.hangout_id, {"place_limit": 2}, version=1)
        await tidied(store, clock)
        assert await told(store, ben) == []


class TestReminders:
    async def test_two_hours_before_whoever_comes_once(
        self, store: Store, clock: Watch, ada: User, ben: User, eve: User
    ) -> None:
        group = await group_of(store, clock, ada, ben, eve)
        made = await hangout_of(store, clock, ada, group, is_on=True, time=starts_in(clock, DAY))
        await says(store, clock, ben, made, "INTERESTED")
        await later(store, clock, 22 * HOUR - 1)
        assert await told(store, ada) == []
        await later(store, clock, 2)
        await later(store, clock, 60)
        assert await told(store, ada) == ["hangout_reminder"]
        assert await told(store, ben) == ["hangout_reminder"]
        assert await told(store, eve) == ["hangout_new"]

    async def test_the_evening_before_a_day_or_a_weekend(
        self, store: Store, clock: Watch, ada: User
    ) -> None:
        day = datetime(2026, 6, 13, 9, tzinfo=ZoneInfo("Europe/Berlin"))
        clock.now = day.timestamp() - 3 * DAY
        when = EnteredTime(period="day", period_start=day.isoformat(), time_zone="Europe/Berlin")
        await hangout_of(store, clock, ada, is_on=True, time=when)
        await tidied(store, clock)
        clock.now = datetime(2026, 6, 12, 17, 59, tzinfo=ZoneInfo("Europe/Berlin")).timestamp()
        await tidied(store, clock)
        assert await told(store, ada) == []
        await later(store, clock, 60)
        assert await read(store, ada) == [
            Words("Coming up: Karaoke?", "Saturday, 13 June, all day")
        ]

    async def test_a_moved_one_reminds_at_its_new_time_only(
        self, store: Store, clock: Watch, ada: User
    ) -> None:
        made = await hangout_of(store, clock, ada, is_on=True, time=starts_in(clock, DAY))
        await tidied(store, clock)
        ctx = Context(store, ada, clock())
        moved = {"time": starts_in(clock, 2 * DAY)}
        await change_hangout(ctx, made.hangout_id, moved, version=1)
        await later(store, clock, DAY)
        assert await told(store, ada) == []
        await later(store, clock, 22 * HOUR + 1)
        assert await told(store, ada) == ["hangout_reminder"]

    async def test_not_of_what_is_cancelled_or_begins_soon_anyway(
        self, store: Store, clock: Watch, ada: User
    ) -> None:
        made = await hangout_of(store, clock, ada, is_on=True, time=starts_in(clock, DAY))
        await hangout_of(store, clock, ada, is_on=True, time=starts_in(clock, HOUR))
        await cancel(Context(store, ada, clock()), made.hangout_id)
        await later(store, clock, DAY)
        assert await told(store, ada) == []

    async def test_not_whoever_still_waits_for_a_place(
        self, store: Store, clock: Watch, ada: User, ben: User, friends: FriendGroup
    ) -> None:
        when = starts_in(clock, DAY)
        made = await hangout_of(store, clock, ada, friends, is_on=True, time=when, place_limit=1)
        await says(store, clock, ben, made)
        await later(store, clock, 23 * HOUR)
        assert await told(store, ada) == ["hangout_reminder"]
        assert await told(store, ben) == []
