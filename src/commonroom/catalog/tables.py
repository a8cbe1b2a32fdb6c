"""What TMDB said, kept for a while: a table of movie night's model that every room profits from."""

from __future__ import annotations

from commonroom.store import Entity, Table, one

tmdb_cache = Table("TmdbCache", room="movienight", partition="cache_key", ttl="ttl")


class CachedResponse(Entity, table=tmdb_cache):
    """An answer of TMDB, kept for a while."""

    cache_key: str
    """Hash of the request."""
    response_data: str
    """The answer as JSON text."""
    cached_at: str
    ttl: int


cached_response = one(tmdb_cache, "Cache lookup", gives=CachedResponse)

tables = [tmdb_cache]
