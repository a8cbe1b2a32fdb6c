"""Votes on the films of a round, and ratings of the one that was watched."""

from __future__ import annotations

from commonroom.moments import iso
from commonroom.movienight.rules.rounds import (
    PICKED,
    Liked,
    VotedFor,
    all_have_rated,
    attends,
    status_of,
)
from commonroom.movienight.service import retry
from commonroom.movienight.service.rounds.conditions import (
    attendance_refusal,
    check_state,
    is_attended_by,
    is_in_state,
    is_unchanged,
    member_check,
    round_at,
    write_step,
)
from commonroom.movienight.service.rounds.queries import get_ratings, get_round, present_attendees
from commonroom.movienight.service.seats import Seat
from commonroom.movienight.tables import Rating, Round, Suggestion, Vote
from commonroom.store import (
    ConditionFailed,
    Write,
    check,
    delete,
    equal,
    put,
    stored,
    update,
)


async def vote(seat: Seat, round_id: str, tmdb_movie_id: int, vote: VotedFor) -> None:
    """Votes on a film of a round, in place of an earlier vote: one write, nothing is read."""
    film = Suggestion.at(round_id=round_id, tmdb_movie_id=tmdb_movie_id)
    cast = Vote(
        round_id=round_id,
        tmdb_movie_id=tmdb_movie_id,
        member_id=seat.member_id,
        vote=vote,
        voted_at=iso(seat.now),
    )
    await _write_vote(seat, round_id, check(film, if_=stored), put(cast))


async def withdraw_vote(seat: Seat, round_id: str, tmdb_movie_id: int) -> None:
    """Takes a vote back, if there is one."""
    cast = Vote.at(round_id=round_id, tmdb_movie_id=tmdb_movie_id, member_id=seat.member_id)
    await _write_vote(seat, round_id, delete(cast))


async def _write_vote(seat: Seat, round_id: str, *writes: Write) -> None:
    touched = update(
        round_at(round_id),
        updated_at=iso(seat.now),
        if_=equal(group_id=seat.group_id) & is_in_state("voting") & is_attended_by(seat.member_id),
    )
    try:
        await write_step(seat, ("voting",), touched, member_check(seat), *writes)
    except ConditionFailed:
        raise attendance_refusal() from None


async def rate(seat: Seat, round_id: str, rating: Liked) -> None:
    """Rates the film of a round, in place of an earlier rating; the last one ends the round."""

    async def attempt() -> None:
        round_ = await get_round(seat, round_id)
        if not attends(seat.member_id, round_):
            raise attendance_refusal()
        check_state(round_, *PICKED)
        rated = await get_ratings(seat.store, round_) | {seat.member_id: rating}
        ends = status_of(round_) == "watched" and all_have_rated(
            rated, await present_attendees(seat.store, round_)
        )
        counted = update(
            Round.at(round_id=round_id),
            status="rated" if ends else status_of(round_),
            rated=rated,
            rated_at=iso(seat.now) if ends else round_.rated_at,
            updated_at=iso(seat.now),
            if_=is_in_state(*PICKED) & is_unchanged(round_),
        )
        given = Rating(
            round_id=round_id, member_id=seat.member_id, rating=rating, rated_at=iso(seat.now)
        )
        await write_step(seat, PICKED, counted, member_check(seat), put(given))

    await retry(attempt)
