"""Undoing an import: all that it added goes again, and nothing that anybody did since."""

from __future__ import annotations

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.errors import Conflict, NotFound
from commonroom.library.service.collections import change_collection
from commonroom.library.service.imports import LibraryImportChoices
from commonroom.library.service.imports.lifecycle import LibraryImports
from commonroom.library.service.items import change_item, delete_item
from commonroom.library.service.libraries import delete_library
from commonroom.library.service.loans import lend, return_item
from commonroom.library.service.moves import move_item
from commonroom.library.tables import Book, Collection, Library, LibraryImport
from commonroom.store import Store, delete
from tests.accounts.people import Watch
from tests.library.bookcase import (
    book_of,
    check_bookcases,
    collection_of,
    drift,
    everything_of,
    left_of_room,
    library_of,
    now_of,
    tidied,
)
from tests.library.import_files import books, imported, prepared, undone

THIS_YEAR = 1_770_000_000.0
ROWS = [
    f"book,T{n:02d},C{n % 3},,Ann,,9780261103252,,{'Ben' if n % 5 == 0 else ''},,2033-01-01"
    for n in range(40)
]


@pytest.fixture
def clock() -> Watch:
    """A time at which things can be due."""
    clock = Watch()
    clock.now = THIS_YEAR
    return clock


async def by_title(store: Store) -> dict[str, Book]:
    return {one.title: one for one in await everything_of(store.engine, Book)}


async def test_everything_goes_again_and_what_was_there_before_stays(
    store: Store, clock: Watch, ada: User, home: Library
) -> None:
    there = await collection_of(store, clock, ada, home, "C1")
    await book_of(store, clock, ada, home, "Mine", collection_id=there.collection_id)
    before = await left_of_room(store.engine)
    seen = await imported(store, clock, ada, home, books(*ROWS))
    assert seen.can_be_undone
    clock.now += 10

    seen = await undone(store, clock, ada, home)

    assert (seen.state, seen.added, seen.removed, seen.kept) == ("undone", 40, 40, 0)
    assert not seen.can_be_undone
    left = await left_of_room(store.engine)
    assert left == before | {"LibraryImport": 1, "LibraryImportReport": 1}
    assert (await now_of(store, home)).total_items == 1
    assert (await now_of(store, there)).item_count == 1
    await check_bookcases(store.engine)
    assert await drift(store) == []


async def test_what_was_changed_lent_returned_or_moved_since_stays_and_is_named(
    store: Store, clock: Watch, ada: User, home: Library
) -> None:
    attic = await library_of(store, clock, ada, "Attic")
    await imported(store, clock, ada, home, books(*ROWS))
    clock.now += 10
    items = await by_title(store)

    def at(title: str) -> tuple[Context, str, str]:
        return Context(store, ada, clock()), home.library_id, items[title].item_id

    await change_item(*at("T01"), given={"summary": "Read it."})
    await lend(*at("T02"), to="Eve")
    await return_item(*at("T05"))
    await move_item(*at("T03"), to=attic.library_id)
    await delete_item(*at("T04"))
    await tidied(store, clock)

    seen = await undone(store, clock, ada, home)

    assert (seen.added, seen.removed, seen.kept) == (40, 35, 3)
    assert [(one.number, one.title, one.field) for one in seen.kept_notes] == [
        (3, "T01", None),
        (4, "T02", "lent_to"),
        (7, "T05", None),
    ]
    assert "Eve" in seen.kept_notes[1].why
    assert sorted(await by_title(store)) == ["T01", "T02", "T03", "T05"]
    names = {one.name: one.item_count for one in await everything_of(store.engine, Collection)}
    assert names == {"C1": 1, "C2": 2}
    await check_bookcases(store.engine)
    assert await drift(store) == []


