"""Look-ups for programs."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from commonroom.library.service.lookup import LOOK_UPS
from commonroom.settings import Settings
from commonroom.store import Store, counting
from tests.accounts.api.calling import V1, Calling, Client, first, given, problem
from tests.library.api.shelving import ISBN, Shelving
from tests.support.application import application
from tests.support.open_library import HOBBIT, TROUBLES, OpenLibraryStandIn, standing_in

BOOK = {
    "kind": "book",
    "title": "The Fellowship of the Ring",
    "authors": ["J. R. R. Tolkien"],
    "isbn": ISBN,
    "summary": "A ring.",
    "picture_url": "https://covers.example.org/1.jpg",
}
VIDEO = {
    "kind": "video",
    "title": "WALL·E",
    "directors": ["Andrew Stanton"],
    "cast": ["Ben Burtt"],
    "release_year": 2008,
    "duration": 98,
    "tmdb_id": 10681,
}


class TestAddItem:
    async def test_nobody_adds_any(self, here: Shelving, guest: Client) -> None:
        problem(await guest.post(f"{here.home}/items", json=BOOK), 401)

    @pytest.mark.parametrize("new", [BOOK, VIDEO])
    async def test_keeps_what_was_given(self, here: Shelving, new: dict[str, Any]) -> None:
        answer = await here.ann.post(f"{here.home}/items", json=new)
        kept = given(answer, 201)
        assert kept["warnings"] == []
        item = kept["item"]
        expected = new | ({"isbn": ISBN.replace("-", "")} if new is BOOK else {})
        assert {name: item[name] for name in new} == expected
        assert (item["library_name"], item["owner_name"], item["loan"]) == ("Home", "Ann", None)
        seen = await here.ann.get(f"{here.home}/items/{item['item_id']}")
        assert given(seen) == item
        assert seen.headers["etag"] == answer.headers["etag"]
        assert given(await here.ann.get(here.home))["total_items"] == 1

    async def test_keeps_what_the_owner_thinks_and_shows_it_to_nobody_else(
        self, here: Shelving
    ) -> None:
        thought = {"rating": 4.5, "review": "Good.", "status": "read", "finished_on": "2024-02-01"}
        known = {"tags": ["sf"], "publisher": "Ace", "year": 1965, "pages": 96, "copies": 2}
        kept = await here.add("Dune", **thought, **known)
        assert kept == kept | thought | known
        plain = await here.add("Emma")
        assert not {*thought, *known} & plain.keys(), "nothing is said of what nobody said"
        one = f"{here.home}/items/{kept['item_id']}"
        seen = given(await here.ben.get(one))
        assert seen == seen | known
        listed = given(await here.ben.get(f"{here.home}/items"))["items"]
        found = given(await here.ben.get(f"{V1}/library/search", params={"q": "dune"}))["items"]
        for text in (str(seen), str(listed), str(found)):
            assert not any(name in text for name in thought)
        changed = given(await here.ann.patch(one, json={"rating": None, "status": "reading"}))
        assert "rating" not in changed["item"]
        assert changed["item"]["status"] == "reading"
        problem(await here.ann.patch(one, json={"status": "watched"}), 422)

    async def test_puts_it_between_two_others(self, here: Shelving) -> None:
        foo = await here.collection()
        for title, order in (("Two", 2), ("One", 1), ("Between", 1.5), ("Third", None)):
            await here.add(title, collection_id=foo, order=order)
        members = given(await here.ann.get(f"{here.home}/collections/{foo}/items"))["items"]
        assert [(one["title"], one["order"]) for one in members] == [
            ("One", 1),
            ("Between", 1.5),
            ("Two", 2),
            ("Third", 3),
        ]

    async def test_with_a_key_happens_once(self, here: Shelving) -> None:
        for _ in range(2):
            key = {"Idempotency-Key": "a book"}
            given(await here.ann.post(f"{here.home}/items", json=BOOK, headers=key), 201)
        assert given(await here.ann.get(here.home))["total_items"] == 1

    async def test_of_what_is_there_already_is_done_with_a_warning(self, here: Shelving) -> None:
        first = given(await here.ann.post(f"{here.home}/items", json=BOOK), 201)["item"]
        second = {"kind": "book", "title": "Again", "isbn": "0261103253"}
        kept = given(await here.ann.post(f"{here.home}/items", json=second), 201)
        (warning,) = kept["warnings"]
        assert warning["item_id"] == first["item_id"]
        assert first["title"] in warning["warning"]
        assert given(await here.ann.get(here.home))["total_items"] == 2

    async def test_puts_it_into_a_collection(self, here: Shelving) -> None:
        foo = await here.collection()
        kept = [await here.add(title, collection_id=foo) for title in ("One", "Two")]
        assert [(one["collection_name"], one["order"]) for one in kept] == [("Foo", 1), ("Foo", 2)]
        assert given(await here.ann.get(f"{here.home}/collections/{foo}"))["item_count"] == 2

    @pytest.mark.parametrize(
        "body, status, field",
        [
            ({}, 400, "kind"),
            ({"kind": "game", "title": "T"}, 400, "kind"),
            ({"kind": "book"}, 400, "title"),
            ({"kind": "book", "title": "T", "directors": []}, 400, "directors"),
            ({"kind": "video", "title": "T", "isbn": ISBN}, 400, "isbn"),
            ({"kind": "book", "title": ""}, 422, "title"),
            ({"kind": "book", "title": "x" * 301}, 422, "title"),
            ({"kind": "book", "title": "T", "isbn": "9780261103253"}, 422, "isbn"),
            ({"kind": "book", "title": "T", "order": 1}, 422, "order"),
            ({"kind": "book", "title": "T", "picture_url": "http://a.b/c"}, 422, "picture_url"),
            ({"kind": "video", "title": "T", "release_year": 1799}, 422, "release_year"),
            ({"kind": "video", "title": "T", "duration": 1001}, 422, "duration"),
            ({"kind": "video", "title": "T", "cast": ["A"] * 6}, 422, "cast"),
            ({"kind": "video", "title": "T", "tmdb_id": 10**30}, 422, "tmdb_id"),
        ],
    )
    async def test_that_does_not_fit_names_the_field(
        self, here: Shelving, body: object, status: int, field: str
    ) -> None:
        refused = problem(await here.ann.post(f"{here.home}/items", json=body), status)
        assert refused["field"] == field
        assert given(await here.ann.get(here.home))["total_items"] == 0

    async def test_into_a_collection_that_is_not_there_is_404(self, here: Shelving) -> None:
        new = BOOK | {"collection_id": "NOTHING"}
        problem(await here.ann.post(f"{here.home}/items", json=new), 404)

    async def test_is_the_owners(self, here: Shelving) -> None:
        for client in (here.ben, here.eve):
            problem(await client.post(f"{here.home}/items", json=BOOK), 404)


class TestAnItem:
    async def test_is_shown_to_recipients_without_who_has_it(self, here: Shelving) -> None:
        book = await here.book()
        before = await here.ben.get(book)
        given(await here.ann.post(f"{book}/lend", json={"lent_to": "Benny"}))
        assert given(await here.ann.get(book))["loan"]["lent_to"] == "Benny"
        after = await here.ben.get(book)
        assert given(after)["loan"] is None
        assert after.headers["etag"] == before.headers["etag"], "not even that it was lent"
        problem(await here.eve.get(book), 404)

    async def test_as_the_caller_has_it_is_not_sent_again(self, here: Shelving) -> None:
        book = await here.book()
        tag = (await here.ben.get(book)).headers["etag"]
        again = await here.ben.get(book, headers={"If-None-Match": tag})
        assert again.status_code == 304

    async def test_takes_two_requests_or_three(self, here: Shelving) -> None:
        book = await here.book()
        for client, reads in ((here.ann, 2), (here.ben, 3)):
            for _ in range(2):
                await client.get(book)  # from here on, the caller is known
            with counting() as tally:
                given(await client.get(book))
            assert tally.reads == reads


class TestChangeItem:
    async def test_leaves_what_is_left_out(self, here: Shelving) -> None:
        book = await here.book(authors=["A"], summary="S")
        changed = given(await here.ann.patch(book, json={"title": "Other", "summary": None}))
        item = changed["item"]
        assert (item["title"], item["authors"], item["summary"]) == ("Other", ["A"], None)
        assert given(await here.ann.get(book)) == item

    async def test_puts_it_into_a_collection_and_out_of_it(self, here: Shelving) -> None:
        book, foo = await here.book(), await here.collection()
        put = {"collection_id": foo, "order": 7}
        item = given(await here.ann.patch(book, json=put))["item"]
        assert (item["collection_name"], item["order"]) == ("Foo", 7)
        item = given(await here.ann.patch(book, json={"order": 3}))["item"]
        assert (item["collection_name"], item["order"]) == ("Foo", 3)
        item = given(await here.ann.patch(book, json={"collection_id": None}))["item"]
        assert (item["collection_id"], item["collection_name"], item["order"]) == (None,) * 3

    async def test_is_for_whoever_saw_it_as_it_is(self, here: Shelving) -> None:
        book = await here.book()
        tag = {"If-Match": (await here.ann.get(book)).headers["etag"]}
        done = await here.ann.patch(book, json={"title": "Other"}, headers=tag)
        problem(await here.ann.patch(book, json={"title": "Third"}, headers=tag), 412)
        tag = {"If-Match": done.headers["etag"]}
        given(await here.ann.patch(book, json={"title": "Third"}, headers=tag))

    async def test_of_a_book_takes_what_a_book_has(self, here: Shelving) -> None:
        book = await here.book()
        refused = problem(await here.ann.patch(book, json={"duration": 90}), 422)
        assert refused["field"] == "duration"
        problem(await here.ann.patch(book, json={"kind": "video"}), 400)

    async def test_that_makes_two_the_same_warns(self, here: Shelving) -> None:
        first = await here.add(isbn=ISBN)
        book = await here.book("Other")
        kept = given(await here.ann.patch(book, json={"isbn": ISBN}))
        assert [one["item_id"] for one in kept["warnings"]] == [first["item_id"]]

    async def test_is_the_owners(self, here: Shelving) -> None:
        book = await here.book()
        for client in (here.ben, here.eve):
            problem(await client.patch(book, json={"title": "Mine"}), 404)


class TestDeleteItem:
    async def test_that_is_lent_needs_confirming(self, here: Shelving) -> None:
        book = await here.lent(due_date="2033-05-31")
        refused = problem(await here.ann.delete(book), 409)
        assert (refused["lent_to"], refused["due_date"]) == ("Benny", "2033-05-31")
        given(await here.ann.delete(book, params={"force": "true"}), 204)
        problem(await here.ann.get(book), 404)
        assert given(await here.ann.get(here.home))["total_items"] == 0

    async def test_is_the_owners(self, here: Shelving) -> None:
        book = await here.book()
        for client in (here.ben, here.eve):
            problem(await client.delete(book), 404)
        given(await here.ann.delete(book), 204)


class TestMoveItem:
    async def test_takes_it_to_another_library_with_its_history(self, here: Shelving) -> None:
        book, attic = await here.lent(), await here.library()
        given(await here.ann.post(f"{book}/return"))
        moved = given(await here.ann.post(f"{book}/move", json={"to": attic}))
        assert (moved["library_id"], moved["library_name"]) == (attic, "Attic")
        problem(await here.ann.get(book), 404)
        there = f"{V1}/libraries/{attic}/items/{moved['item_id']}"
        assert len(given(await here.ann.get(f"{there}/history"))["items"]) == 1

    async def test_goes_only_to_another_library_of_ones_own(self, here: Shelving) -> None:
        book = await here.book()
        refused = await here.ann.post(f"{book}/move", json={"to": here.library_id})
        assert problem(refused, 422)["field"] == "to"
        new = {"library_name": "Eve’s"}
        eves = given(await here.eve.post(f"{V1}/libraries", json=new), 201)["library_id"]
        problem(await here.ann.post(f"{book}/move", json={"to": eves}), 404)
        for client in (here.ben, here.eve):
            problem(await client.post(f"{book}/move", json={"to": eves}), 404)


class TestTheShelf:
    async def filled(self, here: Shelving) -> None:
        foo = await here.collection("Foo")
        for title in ("Angelo", "Foo Bar", "Zorro"):
            await here.add(title)
        for title in ("z", "b", "a"):
            await here.add(title, collection_id=foo)

    async def test_groups_members_behind_their_collection(self, here: Shelving) -> None:
        await self.filled(here)
        for client in (here.ann, here.ben):
            page = given(await client.get(f"{here.home}/items"))
            assert page["next_cursor"] is None
            told = [
                (one["name"], [item["title"] for item in one["items"]]) for one in page["items"]
            ]
            assert told == [
                (None, ["Angelo"]),
                ("Foo", ["z", "b", "a"]),
                (None, ["Foo Bar"]),
                (None, ["Zorro"]),
            ]
        problem(await here.eve.get(f"{here.home}/items"), 404)

    async def test_marks_a_collection_that_a_page_cuts(self, here: Shelving) -> None:
        await self.filled(here)
        first = given(await here.ben.get(f"{here.home}/items", params={"limit": 3}))
        assert [(one["continued"], one["continues"]) for one in first["items"]] == [
            (False, False),
            (False, True),
        ]
        rest = {"limit": 50, "cursor": first["next_cursor"]}
        after = given(await here.ben.get(f"{here.home}/items", params=rest))["items"]
        goes_on = after[0]
        assert (goes_on["name"], goes_on["continued"], goes_on["continues"]) == ("Foo", True, False)
        assert goes_on["collection"] is None
        assert [item["title"] for item in goes_on["items"]] == ["b", "a"]

    async def test_has_ten_on_a_page_and_at_most_50(self, here: Shelving) -> None:
        for number in range(12):
            await here.add(f"Book {number:02}")
        page = given(await here.ann.get(f"{here.home}/items"))
        assert (len(page["items"]), page["next_cursor"] is None) == (10, False)
        for limit in (0, 51, "many"):
            problem(await here.ann.get(f"{here.home}/items", params={"limit": limit}), 400)
        other = {"cursor": page["next_cursor"]}
        attic = f"{V1}/libraries/{await here.library()}"
        problem(await here.ann.get(f"{attic}/items", params=other), 400)

    async def test_says_who_has_what_only_to_the_owner(self, here: Shelving) -> None:
        await here.lent(due_date="2033-05-31")
        (group,) = given(await here.ann.get(f"{here.home}/items"))["items"]
        assert group["items"][0]["loan"]["due_date"] == "2033-05-31"
        seen = await here.ben.get(f"{here.home}/items")
        (group,) = given(seen)["items"]
        assert group["items"][0]["loan"] is None
        assert "Benny" not in seen.text


BOOKS, FILMS = "/api/v1/look-ups/books", "/api/v1/look-ups/films"


@pytest.fixture
async def stand_in() -> AsyncIterator[OpenLibraryStandIn]:
    """Open Library, as far as the house knows."""
    async with standing_in() as stand_in:
        stand_in.add_hobbit()
        yield stand_in


@pytest.fixture
def settings(tmp_path: Path, stand_in: OpenLibraryStandIn) -> Settings:
    """A house that asks the stand-in."""
    return Settings(data=tmp_path, open_library_address=stand_in.address)


@pytest.fixture
async def calling(store: Store, settings: Settings) -> AsyncIterator[Calling]:
    """Everybody who calls that house."""
    app = application(store, settings)
    async with AsyncExitStack() as stack:
        yield Calling(app, store, stack)
        for part in app.state.resources:
            await part.close()


@pytest.fixture
async def ann(calling: Calling) -> Client:
    """Ann's program."""
    return await calling.program(await first(calling.store, "Ann"), "read")


