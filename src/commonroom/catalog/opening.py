"""Opens what the settings name: where films and their posters come from."""

from __future__ import annotations

from commonroom.catalog.builtin.catalogue import Catalogue
from commonroom.catalog.posters import Posters
from commonroom.catalog.source import FilmSource
from commonroom.outgoing.fetcher import Fetcher
from commonroom.settings import Settings
from commonroom.store import Store


def film_source(settings: Settings, store: Store, fetcher: Fetcher) -> FilmSource:
    """TMDB with the built-in catalogue behind it; the catalogue alone where there is no key."""
    catalogue = Catalogue()
    if not settings.tmdb_key:
        return catalogue
    from commonroom.catalog.tmdb.answers import Answers
    from commonroom.catalog.tmdb.cache import Cache
    from commonroom.catalog.tmdb.client import Client
    from commonroom.catalog.tmdb.source import Tmdb

    client = Client(fetcher, settings.tmdb_address, settings.tmdb_key)
    return Tmdb(Answers(client, Cache(store)), catalogue, settings.region)


def posters(settings: Settings, fetcher: Fetcher) -> Posters:
    """Posters from TMDB; only those that were kept where there is no key."""
    return Posters(settings.data / "posters", fetcher if settings.tmdb_key else None)
