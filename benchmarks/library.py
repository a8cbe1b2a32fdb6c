"""What is measured with: the library's table, and books of a realistic size."""

from __future__ import annotations

import random
from collections.abc import Iterator
from hashlib import md5

from commonroom.store import Entity, Index, Keys, Ref, Table, begins_with, many

BOOKS_OF_AN_OWNER = 100
PAGE = 50
BATCH = 10
"""How many books an owner enters before others enter theirs: a sitting at the shelf. An import
brings hundreds; 1 would scatter them the most, each to a page of its own."""

VOCABULARY = """
    ambre autumn book brother captain château chronicle city crépuscule crown daughter dawn
    death dragon dream empire fall fire forest garden ghost gold harbour heart house hiver
    island king lantern letter light lion moon mountain night north old prince queen red river
    road sea secret shadow silver song star stone storm summer sword thief time tower traveller
    voyage war water white wind winter witch wolf world young
"""
PROSE = random.Random(0).choices(VOCABULARY.split(), k=5000)

media = Table(
    "MediaLibrary",
    room="library",
    partition="PK",
    sort="SK",
    discriminator="EntityType",
    stream=True,
    indexes=[Index("GSI1", "GSI1PK", "GSI1SK"), Index("GSI2", "GSI2PK", "GSI2SK")],
)


def place_on_shelf(title: str, collection_name: str | None, order: int | None) -> str:
    """Beside the others of its collection, in their order."""
    return (
        f"item#{title}" if collection_name is None else f"item#{collection_name}#{order:05}#{title}"
    )


KEYS = Keys(
    PK="owner#{owner_id}",
    SK="library#{library_id}#item#{item_id}",
    GSI1PK="owner#{owner_id}#library#{library_id}",
    GSI1SK=place_on_shelf,
    GSI2PK="owner#{owner_id}",
    GSI2SK="item#{title:sort}",
)


class Book(Entity, table=media, kind="BOOK", rename="pascal"):
    """A book, with every attribute of the library's model."""

    owner_id: str
    library_id: str
    item_id: str
    title: str
    authors: list[str]
    summary: str | None = None
    isbn: str | None = None
    picture_url: str | None = None
    collection_id: str | None = None
    collection_name: str | None = None
    order: int | None = None
    type: int = 0
    lent_to: str | None = None
    library_name: str | None = None
    owner_name: str | None = None
    keys = KEYS


class Video(Entity, table=media, kind="VIDEO", rename="pascal"):
    """A film beside the books, so that a list gives one of two kinds as it does in the library."""

    owner_id: str
    library_id: str
    item_id: str
    title: str
    collection_name: str | None = None
    order: int | None = None
    keys = KEYS


by_title = many(
    media,
    "items across libraries by title",
    index="GSI2",
    sort=begins_with("item#"),
    gives=(Book, Video),
)


def owner(number: int) -> str:
    """The id of an owner: the account's, in capitals and without dashes."""
    return _digest(f"owner {number}").upper()


def place(number: int, count: int) -> Ref[Book]:
    """Where a book is, if there are so many."""
    owner_id, library_id, item_id = _ids(number, count)
    return Book.at(owner_id=owner_id, library_id=library_id, item_id=item_id)


def books(count: int) -> Iterator[Book]:
    """So many books with random keys, an owner's among everybody's."""
    return (book(number, count) for number in range(count))


def book(number: int, count: int) -> Book:
    """One of so many books."""
    owner_id, library_id, item_id = _ids(number, count)
    collection = number % 1000
    return Book(
        owner_id=owner_id,
        library_id=library_id,
        item_id=item_id,
        title=f"{_words(number, 4).title()} {number}",
        authors=[_words(number + 1, 2).title(), _words(number + 2, 2).title()],
        summary=_words(number + 3, 34),
        isbn=str(9780000000000 + number),
        picture_url=f"https://covers.example.org/{_digest(f'cover {number}')}.jpg",
        collection_id=_uuid(f"collection {collection}"),
        collection_name=_words(collection, 3).title(),
        order=collection + 1,
        lent_to=_words(number + 4, 1).title(),
        library_name="At home",
        owner_name=_words(number + 5, 2).title(),
    )


def _ids(number: int, count: int) -> tuple[str, str, str]:
    whose = number // BATCH % (count // BOOKS_OF_AN_OWNER)
    return owner(whose), _uuid(f"library {whose}"), _uuid(f"item {number}")


def _words(number: int, count: int) -> str:
    start = number * 7919 % (len(PROSE) - count)
    return " ".join(PROSE[start : start + count])


def _uuid(text: str) -> str:
    digits = _digest(text)
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))


def _digest(text: str) -> str:
    return md5(text.encode(), usedforsecurity=False).hexdigest()
