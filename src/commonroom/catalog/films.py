"""A film as every room knows it, whatever source told of it; genres, and which films are wanted."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, TypeAlias

from msgspec import Struct

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
