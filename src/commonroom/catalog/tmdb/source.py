"""Films from TMDB; from the built-in catalogue where TMDB has no answer."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection
from functools import partial

from commonroom.catalog.films import Film
from commonroom.catalog.fitting import fits, passes
from commonroom.catalog.source import FilmSource, Sought, Wanted
from commonroom.catalog.tmdb import questions
from commonroom.catalog.tmdb.answers import Answers
from commonroom.catalog.tmdb.cache import Kept
from commonroom.catalog.tmdb.deadlines import in_time
from commonroom.catalog.tmdb.errors import NoAnswer, NotThere, Resting
from commonroom.catalog.tmdb.making import listed_film, whole_film
from commonroom.catalog.tmdb.shapes import HIGHEST_ID, Details, Listing, Offers

logger = logging.getLogger(__name__)

PATIENCE = 3.0
"""For how many seconds TMDB is waited for, whatever is asked."""
PAGE = 20
"""How many films TMDB lists on a page."""
MOST_PAGES = 10
LOOKED_INTO = 30
"""Of how many films everything is asked: lists tell neither certification nor services."""
MOST_LOOKS = 3
"""How often to look into further ones where hardly any of these fit."""
ENOUGH = 8
"""As many as a round shows at most."""


class Tmdb:
    """TMDB where it answers, and another source behind it where it does not."""

    knows_services = True

    def __init__(
        self, answers: Answers, behind: FilmSource, region: str, patience: float = PATIENCE
    ) -> None:
        self._answers = answers
        self._behind = behind
        self._region = region
        self._patience = patience

    async def discover(self, wanted: Wanted, without: Collection[int] = ()) -> list[Film]:
        """The most popular films that fit, about thirty."""
        until = asyncio.get_running_loop().time() + self._patience
        films: list[Film] = []
        looked = set(without)
        for look in range(MOST_LOOKS):
            try:
                async with asyncio.timeout_at(until):
                    listed = await self._listed(wanted, looked)
            except (NoAnswer, TimeoutError) as error:
                _tell(error)
                if look == 0:
                    return await self._behind.discover(wanted, without)
                break
            found, missing = await self._looked_into(listed, until)
            films += [one for one in found if fits(one, wanted)]
            films = [one for one in films if passes(one.certification, wanted.ceiling)]
            if missing and len(films) < ENOUGH:
                return await self._behind.discover(wanted, without)
            if missing or len(films) >= ENOUGH or len(listed) < LOOKED_INTO:
                break
            # What does not pass is never shown: it must not stand before what comes after it.
            looked |= {one.tmdb_movie_id for one in listed}
        return sorted(films, key=lambda one: (-one.popularity, one.tmdb_movie_id))

    async def film(self, tmdb_movie_id: int) -> Film | None:
        """One film with all that is known of it."""
        try:
            async with asyncio.timeout(self._patience):
                return await self._whole(tmdb_movie_id)
        except (NoAnswer, TimeoutError) as error:
            _tell(error)
            return await self._behind.film(tmdb_movie_id)

    async def search(self, text: str, limit: int = 20) -> list[Film]:
        """Films whose title resembles a text, the likeliest first."""
        return (await self.sought(text, limit)).films

    async def sought(self, text: str, limit: int = 20) -> Sought:
        """The same, and whether TMDB says so."""
        if not text.strip():
            return Sought([], "tmdb")
        try:
            async with asyncio.timeout(self._patience):
                found = await self._answers.ask(questions.search(text))
        except (NoAnswer, TimeoutError) as error:
            _tell(error)
            return Sought(await self._behind.search(text, limit), "catalogue", answered=False)
        return Sought(_films(found.answer)[:limit], "tmdb")

    async def close(self) -> None:
        """Gives up what is being asked."""
        await self._answers.close()
        await self._behind.close()

    async def _listed(self, wanted: Wanted, without: Collection[int]) -> list[Film]:
        """As many of the most popular films as are looked into, from as many pages as it takes.

        Those that are left out stand before them, so that many pages more may be needed.
        """
        found: dict[int, Film] = {}
        for page in range(1, MOST_PAGES + len(without) // PAGE + 1):
            try:
                listing = (await self._answers.ask(questions.discover(wanted, page))).answer
            except NoAnswer:
                if len(found) < ENOUGH:
                    raise
                break
            for film in _films(listing):
                if film.tmdb_movie_id not in without and fits(film, wanted):
                    found.setdefault(film.tmdb_movie_id, film)
            if len(found) >= LOOKED_INTO or page >= listing.total_pages:
                break
        return list(found.values())[:LOOKED_INTO]

    async def _looked_into(self, listed: list[Film], until: float) -> tuple[list[Film], bool]:
        """All of each film, or as much as the list told; and whether it was so for any."""
        whole = await in_time((partial(self._whole, one.tmdb_movie_id) for one in listed), until)
        films: list[Film] = []
        missing: list[NoAnswer | TimeoutError] = []
        for one, found in zip(listed, whole, strict=True):
            if isinstance(found, Film):
                films.append(found)
            elif not isinstance(found, NotThere):
                films.append(one)
                missing.append(found)
        if missing:
            _tell(missing[0])
        return films, bool(missing)

    async def _whole(self, tmdb_movie_id: int) -> Film:
        if not 1 <= tmdb_movie_id <= HIGHEST_ID:
            raise NotThere("No film has this ID.")
        kept = await self._answers.ask(questions.details(tmdb_movie_id, self._region))
        if kept.answer.adult:
            raise NotThere("This film is not suitable for households.")
        return whole_film(kept.answer, await self._offers(kept))

    async def _offers(self, kept: Kept[Details]) -> Offers | None:
        """Who has a film: as was said along with the rest, unless that was long ago."""
        if kept.age < questions.OFFERS_SECONDS:
            return kept.answer.offers
        question = questions.offers(kept.answer.id, self._region)
        try:
            async with asyncio.timeout(self._patience / 2):
                return (await self._answers.ask(question)).answer
        except (NoAnswer, TimeoutError):
            return None  # the rest of what is known must not wait for this


def _films(listing: Listing) -> list[Film]:
    unique = {one.id: listed_film(one) for one in listing.results if not one.adult}
    return list(unique.values())


def _tell(error: NoAnswer | TimeoutError) -> None:
    """Says why the catalogue must help; of a rest it was said when that began."""
    if not isinstance(error, NotThere | Resting):
        why = error.detail if isinstance(error, NoAnswer) else "it took too long."
        logger.warning("TMDB does not answer as it should: %s", why)
