"""The films that come with Commonroom, read from a file per decade."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from itertools import chain

import msgspec
from msgspec import Struct

from commonroom.catalog.films import Certification, Film
from commonroom.catalog.genres import GENRE_IDS


class Fact(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A film as it is written down, for people to read and mend."""

    title: str
    year: int
    id: int
    """TMDB's."""
    imdb: str
    certification: Certification | None = None
    """Left out where a film was never rated in the United States."""
    runtime: int
    genres: list[str]
    """By name, the most fitting one first."""
    directors: list[str]
    cast: list[str]
    fame: int
    """Out of a hundred, as we see it: a higher one is suggested earlier."""
    rating: float
    """Out of ten, to the half point, as we see it."""
    overview: str


def written_facts() -> list[Fact]:
    """Every film as it is written down, by decade."""
    folder = files("commonroom.catalog.builtin") / "films"
    decades = sorted(folder.iterdir(), key=lambda decade: decade.name)
    return list(chain.from_iterable(_read(decade.read_bytes()) for decade in decades))


@cache
def known_films() -> tuple[Film, ...]:
    """Every film of the catalogue, the most popular first; of equal fame the lower id."""
    ranked = sorted(written_facts(), key=lambda fact: (-fact.fame, fact.id))
    return tuple(_film(fact, len(ranked) - rank) for rank, fact in enumerate(ranked))


def _read(decade: bytes) -> list[Fact]:
    return msgspec.json.decode(decade, type=list[Fact])


def _film(fact: Fact, popularity: int) -> Film:
    return Film(
        tmdb_movie_id=fact.id,
        title=fact.title,
        year=fact.year,
        genres=tuple(GENRE_IDS[name] for name in fact.genres),
        runtime=fact.runtime,
        certification=fact.certification,
        directors=tuple(fact.directors),
        cast=tuple(fact.cast),
        popularity=popularity,
        vote_average=fact.rating,
        overview=fact.overview,
        imdb_id=fact.imdb,
    )
