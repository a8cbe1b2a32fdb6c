"""Suggestions: the films of a shortlist, which suit all who watch and are new to the household."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from commonroom.accounts.tables import Ceiling
from commonroom.errors import Conflict
from commonroom.moments import iso
from commonroom.movienight.rules.preferences import (
    Attendee,
    Taste,
    check_enough_tastes,
    passes,
    taste_of,
)
from commonroom.movienight.rules.rounds import MAX_FROM_WISH_LIST, OPEN, status_of
from commonroom.movienight.rules.suggestions import (
    FEWEST,
    MAX_SUGGESTIONS,
    reasons,
    relaxations,
)
from commonroom.movienight.service.film_pools import (
    choose_from_lists,
    choose_from_pool,
    find_watched,
    rank_with_copies,
)
from commonroom.movienight.service.films import film_from_wish, genre_names
from commonroom.movienight.service.household_context import Copies, FilmsFrom, HouseholdContext
from commonroom.movienight.service.rounds.conditions import is_in_state, is_unchanged
from commonroom.movienight.service.rounds.queries import get_votes
from commonroom.movienight.service.wishes import list_wishes
from commonroom.movienight.tables import (
    Round,
    Suggestion,
    rounds_of_group,
)
from commonroom.store import Write, delete, put, update
from commonroom.titles.films import Film, FilmFilter, FilmSource

REMEMBERED_ROUNDS = 3
"""In how many rounds a film that most were against is not suggested again."""
DEEPEST = 3
"""How often to look further where a household has seen most of what there is."""
MAX_SHOWN = 600
"""How many films a draft remembers to have shown: more than the built-in catalogue has."""
NOTHING_SUITS: dict[FilmsFrom | None, str] = {
    None: "There are no other films that suit everyone.",
    "shelves": "No film on your shelves suits everyone who is watching.",
    "lists": "No film on your lists suits everyone who is watching.",
}
NOTHING_ELSE: dict[FilmsFrom | None, str] = {
    None: "There are no other films that suit everyone.",
    "shelves": "There are no other films on your shelves that suit everyone.",
    "lists": "There are no other films on your lists that suit everyone.",
}
WISHED, PROPOSED = "wished", "proposed"
"""Why a film is here that nobody suggested."""


class Suggested(Struct, frozen=True):
    """Films for those who watch, the most suitable first, and what was given up to find so many."""

    films: list[Film]
    relaxed: list[str]
    taste: Taste
    has_restarted: bool = False
    """Whether films come back, because all others have been shown."""
    copies: Copies = {}
    """Those that a person has on a shelf, and whether they are there."""
    lists: Mapping[int, str] = {}
    """The lists that name some of them."""


async def suggest(
    ctx: HouseholdContext,
    films: FilmSource,
    attendees: Sequence[Attendee],
    *,
    without: Collection[int] = (),
    shown: Collection[int] = (),
    films_from: FilmsFrom | None = None,
) -> Suggested:
    """The films that suit all who watch best; fewer than five only where no more can be found.

    Films that were shown come back only after everything else. Four requests for the last rounds,
    and one for each hundred films that are considered; those of shelves and lists come to that.
    """
    check_enough_tastes(attendees)
    taste = taste_of(attendees)
    never = {*without, *await _get_voted_down(ctx)}
    if films_from is not None:
        return await _suggest_from_pool(ctx, films, taste, films_from, never=never, shown=shown)
    listed = await choose_from_lists(ctx, films, taste, {*never, *shown})
    never.update(one.number for one in listed)
    search = _FilmSearch(ctx, films)
    most = MAX_SUGGESTIONS - len(listed)
    found, relaxed = await search.run(taste, {*never, *shown})
    copies = await ctx.sources.find_copies([*found, *(one.film for one in listed)])
    best = rank_with_copies(ctx, found, taste, copies)
    suggested = Suggested(
        [*best[:most], *(one.film for one in listed)],
        list(relaxed),
        taste,
        copies=copies,
        lists={one.number: one.list_id for one in listed if one.list_id is not None},
    )
    if len(suggested.films) >= FEWEST or never.issuperset(shown):
        return suggested
    here = suggested.films
    found, back_relaxed = await search.run(taste, {*never, *(one.tmdb_movie_id for one in here)})
    back_copies = await ctx.sources.find_copies(found)
    back = rank_with_copies(ctx, found, taste, back_copies)
    return replace(
        suggested,
        films=[*here, *back[: FEWEST - len(here) if here else MAX_SUGGESTIONS]],
        relaxed=list(relaxed if here else back_relaxed),
        has_restarted=True,
        copies={**copies, **back_copies},
    )


async def _suggest_from_pool(
    ctx: HouseholdContext,
    films: FilmSource,
    taste: Taste,
    films_from: FilmsFrom,
    *,
    never: Collection[int],
    shown: Collection[int],
) -> Suggested:
    """Films of shelves or lists alone, however few; nothing is given up to find more."""
    pool = await choose_from_pool(ctx, films, taste, {*never, *shown}, films_from)
    has_restarted = not pool.films and bool(shown)
    if has_restarted:
        pool = await choose_from_pool(ctx, films, taste, never, films_from)
    return Suggested(
        [one.film for one in pool.films],
        [],
        taste,
        has_restarted,
        copies=pool.copies,
        lists={one.number: one.list_id for one in pool.films if one.list_id is not None},
    )


class _FilmSearch:
    """A search that remembers what it need not look at again."""

    def __init__(self, ctx: HouseholdContext, films: FilmSource) -> None:
        self._watched: set[int] = set()
        self._context, self._films = ctx, films

    async def run(
        self, taste: Taste, without: Collection[int]
    ) -> tuple[list[Film], tuple[str, ...]]:
        """Other films than these, in ever wider ways; and what was given up to find enough."""
        found: list[Film] = []
        relaxed: tuple[str, ...] = ()
        for step in relaxations(taste):
            found, relaxed = await self._discover(step.wanted, taste, without), step.relaxed
            if len(found) >= FEWEST:
                break
        return found, relaxed

    async def _discover(
        self, wanted: FilmFilter, taste: Taste, without: Collection[int]
    ) -> list[Film]:
        """Films of one way to look that may be shown and that the household has not watched."""
        fresh: list[Film] = []
        for _ in range(DEEPEST):
            left_out = frozenset(self._watched.union(without))
            found = await self._films.discover(wanted, left_out)
            # Whatever a source says: nothing over the ceiling goes on from here.
            allowed = [
                film
                for film in found
                if passes(film.certification, taste.ceiling) and film.tmdb_movie_id not in left_out
            ]
            watched = await find_watched(self._context, [one.tmdb_movie_id for one in allowed])
            self._watched |= watched
            fresh = [film for film in allowed if film.tmdb_movie_id not in watched]
            if len(fresh) >= MAX_SUGGESTIONS or not watched:
                break
        return fresh


async def _get_voted_down(ctx: HouseholdContext) -> set[int]:
    """Films that ended with more against than for them in one of the last rounds."""
    # One more than needed, because the newest may be the draft that this is for.
    store = ctx.store
    page = await store.page(rounds_of_group(group_id=ctx.group_id), limit=REMEMBERED_ROUNDS + 1)
    ended = [one for one in page.items if status_of(one) not in OPEN][:REMEMBERED_ROUNDS]
    down: set[int] = set()
    for votes in await asyncio.gather(*(get_votes(store, one.round_id) for one in ended)):
        net: Counter[int] = Counter()
        for vote in votes:
            net[vote.tmdb_movie_id] += 1 if vote.vote == "up" else -1
        down |= {film for film, balance in net.items() if balance < 0}
    return down


class Shortlist(Struct, frozen=True):
    """The films of a round, and what was given up to find so many."""

    films: list[Suggestion]
    relaxed: list[str]
    shown: list[int]
    """What the draft has suggested by now, the latest last."""


async def shortlist(
    ctx: HouseholdContext,
    films: FilmSource,
    attendees: Sequence[Attendee],
    *,
    round_id: str,
    without: Collection[int] = (),
    shown: Sequence[int] = (),
    wishes: bool = False,
    films_from: FilmsFrom | None = None,
) -> Shortlist:
    """Films for those who watch; then, if wanted, the newest wishes that all may see."""
    wished: list[Film] = []
    if wishes and films_from is None:
        wished = await _choose_wishes(ctx, films, taste_of(attendees).ceiling)
    left_out = {*without, *(film.tmdb_movie_id for film in wished)}
    suggested = await suggest(
        ctx, films, attendees, without=left_out, shown=shown, films_from=films_from
    )
    chosen = [(film, _reasons(ctx, film, suggested)) for film in suggested.films]
    chosen += [(film, [WISHED]) for film in wished]
    if not chosen:
        raise Conflict((NOTHING_ELSE if shown else NOTHING_SUITS)[films_from])
    before = () if suggested.has_restarted else shown
    now_shown = [*before, *(film.tmdb_movie_id for film in suggested.films)]
    return Shortlist(
        [
            suggestion(round_id, position, film, why)
            for position, (film, why) in enumerate(chosen, start=1)
        ],
        suggested.relaxed,
        now_shown[-MAX_SHOWN:],
    )


def _reasons(ctx: HouseholdContext, film: Film, suggested: Suggested) -> list[str]:
    number = film.tmdb_movie_id
    return reasons(
        film,
        suggested.taste,
        ctx.group.streaming_services,
        is_at_hand=suggested.copies.get(number),
        list_id=suggested.lists.get(number),
    )


def suggestion(
    round_id: str, position: int, film: Film, why: list[str], *, proposed_by: str | None = None
) -> Suggestion:
    """Returns a film as it is kept in a round."""
    return Suggestion(
        round_id=round_id,
        tmdb_movie_id=film.tmdb_movie_id,
        position=position,
        title=film.title,
        poster_path=film.poster_path,
        year=film.year,
        genres=genre_names(film),
        content_rating=film.certification,
        reasons=why,
        proposed_by=proposed_by,
        from_wish_list=WISHED in why,
        popularity=film.popularity,
        vote_average=film.vote_average,
        runtime=film.runtime,
        overview=film.overview,
    )


async def _choose_wishes(ctx: HouseholdContext, films: FilmSource, ceiling: Ceiling) -> list[Film]:
    """The newest wishes under a ceiling, by what was known then and by what is known now."""
    fitting = [wish for wish in await list_wishes(ctx) if passes(wish.content_rating, ceiling)][
        :MAX_FROM_WISH_LIST
    ]
    told = await asyncio.gather(*(films.film(wish.tmdb_movie_id) for wish in fitting))
    found = [film or film_from_wish(wish) for film, wish in zip(told, fitting, strict=True)]
    return [film for film in found if passes(film.certification, ceiling)]


def replace_shortlist(
    ctx: HouseholdContext,
    round_: Round,
    last: Sequence[Suggestion],
    found: Shortlist,
    **changes: Any,
) -> list[Write]:
    """A draft with another shortlist in place of its last, and whatever else changes in it."""
    kept = {one.tmdb_movie_id for one in found.films}
    changed = update(
        Round.at(round_id=round_.round_id),
        relaxed_constraints=found.relaxed,
        shown=found.shown,
        films=[one.tmdb_movie_id for one in found.films],
        updated_at=iso(ctx.now),
        if_=is_in_state("draft") & is_unchanged(round_),
        **changes,
    )
    gone = [delete(one) for one in last if one.tmdb_movie_id not in kept]
    return [changed, *(put(one) for one in found.films), *gone]
