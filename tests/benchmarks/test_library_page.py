from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.library_page import compare


@pytest.mark.slow
async def test_the_library_is_measured_through_its_service_and_over_http(tmp_path: Path) -> None:
    rows = await compare(tmp_path, few=100, many=200, rounds=1)
    name = "a page of 50 of 200 items"
    assert [one.name for one in rows] == [f"library, {name}", f"library over HTTP, {name}"]
    assert all(one.ours > 0 and one.theirs > 0 for one in rows)
    assert [str(one.bound) for one in rows] == ["≤ 1.5"] * 2
