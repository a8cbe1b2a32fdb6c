"""What goes with a library.

What it counts stays by hand: all of it changes together, with what search looks at, or with the
places of a shelf (`service/items.py`, `service/shelves.py`).
"""

from __future__ import annotations

from commonroom.library.tables import Collection, Library, LibraryImport, SharedLibrary
from commonroom.store import children

RELATIONS = (
    children(Collection, on=Library, lost="The library of the collection “{name}” was deleted."),
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
