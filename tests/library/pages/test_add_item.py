"""Adding a book or a film."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.library.pages.item_forms import Kind, fields_of
from commonroom.library.service.collections import list_collections
from commonroom.library.service.lookup import LOOK_UPS
from commonroom.library.service.open_library import OpenLibrary
from commonroom.library.service.shelves import see_shelf
from commonroom.library.tables import Book, Library, Video
from commonroom.outgoing.fetcher import Fetcher
from tests.library.bookcase import ISBN, collection_of, library_of, now_of
from tests.library.pages.lender import Lender
from tests.library.pages.site import Site, has, place, shelf
from tests.support.open_library import HOBBIT, OpenLibraryStandIn, standing_in
from tests.support.pages import Browser, hidden, requests_for, said, text, value, wrong


async def things(lender: Lender) -> list[Book | Video]:
    """Everything on Ada's shelf."""
    seen = await see_shelf(Context(lender.store, lender.ada), lender.home.library_id, limit=50)
    return [one for group in seen.groups for one in group.items]


@pytest.fixture
async def open_library(room: Site) -> AsyncIterator[OpenLibraryStandIn]:
    """Somebody who knows books."""
    async with standing_in() as stand_in:
        stand_in.add_hobbit()
        fetcher = Fetcher([stand_in.address])
        books = OpenLibrary(fetcher, stand_in.address)
        room.app.state.books = books
        yield stand_in
        await books.close()
        await fetcher.close()


async def test_only_the_owner_adds(
    guest: Browser, bens: Browser, eves: Browser, shared: Library
) -> None:
    here = f"{shelf(shared)}/add"
    assert (await guest.get(here)).headers["location"] == f"/sign-in?next={here}"
    for browser in (bens, eves):
        assert (await browser.get(here)).status_code == 404
        assert (await browser.send(here, kind="book", title="Emma")).status_code == 404
        assert (await browser.send(f"{here}/look-up?kind=film", sought="Alien")).status_code == 404


async def test_a_book_is_typed_in(adas: Browser, lender: Lender) -> None:
    answer = await adas.send(
        f"{shelf(lender.home)}/add",
        kind="book",
        title=" Good   Omens ",
        authors="Terry Pratchett\r\n\r\n Neil Gaiman ",
        isbn="978-0-261-10325-2",
        summary="An angel.",
        picture_url="",
        collection="",
        order="",
    )
    shown = await adas.follow(answer)
    assert said(shown) == "Added to the library."
    (book,) = await things(lender)
    assert isinstance(book, Book)
    assert (book.title, book.authors, book.isbn, book.summary) == (
        "Good Omens",
        ["Terry Pratchett", "Neil Gaiman"],
        ISBN,
        "An angel.",
    )
    assert answer.headers["location"] == place(book)


async def test_a_film_is_typed_in(adas: Browser, lender: Lender) -> None:
    await adas.send(
        f"{shelf(lender.home)}/add",
        kind="film",
        title="Alien",
        directors="Ridley Scott",
        cast="Sigourney Weaver\nTom Skerritt",
        release_year="1979",
        duration=" 117 ",
        tmdb_id="348",
    )
    (film,) = await things(lender)
    assert isinstance(film, Video)
    assert (film.release_year, film.duration, film.tmdb_id) == (1979, 117, 348)
    assert film.cast == ["Sigourney Weaver", "Tom Skerritt"]


@pytest.mark.parametrize("kind", ["book", "film"])
async def test_the_form_has_the_fields_of_its_kind(
    adas: Browser, lender: Lender, kind: Kind
) -> None:
    answer = await adas.get(f"{shelf(lender.home)}/add?kind={kind}")
    form = answer.text.partition('id="entry"')[2].partition("</form>")[0]
    fields = {"kind", "form_id", *fields_of(kind), "collection", "order"}
    assert set(re.findall(r'name="?([^" >]+)', form)) == fields


