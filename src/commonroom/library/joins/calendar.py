"""The library in calendars: the days on which something lent or borrowed should be back."""

from __future__ import annotations

from datetime import date, datetime, time
from zoneinfo import ZoneInfo

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.http.calendars import CalendarEntry
from commonroom.http.words import _
from commonroom.library.consumers.loans import LOANS_PAGE
from commonroom.library.service.loans import Borrowed, borrowed_by_me, lent_by_me
from commonroom.library.tables import Book, Video
from commonroom.store import Store

MAX_LOANS = 200
"""Of what is lent, the earliest due first; of what is borrowed."""
DAY = 24 * 3600


async def calendar_entries(store: Store, person: User, now: float) -> list[CalendarEntry]:
    """Returns what is due, and what should have been back: three requests."""
    ctx = Context(store, person, now)
    lent, borrowed = await store.gather(
        lent_by_me(ctx, limit=MAX_LOANS), borrowed_by_me(ctx, limit=MAX_LOANS)
    )
    owned = [
        _entry(person, one.item, _("%(title)s back from %(name)s"), one.item.lent_to)
        for one in lent.items
        if one.item.due_date is not None
    ]
    others = [
        _entry(person, one, _("Return %(title)s to %(name)s"), one.owner_name)
        for one in borrowed.items
        if one.due_date is not None
    ]
    return [*owned, *others]


def _entry(
    person: User, loan: Book | Video | Borrowed, words: str, name: str | None
) -> CalendarEntry:
    """Returns the day on which a loan is due; it takes nobody's time."""
    zone = person.time_zone or "UTC"
    day = date.fromisoformat(loan.due_date or "")
    start = int(datetime.combine(day, time(), ZoneInfo(zone)).timestamp())
    return CalendarEntry(
        uid=f"loan-{loan.item_id}-{loan.lent_at or ''}@commonroom",
        version=loan.version,
        changed_at=loan.updated_at or loan.lent_at or "1970-01-01T00:00:00.000Z",
        title=words % {"title": loan.title, "name": name or _("someone")},
        start=start,
        end=start + DAY // 2,
        zone=zone,
        whole_days=True,
        path=LOANS_PAGE,
        takes_time=False,
    )
