"""When and where, as the API shows it."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from commonroom.hangouts import tables
from commonroom.hangouts.tables import Period
from commonroom.http.projections import projection

Epoch: TypeAlias = Annotated[int, Meta(description="Seconds since 1970.")]
Entered: TypeAlias = Annotated[str, Meta(description="As it was entered, with its offset.")]


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
