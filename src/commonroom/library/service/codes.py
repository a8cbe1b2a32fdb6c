"""Codes: which items of a library are the same work, by ISBN or TMDB id."""

from __future__ import annotations

from commonroom.library.rules.items import code_of
from commonroom.library.tables import Book, ItemCode, Video, item, items_with_code
from commonroom.store import Store, Write, delete, put

MOST_NAMED = 5


def code_added(new: Book | Video) -> list[Write]:
    """What is written with a new item."""
    return [put(one) for one in _code(new)]


def code_removed(old: Book | Video) -> list[Write]:
    """What is written with an item that goes."""
    return [delete(one) for one in _code(old)]


def code_changed(old: Book | Video, new: Book | Video) -> list[Write]:
    """What is written with an item that changes."""
    return [] if _code(old) == _code(new) else [*code_removed(old), *code_added(new)]


async def same_works(store: Store, kept: Book | Video) -> list[Book | Video]:
    """Other items of its library that are the same work, a few of them.

    Asked after an item was written, so that of two added at once one is told of the other.
    """
    found: list[Book | Video] = []
    for own in _code(kept):
        place = {"owner_id": own.owner_id, "library_id": own.library_id}
        page = await store.page(items_with_code(**place, code=own.code), limit=MOST_NAMED + 1)
        others = [one.item_id for one in page.items if one.item_id != own.item_id]
        there = [await store.get(item(**place, item_id=one)) for one in others[:MOST_NAMED]]
        found += [one for one in there if one is not None]
    return found


def _code(of: Book | Video) -> list[ItemCode]:
    code = code_of(of)
    if code is None:
        return []
    place = {"owner_id": of.owner_id, "library_id": of.library_id, "item_id": of.item_id}
    return [ItemCode(**place, code=code)]