async def test_a_new_name_of_its_collection_is_no_change_of_an_item(
    store: Store, clock: Watch, ada: User, home: Library
) -> None:
    await imported(store, clock, ada, home, books(*ROWS))
    made = {one.name: one for one in await everything_of(store.engine, Collection)}
    clock.now += 10
    at = (Context(store, ada, clock()), home.library_id)
    await change_collection(*at, made["C0"].collection_id, name="Renamed")
    await tidied(store, clock)

    seen = await undone(store, clock, ada, home)

    assert (seen.removed, seen.kept) == (40, 0)
    left = [one.name for one in await everything_of(store.engine, Collection)]
    assert left == ["Renamed"], "what somebody has named is theirs"
    await check_bookcases(store.engine)


async def test_one_that_was_stopped_can_be_undone_and_one_that_runs_or_waits_cannot(
    store: Store, clock: Watch, ada: User, home: Library
) -> None:
    at = (Context(store, ada, clock()), home.library_id)
    ready = await prepared(store, clock, ada, home, books(*ROWS))
    for _ in range(2):
        with pytest.raises(Conflict):
            await LibraryImports(*at).undo(ready.import_id)
        await LibraryImports(*at).start(ready.import_id, LibraryImportChoices())
    await LibraryImports(Context(store, ada, clock()), home.library_id).cancel()
    with pytest.raises(Conflict, match="Another file"):
        await LibraryImports(*at).undo("X")
    await LibraryImports(*at).undo(ready.import_id)
    seen = await undone(store, clock, ada, home)
    assert (seen.state, seen.removed) == ("undone", seen.added)
    with pytest.raises(Conflict, match="only once"):
        await LibraryImports(*at).undo(ready.import_id)


async def test_nothing_comes_between_and_it_is_not_forgotten_half_done(
    store: Store, clock: Watch, ada: User, home: Library
) -> None:
    done = await imported(store, clock, ada, home, books(*ROWS))
    await LibraryImports(Context(store, ada, clock()), home.library_id).undo(done.import_id)
    with pytest.raises(Conflict, match="undone"):
        await prepared(store, clock, ada, home, books("book,A,,,,,,,,,"))
    with pytest.raises(Conflict):
        await LibraryImports(Context(store, ada, clock()), home.library_id).cancel()
    clock.now += 8 * 24 * 3600
    await tidied(store, clock)
    assert await by_title(store) == {}
    clock.now += 2 * 24 * 3600
    await tidied(store, clock)
    assert await everything_of(store.engine, LibraryImport) == []


async def test_only_the_owner_can(
    store: Store, clock: Watch, ada: User, ben: User, home: Library
) -> None:
    done = await imported(store, clock, ada, home, books("book,A,,,,,,,,,"))
    with pytest.raises(NotFound):
        await LibraryImports(Context(store, ben, clock()), home.library_id).undo(done.import_id)


@pytest.mark.parametrize("gone", ["library", "account"])
async def test_it_ends_with_the_library_and_with_the_account(
    store: Store, clock: Watch, ada: User, home: Library, gone: str
) -> None:
    done = await imported(store, clock, ada, home, books(*ROWS))
    await LibraryImports(Context(store, ada, clock()), home.library_id).undo(done.import_id)
    if gone == "library":
        await delete_library(Context(store, ada), home.library_id, force=True)
    else:
        await store.write(delete(ada))
    for _ in range(3):
        clock.now += 100
        await tidied(store, clock)
    assert await left_of_room(store.engine) == {}


async def test_it_can_be_undone_as_long_as_no_other_file_takes_its_place(
    store: Store, clock: Watch, ada: User, home: Library
) -> None:
    done = await imported(store, clock, ada, home, books(*ROWS))
    await prepared(store, clock, ada, home, books("book,A,,,,,,,,,"))
    with pytest.raises(Conflict, match="Another file"):
        await LibraryImports(Context(store, ada, clock()), home.library_id).undo(done.import_id)
    assert (await LibraryImports(Context(store, ada), home.library_id).see()).state == "ready"
    assert len(await by_title(store)) == 40
