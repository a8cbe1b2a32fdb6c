"""Reading marks all that is about a thing, and the bell counts things."""

from __future__ import annotations

import asyncio

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.errors import NotFound
from commonroom.notifications import Kind, tell
from commonroom.notifications.reading import (
    MAX_COUNTED,
    MAX_LOOKED_AT,
    look_at_unread,
    read,
    read_all,
    read_page,
    read_thing,
)
from commonroom.store import Store, counting
from tests.accounts.people import Watch
from tests.notifications.people import NEWS, count_unread, person, told


async def news(store: Store, clock: Watch, user: User, number: int) -> None:
    for one in range(number):
        clock.forward(1)
        link, what = f"/{clock()}", f"{clock()}-{one}"
        await tell(store, clock(), [user], NEWS, facts={}, link=link, id=what, by=None)


async def about(store: Store, clock: Watch, user: User, link: str, name: str) -> None:
    clock.forward(1)
    await tell(store, clock(), [user], NEWS, facts={}, link=link, id=name, by=None)


class TestCounting:
    async def test_what_is_unread_takes_one_request(self, either: Store, clock: Watch) -> None:
        ada, ben = await person(either, "Ada"), await person(either, "Ben")
        await news(either, clock, ada, 3)
        with counting() as tally:
            assert (await look_at_unread(either, ada)).badge == "3"
        assert tally.requests == 1
        assert (await look_at_unread(either, ben)).badge == "0"

    async def test_stops_where_nobody_reads_the_number(self, either: Store, clock: Watch) -> None:
        ada = await person(either, "Ada")
        await news(either, clock, ada, MAX_COUNTED)
        assert (await look_at_unread(either, ada)).badge == "20"
        await news(either, clock, ada, 5)
        assert (await look_at_unread(either, ada)).badge == "20+"

    async def test_counts_things_and_not_what_was_told_of_each(
        self, either: Store, clock: Watch
    ) -> None:
        ada = await person(either, "Ada")
        for number in range(5):
            await about(either, clock, ada, "/hangouts/1", str(number))
        await about(either, clock, ada, "/hangouts/2#cars", "car")
        assert (await look_at_unread(either, ada)).badge == "2"

    async def test_says_that_there_is_more_than_it_looked_at(
        self, store: Store, ada: User, clock: Watch
    ) -> None:
        for number in range(MAX_LOOKED_AT + 1):
            await about(store, clock, ada, "/hangouts/1", str(number))
        assert (await look_at_unread(store, ada)).badge == "1+"


class TestReading:
    async def test_one_marks_it_and_only_what_is_about_the_same_thing(
        self, either: Store, clock: Watch
    ) -> None:
        ada = await person(either, "Ada")
        await about(either, clock, ada, "/hangouts/1", "first")
        await about(either, clock, ada, "/hangouts/1#cars", "second")
        await about(either, clock, ada, "/hangouts/2", "other")
        _, newest, _ = await told(either, ada)
        await read(Context(either, ada, clock()), newest.notification_id)
        assert [one.read_at is None for one in await told(either, ada)] == [True, False, False]

    async def test_a_page_marks_what_leads_there_whatever_it_is_grouped_by(
        self, store: Store, ada: User, clock: Watch
    ) -> None:
        grouped = Kind("grouped", title=lambda _: "", text=lambda _: "", thing="all")
        for number in "12":
            link = f"/lists/{number}#comments"
            await tell(store, clock(), [ada], grouped, facts={}, link=link, id=number, by=None)
        await read_page(Context(store, ada, clock()), "/lists/1")
        assert await count_unread(store, ada) == 1
        [thing] = {one.thing for one in await told(store, ada)}
        assert thing not in (None, "all"), "a digest, because things may be named after people"
        await read_thing(Context(store, ada, clock()), thing or "")
        assert await count_unread(store, ada) == 0

    async def test_while_it_is_told_loses_nothing(self, either: Store, clock: Watch) -> None:
        ada = await person(either, "Ada")
        ctx = Context(either, ada, clock())
        await about(either, clock, ada, "/hangouts/1", "first")
        [first] = await told(either, ada)
        await asyncio.gather(
            read(ctx, first.notification_id),
            *(about(either, clock, ada, "/hangouts/1", str(number)) for number in range(5)),
        )
        assert len(await told(either, ada)) == 6
        await read_thing(ctx, "/hangouts/1")
        assert await count_unread(either, ada) == 0

    async def test_one_marks_it_and_only_it(self, either: Store, clock: Watch) -> None:
        ada = await person(either, "Ada")
        await news(either, clock, ada, 2)
        newest, oldest = await told(either, ada)
        found = await read(Context(either, ada, clock()), newest.notification_id)
        assert found.notification_id == newest.notification_id
        assert await count_unread(either, ada) == 1
        newest, oldest = await told(either, ada)
        assert newest.read_at is not None
        assert oldest.read_at is None

    async def test_one_again_changes_nothing(self, store: Store, ada: User, clock: Watch) -> None:
        await news(store, clock, ada, 1)
        [one] = await told(store, ada)
        await read(Context(store, ada, clock()), one.notification_id)
        [first] = await told(store, ada)
        clock.forward(60)
        await read(Context(store, ada, clock()), one.notification_id)
        assert await told(store, ada) == [first]

    @pytest.mark.parametrize("name", ["nothing", "", "a#b", "x" * 2000, "\udc80"])
    async def test_what_is_not_there_is_refused(
        self, store: Store, ada: User, clock: Watch, name: str
    ) -> None:
        with pytest.raises(NotFound):
            await read(Context(store, ada, clock()), name)

    async def test_what_is_somebody_else_s_is_not_there(
        self, store: Store, ada: User, clock: Watch
    ) -> None:
        ben = await person(store, "Ben")
        await news(store, clock, ben, 1)
        [his] = await told(store, ben)
        with pytest.raises(NotFound):
            await read(Context(store, ada, clock()), his.notification_id)
        assert await count_unread(store, ben) == 1

    async def test_all_leaves_nothing_unread(self, either: Store, clock: Watch) -> None:
        ada = await person(either, "Ada")
        await news(either, clock, ada, 30)
        await asyncio.gather(
            read_all(Context(either, ada, clock())), read_all(Context(either, ada, clock()))
        )
        assert await count_unread(either, ada) == 0

    async def test_all_leaves_what_came_after_the_last_look(
        self, store: Store, ada: User, clock: Watch
    ) -> None:
        await news(store, clock, ada, 2)
        seen = (await told(store, ada))[0].made_at
        await news(store, clock, ada, 1)
        await read_all(Context(store, ada, clock()), until=seen)
        assert [one.read_at is None for one in await told(store, ada)] == [True, False, False]
