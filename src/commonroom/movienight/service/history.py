"""What the household did before: its rounds and the films it watched, the newest first."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from commonroom.accounts.tables import User
from commonroom.movienight.rules.rounds import (
    PICKED,
    RatingSummary,
    status_of,
    summarise,
    with_current_status,
)
from commonroom.movienight.service.rounds.queries import get_pick, get_ratings
from commonroom.movienight.tables import (
    Pick,
    Round,
    WatchedFilm,
    rounds_of_group,
    watched_history,
)
from commonroom.store import Page, Ref, Store

PAGE, MAX_PAGE = 20, 50


class PastRound(Struct, frozen=True):
    """A round of the history, however it ended."""

    round: Round
    pick: Pick | None
    ratings: RatingSummary


class PastRounds(Page[PastRound], frozen=True):
    """Some rounds of the history, and who took part in them where that was wanted."""

    people: dict[str, User | None]


class PastFilm(Struct, frozen=True):
    """A film that was watched, in a round or not."""

    watched: WatchedFilm
    ratings: RatingSummary


async def list_rounds(
    store: Store,
    group_id: str,
    *,
    limit: int = PAGE,
    cursor: str | None = None,
    with_people: bool = False,
) -> PastRounds:
    """Returns the rounds of the household, the newest first: two requests.

    Rounds of earlier versions need up to two more each, until something happens in them.
    """
    asked = rounds_of_group(group_id=group_id)
    page = await store.page(asked, limit=min(limit, MAX_PAGE), cursor=cursor)
    rounds = page.items
    named = [one for round_ in rounds for one in round_.attendees or ()] if with_people else []
    ids = list(dict.fromkeys(named))
    refs: list[Ref[Any]] = [Pick.at(pick_id=one.pick_id) for one in rounds if one.pick_id]
    found: list[Any] = await store.batch_get([*refs, *(User.at(user_id=one) for one in ids)])
    picks: list[Pick | None] = found[: len(refs)]
    if unnamed := [one for one in rounds if one.pick_id is None and status_of(one) in PICKED]:
        picks += await asyncio.gather(*(get_pick(store, one) for one in unnamed))
    picked = {one.round_id: one for one in picks if one is not None}
    past = [
        PastRound(
            with_current_status(one),
            picked.get(one.round_id),
            summarise(await get_ratings(store, one)),
        )
        for one in rounds
    ]
    return PastRounds(past, page.seal, dict(zip(ids, found[len(refs) :], strict=True)))


async def list_watched_films(
    store: Store, group_id: str, *, limit: int = PAGE, cursor: str | None = None
) -> Page[PastFilm]:
    """Returns all films that were watched, the last one first: two requests."""
    page = await store.page(
        watched_history(group_id=group_id), limit=min(limit, MAX_PAGE), cursor=cursor
    )
    rounds = await store.batch_get(round_refs(page.items))
    return Page(await join_rounds(store, page.items, rounds), page.seal)


def round_refs(watched: Sequence[WatchedFilm]) -> list[Ref[Round]]:
    """Returns where the rounds are in which films were watched."""
    return [Round.at(round_id=one.round_id) for one in watched if one.round_id is not None]


async def join_rounds(
    store: Store, watched: Sequence[WatchedFilm], rounds: Sequence[Round | None]
) -> list[PastFilm]:
    """Watched films, given what stands where `round_refs` says.

    Rounds that nothing happened in since an earlier version need a request each.
    """
    held = [one.tmdb_movie_id for one in watched if one.round_id is not None]
    known = dict(zip(held, rounds, strict=True))
    past = []
    for one in watched:
        round_ = known.get(one.tmdb_movie_id)
        rated = {} if round_ is None else await get_ratings(store, round_)
        past.append(PastFilm(one, summarise(rated)))
    return past
