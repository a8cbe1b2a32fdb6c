"""A household: made, changed, left, deleted."""

from __future__ import annotations

import time
from typing import Any

from litestar import Response, get, post

from commonroom.errors import Forbidden, InvalidField, NotFound, Refusal
from commonroom.movienight.pages.asking import films_in, seat_in
from commonroom.movienight.pages.parting import farewell
from commonroom.movienight.pages.services import regions
from commonroom.movienight.rules.households import LONGEST_NAME
from commonroom.movienight.service import households, members
from commonroom.movienight.service.seats import Seat
from commonroom.web.access import Need, needs
from commonroom.web.forms import EMPTY, Filled, Form, Line, Sent, Ticked, all_of, refused
from commonroom.web.redirects import redirect
from commonroom.web.render import render, render_refused
from commonroom.web.request import Request

ROOM = "/movie-night"
HERE = f"{ROOM}/household"
SETTINGS = f"{HERE}/settings"
START = "movienight/start.html"
TEMPLATE = "movienight/household_settings.html"


class HouseholdForm(Form):
    """What a household is called, and where it can watch films."""

    name: Line
    streaming_services: Ticked = ""
    votes_are_open: bool = False


class DeleteForm(Form):
    """That a household is really to be deleted."""

    typed: Line = ""


@post(HERE, opt=needs(Need.THEMSELVES), status_code=200)
async def make_household(request: Request, data: Sent[HouseholdForm]) -> Response[Any]:
    """Makes a household."""
    try:
        await households.create_household(
            request.store,
            time.time(),
            request.person,
            name=data.name,
            services=all_of(data.streaming_services),
        )
    except Refusal as error:
        return render_refused(request, START, error, **start_context(request, refused(data, error)))
    return redirect(ROOM, "household-made")


@get(SETTINGS, opt=needs(Need.THEMSELVES))
async def settings_form(request: Request) -> Response[Any]:
    """Name, services, and how to leave."""
    seat = await seat_in(request)
    return render(request, TEMPLATE, **await _context(request, seat))


@post(SETTINGS, opt=needs(Need.THEMSELVES), status_code=200)
async def save_settings(request: Request, data: Sent[HouseholdForm]) -> Response[Any]:
    """Keeps name and services."""
    seat = await seat_in(request)
    try:
        await households.change_household(
            request.store,
            time.time(),
            seat,
            name=data.name,
            services=all_of(data.streaming_services),
            votes_are_open=data.votes_are_open,
        )
    except InvalidField as error:
        context = await _context(request, seat, form=refused(data, error))
        return render_refused(request, TEMPLATE, error, **context)
    return redirect(SETTINGS, "household-saved")


@post(f"{HERE}/leave", opt=needs(Need.THEMSELVES), status_code=200)
async def leave(request: Request) -> Response[Any]:
    """Leaves the household."""
    await members.leave(request.store, time.time(), await seat_in(request))
    return redirect(ROOM, "household-left")


@post(f"{HERE}/delete", opt=needs(Need.THEMSELVES), status_code=200)
async def delete_household(request: Request, data: Sent[DeleteForm]) -> Response[Any]:
    """Deletes the household, for a creator who typed its name."""
    seat = await seat_in(request)
    try:
        await households.delete_household(request.store, time.time(), seat, data.typed)
    except (NotFound, Forbidden):
        raise
    except Refusal as error:
        context = await _context(request, seat, delete_form=refused(data, error))
        return render_refused(request, TEMPLATE, error, **context)
    return redirect(ROOM, "household-deleted")


@get(
    [f"{HERE}/leave", f"{HERE}/delete"],
    opt=needs(Need.THEMSELVES),
    sync_to_thread=False,
)
def back_to_settings() -> Response[Any]:
    """For whoever opens the address of a form that was refused."""
    return redirect(SETTINGS)


def start_context(request: Request, form: Filled) -> dict[str, Any]:
    """What the page shows that is there for whoever has no household."""
    chosen = all_of(form.value("streaming_services") or "")
    return {
        "form": form,
        "regions": regions(chosen),
        "chosen": chosen,
        "knows_services": films_in(request).knows_services,
        "longest": LONGEST_NAME,
    }


async def _context(
    request: Request, seat: Seat, *, form: Filled | None = None, delete_form: Filled = EMPTY
) -> dict[str, Any]:
    if form is None:
        group = seat.group
        form = Filled(
            {
                "name": group.name,
                "streaming_services": group.streaming_services,
                "votes_are_open": group.votes_are_open,
            }
        )
    here = await members.members_of(request.store, seat.group_id)
    return {
        **start_context(request, form),
        "seat": seat,
        "farewell": farewell(seat, here),
        "delete_form": delete_form,
    }


HANDLERS = [
    make_household,
    settings_form,
    save_settings,
    leave,
    delete_household,
    back_to_settings,
]
