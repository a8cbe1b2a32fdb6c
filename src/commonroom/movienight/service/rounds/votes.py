"""Votes on the films of a round, films proposed meanwhile, and ratings of the one watched."""

from __future__ import annotations

import asyncio

from commonroom.errors import Conflict, Forbidden, NotFound
from commonroom.moments import iso
from commonroom.movienight.rules.preferences import passes, taste_of
from commonroom.movienight.rules.rounds import (
    MAX_PROPOSALS,
    MAX_PROPOSALS_EACH,
    PICKED,
    Liked,
    VotedFor,
    all_have_rated,
    attends,
    proposals_left,
    status_of,
)
from commonroom.movienight.service import retry
from commonroom.movienight.service.films import already_watched, get_film
from commonroom.movienight.service.household_context import HouseholdContext
from commonroom.movienight.service.rounds.attendance import find_attendees
from commonroom.movienight.service.rounds.conditions import (
    attendance_refusal,
    check_state,
    creator_check,
    has_same_attendees,
    is_attended_by,
    is_in_state,
    is_unchanged,
    member_check,
    round_at,
    write_step,
)
from commonroom.movienight.service.rounds.queries import (
    get_ratings,
    get_round,
    get_votes,
    present_attendees,
)
from commonroom.movienight.service.suggestions import PROPOSED, suggestion
from commonroom.movienight.tables import (
    Round,
    RoundRating,
    Suggestion,
    Vote,
    WatchedFilm,
    suggestions_of_round,
)
from commonroom.store import (
    Condition,
    ConditionFailed,
    Write,
    absent,
    check,
    create,
    delete,
    equal,
    new,
    put,
    stored,
    update,
)
from commonroom.titles.films import FilmSource


async def vote(ctx: HouseholdContext, round_id: str, tmdb_movie_id: int, vote: VotedFor) -> None:
    """Votes on a film of a round, in place of an earlier vote: one write, nothing is read."""
    film = Suggestion.at(round_id=round_id, tmdb_movie_id=tmdb_movie_id)
    cast = Vote(
        round_id=round_id,
        tmdb_movie_id=tmdb_movie_id,
        member_id=ctx.member_id,
        vote=vote,
        voted_at=iso(ctx.now),
    )
    writes = check(film, if_=stored), put(cast)
    await _write_vote(ctx, round_id, *writes, voted_by=ctx.member_id)


async def withdraw_vote(ctx: HouseholdContext, round_id: str, tmdb_movie_id: int) -> None:
    """Takes a vote back, if there is one."""
    cast = Vote.at(round_id=round_id, tmdb_movie_id=tmdb_movie_id, member_id=ctx.member_id)
    await _write_vote(ctx, round_id, delete(cast), voted_by=None)


async def _write_vote(
    ctx: HouseholdContext, round_id: str, *writes: Write, voted_by: str | None
) -> None:
    touched = update(
        round_at(round_id),
        updated_at=iso(ctx.now),
        voted_by=voted_by,
        if_=equal(group_id=ctx.group_id) & is_in_state("voting") & is_attended_by(ctx.member_id),
    )
    try:
        await write_step(ctx, ("voting",), touched, member_check(ctx), *writes)
    except ConditionFailed:
        raise attendance_refusal() from None


@retry
async def rate(ctx: HouseholdContext, round_id: str, rating: Liked) -> None:
    """Rates the film of a round, in place of an earlier rating; the last one ends the round."""
    round_ = await get_round(ctx, round_id)
    if not attends(ctx.member_id, round_):
        raise attendance_refusal()
    check_state(round_, *PICKED)
    rated = await get_ratings(ctx.store, round_) | {ctx.member_id: rating}
    ends = status_of(round_) == "watched" and all_have_rated(
        rated, await present_attendees(ctx.store, round_)
    )
    counted = update(
        Round.at(round_id=round_id),
        status="rated" if ends else status_of(round_),
        rated=rated,
        rated_at=iso(ctx.now) if ends else round_.rated_at,
        updated_at=iso(ctx.now),
        if_=is_in_state(*PICKED) & is_unchanged(round_),
    )
    given = RoundRating(
        round_id=round_id, member_id=ctx.member_id, rating=rating, rated_at=iso(ctx.now)
    )
    await write_step(ctx, PICKED, counted, member_check(ctx), put(given))


