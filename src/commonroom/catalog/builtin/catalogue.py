"""The built-in catalogue: the films that come with Commonroom, read from a file per decade."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache, cached_property
from importlib.resources import files
from itertools import chain, islice

import msgspec
from msgspec import Struct

from commonroom.catalog.builtin.title_search import Titles
from commonroom.catalog.film_source import SearchResult
from commonroom.catalog.films import Certification, Film, FilmFilter, fits, passes
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


MOST_FILMS = 200


class Catalogue:
    """Films that are always there; read when somebody first asks for one."""

    knows_services = False

    async def discover(self, wanted: FilmFilter, without: Collection[int] = ()) -> list[Film]:
        """Films that fit, most popular first; at most 200, none of those that are left out."""
        left_out = frozenset(without)
        fitting = (
            film
            for film in known_films()
            if film.tmdb_movie_id not in left_out
            and fits(film, wanted)
            and passes(film.certification, wanted.ceiling)
        )
        return list(islice(fitting, MOST_FILMS))

    async def film(self, tmdb_movie_id: int) -> Film | None:
        """One film with all that is known of it."""
        return self._by_id.get(tmdb_movie_id)

    async def search(self, text: str, limit: int = 20) -> list[Film]:
        """Films whose title resembles a text, the likeliest first."""
        return self._titles.resembling(text)[: max(0, min(limit, MOST_FILMS))]

    async def search_result(self, text: str, limit: int = 20) -> SearchResult:
        """The same, and that the catalogue says so."""
        return SearchResult(await self.search(text, limit), "catalogue")

    async def close(self) -> None:
        """There is nothing to let go of."""

    @cached_property
    def _by_id(self) -> dict[int, Film]:
        return {film.tmdb_movie_id: film for film in known_films()}

    @cached_property
    def _titles(self) -> Titles:
        return Titles(known_films())
