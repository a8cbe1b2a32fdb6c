"""Timers as they are stored: what is due at a moment, and what failed too often."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from datetime import datetime
from hashlib import blake2b

import msgspec

from commonroom.moments import iso
from commonroom.store import Entity, Keys, Table, many

BUCKETS = 8
"""Every timer is written and looked for at the front of its bucket; one alone would run hot."""

timers = Table(
    "Timers", room="timers", partition="bucket", sort="place", discriminator="type", ttl="ttl"
)


def bucket(timer_id: str) -> str:
    """Returns the part of the table that a timer waits in."""
    return f"due#{zlib.crc32(timer_id.encode()) % BUCKETS}"


class Timer(Entity, table=timers, kind="TIMER"):
    """Something to be done at a moment; the key begins with it, so what is due comes first."""

    timer_id: str
    kind: str
    """Names the handler that does it."""
    about: dict[str, str]
    """What the handler needs to know."""
    due_at: str
    tries: int = 0
    """How often it was begun; it is counted before, so that what ends the process counts too."""
    set_at: str | None = None
    """When its moment was chosen, where that was so long after then: a clock that was ahead and has
    been set back since chose a moment that is far too late."""
    keys = Keys(bucket=bucket, place="{due_at:ms}#{timer_id}")

    @property
    def moment(self) -> float:
        """When it is due, in seconds since 1970."""
        return datetime.fromisoformat(self.due_at).timestamp()


class FailedTimer(Entity, table=timers, kind="GIVEN_UP"):
    """A timer whose handler failed too often: kept a while for `doctor` to show."""

    timer_id: str
    kind: str
    about: dict[str, str]
    due_at: str
    tries: int
    error: str
    given_up_at: str
    ttl: int
    keys = Keys(bucket="given-up", place="{given_up_at:ms}#{timer_id}")


waiting_timers = many(
    timers, "List what waits in a bucket, the earliest first", partition="{bucket}", gives=Timer
)
failed_timers = many(
    timers, "List the timers that were given up", newest_first=True, gives=FailedTimer
)


tables = [timers]


def timer(
    kind: str,
    at: float,
    about: Mapping[str, str],
    id: str | None = None,  # noqa: A002 - the word for it
    *,
    set_at: float | None = None,
) -> Timer:
    """Something to be done at a moment; `store.put` of it goes into the caller's own transaction.

    The same kind, `id` (or, without one, the same `about`) and moment are the same timer, so that
    writing it twice is harmless; deleting it takes it back while it waits for its moment.
    """
    same = msgspec.json.encode([kind, sorted(about.items()) if id is None else id])
    return Timer(
        timer_id=blake2b(same, digest_size=16).hexdigest(),
        kind=kind,
        about=dict(about),
        due_at=iso(at),
        set_at=None if set_at is None else iso(set_at),
    )
