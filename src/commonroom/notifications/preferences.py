"""Preferences: which notifications a person gets by which channels, quiet hours, and the digest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias, get_args

from msgspec import Struct

from commonroom.accounts.context import Context
from commonroom.accounts.errors import AccountDeleted
from commonroom.accounts.tables import User
from commonroom.errors import InvalidField
from commonroom.http.times import zone_of
from commonroom.moments import iso
from commonroom.notifications.clock_times import is_clock_time, quiet_until
from commonroom.store import Condition, ConditionFailed, stored, update

ChannelName: TypeAlias = Literal["list", "push", "mail", "digest"]
CHANNELS: tuple[ChannelName, ...] = get_args(ChannelName)
LIST: Final = "list"
DIGEST: Final = "digest"
USUAL: frozenset[ChannelName] = frozenset({"list", "push", "mail"})
BY_MAIL: frozenset[ChannelName] = frozenset({"mail", "digest"})
DIGEST_TIME = "08:00"
"""When the digest comes, where nothing else was chosen."""

Channels: TypeAlias = frozenset[ChannelName]


class Preference(Struct, frozen=True):
    """A kind of notification that people choose or not; its texts are translated when shown."""

    name: str
    """Under which a person's choice is stored in their `notification_prefs`."""
    label: str
    help: str
    channels: Channels = USUAL
    """The channels of a person who has chosen nothing."""


class QuietHours(Struct, frozen=True):
    """From when to when push and e-mail wait, by the clock where a person lives."""

    start: str
    end: str


class NotificationSettings(Struct, frozen=True):
    """All that a person chooses about notifications."""

    channels: Mapping[str, Channels]
    """By the name of the preference."""
    quiet_hours: QuietHours | None = None
    digest_time: str = DIGEST_TIME


def chosen_channels(person: User, preference: Preference | None) -> Channels:
    """Returns the channels of a notification for a person; the usual by default."""
    if preference is None:
        return USUAL
    if not (person.notification_prefs or {}).get(preference.name, True):
        return frozenset()
    chosen = (person.notification_channels or {}).get(preference.name, {})
    return frozenset(one for one in CHANNELS if chosen.get(one, one in preference.channels))


def offered_channels(*, sends_mail: bool) -> tuple[ChannelName, ...]:
    """Returns the channels that lead anywhere: without a mail server, none by e-mail."""
    return tuple(one for one in CHANNELS if sends_mail or one not in BY_MAIL)


def wants_digest(person: User) -> bool:
    """Whether a person has the digest for anything."""
    prefs = person.notification_prefs or {}
    channels = person.notification_channels or {}
    chosen = [name for name, one in channels.items() if one.get(DIGEST)]
    return any(prefs.get(name, True) for name in chosen)


def quiet_hours_of(person: User) -> QuietHours | None:
    """When a person wants quiet."""
    if person.quiet_from is None or person.quiet_until is None:
        return None
    return QuietHours(person.quiet_from, person.quiet_until)


def waits_until(person: User, now: float) -> float | None:
    """When a person's quiet hours end; None where it is not quiet now."""
    quiet = quiet_hours_of(person)
    if quiet is None:
        return None
    return quiet_until(now, zone_of(person), quiet.start, quiet.end)


async def save_settings(
    ctx: Context, chosen: NotificationSettings, *, if_: Condition | None = None
) -> None:
    """Stores a person's choices; preferences that are not among them stay as they are."""
    _check_times(chosen)
    person, quiet = ctx.person, chosen.quiet_hours
    prefs, channels = (
        dict(person.notification_prefs or {}),
        dict(person.notification_channels or {}),
    )
    for name, some in chosen.channels.items():
        # Off everywhere is what movie night's data model stores; on again, it is as it usually is.
        prefs[name] = bool(some)
        channels[name] = {one: one in some for one in CHANNELS} if some else {}
    changes = update(
        person.ref,
        notification_prefs=prefs,
        notification_channels={name: one for name, one in channels.items() if one},
        quiet_from=None if quiet is None else quiet.start,
        quiet_until=None if quiet is None else quiet.end,
        digest_at=None if chosen.digest_time == DIGEST_TIME else chosen.digest_time,
        updated_at=iso(ctx.now),
        if_=stored if if_ is None else stored & if_,
    )
    try:
        await ctx.store.write(changes)
    except ConditionFailed as failed:
        if failed.item is not None:
            raise
        raise AccountDeleted from None


def _check_times(chosen: NotificationSettings) -> None:
    quiet = chosen.quiet_hours
    if quiet is not None:
        for field, typed in (("quiet_from", quiet.start), ("quiet_until", quiet.end)):
            _check_time(field, typed)
        if quiet.start == quiet.end:
            raise InvalidField("quiet_until", "Quiet hours end at another time than they begin.")
    _check_time("digest_at", chosen.digest_time)


def _check_time(field: str, typed: str) -> None:
    if not is_clock_time(typed):
        raise InvalidField(field, "Choose a time, such as 08:00.")
