"""Timelines: hangouts of one or several partitions by start, from any position, both ways.

Rows are in the order of start and id. An index gives those of one second in an order of its own,
so whole seconds are read: a page is right also where many start at once, and where some move or go
while a reader pages.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, NamedTuple, TypeAlias, TypeVar

from msgspec import Struct

from commonroom.hangouts.tables import (
    LAST_DAY,
    WITHOUT_DAY,
    AgendaEntry,
    HangoutPointer,
    InvitationPointer,
    agenda_between,
    floating_hangouts,
    floating_invitations,
    hangouts_after,
    hangouts_before,
    hangouts_between,
    invitations_after,
    invitations_before,
    invitations_between,
    long_hangouts,
    long_invitations,
)
from commonroom.store import BoundPattern, Pattern, Store
from commonroom.store.errors import BadCursor
from commonroom.store.store import MAX_PAGE

Row: TypeAlias = HangoutPointer | InvitationPointer
R = TypeVar("R", HangoutPointer | InvitationPointer, AgendaEntry)
"""What stands in a timeline: rows of lists, or entries of an agenda."""

MAX_PAGES = 10
"""Of one partition, where more than a page of hangouts starts in one second."""
MAX_LONG = 50
MAX_BETWEEN = 500
"""Of one partition, in one month and what goes on from the month before."""
NEWEST = "~"
"""After every id."""


class TimelinePosition(NamedTuple):
    """Between rows: after the one with this start and id."""

    start: int
    hangout_id: str


BEFORE_IDEAS = TimelinePosition(LAST_DAY, "")
"""In an agenda: behind all days, before what has none."""


class Partitions(Struct, frozen=True):
    """Whose hangouts: those of groups, and those in a person's own list."""

    group_ids: Sequence[str] = ()
    user_id: str | None = None

    def ask(
        self,
        in_group: Pattern[HangoutPointer],
        own: Pattern[InvitationPointer],
        **parameters: int | str,
    ) -> list[BoundPattern[Row]]:
        """Returns what is asked of each partition."""
        asked: list[BoundPattern[Row]] = [
            in_group(group_id=one, **parameters) for one in self.group_ids
        ]
        if self.user_id is not None:
            asked.append(own(user_id=self.user_id, **parameters))
        return asked


class TimelinePage(Struct, Generic[R], frozen=True):
    """Part of a timeline, in the order in which it was asked for."""

    rows: list[R]
    next: TimelinePosition | None
    """Where it goes on in the same direction; None at the end."""


async def read_after(
    store: Store, of: Partitions, position: TimelinePosition, limit: int
) -> TimelinePage[Row]:
    """Returns what comes after a position, the earliest first: one request for each partition."""
    asked = of.ask(hangouts_after, invitations_after, after=position.start - 1)
    return await _read(store, asked, position, limit, forward=True)


async def read_ideas(
    store: Store, user_id: str, position: TimelinePosition, limit: int
) -> TimelinePage[AgendaEntry]:
    """Returns what of a person's agenda has no day yet, the newest first: one request."""
    asked = agenda_between(user_id=user_id, earliest=position.start, latest=WITHOUT_DAY)
    return await _read(store, [asked], position, limit, forward=True)


async def read_before(
    store: Store, of: Partitions, position: TimelinePosition, limit: int
) -> TimelinePage[Row]:
    """Returns what comes before a position, the latest first: one request for each partition."""
    asked = of.ask(hangouts_before, invitations_before, before=position.start + 1)
    return await _read(store, asked, position, limit, forward=False)


async def _read(
    store: Store,
    asked: Sequence[BoundPattern[R]],
    position: TimelinePosition,
    limit: int,
    *,
    forward: bool,
) -> TimelinePage[R]:
    def is_beyond(one: R) -> bool:
        return position_of(one) > position if forward else position_of(one) < position

    parts = await store.gather_all(_read_part(store, one, limit, is_beyond) for one in asked)
    ends = [part.last_start for part in parts if part.has_more]
    # Of a partition that has more, what lies behind its last second is not known yet.
    horizon = min(ends, default=None) if forward else max(ends, default=None)
    sure: dict[str, R] = {}
    for one in (row for part in parts for row in part.rows):
        start = position_of(one).start
        is_near = horizon is None or (start < horizon if forward else start > horizon)
        if is_near and is_beyond(one):
            sure[one.hangout_id] = one
    rows = sorted(sure.values(), key=position_of, reverse=not forward)
    goes_on = len(rows) > limit or horizon is not None
    shown = rows[:limit]
    return TimelinePage(shown, position_of(shown[-1]) if shown and goes_on else None)