async def test_a_guest_is_asked_who_they_are(guest: Client) -> None:
    assert (await guest.get(f"{BOOKS}/{HOBBIT}")).status_code == 401
    assert (await guest.get(FILMS, params={"title": "Alien"})).status_code == 401


async def test_a_book_is_offered(ann: Client) -> None:
    answer = await ann.get(f"{BOOKS}/978-0-261-10328-3")
    assert answer.status_code == 200
    assert answer.json() == {
        "offers": [
            {
                "title": "The Hobbit: or There and Back Again",
                "authors": ["J.R.R. Tolkien"],
                "summary": "A burglar.",
                "isbn": HOBBIT,
                "picture_url": "https://covers.openlibrary.org/b/id/1-L.jpg",
                "source": "open_library",
            }
        ],
        "unanswered": [],
    }


async def test_where_open_library_is_down_that_is_an_answer_too(
    ann: Client, stand_in: OpenLibraryStandIn
) -> None:
    stand_in.troubles[""] = TROUBLES["fails"](stand_in)
    answer = await ann.get(f"{BOOKS}/{HOBBIT}")
    assert (answer.status_code, answer.json()) == (
        200,
        {"offers": [], "unanswered": ["open_library"]},
    )


async def test_what_is_no_isbn_is_422_and_names_the_field(
    ann: Client, stand_in: OpenLibraryStandIn
) -> None:
    answer = await ann.get(f"{BOOKS}/9780261103284")
    assert (answer.status_code, answer.json()["field"]) == (422, "isbn")
    assert stand_in.asked == []


