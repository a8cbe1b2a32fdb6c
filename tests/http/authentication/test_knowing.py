"""Callers are looked up once, and then known for as long as nothing has changed."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path

import pytest

from commonroom.accounts.secrets import digest
from commonroom.accounts.service.sessions import SESSION_SECONDS
from commonroom.accounts.tables import ApiToken, User, tables
from commonroom.errors import CommonroomError, Forbidden, Unauthorized
from commonroom.http.authentication import Caller
from commonroom.http.timed_cache import MAX_SECONDS as TEN
from commonroom.http.versioned_cache import MAX_SECONDS
from commonroom.store import Store, counting, update
from commonroom.store.dynamodb import connect
from tests.accounts.people import Watch
from tests.http.authentication.asking import asks, door, furnished, outcome
from tests.http.authentication.somebody import (
    ACTING,
    ACTORS,
    BROWSER,
    COOKIE,
    HAPPENINGS,
    PROGRAM,
    SHOWN,
    STILL_ACTING,
    TOKEN,
    furnish,
)
from tests.support.dynamodb_local import settings_for


class TestSomebodyWhoComesAgain:
    @pytest.mark.parametrize("who", SHOWN)
    async def test_is_known_without_being_looked_up(
        self, store: Store, clock: Watch, who: str
    ) -> None:
        app = door(store)
        first = await asks(app, SHOWN[who], clock())
        with counting() as tally:
            again = await asks(app, SHOWN[who], clock())
        assert (again, tally.requests) == (first, 0)
        assert first.person.user_id == "ben"
        assert (first.acting_as is not None) is (who in ACTORS)

    @pytest.mark.parametrize("who", SHOWN)
    async def test_is_looked_up_after_a_minute(self, store: Store, clock: Watch, who: str) -> None:
        app = door(store)
        await asks(app, SHOWN[who], clock())
        clock.forward(MAX_SECONDS)
        with counting() as tally:
            await asks(app, SHOWN[who], clock())
        assert tally.reads >= 2

    async def test_is_nobody_else(self, store: Store, clock: Watch) -> None:
        app = door(store)
        for headers in SHOWN.values():
            await asks(app, headers, clock())
        assert await asks(app, {"cookie": "session=another"}, clock()) == Caller()
        assert await asks(app, {}, clock()) == Caller()
        for wrong in (f"Bearer {COOKIE}", f"Bearer x{TOKEN}", f"Basic {TOKEN}"):
            with pytest.raises(Unauthorized):
                await asks(app, {"authorization": wrong}, clock())

    async def test_acts_only_for_whom_the_request_says(self, store: Store, clock: Watch) -> None:
        app = door(store)
        assert (await asks(app, BROWSER | ACTING, clock())).acting_as is not None
        assert (await asks(app, BROWSER, clock())).acting_as is None
        assert (await asks(app, STILL_ACTING, clock())).acting_as is not None
        with pytest.raises(Forbidden):
            await asks(app, BROWSER | {"x-acting-as-member": "ada"}, clock())

    async def test_needs_the_cookie_of_the_scheme(self, store: Store, clock: Watch) -> None:
        app = door(store)
        secure = {"cookie": f"__Host-session={COOKIE}"}
        for headers, scheme, known in (
            (BROWSER, "http", True),
            (BROWSER, "https", False),
            (secure, "https", True),
            (secure, "http", False),
        ):
            caller = await asks(app, headers, clock(), scheme=scheme)
            assert (caller.account is not None) is known

    async def test_and_is_nobody_is_looked_up_every_time(self, store: Store, clock: Watch) -> None:
        app = door(store)
        for _ in range(3):
            with counting() as tally:
                assert await asks(app, {"cookie": "session=another"}, clock()) == Caller()
            assert tally.reads == 1


class TestRunningOut:
    async def test_a_token_is_known_to_its_last_second_and_no_longer(
        self, store: Store, clock: Watch
    ) -> None:
        await store.write(update(ApiToken.at(digest=digest(TOKEN)), ttl=int(clock()) + 30))
        app = door(store)
        await asks(app, PROGRAM, clock())
        clock.forward(29)
        with counting() as tally:
            assert (await asks(app, PROGRAM, clock())).token is not None
        assert tally.requests == 0
        clock.forward(1)
        with pytest.raises(Unauthorized):
            await asks(app, PROGRAM, clock())

    async def test_a_session_ends_when_its_browser_stayed_away(
        self, store: Store, clock: Watch
    ) -> None:
        app = door(store)
        assert (await asks(app, BROWSER, clock())).session is not None
        clock.forward(SESSION_SECONDS)
        assert await asks(app, BROWSER, clock()) == Caller()


class TestThatTheyWereHere:
    @pytest.mark.parametrize("who", ["browser", "program"])
    async def test_is_noted_as_often_as_if_nobody_were_remembered(
        self, tmp_path: Path, who: str
    ) -> None:
        remembered = await self.noted(tmp_path / "remembered.db", who, remembering=True)
        looked_up = await self.noted(tmp_path / "looked-up.db", who, remembering=False)
        assert remembered == looked_up
        assert len(remembered) == 3

    async def noted(self, path: Path, who: str, *, remembering: bool) -> list[float]:
        """When it was noted, in sixteen minutes in which they ask every ten seconds."""
        clock = Watch()
        times: list[float] = []
        async with furnished(path, clock) as store:
            app = door(store)
            for _ in range(96):
                with counting() as tally:
                    await asks(app if remembering else door(store), SHOWN[who], clock())
                times += [clock()] * tally.writes
                clock.forward(10)
        return times


class TestOnDynamoDB:
    """Two processes on the same tables, each with a door and a connection of its own."""

    @pytest.fixture
    async def stores(self, empty_dynamodb: str, clock: Watch) -> AsyncIterator[tuple[Store, Store]]:
        where = settings_for(empty_dynamodb)
        async with await connect(where, clock) as one, await connect(where, clock) as other:
            await one.create_tables(tables)
            await furnish(Store(one))
            yield Store(one), Store(other)

    async def test_somebody_is_known_for_ten_seconds_and_no_longer(
        self, stores: tuple[Store, Store], clock: Watch
    ) -> None:
        app = door(stores[0])
        reads = []
        for seconds in (0, TEN / 2, TEN / 2 - 1, 1):
            clock.forward(seconds)
            with counting() as tally:
                assert (await asks(app, BROWSER, clock())).person.user_id == "ben"
            reads.append(tally.reads)
        assert reads == [2, 0, 0, 2]

    async def test_whoever_changes_something_is_looked_up_every_time(
        self, stores: tuple[Store, Store], clock: Watch
    ) -> None:
        app = door(stores[0])
        for _ in range(3):
            with counting() as tally:
                await asks(app, BROWSER, clock(), fresh=True)
            assert tally.reads == 2

    async def test_what_others_do_to_others_forgets_nobody(
        self, stores: tuple[Store, Store], clock: Watch
    ) -> None:
        store = stores[0]
        app = door(store)
        await asks(app, BROWSER, clock())
        await store.write(update(User.at(user_id="ada"), display_name="Ada again"))
        with counting() as tally:
            await asks(app, BROWSER, clock())
        assert tally.requests == 0

    @pytest.mark.parametrize("happening", HAPPENINGS)
    async def test_a_change_counts_at_once_where_it_is_made_and_elsewhere_within_ten_seconds(
        self, stores: tuple[Store, Store], clock: Watch, happening: str
    ) -> None:
        here, there = map(door, stores)
        before = {who: await outcome(there, SHOWN[who], clock()) for who in SHOWN}
        for who in SHOWN:
            await outcome(here, SHOWN[who], clock())
        with suppress(CommonroomError):
            await HAPPENINGS[happening](stores[0])
        now = {who: await outcome(door(stores[0]), SHOWN[who], clock()) for who in SHOWN}
        assert {who: await outcome(here, SHOWN[who], clock()) for who in SHOWN} == now
        clock.forward(TEN - 1)
        assert {who: await outcome(there, SHOWN[who], clock()) for who in SHOWN} == before
        clock.forward(1)
        assert {who: await outcome(there, SHOWN[who], clock()) for who in SHOWN} == now

    @pytest.mark.parametrize("happening", HAPPENINGS)
    async def test_whoever_changes_something_elsewhere_is_seen_as_they_are(
        self, stores: tuple[Store, Store], clock: Watch, happening: str
    ) -> None:
        there = door(stores[1])
        for who in SHOWN:
            await outcome(there, SHOWN[who], clock())
        with suppress(CommonroomError):
            await HAPPENINGS[happening](stores[0])
        now = {who: await outcome(door(stores[0]), SHOWN[who], clock()) for who in SHOWN}
        seen = {who: await outcome(there, SHOWN[who], clock(), fresh=True) for who in SHOWN}
        assert seen == now
        assert {who: await outcome(there, SHOWN[who], clock()) for who in SHOWN} == now
