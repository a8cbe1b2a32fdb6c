"""The library in the reader's words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from commonroom.library.rules import items as rules
from commonroom.library.tables import Book, Video
from commonroom.web.words import _, later, listed

FLASH_TEXTS: Mapping[str, str] = {
    "library-made": later("Your library is ready. Put something on its shelf."),
    "library-saved": later("The library is saved."),
    "library-deleted": later("The library is deleted."),
    "library-left": later("The library is no longer shared with you."),
    "library-shared": later("They can look into this library now."),
    "library-unshared": later("They can no longer look into this library."),
    "item-added": later("It is on the shelf."),
    "item-added-twice": later("It is on the shelf, though you seem to have it already."),
    "item-saved": later("Saved."),
    "item-moved": later("It stands in the other library now, and its history with it."),
    "item-deleted": later("It is off the shelf."),
    "item-placed": later("It has its new place."),
    "collection-made": later("The collection is there. Now put something into it."),
    "collection-saved": later("The collection is saved."),
    "collection-deleted": later("The collection is dissolved. What was in it is still here."),
    "import-goes-on": later("The import goes on where it stopped."),
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
