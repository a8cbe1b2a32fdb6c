"""Items: added, changed, moved in and out of collections, deleted; counts stay exact."""

from __future__ import annotations

from typing import Any

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.errors import (
    Conflict,
    InvalidField,
    NeedsConfirmation,
    NotFound,
    PreconditionFailed,
)
from commonroom.library.service.collections import change_collection, delete_collection
from commonroom.library.service.items import add_item, change_item, delete_item, see_item
from commonroom.library.service.libraries import change_library, delete_library, share
from commonroom.library.service.loans import lend, return_item
from commonroom.library.tables import Book, Collection, Library, Video
from commonroom.store import Store, counting, update
from tests.accounts.people import Meanwhile, Watch
from tests.library.bookcase import (
    ISBN,
    book_of,
    check_bookcases,
    collection_of,
    drift,
    left_of_room,
    library_of,
    now_of,
    tidied,
    video_of,
)


@pytest.fixture
async def amber(store: Store, clock: Watch, ada: User, home: Library) -> Collection:
    """A collection in Ada's library."""
    return await collection_of(store, clock, ada, home, "Amber")


async def changed(store: Store, clock: Watch, ada: User, item: Book | Video, **given: Any) -> Any:
    kept = await change_item(
        Context(store, ada, clock()), item.library_id, item.item_id, given=given
    )
    assert await now_of(store, item) == kept.item
    return kept.item


