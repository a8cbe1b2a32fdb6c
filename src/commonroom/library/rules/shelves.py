"""Decisions about shelves: what stands together, and which place is free."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from msgspec import Struct

from commonroom.library.rules.items import LAST_PLACE
from commonroom.library.tables import Book, Collection, Order, Video
from commonroom.texts import collation_key

Entry: TypeAlias = Book | Video | Collection


class ShelfRun(Struct, frozen=True):
    """What stands together on a shelf: a collection or the part of it here, or one item alone."""

    collection_id: str | None
    name: str | None
    collection: Collection | None
    """Where it stands on this part of the shelf; what goes on from before has it there."""
    items: list[Book | Video]
    continues: bool = False
    """Whether more of it stands on the next page."""

    @property
    def continued(self) -> bool:
        """Whether it began on a page before."""
        return self.collection_id is not None and self.collection is None


def group_entries(entries: Sequence[Entry], following: str | None) -> list[ShelfRun]:
    """Returns a part of a shelf in groups; `following` is the collection of what comes after it."""
    groups: list[ShelfRun] = []
    for entry in _unparted(entries):
        if entry.collection_id is None or not (
            groups and groups[-1].collection_id == entry.collection_id
        ):
            groups.append(_begin(entry))
        elif isinstance(entry, Collection):
            groups[-1] = ShelfRun(entry.collection_id, entry.name, entry, groups[-1].items)
        else:
            groups[-1].items.append(entry)
    if groups and following is not None and groups[-1].collection_id == following:
        last = groups[-1]
        groups[-1] = ShelfRun(last.collection_id, last.name, last.collection, last.items, True)
    return groups


def _begin(entry: Entry) -> ShelfRun:
    """Returns a group with the first that belongs to it."""
    if isinstance(entry, Collection):
        return ShelfRun(entry.collection_id, entry.name, entry, [])
    return ShelfRun(entry.collection_id, entry.collection_name, None, [entry])


def _unparted(entries: Sequence[Entry]) -> list[Entry]:
    """An item alone that has the very name of a collection has its key, too: it goes before it."""
    shelf: list[Entry] = []
    last: Entry | None = None
    for entry in entries:
        if (
            isinstance(last, Collection)
            and not isinstance(entry, Collection)
            and entry.collection_id is None
            and collation_key(entry.title) == collation_key(last.name)
        ):
            shelf.insert(-1, entry)  # others with that name go there as well
        else:
            shelf.append(entry)
            last = entry
    return shelf


def next_place(last: int | None) -> int | None:
    """Returns the place behind the last; None where there is none."""
    return None if last is not None and last >= LAST_PLACE else (last or 0) + 1


def free_place(taken: Iterable[Order | None]) -> int | None:
    """Returns the first place that nothing stands at; None where all are taken."""
    places = set(taken)
    return next((one for one in range(1, LAST_PLACE + 1) if one not in places), None)
