"""Opens the search index that the settings name: the one place where its engine is chosen."""

from __future__ import annotations

from commonroom.search.embedded.engine import EmbeddedIndex
from commonroom.search.index import SearchIndex
from commonroom.settings import Settings


def open_index(settings: Settings, *, only_reading: bool = False) -> SearchIndex:
    """The index of an installation; whoever is `only_reading` makes and mends nothing."""
    return EmbeddedIndex(settings.search_file, only_reading=only_reading)
