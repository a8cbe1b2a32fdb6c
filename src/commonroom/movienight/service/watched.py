"""Watched films: marking one, in a round or not, and undoing that."""

from __future__ import annotations

import asyncio
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict, replace

from commonroom.errors import CommonroomError, Conflict, Forbidden, NotFound
from commonroom.moments import iso
from commonroom.movienight.rules.households import listed_members
from commonroom.movienight.rules.rounds import WATCHED, all_have_rated, can_be_undone
from commonroom.movienight.service import retry
from commonroom.movienight.service.films import already_watched, genre_names, get_film
from commonroom.movienight.service.household_context import HouseholdContext
from commonroom.movienight.service.rounds.conditions import (
    check_state,
    creator_check,
    is_in_state,
    is_unchanged,
    member_check,
    membership_refusal,
    take_step,
    write_or_refuse,
)
from commonroom.movienight.service.rounds.picks import (
    find_pending_round,
    pending_pick_of,
    remove_pending_pick,
)
from commonroom.movienight.service.rounds.queries import (
    get_attendees,
    get_pick,
    get_ratings,
    get_round,
    present_attendees,
)
from commonroom.movienight.service.wishes import remove_watched_wish, removed_wish, restore_wish
from commonroom.movienight.tables import (
    EarlierWatch,
    HouseholdMembership,
    PendingPick,
    Pick,
    Round,
    Suggestion,
    WatchedFilm,
    Wish,
)
from commonroom.store import (
    Ref,
    Store,
    Write,
    absent,
    check,
    create,
    delete,
    equal,
    new,
    put,
    update,
)
from commonroom.titles.films import FilmSource


@retry
async def mark_watched(ctx: HouseholdContext, films: FilmSource, tmdb_movie_id: int) -> WatchedFilm:
    """Says that the household has watched a film, which thereby leaves the wish list.

    Where a round has picked it, this equals saying so in that round.
    """
    round_id = await find_pending_round(ctx.store, ctx.group_id, tmdb_movie_id)
    if round_id is not None:
        return await mark_round_watched(ctx, round_id)
    return await _mark_directly(ctx, films, tmdb_movie_id)


async def _mark_directly(
    ctx: HouseholdContext, films: FilmSource, tmdb_movie_id: int
) -> WatchedFilm:
    film = await get_film(films, tmdb_movie_id)
    group_id = ctx.group_id
    wish = await ctx.store.get(Wish.at(group_id=group_id, tmdb_movie_id=tmdb_movie_id))
    watched = WatchedFilm(
        group_id=group_id,
        tmdb_movie_id=tmdb_movie_id,
        title=film.title,
        poster_path=film.poster_path,
        year=film.year,
        genres=genre_names(film),
        watched_at=iso(ctx.now),
        marked_by=ctx.member_id,
        marked_at=iso(ctx.now),
        attendees=listed_members(ctx.group),
        wish=removed_wish(wish),
    )
    await write_or_refuse(
        ctx,
        create(watched),
        member_check(ctx),
        check(PendingPick.at(group_id=group_id, tmdb_movie_id=tmdb_movie_id), if_=new),
        *remove_watched_wish(ctx, tmdb_movie_id, wish),
        refuse={WatchedFilm: already_watched, HouseholdMembership: membership_refusal},
    )
    return watched


async def undo_watched(ctx: HouseholdContext, tmdb_movie_id: int) -> None:
    """Takes back within a day that a film was watched; the person who said so and the creator may.

    Everything that followed goes back with it: its round to the pick, its wish to the list. What
    was said about the film stays, since a film can be rated from its pick on.
    """
    watched = await ctx.store.get(
        WatchedFilm.at(group_id=ctx.group_id, tmdb_movie_id=tmdb_movie_id)
    )
    if watched is None:
        raise _not_watched()
    by = _undo_check(ctx, watched)
    if not can_be_undone(watched, ctx.now):
        raise Conflict("This can only be undone within a day.")

    @retry
    async def attempt() -> None:
        round_ = await revert_round(ctx, watched)
        wish = await restore_wish(ctx, watched)
        await write_or_refuse(
            ctx,
            _restore_previous(watched),
            by,
            *round_,
            *wish,
            refuse={HouseholdMembership: membership_refusal, WatchedFilm: _changed_meanwhile},
        )

    await attempt()


async def undo_round_watched(ctx: HouseholdContext, round_id: str) -> None:
    """Takes it back in a round: it is about the film that the round picked."""
    round_ = await get_round(ctx, round_id)
    check_state(round_, *WATCHED)
    pick = await get_pick(ctx.store, round_)
    if pick is None:
        raise _not_watched()
    watched = await ctx.store.get(
        WatchedFilm.at(group_id=ctx.group_id, tmdb_movie_id=pick.tmdb_movie_id)
    )
    if watched is not None and watched.round_id != round_id:
        raise Conflict("This film was watched again since. Undo that first.")
    await undo_watched(ctx, pick.tmdb_movie_id)


def _undo_check(ctx: HouseholdContext, watched: WatchedFilm) -> Write:
    if watched.marked_by == ctx.member_id:
        return member_check(ctx)
    if not ctx.is_creator:
        raise Forbidden(
            "Only the person who marked this film and the household’s creator can undo that."
        )
    return creator_check(ctx)


