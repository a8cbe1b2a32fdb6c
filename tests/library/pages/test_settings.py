"""A library's settings."""

from __future__ import annotations

import pytest

from commonroom.accounts.tables import User
from commonroom.library.tables import Library
from tests.library.bookcase import now_of, tidied
from tests.library.pages.lender import Lender
from tests.library.pages.site import ROOM, requests_for, shelf
from tests.support.pages import Browser, said, text, value, wrong


async def test_they_are_the_owners(
    guest: Browser, bens: Browser, eves: Browser, shared: Library
) -> None:
    here = f"{shelf(shared)}/settings"
    assert (await guest.get(here)).headers["location"] == f"/sign-in?next={here}"
    for browser in (bens, eves):
        assert (await browser.get(here)).status_code == 404
        assert (await browser.send(here, library_name="Mine")).status_code == 404
        assert (
            await browser.send(f"{shelf(shared)}/share", email="eve@example.org")
        ).status_code == 404
        assert (await browser.send(f"{shelf(shared)}/unshare", recipient_id="X")).status_code == 404
        assert (await browser.send(f"{shelf(shared)}/delete", force="true")).status_code == 404


async def test_name_and_description_are_changed(
    adas: Browser, lender: Lender, home: Library
) -> None:
    here = f"{shelf(home)}/settings"
    answer = await adas.follow(
        await adas.send(here, library_name="Hall", description="By the door")
    )
    assert said(answer) == "Library saved."
    assert value(answer, "library_name") == "Hall"
    await adas.send(here, library_name="Hall", description="")
    assert (await now_of(lender.store, home)).description is None


async def test_what_is_wrong_is_said_beside_the_field(adas: Browser, home: Library) -> None:
    answer = await adas.send(f"{shelf(home)}/settings", library_name="", description="Kept")
    assert answer.status_code == 422
    assert wrong(answer, "library_name") == "Enter a name."
    assert value(answer, "description") == "Kept"


async def test_it_is_shared_and_that_is_ended(
    adas: Browser, bens: Browser, home: Library, ben: User
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
    adas: Browser, shared: Library, email: str, status: int, says: str
) -> None:
    answer = await adas.send(f"{shelf(shared)}/share", email=email)
    assert answer.status_code == status
    assert wrong(answer, "email") == says
    assert value(answer, "email") == email


async def test_recipients_leave(adas: Browser, bens: Browser, shared: Library) -> None:
    answer = await bens.follow(await bens.send(f"{shelf(shared)}/leave"))
    assert said(answer) == "The library is no longer shared with you."
    assert "Shared with me" not in text(answer)
    assert (await bens.get(shelf(shared))).status_code == 404
    assert (await bens.send(f"{shelf(shared)}/leave")).status_code == 404
    assert (await adas.send(f"{shelf(shared)}/leave")).status_code == 404, "it is her own"


async def test_it_is_deleted_with_everything_in_it(
    adas: Browser, lender: Lender, home: Library
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
    adas: Browser, lender: Lender, shared: Library
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


async def test_the_addresses_of_forms_lead_to_their_pages(adas: Browser, home: Library) -> None:
    settings = f"{shelf(home)}/settings"
    pages = {"share": settings, "unshare": settings, "leave": shelf(home), "delete": settings}
    for form, page in pages.items():
        assert (await adas.get(f"{shelf(home)}/{form}")).headers["location"] == page


async def test_they_take_one_request(adas: Browser, shared: Library) -> None:
    assert await requests_for(adas, f"{shelf(shared)}/settings") == 1
