"""Genres of films and shows: one vocabulary for both, TMDB's ids as texts and plain names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

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
"""Of films, plain English names by id; translated where people see them."""

SHOW_GENRES: Mapping[str, str] = MappingProxyType(
    {"10763": "News", "10764": "Reality", "10767": "Talk", "10768": "War & Politics"}
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
