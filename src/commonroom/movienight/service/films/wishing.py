"""The wish list of a household."""

from __future__ import annotations

from commonroom.catalog.source import FilmSource
from commonroom.moments import iso
from commonroom.movienight.errors import Conflict, MovieNightError, NotHere, NotYours
from commonroom.movienight.service.films.facts import already_watched, genre_names, known_film
from commonroom.movienight.service.rounds.holding import as_creator, here, membership_refusal
from commonroom.movienight.service.seats import Seat
from commonroom.movienight.tables import Group, Membership, WatchedFilm, Wish, wishes_of_group
from commonroom.store import (
    Condition,
    ConditionFailed,
    Store,
    Write,
    absent,
    add,
    below,
    check,
    create,
    delete,
    equal,
    new,
    stored,
    update,
)

MOST_WISHES = 50


async def wishes(store: Store, seat: Seat) -> list[Wish]:
    """What the household wishes for, the newest first: one request."""
    return await wishes_in(store, seat.group_id)


async def wishes_in(store: Store, group_id: str) -> list[Wish]:
    """The wish list of a household, the newest first: one request."""
    found = (await store.page(wishes_of_group(group_id=group_id), limit=MOST_WISHES)).items
    return sorted(found, key=lambda wish: (wish.added_at, wish.tmdb_movie_id), reverse=True)


async def add_wish(
    store: Store, now: float, films: FilmSource, seat: Seat, tmdb_movie_id: int
) -> Wish:
    """Puts a film on the wish list."""
    film = await known_film(films, tmdb_movie_id)
    wish = Wish(
        group_id=seat.group_id,
        tmdb_movie_id=tmdb_movie_id,
        title=film.title,
        poster_path=film.poster_path,
        year=film.year,
        genres=genre_names(film),
        content_rating=film.certification,
        added_by=seat.member_id,
        added_at=iso(now),
    )
    room_left = below(wish_count=MOST_WISHES) | absent("wish_count")
    try:
        await store.write(
            create(wish),
            check(WatchedFilm.at(group_id=seat.group_id, tmdb_movie_id=tmdb_movie_id), if_=new),
            _counted(now, seat, 1, if_=room_left),
            here(seat),
        )
    except ConditionFailed as failed:
        raise _not_added(failed) from None
    return wish


async def remove_wish(store: Store, now: float, seat: Seat, tmdb_movie_id: int) -> None:
    """Takes a film off the wish list; whoever put it there may, and the creator."""
    wish = await store.get(Wish.at(group_id=seat.group_id, tmdb_movie_id=tmdb_movie_id))
    if wish is None:
        raise _not_wished()
    own = wish.added_by == seat.member_id
    if not own and not seat.is_creator:
        raise NotYours("Only whoever wished for this film and the creator can remove it.")
    try:
        await store.write(
            delete(wish, if_=equal(added_by=wish.added_by)),
            _counted(now, seat, -1),
            here(seat) if own else as_creator(seat),
        )
    except ConditionFailed as failed:
        if failed.operation.entity_type is Membership:
            raise membership_refusal(failed.entity) from None
        raise _not_wished() from None


async def without_wish(store: Store, now: float, seat: Seat, tmdb_movie_id: int) -> list[Write]:
    """What takes a film off the wish list when it is watched; one request to see if it is there.

    The writes fail where that changes meanwhile: then is the time to ask again.
    """
    wish = Wish.at(group_id=seat.group_id, tmdb_movie_id=tmdb_movie_id)
    if await store.get(wish) is None:
        return [check(wish, if_=new)]
    return [delete(wish, if_=stored), _counted(now, seat, -1)]


def _counted(now: float, seat: Seat, more: int, *, if_: Condition | None = None) -> Write:
    group = Group.at(group_id=seat.group_id)
    return update(group, wish_count=add(more), updated_at=iso(now), if_=if_)


def _not_wished() -> NotHere:
    return NotHere("This film is not on the wish list.")


def _not_added(failed: ConditionFailed) -> MovieNightError:
    kind = failed.operation.entity_type
    if kind is Wish:
        return Conflict("This film is on the wish list already.")
    if kind is WatchedFilm:
        return already_watched()
    if kind is Membership:
        return membership_refusal(failed.entity)
    if failed.item is None:
        return NotHere("This household was deleted.")
    return Conflict(f"The wish list is full: it holds {MOST_WISHES} films. Remove one first.")
