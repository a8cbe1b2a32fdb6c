"""Saying that the film of a round was watched."""

from __future__ import annotations

import asyncio

from commonroom.moments import iso
from commonroom.movienight.errors import Conflict
from commonroom.movienight.rules.rounds import Liked, all_have_rated
from commonroom.movienight.service.again import again
from commonroom.movienight.service.films.wishing import without_wish
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
from commonroom.movienight.tables import Pick, Round, Suggestion, WatchedFilm
from commonroom.store import Store, Write, put, update


async def mark_round_watched(store: Store, now: float, seat: Seat, round_id: str) -> None:
    """The pick was watched: round, pick, watched films and wish list change together."""

    async def attempt() -> None:
        round_ = await round_in(store, seat, round_id)
        check_state(round_, "selected")
        pick, rated, there = await asyncio.gather(
            pick_in(store, round_), ratings_in(store, round_), present(store, round_)
        )
        if pick is None:
            raise Conflict("This round has lost its pick. Open it again and pick another film.")
        watched, unwished = await asyncio.gather(
            _watched(store, now, seat, pick),
            without_wish(store, now, seat, pick.tmdb_movie_id),
        )
        await carry_out(
            store,
            seat,
            ("selected",),
            _moved_on(now, round_, rated, everybody=all_have_rated(rated, there)),
            here(seat),
            update(pick.ref, watched=True, watched_at=iso(now)),
            put(watched),
            *unwished,
        )

    await again(attempt)


def _moved_on(now: float, round_: Round, rated: dict[str, Liked], *, everybody: bool) -> Write:
    """The round as watched, or as rated at once where nobody's rating is missing."""
    return update(
        Round.at(round_id=round_.round_id),
        status="rated" if everybody else "watched",
        watched_at=iso(now),
        rated=rated,
        rated_at=iso(now) if everybody else None,
        updated_at=iso(now),
        if_=in_state("selected") & unchanged(round_),
    )


async def _watched(store: Store, now: float, seat: Seat, pick: Pick) -> WatchedFilm:
    film = await store.get(Suggestion.at(round_id=pick.round_id, tmdb_movie_id=pick.tmdb_movie_id))
    return WatchedFilm(
        group_id=seat.group_id,
        tmdb_movie_id=pick.tmdb_movie_id,
        title=pick.title,
        poster_path=pick.poster_path,
        year=None if film is None else film.year,
        watched_at=iso(now),
        marked_by=seat.member_id,
        marked_at=iso(now),
        round_id=pick.round_id,
    )
