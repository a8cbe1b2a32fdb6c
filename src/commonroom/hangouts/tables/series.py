"""Series: what repeats, and how far its hangouts have been made."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct, field

from commonroom.hangouts.tables.hangouts import EnteredTime, Visibility
from commonroom.hangouts.tables.inviter import inviter
from commonroom.hangouts.tables.places import Venue
from commonroom.store import Entity, Keys

Frequency: TypeAlias = Literal[
    "DAILY", "WEEKLY", "EVERY_OTHER_WEEK", "MONTHLY_BY_DAY", "MONTHLY_BY_WEEKDAY"
]


class Repetition(Struct, rename="camel", omit_defaults=True, kw_only=True, frozen=True):
    """How often, and until when; without an end it goes on."""

    frequency: Frequency
    until: str | None = None
    """The last date there can be, where the series is."""
    times: int | None = None


class HangoutTemplate(Struct, rename="camel", omit_defaults=True, kw_only=True, frozen=True):
    """What the hangouts of a series say, unless one of them says otherwise."""

    title: str
    description: str | None = None
    link: str | None = None
    picture: str | None = None
    time: EnteredTime
    """Of one of them; the others are at the same time of their day."""
    days_later: int = 0
    """How many days after the date of its rule each is: not 0 once all following were moved."""
    place: Venue | None = None
    place_limit: int | None = None
    visibility: Visibility = "INVITE_ONLY"


class SeriesEdit(Struct, rename="camel", omit_defaults=True, kw_only=True, frozen=True):
    """A change of all hangouts from one on, until the last of them has it."""

    since: str
    """The date in the series of the hangout that was changed."""
    before: HangoutTemplate | None = None
    """What they said; a hangout that differs was changed by hand, and stays so. None where the
    dates changed."""
    by: str
    group_ids: list[str] = field(default_factory=list)
    """The groups by which its editor may change others, besides their own."""


class Series(Entity, table=inviter, kind="SERIES", rename="camel"):
    """A series: its rule, what its hangouts say, and how far they have been made."""

    series_id: str
    """Made in the order of time; the ids of its hangouts are made of it and of their dates."""
    template: HangoutTemplate
    repetition: Repetition
    first: str
    """The date from which its rule counts."""
    is_on: bool = False
    """Whether its hangouts are locked in."""
    group_ids: list[str] = field(default_factory=list)
    invited_user_ids: list[str] = field(default_factory=list)
    parts: list[str] = field(default_factory=list)
    """The titles of a watch party, one for each hangout; empty where it is none."""
    made_until: str
    """The date up to which its hangouts have been made."""
    pending: SeriesEdit | None = None
    created_by: str
    created_at: str
    updated_at: str
    version: int = 1

    unversioned = frozenset({"made_until", "pending"})
    keys = Keys(PK="SERIES#{series_id}", SK="METADATA")
