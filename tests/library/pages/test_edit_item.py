"""Changing, moving and deleting an item."""

from __future__ import annotations

import pytest

from commonroom.accounts.context import Context
from commonroom.library.service.collections import change_collection
from commonroom.library.service.history import see_history
from commonroom.library.tables import Book, Library
from commonroom.store import Store
from tests.library.bookcase import ISBN, collection_of, library_of, now_of, tidied, video_of
from tests.library.pages.lender import Lender
from tests.library.pages.site import has, place, requests_for, shelf
from tests.support.pages import Browser, said, text, value, wrong


@pytest.fixture
async def emma(lender: Lender) -> Book:
    """A book of Ada's."""
    return await lender.book("Emma", authors=["Jane Austen"], summary="A match.")


async def test_only_the_owner_changes(
    guest: Browser, bens: Browser, eves: Browser, emma: Book, shared: Library
) -> None:
    here = place(emma)
    assert (await guest.get(f"{here}/edit")).headers["location"] == f"/sign-in?next={here}/edit"
    for browser in (bens, eves):
        assert (await browser.get(f"{here}/edit")).status_code == 404
        assert (await browser.send(f"{here}/edit", title="Mine")).status_code == 404
        assert (await browser.send(f"{here}/edit/look-up", sought="x")).status_code == 404
        assert (await browser.send(f"{here}/move", to=shared.library_id)).status_code == 404
        assert (await browser.send(f"{here}/delete", force="true")).status_code == 404


async def test_the_form_has_what_is_stored(adas: Browser, emma: Book) -> None:
    answer = await adas.get(f"{place(emma)}/edit")
    assert value(answer, "title") == "Emma"
    assert "Jane Austen</textarea>" in answer.text
    assert "A match.</textarea>" in answer.text
    assert not has(answer, "duration")


async def test_what_is_changed_is_kept(adas: Browser, lender: Lender, emma: Book) -> None:
    fields = {"title": "Emma!", "authors": "", "collection": "Austen", "order": "4"}
    answer = await adas.follow(await adas.send(f"{place(emma)}/edit", **fields))
    assert said(answer) == "Saved."
    now = await now_of(lender.store, emma)
    assert (now.title, now.authors, now.summary) == ("Emma!", [], None)
    assert (now.collection_name, now.order) == ("Austen", 4)
    await adas.send(f"{place(emma)}/edit", title="Emma!", collection="")
    now = await now_of(lender.store, emma)
    assert (now.collection_name, now.order) == (None, None)


async def test_a_book_stays_a_book(adas: Browser, lender: Lender, emma: Book) -> None:
    await adas.send(f"{place(emma)}/edit", kind="film", title="Emma", authors="J. A.")
    assert (await now_of(lender.store, emma)).authors == ["J. A."]


async def test_what_is_wrong_is_said_beside_the_field(
    adas: Browser, lender: Lender, emma: Book
) -> None:
    answer = await adas.send(f"{place(emma)}/edit", title="Emma", isbn="12", authors="Jane")
    assert answer.status_code == 422
    assert wrong(answer, "isbn") == "This is not a valid ISBN. Check the digits."
    assert "Jane</textarea>" in answer.text
    assert (await now_of(lender.store, emma)).isbn is None


async def test_what_changed_meanwhile_is_not_overwritten_unknowingly(
    adas: Browser, lender: Lender, emma: Book
) -> None:
    form = await adas.get(f"{place(emma)}/edit")
    version = form.text.partition('name="version" value="')[2].partition('"')[0]
    await adas.send(f"{place(emma)}/edit", title="Emma by Jane", version=version)
    answer = await adas.send(f"{place(emma)}/edit", title="Emma, again", version=version)
    assert answer.status_code == 412
    assert "Someone else saved this while you were editing it." in text(answer)
    assert "Saved now: Emma by Jane" in text(answer)
    assert (await now_of(lender.store, emma)).title == "Emma by Jane"
    assert value(answer, "title") == "Emma, again", "what was typed is kept"
    version = answer.text.partition('name="version" value="')[2].partition('"')[0]
    await adas.send(f"{place(emma)}/edit", title="Emma, again", version=version)
    assert (await now_of(lender.store, emma)).title == "Emma, again"