@retry
async def propose(
    ctx: HouseholdContext, films: FilmSource, round_id: str, tmdb_movie_id: int
) -> None:
    """Adds a film to a round, if all who take part may see it and the household has not."""
    round_ = await get_round(ctx, round_id)
    _check_may_propose(ctx, round_)
    film = await get_film(films, tmdb_movie_id)
    there, watching = await asyncio.gather(
        ctx.store.page(suggestions_of_round(round_id=round_id)),
        find_attendees(ctx, round_.attendees),
    )
    if not passes(film.certification, taste_of(watching).ceiling):
        raise Conflict("This film’s rating is too high for someone who is watching.")
    place = max((one.position for one in there.items), default=0) + 1
    own = round_.proposals.get(ctx.member_id, 0)
    counted = update(
        Round.at(round_id=round_id),
        films=[*(one.tmdb_movie_id for one in there.items), tmdb_movie_id],
        proposals=round_.proposals | {ctx.member_id: own + 1},
        updated_at=iso(ctx.now),
        if_=is_in_state("voting") & _no_other_proposal(round_) & has_same_attendees(round_),
    )
    await write_step(
        ctx,
        ("voting",),
        counted,
        member_check(ctx),
        check(WatchedFilm.at(group_id=ctx.group_id, tmdb_movie_id=tmdb_movie_id), if_=new),
        create(suggestion(round_id, place, film, [PROPOSED], proposed_by=ctx.member_id)),
        refuse={WatchedFilm: already_watched},
    )


@retry
async def withdraw_proposal(ctx: HouseholdContext, round_id: str, tmdb_movie_id: int) -> None:
    """Takes a proposed film out of a round with its votes; its proposer may, and the creator."""
    round_ = await get_round(ctx, round_id)
    check_state(round_, "voting")
    film = await ctx.store.get(Suggestion.at(round_id=round_id, tmdb_movie_id=tmdb_movie_id))
    if film is None or film.proposed_by is None:
        raise NotFound("No one proposed this film.")
    if film.proposed_by != ctx.member_id and not ctx.is_creator:
        raise Forbidden(
            "Only the person who proposed this film and the household’s creator can remove it."
        )
    # A vote in this moment changes the round, and this is tried again: none is left over.
    votes = await get_votes(ctx.store, round_id)
    uncounted = update(
        Round.at(round_id=round_id),
        films=[one for one in round_.films if one != tmdb_movie_id],
        proposals=_one_less(round_.proposals, film.proposed_by),
        updated_at=iso(ctx.now),
        if_=is_in_state("voting") & is_unchanged(round_),
    )
    await write_step(
        ctx,
        ("voting",),
        uncounted,
        member_check(ctx) if film.proposed_by == ctx.member_id else creator_check(ctx),
        delete(film),
        *(delete(one) for one in votes if one.tmdb_movie_id == tmdb_movie_id),
    )


def _check_may_propose(ctx: HouseholdContext, round_: Round) -> None:
    if not attends(ctx.member_id, round_):
        raise attendance_refusal()
    check_state(round_, "voting")
    if not proposals_left(ctx.member_id, round_):
        raise Conflict(
            f"Each person can propose up to {MAX_PROPOSALS_EACH} films, and everyone "
            f"together up to {MAX_PROPOSALS}."
        )


def _no_other_proposal(round_: Round) -> Condition:
    """That nobody proposed anything since; unlike the version, votes leave this alone."""
    as_read = equal(proposals=round_.proposals)
    return as_read if round_.proposals else as_read | absent("proposals")


def _one_less(proposals: dict[str, int], member_id: str) -> dict[str, int]:
    left = proposals | {member_id: proposals.get(member_id, 0) - 1}
    return {member: number for member, number in left.items() if number > 0}