async def test_it_goes_into_a_collection_that_is_there_or_a_new_one(
    adas: Browser, lender: Lender
) -> None:
    await collection_of(lender.store, lender.clock, lender.ada, lender.home, "Astérix")
    add = f"{shelf(lender.home)}/add"
    assert '<option value="Astérix">' in (await adas.get(add)).text
    await adas.send(add, kind="book", title="Asterix the Gaul", collection="asterix")
    await adas.send(add, kind="book", title="A Wizard", collection="Earthsea", order="7")
    assert [(one.collection_name, one.order) for one in await things(lender)] == [
        ("Astérix", 1),
        ("Earthsea", 7),
    ]


async def test_the_name_of_a_collection_is_filled_in_where_one_comes_from_it(
    adas: Browser, lender: Lender
) -> None:
    answer = await adas.get(f"{shelf(lender.home)}/add?collection=Earthsea")
    assert value(answer, "collection") == "Earthsea"


@pytest.mark.parametrize(
    "field, typed, says",
    [
        ("title", "", "Give it a title."),
        ("isbn", "9780261103253", "This is not a valid ISBN. Check the digits."),
        ("authors", "\n".join(["A"] * 51), "Enter at most 50 names."),
        ("summary", "x" * 4001, "Use at most 4000 characters."),
        ("picture_url", "http://example.org/a.png", "Enter an address that starts with https://."),
        ("order", "3", "Choose a collection first: only items in a collection have a number."),
        ("order", "three", "Enter a number."),
        ("order", "²", "Enter a number."),
        ("collection", "x" * 101, "Use at most 100 characters."),
    ],
)
async def test_what_is_wrong_with_a_book_is_said_beside_the_field(
    adas: Browser, lender: Lender, field: str, typed: str, says: str
) -> None:
    fields = {"kind": "book", "title": "Emma", "authors": "Jane Austen", field: typed}
    answer = await adas.send(f"{shelf(lender.home)}/add", **fields)
    assert answer.status_code == 422
    assert wrong(answer, field) == says
    if field != "title":
        assert value(answer, "title") == "Emma"
    assert await things(lender) == []


async def test_all_that_is_wrong_is_said_at_once(adas: Browser, lender: Lender) -> None:
    fields = {"kind": "book", "title": "", "isbn": "1", "pages": "many", "order": "three"}
    answer = await adas.send(f"{shelf(lender.home)}/add", **fields)
    assert answer.status_code == 422
    assert wrong(answer, "title") == "Give it a title."
    assert wrong(answer, "isbn") == "This is not a valid ISBN. Check the digits."
    assert wrong(answer, "pages") == wrong(answer, "order") == "Enter a number."
    assert await things(lender) == []


@pytest.mark.parametrize(
    "field, typed, says",
    [
        ("cast", "\n".join("ABCDEF"), "Enter at most 5 names."),
        ("release_year", "1066", "Enter a year from 1800 to 2100."),
        ("duration", "9" * 20, "Enter a number."),
        ("tmdb_id", "0", "Enter a TMDB ID from 1 to 2147483647."),
    ],
)
async def test_what_is_wrong_with_a_film_is_said_beside_the_field(
    adas: Browser, lender: Lender, field: str, typed: str, says: str
) -> None:
    fields = {"kind": "film", "title": "Alien", "collection": "Aliens", field: typed}
    answer = await adas.send(f"{shelf(lender.home)}/add", **fields)
    assert wrong(answer, field) == says
    made = await list_collections(lender.store, lender.home)
    assert made.items == [], "nothing is made for what is refused"


async def test_the_same_book_twice_is_added_with_a_warning(adas: Browser, lender: Lender) -> None:
    await lender.book("The Lord of the Rings", isbn=ISBN)
    sent = await adas.send(f"{shelf(lender.home)}/add", kind="book", title="LOTR", isbn=ISBN)
    answer = await adas.follow(sent)
    assert said(answer) == "Added to the library. You seem to have this one already."
    assert "Also in this library: The Lord of the Rings" in text(answer)


