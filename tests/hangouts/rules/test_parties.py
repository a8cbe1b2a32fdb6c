"""Titles of a watch party follow its dates; what was skipped has none."""

from __future__ import annotations

import pytest

from commonroom.errors import InvalidField
from commonroom.hangouts.rules.parties import (
    MAX_PART,
    MAX_PARTS,
    arrange,
    clean_parts,
    party_title,
)
from commonroom.hangouts.tables import Hangout

NOW = 1000.0


def on(day: int, *, part: int | None = None, skipped: bool = False) -> Hangout:
    """A hangout on a day; today is the tenth."""
    return Hangout(
        hangout_id=f"h{day}",
        title="Club",
        occurrence=f"2026-05-{day:02}",
        start_timestamp=int(NOW) + (day - 10) * 100,
        part=part,
        cancelled_at="2026-05-01T00:00:00Z" if skipped else None,
        created_by="ada",
        created_at="",
        updated_at="",
    )


def test_titles_follow_the_dates_and_leave_out_what_is_skipped() -> None:
    found = arrange([on(12), on(11), on(13, skipped=True), on(14)], 9, NOW)
    assert found.parts == {"h11": 0, "h12": 1, "h14": 2}
    assert (found.surplus, found.next_part) == ([], 3)


def test_what_has_begun_keeps_its_title_and_the_others_come_behind_it() -> None:
    found = arrange([on(1, part=0), on(2, part=1, skipped=True), on(3, part=2), on(11)], 9, NOW)
    assert found.parts == {"h11": 3}
    found = arrange([on(1, part=0), on(3, part=1, skipped=True), on(11, part=2)], 9, NOW)
    assert found.parts == {"h11": 1}, "nobody watched the second"


def test_behind_the_last_title_nothing_is_left() -> None:
    found = arrange([on(11), on(12), on(13)], 2, NOW)
    assert (found.parts, found.surplus) == ({"h11": 0, "h12": 1}, ["h13"])


def test_titles_are_cleaned_and_bounded() -> None:
    assert clean_parts([" Alien ", "", "\u200bHeat\n"]) == ["Alien", "Heat"]
    assert clean_parts(["", " "]) == []
    assert len(clean_parts(["x" * 500, "y"])[0]) == MAX_PART
    for wrong in (["Alien"], ["x"] * (MAX_PARTS + 1)):
        with pytest.raises(InvalidField):
            clean_parts(wrong)
    assert len(party_title("n" * 200, "p" * MAX_PART)) == 200
