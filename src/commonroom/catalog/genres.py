"""The genres of films: TMDB's ids and what they are called, in one place."""

from __future__ import annotations

from collections.abc import Mapping
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
"""Plain English names by id; whoever shows them to people translates them."""

GENRE_IDS: Mapping[str, str] = MappingProxyType({name: genre for genre, name in GENRES.items()})

_CASEFOLDED = {name.casefold(): genre for name, genre in GENRE_IDS.items()}


def genre_named(name: str) -> str | None:
    """The id of a genre by its English name, in capitals or not; None where there is none."""
    return _CASEFOLDED.get(name.strip().casefold())
