"""A feed is one query, a person's list one per partition, and nothing grows with the data."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import pytest
from msgspec.structs import replace

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.errors import NotFound
from commonroom.hangouts.rules.agenda import agenda_entry
from commonroom.hangouts.service.agenda import see_agenda
from commonroom.hangouts.service.detail import see_hangout
from commonroom.hangouts.service.edits import change_hangout
from commonroom.hangouts.service.hangouts import cancel
from commonroom.hangouts.service.invite_codes import create_code, join
from commonroom.hangouts.service.listing import HangoutRow, group_scope, own_scope
from commonroom.hangouts.service.lists import (
    Sections,
    floating,
    group_feed,
    group_floating,
    month,
    stretch,
    upcoming,
)
from commonroom.hangouts.service.members import leave_group
from commonroom.hangouts.service.pointers import new_pointers
from commonroom.hangouts.service.rsvps import TypedRsvp, answer
from commonroom.hangouts.tables import (
    EnteredTime,
    FriendGroup,
    Hangout,
    HangoutPointer,
    TalkMessage,
)
from commonroom.moments import iso
from commonroom.store import Store, counting, create
from commonroom.store.errors import BadCursor
from tests.accounts.people import Watch
from tests.hangouts.friends import (
    DAY,
    HOUR,
    group_of,
    hangout_of,
    somebody,
    starts_in,
    tidied,
)


def titles(listed: Sequence[HangoutRow]) -> list[str]:
    return [one.row.title for one in listed]


async def many(store: Store, like: Hangout, number: int, *groups: FriendGroup) -> None:
    """Copies of a hangout's pointers in groups, as if it had been made so many times before."""
    ids = [f"00000000-{one:04}" for one in range(number)]
    copies = [
        replace(like, hangout_id=one, group_ids=[group.group_id], invited_user_ids=[])
        for one in ids
        for group in groups
    ]
    items = [pointer.to_item() for one in copies for pointer in new_pointers(one)]
    for start in range(0, len(items), 100):
        await store.engine.load(HangoutPointer.schema.table, items[start : start + 100])


async def ideas_behind(ctx: Context, who: User, shown: Sections) -> set[str]:
    """All of somebody's hangouts without a day, page by page, each once."""
    seen = [one.row.hangout_id for one in shown.floating]
    cursor = shown.more_floating
    while cursor is not None:
        page = await floating(ctx, who, cursor=cursor)
        seen += [one.row.hangout_id for one in page.items]
        cursor = page.cursor
    assert len(seen) == len(set(seen))
    return set(seen)


