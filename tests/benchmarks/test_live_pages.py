from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.live_pages import compare


@pytest.mark.slow
async def test_live_pages_are_measured_at_one_real_server(tmp_path: Path) -> None:
    rows = await compare(tmp_path, pages=20, silent=10)
    assert [one.unit for one in rows] == ["ms", "ms", "ms", "KB"]
    assert all("20 live pages and 10 silent" in one.name for one in rows[:3])
    assert all(one.ours > 0 for one in rows[:3])
