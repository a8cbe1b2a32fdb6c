"""Suggesting films to a company: what suits all of them, and what the household has not had."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Collection, Sequence

from msgspec import Struct

from commonroom.catalog.film_source import FilmSource
from commonroom.catalog.films import Film, FilmFilter
from commonroom.movienight.rules.ceilings import passes
from commonroom.movienight.rules.choosing import FEWEST, MOST, ranked, steps
from commonroom.movienight.rules.rounds import OPEN, status_of
from commonroom.movienight.rules.tastes import Attendee, Taste, check_enough_tastes, taste_of
from commonroom.movienight.tables import Group, WatchedFilm, rounds_of_group, votes_of_round
from commonroom.store import Store
from commonroom.store.store import LONGEST_PAGE

REMEMBERED_ROUNDS = 3
"""In how many rounds a film that most were against is not suggested again."""
DEEPEST = 3
"""How often to look further where a household has seen most of what there is."""


class Suggested(Struct, frozen=True):
    """Films for a company, the most suitable first, and what was given up to find so many."""

    films: list[Film]
    relaxed: list[str]
    taste: Taste
    began_anew: bool = False
    """Whether films come back, because all others have been shown."""


async def suggest(
    store: Store,
    films: FilmSource,
    group: Group,
    attendees: Sequence[Attendee],
    *,
    without: Collection[int] = (),
    shown: Collection[int] = (),
) -> Suggested:
    """The films that suit a company best; fewer than five only where no more can be found.

    Films that were shown come back only after everything else. Four requests for the last rounds,
    and one for each hundred films that are considered.
    """
    check_enough_tastes(attendees)
    taste, services = taste_of(attendees), group.streaming_services
    never = {*without, *await _voted_down(store, group.group_id)}
    looking = _Looking(store, films, group.group_id)
    found, relaxed = await looking.widely(taste, {*never, *shown})
    best = ranked(found, taste, services)[:MOST]
    if len(best) >= FEWEST or never.issuperset(shown):
        return Suggested(best, list(relaxed), taste)
    found, back_relaxed = await looking.widely(
        taste, {*never, *(one.tmdb_movie_id for one in best)}
    )
    back = ranked(found, taste, services)[: FEWEST - len(best) if best else MOST]
    return Suggested(
        [*best, *back], list(relaxed if best else back_relaxed), taste, began_anew=True
    )


class _Looking:
    """A search that remembers what it need not look at again."""

    def __init__(self, store: Store, films: FilmSource, group_id: str) -> None:
        self._seen: set[int] = set()
        self._store, self._films, self._group_id = store, films, group_id

    async def widely(
        self, taste: Taste, without: Collection[int]
    ) -> tuple[list[Film], tuple[str, ...]]:
        """Other films than these, in ever wider ways; and what was given up to find enough."""
        found: list[Film] = []
        relaxed: tuple[str, ...] = ()
        for step in steps(taste):
            found, relaxed = await self._fitting(step.wanted, taste, without), step.relaxed
            if len(found) >= FEWEST:
                break
        return found, relaxed

    async def _fitting(
        self, wanted: FilmFilter, taste: Taste, without: Collection[int]
    ) -> list[Film]:
        """Films of one way to look that may be shown and that the household has not watched."""
        fresh: list[Film] = []
        for _ in range(DEEPEST):
            left_out = frozenset(self._seen.union(without))
            found = await self._films.discover(wanted, left_out)
            # Whatever a source says: nothing over the ceiling goes on from here.
            allowed = [
                film
                for film in found
                if passes(film.certification, taste.ceiling) and film.tmdb_movie_id not in left_out
            ]
            watched = await self._watched(allowed)
            self._seen |= watched
            fresh = [film for film in allowed if film.tmdb_movie_id not in watched]
            if len(fresh) >= MOST or not watched:
                break
        return fresh

    async def _watched(self, films: Sequence[Film]) -> set[int]:
        refs = [
            WatchedFilm.at(group_id=self._group_id, tmdb_movie_id=film.tmdb_movie_id)
            for film in films
        ]
        return {one.tmdb_movie_id for one in await self._store.batch_get(refs) if one is not None}


async def _voted_down(store: Store, group_id: str) -> set[int]:
    """Films that ended with more against than for them in one of the last rounds."""
    # One more than needed, because the newest may be the draft that this is for.
    page = await store.page(rounds_of_group(group_id=group_id), limit=REMEMBERED_ROUNDS + 1)
    ended = [one for one in page.items if status_of(one) not in OPEN][:REMEMBERED_ROUNDS]
    pages = await asyncio.gather(
        *(store.page(votes_of_round(round_id=one.round_id), limit=LONGEST_PAGE) for one in ended)
    )
    down: set[int] = set()
    for votes in pages:
        net: Counter[int] = Counter()
        for vote in votes.items:
            net[vote.tmdb_movie_id] += 1 if vote.vote == "up" else -1
        down |= {film for film, balance in net.items() if balance < 0}
    return down
