"""The room's home."""

from __future__ import annotations

from commonroom.accounts.context import Context
from commonroom.accounts.service.profiles import add_managed
from commonroom.accounts.tables import User
from commonroom.library.service.libraries import delete_library, share
from commonroom.library.tables import Library
from tests.library.bookcase import book_of, library_of
from tests.library.pages.lender import Lender
from tests.library.pages.site import ROOM, Site, has, requests_for, shelf
from tests.support.pages import Browser, said, text, value, wrong


async def test_a_guest_signs_in_first(guest: Browser) -> None:
    assert (await guest.get(ROOM)).headers["location"] == f"/sign-in?next={ROOM}"


async def test_without_a_library_it_says_what_to_do(eves: Browser) -> None:
    answer = await eves.get(ROOM)
    assert "No library yet Create your first one" in text(answer)
    assert has(answer, "library_name")
    assert not has(answer, "q"), "there is nothing to search yet"


async def test_a_library_is_made_and_its_shelf_says_what_to_do(eves: Browser) -> None:
    answer = await eves.follow(await eves.send(ROOM, library_name="Attic", description="Boxes"))
    assert said(answer) == "Your library is ready. Add your first book or film."
    assert "Attic Boxes 0 items" in text(answer)
    assert "This library is empty Add the first book or film:" in text(answer)


async def test_what_is_wrong_with_a_new_one_is_said_beside_the_field(eves: Browser) -> None:
    answer = await eves.send(ROOM, library_name="x" * 21, description="Boxes")
    assert answer.status_code == 422
    assert wrong(answer, "library_name") == "Use at most 20 characters."
    assert value(answer, "description") == "Boxes"
    answer = await eves.send(ROOM, library_name="Attic", description="x" * 101)
    assert "100 characters" in wrong(answer, "description")


async def test_it_shows_how_much_there_is_and_how_much_of_it_is_lent(
    adas: Browser, lender: Lender
) -> None:
    await library_of(lender.store, lender.clock, lender.ada, "Attic")
    await lender.lent("Emma")
    await lender.book("Persuasion")
    shown = text(await adas.get(ROOM))
    assert "Attic empty" in shown
    assert "Home 2 items · 1 lent" in shown
    assert shown.index("Attic") < shown.index("Home 2 items"), "by name"


async def test_libraries_of_others_say_from_whom_they_are(
    adas: Browser, bens: Browser, eves: Browser, shared: Library
) -> None:
    assert "Shared with me Home from Ada" in text(await bens.get(ROOM))
    for browser in (adas, eves):
        assert "Shared with me" not in text(await browser.get(ROOM))


async def test_whoever_has_none_sees_those_of_others_first(bens: Browser, shared: Library) -> None:
    shown = text(await bens.get(ROOM))
    assert shown.index("Shared with me") < shown.index("No library yet")


async def test_somebody_who_acts_for_a_child_makes_none(
    room: Site, ada: User, home: Library
) -> None:
    child = await add_managed(
        Context(room.store, ada, room.clock()), display_name="Cleo", avatar_key="fox", ceiling="PG"
    )
    browser = await room.browser(ada, acting_as=child)
    answer = await browser.get(ROOM)
    assert "Home" in text(answer)
    assert not has(answer, "library_name")
    assert (await browser.send(ROOM, library_name="Mine")).status_code == 403


async def test_it_takes_two_requests(bens: Browser, shared: Library) -> None:
    assert await requests_for(bens, ROOM) == 2


async def test_many_libraries_come_in_pages(room: Site, adas: Browser, ada: User) -> None:
    for number in range(51):
        await library_of(room.store, room.clock, ada, f"Shelf {number:02}")
    first = await adas.get(ROOM)
    assert "Shelf 49" in first.text
    assert "Shelf 50" not in first.text
    more = first.text.partition('href="?cursor=')[2].partition('"')[0]
    second = await adas.get(f"{ROOM}?cursor={more}")
    assert "Shelf 50" in second.text
    assert "Show more" not in text(second)
    assert has(first, "library_name")
    assert not has(second, "library_name"), "there is one form, wherever its rows are shown"


async def test_many_that_others_share_come_in_pages(
    room: Site, adas: Browser, ada: User, eve: User
) -> None:
    for number in range(51):
        made = await library_of(room.store, room.clock, eve, f"Shelf {number:02}")
        await share(Context(room.store, eve, room.clock()), made.library_id, ada.email or "")
    first = await adas.get(ROOM)
    assert text(first).count("from Eve") == 50
    more = first.text.partition('href="?theirs=')[2].partition('"')[0]
    second = await adas.get(f"{ROOM}?theirs={more}")
    assert text(second).count("from Eve") == 1
    assert "Show more" not in text(second)


async def test_one_that_is_gone_is_gone(
    room: Site, adas: Browser, home: Library, ada: User
) -> None:
    await book_of(room.store, room.clock, ada, home, "Emma")
    await delete_library(Context(room.store, ada), home.library_id)
    assert (await adas.get(shelf(home))).status_code == 404
    assert "No library yet" in text(await adas.get(ROOM))
