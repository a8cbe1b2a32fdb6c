"""A library's shelf."""

from __future__ import annotations

import re

import httpx
import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.service.profiles import add_managed
from commonroom.accounts.tables import User
from commonroom.library.pages.shelves import PAGE
from commonroom.library.service.libraries import unshare
from commonroom.library.tables import Library, owner_id_of
from tests.library.bookcase import collection_of
from tests.library.pages.lender import Lender
from tests.library.pages.site import Site, shelf
from tests.support.pages import Browser, requests_for, text


def standing(answer: httpx.Response) -> list[str]:
    """What stands on a shelf of covers, in order; collections in capitals."""
    found = re.findall(
        r'collection-name" [^>]*>([^<]+)<|standing-title">(?:<span[^>]*>\d+\.</span> )?([^<]+)<',
        answer.text,
    )
    return [name.upper() or title for name, title in found]


def listed(answer: httpx.Response) -> list[str]:
    """The same in a list."""
    found = re.findall(r'collection-name" [^>]*>([^<]+)<|row-name"><a [^>]*>([^<]+)<', answer.text)
    return [name.upper() or title for name, title in found]


@pytest.fixture
async def moomins(lender: Lender) -> str:
    """The id of a collection that has more members than a page has room for."""
    made = await collection_of(lender.store, lender.clock, lender.ada, lender.home, "Moomins")
    for number in range(1, PAGE + 3):
        await lender.book(f"Moomin {number:02}", collection_id=made.collection_id)
    return made.collection_id


async def test_it_is_for_the_owner_and_those_it_is_shared_with(
    guest: Browser, adas: Browser, bens: Browser, eves: Browser, shared: Library
) -> None:
    here = shelf(shared)
    assert (await guest.get(here)).headers["location"] == f"/sign-in?next={here}"
    assert (await adas.get(here)).status_code == 200
    assert (await bens.get(here)).status_code == 200
    assert (await eves.get(here)).status_code == 404


async def test_a_share_that_ended_is_over(
    lender: Lender, bens: Browser, shared: Library, ben: User
) -> None:
    assert (await bens.get(shelf(shared))).status_code == 200
    ben_id = owner_id_of(ben.user_id)
    await unshare(Context(lender.store, lender.ada, lender.clock()), shared.library_id, ben_id)
    assert (await bens.get(shelf(shared))).status_code == 404


async def test_items_and_collections_stand_in_one_alphabet(adas: Browser, lender: Lender) -> None:
    made = await collection_of(lender.store, lender.clock, lender.ada, lender.home, "Earthsea")
    await lender.book("Emma")
    await lender.book("Dune")
    for title in ("Tehanu", "A Wizard"):
        await lender.book(title, collection_id=made.collection_id)
    in_order = ["Dune", "EARTHSEA", "Tehanu", "A Wizard", "Emma"]
    answer = await adas.get(shelf(lender.home))
    assert standing(answer) == in_order
    assert "Earthsea 2 items" in text(answer)
    assert listed(await adas.get(f"{shelf(lender.home)}?look=list")) == in_order


async def test_how_it_is_shown_is_remembered(adas: Browser, lender: Lender) -> None:
    await lender.book("Emma")
    here = shelf(lender.home)
    assert standing(await adas.get(here)) == ["Emma"]
    assert listed(await adas.get(f"{here}?look=list")) == ["Emma"]
    assert listed(await adas.get(here)) == ["Emma"]
    assert standing(await adas.get(f"{here}?look=covers")) == ["Emma"]
    assert standing(await adas.get(f"{here}?look=upside")) == ["Emma"]


async def test_a_collection_that_a_page_cuts_goes_on_on_the_next(
    adas: Browser, lender: Lender, moomins: str
) -> None:
    first = await adas.get(shelf(lender.home))
    assert standing(first) == ["MOOMINS", *(f"Moomin {n:02}" for n in range(1, PAGE))]
    assert "“Moomins” continues." in text(first)
    more = first.text.partition('href="?cursor=')[2].partition('"')[0]
    second = await adas.get(f"{shelf(lender.home)}?cursor={more}")
    assert standing(second) == ["MOOMINS", *(f"Moomin {n:02}" for n in range(PAGE, PAGE + 3))]
    assert "Moomins continued" in text(second)
    assert "Show more" not in text(second)


async def test_one_can_jump_to_a_letter_and_go_on_from_there(adas: Browser, lender: Lender) -> None:
    for title in ("Emma", "Éa", "Dune", "F"):
        await lender.book(title)
    for number in range(PAGE):
        await lender.book(f"G {number:02}")
    here = shelf(lender.home)
    first = await adas.get(f"{here}?letter=e")
    assert standing(first)[:3] == ["Éa", "Emma", "F"]
    more = first.text.partition('href="?letter=e&amp;cursor=')[2].partition('"')[0]
    second = await adas.get(f"{here}?letter=e&cursor={more}")
    assert standing(second) == ["G 45", "G 46", "G 47"]
    assert standing(await adas.get(f"{here}?letter=F"))[0] == "F", "a title that is one letter"
    strange = await adas.get(f"{here}?letter=%26")
    assert "?letter=%26&amp;cursor=" in strange.text
    answer = await adas.get(f"{here}?letter=z")
    assert "Nothing here No titles from Z on." in text(answer)


async def test_recipients_read_and_are_not_told_who_has_what(
    adas: Browser, bens: Browser, lender: Lender, shared: Library
) -> None:
    await lender.lent("Emma", "Carl")
    mine = text(await adas.get(shelf(shared)))
    assert "with Carl" in mine
    assert "1 item · 1 lent · shared with 1 person" in mine
    answer = await bens.get(shelf(shared))
    theirs = text(answer)
    assert "shared by Ada" in theirs
    for hidden in ("Carl", "1 lent", "shared with", "Settings"):
        assert hidden not in theirs
    assert f"{shelf(shared)}/add" not in answer.text
    assert f'action="{shelf(shared)}/leave"' in answer.text


async def test_somebody_who_acts_for_a_child_only_looks(
    room: Site, ada: User, lender: Lender
) -> None:
    child = await add_managed(
        Context(room.store, ada, room.clock()), display_name="Cleo", avatar_key="fox", ceiling="PG"
    )
    await lender.book("Emma")
    browser = await room.browser(ada, acting_as=child)
    answer = await browser.get(shelf(lender.home))
    assert standing(answer) == ["Emma"]
    for deed in ("/add", "/settings"):
        assert f"{shelf(lender.home)}{deed}" not in answer.text
        assert (await browser.get(f"{shelf(lender.home)}{deed}")).status_code == 403


async def test_an_empty_shelf_of_somebody_else_says_so(bens: Browser, shared: Library) -> None:
    assert "Nothing has been added yet." in text(await bens.get(shelf(shared)))


async def test_it_takes_two_requests_and_one_more_for_recipients_and_for_a_cut(
    adas: Browser, bens: Browser, lender: Lender, shared: Library
) -> None:
    await lender.book("Emma")
    assert await requests_for(adas, shelf(shared)) == 2
    assert await requests_for(bens, shelf(shared)) == 3
    assert await requests_for(adas, f"{shelf(shared)}?letter=e") == 2


async def test_a_cut_collection_takes_no_request_more(
    adas: Browser, lender: Lender, moomins: str
) -> None:
    assert await requests_for(adas, shelf(lender.home)) == 2
