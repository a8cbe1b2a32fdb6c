"""Series: what repeats, and how far its hangouts have been made."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct, field

from commonroom.hangouts.tables.hangouts import EnteredTime, Visibility
from commonroom.hangouts.tables.inviter import inviter
from commonroom.hangouts.tables.places import Place
from commonroom.store import Entity, Keys

Frequency: TypeAlias = Literal[
    "DAILY", "WEEKLY", "EVERY_OTHER_WEEK", "MONTHLY_BY_DAY", "MONTHLY_BY_WEEKDAY"
]


class Repetition(Struct, rename="camel", omit_defaults=True, kw_only=True, frozen=True):
    """How often, and until when."""

    frequency: Frequency
    until: str | None = None
    """The last day, as a date where the series is."""
    times: int | None = None


class Series(Entity, table=inviter, kind="SERIES", rename="camel"):
    """What the hangouts of a series share unless they say otherwise."""

    series_id: str
    title: str
    description: str | None = None
    link: str | None = None
    picture: str | None = None
    time: EnteredTime | None = None
    """Of the first one; the others are at the same time of their day."""
    repetition: Repetition | None = None
    place: Place | None = None
    place_limit: int | None = None
    visibility: Visibility = "INVITE_ONLY"
    group_ids: list[str] = field(default_factory=list)
    invited_user_ids: list[str] = field(default_factory=list)
    made_until: str | None = None
    """The date up to which its hangouts have been made."""
    created_by: str
    created_at: str
    updated_at: str
    version: int = 1

    unversioned = frozenset({"made_until"})
    keys = Keys(PK="SERIES#{series_id}", SK="METADATA")
