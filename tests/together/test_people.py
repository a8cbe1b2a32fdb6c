"""A person's page: what two people share in any room, and nothing for anybody else."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import cast

import pytest
from httpx import AsyncClient

from commonroom.accounts.context import Context
from commonroom.accounts.service import sessions
from commonroom.accounts.tables import User
from commonroom.hangouts.room import HANGOUTS
from commonroom.hangouts.service.members import leave_group
from commonroom.hangouts.service.rsvps import TypedRsvp, answer
from commonroom.hangouts.tables import RsvpStatus
from commonroom.http.authentication import COOKIE
from commonroom.library.service.items import add_item
from commonroom.library.service.libraries import create_library, share, unshare
from commonroom.library.service.loans import lend, return_item
from commonroom.library.tables import Book, owner_id_of
from commonroom.movienight.service.household_context import find_household_context
from commonroom.movienight.service.households import create_household
from commonroom.movienight.service.invites import create_invite, join
from commonroom.movienight.service.members import add_managed
from commonroom.store import counting
from commonroom.store.streams import Worker
from tests.accounts.people import Watch
from tests.hangouts.friends import DAY, group_of, hangout_of, somebody, starts_in
from tests.house.whole import Whole, whole
from tests.support.pages import text


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[Whole]:
    """A house where Ada lives."""
    async with whole(tmp_path) as made:
        yield made


@pytest.fixture
def clock() -> Watch:
    """The time as it is."""
    made = Watch()
    made.now = time.time()
    return made


@pytest.fixture
async def ben(house: Whole, clock: Watch) -> User:
    """Somebody else with an account."""
    return await somebody(house.store, clock, "Ben")


async def browser_of(house: Whole, person: User) -> AsyncClient:
    """Somebody's browser."""
    client = await house.guest()
    secret = await sessions.open_session(house.store, time.time(), person)
    client.cookies.set(COOKIE, secret, domain="commonroom.test")
    return client


async def now_of(house: Whole, person: User) -> User:
    found = await house.store.get(person.ref)
    assert found is not None
    return found


async def pages_of(house: Whole, one: User, other: User) -> list[tuple[int, str]]:
    """What each of two sees of the other."""
    return [await page_of(house, reader, person) for reader, person in ((one, other), (other, one))]


async def page_of(house: Whole, reader: User, person: User) -> tuple[int, str]:
    answer = await (await browser_of(house, reader)).get(f"/people/{person.user_id}")
    return answer.status_code, text(answer)


async def share_household(house: Whole, ben: User) -> None:
    """Ada and Ben live together."""
    await create_household(Context(house.store, house.ada, time.time()), name="The Foxes")
    ada = await now_of(house, house.ada)
    seat = await find_household_context(Context(house.store, ada, time.time()), ada)
    assert seat is not None
    link = await create_invite(seat)
    await join(Context(house.store, ben, time.time()), link.token)


async def a_loan(house: Whole, to: User) -> tuple[str, str]:
    """Ada lends somebody a book."""
    ctx = Context(house.store, house.ada, time.time())
    library = await create_library(ctx, name="Home")
    kept = await add_item(ctx, library.library_id, kind=Book, given={"title": "Emma"})
    where = (library.library_id, kept.item.item_id)
    await lend(ctx, *where, to=to.display_name, due="2033-01-31", email=to.email)
    return where


class TestNobody:
    async def test_sees_strangers_and_cannot_tell_them_from_nobody(
        self, house: Whole, ben: User
    ) -> None:
        browser = await browser_of(house, house.ada)
        stranger = await browser.get(f"/people/{ben.user_id}")
        nobody = await browser.get("/people/00000000-0000-0000-0000-000000000000")
        assert stranger.status_code == nobody.status_code == 404
        assert text(stranger) == text(nobody)
        assert "Ben" not in stranger.text

    async def test_sees_anybody_without_an_account(self, house: Whole) -> None:
        answer = await (await house.guest()).get(f"/people/{house.ada.user_id}")
        assert answer.status_code in {303, 401}
        assert "Ada" not in answer.text

    @pytest.mark.parametrize("user_id", ["%00", "a" * 5000, "..%2f", "é", "%ff"])
    async def test_falls_over_odd_ids(self, house: Whole, user_id: str) -> None:
        answer = await (await browser_of(house, house.ada)).get(f"/people/{user_id}")
        assert answer.status_code in {400, 404}


