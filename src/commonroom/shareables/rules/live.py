"""What a page that is open listens for: a fingerprint that changes when what it shows does."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b
from typing import Any

import msgspec

from commonroom.moments import iso
from commonroom.shareables.rules.events import sees_counts, sees_names
from commonroom.shareables.rules.polls import is_over, sees_results
from commonroom.shareables.tables import Checklist, Event, Poll, Tick


def fingerprint(
    now: float,
    page: Checklist | Event | Poll,
    *,
    is_admin: bool,
    has_voted: bool = False,
    ticks: Mapping[str, Tick] | None = None,
) -> str:
    """The fingerprint for whoever sees this much of a page, and of a list the ticks on it.

    Of what they do not see it tells nothing, not even that it changed: how often a secret poll's
    fingerprint changes would be how many have voted.
    """
    left = _left(now, page, is_admin, has_voted)
    seen = [page.version, page.expires_at <= iso(now), *left, *([ticks] if ticks else [])]
    return blake2b(msgspec.json.encode(seen, order="sorted"), digest_size=8).hexdigest()


def _left(now: float, page: Checklist | Event | Poll, is_admin: bool, has_voted: bool) -> list[Any]:
    """What people left on a page without raising its version."""
    match page:
        case Checklist():
            return []  # its ticks stand apart
        case Event():
            return _answers(now, page, is_admin)
        case Poll():
            sees = sees_results(now, page, is_admin=is_admin, has_voted=has_voted)
            return [is_over(now, page), *([page.vote_count, page.tally] if sees else [])]


def _answers(now: float, event: Event, is_admin: bool) -> list[Any]:
    over = event.rsvp_deadline is not None and event.rsvp_deadline <= iso(now)
    if sees_names(event, is_admin=is_admin):
        return [over, event.rsvp_changes]
    if sees_counts(event, is_admin=is_admin):
        counts = event.going_count, event.maybe_count, event.not_going_count, event.guest_count
        return [over, *counts]
    return [over]
