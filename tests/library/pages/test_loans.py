"""Everything that is lent and borrowed, on one page."""

from __future__ import annotations

import re
from datetime import date, timedelta

import httpx

from commonroom.accounts.context import Context
from commonroom.accounts.service.profiles import add_managed
from commonroom.accounts.tables import User
from commonroom.library.rules.loans import today
from commonroom.library.service.loans import lent_by_me
from tests.library.bookcase import library_of
from tests.library.pages.desk import Desk
from tests.library.pages.reading_room import ReadingRoom, part, place, requests_for
from tests.support.pages import Browser, addresses, said, text

LOANS = "/library/loans"


def day(desk: Desk, days: int) -> str:
    """A day, so many days from the one that it is where Ada lives."""
    return (date.fromisoformat(today(desk.clock(), desk.ada)) + timedelta(days)).isoformat()


def sheaves(answer: httpx.Response) -> dict[str, list[str]]:
    """What stands under which heading, in order."""
    cut = re.split(r'<section class="sheaf sheaf-([a-z-]+)"', answer.text)[1:]
    named = zip(cut[::2], cut[1::2], strict=True)
    return {name: re.findall(r'row-name"><a [^>]*>([^<]+)<', rest) for name, rest in named}


async def test_a_guest_signs_in_first(guest: Browser) -> None:
    assert (await guest.get(LOANS)).headers["location"] == f"/sign-in?next={LOANS}"


async def test_with_nothing_lent_and_nothing_borrowed_it_says_how_that_begins(
    adas: Browser, desk: Desk
) -> None:
    shown = text(await adas.get(LOANS))
    assert "Nothing is lent out" in shown
    assert "with your e-mail address" in shown


async def test_what_is_overdue_comes_first_from_all_libraries(adas: Browser, desk: Desk) -> None:
    attic = Desk(
        desk.store,
        desk.clock,
        desk.ada,
        await library_of(desk.store, desk.clock, desk.ada, "Attic"),
    )
    await desk.lent("Any time")
    await attic.lent("Later", due=day(desk, 30))
    await desk.lent("Soon", due=day(desk, 5))
    await attic.lent("Overdue", "Dora", due=day(desk, -5))
    answer = await adas.get(LOANS)
    assert sheaves(answer) == {
        "overdue": ["Overdue"],
        "soon": ["Soon"],
        "later": ["Later"],
        "any-time": ["Any time"],
    }


async def test_it_says_who_has_what_and_when_it_is_due(adas: Browser, desk: Desk) -> None:
    book = await desk.book()
    desk.clock.now -= 20 * 86_400
    await desk.lend(book, "Dora", due=day(desk, 9))
    row = part(await adas.get(LOANS), f"loan-{book.item_id}")
    assert re.search(r"with Dora for 2 weeks 1[012] days overdue \d+ \w+ \d{4}", row)


async def test_something_is_taken_back_right_there(adas: Browser, desk: Desk) -> None:
    book = await desk.lent("Emma")
    answer = await adas.get(LOANS)
    assert addresses(answer, f"{place(book)}/return")
    answer = await adas.follow(await adas.send(f"{place(book)}/return", next=LOANS))
    assert said(answer) == "Welcome back! Marked as returned."
    assert "Nothing is lent out" in text(answer)


async def test_whoever_acts_for_a_child_sees_it_and_takes_nothing_back(
    room: ReadingRoom, desk: Desk
) -> None:
    await desk.lent("Emma")
    child = await add_managed(desk.store, desk.clock(), desk.ada, display_name="Mia")
    answer = await (await room.browser(desk.ada, acting_as=child)).get(LOANS)
    assert "Emma" in text(answer)
    assert not addresses(answer, "/library/")


async def test_a_borrower_is_told_title_owner_and_date_and_nothing_else(
    bens: Browser, desk: Desk, ben: User
) -> None:
    book = await desk.lent("Emma", "My dear Ben", due=day(desk, 1), email=ben.email or "")
    answer = await bens.get(LOANS)
    shown = text(answer)
    assert re.search(r"Emma from Ada, since \d+ \w+ \d{4} due t", shown)
    assert "My dear Ben" not in shown
    assert "Nothing is lent out" in shown
    assert book.item_id not in answer.text


async def test_a_long_list_goes_on(adas: Browser, desk: Desk) -> None:
    for number in range(51):
        await desk.lent(f"Book {number}")
    first = await adas.get(LOANS)
    more = re.findall(r'hx-get="(\?cursor=[^"]+)" hx-target="#sheaves"', first.text)
    rest = await adas.get(f"{LOANS}{more[0]}")
    titles = sheaves(first)["any-time"] + sheaves(rest)["any-time"]
    assert len(set(titles)) == len(titles) == 51
    assert "?cursor=" not in rest.text
    seen = await lent_by_me(Context(desk.store, desk.ada, desk.clock()))
    assert sheaves(first)["any-time"] == [one.item.title for one in seen.lent]


async def test_it_takes_two_requests_and_one_more_for_what_is_borrowed(
    adas: Browser, bens: Browser, desk: Desk, ben: User
) -> None:
    await desk.lent("Emma", email=ben.email or "")
    assert await requests_for(adas, LOANS) == 2
    assert await requests_for(bens, LOANS) == 3
