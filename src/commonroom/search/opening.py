"""Opens the search index that the settings name: the one place where its engine is chosen."""

from __future__ import annotations

from commonroom.outgoing.fetcher import Fetcher
from commonroom.search.embedded.engine import EmbeddedIndex
from commonroom.search.index import SearchIndex
from commonroom.settings import Settings


def is_index_per_machine(settings: Settings) -> bool:
    """Whether machines share the data and each has an index of its own, which its servers keep."""
    return settings.store == "dynamodb" and settings.search == "embedded"


def open_index(
    settings: Settings, store_id: str | None = None, *, only_reading: bool = False
) -> SearchIndex:
    """Opens the index of an installation; `only_reading`, it makes and repairs nothing.

    Where the store's id is given, a file of another store is not used, nor one of other tables:
    those that DynamoDB restores have another prefix.
    """
    if settings.search == "opensearch":
        from commonroom.search.opensearch.client import OpenSearchClient
        from commonroom.search.opensearch.engine import OpenSearchIndex

        address = settings.opensearch_address
        # A server of the operator's, so it may be anywhere; and it alone is trusted here.
        client = OpenSearchClient(Fetcher([address]), address, settings.opensearch_login)
        return OpenSearchIndex(client, settings.opensearch_prefix)
    if store_id is not None and settings.store == "dynamodb":
        store_id = f"{store_id}/{settings.dynamodb_prefix}"
    return EmbeddedIndex(settings.search_file, store_id=store_id, only_reading=only_reading)
