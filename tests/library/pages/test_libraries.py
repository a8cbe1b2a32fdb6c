"""The room's home."""

from __future__ import annotations

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.service.profiles import add_managed
from commonroom.accounts.tables import User
from commonroom.library.service.libraries import delete_library, my_libraries, share
from commonroom.library.tables import Library
from tests.library.bookcase import book_of, library_of, now_of, tidied
from tests.library.pages.lender import Lender
from tests.library.pages.site import ROOM, Site, has, shelf
from tests.support.pages import Browser, hidden, requests_for, said, text, value, wrong


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


class TestSettings:
    async def test_they_are_the_owners(
        self, guest: Browser, bens: Browser, eves: Browser, shared: Library
    ) -> None:
        here = f"{shelf(shared)}/settings"
        assert (await guest.get(here)).headers["location"] == f"/sign-in?next={here}"
        for browser in (bens, eves):
            assert (await browser.get(here)).status_code == 404
            assert (await browser.send(here, library_name="Mine")).status_code == 404
            assert (
                await browser.send(f"{shelf(shared)}/share", email="eve@example.org")
            ).status_code == 404
            assert (
                await browser.send(f"{shelf(shared)}/unshare", recipient_id="X")
            ).status_code == 404
            assert (await browser.send(f"{shelf(shared)}/delete", force="true")).status_code == 404

    async def test_name_and_description_are_changed(
        self, adas: Browser, lender: Lender, home: Library
    ) -> None:
        here = f"{shelf(home)}/settings"
        answer = await adas.follow(
            await adas.send(here, library_name="Hall", description="By the door")
        )
        assert said(answer) == "Library saved."
        assert value(answer, "library_name") == "Hall"
        await adas.send(here, library_name="Hall", description="")
        assert (await now_of(lender.store, home)).description is None

    async def test_what_is_wrong_is_said_beside_the_field(
        self, adas: Browser, home: Library
    ) -> None:
        answer = await adas.send(f"{shelf(home)}/settings", library_name="", description="Kept")
        assert answer.status_code == 422
        assert wrong(answer, "library_name") == "Enter a name."
        assert value(answer, "description") == "Kept"

    async def test_it_is_shared_and_that_is_ended(
        self, adas: Browser, bens: Browser, home: Library, ben: User
    ) -> None:
        answer = await adas.send(f"{shelf(home)}/share", email=" BEN@example.org")
        assert answer.headers["location"] == f"{shelf(home)}/settings#sharing"
        answer = await adas.get(f"{shelf(home)}/settings")
        assert said(answer) == "Library shared."
        assert "ben@example.org" in text(answer)
        assert (await bens.get(shelf(home))).status_code == 200
        recipient = answer.text.partition('name="recipient_id" value="')[2].partition('"')[0]
        await adas.send(f"{shelf(home)}/unshare", recipient_id=recipient)
        answer = await adas.get(f"{shelf(home)}/settings")
        assert said(answer) == "They can no longer see this library."
        assert "ben@example.org" not in text(answer)
        assert (await bens.get(shelf(home))).status_code == 404

    @pytest.mark.parametrize(
        "email, status, says",
        [
            ("ada@example.org", 422, "This is your own e-mail address."),
            ("nobody@example.org", 422, "No account here has this e-mail address."),
            ("ben@example.org", 409, "This library is already shared with them."),
        ],
    )
    async def test_whom_it_cannot_be_shared_with_is_said_beside_the_field(
        self, adas: Browser, shared: Library, email: str, status: int, says: str
    ) -> None:
        answer = await adas.send(f"{shelf(shared)}/share", email=email)
        assert answer.status_code == status
        assert wrong(answer, "email") == says
        assert value(answer, "email") == email

    async def test_recipients_leave(self, adas: Browser, bens: Browser, shared: Library) -> None:
        answer = await bens.follow(await bens.send(f"{shelf(shared)}/leave"))
        assert said(answer) == "The library is no longer shared with you."
        assert "Shared with me" not in text(answer)
        assert (await bens.get(shelf(shared))).status_code == 404
        assert (await bens.send(f"{shelf(shared)}/leave")).status_code == 404
        assert (await adas.send(f"{shelf(shared)}/leave")).status_code == 404, "it is her own"

    async def test_it_is_deleted_with_everything_in_it(
        self, adas: Browser, lender: Lender, home: Library
    ) -> None:
        book = await lender.book("Emma")
        asked = text(await adas.get(f"{shelf(home)}/settings"))
        assert "This deletes 1 item, its collections and loan history." in asked
        answer = await adas.follow(await adas.send(f"{shelf(home)}/delete"))
        assert said(answer) == "Library deleted."
        assert (await adas.get(shelf(home))).status_code == 404
        await tidied(lender.store, lender.clock)
        assert await lender.store.get(book.ref) is None

    async def test_one_that_is_shared_or_lent_from_is_deleted_only_by_who_knows_that(
        self, adas: Browser, lender: Lender, shared: Library
    ) -> None:
        answer = await adas.send(f"{shelf(shared)}/delete")
        assert answer.status_code == 409
        assert "This library is shared with others, who would lose it too." in text(answer)
        await lender.lent("Emma", "Carl")
        asked = await adas.get(f"{shelf(shared)}/settings")
        assert "1 item is lent out; you would no longer know to whom." in text(asked)
        assert "1 person it is shared with would lose it too." in text(asked)
        assert 'name="force" value="true"' in asked.text
        answer = await adas.send(f"{shelf(shared)}/delete", force="true")
        assert answer.headers["location"] == ROOM

    async def test_the_addresses_of_forms_lead_to_their_pages(
        self, adas: Browser, home: Library
    ) -> None:
        settings = f"{shelf(home)}/settings"
        pages = {"share": settings, "unshare": settings, "leave": shelf(home), "delete": settings}
        for form, page in pages.items():
            assert (await adas.get(f"{shelf(home)}/{form}")).headers["location"] == page

    async def test_they_take_one_request(self, adas: Browser, shared: Library) -> None:
        assert await requests_for(adas, f"{shelf(shared)}/settings") == 1


class TestAddingSomewhere:
    async def test_the_only_library_is_the_one(self, adas: Browser, home: Library) -> None:
        assert (await adas.get(f"{ROOM}/add")).headers["location"] == f"{shelf(home)}/add"
        assert await requests_for(adas, f"{shelf(home)}/add") == 2

    async def test_of_several_one_is_chosen(self, adas: Browser, lender: Lender) -> None:
        attic = await library_of(lender.store, lender.clock, lender.ada, "Attic")
        answer = await adas.get(f"{ROOM}/add")
        for library in (attic, lender.home):
            assert f'href="{shelf(library)}/add"' in answer.text
        assert await requests_for(adas, f"{ROOM}/add") == 1

    async def test_the_first_library_is_made_with_the_first_book(
        self, bens: Browser, lender: Lender, ben: User, shared: Library
    ) -> None:
        assert (await bens.get(f"{ROOM}/add")).headers["location"] == f"{ROOM}/first/add"
        answer = await bens.get(f"{ROOM}/first/add")
        typed = {"kind": "book", "title": "Emma", "form_id": hidden(answer, "form_id")}
        assert (await my_libraries(Context(lender.store, ben, lender.clock()))).items == []
        first = await bens.send(f"{ROOM}/first/add", **typed)
        again = await bens.send(f"{ROOM}/first/add", **typed)
        assert first.headers["location"] == again.headers["location"]
        [made] = (await my_libraries(Context(lender.store, ben, lender.clock()))).items
        assert (made.library_name, made.total_items) == ("My library", 1)
        assert "Emma" in text(await bens.follow(first))