class TestFeed:
    async def test_it_shows_what_is_on_what_comes_what_floats_and_what_went_quiet(
        self, store: Store, clock: Watch, ada: User, friends: FriendGroup
    ) -> None:
        await hangout_of(store, clock, ada, friends, title="Quiet")
        await hangout_of(
            store, clock, ada, friends, title="Trip", time=starts_in(clock, HOUR, lasts=9 * DAY)
        )
        await hangout_of(store, clock, ada, friends, title="Over", time=starts_in(clock, HOUR + 1))
        clock.forward(6 * DAY)
        cancelled = await hangout_of(store, clock, ada, friends, title="Cancelled")
        await cancel(Context(store, ada, clock()), cancelled.hangout_id)
        clock.forward(60)
        await hangout_of(store, clock, ada, friends, title="Idea")
        clock.forward(60)
        await hangout_of(store, clock, ada, friends, title="Newer idea")
        for title, hours in (("Later", 30), ("Sooner", 20)):
            time = starts_in(clock, hours * HOUR)
            await hangout_of(store, clock, ada, friends, title=title, time=time)
        shown = (await group_feed(Context(store, ada, clock()), ada, friends.group_id)).sections
        assert titles(shown.in_progress) == ["Trip"]
        assert titles(shown.upcoming) == ["Sooner", "Later"]
        assert titles(shown.floating) == ["Newer idea", "Idea", "Cancelled", "Quiet"]
        assert shown.later is None
        assert shown.has_earlier
        ctx = Context(store, ada, clock())
        past = await stretch(ctx, ada, await group_scope(ctx, friends.group_id))
        assert titles(past.items) == ["Trip", "Over"]

    async def test_it_has_ones_own_answer_and_the_makers_name(
        self, store: Store, clock: Watch, ada: User, ben: User, friends: FriendGroup
    ) -> None:
        made = await hangout_of(store, clock, ada, friends)
        ctx = Context(store, ben, clock())
        await answer(ctx, ben, made.hangout_id, TypedRsvp(status="GOING"))
        (one,) = (await group_feed(ctx, ben, friends.group_id)).sections.floating
        assert one.rsvp is not None
        assert (one.rsvp.status, one.made_by, one.row.going_count) == ("GOING", "Ada", 1)

    async def test_a_stranger_sees_nothing(
        self, store: Store, clock: Watch, eve: User, friends: FriendGroup
    ) -> None:
        with pytest.raises(NotFound):
            await group_feed(Context(store, eve, clock()), eve, friends.group_id)
        with pytest.raises(NotFound):
            await group_scope(Context(store, eve, clock()), friends.group_id)

    async def test_what_is_to_come_or_floats_is_found_behind_hundreds_that_were_made_later(
        self, store: Store, clock: Watch, ada: User, friends: FriendGroup
    ) -> None:
        idea = await hangout_of(store, clock, ada, friends, title="Old idea")
        soon = await hangout_of(
            store, clock, ada, friends, title="Planned long ago", time=starts_in(clock, 99 * DAY)
        )
        trip = await hangout_of(
            store, clock, ada, friends, title="Trip", time=starts_in(clock, DAY, lasts=9 * DAY)
        )
        over = await hangout_of(store, clock, ada, friends, title="X", time=starts_in(clock, 0))
        for number in range(120):
            pointer = HangoutPointer(
                **{
                    name: getattr(over, name)
                    for name in HangoutPointer.__struct_fields__
                    if hasattr(over, name)
                }
                | {"hangout_id": f"f{number:03}", "group_id": friends.group_id}
            )
            await store.write(create(pointer))
        clock.forward(3 * DAY)
        shown = (await group_feed(Context(store, ada, clock()), ada, friends.group_id)).sections
        assert [one.row.hangout_id for one in shown.upcoming] == [soon.hangout_id]
        assert [one.row.hangout_id for one in shown.floating] == [idea.hangout_id]
        assert [one.row.hangout_id for one in shown.in_progress] == [trip.hangout_id]


