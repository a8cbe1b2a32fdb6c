"""Genres of films and shows: one vocabulary for both, TMDB's ids as texts and plain names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from commonroom.http.words import lazy

GENRES: Mapping[str, str] = MappingProxyType(
    {
        "28": lazy("Action"),
        "12": lazy("Adventure"),
        "16": lazy("Animation"),
        "35": lazy("Comedy"),
        "80": lazy("Crime"),
        "99": lazy("Documentary"),
        "18": lazy("Drama"),
        "10751": lazy("Family"),
        "14": lazy("Fantasy"),
        "36": lazy("History"),
        "27": lazy("Horror"),
        "10402": lazy("Music"),
        "9648": lazy("Mystery"),
        "10749": lazy("Romance"),
        "878": lazy("Science Fiction"),
        "10770": lazy("TV Movie"),
        "53": lazy("Thriller"),
        "10752": lazy("War"),
        "37": lazy("Western"),
    }
)
"""Of films, plain English names by id; translated where people see them."""

SHOW_GENRES: Mapping[str, str] = MappingProxyType(
    {
        "10763": lazy("News"),
        "10764": lazy("Reality"),
        "10767": lazy("Talk"),
        "10768": lazy("War & Politics"),
    }
)
"""What only shows are."""

TITLE_GENRES: Mapping[str, str] = MappingProxyType({**GENRES, **SHOW_GENRES})
GENRE_IDS: Mapping[str, str] = MappingProxyType(
    {name: genre for genre, name in TITLE_GENRES.items()}
)
_GENRES_CASEFOLDED = {name.casefold(): genre for name, genre in GENRE_IDS.items()}

_FROM_SHOWS: Mapping[str, tuple[str, ...]] = {
    "10759": ("28", "12"),  # Action & Adventure
    "10762": ("10751",),  # Kids
    "10765": ("878", "14"),  # Sci-Fi & Fantasy
    "10766": ("18",),  # Soap
}
"""TMDB joins for shows what it tells apart for films: a search for one finds both."""


def genre_named(name: str) -> str | None:
    """The id of a genre by its English name, in capitals or not; None where there is none."""
    return _GENRES_CASEFOLDED.get(name.strip().casefold())


def genre_names(genres: Iterable[str]) -> list[str]:
    """Returns the names of genres, without those that nobody knows."""
    return [TITLE_GENRES[genre] for genre in genres if genre in TITLE_GENRES]


def film_genres(tmdb_ids: Iterable[int]) -> tuple[str, ...]:
    """Our genres of a film by TMDB's, each once."""
    return tuple(dict.fromkeys(str(one) for one in tmdb_ids if str(one) in GENRES))


def show_genres(tmdb_ids: Iterable[int]) -> tuple[str, ...]:
    """Our genres of a show by TMDB's, each once."""
    ours = (genre for one in tmdb_ids for genre in _FROM_SHOWS.get(str(one), (str(one),)))
    return tuple(dict.fromkeys(genre for genre in ours if genre in TITLE_GENRES))
