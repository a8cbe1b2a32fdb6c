"""Voting: thumbs up or down for each film, by those who take part."""

from __future__ import annotations

from commonroom.moments import iso
from commonroom.movienight.rules.rounds import VotedFor
from commonroom.movienight.service.rounds.holding import (
    attended_by,
    carry_out,
    here,
    in_state,
    not_taking_part,
    round_at,
)
from commonroom.movienight.service.seats import Seat
from commonroom.movienight.tables import Suggestion, Vote
from commonroom.store import (
    ConditionFailed,
    Store,
    Write,
    check,
    delete,
    equal,
    put,
    stored,
    update,
)


async def vote(  # noqa: PLR0917 - who, where, what: the order of everything here
    store: Store, now: float, seat: Seat, round_id: str, tmdb_movie_id: int, vote: VotedFor
) -> None:
    """Votes on a film of a round, in place of an earlier vote: one write, nothing is read."""
    film = Suggestion.at(round_id=round_id, tmdb_movie_id=tmdb_movie_id)
    cast = Vote(
        round_id=round_id,
        tmdb_movie_id=tmdb_movie_id,
        member_id=seat.member_id,
        vote=vote,
        voted_at=iso(now),
    )
    await _voting(store, now, seat, round_id, check(film, if_=stored), put(cast))


async def withdraw_vote(
    store: Store, now: float, seat: Seat, round_id: str, tmdb_movie_id: int
) -> None:
    """Takes a vote back, if there is one."""
    cast = Vote.at(round_id=round_id, tmdb_movie_id=tmdb_movie_id, member_id=seat.member_id)
    await _voting(store, now, seat, round_id, delete(cast))


async def _voting(store: Store, now: float, seat: Seat, round_id: str, *writes: Write) -> None:
    touched = update(
        round_at(round_id),
        updated_at=iso(now),
        if_=equal(group_id=seat.group_id) & in_state("voting") & attended_by(seat.member_id),
    )
    try:
        await carry_out(store, seat, ("voting",), touched, here(seat), *writes)
    except ConditionFailed:
        raise not_taking_part() from None
