"""Momentum: how far an idea has come on its way to a plan."""

from __future__ import annotations

from math import ceil, inf

from commonroom.hangouts.rules.times import DAY, HOUR
from commonroom.hangouts.tables import HangoutSummary, Momentum
from commonroom.moments import elapsed, seconds

RANK: dict[Momentum, int] = {"BUILDING": 0, "GAINING": 1, "CONFIRMED": 2}
GOING, INTERESTED, TIME, PLACE = 3, 1, 1, 1
LATELY = 48 * HOUR
SOON, THIS_WEEK = 48 * HOUR, 7 * DAY
SHARE = 0.24
"""Of the people it is for: so much of a score, and it is gaining."""
ENOUGH_GOING = 2
"""People who go themselves, each with an RSVP: whom one brings along makes nothing sure."""
QUIET_AFTER = 5 * DAY


def score(hangout: HangoutSummary, now: float) -> float:
    """Returns how much is behind it."""
    total = GOING * hangout.going_count + INTERESTED * hangout.interested_count
    total += TIME * (hangout.start_timestamp is not None) + PLACE * (hangout.place is not None)
    lately = 1.5 if _since_answered(hangout, now) <= LATELY else 1.0
    return total * lately * _nearness(hangout, now)


def _since_answered(hangout: HangoutSummary, now: float) -> float:
    """Returns how many seconds ago a person last answered: endlessly many where nobody has."""
    return inf if hangout.answered_at is None else elapsed(seconds(hangout.answered_at), now)


def _nearness(hangout: HangoutSummary, now: float) -> float:
    start, end = hangout.start_timestamp, hangout.end_timestamp
    if start is None or now >= (end or start):
        return 1.0
    if start - now <= SOON:
        return 1.5
    return 1.2 if start - now <= THIS_WEEK else 1.0


def gaining_from(audience: int) -> int:
    """Returns the score from which it is gaining."""
    return max(1, ceil(audience * SHARE))


def momentum(hangout: HangoutSummary, now: float) -> Momentum:
    """How far it has come: as stored, or further by what there is now; never back by itself."""
    if hangout.momentum == "CONFIRMED":
        return "CONFIRMED"
    return max(hangout.momentum, _reached(hangout, now), key=RANK.__getitem__)


def _reached(hangout: HangoutSummary, now: float) -> Momentum:
    is_planned = hangout.start_timestamp is not None and hangout.place is not None
    if is_planned and hangout.going_rsvps >= ENOUGH_GOING and hangout.held_back_at is None:
        return "CONFIRMED"
    is_shared = hangout.other_rsvps > 0
    has_enough = score(hangout, now) >= gaining_from(hangout.audience)
    return "GAINING" if is_shared and has_enough else "BUILDING"


def is_quiet(hangout: HangoutSummary, now: float) -> bool:
    """Returns whether a suggestion without a day has had no answer for days: it goes to the end."""
    if hangout.start_timestamp is not None or momentum(hangout, now) == "CONFIRMED":
        return False
    made = elapsed(seconds(hangout.created_at), now)
    return min(made, _since_answered(hangout, now)) > QUIET_AFTER