class TestAdding:
    async def test_keeps_what_was_typed(
        self, store: Store, clock: Watch, ada: User, home: Library
    ) -> None:
        book = await book_of(
            store, clock, ada, home, " C# & Éclairs ", authors=["Ada L."], isbn=ISBN, summary="S"
        )
        video = await video_of(store, clock, ada, home, "Film", cast=["A"], duration=90)

        assert await now_of(store, book) == book
        assert (book.title, book.authors, book.isbn) == ("C# & Éclairs", ["Ada L."], ISBN)
        assert (book.library_name, book.owner_name) == ("Home", "Ada")
        assert await now_of(store, video) == video
        assert (await now_of(store, home)).total_items == 2
        assert await drift(store) == []

    async def test_without_a_title_or_with_anothers_fields_is_refused(
        self, store: Store, clock: Watch, ada: User, home: Library
    ) -> None:
        refused: list[tuple[type[Book | Video], dict[str, Any]]] = [
            (Book, {}),
            (Book, {"title": "T", "directors": ["A"]}),
            (Video, {"title": "T", "isbn": ISBN}),
            (Book, {"title": "T", "order": 1}),
            (Book, {"title": "T", "lent_to": "Ben"}),
        ]
        for kind, given in refused:
            with pytest.raises(InvalidField):
                await add_item(
                    Context(store, ada, clock()), home.library_id, kind=kind, given=given
                )
        assert (await now_of(store, home)).total_items == 0

    async def test_to_a_collection_takes_the_next_place(
        self, store: Store, clock: Watch, ada: User, home: Library, amber: Collection
    ) -> None:
        into = {"collection_id": amber.collection_id}
        places = [
            (await book_of(store, clock, ada, home, title, **into, **given)).order
            for title, given in [("a", {}), ("b", {}), ("c", {"order": 10}), ("d", {})]
        ]
        assert places == [1, 2, 10, 11]
        assert (await now_of(store, amber)).item_count == 4
        await check_bookcases(store.engine)

    async def test_behind_the_last_of_1000_places_takes_the_first_gap(
        self, store: Store, clock: Watch, ada: User, home: Library, amber: Collection
    ) -> None:
        into = {"collection_id": amber.collection_id}
        for order in (1, 3, 1000):
            await book_of(store, clock, ada, home, "T", **into, order=order)
        assert (await book_of(store, clock, ada, home, "T", **into)).order == 2
        assert (await book_of(store, clock, ada, home, "T", **into)).order == 4

    async def test_where_all_1000_places_are_taken_is_refused(
        self, store: Store, clock: Watch, ada: User, home: Library, amber: Collection
    ) -> None:
        first = await book_of(store, clock, ada, home, "T", collection_id=amber.collection_id)
        item = first.to_item()
        copies = [
            item | {"SK": f"{item['SK']}{n}", "ItemId": f"{first.item_id}{n}", "Order": n}
            for n in range(2, 1001)
        ]
        await store.engine.load(Book.schema.table, copies)
        await store.write(update(amber.ref, item_count=1000, last_order=1000))

        with pytest.raises(Conflict, match="1,000 numbers"):
            await book_of(store, clock, ada, home, "T", collection_id=amber.collection_id)

    async def test_of_the_same_work_warns_and_names_the_other(
        self, store: Store, clock: Watch, ada: User, home: Library
    ) -> None:
        first = await book_of(store, clock, ada, home, "The Hobbit", isbn="0261103253")
        film = await video_of(store, clock, ada, home, "The Matrix", tmdb_id=603)
        elsewhere = await library_of(store, clock, ada, "Elsewhere")

        async def same(kind: type[Book | Video], library: Library, **given: Any) -> Any:
            kept = await add_item(
                Context(store, ada, clock()),
                library.library_id,
                kind=kind,
                given={"title": "T", **given},
            )
            return kept.same

        assert await same(Book, home, isbn=ISBN) == [first]
        assert await same(Video, home, tmdb_id=603) == [film]
        assert await same(Book, elsewhere, isbn=ISBN) == []
        assert await same(Book, home) == []
        await check_bookcases(store.engine)

    async def test_to_a_library_that_is_deleted_in_that_moment_is_refused(
        self, store: Store, clock: Watch, ada: User, home: Library
    ) -> None:
        gone = Meanwhile(
            store, lambda: delete_library(Context(store, ada), home.library_id), before_writing=Book
        )
        with pytest.raises(NotFound):
            await book_of(gone, clock, ada, home, "T")
        assert await left_of_room(store.engine) == {}

    async def test_to_a_collection_that_is_deleted_in_that_moment_is_refused(
        self, store: Store, clock: Watch, ada: User, home: Library, amber: Collection
    ) -> None:
        gone = Meanwhile(
            store,
            lambda: delete_collection(Context(store, ada), home.library_id, amber.collection_id),
            before_writing=Book,
        )
        with pytest.raises(NotFound):
            await book_of(gone, clock, ada, home, "T", collection_id=amber.collection_id)
        assert (await now_of(store, home)).total_items == 0

    async def test_takes_the_names_that_all_have_in_that_moment(
        self, store: Store, clock: Watch, ada: User, home: Library, amber: Collection
    ) -> None:
        async def rename() -> None:
            at = (Context(store, ada, clock()), home.library_id)
            await change_collection(*at, amber.collection_id, name="Ambre")
            await change_library(*at, name="House")
            await store.write(update(ada.ref, display_name="Adele"))

        book = await book_of(
            Meanwhile(store, rename, before_writing=Book),
            clock,
            ada,
            home,
            "T",
            collection_id=amber.collection_id,
        )
        assert (book.collection_name, book.library_name, book.owner_name) == (
            "Ambre",
            "House",
            "Adele",
        )

    async def test_takes_so_many_requests_whatever_there_is(
        self, store: Store, clock: Watch, ada: User, home: Library, amber: Collection
    ) -> None:
        with counting() as tally:
            await book_of(store, clock, ada, home, "T", collection_id=amber.collection_id)
        assert (tally.reads, tally.writes) == (2, 1)


