"""The built-in catalogue as a source of films."""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property
from itertools import islice

from commonroom.catalog.builtin.facts import known_films
from commonroom.catalog.builtin.titles import Titles
from commonroom.catalog.films import Film
from commonroom.catalog.fitting import fits, passes
from commonroom.catalog.source import Sought, Wanted

MOST_FILMS = 200


class Catalogue:
    """Films that are always there; read when somebody first asks for one."""

    knows_services = False

    async def discover(self, wanted: Wanted, without: Collection[int] = ()) -> list[Film]:
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

    async def sought(self, text: str, limit: int = 20) -> Sought:
        """The same, and that the catalogue says so."""
        return Sought(await self.search(text, limit), "catalogue")

    async def close(self) -> None:
        """There is nothing to let go of."""

    @cached_property
    def _by_id(self) -> dict[int, Film]:
        return {film.tmdb_movie_id: film for film in known_films()}

    @cached_property
    def _titles(self) -> Titles:
        return Titles(known_films())
