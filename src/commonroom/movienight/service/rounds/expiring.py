"""Rounds that came to nothing: untouched for seven days, they are over."""

from __future__ import annotations

from commonroom.moments import iso
from commonroom.movienight.errors import Conflict, NotYours
from commonroom.movienight.rules.rounds import OPEN, UNTOUCHED_DAYS, status_of, untouched_from
from commonroom.movienight.service.again import too_late
from commonroom.movienight.service.rounds.holding import (
    as_creator,
    carry_out,
    check_state,
    in_state,
    unchanged,
)
from commonroom.movienight.service.rounds.one_open import closed
from commonroom.movienight.service.rounds.reading import round_in
from commonroom.movienight.service.seats import Seat
from commonroom.movienight.tables import Round
from commonroom.store import ConditionFailed, Store, Write, update


async def expire(store: Store, now: float, seat: Seat, round_id: str) -> None:
    """Ends an open round in which nothing happened for seven days; the creator may."""
    round_ = await round_in(store, seat, round_id)
    if not seat.is_creator:
        raise NotYours("Only the household’s creator can end a round that came to nothing.")
    check_state(round_, *OPEN)
    if now < untouched_from(round_):
        raise Conflict(f"Something happened in this round in the last {UNTOUCHED_DAYS} days.")
    try:
        await carry_out(store, seat, OPEN, *_expired(now, round_), as_creator(seat))
    except ConditionFailed:
        raise too_late() from None


async def expire_untouched(store: Store, now: float, round_id: str) -> float | None:
    """Ends a round if its time has come; says when to look again, None where there is no need."""
    round_ = await store.get(Round.at(round_id=round_id))
    if round_ is None or status_of(round_) not in OPEN:
        return None
    due = untouched_from(round_)
    if now < due:
        return due
    try:
        await store.write(*_expired(now, round_))
    except ConditionFailed:
        return now + UNTOUCHED_DAYS * 86400  # somebody was there in this moment
    return None


def _expired(now: float, round_: Round) -> tuple[Write, Write]:
    over = update(
        Round.at(round_id=round_.round_id),
        status="expired",
        updated_at=iso(now),
        if_=in_state(*OPEN) & unchanged(round_),
    )
    return over, closed(now, round_.group_id, round_.round_id)