async def test_a_collection_that_was_just_renamed_is_not_made_anew(
    adas: Browser, lender: Lender
) -> None:
    made = await collection_of(lender.store, lender.clock, lender.ada, lender.home, "Old name")
    book = await lender.book("Emma", collection_id=made.collection_id)
    here = (Context(lender.store, lender.ada, lender.clock()), lender.home.library_id)
    await change_collection(*here, made.collection_id, name="New name")
    await adas.send(f"{place(book)}/edit", title="Emma!", collection="Old name", order="1")
    await tidied(lender.store, lender.clock)
    now = await now_of(lender.store, book)
    assert (now.title, now.collection_name) == ("Emma!", "New name")


async def test_an_isbn_that_another_has_is_kept_with_a_warning(
    adas: Browser, lender: Lender, emma: Book
) -> None:
    await lender.book("Other", isbn=ISBN)
    answer = await adas.send(f"{place(emma)}/edit", title="Emma", isbn=ISBN)
    assert "Also in this library: Other" in text(await adas.follow(answer))


async def test_a_look_up_fills_only_what_is_empty(adas: Browser, lender: Lender) -> None:
    film = await video_of(
        lender.store, lender.clock, lender.ada, lender.home, "Our Paddington", release_year=1999
    )
    typed = {"title": "Our Paddington", "release_year": "1999"}
    there = f"{place(film)}/edit/look-up"
    answer = await adas.send(there, sought="Paddington", offer="0", **typed)
    assert value(answer, "title") == "Our Paddington"
    assert value(answer, "release_year") == "1999"
    assert value(answer, "duration")
    assert (await now_of(lender.store, film)).duration is None, "an offer changes nothing"


async def test_it_moves_to_another_library_with_its_history(
    adas: Browser, lender: Lender, store: Store, emma: Book
) -> None:
    assert "This is your only library." in text(await adas.get(f"{place(emma)}/edit"))
    attic = await library_of(lender.store, lender.clock, lender.ada, "Attic")
    await lender.was_lent(emma, "Carl", 3)
    assert "Attic" in text(await adas.get(f"{place(emma)}/edit"))
    answer = await adas.send(f"{place(emma)}/move", to=attic.library_id)
    assert answer.headers["location"] == f"{shelf(attic)}/items/{emma.item_id}"
    assert "Moved to the other library" in said(await adas.follow(answer))
    assert (await adas.get(place(emma))).status_code == 404
    seen = await see_history(Context(store, lender.ada), attic.library_id, emma.item_id)
    assert [one.borrower for one in seen.loans] == ["Carl"]


async def test_it_does_not_move_to_where_it_is_or_to_where_nothing_is(
    adas: Browser, lender: Lender, emma: Book
) -> None:
    await library_of(lender.store, lender.clock, lender.ada, "Attic")
    answer = await adas.send(f"{place(emma)}/move", to=emma.library_id)
    assert answer.status_code == 422
    assert wrong(answer, "to") == "It is already in this library."
    assert (await adas.send(f"{place(emma)}/move", to="NOWHERE")).status_code == 404


async def test_it_is_deleted(adas: Browser, emma: Book) -> None:
    shown = text(await adas.get(place(emma)))
    assert "This also deletes its loan history. It cannot be undone." in shown
    answer = await adas.follow(await adas.send(f"{place(emma)}/delete"))
    assert said(answer) == "Deleted."
    assert (await adas.get(place(emma))).status_code == 404


async def test_what_somebody_has_is_deleted_only_by_who_knows_that(
    adas: Browser, lender: Lender, emma: Book
) -> None:
    await lender.lend(emma, "Carl")
    answer = await adas.send(f"{place(emma)}/delete")
    assert answer.status_code == 409
    assert "It is lent to Carl. Confirm to delete it anyway." in text(answer)
    asked = await adas.get(place(emma))
    assert "Carl has it. If you delete it, the loan is forgotten too." in text(asked)
    assert 'name="force" value="true"' in asked.text
    assert (await adas.send(f"{place(emma)}/delete", force="true")).status_code == 303


async def test_the_addresses_of_forms_lead_to_their_pages(adas: Browser, emma: Book) -> None:
    edit = f"{place(emma)}/edit"
    pages = {"delete": place(emma), "move": edit, "edit/look-up": edit}
    for form, page in pages.items():
        answer = await adas.get(f"{place(emma)}/{form}")
        assert answer.headers["location"] == page


async def test_the_form_takes_four_requests(adas: Browser, lender: Lender, emma: Book) -> None:
    await collection_of(lender.store, lender.clock, lender.ada, lender.home, "Austen")
    assert await requests_for(adas, f"{place(emma)}/edit") == 4