async def test_a_film_is_offered_by_its_title(ann: Client) -> None:
    answer = await ann.get(FILMS, params={"title": "the godfather"})
    first_offer = answer.json()["offers"][0]
    assert (first_offer["title"], first_offer["tmdb_id"]) == ("The Godfather", 238)
    assert first_offer["source"] == "catalogue"


async def test_a_title_must_be_given(ann: Client) -> None:
    assert (await ann.get(FILMS)).status_code == 400
    assert (await ann.get(FILMS, params={"title": ""})).status_code in (400, 422)


async def test_too_many_are_429_with_the_time_to_wait(ann: Client) -> None:
    # One more try becomes free every few seconds, and a busy machine takes its time.
    for _ in range(2 * LOOK_UPS.tries + 1):
        refused = await ann.get(FILMS, params={"title": "x"})
        if refused.status_code != 200:
            break
    assert refused.status_code == 429
    assert 0 < int(refused.headers["retry-after"]) <= LOOK_UPS.seconds


class TestSwitchedOff:
    @pytest.fixture
    def settings(self, tmp_path: Path, stand_in: OpenLibraryStandIn) -> Settings:
        """A house that asks nobody."""
        address = stand_in.address
        return Settings(data=tmp_path, open_library_address=address, book_look_ups=False)

    async def test_books_are_404_and_nobody_is_asked(
        self, ann: Client, stand_in: OpenLibraryStandIn
    ) -> None:
        answer = await ann.get(f"{BOOKS}/{HOBBIT}")
        assert answer.status_code == 404
        assert "turned off" in answer.json()["detail"]
        assert stand_in.asked == []
