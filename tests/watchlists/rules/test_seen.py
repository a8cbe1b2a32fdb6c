"""What somebody has seen: on which day, and what takes a mark away."""

from __future__ import annotations

import pytest

from commonroom.errors import InvalidField
from commonroom.moments import seconds
from commonroom.watchlists.rules.seen import (
    MAX_OTHER_DAYS,
    Days,
    dismissed,
    seen_day,
    with_evenings,
    without_own,
)
from commonroom.watchlists.tables import Seen

NOW = seconds("2026-05-31T23:30:00.000Z")


def mark(**fields: object) -> Seen:
    """A mark of somebody's."""
    key = {"user_id": "ada", "content_type": "MOVIE", "content_id": "603"}
    return Seen(**key, marked_at="2026-05-31T18:00:00.000Z", **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize("day", ["2026-05-31", "1999-03-31", "2026-06-01"])
def test_a_day_is_any_until_tomorrow_somewhere(day: str) -> None:
    assert seen_day(day, NOW) == day


@pytest.mark.parametrize("nothing", [None, ""])
def test_nobody_has_to_remember(nothing: str | None) -> None:
    assert seen_day(nothing, NOW) is None


@pytest.mark.parametrize("day", ["2026-06-02", "1899-12-31", "31.05.2026", "2026-13-01", "soon"])
def test_anything_else_is_refused(day: str) -> None:
    with pytest.raises(InvalidField) as refused:
        seen_day(day, NOW)
    assert refused.value.field == "seen_on"


def test_an_own_mark_goes_whole_where_nothing_else_says_so() -> None:
    assert without_own(mark(own="hand")) is None
    left = without_own(mark(own="rating", evenings={"e": "m"}, other_days=["2020-01-01"]))
    assert left == {"own": None, "seen_on": None, "other_days": []}


def test_the_day_that_counts_stays_and_others_join_once_up_to_a_bound() -> None:
    known = Days("2021-05-05", ["2020-01-01"])

    more = known.with_more(["2023-01-01", "2021-05-05", "2020-01-01"])
    assert more == Days("2021-05-05", ["2023-01-01", "2020-01-01"])
    assert Days().with_more(["2020-01-01", "2022-01-01"]) == Days("2022-01-01", ["2020-01-01"])
    many = Days().with_more(f"{year}-01-01" for year in range(1000, 2000))
    assert (many.seen_on, many.other_days[0]) == ("1999-01-01", "1998-01-01")
    assert len(many.other_days) == MAX_OTHER_DAYS


def test_whoever_says_they_have_not_seen_it_is_believed_for_all_evenings() -> None:
    assert dismissed(mark(own="hand")) is None
    left = dismissed(mark(own="hand", evenings={"b": "m"}, dismissed=["a"]))

    assert left is not None
    assert (left["evenings"], left["dismissed"]) == ({}, ["a", "b"])


def test_evenings_come_and_go_but_not_those_that_were_dismissed() -> None:
    kept = mark(evenings={"a": "1", "b": "2"}, dismissed=["c"])

    assert with_evenings(kept, {"c": "3", "d": "4"}, ["a"]) == {"b": "2", "d": "4"}
