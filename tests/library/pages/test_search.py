"""Search, as a page that works without scripts."""

from __future__ import annotations

import re
from urllib.parse import quote

import httpx
import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.library.service.libraries import unshare
from commonroom.library.tables import Book, Library, owner_id_of
from tests.library.pages.lender import Lender
from tests.library.pages.site import place
from tests.support.pages import Browser, requests_for, text, value, wrong

SEARCH = "/library/search"


@pytest.fixture
async def book(lender: Lender) -> Book:
    """A book of Ada's."""
    return await lender.book("Moominland Midwinter", authors=["Tove Jansson"])


def hits(answer: httpx.Response) -> list[str]:
    """The titles that were found, in order."""
    found = answer.text.partition('id="hits"')[2]
    return re.findall(r'row-name"><a [^>]*>([^<]+)<', found)


def number(answer: httpx.Response) -> str:
    """How many that are, as whoever listens is told."""
    found = re.search(r'id="found-number" role="status">([^<]*)<', answer.text)
    assert found
    return found[1].strip()


async def test_a_guest_signs_in_first(guest: Browser) -> None:
    assert (await guest.get(SEARCH)).headers["location"] == f"/sign-in?next={SEARCH}"


async def test_before_anything_is_typed_it_says_what_can_be(adas: Browser, book: Book) -> None:
    for typed in ("", "   "):
        answer = await adas.get(SEARCH, params={"q": typed})
        assert "What are you looking for?" in text(answer)
        assert number(answer) == ""


async def test_it_finds_in_spite_of_a_slip_and_says_where_it_stands(
    adas: Browser, book: Book
) -> None:
    answer = await adas.get(SEARCH, params={"q": "jannson mooms"})
    assert hits(answer) == []
    answer = await adas.get(SEARCH, params={"q": "jannson moom"})
    assert (hits(answer), number(answer)) == (["Moominland Midwinter"], "1 found")
    assert f'href="{place(book)}"' in answer.text
    assert "in Home" in text(answer)
    assert value(answer, "q") == "jannson moom"


async def test_where_nothing_is_found_it_says_what_helps(adas: Browser, book: Book) -> None:
    answer = await adas.get(SEARCH, params={"q": "<zzzz>"})
    assert number(answer) == "Nothing found"
    assert "Try fewer words." in text(answer)
    assert value(answer, "q") == "<zzzz>"


async def test_a_recipient_finds_it_without_who_has_it_until_the_share_ends(
    bens: Browser, lender: Lender, shared: Library, book: Book, ben: User
) -> None:
    await lender.lend(book, "Carl")
    answer = await bens.get(SEARCH, params={"q": "moomin"})
    assert "in Ada’s Home" in text(answer)
    assert "Carl" not in answer.text
    ctx = Context(lender.store, lender.ada, lender.clock())
    await unshare(ctx, shared.library_id, owner_id_of(ben.user_id))
    assert hits(await bens.get(SEARCH, params={"q": "moomin"})) == []


async def test_the_owner_sees_who_has_it_and_a_stranger_sees_nothing(
    adas: Browser, eves: Browser, lender: Lender, book: Book
) -> None:
    await lender.lend(book, "Carl")
    assert "with Carl" in text(await adas.get(SEARCH, params={"q": "moomin"}))
    assert hits(await eves.get(SEARCH, params={"q": "moomin"})) == []


async def test_what_is_ones_own_can_be_lent_right_there(
    adas: Browser, bens: Browser, shared: Library, book: Book
) -> None:
    lend = f'href="{place(book)}/lend?'
    assert lend in (await adas.get(SEARCH, params={"q": "moomin"})).text
    assert lend not in (await bens.get(SEARCH, params={"q": "moomin"})).text


async def test_too_many_words_are_said_beside_the_field(adas: Browser, book: Book) -> None:
    typed = "one two three four five six seven eight nine ten eleven twelve thirteen"
    answer = await adas.get(SEARCH, params={"q": typed})
    assert answer.status_code == 422
    assert wrong(answer, "q") == "Use at most 12 words."
    assert value(answer, "q") == typed
    assert number(answer) == ""


async def test_whoever_lends_from_here_comes_back_here(adas: Browser, book: Book) -> None:
    answer = await adas.get(SEARCH, params={"q": "moomin"})
    back = quote(f"{SEARCH}?q=moomin#hit-{book.item_id}", safe="/")
    assert f'href="{place(book)}/lend?next={back}"' in answer.text


async def test_a_long_answer_goes_on(adas: Browser, lender: Lender) -> None:
    for count in range(25):
        await lender.book(f"Travels {count}")
    first = await adas.get(SEARCH, params={"q": "travels"})
    assert number(first) == "The first 20 results"
    more = re.findall(r'href="(\?q=travels&amp;cursor=[^"]+)"', first.text)
    rest = await adas.get(SEARCH + more[0].replace("&amp;", "&"))
    assert len({*hits(first), *hits(rest)}) == 25
    assert number(rest) == "5 found"


async def test_it_takes_four_requests_once_titles_are_known_and_none_for_nothing(
    adas: Browser, book: Book
) -> None:
    assert await requests_for(adas, f"{SEARCH}?q=moomin") == 4
    assert await requests_for(adas, SEARCH) == 0


class TestWhatToLend:
    async def test_ones_own_is_found_and_leads_to_the_form(self, adas: Browser, book: Book) -> None:
        answer = await adas.get("/library/lend", params={"q": "moomin"})
        assert hits(answer) == ["Moominland Midwinter"]
        assert f'href="{place(book)}/lend?next=' in answer.text
        assert "Lend something" in text(answer)

    async def test_what_others_share_is_not_offered(
        self, bens: Browser, shared: Library, book: Book
    ) -> None:
        assert hits(await bens.get(SEARCH, params={"q": "moomin"})) == ["Moominland Midwinter"]
        assert hits(await bens.get("/library/lend", params={"q": "moomin"})) == []
