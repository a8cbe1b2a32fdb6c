"""Hangouts in a person's calendar."""

from __future__ import annotations

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.hangouts.calendar_entry import entry_of
from commonroom.hangouts.rules.times import DAY
from commonroom.hangouts.service.lists import since
from commonroom.http.calendars import CalendarEntry
from commonroom.store import Store

BACK = 30 * DAY
MAX_HANGOUTS = 998
"""Of a person's hangouts, the earliest first: as many as one request reads of a group."""


async def calendar_entries(store: Store, person: User, now: float) -> list[CalendarEntry]:
    """Returns what a person was invited to in the last thirty days, and all that comes up.

    What they have declined is not theirs any more; what they have not accepted takes no time.
    """
    found = await since(Context(store, person, now), int(now) - BACK, MAX_HANGOUTS)
    return [
        entry_of(one.row, None if one.rsvp is None else one.rsvp.status)
        for one in found
        if one.rsvp is None or one.rsvp.status != "NOT_GOING"
    ]
