"""What somebody takes along: all of their own, and of others' no more than they see anyway."""

from __future__ import annotations

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.library.data_export import export_person
from commonroom.library.service.libraries import share
from commonroom.library.service.loans import lend, return_item
from commonroom.library.tables import Library
from commonroom.store import Store
from tests.accounts.people import Watch
from tests.library.bookcase import book_of, collection_of, library_of, video_of


async def furnish(store: Store, clock: Watch, ada: User, home: Library) -> None:
    foo = await collection_of(store, clock, ada, home, "Foo")
    mine = {"review": "Dear to me.", "rating": 4.5, "tags": ["old"]}
    book = await book_of(store, clock, ada, home, "T", collection_id=foo.collection_id, **mine)
    await video_of(store, clock, ada, home, "Ponyo")
    await library_of(store, clock, ada, "Empty")
    at = (Context(store, ada, clock()), home.library_id, book.item_id)
    await lend(*at, to="Cleo")
    await return_item(*at)
    await lend(*at, to="Benny", due="2290-05-31", past_due=True, email="ben@example.org")
    await share(Context(store, ada, clock()), home.library_id, "ben@example.org")


async def test_an_owner_takes_libraries_along_with_all_that_is_in_them(
    store: Store, clock: Watch, ada: User, ben: User, home: Library
) -> None:
    await furnish(store, clock, ada, home)
    kept = await export_person(store, ada)
    by_name = {one["library"]["LibraryName"]: one for one in kept["libraries"]}
    assert by_name.keys() == {"Home", "Empty"}
    there = by_name["Home"]
    assert there["library"]["SharedTo"] == ["ben@example.org"]
    assert [one["Name"] for one in there["collections"]] == ["Foo"]
    assert {one["Title"] for one in there["items"]} == {"T", "Ponyo"}
    (book,) = (one for one in there["items"] if one["Title"] == "T")
    assert (book["Review"], book["Rating"], book["Tags"]) == ("Dear to me.", 4.5, ["old"])
    told = [(one["Type"], one["Event"]) for one in there["history"]]
    assert told == [("LENT", "Cleo"), ("RETURNED", "Cleo"), ("LENT", "Benny")]
    assert (kept["shared_with_me"], kept["borrowed"]) == ([], [])


async def test_others_take_along_what_they_see_of_it(
    store: Store, clock: Watch, ada: User, ben: User, home: Library
) -> None:
    await furnish(store, clock, ada, home)
    kept = await export_person(store, ben)
    assert kept["libraries"] == []
    (shared,) = kept["shared_with_me"]
    assert (shared["name"], shared["from"]) == ("Home", "Ada")
    (borrowed,) = kept["borrowed"]
    assert (borrowed["title"], borrowed["due_date"]) == ("T", "2290-05-31")
    assert "Cleo" not in str(kept)
    assert "Dear" not in str(kept)


async def test_whoever_is_new_has_nothing(store: Store, eve: User) -> None:
    assert await export_person(store, eve) == {
        "libraries": [],
        "shared_with_me": [],
        "borrowed": [],
    }
