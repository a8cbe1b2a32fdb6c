"""Watched films: saying that a film was watched, wherever that is said, and taking it back."""

from __future__ import annotations

from commonroom.catalog.film_source import FilmSource
from commonroom.errors import Conflict, Forbidden, NotFound
from commonroom.moments import iso
from commonroom.movienight.rules.rounds import UNDO_SECONDS, WATCHED
from commonroom.movienight.service.films.facts import already_watched, genre_names, known_film
from commonroom.movienight.service.films.pending import pending_round
from commonroom.movienight.service.films.wishing import (
    remove_with_film,
    removed,
    restore_with_film,
)
from commonroom.movienight.service.retry import retry
from commonroom.movienight.service.rounds.earlier import pick_in
from commonroom.movienight.service.rounds.holding import (
    as_creator,
    check_state,
    here,
    membership_refusal,
)
from commonroom.movienight.service.rounds.reading import round_in
from commonroom.movienight.service.rounds.watching import back_to_pick, mark_round_watched
from commonroom.movienight.service.seats import Seat
from commonroom.movienight.tables import Membership, PendingPick, WatchedFilm, Wish
from commonroom.store import (
    ConditionFailed,
    Store,
    Write,
    absent,
    check,
    create,
    delete,
    equal,
    new,
    put,
)


async def mark_watched(
    store: Store, now: float, films: FilmSource, seat: Seat, tmdb_movie_id: int
) -> WatchedFilm:
    """Says that the household has watched a film, which thereby leaves the wish list.

    Where a round has picked it, this is the same as saying so in that round.
    """

    async def attempt() -> WatchedFilm:
        round_id = await pending_round(store, seat.group_id, tmdb_movie_id)
        if round_id is not None:
            return await mark_round_watched(store, now, seat, round_id)
        return await _mark_directly(store, now, films, seat, tmdb_movie_id)

    return await retry(attempt)


async def _mark_directly(
    store: Store, now: float, films: FilmSource, seat: Seat, tmdb_movie_id: int
) -> WatchedFilm:
    film = await known_film(films, tmdb_movie_id)
    group_id = seat.group_id
    wish = await store.get(Wish.at(group_id=group_id, tmdb_movie_id=tmdb_movie_id))
    watched = WatchedFilm(
        group_id=group_id,
        tmdb_movie_id=tmdb_movie_id,
        title=film.title,
        poster_path=film.poster_path,
        year=film.year,
        genres=genre_names(film),
        watched_at=iso(now),
        marked_by=seat.member_id,
        marked_at=iso(now),
        wish=removed(wish),
    )
    try:
        await store.write(
            create(watched),
            here(seat),
            check(PendingPick.at(group_id=group_id, tmdb_movie_id=tmdb_movie_id), if_=new),
            *remove_with_film(now, seat, tmdb_movie_id, wish),
        )
    except ConditionFailed as failed:
        if failed.operation.entity_type is WatchedFilm:
            raise already_watched() from None
        if failed.operation.entity_type is Membership:
            raise membership_refusal(failed.entity) from None
        raise
    return watched


async def undo_watched(store: Store, now: float, seat: Seat, tmdb_movie_id: int) -> None:
    """Takes back within a day that a film was watched; whoever said so may, and the creator.

    Everything that followed goes back with it: its round to the pick, its wish to the list. What
    was said about the film stays, since a film can be rated from its pick on.
    """
    watched = await store.get(WatchedFilm.at(group_id=seat.group_id, tmdb_movie_id=tmdb_movie_id))
    if watched is None:
        raise _not_watched()
    by = _by_who_may(seat, watched)
    if not can_be_undone(watched, now):
        raise Conflict("This can only be undone within a day.")

    async def attempt() -> None:
        round_ = await back_to_pick(store, now, seat, watched)
        wish = await restore_with_film(store, now, seat, watched)
        try:
            await store.write(_as_before(watched), by, *round_, *wish)
        except ConditionFailed as failed:
            if failed.operation.entity_type is Membership:
                raise membership_refusal(failed.entity) from None
            if failed.operation.entity_type is WatchedFilm:
                raise (_not_watched() if failed.item is None else retry.conflict()) from None
            raise

    await retry(attempt)


async def undo_round_watched(store: Store, now: float, seat: Seat, round_id: str) -> None:
    """The same, said in a round: it is about the film that the round picked."""
    round_ = await round_in(store, seat, round_id)
    check_state(round_, *WATCHED)
    pick = await pick_in(store, round_)
    if pick is None:
        raise _not_watched()
    watched = await store.get(
        WatchedFilm.at(group_id=seat.group_id, tmdb_movie_id=pick.tmdb_movie_id)
    )
    if watched is not None and watched.round_id != round_id:
        raise Conflict("This film was watched again since. Undo that first.")
    await undo_watched(store, now, seat, pick.tmdb_movie_id)


def can_be_undone(watched: WatchedFilm, now: float) -> bool:
    """Whether it was marked not longer ago than a day."""
    return watched.marked_at >= iso(now - UNDO_SECONDS)


def _by_who_may(seat: Seat, watched: WatchedFilm) -> Write:
    if watched.marked_by == seat.member_id:
        return here(seat)
    if not seat.is_creator:
        raise Forbidden(
            "Only the person who marked this film and the household’s creator can undo that."
        )
    return as_creator(seat)


def _as_before(watched: WatchedFilm) -> Write:
    """The film as it was before it was watched: never, or when it was before."""
    same_round = (
        absent("round_id") if watched.round_id is None else equal(round_id=watched.round_id)
    )
    as_read = equal(marked_at=watched.marked_at) & same_round
    if not watched.earlier:
        return delete(watched, if_=as_read)
    *older, last = watched.earlier
    before = WatchedFilm(
        group_id=watched.group_id,
        tmdb_movie_id=watched.tmdb_movie_id,
        title=watched.title,
        poster_path=watched.poster_path,
        year=watched.year,
        genres=watched.genres,
        watched_at=last.watched_at,
        marked_by=last.marked_by,
        marked_at=last.marked_at,
        round_id=last.round_id,
        earlier=older,
    )
    return put(before, if_=as_read)


def _not_watched() -> NotFound:
    return NotFound("This film is not marked as watched.")
