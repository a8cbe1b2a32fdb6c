"""Invites of a household: links to pass on, made and revoked by its creator."""

from __future__ import annotations

import time
from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath

from commonroom.errors import Conflict
from commonroom.movienight.pages.asking import seat_in
from commonroom.movienight.pages.households import HERE as HOUSEHOLD
from commonroom.movienight.rules.households import MOST_MEMBERS
from commonroom.movienight.service import inviting
from commonroom.movienight.service.inviting import NewInvite
from commonroom.movienight.service.members.listing import member_in
from commonroom.movienight.service.seats import Seat
from commonroom.web.access import Need, needs
from commonroom.web.forms import EMPTY, Filled
from commonroom.web.redirects import redirect
from commonroom.web.render import render, render_refused, render_secret
from commonroom.web.request import Request
from commonroom.web.sharing import shared
from commonroom.web.words import _

HERE = f"{HOUSEHOLD}/invites"
TEMPLATE = "movienight/household_invites.html"


@get(HERE, opt=needs(Need.WRITER))
async def invites(request: Request) -> Response[Any]:
    """The links that are good, and the button for another; for others, who can invite."""
    seat = await seat_in(request)
    return render(request, TEMPLATE, **await _context(request, seat))


@post(HERE, opt=needs(Need.THEMSELVES), status_code=200)
async def make_invite(request: Request) -> Response[Any]:
    """Makes a link, and shows it this once."""
    seat = await seat_in(request)
    try:
        made = await inviting.invite(request.store, time.time(), seat)
    except Conflict as error:
        context = await _context(request, seat, form=Filled(wrong_altogether=error.detail))
        return render_refused(request, TEMPLATE, error, **context)
    return render_secret(request, TEMPLATE, **await _context(request, seat, made))


@post(f"{HERE}/{{invite_id:str}}/revoke", opt=needs(Need.THEMSELVES), status_code=200)
async def revoke(request: Request, invite_id: FromPath[str]) -> Response[Any]:
    """Ends a link."""
    await inviting.revoke(request.store, time.time(), await seat_in(request), invite_id)
    return redirect(HERE, "invite-revoked")


async def _context(
    request: Request, seat: Seat, made: NewInvite | None = None, form: Filled = EMPTY
) -> dict[str, Any]:
    store, creator, links = request.store, seat.member, []
    if seat.is_creator:
        links = await inviting.invites_of(store, time.time(), seat)
    else:
        creator = await member_in(store, seat.group_id, seat.group.created_by)
    title = _("Join %(household)s") % {"household": seat.group.name}
    return {
        "seat": seat,
        "creator": creator,
        "links": [one for one in links if made is None or one.invite_id != made.invite.invite_id],
        "made": made,
        "shared": None if made is None else shared(request, f"/join/{made.token}", title),
        "is_full": seat.group.member_count >= MOST_MEMBERS,
        "most": MOST_MEMBERS,
        "form": form,
    }


HANDLERS = [invites, make_invite, revoke]
