"""Collections of a library."""

from __future__ import annotations

import re

import httpx
import pytest

from commonroom.library.service.collections import PAGE
from commonroom.library.tables import Collection, Library
from tests.library.bookcase import collection_of, now_of, tidied
from tests.library.pages.lender import Lender
from tests.library.pages.site import has, shelf
from tests.support.pages import Browser, requests_for, said, text, value, wrong


def page_of(collection: Collection) -> str:
    """The address of a collection."""
    return f"/library/{collection.library_id}/collections/{collection.collection_id}"


def members(answer: httpx.Response) -> list[str]:
    """What is in a collection, in order."""
    return re.findall(r'row-name"><a [^>]*>([^<]+)<', answer.text)


@pytest.fixture
async def earthsea(lender: Lender) -> Collection:
    """A collection of two."""
    made = await collection_of(lender.store, lender.clock, lender.ada, lender.home, "Earthsea")
    for title in ("A Wizard", "The Tombs"):
        await lender.book(title, authors=["Le Guin"], collection_id=made.collection_id)
    return made


async def test_recipients_look_and_only_the_owner_changes(
    guest: Browser, bens: Browser, eves: Browser, earthsea: Collection, shared: Library
) -> None:
    everything, one = f"{shelf(shared)}/collections", page_of(earthsea)
    for address in (everything, one):
        assert (await guest.get(address)).headers["location"] == f"/sign-in?next={address}"
        assert (await bens.get(address)).status_code == 200
        assert (await eves.get(address)).status_code == 404
    theirs = await bens.get(one)
    assert members(theirs) == ["A Wizard", "The Tombs"]
    assert "<form" not in theirs.text.partition('id="collection"')[2].partition("</main>")[0]
    for browser in (bens, eves):
        assert (await browser.send(everything, name="Mine")).status_code == 404
        assert (await browser.send(one, name="Mine")).status_code == 404
        assert (await browser.send(f"{one}/delete")).status_code == 404
        assert (await browser.send(f"{one}/items/X/place", order="1")).status_code == 404


async def test_an_empty_list_says_what_to_do(adas: Browser, lender: Lender) -> None:
    assert "No collections yet Create one below" in text(
        await adas.get(f"{shelf(lender.home)}/collections")
    )


async def test_one_is_made_and_says_what_to_do(adas: Browser, lender: Lender) -> None:
    sent = await adas.send(
        f"{shelf(lender.home)}/collections", name="Moomins", description="All of them"
    )
    answer = await adas.follow(sent)
    assert said(answer) == "Collection created. Now add something to it."
    assert "Moomins All of them 0 items" in text(answer)
    assert "Nothing here yet Add something to it" in text(answer)
    assert "add?collection=Moomins" in answer.text


async def test_a_name_that_another_has_is_said_beside_the_field(
    adas: Browser, lender: Lender, earthsea: Collection
) -> None:
    everything = f"{shelf(lender.home)}/collections"
    answer = await adas.send(everything, name="EARTHSEA", description="Mine")
    assert answer.status_code == 409
    assert wrong(answer, "name") == "There is already a collection called “Earthsea”."
    assert "Mine</textarea>" in answer.text
    other = await collection_of(lender.store, lender.clock, lender.ada, lender.home, "Moomins")
    answer = await adas.send(page_of(other), name="earthsea")
    assert wrong(answer, "name") == "There is already a collection called “Earthsea”."
    assert value(answer, "name") == "earthsea"
    assert wrong(await adas.send(everything, name=" "), "name") == "Enter a name."
    assert "500 characters" in wrong(
        await adas.send(everything, name="Long", description="x" * 501), "description"
    )


async def test_it_is_renamed_and_its_members_come_along(
    adas: Browser, lender: Lender, earthsea: Collection
) -> None:
    sent = await adas.send(page_of(earthsea), name="Erdsee", description="On islands")
    answer = await adas.follow(sent)
    assert said(answer) == "Collection saved."
    await tidied(lender.store, lender.clock)
    answer = await adas.get(page_of(earthsea))
    assert "Erdsee On islands 2 items" in text(answer)
    assert members(answer) == ["A Wizard", "The Tombs"]


