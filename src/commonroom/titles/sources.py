"""Where titles come from: TMDB with the built-in catalogue behind it, or that alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct

from commonroom.titles.films import FilmSource, SearchResult
from commonroom.titles.titles import TitleFacts

if TYPE_CHECKING:
    from commonroom.outgoing.fetcher import Fetcher
    from commonroom.settings import Settings
    from commonroom.store import Store


class TitleSearchResult(Struct, frozen=True):
    """Titles found by what a source says of them, and whether all sources answered."""

    titles: Sequence[TitleFacts]
    answered: bool = True


class TitleSource(FilmSource, Protocol):
    """A source of films and shows. None of these ever fails."""

    async def search_result(self, text: str, limit: int = 20) -> SearchResult:
        """Films whose title resembles a text, and whether all answered who should."""

    async def show(self, tmdb_show_id: int) -> TitleFacts | None:
        """Returns one show with all that is known of it."""

    async def search_shows(self, text: str, limit: int = 20) -> list[TitleFacts]:
        """Shows whose title resembles a text, the likeliest first."""

    async def with_imdb_id(self, imdb_id: str) -> TitleSearchResult:
        """Returns the title that has an id of IMDb's, if there is one."""

    async def called(self, title: str) -> TitleSearchResult:
        """Films and shows that are called so, and perhaps others; no slips are forgiven."""


def title_source(settings: Settings, store: Store, fetcher: Fetcher) -> TitleSource:
    """TMDB with the built-in catalogue behind it; the catalogue alone where there is no key."""
    from commonroom.titles.builtin import Catalogue

    catalogue = Catalogue()
    if not settings.tmdb_key:
        return catalogue
    from commonroom.titles.tmdb.client import CachedClient, ResponseCache, TmdbClient
    from commonroom.titles.tmdb.source import Tmdb

    client = TmdbClient(fetcher, settings.tmdb_address, settings.tmdb_key)
    return Tmdb(CachedClient(client, ResponseCache(store)), catalogue, settings.region)
