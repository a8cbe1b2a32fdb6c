"""One hangout as a calendar file, for those who may see it and for guests with its link."""

from __future__ import annotations

from commonroom.errors import NotFound
from commonroom.hangouts import addresses
from commonroom.hangouts.calendar_entry import entry_of
from commonroom.hangouts.request import GuestVisitor, Member
from commonroom.hangouts.service.access import open_hangout
from commonroom.hangouts.service.guests import see_as_guest
from commonroom.hangouts.tables import Hangout, Rsvp, RsvpStatus
from commonroom.http.access import Need
from commonroom.http.calendar_files import calendar_response, count_calendar_file
from commonroom.http.forms import Pages
from commonroom.http.request import Request
from commonroom.http.responses import Response

pages = Pages()


@pages.page(addresses.HANGOUT + addresses.CALENDAR_FILE, Need.SIGNED_IN)
async def hangout_file(request: Request, member: Member, hangout_id: str) -> Response[bytes]:
    """A hangout for a calendar: two requests."""
    count_calendar_file(request)
    mine = [Rsvp.at(hangout_id=hangout_id, user_id=member.user_id)]
    access = await open_hangout(request.context, hangout_id, also=mine)
    own = access.also[0]
    path = addresses.hangout(hangout_id)
    return await _file(request, access.hangout, path, None if own is None else own.status)


@pages.page(addresses.GUEST + addresses.CALENDAR_FILE, Need.ANYONE)
async def guest_file(request: Request, visitor: GuestVisitor, token: str) -> Response[bytes]:
    """Returns the calendar file for a visitor with the guest link: one request."""
    count_calendar_file(request)
    things = await see_as_guest(visitor)
    return await _file(request, things.hangout, addresses.guest(token), "GOING")


async def _file(
    request: Request, hangout: Hangout, path: str, answer: RsvpStatus | None
) -> Response[bytes]:
    if hangout.start_timestamp is None:
        raise NotFound("This hangout has no day yet.")
    entry = entry_of(hangout, answer, path)
    return await calendar_response(request, [entry], filename="hangout.ics")
