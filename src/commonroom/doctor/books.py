"""Books and covers: whether anybody is asked for them."""

from __future__ import annotations

from commonroom.doctor.findings import Finding, ok
from commonroom.settings import Settings


def examine(settings: Settings) -> list[Finding]:
    """Says where they come from. Nobody is asked: only people's own look-ups go out."""
    if not settings.is_open("library"):
        return []
    if settings.book_look_ups:
        books = f"looked up at {settings.open_library_address} when somebody gives an ISBN"
    else:
        books = "typed in by hand; COMMONROOM_BOOK_LOOK_UPS is off"
    covers = "fetched when they are looked at" if settings.covers else "drawn; they are not fetched"
    return [ok("books", f"{books}; covers are {covers}")]
