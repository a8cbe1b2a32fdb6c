"""That what items are found by has changed, so that search reads a library's titles again."""

from __future__ import annotations

from typing import Any

from commonroom.library.tables import Book, Library, Video
from commonroom.moments import iso
from commonroom.store import Write, add, stored, update

FOUND_BY = (
    "title",
    "authors",
    "directors",
    "cast",
    "contributors",
    "collection_id",
    "publisher",
    "tags",
)


def retitling(now: float) -> dict[str, Any]:
    """What changes of a library with an item that comes, goes or changes."""
    return {"titles_changed": add(1), "titles_changed_at": iso(now)}


def found_otherwise(
    now: float, library: Library, old: Book | Video, new: Book | Video
) -> list[Write]:
    """What is written with an item that changes: nothing where it is found as before."""
    same = all(getattr(old, field, None) == getattr(new, field, None) for field in FOUND_BY)
    return [] if same else [update(library.ref, **retitling(now), if_=stored)]


def renamed(library: Library) -> Write:
    """What is written with a collection that has another name, or none; no index shows that."""
    return update(library.ref, titles_changed=add(1), if_=stored)
