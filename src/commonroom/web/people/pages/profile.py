"""How one is shown, and what one wants to hear of."""

from __future__ import annotations

import time
from functools import cache
from typing import Any
from zoneinfo import available_timezones

from litestar import Response, get, post

from commonroom.accounts.service import profiles
from commonroom.accounts.service.addresses import address_to_confirm
from commonroom.accounts.tables import NotificationPrefs, User
from commonroom.errors import Refusal
from commonroom.web.access import Need, needs
from commonroom.web.forms import Filled, Sent, refused
from commonroom.web.people.forms import NotificationsForm, ProfileForm, TimeZoneForm
from commonroom.web.redirects import redirect
from commonroom.web.render import render, render_refused
from commonroom.web.request import Request

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
            request.store,
            time.time(),
            request.person,
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
    await profiles.note_time_zone(request.store, request.person, data.time_zone)


@get("/me/notifications", opt=needs(Need.BROWSER), sync_to_thread=False)
def notifications_form(request: Request) -> Response[Any]:
    """What one wants to hear of."""
    prefs = request.person.notification_prefs or NotificationPrefs()
    return render(request, "people/notifications.html", prefs=prefs)


@post("/me/notifications", opt=needs(Need.BROWSER), status_code=200)
async def save_notifications(request: Request, data: Sent[NotificationsForm]) -> Response[Any]:
    """Keeps it."""
    await profiles.change_profile(
        request.store, time.time(), request.person, notification_prefs=data.prefs
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
