"""Search across everything that a person owns or is shared."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from hashlib import sha256
from itertools import chain

import msgspec
from msgspec import Struct

from commonroom.accounts.context import Context
from commonroom.errors import InvalidField
from commonroom.library.rules.search import LibraryQuery, Ranked, parse_query
from commonroom.library.rules.search_index import LibrarySearchIndex
from commonroom.library.service.access import LibraryAccess, hide_private, readable_libraries
from commonroom.library.service.search_cache import SearchCache, indexes_of
from commonroom.library.tables import Book, Video
from commonroom.sealed_tokens import from_base64url, to_base64url
from commonroom.store import Ref, Store
from commonroom.store.errors import BadCursor

PAGE = 10
MAX_PAGE = 50
FEW_ITEMS = 1000
"""So many are compared in a millisecond or two."""


_REFUSED = "This link belongs to another search. Please start again."


class LibraryHit(Struct, frozen=True):
    """A search hit, as the caller may see it."""

    item: Book | Video
    library_id: str
    library_name: str
    is_owner: bool


class SearchPage(Struct, frozen=True):
    """A page of what was found, the best first; it can be short and yet not the last."""

    hits: list[LibraryHit]
    cursor: str | None


async def search(
    ctx: Context, cache: SearchCache, text: str, *, limit: int = PAGE, cursor: str | None = None
) -> SearchPage:
    """What matches all words of a text, in a person's own libraries and those shared with them.

    Four requests where all titles are remembered: which libraries (two), whether they still are
    theirs or shared, and the items of the page. Only what the last two say is shown.
    """
    if not 1 <= limit <= MAX_PAGE:
        raise InvalidField("limit", f"A page can have 1 to {MAX_PAGE} items.")
    what = parse_query(text)
    if what is None:
        return SearchPage([], None)
    after = None if cursor is None else decode_cursor(cursor, what)
    accessible = {one.library.library_id: one for one in await readable_libraries(ctx)}
    cards = await indexes_of(ctx.store, cache, [one.library for one in accessible.values()])
    best = await _best(cards, what, limit + 1, after)
    hits = await _read_items(ctx.store, accessible, best[:limit])
    return SearchPage(hits, encode_cursor(best[limit - 1], what) if len(best) > limit else None)


async def _best(
    cards: Sequence[LibrarySearchIndex], what: LibraryQuery, most: int, after: Ranked | None
) -> list[Ranked]:
    """The best of several libraries; of many items in a thread, so that others go on meanwhile."""

    def compared() -> list[Ranked]:
        found = [one.best(what, most, after) for one in cards]
        return found[0] if len(found) == 1 else sorted(chain.from_iterable(found))[:most]

    few = sum(map(len, cards)) <= FEW_ITEMS
    return compared() if few else await asyncio.to_thread(compared)


async def _read_items(
    store: Store, accessible: dict[str, LibraryAccess], best: Sequence[Ranked]
) -> list[LibraryHit]:
    """Returns the items themselves; those that were deleted or moved just now are left out."""
    refs: list[Ref[Book | Video]] = [
        (Video if one.type else Book).at(
            owner_id=accessible[one.library_id].library.owner_id,
            library_id=one.library_id,
            item_id=one.item_id,
        )
        for one in best
    ]
    there = await store.batch_get(refs)
    return [_hit(accessible[item.library_id], item) for item in there if item is not None]


def _hit(access: LibraryAccess, item: Book | Video) -> LibraryHit:
    library = access.library
    return LibraryHit(
        hide_private(access, item), library.library_id, library.library_name, access.is_owner
    )


def encode_cursor(last: Ranked, what: LibraryQuery) -> str:
    """Returns a cursor that only the same search takes."""
    return to_base64url(msgspec.msgpack.encode((_search(what), last)))


def decode_cursor(cursor: str, what: LibraryQuery) -> Ranked:
    """Returns the last that was shown."""
    try:
        raw = from_base64url(cursor)
        search, last = msgspec.msgpack.decode(raw, type=tuple[bytes, Ranked])
    except (ValueError, msgspec.MsgspecError) as error:
        raise BadCursor(_REFUSED) from error
    if search != _search(what):
        raise BadCursor(_REFUSED)
    return last


def _search(what: LibraryQuery) -> bytes:
    return sha256(msgspec.msgpack.encode(what)).digest()[:8]
