"""A film by its title, from the film source."""

from __future__ import annotations

import asyncio
from typing import Protocol

from commonroom.accounts.service.throttle import count_try
from commonroom.accounts.tables import User
from commonroom.catalog.film_source import SearchResult
from commonroom.catalog.films import Film
from commonroom.library.service.lookup.limits import LONGEST_SECONDS, LOOK_UPS, sought_title
from commonroom.library.service.lookup.offers import Offered, VideoOffer, video_offer
from commonroom.store import Store

MOST_OFFERS = 5
"""Lists tell neither directors nor cast nor duration: each film is asked for by itself."""


class FilmFinder(Protocol):
    """What a look-up needs of the film source."""

    async def search_result(self, text: str, limit: int = 20) -> SearchResult:
        """Films whose title resembles a text, and whether all answered who should."""

    async def film(self, tmdb_movie_id: int) -> Film | None:
        """One film with all that is known of it."""


async def look_up_film(
    store: Store, now: float, films: FilmFinder, person: User, title: str
) -> Offered[VideoOffer]:
    """Films of a title, the likeliest first, in bounded time; nothing is changed by it."""
    text = sought_title(title)
    await count_try(store, now, LOOK_UPS, person.user_id)
    until = asyncio.get_running_loop().time() + LONGEST_SECONDS
    try:
        async with asyncio.timeout_at(until):
            found = await films.search_result(text, MOST_OFFERS)
    except TimeoutError:
        return Offered([], ["tmdb"])
    whole = await _whole(films, found.films, until)
    told = [video_offer(film or listed, found.source) for listed, film in whole]
    missing = found.source == "tmdb" and any(film is None for _, film in whole)
    return Offered(
        [one for one in told if one is not None],
        [] if found.answered and not missing else ["tmdb"],
    )


async def _whole(
    films: FilmFinder, listed: list[Film], until: float
) -> list[tuple[Film, Film | None]]:
    """Each film with all that is known of it, or None where that did not come in time."""

    async def one(film: Film) -> Film | None:
        try:
            async with asyncio.timeout_at(until):
                return await films.film(film.tmdb_movie_id)
        except TimeoutError:
            return None

    known = await asyncio.gather(*(one(film) for film in listed))
    return list(zip(listed, known, strict=True))
