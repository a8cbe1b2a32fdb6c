"""Saying that the film of a round was watched, and what takes that back."""

from __future__ import annotations

import asyncio
from typing import Any

from msgspec import Struct

from commonroom.errors import Conflict
from commonroom.moments import iso
from commonroom.movienight.rules.rounds import Liked, all_have_rated
from commonroom.movienight.service.films.pending import no_longer_pending, pending_for
from commonroom.movienight.service.films.wishing import remove_with_film, removed
from commonroom.movienight.service.retry import retry
from commonroom.movienight.service.rounds.company import present
from commonroom.movienight.service.rounds.earlier import pick_in, ratings_in
from commonroom.movienight.service.rounds.holding import (
    carry_out,
    check_state,
    here,
    in_state,
    unchanged,
)
from commonroom.movienight.service.rounds.reading import round_in
from commonroom.movienight.service.seats import Seat
from commonroom.movienight.tables import (
    EarlierWatch,
    PendingPick,
    Pick,
    Round,
    Suggestion,
    WatchedFilm,
    Wish,
)
from commonroom.store import Ref, Store, Write, create, equal, new, put, update

MOST_EARLIER = 20
"""How often a film can have been watched before and all of it be taken back."""


async def mark_round_watched(store: Store, now: float, seat: Seat, round_id: str) -> WatchedFilm:
    """The pick was watched: round, pick, watched films and wish list change together."""

    async def attempt() -> WatchedFilm:
        round_ = await round_in(store, seat, round_id)
        check_state(round_, "selected")
        pick, rated, there = await asyncio.gather(
            pick_in(store, round_), ratings_in(store, round_), present(store, round_)
        )
        if pick is None:
            raise Conflict("The pick was lost. Reopen the vote and pick another film.")
        kept = await _kept_of(store, pick)
        watched = _watched(now, seat, pick, kept)
        as_read = new if kept.earlier is None else equal(marked_at=kept.earlier.marked_at)
        await carry_out(
            store,
            seat,
            ("selected",),
            _moved_on(now, seat, round_, rated, everybody=all_have_rated(rated, there)),
            here(seat),
            update(pick.ref, watched=True, watched_at=iso(now)),
            put(watched, if_=as_read),
            *no_longer_pending(pick, kept.pending),
            *remove_with_film(now, seat, pick.tmdb_movie_id, kept.wish),
        )
        return watched

    return await retry(attempt)


async def back_to_pick(store: Store, now: float, seat: Seat, watched: WatchedFilm) -> list[Write]:
    """What takes the round of a watched film back to its pick; nothing where there was none."""
    if watched.round_id is None:
        return []
    round_ = await round_in(store, seat, watched.round_id)
    pick, rated = await asyncio.gather(pick_in(store, round_), ratings_in(store, round_))
    back = update(
        Round.at(round_id=round_.round_id),
        status="selected",
        watched_at=None,
        watched_by=None,
        rated=rated,
        rated_at=None,
        moved_by=seat.person.user_id,
        updated_at=iso(now),
        if_=in_state("watched", "rated") & unchanged(round_),
    )
    if pick is None:
        return [back]
    pending = pending_for(pick)
    waits = [] if await store.get(pending.ref) is not None else [create(pending)]
    return [back, update(pick.ref, watched=False, watched_at=None), *waits]


class _Kept(Struct, frozen=True):
    """All that is kept of a picked film."""

    film: Suggestion | None
    earlier: WatchedFilm | None
    pending: PendingPick | None
    wish: Wish | None


async def _kept_of(store: Store, pick: Pick) -> _Kept:
    """What is kept of a picked film: one request."""
    key = {"group_id": pick.group_id, "tmdb_movie_id": pick.tmdb_movie_id}
    refs: list[Ref[Any]] = [
        Suggestion.at(round_id=pick.round_id, tmdb_movie_id=pick.tmdb_movie_id),
        WatchedFilm.at(**key),
        PendingPick.at(**key),
        Wish.at(**key),
    ]
    return _Kept(*await store.batch_get(refs))


def _moved_on(
    now: float, seat: Seat, round_: Round, rated: dict[str, Liked], *, everybody: bool
) -> Write:
    """The round as watched, or as rated at once where nobody's rating is missing."""
    return update(
        Round.at(round_id=round_.round_id),
        status="rated" if everybody else "watched",
        watched_at=iso(now),
        watched_by=seat.member_id,
        rated=rated,
        rated_at=iso(now) if everybody else None,
        moved_by=seat.person.user_id,
        updated_at=iso(now),
        if_=in_state("selected") & unchanged(round_),
    )


def _watched(now: float, seat: Seat, pick: Pick, kept: _Kept) -> WatchedFilm:
    return WatchedFilm(
        group_id=pick.group_id,
        tmdb_movie_id=pick.tmdb_movie_id,
        title=pick.title,
        poster_path=pick.poster_path,
        year=None if kept.film is None else kept.film.year,
        genres=[] if kept.film is None else kept.film.genres,
        watched_at=iso(now),
        marked_by=seat.member_id,
        marked_at=iso(now),
        round_id=pick.round_id,
        wish=removed(kept.wish),
        earlier=[] if kept.earlier is None else _with_earlier(kept.earlier),
    )


def _with_earlier(film: WatchedFilm) -> list[EarlierWatch]:
    last = EarlierWatch(film.watched_at, film.marked_by, film.marked_at, film.round_id)
    return [*film.earlier, last][-MOST_EARLIER:]
