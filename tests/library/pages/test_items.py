"""An item's page; and changing, moving and deleting it."""

from __future__ import annotations

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.library.service.collections import change_collection
from commonroom.library.service.history import see_history
from commonroom.library.service.libraries import unshare
from commonroom.library.tables import Book, Library, owner_id_of
from commonroom.store import Store
from tests.library.bookcase import ISBN, collection_of, library_of, now_of, tidied, video_of
from tests.library.pages.lender import Lender
from tests.library.pages.site import has, place, shelf
from tests.support.pages import Browser, requests_for, said, text, value, wrong


@pytest.fixture
async def trilogy(lender: Lender) -> list[Book]:
    """Three books of a collection."""
    made = await collection_of(lender.store, lender.clock, lender.ada, lender.home, "Earthsea")
    titles = ("A Wizard of Earthsea", "The Tombs of Atuan", "The Farthest Shore")
    return [await lender.book(one, collection_id=made.collection_id) for one in titles]


@pytest.fixture
async def emma(lender: Lender) -> Book:
    """A book of Ada's."""
    return await lender.book("Emma")


async def test_it_is_for_the_owner(
    guest: Browser, adas: Browser, eves: Browser, emma: Book
) -> None:
    here = place(emma)
    assert (await guest.get(here)).headers["location"] == f"/sign-in?next={here}"
    assert (await adas.get(here)).status_code == 200
    assert (await eves.get(here)).status_code == 404
    for nonsense in ("NOSUCH", "a%23b", "%00"):
        answer = await adas.get(f"/library/{emma.library_id}/items/{nonsense}")
        assert answer.status_code == 404


async def test_it_is_for_those_it_is_shared_with_while_that_lasts(
    bens: Browser, lender: Lender, emma: Book, shared: Library, ben: User
) -> None:
    assert (await bens.get(place(emma))).status_code == 200
    ben_id = owner_id_of(ben.user_id)
    await unshare(Context(lender.store, lender.ada, lender.clock()), shared.library_id, ben_id)
    assert (await bens.get(place(emma))).status_code == 404


async def test_a_book_says_what_is_known_of_it(adas: Browser, lender: Lender) -> None:
    book = await lender.book(
        "Good Omens",
        authors=["Terry Pratchett", "Neil Gaiman"],
        isbn=ISBN,
        summary="An angel.\n\nA <b>demon</b>.",
    )
    answer = await adas.get(place(book))
    shown = text(answer)
    assert "Good Omens by Terry Pratchett and Neil Gaiman" in shown
    assert "Summary An angel. A <b>demon</b>." in shown
    assert f"ISBN {ISBN}" in shown
    assert "<b>demon</b>" not in answer.text


async def test_a_film_says_what_is_known_of_it(adas: Browser, lender: Lender) -> None:
    film = await video_of(
        lender.store,
        lender.clock,
        lender.ada,
        lender.home,
        "Alien",
        directors=["Ridley Scott"],
        cast=["Sigourney Weaver"],
        release_year=1979,
        duration=117,
    )
    shown = text(await adas.get(place(film)))
    assert "Film Alien directed by Ridley Scott" in shown
    assert "Cast Sigourney Weaver Year 1979 Length 1 h 57 min" in shown


async def test_a_member_says_which_it_is_and_what_stands_beside_it(
    adas: Browser, trilogy: list[Book]
) -> None:
    first, middle, last = [await adas.get(place(one)) for one in trilogy]
    assert "2 of 3 in Earthsea" in text(middle)
    assert "previous A Wizard of Earthsea next The Farthest Shore" in text(middle)
    assert "next The Tombs of Atuan" in text(first)
    assert 'rel="prev"' not in first.text
    assert "previous The Tombs of Atuan" in text(last)
    assert 'rel="next"' not in last.text


async def test_what_stands_alone_has_no_neighbours_but_others_beside_it(
    adas: Browser, lender: Lender, trilogy: list[Book]
) -> None:
    emma = await lender.book("Emma")
    fens = await lender.book("Fens")
    answer = await adas.get(place(emma))
    assert 'rel="prev"' not in answer.text
    beside = answer.text.partition("beside-list")[2]
    assert beside.index("Earthsea") < beside.index(place(emma)) < beside.index(place(fens))


async def test_the_same_work_twice_is_said_to_the_owner_alone(
    adas: Browser, bens: Browser, lender: Lender, shared: Library
) -> None:
    one = await lender.book("The Lord of the Rings", isbn=ISBN)
    other = await lender.book("LOTR", isbn=ISBN)
    answer = await adas.get(place(one))
    assert "You have this twice. Also in this library: LOTR" in text(answer)
    assert place(other) in answer.text.partition("You have this twice")[2]
    assert "You have this twice" not in text(await bens.get(place(one)))


async def test_recipients_read_and_are_not_told_who_has_it(
    adas: Browser, bens: Browser, lender: Lender, shared: Library
) -> None:
    book = await lender.lent("Emma", "Carl")
    mine = await adas.get(place(book))
    assert "Carl has it" in text(mine)
    assert f'href="{place(book)}/edit"' in mine.text
    theirs = await bens.get(place(book))
    assert "shared by Ada" in text(theirs)
    assert "Carl" not in text(theirs)
    assert not has(theirs, "loan")
    for deed in ("edit", "delete", "lend", "history"):
        assert f"{place(book)}/{deed}" not in theirs.text


async def test_it_takes_four_requests_and_one_more_for_each_of_code_collection_and_share(
    adas: Browser, bens: Browser, lender: Lender, shared: Library, trilogy: list[Book]
) -> None:
    emma = await lender.book("Emma")
    assert await requests_for(adas, place(emma)) == 4
    assert await requests_for(bens, place(emma)) == 5
    assert await requests_for(adas, place(trilogy[1])) == 5
    assert await requests_for(adas, place(await lender.book("Omens", isbn=ISBN))) == 5


