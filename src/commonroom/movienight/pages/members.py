"""Who is in the household: children added and brought along, members changed and taken out."""

from __future__ import annotations

import asyncio
import time
from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath

from commonroom.accounts import rules
from commonroom.accounts.tables import User
from commonroom.errors import Forbidden, InvalidField, NotFound, Refusal
from commonroom.movienight.pages.asking import seat_in
from commonroom.movienight.pages.everybody import everybody
from commonroom.movienight.pages.households import HERE, ROOM
from commonroom.movienight.rules.households import MOST_MEMBERS, looks_after
from commonroom.movienight.service import members
from commonroom.movienight.service.members.listing import member_in
from commonroom.movienight.service.preferences import preferences_of
from commonroom.movienight.service.seats import Seat
from commonroom.web.access import Need, needs
from commonroom.web.forms import Filled, Form, Line, Sent, refused
from commonroom.web.people.pages.profiles import MemberForm, managed
from commonroom.web.redirects import redirect
from commonroom.web.render import render, render_refused
from commonroom.web.request import Request

ALL = f"{HERE}/members"
ONE = f"{ALL}/{{member_id:str}}"
BRING = f"{HERE}/bring-along"
TEMPLATE = "movienight/household.html"
MEMBER = "movienight/household_member.html"
FRESH = Filled({"avatar_key": rules.AVATARS[0], "ceiling": "PG"})


class BringForm(Form):
    """Somebody to bring along."""

    member_id: Line


@get(HERE, opt=needs(Need.SIGNED_IN))
async def household(request: Request) -> Response[Any]:
    """Everybody in the household."""
    if request.person.household_id is None:
        return redirect(ROOM)
    return render(request, TEMPLATE, **await _context(request, await seat_in(request), FRESH))


@get([ALL, BRING], opt=needs(Need.SIGNED_IN), sync_to_thread=False)
def back_to_household() -> Response[Any]:
    """For whoever opens the address of a form that was refused."""
    return redirect(HERE)


@post(ALL, opt=needs(Need.THEMSELVES), status_code=200)
async def add_child(request: Request, data: Sent[MemberForm]) -> Response[Any]:
    """Adds a managed member."""
    seat = await seat_in(request)
    try:
        await members.add_managed(
            request.store,
            time.time(),
            seat,
            display_name=data.display_name,
            avatar_key=data.avatar_key or None,
            ceiling=data.ceiling,
        )
    except NotFound:
        raise
    except Refusal as error:
        context = await _context(request, seat, refused(data, error))
        return render_refused(request, TEMPLATE, error, **context)
    return redirect(HERE, "member-added")


@post(BRING, opt=needs(Need.THEMSELVES), status_code=200)
async def bring_along(request: Request, data: Sent[BringForm]) -> Response[Any]:
    """Brings a managed member of one's own into the household."""
    seat = await seat_in(request)
    await members.bring_along(request.store, time.time(), seat, data.member_id)
    return redirect(HERE, "member-came")


@get(ONE, opt=needs(Need.THEMSELVES))
async def member_form(request: Request, member_id: FromPath[str]) -> Response[Any]:
    """A managed member, to be changed or taken out."""
    seat = await seat_in(request)
    member = await _looked_after(request, seat, member_id)
    return render(request, MEMBER, seat=seat, member=member, form=_as_stored(member))


@post(ONE, opt=needs(Need.THEMSELVES), status_code=200)
async def save_member(
    request: Request, member_id: FromPath[str], data: Sent[MemberForm]
) -> Response[Any]:
    """Changes one."""
    seat = await seat_in(request)
    member = await _looked_after(request, seat, member_id)
    try:
        await members.change_managed(
            request.store,
            time.time(),
            seat,
            member_id,
            display_name=data.display_name,
            avatar_key=data.avatar_key or None,
            ceiling=data.ceiling,
        )
    except InvalidField as error:
        form = refused(data, error)
        return render_refused(request, MEMBER, error, seat=seat, member=member, form=form)
    return redirect(HERE, "member-saved")


@post(f"{ONE}/remove", opt=needs(Need.THEMSELVES), status_code=200)
async def remove_member(request: Request, member_id: FromPath[str]) -> Response[Any]:
    """Takes somebody out of the household."""
    seat = await seat_in(request)
    await members.remove_member(request.store, time.time(), seat, member_id)
    return redirect(HERE, "member-out")


async def _looked_after(request: Request, seat: Seat, member_id: str) -> User:
    member = await member_in(request.store, seat.group_id, member_id)
    if not looks_after(seat.member_id, seat.group.created_by, member):
        raise Forbidden(
            "Only the person who manages this member, or the household’s creator, can do that."
        )
    return member


async def _context(request: Request, seat: Seat, form: Filled) -> dict[str, Any]:
    """Everybody here, and whom the person manages elsewhere: four requests beside the seat's."""
    store = request.store
    here, tastes, own = await asyncio.gather(
        members.members_of(store, seat.group_id), preferences_of(store, seat), managed(request)
    )
    return {
        "seat": seat,
        "everybody": everybody(seat, here, tastes),
        "elsewhere": [one for one in own if one.household_id is None],
        "is_full": seat.group.member_count >= MOST_MEMBERS,
        "may_add": len(own) < rules.MOST_MANAGED,
        "most": MOST_MEMBERS,
        "form": form,
    }


def _as_stored(member: User) -> Filled:
    return Filled(
        {
            "display_name": member.display_name,
            "avatar_key": member.avatar_key,
            "ceiling": member.content_rating_ceiling,
        }
    )


HANDLERS = [
    household,
    back_to_household,
    add_child,
    bring_along,
    member_form,
    save_member,
    remove_member,
]
