"""What the doctor says of the library."""

from __future__ import annotations

from commonroom.joins.findings import Finding, ok
from commonroom.settings import Settings


def examine_books(settings: Settings) -> Finding:
    """Says where books come from. Nobody is asked: only people's own look-ups go out."""
    if settings.book_look_ups:
        books = f"looked up by ISBN at {settings.open_library_address}"
    else:
        books = "entered by hand; COMMONROOM_BOOK_LOOK_UPS is off"
    covers = "fetched when needed" if settings.covers else "drawn, not fetched"
    return ok("books", f"{books}; covers are {covers}")
