"""Rating: how those who took part liked the film."""

from __future__ import annotations

from commonroom.moments import iso
from commonroom.movienight.rules.rounds import PICKED, Liked, all_have_rated, attends, status_of
from commonroom.movienight.service.retry import retry
from commonroom.movienight.service.rounds.company import present
from commonroom.movienight.service.rounds.earlier import ratings_in
from commonroom.movienight.service.rounds.holding import (
    carry_out,
    check_state,
    here,
    in_state,
    not_taking_part,
    unchanged,
)
from commonroom.movienight.service.rounds.reading import round_in
from commonroom.movienight.service.seats import Seat
from commonroom.movienight.tables import Rating, Round
from commonroom.store import Store, put, update


async def rate(store: Store, now: float, seat: Seat, round_id: str, rating: Liked) -> None:
    """Rates the film of a round, in place of an earlier rating; the last one ends the round."""

    async def attempt() -> None:
        round_ = await round_in(store, seat, round_id)
        if not attends(seat.member_id, round_):
            raise not_taking_part()
        check_state(round_, *PICKED)
        rated = await ratings_in(store, round_) | {seat.member_id: rating}
        ends = status_of(round_) == "watched" and all_have_rated(
            rated, await present(store, round_)
        )
        counted = update(
            Round.at(round_id=round_id),
            status="rated" if ends else status_of(round_),
            rated=rated,
            rated_at=iso(now) if ends else round_.rated_at,
            updated_at=iso(now),
            if_=in_state(*PICKED) & unchanged(round_),
        )
        given = Rating(
            round_id=round_id, member_id=seat.member_id, rating=rating, rated_at=iso(now)
        )
        await carry_out(store, seat, PICKED, counted, here(seat), put(given))

    await retry(attempt)
