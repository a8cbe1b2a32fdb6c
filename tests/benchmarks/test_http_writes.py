from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import backlog, groups, http_writes


@pytest.mark.slow
async def test_every_act_is_measured_against_the_same_stored_by_hand(tmp_path: Path) -> None:
    rows = await http_writes.compare(tmp_path, rounds=1, calls=2)
    assert [one.name.split()[1] for one in rows] == ["book", "RSVP", "vote", "tick"]
    assert all(one.against == http_writes.BY_HAND for one in rows)
    assert all(one.ours > 0 and one.theirs > 0 and one.bound is not None for one in rows)


@pytest.mark.slow
async def test_a_page_is_measured_while_much_is_to_follow(tmp_path: Path) -> None:
    [row] = await backlog.compare(tmp_path, records=4000, rounds=1, calls=1)
    assert row.ours > 0
    assert "4,000 changes" in row.sentence


@pytest.mark.slow
async def test_lists_are_measured_over_one_group_and_over_many(tmp_path: Path) -> None:
    rows = await groups.compare(tmp_path, rounds=1, calls=1)
    assert [one.name for one in rows] == [f"{name}, 50 groups" for name in groups.VIEWS]
    assert all(one.ours > 0 and one.theirs > 0 for one in rows)
