"""Ties: settled by a run-off among the films in front, or by a draw."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from commonroom.errors import Conflict
from commonroom.movienight.rules.rounds import VotesMissing, front_runners
from commonroom.movienight.service import retry
from commonroom.movienight.service.household_context import HouseholdContext
from commonroom.movienight.service.rounds.attendance import count_proposals
from commonroom.movienight.service.rounds.conditions import (
    check_state,
    is_in_state,
    is_unchanged,
    steering_check,
    take_step,
)
from commonroom.movienight.service.rounds.picks import write_pick
from commonroom.movienight.service.rounds.queries import FilmWithVotes, RoundDetails, load_round
from commonroom.movienight.tables import Pick, Vote
from commonroom.store import Write, delete


@retry
async def draw(ctx: HouseholdContext, round_id: str) -> Pick:
    """Picks one of the tied films by chance."""
    details = await load_round(ctx, round_id)
    tied = _tied_films(ctx, details)
    as_it_is = is_in_state("voting") & is_unchanged(details.round)
    return await write_pick(ctx, details.round, secrets.choice(tied).film, as_it_is)


async def run_off(ctx: HouseholdContext, round_id: str) -> None:
    """Lets everybody vote once more, on the tied films alone.

    Two writes, because one takes no more than a hundred operations: the other films go with their
    votes, then the votes on the tied ones. In between it is that tie among fewer films.
    """
    await _drop_others(ctx, round_id)
    await _ask_again(ctx, round_id)


@retry
async def _drop_others(ctx: HouseholdContext, round_id: str) -> None:
    details = await load_round(ctx, round_id)
    tied = _tied_films(ctx, details)
    others = [one for one in details.films if one not in tied]
    if others:
        gone = [delete(one.film) for one in others]
        await take_step(
            ctx,
            details.round,
            "voting",
            steering_check(ctx, details.round),
            *gone,
            *_removals(round_id, others),
            films=[one.film.tmdb_movie_id for one in tied],
            proposals=count_proposals(one.film for one in tied),
        )


@retry
async def _ask_again(ctx: HouseholdContext, round_id: str) -> None:
    details = await load_round(ctx, round_id)
    _tied_films(ctx, details)
    await take_step(
        ctx,
        details.round,
        "voting",
        steering_check(ctx, details.round),
        *_removals(round_id, details.films),
        run_offs=details.round.run_offs + 1,
        voted_by=None,
    )


def _tied_films(ctx: HouseholdContext, details: RoundDetails) -> list[FilmWithVotes]:
    """Returns the films in front, where they are several and everybody has voted."""
    steering_check(ctx, details.round)
    check_state(details.round, "voting")
    if details.waiting_for:
        raise VotesMissing("Not everyone has voted yet.", missing=sorted(details.waiting_for))
    tied = {one.tmdb_movie_id for one in front_runners(details.results)}
    if len(tied) < 2:
        raise Conflict("This is not a tie: one film is ahead.")
    return [one for one in details.films if one.film.tmdb_movie_id in tied]


def _removals(round_id: str, films: Sequence[FilmWithVotes]) -> list[Write]:
    return [
        delete(Vote.at(round_id=round_id, tmdb_movie_id=one.film.tmdb_movie_id, member_id=member))
        for one in films
        for member in one.votes
    ]
