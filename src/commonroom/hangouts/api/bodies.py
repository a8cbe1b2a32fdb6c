"""What programs send to hangouts; the rules say in a sentence what cannot be taken."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

import msgspec
from msgspec import UNSET, Meta, UnsetType

from commonroom.hangouts.rules import groups, hangouts, rsvps, series
from commonroom.hangouts.rules.attendance import MAX_PLACES
from commonroom.hangouts.service.fields import HangoutDraft
from commonroom.hangouts.service.guests import TypedGuestRsvp
from commonroom.hangouts.service.rsvps import MAX_COMPANIONS, TypedRsvp
from commonroom.hangouts.tables import (
    EnteredTime,
    Frequency,
    Period,
    Repetition,
    Role,
    RsvpStatus,
    Venue,
    Visibility,
)
from commonroom.http.bodies import Body
from commonroom.ids import MAX_ID

Id: TypeAlias = Annotated[str, Meta(max_length=MAX_ID)]
Title: TypeAlias = Annotated[
    str, Meta(max_length=1000, description=f"1 to {hangouts.MAX_TITLE} characters.")
]
Description: TypeAlias = Annotated[
    str,
    Meta(
        max_length=20_000,
        description=f"Markdown, at most {hangouts.MAX_DESCRIPTION} characters.",
    ),
]
Link: TypeAlias = Annotated[
    str, Meta(max_length=5000, description="Starts with `http://` or `https://`.")
]
Picture: TypeAlias = Annotated[
    str, Meta(max_length=100, description=f"One of `{'`, `'.join(hangouts.PICTURES)}`.")
]
Places: TypeAlias = Annotated[
    int, Meta(description=f"How many people there are places for, 1 to {MAX_PLACES}.")
]
GroupIds: TypeAlias = Annotated[
    list[Id],
    Meta(
        max_length=100,
        description=f"At most {hangouts.MAX_GROUPS}; the maker is a member of all of them.",
    ),
]
Moment: TypeAlias = Annotated[
    str, Meta(max_length=100, description="With its offset: `2026-05-01T19:00:00+02:00`.")
]
Note: TypeAlias = Annotated[
    str, Meta(max_length=5000, description=f"At most {rsvps.MAX_NOTE} characters.")
]
PlusGuests: TypeAlias = Annotated[
    int, Meta(description=f"How many others come along, 0 to {rsvps.MAX_PLUS_GUESTS}.")
]
Email: TypeAlias = Annotated[
    str, Meta(max_length=1000, description="The e-mail address of someone with an account here.")
]

Version: TypeAlias = Annotated[
    int, Meta(description="The version that was looked at; another one is answered with 409.")
]
GroupName: TypeAlias = Annotated[
    str, Meta(max_length=1000, description=f"1 to {groups.MAX_NAME} characters.")
]
Colour: TypeAlias = Annotated[
    str, Meta(max_length=100, description=f"One of `{'`, `'.join(groups.COLOURS)}`.")
]


class TimeGiven(Body):
    """When: exact, with `start_time` and perhaps `end_time`, or a `period` and its start."""

    start_time: Moment | None = None
    end_time: Annotated[Moment | None, Meta(description="Left out: two hours later.")] = None
    period: Period | None = None
    period_start: Moment | None = None
    time_zone: Annotated[
        Annotated[str, Meta(max_length=100)] | None,
        Meta(description="Such as `Europe/Paris`; left out: that of one’s account."),
    ] = None


class PlaceGiven(Body):
    """Where."""

    name: Annotated[str, Meta(max_length=1000)]
    address: Annotated[str, Meta(max_length=2000)] | None = None
    url: Link | None = None
    notes: Annotated[str, Meta(max_length=5000)] | None = None
    place_id: Annotated[
        Id | None,
        Meta(description="A kept place of one’s own or the group’s, whose words are taken."),
    ] = None


class RepetitionGiven(Body):
    """How a hangout repeats; without an end it goes on, and is made up to a year ahead."""

    frequency: Annotated[
        Frequency,
        Meta(
            description="`MONTHLY_BY_DAY`: on the same day of the month, or its last; "
            "`MONTHLY_BY_WEEKDAY`: on the second Friday, say."
        ),
    ]
    until: Annotated[
        Annotated[str, Meta(max_length=100)] | None,
        Meta(description="The last day there can be: `2027-06-30`."),
    ] = None
    times: Annotated[
        int | None, Meta(description=f"How often in all, 2 to {series.MAX_TIMES}.")
    ] = None


class NewHangout(Body):
    """A hangout to be."""

    title: Title
    description: Description | None = None
    link: Link | None = None
    picture: Picture | None = None
    time: Annotated[TimeGiven | None, Meta(description="Null: it floats, and needs a day.")] = None
    place: PlaceGiven | None = None
    place_limit: Places | None = None
    visibility: Visibility = "INVITE_ONLY"
    group_ids: GroupIds = []
    invited_user_ids: Annotated[
        list[Id], Meta(max_length=100, description="At most 10 at once.")
    ] = []
    is_on: Annotated[
        bool,
        Meta(
            description="Locked in: it is on, and its maker goes. Otherwise it is floated: a "
            "suggestion, and its maker is interested."
        ),
    ] = False
    repetition: Annotated[
        RepetitionGiven | None, Meta(description="How it repeats; it needs a day for that.")
    ] = None
    parts: Annotated[
        list[Annotated[str, Meta(max_length=1000)]],
        Meta(
            max_length=1000,
            description="Of a watch party: 2 to 100 titles, one for each time. Where a time is "
            "cancelled, the titles move on; the series ends with the last.",
        ),
    ] = []


class HangoutChange(Body):
    """Changes of a hangout; what is left out stays as it is, null clears it."""

    version: Version
    title: Title | UnsetType = UNSET
    description: Description | UnsetType | None = UNSET
    link: Link | UnsetType | None = UNSET
    picture: Picture | UnsetType | None = UNSET
    time: TimeGiven | UnsetType | None = UNSET
    place: PlaceGiven | UnsetType | None = UNSET
    place_limit: Places | UnsetType | None = UNSET
    visibility: Visibility | UnsetType = UNSET
    group_ids: GroupIds | UnsetType = UNSET
    scope: Annotated[
        Literal["this", "following"],
        Meta(
            description="Of a hangout that repeats: this one alone, or all that follow as well, "
            "but for what was changed on one of them. These change within seconds."
        ),
    ] = "this"


class DirectInvitation(Body):
    """A person to invite directly."""

    email: Email


class RsvpBody(Body):
    """An answer."""

    status: RsvpStatus
    note: Note | None = None
    plus_guests: PlusGuests = 0
    companion_ids: Annotated[
        list[Id],
        Meta(max_length=MAX_COMPANIONS, description="Managed members who come along."),
    ] = []


class GuestRsvpGiven(Body):
    """The RSVP of a guest without an account."""

    name: Annotated[str, Meta(max_length=1000, description="At most 30 characters.")]
    status: RsvpStatus
    note: Note | None = None
    plus_guests: PlusGuests = 0


class GuestLinkGiven(Body):
    """Whether a hangout is open to visitors with its link."""

    is_open: bool
    shows_people: Annotated[bool, Meta(description="Whether guests see who comes.")] = True


class NewGroup(Body):
    """A group to be."""

    group_name: GroupName
    is_public: bool = False
    colour: Colour | None = None
    picture: Picture | None = None


class GroupChange(Body):
    """Changes of a group; what is left out stays as it is, null clears a look."""

    version: Version
    group_name: GroupName | UnsetType = UNSET
    is_public: Annotated[bool | UnsetType, Meta(description="Only by admins.")] = UNSET
    colour: Colour | UnsetType | None = UNSET
    picture: Picture | UnsetType | None = UNSET


class RoleGiven(Body):
    """What a person is in a group."""

    role: Role


class NewCode(Body):
    """A code to be."""

    expires_at: Annotated[Moment | None, Meta(description="Null: it works until it is ended.")] = (
        None
    )
    single_use: bool = False


class CodeGiven(Body):
    """An invite code of a group."""

    code: Annotated[str, Meta(max_length=100, description="In any case, with or without dashes.")]


def draft(new: NewHangout) -> HangoutDraft:
    """Returns a new hangout as services take it."""
    return HangoutDraft(**plain(msgspec.structs.asdict(new)))


def changes(change: HangoutChange) -> dict[str, Any]:
    """Returns what an edit changes, without what was left out."""
    return plain(named_fields(change))


def named_fields(change: Body) -> dict[str, Any]:
    """Returns the fields that were sent, without the version."""
    sent = msgspec.structs.asdict(change)
    dropped = ("version", "scope")
    return {name: it for name, it in sent.items() if it is not UNSET and name not in dropped}


def plain(fields: dict[str, Any]) -> dict[str, Any]:
    """Fields with the stored forms of a time and a place."""
    forms: dict[str, Any] = {"time": EnteredTime, "place": Venue, "repetition": Repetition}
    return {
        name: forms[name](**msgspec.structs.asdict(value))
        if name in forms and value is not None
        else value
        for name, value in fields.items()
    }


def repetition(given: RepetitionGiven) -> Repetition:
    """Returns how something repeats, as services take it."""
    return Repetition(**msgspec.structs.asdict(given))


def typed_rsvp(given: RsvpBody) -> TypedRsvp:
    """Returns an answer as services take it."""
    return TypedRsvp(**msgspec.structs.asdict(given))


def guest_answer(given: GuestRsvpGiven) -> TypedGuestRsvp:
    """Returns the RSVP of a guest as typed."""
    return TypedGuestRsvp(**msgspec.structs.asdict(given))