async def test_while_its_new_name_is_on_its_way_the_page_says_so(
    adas: Browser, lender: Lender, earthsea: Collection
) -> None:
    here = page_of(earthsea)
    assert "being updated to the new name" not in text(await adas.get(here))
    answer = await adas.follow(await adas.send(here, name="All of it"))
    assert "Its items are being updated to the new name." in text(answer)
    assert "Nothing here yet" not in text(answer)
    await tidied(lender.store, lender.clock)
    answer = await adas.get(here)
    assert members(answer) == ["A Wizard", "The Tombs"]
    assert "being updated to the new name" not in text(answer)


async def test_what_was_in_one_that_is_gone_does_not_seem_to_go_on(
    adas: Browser, lender: Lender, earthsea: Collection
) -> None:
    answer = await adas.follow(await adas.send(f"{page_of(earthsea)}/delete"))
    assert "continued" not in text(answer)
    assert "A Wizard" in text(answer)


async def test_what_is_in_it_stays_when_it_goes(
    adas: Browser, lender: Lender, earthsea: Collection
) -> None:
    answer = await adas.follow(await adas.send(f"{page_of(earthsea)}/delete"))
    assert said(answer) == "Collection deleted. Its items are still in the library."
    assert (await adas.get(page_of(earthsea))).status_code == 404
    await tidied(lender.store, lender.clock)
    shown = text(await adas.get(shelf(lender.home)))
    assert "A Wizard" in shown
    assert "Earthsea" not in shown


async def test_members_are_put_in_order_by_number(
    adas: Browser, lender: Lender, earthsea: Collection
) -> None:
    last = await lender.book("Tehanu", collection_id=earthsea.collection_id)
    assert last.order == 3
    sent = await adas.send(f"{page_of(earthsea)}/items/{last.item_id}/place", order="1")
    answer = await adas.follow(sent)
    assert said(answer) == "Order saved."
    assert members(answer) == ["A Wizard", "Tehanu", "The Tombs"], "titles decide between equals"
    assert (await now_of(lender.store, last)).order == 1


@pytest.mark.parametrize(
    "typed, says",
    [
        ("0", "Enter a number from 1 to 1000."),
        ("first", "Enter a number."),
        ("", "Enter a number."),
    ],
)
async def test_a_number_that_is_none_is_said_beside_it(
    adas: Browser, lender: Lender, earthsea: Collection, typed: str, says: str
) -> None:
    book = await lender.book("Tehanu", collection_id=earthsea.collection_id)
    answer = await adas.send(f"{page_of(earthsea)}/items/{book.item_id}/place", order=typed)
    assert answer.status_code == 422
    assert wrong(answer, f"order-{book.item_id}") == says
    assert (await now_of(lender.store, book)).order == 3


async def test_many_members_come_in_pages(
    adas: Browser, lender: Lender, earthsea: Collection
) -> None:
    for number in range(PAGE):
        await lender.book(f"More {number:02}", collection_id=earthsea.collection_id)
    first = await adas.get(page_of(earthsea))
    assert len(members(first)) == PAGE
    more = first.text.partition('href="?cursor=')[2].partition('"')[0]
    assert members(await adas.get(f"{page_of(earthsea)}?cursor={more}")) == ["More 48", "More 49"]


async def test_the_addresses_of_forms_lead_to_the_collection(
    adas: Browser, earthsea: Collection
) -> None:
    for form in ("delete", "items/X/place"):
        answer = await adas.get(f"{page_of(earthsea)}/{form}")
        assert answer.headers["location"] == page_of(earthsea)


async def test_a_collection_that_is_none_is_not_found(adas: Browser, lender: Lender) -> None:
    assert (await adas.get(f"{shelf(lender.home)}/collections/NOSUCH")).status_code == 404


async def test_pages_take_two_and_three_requests(
    adas: Browser, bens: Browser, earthsea: Collection, shared: Library
) -> None:
    everything = f"{shelf(shared)}/collections"
    assert has(await adas.get(everything), "collections-list")
    assert await requests_for(adas, everything) == 2
    assert await requests_for(adas, page_of(earthsea)) == 3
    assert await requests_for(bens, page_of(earthsea)) == 4
