"""The library in the reader's words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from commonroom.library.rules import items as rules
from commonroom.library.rules.formats import Format
from commonroom.library.tables import Book, Video
from commonroom.web.words import _, counted, later, listed

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
    "lent": later("Lent. You can see everything you have lent under Loans."),
    "returned": later("Welcome back! Marked as returned."),
    "due-saved": later("Due date saved."),
    "due-removed": later("Due date removed."),
    "history-cleared": later("Loan history cleared."),
}


def kind_name(item: Book | Video) -> str:
    """What an item is."""
    return _("Book") if isinstance(item, Book) else _("Film")


def shorten_names(names: Sequence[str]) -> str:
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
    "gave_up": later("Gave up"),
}
"""How far somebody is with a book or a film; translated when it is shown."""
QUARTERS = ("", "¼", "½", "¾")
HALVES = tuple(f"{halves / 2:g}" for halves in range(10, 0, -1))


def statuses(kind: type[Book | Video]) -> list[tuple[str, str]]:
    """What to choose from, of a book or a film."""
    return [(one, STATUSES[one]) for one in rules.statuses(kind)]


def stars(rating: float) -> str:
    """A rating as it is drawn."""
    whole, quarters = divmod(round(4 * rating), 4)
    return "★" * whole + QUARTERS[quarters]


def ratings(current: str) -> list[tuple[str, str]]:
    """Stars to choose from, the most first: by halves, and what an import brought."""
    is_quarter = re.fullmatch(r"[0-4]\.[27]5", current) is not None
    offered = {*HALVES, current} if is_quarter else set(HALVES)
    return [(one, stars(float(one))) for one in sorted(offered, key=float, reverse=True)]


DAY = 86_400
WEEK, MONTH, YEAR = 7, 30.44, 365.25
"""In days."""


def due_in_words(days: int) -> str:
    """When something is due that should be back in so many days; overdue where that is below 0."""
    if days < 0:
        return counted("%(n)d day overdue", "%(n)d days overdue", -days)
    if days == 0:
        return _("due today")
    if days == 1:
        return _("due tomorrow")
    return counted("due in %(n)d day", "due in %(n)d days", days)


def duration(seconds: float) -> str:
    """How long something was lent, as one would say it."""
    days = seconds / DAY
    if days < 1:
        return _("less than a day")
    if days < 2 * WEEK:
        return counted("%(n)d day", "%(n)d days", int(days))
    if days < 3 * MONTH:
        return counted("%(n)d week", "%(n)d weeks", int(days / WEEK))
    if days < 2 * YEAR:
        return counted("%(n)d month", "%(n)d months", int(days / MONTH))
    return counted("%(n)d year", "%(n)d years", int(days / YEAR))


FORMATS: Mapping[Format, str] = {
    "goodreads": later("from Goodreads"),
    "librarything": later("from LibraryThing"),
    "libib": later("from Libib"),
    "storygraph": later("from StoryGraph"),
    "commonroom_csv": later("from a Commonroom (CSV)"),
    "commonroom_json": later("from a Commonroom (JSON)"),
}
"""Where a file comes from; translated when it is shown."""

FIELDS: Mapping[str, str] = {
    "title": later("Title"),
    "authors": later("Authors"),
    "directors": later("Directors"),
    "cast": later("Cast"),
    "contributors": later("Translators and others"),
    "isbn": later("ISBN"),
    "summary": later("Summary"),
    "collection": later("Collection"),
    "collections": later("Collection"),
    "order": later("Number in collection"),
    "release_year": later("Year"),
    "year": later("Year"),
    "duration": later("Minutes"),
    "tmdb_id": later("TMDB ID"),
    "picture_url": later("Cover"),
    "publisher": later("Publisher"),
    "pages": later("Pages"),
    "language": later("Language"),
    "format": later("Format"),
    "tags": later("Tags"),
    "location": later("Location"),
    "copies": later("Copies"),
    "status": later("Status"),
    "started_on": later("Started on"),
    "finished_on": later("Finished on"),
    "rating": later("Rating"),
    "review": later("Review"),
    "lent_to": later("Lent to"),
    "lent_at": later("Lent on"),
    "due_date": later("Due date"),
    "history": later("Loan history"),
    "type": later("Type"),
    "item_type": later("Type"),
}
"""What a note is about; translated when it is shown."""
