"""When and where: as programs send it, and as the API shows it."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

import msgspec
from msgspec import Meta, Struct

from commonroom.hangouts import tables
from commonroom.hangouts.rules.fields import Id, Link, Moment
from commonroom.hangouts.rules.places import place_for
from commonroom.hangouts.tables import EnteredTime, Period, Repetition, Venue
from commonroom.http.bodies import Body
from commonroom.http.projections import projection

Epoch: TypeAlias = Annotated[int, Meta(description="Seconds since 1970.")]
Entered: TypeAlias = Annotated[str, Meta(description="As it was entered, with its offset.")]


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


class Time(Struct, frozen=True):
    """When: exact, or a part of a day."""

    start_time: Entered | None
    end_time: Entered | None
    period: Period | None
    period_start: Entered | None
    time_zone: str | None


class VenueView(Struct, frozen=True):
    """Where."""

    name: str
    address: str | None
    url: str | None
    notes: str | None
    place_id: str | None


time_view = projection(tables.EnteredTime, Time)
place_view = projection(tables.Venue, VenueView)


def venue_of(
    row: tables.HangoutSummary,
    mine: tables.Rsvp | tables.GuestRsvp | None = None,
    reader_id: str = "",
) -> VenueView | None:
    """Returns where it is; what helps to find it, for its maker and those who go."""
    place = place_for(row, reader_id, mine)
    return None if place is None else place_view(place)


def plain(fields: dict[str, Any]) -> dict[str, Any]:
    """Fields with the stored forms of a time and a place."""
    forms: dict[str, Any] = {"time": EnteredTime, "place": Venue, "repetition": Repetition}
    return {
        name: forms[name](**msgspec.structs.asdict(value))
        if name in forms and value is not None
        else value
        for name, value in fields.items()
    }