class TestWhoSharesSomething:
    async def test_sees_the_household(self, house: Whole, ben: User) -> None:
        await share_household(house, ben)
        ben = await now_of(house, ben)
        for status, page in await pages_of(house, await now_of(house, house.ada), ben):
            assert status == 200
            assert "Household The Foxes" in page

    async def test_sees_groups_of_both_until_one_leaves(
        self, house: Whole, ben: User, clock: Watch
    ) -> None:
        shared = await group_of(house.store, clock, house.ada, ben, name="Friends")
        await group_of(house.store, clock, house.ada, name="Only Ada")
        for status, page in await pages_of(house, house.ada, ben):
            assert status == 200
            assert "Friends" in page
            assert "Only Ada" not in page
        await leave_group(Context(house.store, ben, time.time()), shared.group_id)
        assert [status for status, _ in await pages_of(house, house.ada, ben)] == [404, 404]

    async def test_sees_plans_of_both_and_no_others(
        self, house: Whole, ben: User, clock: Watch
    ) -> None:
        group = await group_of(house.store, clock, house.ada, ben)
        for title, status in (("Karaoke", "GOING"), ("Chess", "NOT_GOING")):
            soon = starts_in(clock, 3 * DAY)
            made = await hangout_of(house.store, clock, house.ada, group, title=title, time=soon)
            for person, said in ((house.ada, "GOING"), (ben, status)):
                typed = TypedRsvp(status=cast("RsvpStatus", said))
                await answer(Context(house.store, person, clock()), person, made.hangout_id, typed)
        await Worker(house.store, HANGOUTS.data.consumers).drain()
        for _, page in await pages_of(house, house.ada, ben):
            assert "Planned together Karaoke" in page
            assert "Chess" not in page

    async def test_sees_loans_until_they_are_returned(self, house: Whole, ben: User) -> None:
        where = await a_loan(house, ben)
        (_, lender), (_, borrower) = await pages_of(house, house.ada, ben)
        assert "You lent to Ben Emma Due 31 January 2033" in lender
        assert "You borrowed from Ada Emma" in borrower
        await return_item(Context(house.store, house.ada, time.time()), *where)
        assert [status for status, _ in await pages_of(house, house.ada, ben)] == [404, 404]

    async def test_sees_nothing_of_what_is_shared_with_others(
        self, house: Whole, ben: User, clock: Watch
    ) -> None:
        eve = await somebody(house.store, clock, "Eve")
        await a_loan(house, eve)
        await group_of(house.store, clock, house.ada, eve, name="Secret")
        await group_of(house.store, clock, house.ada, ben, name="Friends")
        for _, page in await pages_of(house, house.ada, ben):
            assert "Emma" not in page
            assert "Secret" not in page

    async def test_sees_shared_libraries_until_they_are_not(self, house: Whole, ben: User) -> None:
        ctx = Context(house.store, house.ada, time.time())
        library = await create_library(ctx, name="Attic")
        assert ben.email is not None
        await share(ctx, library.library_id, ben.email)
        for status, page in await pages_of(house, house.ada, ben):
            assert status == 200
            assert "Shared libraries Attic" in page
        await unshare(ctx, library.library_id, owner_id_of(ben.user_id))
        assert [status for status, _ in await pages_of(house, house.ada, ben)] == [404, 404]


class TestAChild:
    async def test_is_managed_in_one_place(self, house: Whole, ben: User) -> None:
        await share_household(house, ben)
        ada = await now_of(house, house.ada)
        seat = await find_household_context(Context(house.store, ada, time.time()), ada)
        assert seat is not None
        zoe = await add_managed(seat, display_name="Zoe")
        zoe = await now_of(house, zoe)
        status, page = await page_of(house, ada, zoe)
        assert status == 200
        assert "Managed by you, in all rooms" in page
        status, page = await page_of(house, await now_of(house, ben), zoe)
        assert status == 200
        assert "Managed by you" not in page


async def test_oneself_is_the_profile(house: Whole) -> None:
    answer = await (await browser_of(house, house.ada)).get(f"/people/{house.ada.user_id}")
    assert answer.headers["location"] == "/me"


async def test_it_takes_as_many_requests_for_much_as_for_little(
    house: Whole, ben: User, clock: Watch
) -> None:
    await share_household(house, ben)
    await a_loan(house, ben)
    await group_of(house.store, clock, house.ada, ben, name="Friends")
    browser = await browser_of(house, house.ada)
    counts = []
    for number in range(2):
        await browser.get(f"/people/{ben.user_id}")
        with counting() as tally:
            await browser.get(f"/people/{ben.user_id}")
        counts.append(tally.requests)
        for more in range(5):
            await group_of(house.store, clock, house.ada, ben, name=f"Friends {number} {more}")
    assert counts[0] == counts[1] <= 14