class TestChanging:
    @pytest.mark.parametrize("field", ["started_on", "finished_on"])
    async def test_to_a_day_that_is_too_far_away_is_refused(
        self, store: Store, clock: Watch, ada: User, home: Library, field: str
    ) -> None:
        clock.now = 1_780_000_000.0  # in 2026
        book = await book_of(store, clock, ada, home, "T", **{field: "2026-01-01"})
        at = (Context(store, ada, clock()), home.library_id, book.item_id)
        for change in (
            change_item(*at, given={field: "2037-01-01"}),
            change_item(*at, given={field: "1925-01-01"}),
            book_of(store, clock, ada, home, "U", **{field: "2037-01-01"}),
        ):
            with pytest.raises(InvalidField) as refused:
                await change
            assert refused.value.field == field

    async def test_changes_what_is_given(
        self, store: Store, clock: Watch, ada: User, home: Library
    ) -> None:
        book = await book_of(store, clock, ada, home, "T", summary="S", isbn=ISBN)
        after = await changed(store, clock, ada, book, title="Other", isbn=None)
        assert (after.title, after.summary, after.isbn) == ("Other", "S", None)
        await check_bookcases(store.engine)
        after = await changed(store, clock, ada, book, isbn="080442957X")
        await check_bookcases(store.engine)
        assert await drift(store) == []

    async def test_of_fields_of_the_other_kind_is_refused(
        self, store: Store, clock: Watch, ada: User, home: Library
    ) -> None:
        book = await book_of(store, clock, ada, home, "T")
        for given in ({"directors": ["A"]}, {"title": ""}, {"order": 1}, {"order": 1001}):
            with pytest.raises(InvalidField):
                await changed(store, clock, ada, book, **given)

    async def test_puts_it_into_a_collection_and_out_again(
        self, store: Store, clock: Watch, ada: User, home: Library, amber: Collection
    ) -> None:
        book = await book_of(store, clock, ada, home, "T")
        other = await collection_of(store, clock, ada, home, "Other")

        inside = await changed(store, clock, ada, book, collection_id=amber.collection_id)
        assert (inside.collection_name, inside.order) == ("Amber", 1)
        await check_bookcases(store.engine)
        there = await changed(store, clock, ada, book, collection_id=other.collection_id, order=7)
        assert (there.collection_name, there.order) == ("Other", 7)
        await check_bookcases(store.engine)
        alone = await changed(store, clock, ada, book, collection_id=None)
        assert (alone.collection_name, alone.order) == (None, None)
        await check_bookcases(store.engine)
        assert await drift(store) == []

    async def test_of_its_place_moves_the_next_one_behind(
        self, store: Store, clock: Watch, ada: User, home: Library, amber: Collection
    ) -> None:
        into = {"collection_id": amber.collection_id}
        book = await book_of(store, clock, ada, home, "T", **into)
        assert (await changed(store, clock, ada, book, order=5)).order == 5
        assert (await book_of(store, clock, ada, home, "U", **into)).order == 6
        assert (await changed(store, clock, ada, book, order=2)).order == 2
        await check_bookcases(store.engine)

    async def test_is_refused_where_it_has_changed_since_somebody_looked(
        self, store: Store, clock: Watch, ada: User, home: Library
    ) -> None:
        book = await book_of(store, clock, ada, home, "T")
        await changed(store, clock, ada, book, title="U")
        at = (Context(store, ada, clock()), home.library_id, book.item_id)
        with pytest.raises(PreconditionFailed):
            await change_item(*at, given={"title": "V"}, version=book.version)

    async def test_of_two_things_at_once_loses_neither(
        self, store: Store, clock: Watch, ada: User, home: Library
    ) -> None:
        book = await book_of(store, clock, ada, home, "T")
        meanwhile = Meanwhile(
            store, lambda: changed(store, clock, ada, book, summary="S"), before_writing=Book
        )
        await changed(meanwhile, clock, ada, book, title="U")
        after = await now_of(store, book)
        assert (after.title, after.summary) == ("U", "S")


