"""Looking at a file beside a library: what it holds, and what of that is there already."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from commonroom.library.rules.formats.reading import unowned_shelves
from commonroom.library.rules.formats.rows import KINDS, FileRead, Row
from commonroom.library.rules.items import code_of
from commonroom.library.service.importing.views import ImportPreview, RowSeen, ShelfFound
from commonroom.library.tables import (
    Book,
    Collection,
    Library,
    Video,
    collections,
    items_in_library,
)
from commonroom.store import Store
from commonroom.store.declare.forms import sort_form

FIRST_ROWS = 10
MOST_NOTES = 100
MOST_NAMES = 50


class Known:
    """What a library has: items by their codes and by title and people, and collections."""

    def __init__(self) -> None:
        self._codes: dict[str, str] = {}
        self._titles: dict[tuple[str, str], list[tuple[frozenset[str], str]]] = defaultdict(list)
        self.collections: set[str] = set()

    @classmethod
    async def of(cls, store: Store, library: Library) -> Known:
        """All of a library, by its base table."""
        place = {"owner_id": library.owner_id, "library_id": library.library_id}
        known = cls()
        async for one in store.all(collections(**place)):
            known.add_collection(one)
        async for item in store.all(items_in_library(**place)):
            known.add(item)
        return known

    def add_collection(self, one: Collection) -> None:
        """Remembers a collection."""
        self.collections.add(sort_form(one.name))

    def add(self, item: Book | Video) -> None:
        """Remembers an item."""
        if (code := code_of(item)) is not None:
            self._codes.setdefault(code, item.title)
        people = item.authors if isinstance(item, Book) else item.directors
        self._titles[_kind(item), sort_form(item.title)].append((_forms(people), item.title))

    def same_as(self, row: Row) -> str | None:
        """The title of what is there already: of the same code, or the same title and people."""
        code = _code(row)
        if code is not None and code in self._codes:
            return self._codes[code]
        people = _forms(_people(row))
        for others, title in self._titles.get((row.kind, sort_form(row.title)), ()):
            if people & others or not (people or others):
                return title
        return None


def looked_at(found: FileRead, known: Known) -> tuple[list[Row], ImportPreview]:
    """The rows of a file with what is there already, and what importing them would do."""
    rows = [replace(row, already=known.same_as(row)) if row.is_item else row for row in found.rows]
    items = [row for row in rows if row.is_item]
    new = {
        sort_form(row.collection): row.collection
        for row in reversed(rows)
        if row.collection is not None and sort_form(row.collection) not in known.collections
    }
    preview = ImportPreview(
        format=found.format,
        items=len(items),
        books=sum(row.kind == "book" for row in items),
        videos=sum(row.kind == "video" for row in items),
        already=sum(row.already is not None for row in items),
        lent=sum(row.loan is not None for row in items),
        new_collections=sorted(new.values(), key=sort_form)[:MOST_NAMES],
        new_collection_count=len(new),
        shelves=_shelves(found, items),
        bad=found.bad[:MOST_NOTES],
        bad_count=len(found.bad),
        warnings=found.warnings[:MOST_NOTES],
        warning_count=len(found.warnings),
        first=[_seen(row) for row in items[:FIRST_ROWS]],
    )
    return rows, preview


def _shelves(found: FileRead, items: Iterable[Row]) -> list[ShelfFound]:
    counted = Counter(shelf for row in items for shelf in row.shelves)
    unowned = unowned_shelves(found.format)
    return [
        ShelfFound(name, number, name.casefold() in unowned)
        for name, number in counted.most_common(MOST_NAMES)
    ]


def _seen(row: Row) -> RowSeen:
    fields: dict[str, Any] = row.fields
    return RowSeen(
        number=row.number,
        kind="book" if row.kind == "book" else "video",
        title=row.title,
        people=_people(row),
        collection=row.collection,
        order=row.order,
        year=fields.get("release_year"),
        isbn=fields.get("isbn"),
        lent_to=None if row.loan is None else row.loan.lent_to,
        already=row.already,
    )


def _kind(item: Book | Video) -> str:
    return "book" if isinstance(item, Book) else "video"


def _people(row: Row) -> list[str]:
    fields: dict[str, Any] = row.fields
    people: list[str] = fields.get("authors" if row.kind == "book" else "directors", [])
    return people


def _forms(people: Iterable[str]) -> frozenset[str]:
    return frozenset(map(sort_form, people))


def _code(row: Row) -> str | None:
    fields: dict[str, Any] = row.fields
    nowhere: dict[str, Any] = {
        "owner_id": "-",
        "library_id": "-",
        "item_id": "-",
        "account_id": "-",
    }
    return code_of(KINDS[row.kind](**nowhere, **fields))
