"""Notification settings: what reaches a person by which channel, quiet hours, and the digest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from commonroom.accounts.tables import User
from commonroom.errors import BadRequest, InvalidField
from commonroom.http.access import Need
from commonroom.http.forms import FormState, Line, Pages
from commonroom.http.render import render
from commonroom.http.request import Request
from commonroom.http.responses import Response
from commonroom.http.words import lazy
from commonroom.joins.rooms import open_rooms
from commonroom.notifications.preferences import (
    DIGEST_TIME,
    ChannelName,
    Channels,
    NotificationSettings,
    Preference,
    QuietHours,
    chosen_channels,
    offered_channels,
    quiet_hours_of,
    save_settings,
)

HERE = "/me/notifications"
TEMPLATE = "people/notifications.html"
CHANNEL_LABELS: Mapping[ChannelName, str] = {
    "list": lazy("In the list"),
    "push": lazy("Push"),
    "mail": lazy("E-mail"),
    "digest": lazy("Daily digest"),
}
TIMES = ("quiet_from", "quiet_until", "digest_at")


pages = Pages()


@pages.page(HERE, Need.BROWSER)
async def show_settings(request: Request, form: FormState | None = None) -> Response[Any]:
    """Shows notification settings: kinds, channels and times; no request of its own."""
    person = request.person
    offered = offered_channels(sends_mail=request.mailer.sends)
    preferences = offered_preferences(request)
    return render(
        request,
        TEMPLATE,
        form=form or _times_of(person),
        offered=[(one, CHANNEL_LABELS[one]) for one in offered],
        chosen={one.name: chosen_channels(person, one) for one in preferences},
        sends_mail=request.mailer.sends,
        reached_by_mail=person.email is not None and person.email_confirmed_at is not None,
    )


@pages.form(HERE, Need.BROWSER, on=show_settings, flash="notifications-saved")
async def save(request: Request, data: dict[str, Line]) -> None:
    """Keeps it; a box that is not ticked is not sent."""
    ticked = {name: value for name, value in data.items() if name not in TIMES}
    chosen = NotificationSettings(
        _ticked_channels(request, ticked),
        _quiet_hours(data.get("quiet_from", ""), data.get("quiet_until", "")),
        data.get("digest_at") or request.person.digest_at or DIGEST_TIME,
    )
    await save_settings(request.context, chosen)


def offered_preferences(request: Request) -> list[Preference]:
    """Returns what there is to choose in the rooms that are open."""
    return [one for room in open_rooms(request) for one in room.data.preferences]


def _times_of(person: User) -> FormState:
    quiet = quiet_hours_of(person)
    times = ("", "") if quiet is None else (quiet.start, quiet.end)
    return FormState(dict(zip(TIMES, (*times, person.digest_at or DIGEST_TIME), strict=True)))


def _ticked_channels(request: Request, ticked: Mapping[str, str]) -> dict[str, Channels]:
    """Returns what was chosen of each; a channel that is not offered stays as it was."""
    offered, preferences = (
        offered_channels(sends_mail=request.mailer.sends),
        offered_preferences(request),
    )
    boxes = {f"{channel}.{one.name}" for channel in offered for one in preferences}
    if not ticked.keys() <= boxes:
        raise BadRequest("There is no such notification.")
    chosen: dict[str, Channels] = {}
    for one in preferences:
        others = chosen_channels(request.person, one) - set(offered)
        now = {channel for channel in offered if f"{channel}.{one.name}" in ticked}
        # Nothing of what is offered is nothing at all, and not the e-mails of a server of once.
        chosen[one.name] = frozenset(now | others) if now else frozenset()
    return chosen


def _quiet_hours(start: str, end: str) -> QuietHours | None:
    if not start and not end:
        return None
    if not start:
        raise InvalidField("quiet_from", "Say from when it is quiet, or leave both empty.")
    if not end:
        raise InvalidField("quiet_until", "Say until when it is quiet, or leave both empty.")
    return QuietHours(start, end)
