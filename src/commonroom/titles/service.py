"""The catalogue as one service: titles by id and by text, for all rooms."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from itertools import chain, zip_longest
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from commonroom.errors import NotFound
from commonroom.store import unmarked
from commonroom.texts import clean_line
from commonroom.titles.builtin import known_title
from commonroom.titles.sources import TitleSearchResult
from commonroom.titles.stored_titles import (
    Stored,
    facts_of,
    is_stale,
    load_or_revive,
    load_title,
    store_title,
)
from commonroom.titles.titles import ContentType, TitleFacts, TitleId

if TYPE_CHECKING:
    from commonroom.store import Store
    from commonroom.titles.sources import TitleSource

BOTH: tuple[ContentType, ...] = ("MOVIE", "SHOW")
MAX_TEXT = 100
MAX_FOUND = 50


class FoundTitle(Struct, frozen=True):
    """A title: its facts, and what is stored of it, where it was ever used."""

    facts: TitleFacts
    stored: Stored | None = None


class Titles:
    """Films and shows: those that are stored, and those that the source knows."""

    def __init__(self, source: TitleSource) -> None:
        self._source = source

    @property
    def films(self) -> TitleSource:
        """The source of films, for code that chooses among them by number or looks them up."""
        return self._source

    async def find(self, store: Store, title: TitleId) -> FoundTitle | None:
        """Returns a title with all that is known of it; the source may be asked."""
        stored, facts = await store.gather(load_title(store, title), self._tell(title))
        if stored is None:
            return None if facts is None else FoundTitle(facts)
        return FoundTitle(_freshest(stored, facts), stored)

    async def find_here(self, store: Store, title: TitleId) -> FoundTitle | None:
        """Returns a title as far as this server knows it: for guests, who make us ask nobody."""
        stored = await load_title(store, title)
        if stored is not None:
            return FoundTitle(facts_of(stored), stored)
        known = known_title(title)
        return None if known is None else FoundTitle(known)

    async def ensure_stored(self, store: Store, title: TitleId, now: float) -> Stored:
        """Returns the title as it is stored, from its first use on; refused where nobody knows it.

        The source is asked again after a while, and what it tells then is kept.
        """
        stored = await load_or_revive(store, title)
        if stored is not None and not self.may_know_better(stored, now):
            return stored
        facts = await self._tell(title)
        if facts is not None:
            with unmarked():  # stored for everybody, whatever becomes of this request
                return await store_title(store, facts, now)
        if stored is None:
            raise no_such_title(title.content_type)
        return stored

    def may_know_better(self, stored: Stored, now: float) -> bool:
        """Whether the source is worth asking again; what comes along with us never changes."""
        return self._source.knows_services and is_stale(stored, now)

    async def search(
        self, text: str, kinds: Collection[ContentType] = BOTH, limit: int = 20
    ) -> list[TitleFacts]:
        """Titles that resemble a text, the likeliest first; those that are the very text lead."""
        sought = clean_line(text)[:MAX_TEXT]
        most = max(0, min(limit, MAX_FOUND))
        if not sought:
            return []
        films, shows = await asyncio.gather(
            self._search_films(sought, most if "MOVIE" in kinds else 0),
            self._search_shows(sought, most if "SHOW" in kinds else 0),
        )
        return _interleaved(sought, films, shows)[:most]

    async def with_imdb_id(self, imdb_id: str) -> TitleSearchResult:
        """Returns the title that has an id of IMDb's, if the source knows one."""
        return await self._source.with_imdb_id(imdb_id)

    async def called(self, title: str) -> TitleSearchResult:
        """Finds titles of this name, and perhaps others; the caller chooses among them."""
        sought = clean_line(title)[:MAX_TEXT]
        return await self._source.called(sought) if sought else TitleSearchResult([])

    async def close(self) -> None:
        """Lets go of the source."""
        await self._source.close()

    async def _tell(self, title: TitleId) -> TitleFacts | None:
        """Returns what the source knows of a title."""
        number = title.tmdb_id
        if number is None:
            return None
        if title.content_type == "MOVIE":
            return await self._source.film(number)
        return await self._source.show(number)

    async def _search_films(self, text: str, limit: int) -> Sequence[TitleFacts]:
        return await self._source.search(text, limit) if limit else []

    async def _search_shows(self, text: str, limit: int) -> Sequence[TitleFacts]:
        return await self._source.search_shows(text, limit) if limit else []


def no_such_title(content_type: ContentType) -> NotFound:
    """Returns the refusal for a title that nobody knows."""
    what = "film" if content_type == "MOVIE" else "show"
    return NotFound(f"This {what} does not exist.")


def _freshest(stored: Stored, facts: TitleFacts | None) -> TitleFacts:
    """What an administrator wrote counts before what a source tells, and that before what is kept.

    The built-in catalogue, which counts no votes, knows less than what was kept of TMDB's.
    """
    kept = facts_of(stored)
    if facts is None:
        return kept
    if stored.made_by is not None or facts.vote_count is None:
        return replace(kept, services=facts.services)
    return replace(facts, content_id=kept.content_id)


def _interleaved(
    text: str, films: Sequence[TitleFacts], shows: Sequence[TitleFacts]
) -> list[TitleFacts]:
    """Both in turn, since nothing says which is likelier; the very text before all others."""
    mixed = chain.from_iterable(zip_longest(films, shows))
    found = [one for one in mixed if one is not None]
    wanted = text.casefold()
    return sorted(found, key=lambda one: one.title.casefold() != wanted)
