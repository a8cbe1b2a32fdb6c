"""Files that come into a library, and what comes out of it again."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.library.service import exports
from commonroom.library.service.imports import LibraryImportChoices, LibraryImportStatus
from commonroom.library.service.imports.lifecycle import LibraryImports
from commonroom.library.tables import Library
from commonroom.store import Store
from tests.accounts.people import Watch
from tests.library.bookcase import tidied

HEADER = "type,title,collection,order,authors,directors,isbn,tmdb_id,lent_to,lent_at,due_date\r\n"


def books(*rows: str) -> bytes:
    """A file of ours with these rows."""
    return (HEADER + "\r\n".join(rows)).encode()


async def prepared(
    store: Store, clock: Watch, person: User, library: Library, file: bytes
) -> LibraryImportStatus:
    """A file that was looked at."""
    return await LibraryImports(Context(store, person, clock()), library.library_id).prepare(
        file=file, file_name="shelf.csv"
    )


async def imported(
    store: Store, clock: Watch, person: User, library: Library, file: bytes, **choice: Any
) -> LibraryImportStatus:
    """A file that was worked through."""
    ready = await prepared(store, clock, person, library, file)
    await LibraryImports(Context(store, person, clock()), library.library_id).start(
        ready.import_id, LibraryImportChoices(**choice)
    )
    return await finished(store, clock, person, library)


async def finished(
    store: Store, clock: Watch, person: User, library: Library
) -> LibraryImportStatus:
    """An import once it is over."""
    while True:
        await tidied(store, clock)
        seen = await LibraryImports(Context(store, person), library.library_id).see()
        if seen.state not in ("running", "undoing"):
            return seen
        clock.now += 100


async def undone(store: Store, clock: Watch, person: User, library: Library) -> LibraryImportStatus:
    """An import once it is undone."""
    seen = await LibraryImports(Context(store, person), library.library_id).see()
    await LibraryImports(Context(store, person, clock()), library.library_id).undo(seen.import_id)
    return await finished(store, clock, person, library)


async def exported_csv(store: Store, person: User, library: Library) -> bytes:
    """A library as CSV."""
    return await _whole(
        (await exports.export_csv(Context(store, person), library.library_id)).pieces
    )


async def exported_json(store: Store, person: User, library: Library) -> bytes:
    """A library as JSON."""
    return await _whole(
        (await exports.export_json(Context(store, person), library.library_id)).pieces
    )


async def _whole(pieces: AsyncIterator[bytes]) -> bytes:
    return b"".join([piece async for piece in pieces])
