"""Uploads: a file is read, previewed, and kept in parts until its owner has looked at it."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Iterator, Sequence

import msgspec

from commonroom.accounts.context import Context
from commonroom.errors import Conflict
from commonroom.library.rules.formats.files import read_file
from commonroom.library.rules.formats.rows import FileRead, Row
from commonroom.library.rules.names import new_id
from commonroom.library.service.access import Owned, own_library
from commonroom.library.service.imports.lifecycle import get_import, import_key, import_view
from commonroom.library.service.imports.preview import KnownItems, build_preview, count_outcome
from commonroom.library.service.imports.views import Choices, ImportPreview, ImportSeen, Outcome
from commonroom.library.tables import (
    Import,
    ImportReport,
    ImportRows,
    Library,
    collections,
    import_rows,
)
from commonroom.moments import iso
from commonroom.store import (
    Condition,
    ConditionFailed,
    Store,
    Write,
    check,
    equal,
    new,
    one_of,
    put,
    stored,
    update,
)
from commonroom.texts import clean_line, collation_key
from commonroom.timers import timer

FORGET = "library.forget-import"
KEPT_SECONDS = 7 * 24 * 3600
LONGEST_FILE_NAME = 200
IDLE = ("arriving", "ready", "done", "cancelled", "undone")
"""The states in which another file may take an import's place."""


PART_ROWS = 200
PART_BYTES = 200_000


async def preview_file(ctx: Context, library_id: str, *, file: bytes) -> ImportPreview:
    """What importing a file into a person's own library would do; nothing is kept of it."""
    library = (await own_library(ctx, library_id)).library
    return (await _read_and_preview(ctx.store, ctx.now, library, file))[1]


async def prepare(ctx: Context, library_id: str, *, file: bytes, file_name: str) -> ImportSeen:
    """Keeps a file for its owner to look at, in place of one that waits or is over."""
    owned = await own_library(ctx, library_id)
    rows, preview = await _read_and_preview(ctx.store, ctx.now, owned.library, file)
    kept = Import(
        owner_id=owned.library.owner_id,
        library_id=library_id,
        import_id=new_id(),
        account_id=owned.owner.user_id,
        file_name=_clean_file_name(file_name),
        state="arriving",
        of=preview.items,
        created_at=iso(ctx.now),
        kept_until=iso(ctx.now + KEPT_SECONDS),
    )
    of = import_key(kept)
    await _begin(ctx.store, ctx.now, owned, kept)
    try:
        for number, part in enumerate(pack_rows(rows)):
            await ctx.store.write(put(ImportRows(**of, part=number, rows=part)), _still(kept))
        report = ImportReport(**of, preview=msgspec.json.encode(preview))
        ready = update(kept.ref, state="ready", if_=_arriving(kept))
        await ctx.store.write(put(report), ready)
    except ConditionFailed:
        raise Conflict("Another file was chosen, or the library was deleted.") from None
    return import_view(msgspec.structs.replace(kept, state="ready"), report)


async def predict_outcome(
    ctx: Context, library_id: str, import_id: str, choices: Choices
) -> Outcome:
    """What starting an import with these choices would do: by its rows, as it is worked through."""
    kept = await get_import(ctx, library_id)
    if kept.import_id != import_id or kept.state != "ready":
        raise Conflict("This import was already started or cancelled. Please reload the page.")
    place = {"owner_id": kept.owner_id, "library_id": kept.library_id}
    names = {collation_key(one.name) async for one in ctx.store.all(collections(**place))}
    parts = [part async for part in ctx.store.all(import_rows(import_id=import_id))]
    rows = (row for part in parts for row in unpack_rows(part))
    return await asyncio.to_thread(count_outcome, rows, choices, names)


async def _read_and_preview(
    store: Store, now: float, library: Library, file: bytes
) -> tuple[list[Row], ImportPreview]:
    # A large file takes a while, in which others want to be answered.
    found: FileRead = await asyncio.to_thread(read_file, file, now)
    known = await KnownItems.of(store, library)
    return await asyncio.to_thread(build_preview, found, known)


async def _begin(store: Store, now: float, owned: Owned, kept: Import) -> None:
    """Takes the library's place for an import, with the timer that clears it up some day."""
    try:
        await store.write(
            put(kept, if_=new | one_of("state", *IDLE)),
            check(owned.library, if_=stored),
            put(timer(FORGET, now + KEPT_SECONDS, import_key(kept))),
        )
    except ConditionFailed as failed:
        if isinstance(failed.entity, Import) and failed.entity.state == "undoing":
            raise Conflict("The previous import is still being undone.") from None
        raise Conflict("An import into this library is still running.") from None


def _still(kept: Import) -> Write:
    """That it is this file that is kept: what clears it up has not begun."""
    return check(kept, if_=_arriving(kept))


def _arriving(kept: Import) -> Condition:
    return equal(import_id=kept.import_id, state="arriving")


def _clean_file_name(file_name: str) -> str:
    """The file's name without its folder, as far as it can be shown."""
    name = file_name.replace("\\", "/").rpartition("/")[2]
    return clean_line(name)[:LONGEST_FILE_NAME] or "file"


_rows = msgspec.json.Decoder(list[Row])


def pack_rows(rows: Sequence[Row]) -> Iterator[bytes]:
    """Rows in parts that are far smaller than an item may be."""
    lines: list[bytes] = []
    size = 0
    for row in rows:
        line = msgspec.json.encode(row)
        if lines and (len(lines) == PART_ROWS or size + len(line) > PART_BYTES):
            yield _compress(lines)
            lines, size = [], 0
        lines.append(line)
        size += len(line)
    if lines:
        yield _compress(lines)


def unpack_rows(part: ImportRows) -> list[Row]:
    """The rows of a part."""
    return _rows.decode(zlib.decompress(part.rows))


def _compress(lines: Sequence[bytes]) -> bytes:
    """Shelves repeat themselves: packed, they cost a fraction of the space, here and in streams."""
    return zlib.compress(b"[" + b",".join(lines) + b"]")
