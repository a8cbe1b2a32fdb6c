"""Places that groups and persons keep, and the place of one hangout."""

from __future__ import annotations

from msgspec import Struct

from commonroom.hangouts.tables.inviter import inviter
from commonroom.store import Entity, Keys


class Venue(Struct, rename="camel", omit_defaults=True, kw_only=True, frozen=True):
    """Where a hangout is: words of its own, or those of a place that was kept."""

    name: str
    address: str | None = None
    url: str | None = None
    notes: str | None = None
    place_id: str | None = None
    """The group's or the person's place that it was taken from."""


class SavedPlace(Entity, rename="camel"):
    """What both kinds of kept places have."""

    place_id: str
    name: str
    address: str | None = None
    url: str | None = None
    notes: str | None = None
    """What helps to find it: the gate's code, where to park."""
    created_by: str
    created_at: str
    updated_at: str
    archived_at: str | None = None
    """Since when it is no longer offered; hangouts that took place there keep it."""
    used_at: str | None = None
    """When a hangout first took it: from then on it is archived and not deleted."""
    version: int = 1

    unversioned = frozenset({"used_at"})


class GroupPlace(SavedPlace, table=inviter, kind="GROUP_PLACE"):
    """A place that a group goes to."""

    group_id: str

    keys = Keys(PK="GROUP#{group_id}", SK="PLACE#{place_id}")


class PersonPlace(SavedPlace, table=inviter, kind="PERSON_PLACE"):
    """A place of a person's own; `HangoutPerson` says which one is home."""

    user_id: str

    keys = Keys(PK="USER#{user_id}", SK="PLACE#{place_id}")
