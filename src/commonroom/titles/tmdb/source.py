"""Titles from TMDB, made of its responses; from the built-in catalogue where it has no answer."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Collection
from typing import Literal, TypeVar

from commonroom.titles.films import Film, FilmFilter, SearchResult, fits, passes
from commonroom.titles.sources import TitleSearchResult, TitleSource
from commonroom.titles.titles import TitleFacts
from commonroom.titles.tmdb import requests
from commonroom.titles.tmdb.client import Cached, CachedClient
from commonroom.titles.tmdb.facts import IMDB_ID, listed_film, listed_show, whole_film, whole_show
from commonroom.titles.tmdb.requests import TmdbRequest
from commonroom.titles.tmdb.responses import (
    MAX_ID,
    Details,
    NotThere,
    Offers,
    Resting,
    TmdbFacts,
    TmdbPage,
    TmdbUnavailable,
)
from commonroom.titles.tmdb.show_responses import ShowDetails

logger = logging.getLogger(__name__)
T = TypeVar("T")
D = TypeVar("D", Details, ShowDetails)

PATIENCE = 3.0
"""For how many seconds TMDB is waited for, whatever is asked."""
PAGE = 20
"""How many films TMDB lists on a page."""
MAX_PAGES = 10
LOOKED_INTO = 30
"""Of how many films everything is asked: lists tell neither certification nor services."""
MAX_LOOKS = 3
"""How often to look into further ones where hardly any of these fit."""
ENOUGH = 8
"""As many as a round shows at most."""


class Tmdb:
    """TMDB where it answers, and a fallback where it does not."""

    knows_services = True

    def __init__(
        self, client: CachedClient, fallback: TitleSource, region: str, patience: float = PATIENCE
    ) -> None:
        self._client = client
        self._fallback = fallback
        self._region = region
        self._patience = patience

    async def discover(self, wanted: FilmFilter, without: Collection[int] = ()) -> list[Film]:
        """Returns the most popular films that fit, about thirty."""
        until = asyncio.get_running_loop().time() + self._patience
        films: list[Film] = []
        looked = set(without)
        for look in range(MAX_LOOKS):
            try:
                async with asyncio.timeout_at(until):
                    listed = await self._list(wanted, looked)
            except (TmdbUnavailable, TimeoutError) as error:
                _log(error)
                if look == 0:
                    return await self._fallback.discover(wanted, without)
                break
            found, missing = await self._look_into(listed, until)
            films += [one for one in found if fits(one, wanted)]
            films = [one for one in films if passes(one.certification, wanted.ceiling)]
            if missing and len(films) < ENOUGH:
                return await self._fallback.discover(wanted, without)
            if missing or len(films) >= ENOUGH or len(listed) < LOOKED_INTO:
                break
            # What does not pass is never shown: it must not stand before what comes after it.
            looked |= {one.tmdb_movie_id for one in listed}
        return sorted(films, key=lambda one: (-one.popularity, one.tmdb_movie_id))

    async def film(self, tmdb_movie_id: int) -> Film | None:
        """Returns one film with all that is known of it."""
        found = await self._patiently(self._find(tmdb_movie_id))
        return found or await self._fallback.film(tmdb_movie_id)

    async def search(self, text: str, limit: int = 20) -> list[Film]:
        """Films whose title resembles a text, the likeliest first."""
        return (await self.search_result(text, limit)).films

    async def search_result(self, text: str, limit: int = 20) -> SearchResult:
        """Finds titles by text, and says whether TMDB did."""
        if not text.strip():
            return SearchResult([], "tmdb")
        found = await self._patiently(self._client.send(requests.search(text)))
        if found is None:
            films = await self._fallback.search(text, limit)
            return SearchResult(films, "catalogue", answered=False)
        return SearchResult(_films(found.response)[:limit], "tmdb")

    async def show(self, tmdb_show_id: int) -> TitleFacts | None:
        """Returns one show with all that is known of it."""
        found = await self._patiently(self._find_show(tmdb_show_id))
        return found or await self._fallback.show(tmdb_show_id)

    async def search_shows(self, text: str, limit: int = 20) -> list[TitleFacts]:
        """Shows whose title resembles a text, the likeliest first."""
        if not text.strip():
            return []
        found = await self._patiently(self._client.send(requests.search_shows(text)))
        if found is None:
            return await self._fallback.search_shows(text, limit)
        shows = {one.id: listed_show(one) for one in found.response.results if not one.adult}
        return list(shows.values())[: max(limit, 0)]

    async def with_imdb_id(self, imdb_id: str) -> TitleSearchResult:
        """Returns the title that has an id of IMDb's, if there is one."""
        known = await self._fallback.with_imdb_id(imdb_id)
        if known.titles or not IMDB_ID.fullmatch(imdb_id):
            return known
        try:
            async with asyncio.timeout(self._patience):
                found = (await self._client.send(requests.find(imdb_id))).response
        except NotThere:
            return known
        except (TmdbUnavailable, TimeoutError) as error:
            _log(error)
            return TitleSearchResult([], answered=False)
        films = [listed_film(one) for one in found.movie_results if not one.adult]
        shows = [listed_show(one) for one in found.tv_results if not one.adult]
        return TitleSearchResult([*films, *shows])

    async def called(self, title: str) -> TitleSearchResult:
        """Films and shows that are called so, and others that TMDB takes for likely."""
        known = await self._fallback.called(title)
        films, shows = requests.search(title), requests.search_shows(title)
        found = await self._patiently(
            asyncio.gather(self._client.send(films), self._client.send(shows))
        )
        if found is None:
            return TitleSearchResult(known.titles, answered=False)
        found_films, found_shows = found
        others = [listed_show(one) for one in found_shows.response.results if not one.adult]
        return TitleSearchResult([*_films(found_films.response), *others])

    async def close(self) -> None:
        """Stops what is being asked."""
        await self._client.close()
        await self._fallback.close()

    async def _list(self, wanted: FilmFilter, without: Collection[int]) -> list[Film]:
        """As many of the most popular films as are looked into, from as many pages as it takes.

        Those that are left out stand before them, so that many pages more may be needed.
        """
        found: dict[int, Film] = {}
        for page in range(1, MAX_PAGES + len(without) // PAGE + 1):
            try:
                listing = (await self._client.send(requests.discover(wanted, page))).response
            except TmdbUnavailable:
                if len(found) < ENOUGH:
                    raise
                break
            for film in _films(listing):
                if film.tmdb_movie_id not in without and fits(film, wanted):
                    found.setdefault(film.tmdb_movie_id, film)
            if len(found) >= LOOKED_INTO or page >= listing.total_pages:
                break
        return list(found.values())[:LOOKED_INTO]

    async def _look_into(self, listed: list[Film], until: float) -> tuple[list[Film], bool]:
        """Returns all of each film, or as much as the list told; and whether it was so for any."""
        whole = await asyncio.gather(
            *(self._find_until(one.tmdb_movie_id, until) for one in listed)
        )
        films: list[Film] = []
        missing: list[TmdbUnavailable | TimeoutError] = []
        for one, found in zip(listed, whole, strict=True):
            if isinstance(found, Film):
                films.append(found)
            elif not isinstance(found, NotThere):
                films.append(one)
                missing.append(found)
        if missing:
            _log(missing[0])
        return films, bool(missing)

    async def _find_until(
        self, tmdb_movie_id: int, until: float
    ) -> Film | TmdbUnavailable | TimeoutError:
        """Returns a film by a moment of the event loop's clock, or why there is none."""
        try:
            async with asyncio.timeout_at(until):
                return await self._find(tmdb_movie_id)
        except (TmdbUnavailable, TimeoutError) as error:
            return error

    async def _patiently(self, asked: Awaitable[T]) -> T | None:
        """Returns what TMDB answers in time; None where it does not, and the log says why."""
        try:
            async with asyncio.timeout(self._patience):
                return await asked
        except (TmdbUnavailable, TimeoutError) as error:
            _log(error)
            return None

    async def _find(self, tmdb_movie_id: int) -> Film:
        request = requests.details(tmdb_movie_id, self._region)
        cached = await self._details(request, "film", tmdb_movie_id)
        return whole_film(cached.response, await self._find_offers(cached))

    async def _find_show(self, tmdb_show_id: int) -> TitleFacts:
        request = requests.show_details(tmdb_show_id, self._region)
        cached = await self._details(request, "show", tmdb_show_id)
        return whole_show(cached.response, await self._find_offers(cached))

    async def _details(self, request: TmdbRequest[D], what: str, tmdb_id: int) -> Cached[D]:
        if not 1 <= tmdb_id <= MAX_ID:
            raise NotThere(f"No {what} has this ID.")
        cached = await self._client.send(request)
        if cached.response.adult:
            raise NotThere(f"This {what} is not suitable for households.")
        return cached

    async def _find_offers(self, cached: Cached[Details] | Cached[ShowDetails]) -> Offers | None:
        """Returns who has a title: as was said along with the rest, unless that was long ago."""
        response = cached.response
        if cached.age < requests.OFFERS_SECONDS:
            return response.offers
        kind: Literal["movie", "tv"] = "movie" if isinstance(response, Details) else "tv"
        request = requests.offers(kind, response.id, self._region)
        try:
            async with asyncio.timeout(self._patience / 2):
                return (await self._client.send(request)).response
        except (TmdbUnavailable, TimeoutError):
            return None  # the rest of what is known must not wait for this


def _films(listing: TmdbPage[TmdbFacts]) -> list[Film]:
    unique = {one.id: listed_film(one) for one in listing.results if not one.adult}
    return list(unique.values())


def _log(error: TmdbUnavailable | TimeoutError) -> None:
    """Says why the catalogue must help; of a rest it was said when that began."""
    if not isinstance(error, NotThere | Resting):
        why = error.detail if isinstance(error, TmdbUnavailable) else "it took too long."
        logger.warning("TMDB sends unusable responses: %s", why)
