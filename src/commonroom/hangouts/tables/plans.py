"""Hangouts: the canonical record, and the pointers that lists are made of."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct, field

from commonroom.hangouts.tables.groups import inviter
from commonroom.store import Entity, Keys

Period: TypeAlias = Literal["morning", "afternoon", "evening", "night", "day", "weekend"]
Visibility: TypeAlias = Literal["PUBLIC", "INVITE_ONLY"]


class EnteredTime(Struct, rename="camel", omit_defaults=True, kw_only=True, frozen=True):
    """When, as somebody entered it, each with its offset: exact, or a period and its start."""

    start_time: str | None = None
    end_time: str | None = None
    period: Period | None = None
    period_start: str | None = None
    time_zone: str | None = None


class Place(Struct, rename="camel", omit_defaults=True, kw_only=True, frozen=True):
    """Where."""

    name: str
    address: str | None = None
    url: str | None = None


class Summary(Entity, rename="camel"):
    """What the canonical record and every pointer have, so that no list needs the former."""

    hangout_id: str
    title: str
    time: EnteredTime | None = None
    start_timestamp: int | None = None
    """Epoch seconds; absent while it is floating, which keeps it out of EntityTimeIndex."""
    end_timestamp: int | None = None
    place: Place | None = None
    visibility: Visibility = "INVITE_ONLY"
    series_id: str | None = None
    created_by: str
    going_count: int = 0
    interested_count: int = 0
    not_going_count: int = 0
    updated_at: str


COUNTS = frozenset({"going_count", "interested_count", "not_going_count"})


class Hangout(Summary, table=inviter, kind="HANGOUT"):
    """A hangout: the canonical record."""

    description: str | None = None
    group_ids: list[str] = field(default_factory=list)
    invited_user_ids: list[str] = field(default_factory=list)
    """People who were invited directly."""
    created_at: str
    version: int = 1

    # An answer is no edit: it makes nobody's edit stale, and no calendar entry new.
    unversioned = COUNTS
    keys = Keys(PK="EVENT#{hangout_id}", SK="METADATA")


class Pointer(Summary):
    """A copy for lists."""

    hangout_version: int = 1
    """Of the canonical record. Not called `version`: a pointer is not edited by itself."""


class HangoutPointer(Pointer, table=inviter, kind="HANGOUT_POINTER"):
    """A hangout in a group's feed."""

    group_id: str

    keys = Keys(
        PK="GROUP#{group_id}",
        SK="HANGOUT#{hangout_id}",
        gsi1pk="GROUP#{group_id}",
    )


class InvitationPointer(Pointer, table=inviter, kind="INVITATION_POINTER"):
    """A hangout that a person was invited to directly."""

    user_id: str

    keys = Keys(
        PK="USER#{user_id}",
        SK="HANGOUT#{hangout_id}",
        gsi1pk="USER#{user_id}",
    )


class SeriesPointer(Pointer, table=inviter, kind="SERIES_POINTER"):
    """A hangout of a series; its `series_id` is never absent."""

    keys = Keys(PK="SERIES#{series_id}", SK="HANGOUT#{hangout_id}")


class Series(Entity, table=inviter, kind="SERIES", rename="camel"):
    """What the hangouts of a series share unless they say otherwise."""

    series_id: str
    title: str
    description: str | None = None
    place: Place | None = None
    visibility: Visibility = "INVITE_ONLY"
    group_ids: list[str] = field(default_factory=list)
    created_by: str
    created_at: str
    updated_at: str
    version: int = 1

    keys = Keys(PK="SERIES#{series_id}", SK="METADATA")
