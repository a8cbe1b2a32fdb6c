"""The library in the reader's words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from commonroom.library.rules import items as rules
from commonroom.library.tables import Book, Video
from commonroom.web.words import _, later, listed

FLASH_TEXTS: Mapping[str, str] = {
    "library-made": later("Your library is ready. Add your first book or film."),
    "library-saved": later("Library saved."),
    "library-deleted": later("Library deleted."),
    "library-left": later("The library is no longer shared with you."),
    "library-shared": later("Library shared."),
    "library-unshared": later("They can no longer see this library."),
    "item-added": later("Added to the library."),
    "item-added-twice": later("Added to the library. You seem to have this one already."),
    "item-saved": later("Saved."),
    "item-moved": later("Moved to the other library, with its loan history."),
    "item-deleted": later("Deleted."),
    "item-placed": later("Order saved."),
    "collection-made": later("Collection created. Now add something to it."),
    "collection-saved": later("Collection saved."),
    "collection-deleted": later("Collection deleted. Its items are still in the library."),
    "import-goes-on": later("The import continues."),
}


def kind_name(item: Book | Video) -> str:
    """What an item is."""
    return _("Book") if isinstance(item, Book) else _("Film")


def shortly(names: Sequence[str]) -> str:
    """Who made something, in a line."""
    if len(names) > 3:
        return _("%(first)s and others") % {"first": ", ".join(names[:2])}
    return listed(names)


STATUSES: dict[str, str] = {
    "to_read": later("To read"),
    "reading": later("Reading"),
    "read": later("Read"),
    "to_watch": later("To watch"),
    "watching": later("Watching"),
    "watched": later("Watched"),
}
"""How far somebody is with a book or a film; translated when it is shown."""
RATINGS = [
    (f"{halves / 2:g}", "★" * (halves // 2) + "½" * (halves % 2)) for halves in range(10, 0, -1)
]
"""Stars to choose from, the most first."""


def statuses(kind: type[Book | Video]) -> list[tuple[str, str]]:
    """What to choose from, of a book or a film."""
    return [(one, STATUSES[one]) for one in rules.statuses(kind)]


def stars(rating: float) -> str:
    """A rating as it is drawn."""
    return dict(RATINGS)[f"{rating:g}"]
