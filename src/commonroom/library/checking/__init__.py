"""What can drift in the library, and how it is mended: `commonroom check` looks at all of it.

A repair does what the service or a consumer would have done, on condition that everything still is
as it was found. So it may run beside people at work, and twice.
"""

from commonroom.library.checking import collections, imports, item_records, items, sharing
from commonroom.library.checking.counts import CountCheck
from commonroom.library.checking.references import RelatedCheck, Rule
from commonroom.library.tables import (
    Book,
    BorrowedItem,
    Collection,
    CollectionName,
    Event,
    Import,
    ImportReport,
    ImportRows,
    ItemCode,
    Library,
    MovedItem,
    SharedLibrary,
    Video,
)
from commonroom.store import Entity
from commonroom.store.checking import Check

RULES: dict[type[Entity], Rule] = {
    Library: sharing.LIBRARY,
    SharedLibrary: sharing.POINTER,
    Collection: collections.COLLECTION,
    CollectionName: collections.CLAIM,
    Book: items.RULE,
    Video: items.RULE,
    Event: item_records.EVENT,
    ItemCode: item_records.CODE,
    MovedItem: item_records.MOVED,
    BorrowedItem: item_records.BORROWED,
    Import: imports.IMPORT,
    ImportRows: imports.PART,
    ImportReport: imports.PART,
}

ORPHANS: frozenset[type[Entity]] = frozenset({Library, SharedLibrary, Book, Video})
"""Whose lost originals are reported here, with the repair."""


def checks() -> list[Check]:
    """Everything that is looked at in this room besides keys and copies."""
    return [RelatedCheck(RULES), CountCheck()]
