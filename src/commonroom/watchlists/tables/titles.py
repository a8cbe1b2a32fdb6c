"""The catalogue: films and shows that lists can hold."""

from __future__ import annotations

from typing import Literal

from msgspec import field

from commonroom.store import Entity, Keys
from commonroom.watchlists.tables.people import ContentType, worth_watch


class Title(Entity, rename="camel"):
    """What films and shows have in common."""

    title: str
    genres: list[str] = field(default_factory=list)
    cast: list[str] = field(default_factory=list)
    synopsis: str | None = None
    poster_url: str | None = None
    rating: float | None = None
    """The average of all ratings."""
    tmdb_id: str | None = None
    imdb_id: str | None = None
    created_at: str
    updated_at: str

    # Beyond the seed: what the average is made of, changed in the same write as a rating.
    rating_count: int = 0
    rating_sum: int = 0


class Movie(Title, table=worth_watch, kind="MOVIE"):
    """A film."""

    movie_id: str
    release_year: int | None = None
    directors: list[str] = field(default_factory=list)
    runtime: int | None = None
    """Minutes."""

    keys = Keys(PK="MOVIE#{movie_id}", SK="METADATA")


class Show(Title, table=worth_watch, kind="SHOW"):
    """A series."""

    show_id: str
    start_year: int | None = None
    end_year: int | None = None
    creators: list[str] = field(default_factory=list)
    number_of_seasons: int | None = None
    number_of_episodes: int | None = None
    status: Literal["ongoing", "ended", "cancelled"] | None = None

    keys = Keys(PK="SHOW#{show_id}", SK="METADATA")


class TmdbClaim(Entity, table=worth_watch, kind="TMDB_CLAIM", rename="camel"):
    """A title's claim to its TMDB id: one TMDB id is one title."""

    content_type: ContentType
    tmdb_id: str
    content_id: str

    keys = Keys(PK="TMDB#{content_type}#{tmdb_id}", SK="CLAIM")
