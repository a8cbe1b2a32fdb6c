"""Imports that something happens to between a look and what is written after it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.errors import Conflict, NotFound
from commonroom.library.consumers.imports import HANDLERS
from commonroom.library.service.imports import LibraryImportChoices
from commonroom.library.service.imports.lifecycle import IMPORTS, LibraryImports
from commonroom.library.service.imports.worker import LibraryImportRun
from commonroom.library.service.items import delete_item
from commonroom.library.service.libraries import delete_library
from commonroom.library.tables import Book, Library, LibraryImport, LibraryImportRows, LoanEvent
from commonroom.store import BoundPattern, ConditionFailed, Entity, Ref, Store
from commonroom.timers.tables import Timer
from tests.accounts.people import Watch
from tests.library.bookcase import everything_of, left_of_room, tidied
from tests.library.import_files import books, finished, prepared

FILE, OTHER = books(*[f"book,T{n:02d},,,,,,,,," for n in range(40)]), books("book,New,,,,,,,,,")


class Meanwhile(Store):
    """A store in which something happens right after a thing of a kind was read, once."""

    def __init__(
        self, store: Store, kind: type[Entity], happens: Callable[[], Awaitable[Any]]
    ) -> None:
        super().__init__(store.engine)
        self._kind, self._happens, self._happened = kind, happens, False

    async def get(self, what: Ref[Any] | BoundPattern[Any]) -> Any:
        found = await super().get(what)
        if isinstance(found, self._kind) and not self._happened:
            self._happened = True
            await self._happens()
        return found


async def course_of(store: Store, clock: Watch, ada: User) -> LibraryImportRun:
    (kept,) = await everything_of(store.engine, LibraryImport)
    return LibraryImportRun(Context(store, ada, clock()), kept)


async def test_another_file_is_not_started_in_its_place(
    store: Store, clock: Watch, ada: User, home: Library
) -> None:
    ready = await prepared(store, clock, ada, home, FILE)
    busy = Meanwhile(store, LibraryImport, lambda: prepared(store, clock, ada, home, OTHER))
    with pytest.raises(Conflict, match="Another file was chosen"):
        await LibraryImports(Context(busy, ada, clock()), home.library_id).start(
            ready.import_id, LibraryImportChoices()
        )
    assert (await LibraryImports(Context(store, ada), home.library_id).see()).state == "ready"


async def test_one_that_was_started_is_stopped_rather_than_forgotten(
    store: Store, clock: Watch, ada: User, home: Library
) -> None:
    ready = await prepared(store, clock, ada, home, FILE)
    ctx = Context(store, ada, clock())
    busy = Meanwhile(
        store,
        LibraryImport,
        lambda: LibraryImports(ctx, home.library_id).start(ready.import_id, LibraryImportChoices()),
    )
    await LibraryImports(replace(ctx, store=busy), home.library_id).cancel()
    assert (await LibraryImports(Context(store, ada), home.library_id).see()).state == "cancelled"


async def test_one_that_has_just_come_to_its_end_was_not_cancelled(
    store: Store, clock: Watch, ada: User, home: Library
) -> None:
    ready = await prepared(store, clock, ada, home, FILE)
    ctx = Context(store, ada, clock())
    await LibraryImports(ctx, home.library_id).start(ready.import_id, LibraryImportChoices())
    busy = Meanwhile(store, LibraryImport, lambda: finished(store, clock, ada, home))
    await LibraryImports(replace(ctx, store=busy), home.library_id).cancel()
    with pytest.raises(NotFound):
        await LibraryImports(Context(store, ada), home.library_id).see()
    assert len(await everything_of(store.engine, Book)) == 40


async def test_one_that_was_cancelled_before_its_end_is_not_done(
    store: Store, clock: Watch, ada: User, home: Library
) -> None:
    ready = await prepared(store, clock, ada, home, OTHER)
    await LibraryImports(Context(store, ada, clock()), home.library_id).start(
        ready.import_id, LibraryImportChoices()
    )
    course = await course_of(store, clock, ada)
    await course.step()
    await LibraryImports(Context(store, ada, clock()), home.library_id).cancel()
    with pytest.raises(ConditionFailed):
        await course.step()
    seen = await LibraryImports(Context(store, ada), home.library_id).see()
    assert (seen.state, seen.added) == ("cancelled", 1)


async def test_no_row_is_blamed_for_a_library_that_is_deleted(
    store: Store, clock: Watch, ada: User, home: Library
) -> None:
    ready = await prepared(store, clock, ada, home, FILE)
    await LibraryImports(Context(store, ada, clock()), home.library_id).start(
        ready.import_id, LibraryImportChoices()
    )
    course = await course_of(store, clock, ada)
    await delete_library(Context(store, ada), home.library_id)
    with pytest.raises(NotFound):
        await course.step()
    (kept,) = await everything_of(store.engine, LibraryImport)
    assert (kept.failed, kept.place) == (0, 0)


async def test_another_file_is_not_forgotten_in_its_place(
    store: Store, clock: Watch, ada: User, home: Library
) -> None:
    await prepared(store, clock, ada, home, FILE)
    (waited,) = [
        one for one in await everything_of(store.engine, Timer) if one.kind == IMPORTS.forget_timer
    ]
    busy = Meanwhile(store, LibraryImport, lambda: prepared(store, clock, ada, home, OTHER))
    await HANDLERS[IMPORTS.forget_timer](busy, waited, clock())
    assert (await LibraryImports(Context(store, ada), home.library_id).see()).of == 1


@pytest.mark.parametrize("what", ["another file", "a deleted library"])
async def test_a_file_that_still_arrives_gives_way(
    store: Store, clock: Watch, ada: User, home: Library, what: str
) -> None:
    class Slow(Store):
        """In which something happens before the first rows are kept."""

        async def write(self, *writes: Any) -> None:
            if any(one.entity_type is LibraryImportRows for one in writes):
                if what == "another file":
                    await prepared(store, clock, ada, home, OTHER)
                else:
                    await delete_library(Context(store, ada), home.library_id)
                    await tidied(store, clock)
            await super().write(*writes)

    with pytest.raises(Conflict):
        await prepared(Slow(store.engine), clock, ada, home, FILE)
    await tidied(store, clock)
    left = await left_of_room(store.engine)
    if what == "another file":
        assert (await LibraryImports(Context(store, ada), home.library_id).see()).of == 1
        assert left["LibraryImportRows"] == 1
    else:
        assert left == {}


async def test_no_file_is_kept_for_a_library_that_is_deleted_meanwhile(
    store: Store, clock: Watch, ada: User, home: Library
) -> None:
    class Late(Store):
        """In which the library is deleted before the import takes its place there."""

        async def write(self, *writes: Any) -> None:
            if any(one.entity_type is LibraryImport for one in writes):
                await delete_library(Context(store, ada), home.library_id)
                await tidied(store, clock)
            await super().write(*writes)

    with pytest.raises((Conflict, NotFound)):
        await prepared(Late(store.engine), clock, ada, home, FILE)
    assert await left_of_room(store.engine) == {}


async def test_history_does_not_come_to_what_its_owner_deletes(
    store: Store, clock: Watch, ada: User, home: Library
) -> None:
    told = [
        {
            "type": ("lent", "returned")[n % 2],
            "borrower": "Ben",
            "at": f"2025-01-01T00:00:00.{n:03d}Z",
        }
        for n in range(100)
    ]
    item = {"type": "book", "title": "Old", "history": told}
    file = {"format": "commonroom-library", "items": [item]}
    ready = await prepared(store, clock, ada, home, msgspec.json.encode(file))
    await LibraryImports(Context(store, ada, clock()), home.library_id).start(
        ready.import_id, LibraryImportChoices()
    )
    await (await course_of(store, clock, ada)).step()
    (book,) = await everything_of(store.engine, Book)
    at = (Context(store, ada, clock()), home.library_id, book.item_id)
    course = await course_of(Meanwhile(store, Book, lambda: delete_item(*at)), clock, ada)
    with pytest.raises(ConditionFailed):
        await course.step()
    await finished(store, clock, ada, home)
    assert await everything_of(store.engine, LoanEvent) == []
