"""Bring it along: what those who meet have of each other, for the caller."""

from __future__ import annotations

from itertools import chain

from commonroom.hangouts.rules.rsvps import COMING
from commonroom.hangouts.rules.times import phase
from commonroom.hangouts.service.detail import HangoutDetail
from commonroom.hangouts.tables import Rsvp
from commonroom.http.request import Request
from commonroom.joins.bring_along import BringAlongSource, ThingToBring
from commonroom.joins.rooms import open_offers


async def things_to_bring(request: Request, seen: HangoutDetail) -> list[ThingToBring]:
    """Returns what the reader and the others who come have of each other, until it is over.

    Nothing for a person who does not come, or acts for a child. What it takes, the rooms state.
    """
    one = seen.hangout
    is_over = phase(one.start_timestamp, one.end_timestamp, request.now) == "past"
    if request.caller.acting_as is not None or is_over or one.cancelled_at is not None:
        return []
    coming = {each.user_id for each in seen.things.of(Rsvp) if each.status in COMING}
    me = request.person.user_id
    if me not in coming or len(coming) == 1:
        return []
    sources = open_offers(request, BringAlongSource)
    found = await request.store.gather_all(one.things(request, coming - {me}) for one in sources)
    return list(chain.from_iterable(found))