class TestASecondPress:
    async def test_leads_to_the_same_item(self, adas: Browser, lender: Lender) -> None:
        sent = {"kind": "book", "title": "Emma", "isbn": ISBN, "collection": "Austen"}
        sent["form_id"] = hidden(await adas.get(f"{shelf(lender.home)}/add"), "form_id")
        first, second = [
            await adas.send(f"{shelf(lender.home)}/add", **sent) for _press in range(2)
        ]
        (book,) = await things(lender)
        assert first.headers["location"] == second.headers["location"] == place(book)
        assert said(await adas.follow(second)) == "Added to the library."
        assert (await now_of(lender.store, lender.home)).total_items == 1

    async def test_at_the_same_moment_adds_it_once(self, adas: Browser, lender: Lender) -> None:
        sent = {"kind": "book", "title": "Emma", "collection": "Austen", "form_id": "F1"}
        here = f"{shelf(lender.home)}/add"
        answers = await asyncio.gather(*(adas.send(here, **sent) for _press in range(3)))
        (book,) = await things(lender)
        assert {one.headers["location"] for one in answers} == {place(book)}
        (collection,) = (await list_collections(lender.store, lender.home)).items
        assert collection.item_count == 1

    async def test_after_something_else_was_typed_adds_that_too(
        self, adas: Browser, lender: Lender
    ) -> None:
        for title in ("Emma", "Persuasion"):
            await adas.send(f"{shelf(lender.home)}/add", kind="book", title=title, form_id="F1")
        assert [one.title for one in await things(lender)] == ["Emma", "Persuasion"]

    async def test_in_another_library_of_somebody_else_is_theirs(
        self, adas: Browser, bens: Browser, lender: Lender, ben: User
    ) -> None:
        bens_library = await library_of(lender.store, lender.clock, ben, "Hall")
        sent = {"kind": "book", "title": "Emma", "form_id": "F1"}
        one = await adas.send(f"{shelf(lender.home)}/add", **sent)
        other = await bens.send(f"{shelf(bens_library)}/add", **sent)
        ids = [answer.headers["location"].rpartition("/")[2] for answer in (one, other)]
        assert ids[0] != ids[1]

    async def test_a_new_form_adds_another_copy(self, adas: Browser, lender: Lender) -> None:
        here = f"{shelf(lender.home)}/add"
        for _copy in range(2):
            form_id = hidden(await adas.get(here), "form_id")
            await adas.send(here, kind="book", title="Emma", form_id=form_id)
        assert [one.title for one in await things(lender)] == ["Emma", "Emma"]


class TestTheReturnKey:
    async def test_looks_up_what_is_sought_and_keeps_what_was_typed(
        self, adas: Browser, lender: Lender
    ) -> None:
        typed = {"kind": "film", "title": "", "collection": "Bears", "form_id": "F1"}
        answer = await adas.send(
            f"{shelf(lender.home)}/add", **typed, sought="Paddington", looked_up="", entered="yes"
        )
        assert "Which one is it?" in text(answer)
        assert value(answer, "collection") == "Bears"
        assert hidden(answer, "form_id") == "F1"
        assert hidden(answer, "looked_up") == "Paddington"
        assert await things(lender) == []

    async def test_saves_what_was_looked_up_before_or_without_anything_sought(
        self, adas: Browser, lender: Lender
    ) -> None:
        for title, sought in (("Paddington", "Paddington"), ("Emma", "")):
            found = {"sought": sought, "looked_up": sought, "entered": "yes"}
            await adas.send(f"{shelf(lender.home)}/add", kind="film", title=title, **found)
        assert [one.title for one in await things(lender)] == ["Emma", "Paddington"]


async def test_a_book_is_looked_up_by_its_isbn(
    adas: Browser, lender: Lender, open_library: OpenLibraryStandIn
) -> None:
    here = f"{shelf(lender.home)}/add"
    assert has(await adas.get(here), "sought")
    answer = await adas.send(f"{here}/look-up?kind=book", sought=HOBBIT)
    assert "Found. Check the details, then save." in text(answer)
    assert value(answer, "title") == "The Hobbit: or There and Back Again"
    assert value(answer, "isbn") == HOBBIT
    assert "J.R.R. Tolkien</textarea>" in answer.text
    assert await things(lender) == [], "an offer changes nothing"


