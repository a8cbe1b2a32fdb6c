"""Invites of a household: links to pass on, made and revoked by its creator."""

from __future__ import annotations

import time
from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath
from msgspec import Struct

from commonroom.movienight.errors import Conflict
from commonroom.movienight.pages.asking import seat_in
from commonroom.movienight.pages.households import HERE as HOUSEHOLD
from commonroom.movienight.rules.households import MOST_MEMBERS
from commonroom.movienight.service import inviting
from commonroom.movienight.service.members.listing import member_in
from commonroom.movienight.service.seats import Seat
from commonroom.movienight.tables import Invite
from commonroom.web.access import Need, needs
from commonroom.web.people.asking import AnyRequest, store_of
from commonroom.web.people.forms import EMPTY, Filled
from commonroom.web.people.showing import again
from commonroom.web.rendering import page, to
from commonroom.web.sharing import Shared, shared
from commonroom.web.words import _

HERE = f"{HOUSEHOLD}/invites"
TEMPLATE = "movienight/household_invites.html"


class Link(Struct, frozen=True):
    """An invite to pass on."""

    invite: Invite
    shared: Shared


@get(HERE, opt=needs(Need.THEMSELVES))
async def invites(request: AnyRequest) -> Response[Any]:
    """The links that are good, and the button for another; for others, who can invite."""
    seat = await seat_in(request)
    return page(request, TEMPLATE, **await _context(request, seat, EMPTY))


@post(HERE, opt=needs(Need.THEMSELVES), status_code=200)
async def make_invite(request: AnyRequest) -> Response[Any]:
    """Makes a link."""
    seat = await seat_in(request)
    try:
        await inviting.invite(store_of(request), time.time(), seat)
    except Conflict as error:
        context = await _context(request, seat, Filled(message=error.detail))
        return again(request, TEMPLATE, error, **context)
    return to(HERE, "invite-made")


@post(f"{HERE}/{{invite_id:str}}/revoke", opt=needs(Need.THEMSELVES), status_code=200)
async def revoke(request: AnyRequest, invite_id: FromPath[str]) -> Response[Any]:
    """Ends a link."""
    await inviting.revoke(store_of(request), time.time(), await seat_in(request), invite_id)
    return to(HERE, "invite-revoked")


async def _context(request: AnyRequest, seat: Seat, form: Filled) -> dict[str, Any]:
    store, creator, links = store_of(request), seat.member, []
    if seat.is_creator:
        title = _("Join %(household)s") % {"household": seat.group.name}
        links = [
            Link(one, shared(request, f"/join/{one.invite_token}", title))
            for one in await inviting.invites_of(store, time.time(), seat)
        ]
    else:
        creator = await member_in(store, seat.group_id, seat.group.created_by)
    return {
        "seat": seat,
        "creator": creator,
        "links": links,
        "is_full": seat.group.member_count >= MOST_MEMBERS,
        "most": MOST_MEMBERS,
        "form": form,
    }


HANDLERS = [invites, make_invite, revoke]
