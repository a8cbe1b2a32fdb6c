"""Dates and times as they are typed and stored."""

from __future__ import annotations

from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonroom.accounts.errors import Unfit
from commonroom.shareables.pages.drafts.times import local, stored, zone_choices, zone_chosen

SENSIBLE = st.datetimes(datetime(1980, 1, 1), datetime(2400, 1, 1))


@given(SENSIBLE, st.sampled_from(["UTC", "Asia/Tokyo", "Asia/Kathmandu", "Pacific/Honolulu"]))
def test_what_is_typed_is_shown_again(typed: datetime, zone: str) -> None:
    text = typed.isoformat(timespec="minutes")
    assert local(stored("start_time", text, zone), zone) == text


@pytest.mark.parametrize(
    "typed, zone",
    [("2026-03-29T02:30", "Europe/Paris"), ("2026-10-04T02:15", "Australia/Lord_Howe")],
)
def test_a_time_that_no_clock_shows_is_refused(typed: str, zone: str) -> None:
    with pytest.raises(Unfit, match="put forward"):
        stored("start_time", typed, zone)


def test_nothing_typed_is_nothing_stored() -> None:
    assert stored("end_time", " ", "Europe/Paris") is None
    assert local(None, "Europe/Paris") == ""


@pytest.mark.parametrize("typed", ["soon", "2026-02-30T10:00", "2026-05-31T25:00", "1"])
def test_what_is_no_time_is_refused(typed: str) -> None:
    with pytest.raises(Unfit, match="no date and time"):
        stored("start_time", typed, "UTC")


def test_a_time_is_meant_in_the_zone_that_was_chosen() -> None:
    assert stored("start_time", "2026-05-31T18:00", "Europe/Paris") == "2026-05-31T16:00:00+00:00"
    with pytest.raises(Unfit, match="field of its own"):
        stored("start_time", "2026-05-31T18:00+05:00", "Europe/Paris")


def test_a_zone_has_to_be_chosen() -> None:
    with pytest.raises(Unfit, match="Choose the time zone"):
        zone_chosen("")
    assert zone_chosen("Europe/Paris") == "Europe/Paris"


def test_a_device_that_does_not_say_where_it_is_finds_its_zone() -> None:
    assert [("UTC", "UTC")] in zone_choices().values()