class _Part(Struct, Generic[R], frozen=True):
    """What was read of one partition; where it has more, so may its last second."""

    rows: list[R]
    has_more: bool

    @property
    def last_start(self) -> int:
        return self.rows[-1].start_timestamp or 0


async def _read_part(
    store: Store, asked: BoundPattern[R], limit: int, is_new: Callable[[R], bool]
) -> _Part[R]:
    """So many new rows in whole seconds: one request, and more where many start in one second."""
    # Of what is read, the first may be seen already, and the last may be in a second with more.
    page = await store.page(asked, limit=min(limit + 2, MAX_PAGE))
    rows = list(page.items)
    for _ in range(MAX_PAGES):
        if page.cursor is None or _sure_rows(rows, is_new) >= limit:
            break
        page = await store.page(asked, limit=MAX_PAGE, cursor=page.cursor)
        rows += page.items
    return _Part(rows, page.cursor is not None and bool(rows))


def _sure_rows(rows: Sequence[R], is_new: Callable[[R], bool]) -> int:
    """Returns how many new rows are in seconds that were read whole."""
    last = rows[-1].start_timestamp if rows else None
    return sum(is_new(one) and one.start_timestamp != last for one in rows)


def position_of(row: Row | AgendaEntry) -> TimelinePosition:
    """Returns the position of a row, from which a list goes on in either direction."""
    return TimelinePosition(row.start_timestamp or 0, row.hangout_id)


async def read_floating(store: Store, of: Partitions, before: str, limit: int) -> TimelinePage[Row]:
    """What has no day yet and was made before an id, the newest first: a request for each."""
    asked = of.ask(floating_hangouts, floating_invitations, before=before)
    pages = await store.gather_all(store.page(one, limit=limit + 1) for one in asked)
    # Of a partition that has more, what was made before its last row is not known yet.
    ends = [page.items[-1].hangout_id for page in pages if page.cursor is not None and page.items]
    horizon = max(ends, default="")
    rows = {
        one.hangout_id: one for page in pages for one in page.items if one.hangout_id >= horizon
    }
    ordered = sorted(rows.values(), key=lambda one: one.hangout_id, reverse=True)
    goes_on = len(ordered) > limit or bool(ends)
    shown = ordered[:limit]
    return TimelinePage(
        shown, TimelinePosition(0, shown[-1].hangout_id) if goes_on and shown else None
    )


async def read_long(store: Store, of: Partitions, after: int) -> list[Row]:
    """Returns what takes more than a day and ends after a moment: a request for each partition."""
    asked = of.ask(long_hangouts, long_invitations, after=after)
    pages = await store.gather_all(store.page(one, limit=MAX_LONG) for one in asked)
    return [one for page in pages for one in page.items]


async def read_between(store: Store, of: Partitions, earliest: int, latest: int) -> list[Row]:
    """Returns what starts between two moments, both included: a request for each partition.

    Where a partition has too many of them, the earliest are left out.
    """
    ends = {"earliest": earliest, "latest": latest}
    asked = of.ask(hangouts_between, invitations_between, **ends)
    pages = await store.gather_all(store.page(one, limit=MAX_BETWEEN) for one in asked)
    return [one for page in pages for one in page.items]


def seal(store: Store, of: Partitions, position: TimelinePosition | None) -> str | None:
    """Returns a position as a cursor, good for this list and no other; it goes both ways."""
    return None if position is None else store.seal_position(list(position), _query(of))


def unseal(store: Store, of: Partitions, cursor: str) -> TimelinePosition:
    """Returns the position in a cursor."""
    found = store.open_position(cursor, _query(of))
    match found:
        case [int(start), str(hangout_id)]:
            return TimelinePosition(start, hangout_id)
    raise BadCursor("This page link belongs to another list; start again from its beginning.")


def _query(of: Partitions) -> list[str]:
    """Returns what a cursor is bound to. A reader who joins a group goes on where they were."""
    whose = of.user_id if of.user_id is not None else of.group_ids[0]
    return ["hangouts by time", whose]
