"""Opens the search index that the settings name: the one place where its engine is chosen."""

from __future__ import annotations

from commonroom.outgoing.fetcher import Fetcher
from commonroom.search.embedded.engine import EmbeddedIndex
from commonroom.search.index import SearchIndex
from commonroom.settings import Settings


def open_index(settings: Settings, *, only_reading: bool = False) -> SearchIndex:
    """The index of an installation; whoever is `only_reading` makes and mends nothing."""
    if settings.search == "opensearch":
        from commonroom.search.opensearch.client import Client
        from commonroom.search.opensearch.engine import OpenSearchIndex

        address = settings.opensearch_address
        # A server of the operator's, so it may be anywhere; and it alone is trusted here.
        client = Client(Fetcher([address]), address, settings.opensearch_login)
        return OpenSearchIndex(client, settings.opensearch_prefix)
    return EmbeddedIndex(settings.search_file, only_reading=only_reading)
