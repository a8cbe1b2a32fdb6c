"""Removals: hangouts of a series that it no longer has."""

from __future__ import annotations

from msgspec.structs import replace

from commonroom.hangouts.service.pointers import edit_writes, pointer_refs
from commonroom.hangouts.tables import Hangout
from commonroom.moments import iso
from commonroom.store import Write, delete, equal


def removal_writes(hangout: Hangout, now: float, series_version: int, by: str) -> list[Write]:
    """Deletes what nobody but its maker has answered; people who did answer see it cancelled."""
    if hangout.cancelled_at is not None:
        return []
    people = hangout.going_count + hangout.interested_count + hangout.waiting_count
    if people + hangout.not_going_count > 1 or hangout.guest_count:
        after = replace(
            hangout, cancelled_at=iso(now), updated_at=iso(now), series_version=series_version
        )
        return edit_writes(hangout, after, by=by)[1]
    same = equal(version=hangout.version, answered_at=hangout.answered_at)
    return [delete(hangout, if_=same), *(delete(one) for one in pointer_refs(hangout))]
