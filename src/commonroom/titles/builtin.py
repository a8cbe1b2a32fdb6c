"""The built-in catalogue: films and shows that come with Commonroom, a file per decade of each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from functools import cache, cached_property
from importlib.resources import files
from itertools import chain, islice
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from commonroom.titles.films import Film, FilmFilter, SearchResult, fits, passes
from commonroom.titles.genres import GENRE_IDS
from commonroom.titles.sources import TitleSearchResult
from commonroom.titles.title_matching import TitleIndex, squashed
from commonroom.titles.titles import Certification, ShowStatus, TitleFacts, TitleId

MAX_TITLES = 200

F = TypeVar("F", bound="Fact")


class Fact(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A title as it is written down, for people to read and mend."""

    title: str
    other: list[str] = []
    """What else it is called, the original title first; left out where there is nothing."""
    id: int
    """TMDB's."""
    imdb: str
    genres: list[str]
    """By name, the most fitting one first."""
    cast: list[str]
    fame: int
    """Out of a hundred, as we see it: a higher one is suggested earlier."""
    rating: float
    """Out of ten, to the half point, as we see it."""
    overview: str


class FilmFact(Fact, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A film as it is written down."""

    year: int
    certification: Certification | None = None
    """Left out where a film was never rated in the United States."""
    runtime: int
    directors: list[str]


class ShowFact(Fact, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A show as it is written down."""

    start: int
    end: int | None = None
    """Left out where it continues."""
    status: ShowStatus
    seasons: int | None = None
    """Left out, like episodes, where it grows all the time, or where people count differently."""
    episodes: int | None = None
    creators: list[str] = []
    """Left out where nobody is named as such."""


def written_films() -> list[FilmFact]:
    """Returns every film as it is written down, by decade."""
    return _read("builtin_films", FilmFact)


def written_shows() -> list[ShowFact]:
    """Returns every show as it is written down, by decade."""
    return _read("builtin_shows", ShowFact)


@cache
def known_films() -> tuple[Film, ...]:
    """Returns every film of the catalogue, the most popular first; of equal fame the lower id."""
    ranked = _ranked(written_films())
    return tuple(_film(fact, len(ranked) - rank) for rank, fact in enumerate(ranked))


@cache
def known_shows() -> tuple[TitleFacts, ...]:
    """Returns every show of the catalogue, in the same order."""
    ranked = _ranked(written_shows())
    return tuple(_show(fact, len(ranked) - rank) for rank, fact in enumerate(ranked))


@cache
def _known_titles() -> dict[TitleId, TitleFacts]:
    return {one.id: one for one in (*known_films(), *known_shows())}


def known_title(title: TitleId) -> TitleFacts | None:
    """Returns a film or show of the catalogue, with all that is known of it."""
    return _known_titles().get(title)


def _read(folder: str, kind: type[F]) -> list[F]:
    decades = sorted((files("commonroom.titles") / folder).iterdir(), key=lambda one: one.name)
    read = msgspec.json.Decoder(list[kind]).decode  # type: ignore[valid-type] # it is one here
    return list(chain.from_iterable(read(decade.read_bytes()) for decade in decades))


def _ranked(facts: list[F]) -> list[F]:
    return sorted(facts, key=lambda fact: (-fact.fame, fact.id))


def _film(fact: FilmFact, popularity: int) -> Film:
    return Film(
        **_known(fact, popularity),
        year=fact.year,
        runtime=fact.runtime,
        certification=fact.certification,
        makers=tuple(fact.directors),
    )


def _show(fact: ShowFact, popularity: int) -> TitleFacts:
    return TitleFacts(
        **_known(fact, popularity),
        content_type="SHOW",
        content_id=str(fact.id),
        year=fact.start,
        end_year=fact.end,
        seasons=fact.seasons,
        episodes=fact.episodes,
        status=fact.status,
        makers=tuple(fact.creators),
    )


def _known(fact: Fact, popularity: int) -> dict[str, Any]:
    return {
        "tmdb_id": fact.id,
        "imdb_id": fact.imdb,
        "title": fact.title,
        "other_titles": tuple(fact.other),
        "genres": tuple(GENRE_IDS[name] for name in fact.genres),
        "cast": tuple(fact.cast),
        "popularity": popularity,
        "vote_average": fact.rating,
        "overview": fact.overview,
    }


class Catalogue:
    """Films and shows that are always there; read when the first is asked for."""

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
        return list(islice(fitting, MAX_TITLES))

    async def film(self, tmdb_movie_id: int) -> Film | None:
        """Returns one film with all that is known of it."""
        return self._films_by_id.get(tmdb_movie_id)

    async def search(self, text: str, limit: int = 20) -> list[Film]:
        """Films whose title resembles a text, the likeliest first."""
        return self._films.resembling(text)[: _bounded(limit)]

    async def search_result(self, text: str, limit: int = 20) -> SearchResult:
        """Finds titles by text, and says that the catalogue did."""
        return SearchResult(await self.search(text, limit), "catalogue")

    async def show(self, tmdb_show_id: int) -> TitleFacts | None:
        """Returns one show with all that is known of it."""
        return known_title(TitleId("SHOW", str(tmdb_show_id)))

    async def search_shows(self, text: str, limit: int = 20) -> list[TitleFacts]:
        """Shows whose title resembles a text, the likeliest first."""
        return self._shows.resembling(text)[: _bounded(limit)]

    async def with_imdb_id(self, imdb_id: str) -> TitleSearchResult:
        """Returns the title that has an id of IMDb's, if there is one."""
        found = self._by_imdb_id.get(imdb_id)
        return TitleSearchResult([] if found is None else [found])

    async def called(self, title: str) -> TitleSearchResult:
        """Films and shows that are called so."""
        return TitleSearchResult(self._by_name.get(squashed(title), []))

    async def close(self) -> None:
        """There is nothing to let go of."""

    @cached_property
    def _by_imdb_id(self) -> dict[str, TitleFacts]:
        return {one.imdb_id: one for one in _known_titles().values() if one.imdb_id}

    @cached_property
    def _by_name(self) -> dict[str, list[TitleFacts]]:
        names: dict[str, list[TitleFacts]] = defaultdict(list)
        for one in _known_titles().values():
            names[squashed(one.title)].append(one)
        return names

    @cached_property
    def _films_by_id(self) -> dict[int, Film]:
        return {film.tmdb_movie_id: film for film in known_films()}

    @cached_property
    def _films(self) -> TitleIndex[Film]:
        return TitleIndex(known_films())

    @cached_property
    def _shows(self) -> TitleIndex[TitleFacts]:
        return TitleIndex(known_shows())


def _bounded(limit: int) -> int:
    return max(0, min(limit, MAX_TITLES))
