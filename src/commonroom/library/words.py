"""The library in the reader's words."""

from __future__ import annotations

from collections.abc import Sequence

from commonroom.library.tables import Book, Video
from commonroom.web import words
from commonroom.web.words import _, later

words.SAID.update(
    {
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
    }
)


def kind_name(item: Book | Video) -> str:
    """What an item is."""
    return _("Book") if isinstance(item, Book) else _("Film")


def shortly(names: Sequence[str]) -> str:
    """Who made something, in a line."""
    if len(names) > 3:
        return _("%(first)s and others") % {"first": ", ".join(names[:2])}
    return listed(names)


def listed(names: Sequence[str]) -> str:
    """Names one after the other, as one says them."""
    if len(names) < 2:
        return "".join(names)
    return _("%(first)s and %(last)s") % {"first": ", ".join(names[:-1]), "last": names[-1]}


def runtime(minutes: int) -> str:
    """How long a film is, such as 1 h 35 min."""
    hours, rest = divmod(minutes, 60)
    if not hours:
        return _("%(minutes)d min") % {"minutes": rest}
    if not rest:
        return _("%(hours)d h") % {"hours": hours}
    return _("%(hours)d h %(minutes)d min") % {"hours": hours, "minutes": rest}
