"""A film as every room knows it, whatever source told of it."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

Certification: TypeAlias = Literal["G", "PG", "PG-13", "R", "NC-17"]
"""How old one should be, as rated in the United States; the mildest comes first."""

CERTIFICATIONS: tuple[Certification, ...] = ("G", "PG", "PG-13", "R", "NC-17")


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
