"""Notification settings for programs."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from commonroom.accounts.tables import User
from commonroom.errors import BadRequest, NotFound
from commonroom.http.access import Need
from commonroom.http.operations import Operations
from commonroom.http.request import Request
from commonroom.http.words import _
from commonroom.joins.rooms import preference_names
from commonroom.notifications.preferences import (
    CHANNELS,
    DIGEST_TIME,
    ChannelName,
    NotificationSettings,
    QuietHours,
    chosen_channels,
    offered_channels,
    quiet_hours_of,
    save_settings,
)
from commonroom.notifications.wording import kinds_in

PATH = "/me/notification-settings"
ClockTime = Annotated[str, Meta(max_length=5, description="Such as `08:00`, where one lives.")]


api = Operations("Notifications")


class Quiet(Struct, frozen=True, forbid_unknown_fields=True):
    """When push and e-mail wait; it may go over midnight."""

    start: ClockTime
    end: ClockTime


class NotificationChoice(Struct, frozen=True):
    """A kind of notification, and its channels."""

    name: str
    label: Annotated[str, Meta(description="In the caller's language.")]
    channels: list[ChannelName]


class NotificationPreferencesView(Struct, frozen=True):
    """A person's notification settings: kinds, channels and times."""

    offered: Annotated[
        list[ChannelName],
        Meta(description="Channels that lead anywhere; without a mail server, none by e-mail."),
    ]
    choices: list[NotificationChoice]
    quiet_hours: Quiet | None
    digest_time: ClockTime
    time_zone: Annotated[str, Meta(description="Whose clock it is; UTC where none was chosen.")]


class NewSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """Changes to notification settings: kinds, channels and times."""

    channels: Annotated[
        dict[str, Annotated[list[ChannelName], Meta(max_length=4)]],
        Meta(
            max_length=100,
            description="Channels by the name of the choice: none of them for nothing at all. "
            "Choices that are left out stay as they are.",
        ),
    ]
    quiet_hours: Quiet | None = None
    digest_time: ClockTime = DIGEST_TIME


@api.get(PATH, Need.NOT_ACTING)
async def get_notification_settings(request: Request) -> NotificationPreferencesView:
    """Get the notification settings: kinds, channels and times."""
    return _view(request, request.person)


@api.put(PATH, Need.NOT_ACTING, errors=(NotFound,))
async def set_notification_settings(
    request: Request, new: NewSettings
) -> NotificationPreferencesView:
    """Set the notification settings: kinds, channels and times."""
    known = preference_names(request)
    for name in new.channels:
        if name not in known:
            field = f"channels.{name}"
            raise BadRequest(f"{field}: there is no such field.", field=field)
    quiet = new.quiet_hours
    chosen = NotificationSettings(
        {name: frozenset(channels) for name, channels in new.channels.items()},
        None if quiet is None else QuietHours(quiet.start, quiet.end),
        new.digest_time,
    )
    await save_settings(request.context, chosen)
    stored = await request.store.get(request.person.ref)
    return _view(request, stored or request.person)


def _view(request: Request, person: User) -> NotificationPreferencesView:
    found = [kind.preference for kind in kinds_in(request).values() if kind.preference]
    quiet = quiet_hours_of(person)
    return NotificationPreferencesView(
        offered=list(offered_channels(sends_mail=request.mailer.sends)),
        choices=[
            NotificationChoice(
                one.name, _(one.label), sorted(chosen_channels(person, one), key=CHANNELS.index)
            )
            for one in {one.name: one for one in found}.values()
        ],
        quiet_hours=None if quiet is None else Quiet(quiet.start, quiet.end),
        digest_time=person.digest_at or DIGEST_TIME,
        time_zone=person.time_zone or "UTC",
    )
