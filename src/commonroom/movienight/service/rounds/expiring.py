"""Rounds that came to nothing: abandoned by somebody, or untouched for seven days."""

from __future__ import annotations

from commonroom.moments import iso
from commonroom.movienight.rules.rounds import OPEN, UNTOUCHED_DAYS, status_of, untouched_from
from commonroom.movienight.service.rounds.holding import (
    carry_out,
    check_state,
    in_state,
    steering,
    unchanged,
)
from commonroom.movienight.service.rounds.one_open import closed
from commonroom.movienight.service.rounds.reading import round_in
from commonroom.movienight.service.seats import Seat
from commonroom.movienight.tables import Round
from commonroom.store import ConditionFailed, Store, update


async def abandon(store: Store, now: float, seat: Seat, round_id: str) -> None:
    """Ends an open round without a film; whoever started it may, and the creator."""
    round_ = await round_in(store, seat, round_id)
    may = steering(seat, round_)
    check_state(round_, *OPEN)
    over = update(
        Round.at(round_id=round_id),
        status="expired",
        abandoned_by=seat.member_id,
        moved_by=seat.person.user_id,
        updated_at=iso(now),
        if_=in_state(*OPEN),
    )
    await carry_out(store, seat, OPEN, over, may, closed(now, seat.group_id, round_id))


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
        if_=in_state(*OPEN) & unchanged(round_),
    )
    try:
        await store.write(over, closed(now, round_.group_id, round_id))
    except ConditionFailed:
        return now + UNTOUCHED_DAYS * 86400  # somebody was there in this moment
    return None
