"""Where films come from: one interface, and the source that the settings choose."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal, Protocol

from msgspec import Struct

from commonroom.catalog.films import Film, FilmFilter
from commonroom.outgoing.fetcher import Fetcher
from commonroom.settings import Settings
from commonroom.store import Store


class SearchResult(Struct, frozen=True):
    """Films that were looked for by title, who told of them, and whether all who should did."""

    films: list[Film]
    source: Literal["tmdb", "catalogue"]
    answered: bool = True
    """False where the catalogue had to help."""


class FilmSource(Protocol):
    """The built-in catalogue, or TMDB with the catalogue behind it. None of these ever fails."""

    knows_services: bool
    """Whether its films tell which streaming services have them."""

    async def discover(self, wanted: FilmFilter, without: Collection[int] = ()) -> list[Film]:
        """Films that fit, most popular first; at most 200, none of those that are left out."""

    async def film(self, tmdb_movie_id: int) -> Film | None:
        """One film with all that is known of it."""

    async def search(self, text: str, limit: int = 20) -> list[Film]:
        """Films whose title resembles a text, the likeliest first."""

    async def close(self) -> None:
        """Lets go of connections."""


def film_source(settings: Settings, store: Store, fetcher: Fetcher) -> FilmSource:
    """TMDB with the built-in catalogue behind it; the catalogue alone where there is no key."""
    from commonroom.catalog.builtin import Catalogue

    catalogue = Catalogue()
    if not settings.tmdb_key:
        return catalogue
    from commonroom.catalog.tmdb.client import CachedClient, Client, ResponseCache
    from commonroom.catalog.tmdb.source import Tmdb

    client = Client(fetcher, settings.tmdb_address, settings.tmdb_key)
    return Tmdb(CachedClient(client, ResponseCache(store)), catalogue, settings.region)
