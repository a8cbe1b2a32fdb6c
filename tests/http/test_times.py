"""Moments as people say them."""

from __future__ import annotations

import time

import pytest

from commonroom.accounts.tables import User
from commonroom.http import times
from commonroom.http.authentication import Caller
from commonroom.http.template_engine import environment
from commonroom.moments import iso

NOON = "2026-05-31T12:00:00.000Z"


def said(template: str, moment: str | float, zone: str | None = None) -> str:
    """A moment as a page in somebody's time zone shows it."""
    person = User(user_id="u", display_name="Ada", created_at=NOON, time_zone=zone)
    return environment((), "en").render_str(template, moment=moment, viewer=Caller(account=person))


@pytest.mark.parametrize(
    "seconds,words",
    [
        (5, "just now"),
        (65, "1 minute ago"),
        (150, "2 minutes ago"),
        (3700, "1 hour ago"),
        (50_000, "13 hours ago"),
        (90_000, "1 day ago"),
        (500_000, "5 days ago"),
    ],
)
def test_what_happened_lately_is_so_long_ago(seconds: int, words: str) -> None:
    assert said("{{ moment | ago }}", iso(time.time() - seconds)) == words


def test_what_happened_long_ago_has_a_day() -> None:
    assert said("{{ moment | ago }}", "2020-02-29T12:00:00Z") == "29 February 2020"


@pytest.mark.parametrize(
    "zone,words",
    [
        (None, "31 May 2026, 12:00 UTC"),
        ("Europe/Berlin", "31 May 2026, 14:00 CEST"),
        ("Pacific/Kiritimati", "1 June 2026, 02:00 +14"),
        ("Middle/Earth", "31 May 2026, 12:00 UTC"),
        ("../etc/passwd", "31 May 2026, 12:00 UTC"),
    ],
)
def test_a_moment_is_shown_where_the_reader_lives(zone: str | None, words: str) -> None:
    assert said("{{ moment | exactly }}", NOON, zone) == words


def test_a_number_of_seconds_is_a_moment_too() -> None:
    assert said("{{ moment | day }}", 0.0) == "1 January 1970"


def test_the_time_of_day_is_known_only_where_the_time_zone_is() -> None:
    person = User(user_id="u", display_name="Ada", created_at=NOON)
    assert times.part_of_day(person) is None
    assert times.part_of_day(
        User(user_id="u", display_name="Ada", created_at=NOON, time_zone="UTC")
    ) in ("morning", "afternoon", "evening", "night")


@pytest.mark.parametrize(
    "minutes,words", [(45, "45 min"), (60, "1 h"), (95, "1 h 35 min"), (120, "2 h")]
)
def test_how_long_a_film_is_is_said_in_hours(minutes: int, words: str) -> None:
    assert times.runtime(minutes) == words
