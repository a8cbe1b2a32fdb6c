"""Exporting a library: as CSV or JSON, page by page, so that its size does not matter."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, NamedTuple

import msgspec

from commonroom.accounts.context import Context
from commonroom.library.rules.formats import own_csv, own_json
from commonroom.library.service.access import own_library
from commonroom.library.tables import (
    Book,
    Library,
    LoanEvent,
    Video,
    collections,
    history,
    items_in_library,
    items_with_history,
)
from commonroom.store import Store

PAGE = 200
BOM = "\ufeff"
"""Without it, a spreadsheet takes accents for something else."""

_encoded = msgspec.json.Encoder().encode


class LibraryExport(NamedTuple):
    """A file: the library's name, and what is in it, made as it is asked for."""

    name: str
    pieces: AsyncIterator[bytes]


async def export_csv(ctx: Context, library_id: str) -> LibraryExport:
    """A person's own library as CSV; refused before the first bytes where it is not theirs."""
    library = (await own_library(ctx, library_id)).library
    return LibraryExport(library.library_name, _csv(ctx.store, library))


async def export_json(ctx: Context, library_id: str) -> LibraryExport:
    """Returns a person's own library as JSON, with who borrowed what and when."""
    library = (await own_library(ctx, library_id)).library
    return LibraryExport(library.library_name, _json(ctx.store, library))


async def _csv(store: Store, library: Library) -> AsyncIterator[bytes]:
    yield (BOM + own_csv.HEADER).encode()
    async for one in store.all(collections(**_key(library)), limit=PAGE):
        yield own_csv.line(one).encode()
    async for item in store.all(items_in_library(**_key(library)), limit=PAGE):
        yield own_csv.line(item).encode()


async def _json(store: Store, library: Library) -> AsyncIterator[bytes]:
    head = {
        "format": own_json.FORMAT,
        "version": own_json.VERSION,
        "library": own_json.library_record(library),
    }
    yield _encoded(head)[:-1] + b',"collections":['
    between = b"\n"
    async for one in store.all(collections(**_key(library)), limit=PAGE):
        yield between + _encoded(own_json.collection_record(one))
        between = b",\n"
    yield b'],"items":['
    async for piece in _items(store, library):
        yield piece
    yield b"]}\n"


async def _items(store: Store, library: Library) -> AsyncIterator[bytes]:
    """Yields the items with their history, which follows each of them in the table itself."""
    item: Book | Video | None = None
    between = b"\n"
    async for one in store.all(items_with_history(**_key(library)), limit=PAGE):
        if isinstance(one, LoanEvent):
            if item is not None and one.item_id == item.item_id:
                yield between + _encoded(own_json.event_record(one))
                between = b",\n"
            continue
        if item is not None:
            yield b"]}"
        yield (b"\n" if item is None else b",\n") + _encoded(own_json.item_record(one))[:-1]
        yield b',"history":['
        item, between = one, b"\n"
        async for event in _on_its_way(store, item):
            yield between + _encoded(own_json.event_record(event))
            between = b",\n"
    if item is not None:
        yield b"]}"


async def _on_its_way(store: Store, item: Book | Video) -> AsyncIterator[LoanEvent]:
    """Yields what has not followed yet from the library that an item was moved from."""
    if item.moved_from is not None:
        before = history(owner_id=item.owner_id, library_id=item.moved_from, item_id=item.item_id)
        async for event in store.all(before, limit=PAGE):
            yield event


def _key(library: Library) -> dict[str, Any]:
    return {"owner_id": library.owner_id, "library_id": library.library_id}
