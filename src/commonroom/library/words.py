"""The library in the reader's words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from commonroom.http.words import _, join_names, lazy, pluralize
from commonroom.library.rules import items as rules
from commonroom.library.rules.formats import Format
from commonroom.library.tables import Book, Video

FLASH_TEXTS: Mapping[str, str] = {
    "library-made": lazy("Your library is ready. Add your first book or film."),
    "library-saved": lazy("Library saved."),
    "library-deleted": lazy("Library deleted."),
    "library-left": lazy("The library is no longer shared with you."),
    "library-shared": lazy("Library shared."),
    "library-unshared": lazy("They can no longer see this library."),
    "item-added": lazy("Added to the library."),
    "item-added-twice": lazy("Added to the library. You seem to have this one already."),
    "item-saved": lazy("Saved."),
    "item-moved": lazy("Moved to the other library, with its loan history."),
    "item-deleted": lazy("Deleted."),
    "item-placed": lazy("Order saved."),
    "collection-made": lazy("Collection created. Now add something to it."),
    "collection-saved": lazy("Collection saved."),
    "collection-deleted": lazy("Collection deleted. Its items are still in the library."),
    "lent": lazy("Lent. You can see everything you have lent under Loans."),
    "returned": lazy("Welcome back! Marked as returned."),
    "due-saved": lazy("Due date saved."),
    "due-removed": lazy("Due date removed."),
    "history-cleared": lazy("Loan history cleared."),
}


def kind_name(item: Book | Video) -> str:
    """Returns what an item is."""
    return _("Book") if isinstance(item, Book) else _("Film")


def shorten_names(names: Sequence[str]) -> str:
    """Returns who made something, in a line."""
    if len(names) > 3:
        return _("%(first)s and others") % {"first": ", ".join(names[:2])}
    return join_names(names)


STATUSES: dict[str, str] = {
    "to_read": lazy("To read"),
    "reading": lazy("Reading"),
    "read": lazy("Read"),
    "to_watch": lazy("To watch"),
    "watching": lazy("Watching"),
    "watched": lazy("Watched"),
    "gave_up": lazy("Gave up"),
}
"""How far a person is with a book or a film; translated when it is shown."""
QUARTERS = ("", "¼", "½", "¾")
HALVES = tuple(f"{halves / 2:g}" for halves in range(10, 0, -1))


def statuses(kind: type[Book | Video]) -> list[tuple[str, str]]:
    """Returns what to choose from, of a book or a film."""
    return [(one, STATUSES[one]) for one in rules.statuses(kind)]


def stars(rating: float) -> str:
    """Returns a rating as it is drawn."""
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
        return pluralize("%(n)d day overdue", "%(n)d days overdue", -days)
    if days == 0:
        return _("due today")
    if days == 1:
        return _("due tomorrow")
    return pluralize("due in %(n)d day", "due in %(n)d days", days)


def duration(seconds: float) -> str:
    """Returns how long something was lent, as one would say it."""
    days = seconds / DAY
    if days < 1:
        return _("less than a day")
    if days < 2 * WEEK:
        return pluralize("%(n)d day", "%(n)d days", int(days))
    if days < 3 * MONTH:
        return pluralize("%(n)d week", "%(n)d weeks", int(days / WEEK))
    if days < 2 * YEAR:
        return pluralize("%(n)d month", "%(n)d months", int(days / MONTH))
    return pluralize("%(n)d year", "%(n)d years", int(days / YEAR))


FORMATS: Mapping[Format, str] = {
    "goodreads": lazy("from Goodreads"),
    "librarything": lazy("from LibraryThing"),
    "libib": lazy("from Libib"),
    "storygraph": lazy("from StoryGraph"),
    "commonroom_csv": lazy("from a Commonroom (CSV)"),
    "commonroom_json": lazy("from a Commonroom (JSON)"),
}
"""Where a file comes from; translated when it is shown."""

FIELDS: Mapping[str, str] = {
    "title": lazy("Title"),
    "authors": lazy("Authors"),
    "directors": lazy("Directors"),
    "cast": lazy("Cast"),
    "contributors": lazy("Translators and others"),
    "isbn": lazy("ISBN"),
    "summary": lazy("Summary"),
    "collection": lazy("Collection"),
    "collections": lazy("Collection"),
    "order": lazy("Number in collection"),
    "release_year": lazy("Year"),
    "year": lazy("Year"),
    "duration": lazy("Minutes"),
    "tmdb_id": lazy("TMDB ID"),
    "picture_url": lazy("Cover"),
    "publisher": lazy("Publisher"),
    "pages": lazy("Pages"),
    "language": lazy("Language"),
    "format": lazy("Format"),
    "tags": lazy("Tags"),
    "location": lazy("Location"),
    "copies": lazy("Copies"),
    "status": lazy("Status"),
    "started_on": lazy("Started on"),
    "finished_on": lazy("Finished on"),
    "rating": lazy("Rating"),
    "review": lazy("Review"),
    "lent_to": lazy("Lent to"),
    "lent_at": lazy("Lent on"),
    "due_date": lazy("Due date"),
    "history": lazy("Loan history"),
    "type": lazy("Type"),
    "item_type": lazy("Type"),
}
"""What a note is about; translated when it is shown."""
