"""What is unread is counted with one request; reading counts once."""

from __future__ import annotations

import asyncio

import pytest

from commonroom.accounts.tables import User
from commonroom.errors import NotFound
from commonroom.notify import tell
from commonroom.notify.reading import MOST_COUNTED, counted, read, read_all, unread
from commonroom.store import Store, counting
from tests.accounts.people import Watch
from tests.notify.people import NEWS, person, told


async def news(store: Store, clock: Watch, user: User, number: int) -> None:
    for one in range(number):
        clock.forward(1)
        await tell(store, clock(), [user], NEWS, facts={}, link="/", id=f"{clock()}-{one}")


class TestCounting:
    async def test_what_is_unread_takes_one_request(self, either: Store, clock: Watch) -> None:
        ada, ben = await person(either, "Ada"), await person(either, "Ben")
        await news(either, clock, ada, 3)
        with counting() as tally:
            assert await unread(either, ada) == 3
        assert tally.requests == 1
        assert await unread(either, ben) == 0

    async def test_stops_where_nobody_reads_the_number(self, either: Store, clock: Watch) -> None:
        ada = await person(either, "Ada")
        await news(either, clock, ada, MOST_COUNTED)
        assert counted(await unread(either, ada)) == "20"
        await news(either, clock, ada, 5)
        assert counted(await unread(either, ada)) == "20+"


class TestReading:
    async def test_one_marks_it_and_only_it(self, either: Store, clock: Watch) -> None:
        ada = await person(either, "Ada")
        await news(either, clock, ada, 2)
        newest, oldest = await told(either, ada)
        found = await read(either, clock(), ada, newest.notification_id)
        assert found.notification_id == newest.notification_id
        assert await unread(either, ada) == 1
        newest, oldest = await told(either, ada)
        assert newest.read_at is not None
        assert oldest.read_at is None

    async def test_one_again_changes_nothing(self, store: Store, ada: User, clock: Watch) -> None:
        await news(store, clock, ada, 1)
        [one] = await told(store, ada)
        await read(store, clock(), ada, one.notification_id)
        [first] = await told(store, ada)
        clock.forward(60)
        await read(store, clock(), ada, one.notification_id)
        assert await told(store, ada) == [first]

    @pytest.mark.parametrize("name", ["nothing", "", "a#b", "x" * 2000, "\udc80"])
    async def test_what_is_not_there_is_refused(
        self, store: Store, ada: User, clock: Watch, name: str
    ) -> None:
        with pytest.raises(NotFound):
            await read(store, clock(), ada, name)

    async def test_what_is_somebody_else_s_is_not_there(
        self, store: Store, ada: User, clock: Watch
    ) -> None:
        ben = await person(store, "Ben")
        await news(store, clock, ben, 1)
        [his] = await told(store, ben)
        with pytest.raises(NotFound):
            await read(store, clock(), ada, his.notification_id)
        assert await unread(store, ben) == 1

    async def test_all_leaves_nothing_unread(self, either: Store, clock: Watch) -> None:
        ada = await person(either, "Ada")
        await news(either, clock, ada, 30)
        await asyncio.gather(read_all(either, clock(), ada), read_all(either, clock(), ada))
        assert await unread(either, ada) == 0

    async def test_all_leaves_what_came_after_the_last_look(
        self, store: Store, ada: User, clock: Watch
    ) -> None:
        await news(store, clock, ada, 2)
        seen = (await told(store, ada))[0].made_at
        await news(store, clock, ada, 1)
        await read_all(store, clock(), ada, until=seen)
        assert [one.read_at is None for one in await told(store, ada)] == [True, False, False]
