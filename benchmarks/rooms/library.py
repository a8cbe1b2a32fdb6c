"""What is measured of the library: a page of the shelf of a thousand books, and a search there."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from itertools import groupby
from typing import Literal

from msgspec import Struct

from benchmarks.rooms.declare import (
    CURSOR,
    SMALL,
    Address,
    BareFile,
    Handler,
    House,
    RoomViews,
    View,
)
from benchmarks.shelves import LIBRARY_ID, OWNER, OWNER_ID, things
from commonroom.library.api import views
from commonroom.library.api.search import FoundItem
from commonroom.library.tables import media
from commonroom.store import create

BOOKS, PAGE, HITS = 1000, 50, 10
SOUGHT = "lantern"


async def furnish(house: House) -> Mapping[str, Address]:
    """A library that somebody has catalogued."""
    await house.store.write(create(OWNER))
    await house.store.engine.load(media, [one.to_item() for one in things(BOOKS)])
    cookie = await house.cookie(OWNER)
    shelf = f"/api/v1/libraries/{LIBRARY_ID}/items?limit={PAGE}"
    search = f"/api/v1/library/search?q={SOUGHT}&limit={HITS}"
    return {"shelf": Address(shelf, cookie), "search": Address(search, cookie)}


class StoredBook(Struct, tag_field="EntityType", tag="BOOK", rename="pascal"):
    """A book as it is stored."""

    item_id: str
    library_id: str
    title: str
    version: int
    library_name: str | None = None
    owner_name: str | None = None
    summary: str | None = None
    picture_url: str | None = None
    collection_id: str | None = None
    collection_name: str | None = None
    order: int | float | None = None
    lent_to: str | None = None
    lent_at: str | None = None
    due_date: str | None = None
    borrower_id: str | None = None
    created_at: str | None = None
    updated_at: str | None = None
    contributors: list[str] = []
    publisher: str | None = None
    language: str | None = None
    format: str | None = None
    tags: list[str] = []
    location: str | None = None
    copies: int = 1
    rating: float | None = None
    review: str | None = None
    started_on: str | None = None
    finished_on: str | None = None
    authors: list[str] = []
    isbn: str | None = None
    year: int | None = None
    pages: int | None = None
    status: Literal["to_read", "reading", "read"] | None = None


class StoredCollection(Struct, tag_field="EntityType", tag="COLLECTION", rename="pascal"):
    """A collection as it is stored."""

    collection_id: str
    library_id: str
    name: str
    version: int
    item_count: int = 0
    description: str | None = None
    created_at: str | None = None
    updated_at: str | None = None


class StoredLibrary(Struct, rename="pascal"):
    """What a search needs of a library."""

    owner_id: str
    library_id: str
    library_name: str


SHELF = """
SELECT _item FROM "MediaLibrary" WHERE "GSI1PK" = ? AND "GSI1SK" IS NOT NULL
ORDER BY "GSI1SK", "PK", "SK" LIMIT ?
"""
SHARED = """
SELECT _item FROM "MediaLibrary"
WHERE "PK" = ? AND "SK" >= 'shared-library#' AND "SK" < 'shared-library$'
ORDER BY "SK" LIMIT ?
"""
TITLES = """
SELECT _item FROM "MediaLibrary" WHERE "GSI2PK" = ? AND "GSI2SK" IS NOT NULL
ORDER BY "GSI2SK", "PK", "SK"
"""


def bare_shelf(file: BareFile) -> Handler:
    """The first page of a library, as its owner sees it."""
    found, shelf = file.has(media), file.query(SHELF, StoredBook | StoredCollection)

    def handler(path: str) -> object:
        library_id = path.split("/")[3]
        assert found(f"owner#{OWNER_ID}", f"library#{library_id}")
        found(f"owner#{OWNER_ID}", f"shared-library#{library_id}")
        *entries, following = shelf(f"owner#{OWNER_ID}#library#{library_id}", PAGE + 1)
        groups = [
            _shown_group(list(together), following)
            for _, together in groupby(entries, lambda one: one.collection_id or id(one))
        ]
        return {"items": groups, "next_cursor": CURSOR}

    return handler


def bare_search(file: BareFile) -> Handler:
    """Ten books with a word in their titles, those first that begin with it.

    Where a word stands is looked up in a dictionary, and nobody may misspell it.
    """
    libraries, shared = file.query(SHELF, StoredLibrary), file.query(SHARED, StoredLibrary)
    library, item = file.get(media, StoredLibrary), file.get(media, StoredBook)
    places = _places(file)

    def handler(path: str) -> object:
        word = path.partition("q=")[2].partition("&")[0]
        mine = libraries(f"owner#{OWNER_ID}", 1000)
        shared(f"owner#{OWNER_ID}", 1000)
        names = {}
        for one in mine:
            there = library(f"owner#{one.owner_id}", f"library#{one.library_id}")
            names[one.library_id] = there.library_name
        hits = [_shown(item(f"owner#{OWNER_ID}", place)) for place in places[word][:HITS]]
        items = [FoundItem(one, names[one.library_id], True) for one in hits]
        return {"items": items, "next_cursor": CURSOR}

    return handler


def bare_limit(file: BareFile) -> Handler:
    """Fifty rows of the shelf as they are."""
    shelf = file.query(SHELF, StoredBook | StoredCollection)
    return lambda _: shelf(f"owner#{OWNER_ID}#library#{LIBRARY_ID}", PAGE)


def _places(file: BareFile) -> Mapping[str, list[str]]:
    """Where books stand that have a word in their titles, the best first."""
    titles = file.query(TITLES, StoredBook)(f"owner#{OWNER_ID}")
    places: dict[str, list[tuple[bool, int, str]]] = defaultdict(list)
    for number, one in enumerate(titles):
        words = one.title.lower().split()
        for word in set(words):
            place = f"library#{one.library_id}#item#{one.item_id}"
            places[word].append((not words[0].startswith(word), number, place))
    return {word: [place for *_, place in sorted(some)] for word, some in places.items()}


def _shown_group(
    entries: list[StoredBook | StoredCollection], following: StoredBook | StoredCollection
) -> views.ShelfRunView:
    first = entries[0]
    books: list[views.Item] = [_shown(one) for one in entries if isinstance(one, StoredBook)]
    if isinstance(first, StoredBook):
        collection, name = None, first.collection_name
    else:
        collection, name = _shown_collection(first), first.name
    together = first.collection_id is not None
    return views.ShelfRunView(
        first.collection_id,
        name,
        collection,
        books,
        together and collection is None,
        together and following.collection_id == first.collection_id,
    )


def _shown_collection(one: StoredCollection) -> views.CollectionView:
    return views.CollectionView(
        one.collection_id,
        one.library_id,
        one.name,
        one.description,
        one.item_count,
        one.created_at,
        one.updated_at,
        one.version,
    )


def _shown(one: StoredBook) -> views.BookView:
    loan = None
    if one.lent_to is not None:
        loan = views.CurrentLoan(
            one.lent_to, one.lent_at, one.due_date, one.borrower_id is not None
        )
    return views.BookView(
        item_id=one.item_id,
        library_id=one.library_id,
        library_name=one.library_name,
        owner_name=one.owner_name,
        title=one.title,
        summary=one.summary,
        picture_url=one.picture_url,
        collection_id=one.collection_id,
        collection_name=one.collection_name,
        order=one.order,
        loan=loan,
        created_at=one.created_at,
        updated_at=one.updated_at,
        version=one.version,
        contributors=one.contributors,
        publisher=one.publisher,
        language=one.language,
        format=one.format,
        tags=one.tags,
        location=one.location,
        copies=one.copies,
        rating=one.rating,
        review=one.review,
        started_on=one.started_on,
        finished_on=one.finished_on,
        authors=one.authors,
        isbn=one.isbn,
        year=one.year,
        pages=one.pages,
        status=one.status,
    )


LIBRARY = RoomViews(
    room="library",
    furnish=furnish,
    views=(
        View(
            key="shelf",
            name=f"a page of {PAGE} of a library of {BOOKS:,} books",
            sentence=(
                "The owner reads books and collections in one alphabet: "
                "the library and a share of it by key, a query."
            ),
            bare=bare_shelf,
        ),
        View(
            key="search",
            busy_at_least=SMALL,
            name=f"a search in {BOOKS:,} books",
            sentence=(
                "The owner searches for a word: two queries for libraries, each of them and "
                f"{HITS} books by key. The bare one finds them in a dictionary, without slips."
            ),
            bare=bare_search,
        ),
    ),
)