def _restore_previous(watched: WatchedFilm) -> Write:
    """Returns the film as it was before it was watched: never, or when it was before."""
    same_round = (
        absent("round_id") if watched.round_id is None else equal(round_id=watched.round_id)
    )
    as_read = equal(marked_at=watched.marked_at) & same_round
    if not watched.earlier:
        return delete(watched, if_=as_read)
    *older, last = watched.earlier
    before = replace(watched, **asdict(last), wish=None, earlier=older)
    return put(before, if_=as_read)


def _changed_meanwhile(watched: WatchedFilm | None) -> CommonroomError:
    return _not_watched() if watched is None else retry.conflict()


def _not_watched() -> NotFound:
    return NotFound("This film is not marked as watched.")


MAX_EARLIER = 20
"""How often a film can have been watched before and all of it be taken back."""


@retry
async def mark_round_watched(ctx: HouseholdContext, round_id: str) -> WatchedFilm:
    """Returns the pick was watched: round, pick, watched films and wish list change together."""
    round_ = await get_round(ctx, round_id)
    check_state(round_, "selected")
    pick, rated, there = await asyncio.gather(
        get_pick(ctx.store, round_),
        get_ratings(ctx.store, round_),
        present_attendees(ctx.store, round_),
    )
    if pick is None:
        raise Conflict("The pick was lost. Reopen the vote and pick another film.")
    kept = await _load_related(ctx.store, pick)
    attendees = [one for one in await get_attendees(ctx.store, round_) if one in there]
    watched = _watched_film(ctx, pick, kept, attendees)
    as_read = new if kept.earlier is None else equal(marked_at=kept.earlier.marked_at)
    # Where nobody's rating is missing, the round is over at once.
    is_over = all_have_rated(rated, there)
    await take_step(
        ctx,
        round_,
        "selected",
        member_check(ctx),
        update(pick.ref, watched=True, watched_at=iso(ctx.now)),
        put(watched, if_=as_read),
        *remove_pending_pick(pick, kept.pending),
        *remove_watched_wish(ctx, pick.tmdb_movie_id, kept.wish),
        status="rated" if is_over else "watched",
        watched_at=iso(ctx.now),
        watched_by=ctx.member_id,
        rated=rated,
        rated_at=iso(ctx.now) if is_over else None,
    )
    return watched


async def revert_round(ctx: HouseholdContext, watched: WatchedFilm) -> list[Write]:
    """What takes the round of a watched film back to its pick; nothing where there was none."""
    if watched.round_id is None:
        return []
    round_ = await get_round(ctx, watched.round_id)
    pick, rated = await asyncio.gather(get_pick(ctx.store, round_), get_ratings(ctx.store, round_))
    back = update(
        Round.at(round_id=round_.round_id),
        status="selected",
        watched_at=None,
        watched_by=None,
        rated=rated,
        rated_at=None,
        moved_by=ctx.person.user_id,
        updated_at=iso(ctx.now),
        if_=is_in_state("watched", "rated") & is_unchanged(round_),
    )
    if pick is None:
        return [back]
    pending = pending_pick_of(pick)
    waits = [] if await ctx.store.get(pending.ref) is not None else [create(pending)]
    return [back, update(pick.ref, watched=False, watched_at=None), *waits]


class _PickedFilm(Struct, frozen=True):
    """All that is kept of a picked film."""

    film: Suggestion | None
    earlier: WatchedFilm | None
    pending: PendingPick | None
    wish: Wish | None


async def _load_related(store: Store, pick: Pick) -> _PickedFilm:
    """Returns what is kept of a picked film: one request."""
    key = {"group_id": pick.group_id, "tmdb_movie_id": pick.tmdb_movie_id}
    refs: list[Ref[Any]] = [
        Suggestion.at(round_id=pick.round_id, tmdb_movie_id=pick.tmdb_movie_id),
        WatchedFilm.at(**key),
        PendingPick.at(**key),
        Wish.at(**key),
    ]
    return _PickedFilm(*await store.batch_get(refs))


def _watched_film(
    ctx: HouseholdContext, pick: Pick, kept: _PickedFilm, attendees: list[str]
) -> WatchedFilm:
    return WatchedFilm(
        group_id=pick.group_id,
        tmdb_movie_id=pick.tmdb_movie_id,
        title=pick.title,
        poster_path=pick.poster_path,
        year=None if kept.film is None else kept.film.year,
        genres=[] if kept.film is None else kept.film.genres,
        watched_at=iso(ctx.now),
        marked_by=ctx.member_id,
        marked_at=iso(ctx.now),
        round_id=pick.round_id,
        attendees=attendees,
        wish=removed_wish(kept.wish),
        earlier=[] if kept.earlier is None else _with_earlier(kept.earlier),
    )


def _with_earlier(film: WatchedFilm) -> list[EarlierWatch]:
    last = EarlierWatch(
        film.watched_at, film.marked_by, film.marked_at, film.round_id, film.attendees
    )
    return [*film.earlier, last][-MAX_EARLIER:]
