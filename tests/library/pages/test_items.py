"""An item's page."""

from __future__ import annotations

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.library.service.libraries import unshare
from commonroom.library.tables import Book, Library, owner_id_of
from tests.library.bookcase import ISBN, collection_of, video_of
from tests.library.pages.lender import Lender
from tests.library.pages.site import has, place, requests_for
from tests.support.pages import Browser, text


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
