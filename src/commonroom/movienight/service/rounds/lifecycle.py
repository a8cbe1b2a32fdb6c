"""The life of a round: drafted, shuffled, voted on, abandoned or expired."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import uuid4

from commonroom.errors import Conflict, Refusal
from commonroom.moments import iso
from commonroom.movienight.rules.rounds import OPEN, UNTOUCHED_DAYS, status_of, untouched_from
from commonroom.movienight.service import retry
from commonroom.movienight.service.household_context import FilmsFrom, HouseholdContext
from commonroom.movienight.service.rounds.attendance import choose_attendees, find_attendees
from commonroom.movienight.service.rounds.conditions import (
    check_state,
    clear_open_round,
    household_refusal,
    is_in_state,
    is_unchanged,
    membership_refusal,
    set_open_round,
    steering_check,
    take_step,
    write_step,
)
from commonroom.movienight.service.rounds.queries import get_round
from commonroom.movienight.service.suggestions import replace_shortlist, shortlist
from commonroom.movienight.tables import (
    Household,
    HouseholdMembership,
    Round,
    suggestions_of_round,
)
from commonroom.store import (
    ConditionFailed,
    Store,
    check,
    create,
    stored,
    update,
)
from commonroom.titles.films import FilmSource


async def create_round(
    ctx: HouseholdContext,
    films: FilmSource,
    *,
    attendees: Sequence[str] | None = None,
    wishes: bool = False,
    films_from: FilmsFrom | None = None,
) -> Round:
    """Creates a draft with a shortlist, in a household that has no open round."""
    if ctx.group.open_round_id is not None:
        raise household_refusal(ctx.group)
    chosen = await choose_attendees(ctx, attendees)
    round_id = str(uuid4())
    found = await shortlist(
        ctx, films, chosen, round_id=round_id, wishes=wishes, films_from=films_from
    )
    watching = [one.member.user_id for one in chosen]
    round_ = Round(
        round_id=round_id,
        group_id=ctx.group_id,
        started_by=ctx.member_id,
        attendees=watching,
        created_at=iso(ctx.now),
        relaxed_constraints=found.relaxed,
        updated_at=iso(ctx.now),
        moved_by=ctx.person.user_id,
        votes_are_open=ctx.group.votes_are_open,
        shown=found.shown,
        films_from=films_from,
        films=[one.tmdb_movie_id for one in found.films],
    )
    # Everybody who takes part is still here when this is written, and so is its starter.
    ids = dict.fromkeys([ctx.member_id, *watching])
    members = [HouseholdMembership.at(group_id=ctx.group_id, user_id=one) for one in ids]
    try:
        await ctx.store.write(
            set_open_round(ctx.now, ctx.group_id, round_id),
            *(check(member, if_=stored) for member in members),
            create(round_),
            *map(create, found.films),
        )
    except ConditionFailed as failed:
        raise _create_refusal(failed, ctx) from None
    return round_


async def shuffle(ctx: HouseholdContext, films: FilmSource, round_id: str) -> None:
    """Another shortlist for a draft: what it has not shown yet, as long as there is any."""
    round_ = await get_round(ctx, round_id)
    may = steering_check(ctx, round_)
    check_state(round_, "draft")
    last = (await ctx.store.page(suggestions_of_round(round_id=round_id))).items
    watching = await find_attendees(ctx, round_.attendees)
    if not watching:
        raise Conflict("No one who was going to watch is in the household any more.")
    suggested = [one.tmdb_movie_id for one in last if not one.from_wish_list]
    found = await shortlist(
        ctx,
        films,
        watching,
        round_id=round_id,
        without=suggested,
        # Drafts of earlier versions did not keep what they had shown.
        shown=round_.shown or suggested,
        wishes=any(one.from_wish_list for one in last),
        films_from=round_.films_from,
    )
    try:
        await write_step(ctx, ("draft",), *replace_shortlist(ctx, round_, last, found), may)
    except ConditionFailed:
        raise retry.conflict() from None


async def start_voting(ctx: HouseholdContext, round_id: str) -> None:
    """From the draft to the vote."""
    round_ = await get_round(ctx, round_id)
    await take_step(
        ctx,
        round_,
        "draft",
        steering_check(ctx, round_),
        if_=is_in_state("draft"),
        status="voting",
        voting_started_at=iso(ctx.now),
        shown=[],  # nobody shuffles from here on, and every vote rewrites the round
    )


def _create_refusal(failed: ConditionFailed, ctx: HouseholdContext) -> Refusal:
    if failed.operation.entity_type is Household:
        return household_refusal(failed.entity)
    own = HouseholdMembership.at(group_id=ctx.group_id, user_id=ctx.member_id)
    if failed.operation.operation.key == own.key:
        return membership_refusal(None)
    return Conflict("Someone who was going to watch has just left. Please try again.")


async def abandon(ctx: HouseholdContext, round_id: str) -> None:
    """Ends an open round without a film; the person who started it and the creator may."""
    round_ = await get_round(ctx, round_id)
    may = steering_check(ctx, round_)
    check_state(round_, *OPEN)
    over = update(
        Round.at(round_id=round_id),
        status="expired",
        abandoned_by=ctx.member_id,
        moved_by=ctx.person.user_id,
        updated_at=iso(ctx.now),
        if_=is_in_state(*OPEN),
    )
    await write_step(ctx, OPEN, over, may, clear_open_round(ctx.now, ctx.group_id, round_id))


async def expire_untouched(store: Store, now: float, round_id: str) -> float | None:
    """Ends a round if its time has come; says when to look again, None where there is no need."""
    round_ = await store.get(Round.at(round_id=round_id))
    if round_ is None or status_of(round_) not in OPEN:
        return None
    due = untouched_from(round_)
    if now < due:
        return due
    over = update(
        Round.at(round_id=round_id),
        status="expired",
        updated_at=iso(now),
        if_=is_in_state(*OPEN) & is_unchanged(round_),
    )
    try:
        await store.write(over, clear_open_round(now, round_.group_id, round_id))
    except ConditionFailed:
        return now + UNTOUCHED_DAYS * 86400  # a member acted in this moment
    return None
