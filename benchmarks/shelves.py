"""A library of any size: its owner, books, and collections."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.library import book
from commonroom.accounts.tables import User
from commonroom.library.tables import Book, Collection, Library, owner_id_of
from commonroom.store import Entity

TOGETHER = 20
"""So many items in a row: half of them a collection, half each by itself."""
AT = "2026-05-31T18:00:00.000Z"
OWNER = User(
    user_id="99999999-2222-4333-8444-555555555555",
    display_name="Olu",
    email="olu@example.org",
    created_at=AT,
)
OWNER_ID = owner_id_of(OWNER.user_id)
LIBRARY_ID = "F" * 32


def things(count: int) -> Iterator[Entity]:
    """A library with so many items."""
    yield Library(
        owner_id=OWNER_ID,
        library_id=LIBRARY_ID,
        library_name="Home",
        total_items=count,
        account_id=OWNER.user_id,
        owner_name=OWNER.display_name,
        updated_at=AT,
    )
    for number in range(count):
        name = book(number - number % TOGETHER, count).title
        if number % TOGETHER == 0:
            yield _collection(name, number)
        yield _book(number, count, name)


def _collection(name: str, number: int) -> Collection:
    return Collection(
        owner_id=OWNER_ID,
        library_id=LIBRARY_ID,
        collection_id=f"{number // TOGETHER:032X}",
        name=name,
        item_count=TOGETHER // 2,
        last_order=TOGETHER // 2,
    )


def _book(number: int, count: int, collection: str) -> Book:
    like, order = book(number, count), number % TOGETHER + 1
    inside = order <= TOGETHER // 2
    return Book(
        owner_id=OWNER_ID,
        library_id=LIBRARY_ID,
        item_id=f"{number:032X}",
        account_id=OWNER.user_id,
        title=like.title,
        authors=like.authors,
        summary=like.summary,
        isbn=like.isbn,
        picture_url=like.picture_url,
        collection_id=f"{number // TOGETHER:032X}" if inside else None,
        collection_name=collection if inside else None,
        order=order if inside else None,
        library_name="Home",
        owner_name=OWNER.display_name,
    )