class TestDeleting:
    async def test_takes_its_history_along_and_counts(
        self, store: Store, clock: Watch, ada: User, home: Library, amber: Collection
    ) -> None:
        into = {"collection_id": amber.collection_id, "isbn": ISBN}
        kept = await book_of(store, clock, ada, home, "Kept", **into)
        book = await book_of(store, clock, ada, home, "T", **into)
        for _ in range(60):
            await lend(Context(store, ada, clock()), home.library_id, book.item_id, to="Ben")
            await return_item(Context(store, ada, clock()), home.library_id, book.item_id)

        await delete_item(Context(store, ada, clock()), home.library_id, book.item_id)
        await check_bookcases(store.engine, tidy=False)
        await tidied(store, clock)

        assert await left_of_room(store.engine) == {
            "Library": 1,
            "Collection": 1,
            "CollectionName": 1,
            "Book": 1,
            "ItemCode": 1,
        }
        assert await now_of(store, kept) == kept
        await check_bookcases(store.engine)

    async def test_of_the_last_one_frees_its_place(
        self, store: Store, clock: Watch, ada: User, home: Library, amber: Collection
    ) -> None:
        into = {"collection_id": amber.collection_id}
        for title in ("a", "b", "c"):
            book = await book_of(store, clock, ada, home, title, **into)
        await delete_item(Context(store, ada, clock()), home.library_id, book.item_id)
        assert (await book_of(store, clock, ada, home, "d", **into)).order == 3

    async def test_while_it_is_lent_is_refused_unless_it_is_confirmed(
        self, store: Store, clock: Watch, ada: User, ben: User, home: Library
    ) -> None:
        book = await book_of(store, clock, ada, home, "T")
        at = (Context(store, ada, clock()), home.library_id, book.item_id)
        await lend(*at, to="Ben", email="ben@example.org")
        with pytest.raises(NeedsConfirmation, match="Ben"):
            await delete_item(*at)
        await delete_item(*at, force=True)
        await tidied(store, clock)
        assert await left_of_room(store.engine) == {"Library": 1}

    async def test_out_of_a_collection_that_is_gone_already_works(
        self, store: Store, clock: Watch, ada: User, home: Library, amber: Collection
    ) -> None:
        book = await book_of(store, clock, ada, home, "T", collection_id=amber.collection_id)
        await delete_collection(Context(store, ada), home.library_id, amber.collection_id)
        await delete_item(Context(store, ada, clock()), home.library_id, book.item_id)
        await tidied(store, clock)
        assert await left_of_room(store.engine) == {"Library": 1}


class TestSeeing:
    async def test_hides_from_recipients_who_has_it_and_until_when(
        self, store: Store, clock: Watch, ada: User, ben: User, home: Library
    ) -> None:
        book = await book_of(store, clock, ada, home, "T")
        at = (Context(store, ada, clock()), home.library_id, book.item_id)
        lent = await lend(*at, to="Eve", due="2290-05-31", past_due=True)
        await share(Context(store, ada, clock()), home.library_id, "ben@example.org")

        assert (await see_item(Context(store, ada), home.library_id, book.item_id)).item == lent
        seen = (await see_item(Context(store, ben), home.library_id, book.item_id)).item
        assert (seen.title, seen.item_id) == ("T", book.item_id)
        told = (seen.lent_to, seen.lent_at, seen.due_date, seen.borrower_id, seen.last_event_at)
        assert told == (None,) * 5

    async def test_hides_from_recipients_what_the_owner_thinks_of_it(
        self, store: Store, clock: Watch, ada: User, ben: User, home: Library
    ) -> None:
        clock.now = 1_780_000_000.0
        thought = {
            "rating": 4.5,
            "review": "Good.",
            "status": "read",
            "started_on": "2024-01-01",
            "finished_on": "2024-02-01",
        }
        shown = {"tags": ["sf"], "publisher": "Ace", "location": "Hall", "copies": 2}
        book = await book_of(store, clock, ada, home, "T", **thought, **shown)
        await share(Context(store, ada, clock()), home.library_id, "ben@example.org")

        mine = (await see_item(Context(store, ada), home.library_id, book.item_id)).item
        theirs = (await see_item(Context(store, ben), home.library_id, book.item_id)).item
        assert {name: getattr(mine, name) for name in thought} == thought
        assert {name: getattr(theirs, name) for name in thought} == dict.fromkeys(thought)
        assert {name: getattr(theirs, name) for name in shown} == shown

    async def test_is_refused_to_strangers_and_of_what_is_not_there(
        self, store: Store, clock: Watch, ada: User, eve: User, home: Library
    ) -> None:
        book = await book_of(store, clock, ada, home, "T")
        with pytest.raises(NotFound):
            await see_item(Context(store, eve), home.library_id, book.item_id)
        for item_id in ("nowhere", "#", "", f"{book.item_id}#event#x"):
            with pytest.raises(NotFound):
                await see_item(Context(store, ada), home.library_id, item_id)
