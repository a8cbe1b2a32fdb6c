"""Dates and times as they are typed and stored, and what is asked about them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonroom.errors import InvalidField
from commonroom.http.typed_times import TimeQuestion, UncertainTimes, local, zone_chosen
from commonroom.shareables.pages.drafts.draft import stored_times
from commonroom.shareables.tables import Event
from tests.shareables.furniture import COMMON

SENSIBLE = st.datetimes(datetime(1980, 1, 1), datetime(2400, 1, 1))
LONG_AGO = datetime(1970, 1, 2, tzinfo=UTC).timestamp()
IN_2026 = datetime(2026, 6, 1, 12, tzinfo=UTC).timestamp()


def stored(
    field: str, typed: str, zone: str, *, meant: str = "", now: float = LONG_AGO
) -> str | None:
    """What is stored of a time that was typed."""
    return stored_times(now, {field: typed, f"{field}_means": meant}, [field], zone)[field]


def question(field: str, typed: str, zone: str, *, now: float = LONG_AGO) -> TimeQuestion:
    """What is asked about a time that was typed."""
    with pytest.raises(UncertainTimes) as asked:
        stored(field, typed, zone, now=now)
    assert list(asked.value.questions) == [field]
    return asked.value.questions[field]


@given(SENSIBLE, st.sampled_from(["UTC", "Asia/Tokyo", "Asia/Kathmandu", "Pacific/Honolulu"]))
def test_what_is_typed_is_shown_again(typed: datetime, zone: str) -> None:
    text = typed.isoformat(timespec="minutes")
    assert local(stored("start_time", text, zone), zone) == text


@pytest.mark.parametrize(
    "typed, zone, clocks",
    [
        ("2026-03-29T02:30", "Europe/Paris", ["01:30", "03:30"]),
        ("2026-10-04T02:15", "Australia/Lord_Howe", ["01:45", "02:45"]),
    ],
)
def test_a_time_that_no_clock_shows_is_asked_about(
    typed: str, zone: str, clocks: list[str]
) -> None:
    asked = question("start_time", typed, zone)
    assert f"There is no {typed[-5:]} that night" in asked.text
    assert [words for _, words in asked.choices] == clocks
    for moment, words in asked.choices:
        chosen = stored("start_time", typed, zone, meant=moment)
        assert chosen == moment
        assert local(chosen, zone).endswith(words)


def test_a_time_that_comes_twice_is_asked_about() -> None:
    asked = question("end_time", "2026-10-25T02:30", "Europe/Paris")
    assert "02:30 happens twice that night" in asked.text
    moments = [moment for moment, _ in asked.choices]
    assert moments == ["2026-10-25T00:30:00+00:00", "2026-10-25T01:30:00+00:00"]
    for moment in moments:
        assert stored("end_time", "2026-10-25T02:30", "Europe/Paris", meant=moment) == moment


@pytest.mark.parametrize("field", ["start_time", "rsvp_deadline", "closes_at"])
def test_a_time_in_the_past_is_asked_about_and_taken_where_it_is_meant(field: str) -> None:
    asked = question(field, "2026-05-31T18:00", "Europe/Paris", now=IN_2026)
    assert "in the past" in asked.text
    ((moment, _),) = asked.choices
    taken = stored(field, "2026-05-31T18:00", "Europe/Paris", meant=moment, now=IN_2026)
    assert taken == "2026-05-31T16:00:00+00:00"


def test_an_answer_counts_for_the_time_that_it_was_given_for() -> None:
    ((moment, _),) = question("start_time", "2026-05-31T18:00", "UTC", now=IN_2026).choices
    with pytest.raises(UncertainTimes):
        stored("start_time", "2026-05-30T18:00", "UTC", meant=moment, now=IN_2026)


def test_all_questions_are_asked_at_once() -> None:
    values = {"start_time": "2026-03-29T02:30", "rsvp_deadline": "2026-01-01T10:00"}
    with pytest.raises(UncertainTimes) as asked:
        stored_times(IN_2026, values, values, "Europe/Paris")
    assert set(asked.value.questions) == set(values)


def test_what_stood_there_before_is_not_asked_about() -> None:
    before = Event(name="Ball", start_time="2026-10-25T01:30:07.000Z", **COMMON)
    values = {"start_time": "2026-10-25T02:30"}
    times = stored_times(4e9, values, values, "Europe/Paris", before)
    assert times == {"start_time": before.start_time}, "to the second, and the second of two"


def test_nothing_typed_is_nothing_stored() -> None:
    assert stored("end_time", " ", "Europe/Paris") is None
    assert local(None, "Europe/Paris") == ""


@pytest.mark.parametrize("typed", ["soon", "2026-02-30T10:00", "2026-05-31T25:00", "1"])
def test_what_is_no_time_is_refused(typed: str) -> None:
    with pytest.raises(InvalidField, match="valid date and time"):
        stored("start_time", typed, "UTC")


def test_a_time_is_meant_in_the_zone_that_was_chosen() -> None:
    assert stored("start_time", "2026-05-31T18:00", "Europe/Paris") == "2026-05-31T16:00:00+00:00"
    with pytest.raises(InvalidField, match="its own field"):
        stored("start_time", "2026-05-31T18:00+05:00", "Europe/Paris")


def test_a_zone_has_to_be_chosen() -> None:
    with pytest.raises(InvalidField, match="Choose a time zone"):
        zone_chosen("")
    assert zone_chosen("Europe/Paris") == "Europe/Paris"
