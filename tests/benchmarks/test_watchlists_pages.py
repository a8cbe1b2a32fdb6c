from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.watchlists_pages import compare


@pytest.mark.slow
async def test_pages_are_measured_against_the_shelf_and_lists_among_many(tmp_path: Path) -> None:
    rows = await compare(tmp_path, few=500, many=600, rounds=1)
    assert [one.name for one in rows] == [
        "the 24 newest of 500 public lists as HTML",
        "a list of 100 titles as HTML",
        "discovery among 600 public lists",
        "a list of 100 titles among 600",
    ]
    assert all(one.ours > 0 and one.theirs > 0 for one in rows)
    assert [str(one.bound) for one in rows] == ["≥ 1", "≥ 0.75", "≤ 1.5", "≤ 1.5"]