class TestEditing:
    @pytest.fixture
    async def emma(self, lender: Lender) -> Book:
        """A book of Ada's with more to say of it."""
        return await lender.book("Emma", authors=["Jane Austen"], summary="A match.")

    async def test_only_the_owner_changes(
        self, guest: Browser, bens: Browser, eves: Browser, emma: Book, shared: Library
    ) -> None:
        here = place(emma)
        assert (await guest.get(f"{here}/edit")).headers["location"] == f"/sign-in?next={here}/edit"
        for browser in (bens, eves):
            assert (await browser.get(f"{here}/edit")).status_code == 404
            assert (await browser.send(f"{here}/edit", title="Mine")).status_code == 404
            assert (await browser.send(f"{here}/edit/look-up", sought="x")).status_code == 404
            assert (await browser.send(f"{here}/move", to=shared.library_id)).status_code == 404
            assert (await browser.send(f"{here}/delete", force="true")).status_code == 404

    async def test_the_form_has_what_is_stored(self, adas: Browser, emma: Book) -> None:
        answer = await adas.get(f"{place(emma)}/edit")
        assert value(answer, "title") == "Emma"
        assert "Jane Austen</textarea>" in answer.text
        assert "A match.</textarea>" in answer.text
        assert not has(answer, "duration")

    async def test_what_is_changed_is_kept(self, adas: Browser, lender: Lender, emma: Book) -> None:
        fields = {"title": "Emma!", "authors": "", "collection": "Austen", "order": "4"}
        answer = await adas.follow(await adas.send(f"{place(emma)}/edit", **fields))
        assert said(answer) == "Saved."
        now = await now_of(lender.store, emma)
        assert (now.title, now.authors, now.summary) == ("Emma!", [], None)
        assert (now.collection_name, now.order) == ("Austen", 4)
        await adas.send(f"{place(emma)}/edit", title="Emma!", collection="")
        now = await now_of(lender.store, emma)
        assert (now.collection_name, now.order) == (None, None)

    async def test_a_book_stays_a_book(self, adas: Browser, lender: Lender, emma: Book) -> None:
        await adas.send(f"{place(emma)}/edit", kind="film", title="Emma", authors="J. A.")
        assert (await now_of(lender.store, emma)).authors == ["J. A."]

    async def test_what_is_wrong_is_said_beside_the_field(
        self, adas: Browser, lender: Lender, emma: Book
    ) -> None:
        answer = await adas.send(f"{place(emma)}/edit", title="Emma", isbn="12", authors="Jane")
        assert answer.status_code == 422
        assert wrong(answer, "isbn") == "This is not a valid ISBN. Check the digits."
        assert "Jane</textarea>" in answer.text
        assert (await now_of(lender.store, emma)).isbn is None

    async def test_what_changed_meanwhile_is_not_overwritten_unknowingly(
        self, adas: Browser, lender: Lender, emma: Book
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
        self, adas: Browser, lender: Lender
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
        self, adas: Browser, lender: Lender, emma: Book
    ) -> None:
        await lender.book("Other", isbn=ISBN)
        answer = await adas.send(f"{place(emma)}/edit", title="Emma", isbn=ISBN)
        assert "Also in this library: Other" in text(await adas.follow(answer))

    async def test_a_look_up_fills_only_what_is_empty(self, adas: Browser, lender: Lender) -> None:
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
        self, adas: Browser, lender: Lender, store: Store, emma: Book
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
        self, adas: Browser, lender: Lender, emma: Book
    ) -> None:
        await library_of(lender.store, lender.clock, lender.ada, "Attic")
        answer = await adas.send(f"{place(emma)}/move", to=emma.library_id)
        assert answer.status_code == 422
        assert wrong(answer, "to") == "It is already in this library."
        assert (await adas.send(f"{place(emma)}/move", to="NOWHERE")).status_code == 404

    async def test_it_is_deleted(self, adas: Browser, emma: Book) -> None:
        shown = text(await adas.get(place(emma)))
        assert "This also deletes its loan history. It cannot be undone." in shown
        answer = await adas.follow(await adas.send(f"{place(emma)}/delete"))
        assert said(answer) == "Deleted."
        assert (await adas.get(place(emma))).status_code == 404

    async def test_what_somebody_has_is_deleted_only_by_who_knows_that(
        self, adas: Browser, lender: Lender, emma: Book
    ) -> None:
        await lender.lend(emma, "Carl")
        answer = await adas.send(f"{place(emma)}/delete")
        assert answer.status_code == 409
        assert "It is lent to Carl. Confirm to delete it anyway." in text(answer)
        asked = await adas.get(place(emma))
        assert "Carl has it. If you delete it, the loan is forgotten too." in text(asked)
        assert 'name="force" value="true"' in asked.text
        assert (await adas.send(f"{place(emma)}/delete", force="true")).status_code == 303

    async def test_the_addresses_of_forms_lead_to_their_pages(
        self, adas: Browser, emma: Book
    ) -> None:
        edit = f"{place(emma)}/edit"
        pages = {"delete": place(emma), "move": edit, "edit/look-up": edit}
        for form, page in pages.items():
            answer = await adas.get(f"{place(emma)}/{form}")
            assert answer.headers["location"] == page

    async def test_the_form_takes_four_requests(
        self, adas: Browser, lender: Lender, emma: Book
    ) -> None:
        await collection_of(lender.store, lender.clock, lender.ada, lender.home, "Austen")
        assert await requests_for(adas, f"{place(emma)}/edit") == 4
