"""Starting a movie night: who is watching?"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Collection
from typing import Any

from litestar import Response, get, post
from msgspec import Struct

from commonroom.errors import InvalidField, NotFound, Refusal
from commonroom.movienight.pages.asking import films_in, seat_in
from commonroom.movienight.pages.evenings import ALL, address_of
from commonroom.movienight.pages.everybody import Someone, everybody
from commonroom.movienight.service.members import members_of
from commonroom.movienight.service.preferences import preferences_of
from commonroom.movienight.service.rounds.drafting import create_round
from commonroom.movienight.service.seats import Seat
from commonroom.web.access import Need, needs
from commonroom.web.forms import Filled, Form, Sent, Ticked, all_of, refused
from commonroom.web.redirects import redirect
from commonroom.web.render import render, render_refused
from commonroom.web.request import Request

NEW = f"{ALL}/new"
TEMPLATE = "movienight/round_new.html"


class NewRoundForm(Form):
    """Who watches, and whether wishes are on the shortlist."""

    attendees: Ticked = ""
    wishes: bool = False


class Invited(Struct, frozen=True):
    """Somebody who could watch tonight."""

    someone: Someone
    is_ticked: bool
    is_missing: bool
    """Whether nothing can be suggested until they have said what they like."""


@get(NEW, opt=needs(Need.SIGNED_IN))
async def new_round_form(request: Request) -> Response[Any]:
    """Everybody to choose from; the open round where there is one."""
    seat = await seat_in(request)
    if seat.group.open_round_id is not None:
        return redirect(address_of(seat.group.open_round_id), "round-open")
    here = await _everybody(request, seat)
    ids = [one.user.user_id for one in here]
    form = Filled({"attendees": ids, "wishes": seat.group.wish_count > 0})
    return render(request, TEMPLATE, **_context(seat, here, form))


@post(ALL, opt=needs(Need.SIGNED_IN), status_code=200)
async def start_round(request: Request, data: Sent[NewRoundForm]) -> Response[Any]:
    """Makes a shortlist for those who watch."""
    seat, store = await seat_in(request), request.store
    try:
        attendees = all_of(data.attendees)
        if not attendees:
            raise InvalidField("attendees", "Choose at least one person.")
        made = await create_round(
            store,
            time.time(),
            films_in(request),
            seat,
            attendees=attendees,
            wishes=data.wishes,
        )
    except NotFound:
        raise
    except Refusal as error:
        if (active := error.extensions.get("active_round_id")) is not None:
            return redirect(address_of(active), "round-open")
        here, missing = await _everybody(request, seat), error.extensions.get("missing", ())
        context = _context(seat, here, refused(data, error), missing)
        return render_refused(request, TEMPLATE, error, **context)
    return redirect(address_of(made.round_id))


@get(ALL, opt=needs(Need.SIGNED_IN), sync_to_thread=False)
def back_to_new_round(request: Request) -> Response[Any]:  # noqa: ARG001 - asked of nobody
    """Where a page leads that was shown because a form was refused."""
    return redirect(NEW)


async def _everybody(request: Request, seat: Seat) -> list[Someone]:
    store = request.store
    members, liked = await asyncio.gather(
        members_of(store, seat.group_id), preferences_of(store, seat)
    )
    return everybody(seat, members, liked)


def _context(
    seat: Seat, here: list[Someone], form: Filled, missing: Collection[str] = ()
) -> dict[str, Any]:
    ticked = all_of(form.value("attendees"))
    invited = [
        Invited(one, one.user.user_id in ticked, one.user.user_id in missing) for one in here
    ]
    return {"seat": seat, "invited": invited, "form": form, "missing": bool(missing)}


HANDLERS = [new_round_form, start_round, back_to_new_round]