async def test_an_offer_never_overwrites_what_was_typed(
    adas: Browser, lender: Lender, open_library: OpenLibraryStandIn
) -> None:
    answer = await adas.send(
        f"{shelf(lender.home)}/add/look-up?kind=book",
        sought=HOBBIT,
        title="Our Hobbit",
        collection="Tolkien",
    )
    assert value(answer, "title") == "Our Hobbit"
    assert value(answer, "collection") == "Tolkien"
    assert value(answer, "isbn") == HOBBIT


async def test_a_look_up_without_an_answer_leaves_the_form_to_be_typed(
    adas: Browser, lender: Lender, open_library: OpenLibraryStandIn
) -> None:
    here = f"{shelf(lender.home)}/add/look-up"
    answer = await adas.send(f"{here}?kind=book", sought=ISBN)
    assert "No match found. You can enter it manually." in text(answer)
    assert value(answer, "isbn") == ISBN, "typed once is enough"
    open_library.troubles["api"] = open_library.hang_up
    open_library.troubles["isbn"] = open_library.hang_up
    answer = await adas.send(f"{here}?kind=book", sought="9780140449136")
    assert "The lookup took too long. Try again later, or enter it manually." in text(answer)


async def test_what_is_no_isbn_is_said_beside_it(
    adas: Browser, lender: Lender, open_library: OpenLibraryStandIn
) -> None:
    answer = await adas.send(f"{shelf(lender.home)}/add/look-up?kind=book", sought="12", title="E")
    assert answer.status_code == 422
    assert wrong(answer, "sought") == "This is not a valid ISBN. Check the digits."
    assert value(answer, "title") == "E"


async def test_where_look_ups_are_switched_off_books_are_typed_in(
    adas: Browser, lender: Lender
) -> None:
    here = f"{shelf(lender.home)}/add"
    assert not has(await adas.get(here), "sought")
    assert has(await adas.get(f"{here}?kind=film"), "sought"), "films are known here"
    assert (await adas.send(f"{here}/look-up?kind=book", sought=ISBN)).status_code == 404


async def test_a_film_is_looked_up_by_its_title_and_chosen(adas: Browser, lender: Lender) -> None:
    here = f"{shelf(lender.home)}/add"
    answer = await adas.send(f"{here}/look-up?kind=film", sought="Paddington")
    assert "Which one is it?" in text(answer)
    assert "Paddington (2014) Paul King" in text(answer)
    number = next(
        row.partition('name="offer" value="')[2].partition('"')[0]
        for row in answer.text.split('<li class="row">')
        if "(2014)" in row
    )
    answer = await adas.send(f"{here}/look-up?kind=film", sought="Paddington", offer=number)
    assert value(answer, "title") == "Paddington"
    assert value(answer, "release_year") == "2014"
    assert "Paul King</textarea>" in answer.text


async def test_a_number_of_an_offer_that_is_none_offers_all_again(
    adas: Browser, lender: Lender
) -> None:
    here = f"{shelf(lender.home)}/add/look-up"
    answer = await adas.send(f"{here}?kind=film", sought="Paddington", offer="99")
    assert "Which one is it?" in text(answer)


async def test_look_ups_are_counted(adas: Browser, lender: Lender) -> None:
    here = f"{shelf(lender.home)}/add/look-up"
    # On a slow machine some are forgotten meanwhile.
    for _ in range(3 * LOOK_UPS.tries):
        answer = await adas.send(f"{here}?kind=film", sought="x")
        if answer.status_code == 429:
            break
    assert answer.status_code == 429
    assert int(answer.headers["retry-after"]) > 0


async def test_the_addresses_of_forms_lead_to_the_form(adas: Browser, lender: Lender) -> None:
    answer = await adas.get(f"{shelf(lender.home)}/add/look-up")
    assert answer.headers["location"] == f"{shelf(lender.home)}/add"


async def test_the_form_takes_two_requests(adas: Browser, lender: Lender) -> None:
    assert await requests_for(adas, f"{shelf(lender.home)}/add") == 2
