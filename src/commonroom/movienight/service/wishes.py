"""The wish list of a household."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from commonroom.accounts.tables import User
from commonroom.errors import Conflict, Forbidden, NotFound, Refusal
from commonroom.moments import iso
from commonroom.movienight.service import retry
from commonroom.movienight.service.films import already_watched, genre_names, get_film
from commonroom.movienight.service.household_context import HouseholdContext, touch_household
from commonroom.movienight.service.rounds.conditions import (
    creator_check,
    member_check,
    membership_refusal,
    write_or_refuse,
)
from commonroom.movienight.tables import (
    Household,
    HouseholdMembership,
    RemovedWish,
    WatchedFilm,
    Wish,
    wishes_of_group,
)
from commonroom.movienight.tables.films import NOBODY
from commonroom.store import (
    Condition,
    Write,
    absent,
    add,
    at_most,
    below,
    check,
    create,
    delete,
    equal,
    new,
    stored,
    update,
)
from commonroom.titles.films import Film, FilmSource

MAX_WISHES = 50
MAX_AT_ONCE = 40
"""So many fit into one transaction, each with what must hold for it."""
MAX_CONSIDERED = 100
"""Of a list with more, those that come first."""


async def list_wishes(ctx: HouseholdContext) -> list[Wish]:
    """Returns what the household wishes for, the newest first: one request."""
    wished = wishes_of_group(group_id=ctx.group_id)
    found = (await ctx.store.page(wished, limit=MAX_WISHES)).items
    return sorted(found, key=lambda wish: (wish.added_at, wish.tmdb_movie_id), reverse=True)


async def add_wish(ctx: HouseholdContext, films: FilmSource, tmdb_movie_id: int) -> Wish:
    """Puts a film on the wish list."""
    wish = _wish_for(ctx, await get_film(films, tmdb_movie_id))
    await write_or_refuse(
        ctx,
        create(wish),
        check(WatchedFilm.at(group_id=ctx.group_id, tmdb_movie_id=tmdb_movie_id), if_=new),
        _count_wishes(ctx, 1, if_=_room_left()),
        member_check(ctx),
        refuse={
            Wish: lambda _: Conflict("This film is already on the wish list."),
            WatchedFilm: already_watched,
            HouseholdMembership: membership_refusal,
            Household: _no_room,
        },
    )
    return wish


async def add_wishes(
    ctx: HouseholdContext, films: FilmSource, tmdb_movie_ids: Sequence[int]
) -> tuple[int, int]:
    """Puts several films on the wish list, all of them or as many as fit: how many, and not.

    What is on it, was watched or is unknown by now does not count; three requests and a write for
    every forty.
    """
    added = 0
    for _ in range(-(-MAX_WISHES // MAX_AT_ONCE)):
        more, left = await _add_some(ctx, films, tmdb_movie_ids)
        added += more
        if not more or not left:
            break
    return added, left


@retry
async def _add_some(
    ctx: HouseholdContext, films: FilmSource, tmdb_movie_ids: Sequence[int]
) -> tuple[int, int]:
    """Adds as many as one transaction takes, and says how many are left."""
    there = {one.tmdb_movie_id for one in await list_wishes(ctx)}
    wanted = [one for one in dict.fromkeys(tmdb_movie_ids) if one not in there][:MAX_CONSIDERED]
    group_id = ctx.group_id
    refs = [WatchedFilm.at(group_id=group_id, tmdb_movie_id=one) for one in wanted]
    seen = await ctx.store.batch_get(refs) if refs else []
    fresh = [one for one, watched in zip(wanted, seen, strict=True) if watched is None]
    room = min(max(0, MAX_WISHES - len(there)), MAX_AT_ONCE)
    told = await asyncio.gather(*(films.film(one) for one in fresh[:room]))
    made = [_wish_for(ctx, film) for film in told if film is not None]
    left = len(fresh) - len(fresh[:room])
    if not made:
        return 0, left
    within = (at_most(wish_count=MAX_WISHES - len(made))) | absent("wish_count")
    unseen = (WatchedFilm.at(group_id=group_id, tmdb_movie_id=one.tmdb_movie_id) for one in made)
    # Where another writer was quicker, what is there is looked at again.
    await write_or_refuse(
        ctx,
        *map(create, made),
        *(check(one, if_=new) for one in unseen),
        _count_wishes(ctx, len(made), if_=within),
        member_check(ctx),
        refuse={HouseholdMembership: membership_refusal},
    )
    return len(made), left


async def remove_wish(ctx: HouseholdContext, tmdb_movie_id: int) -> None:
    """Takes a film off the wish list; the person who put it there and the creator may."""
    wish = await ctx.store.get(Wish.at(group_id=ctx.group_id, tmdb_movie_id=tmdb_movie_id))
    if wish is None:
        raise _not_wished()
    own = wish.added_by == ctx.member_id
    if not own and not ctx.is_creator:
        raise Forbidden(
            "Only the person who added this film and the household’s creator can remove it."
        )
    await write_or_refuse(
        ctx,
        delete(wish, if_=equal(added_by=wish.added_by)),
        _count_wishes(ctx, -1),
        member_check(ctx) if own else creator_check(ctx),
        refuse={
            HouseholdMembership: membership_refusal,
            Household: lambda _: _not_wished(),
            Wish: lambda _: _not_wished(),
        },
    )


def remove_watched_wish(
    ctx: HouseholdContext, tmdb_movie_id: int, wish: Wish | None
) -> list[Write]:
    """Returns what takes a watched film off the wish list, given the wish as it was read.

    The writes fail where that changes meanwhile: then is the time to ask again. The household is
    touched in any case, because its home shows what was watched.
    """
    if wish is None:
        absent_ = check(Wish.at(group_id=ctx.group_id, tmdb_movie_id=tmdb_movie_id), if_=new)
        return [absent_, touch_household(ctx)]
    as_read = equal(added_by=wish.added_by, added_at=wish.added_at)
    return [delete(wish, if_=as_read), _count_wishes(ctx, -1)]


async def restore_wish(ctx: HouseholdContext, watched: WatchedFilm) -> list[Write]:
    """Returns what puts a film back on the wish list that was on it, unless that is full by now."""
    group = await ctx.store.get(ctx.group.ref)
    if watched.wish is None or group is None or group.wish_count >= MAX_WISHES:
        return [touch_household(ctx)]
    adder = User.at(user_id=watched.wish.added_by)
    is_known = await ctx.store.get(adder) is not None
    wish = Wish(
        group_id=watched.group_id,
        tmdb_movie_id=watched.tmdb_movie_id,
        title=watched.title,
        poster_path=watched.poster_path,
        year=watched.year,
        genres=watched.wish.genres,
        content_rating=watched.wish.content_rating,
        added_by=watched.wish.added_by if is_known else NOBODY,
        added_at=watched.wish.added_at,
    )
    # Nothing comes back of an account that is deleted in this moment.
    still_known = [check(adder, if_=stored)] if is_known else []
    return [create(wish), _count_wishes(ctx, 1, if_=_room_left()), *still_known]


def removed_wish(wish: Wish | None) -> RemovedWish | None:
    """Returns what is kept of a wish whose film was watched."""
    if wish is None:
        return None
    return RemovedWish(wish.added_by, wish.added_at, wish.genres, wish.content_rating)


def _wish_for(ctx: HouseholdContext, film: Film) -> Wish:
    return Wish(
        group_id=ctx.group_id,
        tmdb_movie_id=film.tmdb_movie_id,
        title=film.title,
        poster_path=film.poster_path,
        year=film.year,
        genres=genre_names(film),
        content_rating=film.certification,
        added_by=ctx.member_id,
        added_at=iso(ctx.now),
    )


def _room_left() -> Condition:
    return below(wish_count=MAX_WISHES) | absent("wish_count")


def _count_wishes(ctx: HouseholdContext, more: int, *, if_: Condition | None = None) -> Write:
    group = Household.at(group_id=ctx.group_id)
    return update(group, wish_count=add(more), updated_at=iso(ctx.now), if_=if_)


def _not_wished() -> NotFound:
    return NotFound("This film is not on the wish list.")


def _no_room(group: Household | None) -> Refusal:
    if group is None:
        return NotFound("This household was deleted.")
    return Conflict(f"The wish list is full ({MAX_WISHES} films). Remove one first.")
