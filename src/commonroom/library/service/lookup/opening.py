"""Opens what the settings name: who is asked about books."""

from __future__ import annotations

from commonroom.library.service.lookup.books import BookSource, NoBooks
from commonroom.outgoing.fetcher import Fetcher
from commonroom.settings import Settings


def book_source(settings: Settings, fetcher: Fetcher) -> BookSource:
    """Open Library, or nobody where that is switched off."""
    if not settings.book_look_ups:
        return NoBooks()
    from commonroom.library.service.lookup.open_library import OpenLibrary

    return OpenLibrary(fetcher, settings.open_library_address)
