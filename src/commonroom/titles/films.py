"""Films as rounds choose them: by number, by what is wanted, and where they come from."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal, Protocol

from msgspec import Struct
from msgspec.structs import force_setattr

from commonroom.titles.titles import Certification, ContentType, TitleFacts

CERTIFICATIONS: tuple[Certification, ...] = ("G", "PG", "PG-13", "R", "NC-17")
MAX_CEILING = CERTIFICATIONS.index("R")


class Film(TitleFacts, frozen=True, kw_only=True):
    """Facts of a film that TMDB knows, or would: its number is what movie night calls it by."""

    content_type: ContentType = "MOVIE"
    content_id: str = ""
    """Made of the number."""
    tmdb_id: int

    def __post_init__(self) -> None:
        force_setattr(self, "content_id", str(self.tmdb_id))

    @property
    def tmdb_movie_id(self) -> int:
        """TMDB's number, by its name in movie night's tables."""
        return self.tmdb_id


class NamedFilm(Struct, frozen=True):
    """A film as a shelf or a list names it: by TMDB's number, or else by title and year."""

    title: str
    year: int | None = None
    tmdb_id: int | None = None
    list_id: str | None = None
    """The list that names it, if one does."""


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
    highest = min(CERTIFICATIONS.index(ceiling), MAX_CEILING)
    if certification is None:
        return highest == MAX_CEILING
    return CERTIFICATIONS.index(certification) <= highest


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
        """Returns one film with all that is known of it."""

    async def search(self, text: str, limit: int = 20) -> list[Film]:
        """Films whose title resembles a text, the likeliest first."""

    async def close(self) -> None:
        """Lets go of connections."""
