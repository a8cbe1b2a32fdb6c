"""Films as every room knows them: facts, genres, which are wanted, and where they come from."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias

from msgspec import Struct

if TYPE_CHECKING:  # rules know films, too, and read nothing
    from commonroom.outgoing.fetcher import Fetcher
    from commonroom.settings import Settings
    from commonroom.store import Store

Certification: TypeAlias = Literal["G", "PG", "PG-13", "R", "NC-17"]
"""How old one should be, as rated in the United States; the mildest comes first."""

CERTIFICATIONS: tuple[Certification, ...] = ("G", "PG", "PG-13", "R", "NC-17")
HIGHEST_CEILING = CERTIFICATIONS.index("R")

GENRES: Mapping[str, str] = MappingProxyType(
    {
        "28": "Action",
        "12": "Adventure",
        "16": "Animation",
        "35": "Comedy",
        "80": "Crime",
        "99": "Documentary",
        "18": "Drama",
        "10751": "Family",
        "14": "Fantasy",
        "36": "History",
        "27": "Horror",
        "10402": "Music",
        "9648": "Mystery",
        "10749": "Romance",
        "878": "Science Fiction",
        "10770": "TV Movie",
        "53": "Thriller",
        "10752": "War",
        "37": "Western",
    }
)
"""Plain English names by id; whoever shows them to people translates them."""
GENRE_IDS: Mapping[str, str] = MappingProxyType({name: genre for genre, name in GENRES.items()})
_GENRES_CASEFOLDED = {name.casefold(): genre for name, genre in GENRE_IDS.items()}


class Film(Struct, frozen=True, kw_only=True):
    """Facts of a film; what a source does not know is None or empty, never guessed."""

    tmdb_movie_id: int
    title: str
    year: int | None = None
    genres: tuple[str, ...] = ()
    """TMDB's genre ids, as strings."""
    runtime: int | None = None
    """In minutes."""
    certification: Certification | None = None
    """None where it is unknown: such a film never passes a ceiling below R."""
    directors: tuple[str, ...] = ()
    cast: tuple[str, ...] = ()
    popularity: float = 0
    """Higher is more popular; comparable within one source only."""
    vote_average: float | None = None
    """Out of ten; for the built-in catalogue, our own rating."""
    vote_count: int | None = None
    """None where nobody counts, as for the built-in catalogue: its films are all well known."""
    services: tuple[str, ...] | None = None
    """Slugs of the streaming services that have it; None where nobody knows."""
    poster_path: str | None = None
    overview: str | None = None
    imdb_id: str | None = None


class FilmFilter(Struct, frozen=True, kw_only=True):
    """Which films to look for."""

    genres: frozenset[str] = frozenset()
    """Any of them; empty for whatever genre."""
    without_genres: frozenset[str] = frozenset()
    ceiling: Certification = "R"
    """Nothing above it, and below R nothing whose certification is unknown."""
    votes: int = 50
    """At least so many, where votes are counted."""
    since: int = 1980
    """Released in this year or later."""


def fits(film: Film, wanted: FilmFilter) -> bool:
    """Whether all that is wanted but the ceiling holds for a film."""
    genres = frozenset(film.genres)
    return (
        (not wanted.genres or not genres.isdisjoint(wanted.genres))
        and genres.isdisjoint(wanted.without_genres)
        and film.year is not None
        and film.year >= wanted.since
        and (film.vote_count is None or film.vote_count >= wanted.votes)
    )


def passes(certification: Certification | None, ceiling: Certification) -> bool:
    """Whether a ceiling lets a film through; R is the highest there is."""
    highest = min(CERTIFICATIONS.index(ceiling), HIGHEST_CEILING)
    if certification is None:
        return highest == HIGHEST_CEILING
    return CERTIFICATIONS.index(certification) <= highest


def genre_named(name: str) -> str | None:
    """The id of a genre by its English name, in capitals or not; None where there is none."""
    return _GENRES_CASEFOLDED.get(name.strip().casefold())


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
