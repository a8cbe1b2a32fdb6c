"""Films that were watched outside a round: marking them, and taking that back."""

from __future__ import annotations

from commonroom.catalog.source import FilmSource
from commonroom.moments import iso
from commonroom.movienight.errors import Conflict, NotHere, NotYours
from commonroom.movienight.service.again import again, too_late
from commonroom.movienight.service.films.facts import already_watched, known_film
from commonroom.movienight.service.films.wishing import without_wish
from commonroom.movienight.service.rounds.holding import as_creator, here, membership_refusal
from commonroom.movienight.service.seats import Seat
from commonroom.movienight.tables import Membership, WatchedFilm
from commonroom.store import ConditionFailed, Store, absent, create, delete, equal

UNDO_SECONDS = 24 * 3600


async def mark_watched(
    store: Store, now: float, films: FilmSource, seat: Seat, tmdb_movie_id: int
) -> WatchedFilm:
    """Says that the household has watched a film, which thereby leaves the wish list."""
    film = await known_film(films, tmdb_movie_id)
    watched = WatchedFilm(
        group_id=seat.group_id,
        tmdb_movie_id=tmdb_movie_id,
        title=film.title,
        poster_path=film.poster_path,
        year=film.year,
        watched_at=iso(now),
        marked_by=seat.member_id,
        marked_at=iso(now),
    )

    async def mark() -> WatchedFilm:
        unwished = await without_wish(store, now, seat, tmdb_movie_id)
        try:
            await store.write(create(watched), here(seat), *unwished)
        except ConditionFailed as failed:
            if failed.operation.entity_type is WatchedFilm:
                raise already_watched() from None
            if failed.operation.entity_type is Membership:
                raise membership_refusal(failed.entity) from None
            raise
        return watched

    return await again(mark)


async def undo_watched(store: Store, now: float, seat: Seat, tmdb_movie_id: int) -> None:
    """Takes back that a film was marked, within a day; whoever marked it may, and the creator."""
    watched = await store.get(WatchedFilm.at(group_id=seat.group_id, tmdb_movie_id=tmdb_movie_id))
    if watched is None:
        raise _not_watched()
    own = watched.marked_by == seat.member_id
    if not own and not seat.is_creator:
        raise NotYours("Only whoever marked this film and the creator can take that back.")
    if watched.round_id is not None:
        raise Conflict("This film was watched in a round, and stays so.")
    if not can_be_undone(watched, now):
        raise Conflict("This can be taken back within a day only.")
    try:
        await store.write(
            delete(watched, if_=equal(marked_at=watched.marked_at) & absent("round_id")),
            here(seat) if own else as_creator(seat),
        )
    except ConditionFailed as failed:
        if failed.operation.entity_type is Membership:
            raise membership_refusal(failed.entity) from None
        raise (_not_watched() if failed.item is None else too_late()) from None


def can_be_undone(watched: WatchedFilm, now: float) -> bool:
    """Whether it was marked outside a round, and not longer ago than a day."""
    return watched.round_id is None and watched.marked_at >= iso(now - UNDO_SECONDS)


def _not_watched() -> NotHere:
    return NotHere("This film is not marked as watched.")