class TestRequests:
    """Every view states its number of requests; it does not grow with what there is."""

    @pytest.mark.parametrize("hangouts", [1, 50])
    @pytest.mark.parametrize("members", [2, 40])
    async def test_a_feed_is_three(
        self, store: Store, clock: Watch, ada: User, hangouts: int, members: int
    ) -> None:
        others = [await somebody(store, clock, f"P{number}") for number in range(members - 1)]
        group = await group_of(store, clock, ada, *others)
        made = await hangout_of(store, clock, ada, group, time=starts_in(clock, DAY))
        await many(store, made, hangouts - 1, group)
        with counting() as tally:
            shown = await group_feed(Context(store, ada, clock()), ada, group.group_id)
        assert len(shown.sections.upcoming) == hangouts
        assert tally.requests == 3

    async def test_a_feed_of_thousands_is_a_few_more(
        self, store: Store, clock: Watch, ada: User, friends: FriendGroup
    ) -> None:
        made = await hangout_of(store, clock, ada, friends, time=starts_in(clock, DAY))
        await many(store, made, 1500, friends)
        with counting() as tally:
            shown = await group_feed(Context(store, ada, clock()), ada, friends.group_id)
        assert len(shown.sections.upcoming) == 50
        assert shown.sections.later is not None
        # All 1,500 start in one second, which is read whole.
        assert tally.requests <= 9

    @pytest.mark.parametrize(
        "sizes", [(1, 1, 2), (50, 1, 2), (1, 10, 2), (1, 1, 40), (50, 10, 40)], ids=str
    )
    async def test_a_persons_list_is_one_for_each_partition_and_four(
        self, store: Store, clock: Watch, ada: User, sizes: tuple[int, int, int]
    ) -> None:
        hangouts, groups, members = sizes
        others = [await somebody(store, clock, f"P{number}") for number in range(members - 1)]
        theirs = [await group_of(store, clock, ada, *others)]
        theirs += [await group_of(store, clock, ada, name=f"G{n}") for n in range(groups - 1)]
        made = await hangout_of(store, clock, ada, theirs[0], time=starts_in(clock, DAY))
        await many(store, made, hangouts - 1, theirs[-1])
        ctx = Context(store, ada, clock())
        with counting() as tally:
            shown = await upcoming(ctx, ada, await own_scope(ctx))
        assert len(shown.upcoming) == hangouts
        assert tally.requests == groups + 1 + 4

    async def test_a_persons_list_with_all_that_it_can_hold_is_one_for_each_partition_and_five(
        self, store: Store, clock: Watch, ada: User, friends: FriendGroup
    ) -> None:
        soon = await hangout_of(store, clock, ada, friends, time=starts_in(clock, DAY))
        trip = await hangout_of(
            store, clock, ada, friends, time=starts_in(clock, -2 * DAY, lasts=9 * DAY)
        )
        idea = await hangout_of(store, clock, ada, friends)
        copies = [
            replace(
                like,
                hangout_id=f"0-{number}-{more}",
                created_by=f"p{number}-{more}",
                created_at=iso(clock() - more),
                start_timestamp=like.start_timestamp and like.start_timestamp + more,
            )
            for number, (like, times) in enumerate(((soon, 60), (trip, 10), (idea, 30)))
            for more in range(1, times)
        ]
        entries = [agenda_entry(one, ada.user_id, None, ()) for one in [trip, *copies]]
        pointers = [pointer for one in copies for pointer in new_pointers(one)]
        items = [one.to_item() for one in [*copies, *entries, *pointers]]
        await store.engine.load(Hangout.schema.table, items)
        ctx = Context(store, ada, clock())
        with counting() as tally:
            shown = await upcoming(ctx, ada, await own_scope(ctx))
        assert (len(shown.upcoming), len(shown.in_progress), len(shown.floating)) == (50, 8, 25)
        assert shown.later is not None
        assert shown.more_floating is not None
        assert tally.requests == 2 + 5

    @pytest.mark.parametrize("hangouts", [1, 50])
    async def test_a_month_is_one_for_each_partition_and_two(
        self, store: Store, clock: Watch, ada: User, friends: FriendGroup, hangouts: int
    ) -> None:
        made = await hangout_of(store, clock, ada, friends, time=starts_in(clock, DAY))
        await many(store, made, hangouts - 1, friends)
        now, ctx = int(clock()), Context(store, ada, clock())
        with counting() as tally:
            found = await month(ctx, ada, await own_scope(ctx), now, now + 30 * DAY)
        assert len(found) == hangouts
        assert tally.requests == 2 + 2

    @pytest.mark.parametrize("people", [2, 40])
    async def test_a_hangout_with_everything_on_it_is_two(
        self, store: Store, clock: Watch, ada: User, people: int
    ) -> None:
        others = [await somebody(store, clock, f"P{number}") for number in range(people - 1)]
        group = await group_of(store, clock, ada, *others)
        made = await hangout_of(store, clock, ada, group, is_on=True)
        for one in others:
            ctx = Context(store, one, clock())
            await answer(ctx, one, made.hangout_id, TypedRsvp(status="GOING"))
        said = [
            TalkMessage(
                hangout_id=made.hangout_id,
                message_id=f"{number:04}",
                user_id=ada.user_id,
                text="x",
                sent_at="",
            ).to_item()
            for number in range(300)
        ]
        await store.engine.load(TalkMessage.schema.table, said)
        with counting() as tally:
            seen = await see_hangout(Context(store, ada, clock()), ada, made.hangout_id)
        assert len(seen.things.answers) == people
        assert tally.requests == 2


