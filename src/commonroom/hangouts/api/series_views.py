"""What the API shows of series."""

from __future__ import annotations

from msgspec import Struct

from commonroom.accounts.api.views import Moment
from commonroom.hangouts import tables
from commonroom.hangouts.api.time_and_place import Epoch, Time, time_view
from commonroom.hangouts.tables import Frequency, HangoutSummary
from commonroom.http.projections import projection


class RepetitionView(Struct, frozen=True):
    """How a hangout repeats."""

    frequency: Frequency
    until: str | None
    times: int | None


class SeriesDate(Struct, frozen=True):
    """One hangout of a series."""

    hangout_id: str
    title: str
    time: Time | None
    start_timestamp: Epoch | None
    cancelled_at: Moment | None
    going_count: int


class SeriesDates(Struct, frozen=True):
    """The next hangouts of a series, the earliest first: a hundred at most."""

    items: list[SeriesDate]


repetition_view = projection(tables.Repetition, RepetitionView)


def series_date(row: HangoutSummary) -> SeriesDate:
    """One hangout of a series."""
    return SeriesDate(
        row.hangout_id,
        row.title,
        None if row.time is None else time_view(row.time),
        row.start_timestamp,
        row.cancelled_at,
        row.going_count,
    )
