"""Ties: settled by a run-off among the films in front, or by a draw."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Sequence
from typing import Any

from commonroom.errors import Conflict
from commonroom.moments import iso
from commonroom.movienight.rules.rounds import VotesMissing, front_runners
from commonroom.movienight.service import retry
from commonroom.movienight.service.household_context import HouseholdContext
from commonroom.movienight.service.rounds.conditions import (
    check_state,
    is_in_state,
    is_unchanged,
    steering_check,
    write_step,
)
from commonroom.movienight.service.rounds.picks import write_pick
from commonroom.movienight.service.rounds.queries import FilmWithVotes, RoundDetails, load_round
from commonroom.movienight.tables import Pick, Round, Vote
from commonroom.store import Write, delete, update


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
        proposed = Counter(one.film.proposed_by for one in tied)
        proposals = {member: number for member, number in proposed.items() if member is not None}
        gone = [delete(one.film) for one in others]
        changed = {"films": [one.film.tmdb_movie_id for one in tied], "proposals": proposals}
        await _write(ctx, details, changed, *gone, *_removals(round_id, others))


@retry
async def _ask_again(ctx: HouseholdContext, round_id: str) -> None:
    details = await load_round(ctx, round_id)
    _tied_films(ctx, details)
    changed = {"run_offs": details.round.run_offs + 1, "voted_by": None}
    await _write(ctx, details, changed, *_removals(round_id, details.films))


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


async def _write(
    ctx: HouseholdContext, details: RoundDetails, changed: dict[str, Any], *writes: Write
) -> None:
    stepped = update(
        Round.at(round_id=details.round.round_id),
        **changed,
        moved_by=ctx.person.user_id,
        updated_at=iso(ctx.now),
        if_=is_in_state("voting") & is_unchanged(details.round),
    )
    await write_step(ctx, ("voting",), stepped, steering_check(ctx, details.round), *writes)
