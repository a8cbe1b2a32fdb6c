"""Hangouts: the canonical record, and the pointers that lists are made of."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct, field

from commonroom.hangouts.tables.inviter import NO_NAME, NOBODY, inviter
from commonroom.hangouts.tables.places import Venue
from commonroom.moments import UNKNOWN
from commonroom.store import Entity, Keys, Missing

Period: TypeAlias = Literal["morning", "afternoon", "evening", "night", "day", "weekend"]
Visibility: TypeAlias = Literal["PUBLIC", "INVITE_ONLY"]
Momentum: TypeAlias = Literal["BUILDING", "GAINING", "CONFIRMED"]

LONG_SECONDS = 24 * 3600
"""A hangout that takes longer is found by its end as well, while it is on."""


class EnteredTime(Struct, rename="camel", omit_defaults=True, kw_only=True, frozen=True):
    """When, as a person entered it, each with its offset: exact, or a period and its start."""

    start_time: str | None = None
    end_time: str | None = None
    period: Period | None = None
    period_start: str | None = None
    time_zone: str | None = None


class Waiting(Struct, rename="camel", kw_only=True, frozen=True):
    """A party on the waiting list."""

    answer_id: str
    """Whose answer it is: an account, a managed member, or a guest."""
    people: int


class GuestLink(Struct, rename="camel", kw_only=True, frozen=True):
    """The link with which people without an account see a hangout and answer."""

    number: int
    """How many there have been: a link of an earlier number opens nothing."""
    is_open: bool = True
    shows_people: bool = True
    """Whether it shows who comes."""
    made_by: str | None = None
    """Who opened it last, who is told when another person ends it."""


class HangoutSummary(Entity, rename="camel"):
    """What the canonical record and every pointer have, so that no list needs the former."""

    hangout_id: str
    """Made in the order of time, so that a feed has the newest first."""
    title: str
    time: EnteredTime | None = None
    start_timestamp: int | None = None
    """Epoch seconds; absent while it is floating, which keeps it out of EntityTimeIndex."""
    end_timestamp: int | None = None
    place: Venue | None = None
    visibility: Visibility = "INVITE_ONLY"
    series_id: str | None = None
    occurrence: str | None = None
    """The date in its series that it stands for, also where it was moved to another day."""
    created_by: str
    going_count: int = 0
    """People, not answers; those who wait for a place are not among them."""
    interested_count: int = 0
    not_going_count: int = 0
    going_rsvps: int = 0
    """RSVPs of people who go themselves; whom they bring, or answer for, is not among them."""
    other_rsvps: int = 0
    """RSVPs, going or interested, of people other than its maker."""
    updated_at: str

    created_at: str
    group_ids: list[str] = field(default_factory=list)
    """All its groups: where a person is in several of them, their list shows it once."""
    picture: str | None = None
    cancelled_at: str | None = None
    momentum: Momentum = "BUILDING"
    """As far as it has come; what depends on the clock is worked out on reading."""
    held_back_at: str | None = None
    """Since when it is not confirmed by itself, because a person took that back by hand."""
    audience: int = 0
    """How many people it is for, as of the last answer or edit."""
    answered_at: str | None = None
    """When a person last answered."""
    place_limit: int | None = None
    """How many people there are places for."""
    waiting: list[Waiting] = field(default_factory=list)
    """The waiting list, in order."""
    waiting_count: int = 0
    """People who wait for a place."""
    time_poll_id: str | None = None
    """The one poll about its time that is open."""
    place_poll_id: str | None = None
    """Its open poll about the place."""

    missing = Missing(title=NO_NAME, created_by=NOBODY, created_at=UNKNOWN, updated_at=UNKNOWN)


COUNTS = frozenset(
    {"going_count", "interested_count", "not_going_count", "waiting_count"}
    | {"going_rsvps", "other_rsvps"}
)


class Hangout(HangoutSummary, table=inviter, kind="HANGOUT"):
    """A hangout: the canonical record."""

    description: str | None = None
    link: str | None = None
    invited_user_ids: list[str] = field(default_factory=list)
    """Who has it in their own list: its maker, and people who were invited directly."""
    series_version: int | None = None
    """Of its series: what it had taken over from it last."""
    part: int | None = None
    """The number of its title, where its series is a watch party."""
    guest_link: GuestLink | None = None
    guest_count: int = 0
    """How many answers there are without an account; held by a condition."""
    ticket_link: str | None = None
    ticket_price: str | None = None
    """What a ticket costs, in the words of a person who knows."""
    offer_ids: list[str] = field(default_factory=list)
    """All its offers; held by a condition."""
    message_count: int = 0
    """How many messages there are; held by a condition."""
    talked_at: str | None = None
    """When a person last said something."""
    poll_count: int = 0
    """How many polls there are; held by a condition."""
    open_polls: dict[str, str] = field(default_factory=dict)
    """The ids of those that are open, each with what it is about."""
    decided_poll_id: str | None = None
    """The last poll that set its time or place: who voted there was told, and may answer."""
    bring_count: int = 0
    """How many things there are on the bring list; held by a condition."""
    attachment_count: int = 0
    """How many things of other rooms are attached; held by a condition."""
    changed_by: str | None = None
    """Who made the last change and need not be notified of it; None where that is a guest."""
    version: int = 1

    # Neither an answer nor a poll is an edit: it makes nobody's edit stale, no calendar entry new.
    unversioned = COUNTS | {
        "waiting", "guest_count", "momentum", "audience", "answered_at", "changed_by",
        "series_version", "part",
        "time_poll_id", "place_poll_id", "poll_count", "open_polls", "bring_count", "offer_ids",
        "message_count", "talked_at", "attachment_count",
    }  # fmt: skip
    keys = Keys(PK="EVENT#{hangout_id}", SK="METADATA")


def list_place(
    hangout_id: str, start_timestamp: int | None, end_timestamp: int | None
) -> str | None:
    """Where lists find what they do not find by its start: floating hangouts, and long ones."""
    if start_timestamp is None:
        return f"FLOATING#{hangout_id}"
    if end_timestamp is not None and end_timestamp - start_timestamp > LONG_SECONDS:
        return f"UNTIL#{end_timestamp:012}#{hangout_id}"
    return None


class Pointer(HangoutSummary):
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
        gsi1sk=list_place,
    )


class InvitationPointer(Pointer, table=inviter, kind="INVITATION_POINTER"):
    """A hangout in a person's own list: they made it, or were invited directly."""

    user_id: str

    keys = Keys(
        PK="USER#{user_id}",
        SK="HANGOUT#{hangout_id}",
        gsi1pk="USER#{user_id}",
        gsi1sk=list_place,
    )


class SeriesPointer(Pointer, table=inviter, kind="SERIES_POINTER"):
    """A hangout of a series; its `series_id` is never absent."""

    keys = Keys(PK="SERIES#{series_id}", SK="HANGOUT#{hangout_id}", gsi1pk="SERIES#{series_id}")