class TestOwnList:
    async def test_it_has_groups_and_invitations_each_once_in_time_order(
        self, store: Store, clock: Watch, ada: User, ben: User, friends: FriendGroup
    ) -> None:
        club = await group_of(store, clock, ben, ada, name="Club")
        for title, hours, groups, invited in (
            ("Third", 30, [friends, club], []),
            ("First", 10, [club], [ada.user_id]),
            ("Second", 20, [], [ada.user_id]),
        ):
            await hangout_of(
                store,
                clock,
                ben,
                *groups,
                title=title,
                invited_user_ids=invited,
                time=starts_in(clock, hours * HOUR),
            )
        await hangout_of(store, clock, ben, title="Ben's own", time=starts_in(clock, HOUR))
        await hangout_of(store, clock, ben, friends, club, title="Idea")
        await tidied(store, clock)
        ctx = Context(store, ada, clock())
        shown = await upcoming(ctx, ada, await own_scope(ctx))
        assert titles(shown.upcoming) == ["First", "Second", "Third"]
        assert titles(shown.floating) == ["Idea"]

    async def test_a_group_that_somebody_left_is_gone_at_once_whatever_the_index_says(
        self, store: Store, clock: Watch, ada: User, ben: User, friends: FriendGroup
    ) -> None:
        await hangout_of(store, clock, ada, friends, time=starts_in(clock, DAY))

        await hangout_of(store, clock, ada, friends, title="Idea")
        await tidied(store, clock)
        ctx = Context(store, ben, clock())
        scope = await own_scope(ctx)
        shown = await upcoming(ctx, ben, scope)
        assert (len(shown.upcoming), len(shown.floating)) == (1, 1)
        await leave_group(ctx, friends.group_id)  # an index may say the same for a while
        shown = await upcoming(ctx, ben, scope)
        assert shown.upcoming == shown.floating == []

    async def test_an_idea_is_in_its_makers_list_at_once_and_stays_when_it_is_cancelled(
        self, store: Store, clock: Watch, ada: User, ben: User, friends: FriendGroup
    ) -> None:
        made = await hangout_of(store, clock, ada, invited_user_ids=[ben.user_id])
        ctx = Context(store, ada, clock())
        assert titles((await upcoming(ctx, ada, await own_scope(ctx))).floating) == ["Karaoke?"]
        await cancel(ctx, made.hangout_id)
        await tidied(store, clock)
        for who in (ada, ben):
            theirs = Context(store, who, clock())
            (one,) = (await upcoming(theirs, who, await own_scope(theirs))).floating
            assert one.row.cancelled_at is not None
            assert (await see_agenda(theirs, who)).needs == []

    async def test_whoever_joins_a_group_has_all_its_ideas_and_what_goes_on(
        self, store: Store, clock: Watch, ada: User, eve: User, friends: FriendGroup
    ) -> None:
        like = await hangout_of(store, clock, ada, friends)
        copies = [
            replace(like, hangout_id=f"00000000-{one:04}", invited_user_ids=[])
            for one in range(119)
        ]
        things = [thing for one in copies for thing in (one, *new_pointers(one))]
        await store.engine.load(Hangout.schema.table, [one.to_item() for one in things])
        time = starts_in(clock, -3 * DAY, lasts=9 * DAY)
        await hangout_of(store, clock, ada, friends, title="Trip", time=time)
        code = await create_code(Context(store, ada, clock()), friends.group_id)
        await join(Context(store, eve, clock()), code.code)
        await tidied(store, clock)
        ctx = Context(store, eve, clock())
        shown = await upcoming(ctx, eve, await own_scope(ctx))
        assert titles(shown.in_progress) == ["Trip"]
        assert len(await ideas_behind(ctx, eve, shown)) == 120

    async def test_somebody_without_groups_has_an_empty_one(
        self, store: Store, clock: Watch, eve: User
    ) -> None:
        ctx = Context(store, eve, clock())
        shown = await upcoming(ctx, eve, await own_scope(ctx))
        assert shown.upcoming == shown.floating == shown.in_progress == []


