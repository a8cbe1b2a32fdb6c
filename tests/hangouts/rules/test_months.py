"""A month is as long as it is where somebody lives."""

from __future__ import annotations

import pytest

from commonroom.errors import InvalidField
from commonroom.hangouts.rules.months import month_bounds

DAY, HOUR = 24 * 3600, 3600


@pytest.mark.parametrize(
    "month, zone, seconds",
    [
        ("2026-02", "UTC", 28 * DAY),
        ("2028-02", "UTC", 29 * DAY),
        ("2026-12", None, 31 * DAY),
        ("2026-03", "Europe/Berlin", 31 * DAY - HOUR),
        ("2026-10", "Europe/Berlin", 31 * DAY + HOUR),
    ],
)
def test_it_has_all_its_days_and_hours(month: str, zone: str | None, seconds: int) -> None:
    first, end = month_bounds(month, zone)
    assert end - first == seconds


@pytest.mark.parametrize("month", ["2026-13", "2026-00", "26-01", "2026-1", "2026-01-01", "x"])
def test_what_is_no_month_is_refused(month: str) -> None:
    with pytest.raises(InvalidField):
        month_bounds(month, None)
