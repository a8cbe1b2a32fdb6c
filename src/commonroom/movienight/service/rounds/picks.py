"""Picks: the film of the evening, taking it back, and what was picked and not watched yet."""

from __future__ import annotations

import asyncio
from uuid import uuid4

from commonroom.moments import iso
from commonroom.movienight.rules.rounds import VotesMissing, status_of
from commonroom.movienight.service import retry
from commonroom.movienight.service.household_context import HouseholdContext
from commonroom.movienight.service.rounds.conditions import (
    check_state,
    clear_open_round,
    film_refusal,
    is_in_state,
    is_unchanged,
    set_open_round,
    steering_check,
    take_step,
)
from commonroom.movienight.service.rounds.queries import (
    get_pick,
    get_round,
    get_votes,
    present_attendees,
)
from commonroom.movienight.tables import (
    PendingPick,
    Pick,
    Round,
    Suggestion,
    pending_pick,
    ratings_of_round,
    watch_history,
)
from commonroom.store import (
    Condition,
    Store,
    Write,
    check,
    create,
    delete,
    equal,
    put,
    stored,
)

SEARCHED_PICKS = 50
"""How far back to look for a pick that was made before these were kept."""


async def find_pending_round(store: Store, group_id: str, tmdb_movie_id: int) -> str | None:
    """Returns the round that picked a film which nobody has watched: one request, or three."""
    found = await store.get(pending_pick(group_id=group_id, tmdb_movie_id=tmdb_movie_id))
    if found is not None:
        return found.round_id
    page = await store.page(watch_history(group_id=group_id), limit=SEARCHED_PICKS)
    picks = [one for one in page.items if one.tmdb_movie_id == tmdb_movie_id and not one.watched]
    rounds = await store.batch_get([Round.at(round_id=one.round_id) for one in picks])
    # The index only says where to look: what holds is in the rounds.
    pending = (
        round_.round_id
        for round_, pick in zip(rounds, picks, strict=True)
        if round_ is not None and _has_picked(round_, pick)
    )
    return next(pending, None)


def pending_pick_of(pick: Pick) -> PendingPick:
    """That a picked film is to be watched."""
    return PendingPick(
        group_id=pick.group_id, tmdb_movie_id=pick.tmdb_movie_id, round_id=pick.round_id
    )


def remove_pending_pick(pick: Pick, known: PendingPick | None) -> list[Write]:
    """That a picked film no longer waits, given what is known of it; another round's stays."""
    if known is None or known.round_id != pick.round_id:
        return []
    return [delete(known, if_=equal(round_id=pick.round_id))]


def _has_picked(round_: Round, pick: Pick) -> bool:
    return status_of(round_) == "selected" and round_.pick_id in (None, pick.pick_id)


@retry
async def pick(
    ctx: HouseholdContext,
    round_id: str,
    tmdb_movie_id: int,
    *,
    even_if_votes_are_missing: bool = True,
) -> Pick:
    """Returns the film of the evening: any of the round's, whatever the votes say."""
    round_ = await get_round(ctx, round_id)
    steering_check(ctx, round_)
    check_state(round_, "voting")
    film = await ctx.store.get(Suggestion.at(round_id=round_id, tmdb_movie_id=tmdb_movie_id))
    if film is None:
        raise film_refusal(None)
    as_it_is = is_in_state("voting")
    if not even_if_votes_are_missing:
        await _check_everybody_voted(ctx.store, round_)
        as_it_is &= is_unchanged(
            round_
        )  # a member who is added, or takes a vote back, is asked about
    return await write_pick(ctx, round_, film, as_it_is)


async def write_pick(
    ctx: HouseholdContext, round_: Round, film: Suggestion, as_it_is: Condition
) -> Pick:
    """Makes a film of a vote the evening's, where the round still is as a condition says."""
    chosen = Pick(
        pick_id=str(uuid4()),
        round_id=film.round_id,
        group_id=ctx.group_id,
        tmdb_movie_id=film.tmdb_movie_id,
        title=film.title,
        poster_path=film.poster_path,
        picked_by=ctx.member_id,
        picked_at=iso(ctx.now),
    )
    await take_step(
        ctx,
        round_,
        "voting",
        steering_check(ctx, round_),
        check(film, if_=stored),
        clear_open_round(ctx.now, ctx.group_id, round_.round_id),
        create(chosen),
        put(pending_pick_of(chosen)),
        if_=as_it_is,
        status="selected",
        selected_at=iso(ctx.now),
        pick_id=chosen.pick_id,
    )
    return chosen


async def _check_everybody_voted(store: Store, round_: Round) -> None:
    there, votes = await asyncio.gather(
        present_attendees(store, round_), get_votes(store, round_.round_id)
    )
    missing = there - {one.member_id for one in votes}
    if missing:
        raise VotesMissing(
            "Not everyone has voted yet. Confirm to pick a film anyway.",
            missing=sorted(missing),
        )


@retry
async def reopen(ctx: HouseholdContext, round_id: str) -> None:
    """Back to the vote: the pick goes, and with it what was already said about it."""
    round_ = await get_round(ctx, round_id)
    may = steering_check(ctx, round_)
    check_state(round_, "selected")
    # A rating in this moment changes the round, and this is tried again.
    picked, ratings = await asyncio.gather(
        get_pick(ctx.store, round_), ctx.store.page(ratings_of_round(round_id=round_id))
    )
    gone = [*ratings.items, *([] if picked is None else [picked])]
    no_pick: list[Write] = []
    if picked is not None:
        pending = await ctx.store.get(pending_pick_of(picked).ref)
        no_pick = remove_pending_pick(picked, pending)
    await take_step(
        ctx,
        round_,
        "selected",
        may,
        set_open_round(ctx.now, ctx.group_id, round_id),
        *map(delete, gone),
        *no_pick,
        status="voting",
        selected_at=None,
        pick_id=None,
        rated={},
    )
