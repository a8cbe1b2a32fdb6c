"""Looking at a file: what it would bring, and what of it is there already."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.errors import Conflict, NotFound
from commonroom.imports.files import UnreadableFile
from commonroom.library.service.imports import LibraryImportChoices
from commonroom.library.service.imports.lifecycle import LibraryImports
from commonroom.library.service.libraries import delete_library, share
from commonroom.library.tables import (
    Book,
    Collection,
    Library,
    LibraryImport,
    LibraryImportReport,
    LibraryImportRows,
)
from commonroom.moments import seconds
from commonroom.store import Store, counting
from tests.accounts.people import Watch
from tests.library.bookcase import (
    ISBN,
    book_of,
    collection_of,
    everything_of,
    left_of_room,
    tidied,
    video_of,
)
from tests.library.import_files import books, finished, imported, prepared

GOODREADS = Path(__file__).parents[2] / "rules/formats/exports/goodreads.csv"


async def test_a_preview_says_what_would_come(
    store: Store, clock: Watch, ada: User, home: Library
) -> None:
    await collection_of(store, clock, ada, home, "discworld")
    file = GOODREADS.read_bytes()
    clock.now = seconds("2026-02-01T00:00:00Z")

    seen = await LibraryImports(Context(store, ada, clock()), home.library_id).preview_file(
        file=file
    )

    assert (seen.format, seen.items, seen.books, seen.videos) == ("goodreads", 7, 7, 0)
    assert (seen.already, seen.lent, seen.bad_count, seen.warning_count) == (0, 0, 0, 3)
    assert seen.new_collections == ["The Lord of the Rings"], "what is wished for stays out"
    assert (seen.outcome.added, seen.outcome.shelved) == (5, 2)
    assert seen.unkept[0] == "Average Rating"
    assert [(one.name, one.items, one.unowned) for one in seen.shelves] == [
        ("read", 4, False),
        ("to-read", 2, True),
        ("currently-reading", 1, False),
    ]
    first = seen.first[0]
    assert (first.number, first.title, first.people) == (
        2,
        "The Fellowship of the Ring",
        ["J.R.R. Tolkien"],
    )
    assert (first.collection, first.order, first.isbn) == (
        "The Lord of the Rings",
        1,
        "9780261103573",
    )
    assert await everything_of(store.engine, LibraryImport, LibraryImportRows) == []


async def test_what_is_there_is_known_by_its_code_or_by_title_and_people(
    store: Store, clock: Watch, ada: User, home: Library
) -> None:
    await book_of(store, clock, ada, home, "Rings", isbn=ISBN)
    await book_of(store, clock, ada, home, "Été", authors=["Ann Otto", "Bo"])
    await book_of(store, clock, ada, home, "Nobody's")
    await video_of(store, clock, ada, home, "Film", tmdb_id=5, directors=["Cy"])
    file = books(
        "book,Other title,,,,,0261103253,,,,",
        "book,ETE,,,bo,,,,,,",
        "book,Été,,,Somebody else,,,,,,",
        "book,nobody's,,,,,,,,,",
        "book,Nobody's,,,Ann,,,,,,",
        "video,Other,,,,,,5,,,",
        "video,film,,,,CY,,,,,",
        "book,Film,,,CY,,,,,,",
    )

    seen = await LibraryImports(Context(store, ada, clock()), home.library_id).preview_file(
        file=file
    )

    assert [one.already for one in seen.first] == [
        "Rings",
        "Été",
        None,
        "Nobody's",
        None,
        "Film",
        "Film",
        None,
    ]
    assert seen.already == 5


async def test_lists_are_cut_and_numbers_are_whole(
    store: Store, clock: Watch, ada: User, home: Library
) -> None:
    rows = [f"book,T{n},C{n},,,,123,,,," for n in range(300)]
    bad = ["book,,,,,,,,,,"] * 300

    seen = await prepared(store, clock, ada, home, books(*rows, *bad))

    assert seen.preview is not None
    assert (seen.preview.bad_count, len(seen.preview.bad)) == (300, 300)
    assert (seen.preview.warning_count, len(seen.preview.warnings)) == (300, 300)
    assert (seen.preview.new_collection_count, len(seen.preview.new_collections)) == (300, 50)
    assert len(seen.preview.first) == 10


async def test_a_file_waits_until_it_is_started_and_a_new_one_takes_its_place(
    store: Store, clock: Watch, ada: User, home: Library
) -> None:
    first = await prepared(store, clock, ada, home, books("book,A,,,,,,,,,"))
    second = await prepared(store, clock, ada, home, books("book,B,,,,,,,,,"))
    await tidied(store, clock)

    assert await LibraryImports(Context(store, ada), home.library_id).see() == second
    assert (second.state, second.of, second.done, second.file_name) == ("ready", 1, 0, "shelf.csv")
    with pytest.raises(Conflict):
        await LibraryImports(Context(store, ada, clock()), home.library_id).start(
            first.import_id, LibraryImportChoices()
        )
    assert await left_of_room(store.engine) == {
        "Library": 1,
        "LibraryImport": 1,
        "LibraryImportRows": 1,
        "LibraryImportReport": 1,
    }


async def test_what_waits_can_be_forgotten_and_is_after_some_days(
    store: Store, clock: Watch, ada: User, home: Library
) -> None:
    for later in (0, 8 * 24 * 3600):
        await prepared(store, clock, ada, home, books("book,A,,,,,,,,,"))
        if later:
            clock.now += later
        else:
            await LibraryImports(Context(store, ada, clock()), home.library_id).cancel()
        await tidied(store, clock)
        assert await left_of_room(store.engine) == {"Library": 1}
        with pytest.raises(NotFound):
            await LibraryImports(Context(store, ada), home.library_id).see()


async def test_deleting_the_library_takes_a_file_along(
    store: Store, clock: Watch, ada: User, home: Library
) -> None:
    await prepared(store, clock, ada, home, books("book,A,,,,,,,,,"))
    await delete_library(Context(store, ada), home.library_id)
    await tidied(store, clock)
    assert await left_of_room(store.engine) == {}


async def test_only_the_owner_can(
    store: Store, clock: Watch, ada: User, ben: User, home: Library
) -> None:
    await share(Context(store, ada, clock()), home.library_id, "ben@example.org")
    ready = await prepared(store, clock, ada, home, books("book,A,,,,,,,,,"))
    with pytest.raises(NotFound):
        await LibraryImports(Context(store, ben, clock()), home.library_id).preview_file(
            file=books()
        )
    with pytest.raises(NotFound):
        await prepared(store, clock, ben, home, books("book,A,,,,,,,,,"))
    with pytest.raises(NotFound):
        await LibraryImports(Context(store, ben), home.library_id).see()
    with pytest.raises(NotFound):
        await LibraryImports(Context(store, ben, clock()), home.library_id).start(
            ready.import_id, LibraryImportChoices()
        )
    with pytest.raises(NotFound):
        await LibraryImports(Context(store, ben, clock()), home.library_id).cancel()
    assert await LibraryImports(Context(store, ada), home.library_id).see() == ready


async def test_what_cannot_be_read_leaves_what_waits_alone(
    store: Store, clock: Watch, ada: User, home: Library
) -> None:
    ready = await prepared(store, clock, ada, home, books("book,A,,,,,,,,,"))
    with pytest.raises(UnreadableFile):
        await prepared(store, clock, ada, home, b"\0")
    assert await LibraryImports(Context(store, ada), home.library_id).see() == ready


async def test_an_import_is_seen_with_three_requests(
    store: Store, clock: Watch, ada: User, home: Library
) -> None:
    await imported(store, clock, ada, home, books("book,A,,,,,,,,,"))
    with counting() as tally:
        await LibraryImports(Context(store, ada), home.library_id).see()
    assert (tally.reads, tally.writes) == (3, 0)
    assert len(await everything_of(store.engine, LibraryImportReport)) == 1


async def test_more_notes_than_an_item_can_hold_are_counted(
    store: Store, clock: Watch, ada: User, home: Library
) -> None:
    rows = [f"book,{'T' * 90}{n},C,,,,123,,,," for n in range(2000)]
    seen = await prepared(store, clock, ada, home, books(*rows, *["book,,,,,,,,,,"] * 3000))
    assert seen.preview is not None
    assert (seen.preview.bad_count, seen.preview.warning_count) == (3000, 2000)
    assert 100 < len(seen.preview.warnings) < 2000


HEADER = "Title,Primary Author,Secondary Author,ISBN,Collections,Series\n"
WORKS = [
    'Dune,"Herbert, Frank",,,Wishlist,Sand',
    'Dune,"Herbert, Frank",,,Your library,Sand',
    'DUNE,"Herbert, Frank",,,Your library,Other',
    'Dune,"Somebody, Else",,,Your library,',
    "Old,,,9780261103252,Your library,New",
    "Rings,,,0261103253,,",
    "Rings II,,,9780261103573,,",
    "Rings 2,,,0261103571,,Third",
]


@pytest.mark.parametrize("duplicates", ["skip", "add"])
@pytest.mark.parametrize("without", [[], ["Wishlist"], ["Your library"]])
async def test_what_is_foreseen_is_what_happens(
    store: Store,
    clock: Watch,
    ada: User,
    home: Library,
    *,
    duplicates: Literal["skip", "add"],
    without: list[str],
) -> None:
    await book_of(store, clock, ada, home, "Old", isbn=ISBN)
    await collection_of(store, clock, ada, home, "sand")
    before = {one.name for one in await everything_of(store.engine, Collection)}
    ready = await prepared(store, clock, ada, home, (HEADER + "\n".join(WORKS)).encode())
    choices = LibraryImportChoices(duplicates=duplicates, without=frozenset(without))

    told = await LibraryImports(Context(store, ada), home.library_id).preview_outcome(
        ready.import_id, choices
    )
    at = (Context(store, ada, clock()), home.library_id)
    await LibraryImports(*at).start(ready.import_id, choices)
    seen = await finished(store, clock, ada, home)

    assert (seen.added, seen.skipped, seen.failed) == (told.added, told.left_out, 0)
    made = {one.name for one in await everything_of(store.engine, Collection)} - before
    assert sorted(made) == told.new_collections
    with pytest.raises(Conflict):
        await LibraryImports(Context(store, ada), home.library_id).preview_outcome(
            ready.import_id, choices
        )


async def test_what_is_twice_in_a_file_is_known_and_the_first_that_comes_in_counts(
    store: Store, clock: Watch, ada: User, home: Library
) -> None:
    file = (HEADER + "\n".join(WORKS)).encode()
    ready = await prepared(store, clock, ada, home, file)
    assert ready.preview is not None
    assert [one.twin for one in ready.preview.first] == [None, 2, 2, None, None, 6, None, 8]
    assert (ready.preview.twins, ready.preview.outcome.twins) == (4, 3)

    await LibraryImports(Context(store, ada, clock()), home.library_id).start(
        ready.import_id, LibraryImportChoices(without=frozenset(["Wishlist"]))
    )
    await finished(store, clock, ada, home)
    titles = [one.title for one in await everything_of(store.engine, Book)]
    assert sorted(titles) == ["Dune", "Dune", "Old", "Rings II"]


async def test_two_isbns_are_two_books_though_they_are_called_the_same(
    store: Store, clock: Watch, ada: User, home: Library
) -> None:
    await book_of(store, clock, ada, home, "Poems", isbn="9780141439518", authors=["Ann"])
    file = books(
        "book,Poems,,,Ann,,0261103253,,,,",
        "book,Poems,,,Ann,,9780141439518,,,,",
        "book,Poems,,,Ann,,,,,,",
    )
    seen = await LibraryImports(Context(store, ada, clock()), home.library_id).preview_file(
        file=file
    )
    assert [one.already for one in seen.first] == [None, "Poems", "Poems"]

    service = (
        "Title,Author,Author l-f,ISBN,Exclusive Shelf,My Rating\n"
        "Letters,Bo,Bo,,read,0\n"
        "Letters,Bo,Bo,0261103253,read,0\n"
        "Letters,Bo,Bo,9780316769488,read,4\n"
    )
    seen = await LibraryImports(Context(store, ada, clock()), home.library_id).preview_file(
        file=service.encode()
    )
    assert [one.twin for one in seen.first] == [None, 2, None], "one of them is the first"
    assert [one.isbn for one in seen.first] == ["0261103253", "0261103253", "9780316769488"]
    two = service.replace("Letters,Bo,Bo,,read,0\n", "").encode()
    seen = await LibraryImports(Context(store, ada, clock()), home.library_id).preview_file(
        file=two
    )
    assert [one.twin for one in seen.first] == [None, None]
    assert seen.outcome.added == 2


LETTERS = (
    b"Title,Author,Author l-f,ISBN,Exclusive Shelf,Bookshelves,My Rating,My Review,Date Read\n"
    b'Letters,Bo,Bo,,read,"read, old",0,,\n'
    b'Letters,Bo,Bo,0261103253,read,"read, dear",4,Warm.,\n'
    b"Letters,Bo,Bo,,read,read,2,Another.,2024/02/03\n"
)


async def test_the_first_of_a_work_takes_what_it_lacks_from_the_others(
    store: Store, clock: Watch, ada: User, home: Library
) -> None:
    clock.now = seconds("2026-02-01T00:00:00Z")
    ready = await prepared(store, clock, ada, home, LETTERS)
    assert ready.preview is not None
    seen = [(one.twin, one.isbn, one.is_completed) for one in ready.preview.first]
    assert seen[0] == (None, "0261103253", True)
    assert [twin for twin, *_ in seen] == [None, 2, 2]

    await LibraryImports(Context(store, ada, clock()), home.library_id).start(
        ready.import_id, LibraryImportChoices()
    )
    done = await finished(store, clock, ada, home)
    assert (done.added, done.skipped) == (1, 2)
    [kept] = await everything_of(store.engine, Book)
    assert (kept.isbn, kept.rating, kept.review) == ("0261103253", 4, "Warm.")
    assert (kept.finished_on, kept.tags) == ("2024-02-03", ["old", "dear"])


async def test_where_all_of_a_work_are_added_each_stays_as_it_is(
    store: Store, clock: Watch, ada: User, home: Library
) -> None:
    ready = await prepared(store, clock, ada, home, LETTERS)
    at = (Context(store, ada, clock()), home.library_id)
    await LibraryImports(*at).start(ready.import_id, LibraryImportChoices(duplicates="add"))
    await finished(store, clock, ada, home)
    kept = await everything_of(store.engine, Book)
    assert sorted((one.review or "", one.isbn or "") for one in kept) == [
        ("", ""),
        ("Another.", ""),
        ("Warm.", "0261103253"),
    ]


async def test_what_somebody_has_twice_comes_back_twice_from_a_file_of_ours(
    store: Store, clock: Watch, ada: User, home: Library
) -> None:
    row = "book,Twice,,,Ann,,9780261103252,,,,"
    seen = await imported(store, clock, ada, home, books(row, row))
    assert (seen.added, seen.skipped) == (2, 0)
