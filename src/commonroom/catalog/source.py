"""Where films come from: one interface, whoever answers."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal, Protocol

from msgspec import Struct

from commonroom.catalog.films import Certification, Film


class Wanted(Struct, frozen=True, kw_only=True):
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


class Sought(Struct, frozen=True):
    """Films that were looked for by title, who told of them, and whether all who should did."""

    films: list[Film]
    source: Literal["tmdb", "catalogue"]
    answered: bool = True
    """False where the catalogue had to help."""


class FilmSource(Protocol):
    """The built-in catalogue, or TMDB with the catalogue behind it. None of these ever fails."""

    knows_services: bool
    """Whether its films tell which streaming services have them."""

    async def discover(self, wanted: Wanted, without: Collection[int] = ()) -> list[Film]:
        """Films that fit, most popular first; at most 200, none of those that are left out."""

    async def film(self, tmdb_movie_id: int) -> Film | None:
        """One film with all that is known of it."""

    async def search(self, text: str, limit: int = 20) -> list[Film]:
        """Films whose title resembles a text, the likeliest first."""

    async def close(self) -> None:
        """Lets go of connections."""
