"""Bring it along: what those who meet have of each other shows on their hangout, to them alone."""

from __future__ import annotations

import pytest

from commonroom.accounts.tables import User
from commonroom.hangouts.service.hangouts import cancel
from commonroom.hangouts.service.rsvps import TypedRsvp, answer
from commonroom.hangouts.tables import RsvpStatus
from commonroom.library.service.items import add_item
from commonroom.library.service.libraries import create_library
from commonroom.library.service.loans import lend, return_item
from commonroom.library.tables import Book
from commonroom.store import counting
from tests.house.joins.friends import EVERY_ROOM, Friends
from tests.support.pages import text


async def lends(friends: Friends, owner: User, to: User, title: str) -> tuple[str, str]:
    """Somebody lends a book to somebody's account."""
    ctx = friends.ctx(owner)
    library = await create_library(ctx, name=f"{title}s")
    kept = await add_item(ctx, library.library_id, kind=Book, given={"title": title})
    where = (library.library_id, kept.item.item_id)
    await lend(ctx, *where, to=to.display_name, email=to.email)
    return where


async def read(friends: Friends, who: User) -> str:
    """The words on the hangout's page, as somebody reads them."""
    return text(await (await friends.browser(who)).get(friends.address))


async def says(friends: Friends, who: User, status: RsvpStatus) -> None:
    """Somebody answers."""
    typed = TypedRsvp(status=status)
    await answer(friends.ctx(who), who, friends.hangout.hangout_id, typed)


@pytest.fixture
async def coming(friends: Friends) -> Friends:
    """Ada and Ben go, and Cleo has not said."""
    await says(friends, friends.ada, "GOING")
    await says(friends, friends.ben, "INTERESTED")
    return friends


async def test_both_sides_of_a_loan_are_reminded_until_it_is_back(coming: Friends) -> None:
    where = await lends(coming, coming.ada, coming.ben, "Emma")
    borrower, lender = await read(coming, coming.ben), await read(coming, coming.ada)
    assert "Bring it along Emma You borrowed it from Ada" in borrower
    assert "Bring it along Emma Ben has it from you" in lender
    await return_item(coming.ctx(coming.ada), *where)
    for one in (coming.ada, coming.ben):
        assert "Bring it along" not in await read(coming, one)


async def test_nobody_else_learns_of_it(coming: Friends) -> None:
    await lends(coming, coming.ada, coming.ben, "Emma")
    await says(coming, coming.cleo, "GOING")
    page = await read(coming, coming.cleo)
    assert "Emma" not in page
    assert "Bring it along" not in page


async def test_what_is_lent_to_somebody_who_does_not_come_is_not_there(coming: Friends) -> None:
    await lends(coming, coming.ada, coming.cleo, "Emma")
    await lends(coming, coming.eve, coming.ada, "Dune")
    assert "Bring it along" not in await read(coming, coming.ada)
    await says(coming, coming.cleo, "GOING")
    page = await read(coming, coming.ada)
    assert "Emma Cleo has it from you" in page
    assert "Dune" not in page


async def test_who_does_not_come_brings_nothing(coming: Friends) -> None:
    await lends(coming, coming.ada, coming.ben, "Emma")
    await says(coming, coming.ben, "NOT_GOING")
    for one in (coming.ada, coming.ben):
        assert "Bring it along" not in await read(coming, one)


async def test_what_is_cancelled_asks_for_nothing(coming: Friends) -> None:
    await lends(coming, coming.ada, coming.ben, "Emma")
    await cancel(coming.ctx(coming.ada), coming.hangout.hangout_id)
    assert "Bring it along" not in await read(coming, coming.ben)


async def test_without_the_library_there_is_no_trace_of_it(coming: Friends) -> None:
    await lends(coming, coming.ada, coming.ben, "Emma")
    coming.opens("movienight, shareables, watchlists, hangouts")
    assert "Bring it along" not in await read(coming, coming.ben)
    coming.opens(EVERY_ROOM)
    assert "Emma" in await read(coming, coming.ben)


async def test_it_takes_three_requests_however_many_loans_there_are(coming: Friends) -> None:
    async def requests() -> int:
        browser = await coming.browser(coming.ben)
        for _ in range(2):  # the first visit to a room is noted
            await browser.get(coming.address)
        with counting() as tally:
            await browser.get(coming.address)
        return tally.requests

    none = await requests()
    await lends(coming, coming.ada, coming.ben, "Emma")
    one = await requests()
    for number in range(5):
        await lends(coming, coming.ada, coming.ben, f"Part {number}")
    assert await requests() == one == none + 1