class TestMonth:
    async def test_it_has_whatever_is_on_in_it_also_what_began_before(
        self, store: Store, clock: Watch, ada: User, friends: FriendGroup
    ) -> None:
        zone = "+00:00"
        for title, start, over in (
            ("Before", "2290-04-30T20:00", "2290-05-01T00:00"),
            ("Into it", "2290-04-30T23:00", "2290-05-01T00:01"),
            ("Trip", "2290-04-20T10:00", "2290-05-02T10:00"),
            ("Last", "2290-05-31T23:59", "2290-06-01T02:00"),
            ("After", "2290-06-01T00:00", "2290-06-01T02:00"),
        ):
            time = EnteredTime(start_time=start + zone, end_time=over + zone)
            await hangout_of(store, clock, ada, friends, title=title, time=time)
        first, end = (
            int(datetime.fromisoformat(f"2290-{one}-01T00:00{zone}").timestamp())
            for one in ("05", "06")
        )
        ctx = Context(store, ada, clock())
        found = await month(ctx, ada, await own_scope(ctx), first, end)
        assert titles(found) == ["Trip", "Into it", "Last"]
        of_group = await month(ctx, ada, await group_scope(ctx, friends.group_id), first, end)
        assert titles(of_group) == titles(found)


class TestCursors:
    async def test_one_of_another_list_is_refused(
        self, store: Store, clock: Watch, ada: User, friends: FriendGroup
    ) -> None:
        await hangout_of(store, clock, ada, friends, time=starts_in(clock, -DAY))
        ctx = Context(store, ada, clock())
        own = (await stretch(ctx, ada, await own_scope(ctx))).later
        scope = await group_scope(ctx, friends.group_id)
        for cursor in (own, "x", ""):
            with pytest.raises(BadCursor):
                await stretch(ctx, ada, scope, after=cursor)

    async def test_floating_ones_go_on_behind_a_cursor(
        self, store: Store, clock: Watch, ada: User, friends: FriendGroup
    ) -> None:
        made = await hangout_of(store, clock, ada, friends)
        await many(store, made, 119, friends)
        ctx = Context(store, ada, clock())
        group_ids = {"group_ids": [friends.group_id], "invited_user_ids": []}
        copies = [replace(made, hangout_id=f"00000000-{one:04}", **group_ids) for one in range(119)]
        entries = [agenda_entry(one, ada.user_id, None, ()) for one in copies]
        items = [one.to_item() for one in [*copies, *entries]]
        await store.engine.load(Hangout.schema.table, items)
        shown = await upcoming(ctx, ada, await own_scope(ctx))
        assert len(await ideas_behind(ctx, ada, shown)) == 120
        feed = (await group_feed(ctx, ada, friends.group_id)).sections
        seen = [one.row.hangout_id for one in feed.floating]
        cursor = feed.more_floating
        while cursor is not None:
            page = await group_floating(ctx, ada, friends.group_id, cursor=cursor)
            seen += [one.row.hangout_id for one in page.items]
            cursor = page.cursor
        assert len(set(seen)) == 120

    async def test_a_moved_hangout_is_where_it_is_now(
        self, store: Store, clock: Watch, ada: User, friends: FriendGroup
    ) -> None:
        made = await hangout_of(store, clock, ada, friends, time=starts_in(clock, DAY))
        ctx = Context(store, ada, clock())
        time = starts_in(clock, 5 * DAY)
        await change_hangout(ctx, made.hangout_id, {"time": time}, version=1)
        (one,) = (await upcoming(ctx, ada, await own_scope(ctx))).upcoming
        assert one.row.start_timestamp == int(clock() + 5 * DAY)
