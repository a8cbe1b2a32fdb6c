"""How one is shown, and what one wants to hear of."""

from __future__ import annotations

import time
from functools import cache
from typing import Any
from zoneinfo import available_timezones

from litestar import Response, get, post

from commonroom.accounts.context import Context
from commonroom.accounts.service import profiles
from commonroom.accounts.service.email_addresses import address_to_confirm
from commonroom.accounts.tables import User
from commonroom.errors import BadRequest, Refusal
from commonroom.web.access import Need, needs
from commonroom.web.forms import Filled, Sent, refused
from commonroom.web.people.forms import ProfileForm, TimeZoneForm
from commonroom.web.redirects import redirect
from commonroom.web.render import render, render_refused
from commonroom.web.request import Request
from commonroom.web.rooms import open_rooms

TEMPLATE = "people/profile.html"
REGIONS = (
    "Europe", "Africa", "America", "Asia", "Australia", "Pacific", "Atlantic", "Indian",
    "Antarctica", "Arctic",
)  # fmt: skip


@get("/me", opt=needs(Need.BROWSER), sync_to_thread=False)
def profile_form(request: Request) -> Response[Any]:
    """Name, picture, language, time zone."""
    form = _as_stored(request.person)
    return render(request, TEMPLATE, form=form, **_context(request))


@post("/me", opt=needs(Need.BROWSER), status_code=200)
async def save_profile(request: Request, data: Sent[ProfileForm]) -> Response[Any]:
    """Keeps them."""
    try:
        await profiles.change_profile(
            request.context,
            display_name=data.display_name,
            avatar_key=data.avatar_key or None,
            language=data.language or None,
            time_zone=data.time_zone or None,
        )
    except Refusal as error:
        form = refused(data, error)
        return render_refused(request, TEMPLATE, error, form=form, **_context(request))
    return redirect("/me", "profile-saved")


@post("/me/time-zone", opt=needs(Need.BROWSER), status_code=204)
async def note_time_zone(request: Request, data: Sent[TimeZoneForm]) -> None:
    """Takes the time zone of this device where none was chosen; a script of every page asks so."""
    await profiles.note_time_zone(request.context, data.time_zone)


@get("/me/notifications", opt=needs(Need.BROWSER), sync_to_thread=False)
def notifications_form(request: Request) -> Response[Any]:
    """What one wants to hear of."""
    prefs = request.person.notification_prefs or {}
    return render(request, "people/notifications.html", prefs=prefs)


@post("/me/notifications", opt=needs(Need.BROWSER), status_code=200)
async def save_notifications(request: Request, data: Sent[dict[str, bool]]) -> Response[Any]:
    """Keeps it; a box that is not ticked is not sent."""
    person = request.person
    shown = [one.name for room in open_rooms(request) for one in room.preferences]
    if not data.keys() <= set(shown):
        raise BadRequest("There is no such notification.")
    prefs = (person.notification_prefs or {}) | {name: data.get(name, False) for name in shown}
    await profiles.change_profile(
        Context(request.store, person, time.time()), notification_prefs=prefs
    )
    return redirect("/me/notifications", "notifications-saved")


@cache
def zones() -> dict[str, list[tuple[str, str]]]:
    """Time zones by region, each with its place in words; old names are left out."""
    known = sorted(available_timezones())
    return {
        region: [(name, _place(name)) for name in known if name.startswith(f"{region}/")]
        for region in REGIONS
    }


def _place(zone: str) -> str:
    """Such as “Argentina, Buenos Aires”."""
    return zone.partition("/")[2].replace("_", " ").replace("/", ", ")


def _context(request: Request) -> dict[str, Any]:
    unconfirmed = request.mailer.sends and address_to_confirm(request.person) is not None
    return {"zones": zones(), "unconfirmed": unconfirmed}


def _as_stored(person: User) -> Filled:
    return Filled(
        {
            "display_name": person.display_name,
            "avatar_key": person.avatar_key,
            "language": person.language,
            "time_zone": person.time_zone,
        }
    )
