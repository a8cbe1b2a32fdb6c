"""What goes with a library.

What it counts stays by hand: all of it changes together, with what search looks at, or with the
places of a shelf (`service/items.py`, `service/shelves.py`).
"""

from __future__ import annotations

from commonroom.library.tables import (
    Collection,
    CollectionName,
    Library,
    LibraryImport,
    SharedLibrary,
)
from commonroom.store import children


def claim_of(collection: Collection) -> CollectionName:
    """Returns what reserves a collection's name in its library."""
    return CollectionName(
        owner_id=collection.owner_id,
        library_id=collection.library_id,
        name=collection.name,
        collection_id=collection.collection_id,
    )


RELATIONS = (
    children(Collection, on=Library, lost="The library of the collection “{name}” was deleted."),
    children(
        CollectionName,
        on=Collection,
        lost="The name “{name}” is reserved for a collection that does not have it.",
        check="names",
        known=lambda it, collection: it.ref.key == claim_of(collection).ref.key,
        known_by=("name",),
    ),
    children(
        SharedLibrary,
        on=Library,
        refers={"owner_id": "shared_from_id"},
        lost="The library “{library_name}” that it points to was deleted.",
    ),
    children(
        LibraryImport,
        on=Library,
        lost="The library that “{file_name}” was imported into was deleted.",
    ),
)
