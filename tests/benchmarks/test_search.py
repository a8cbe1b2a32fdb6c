from __future__ import annotations

from pathlib import Path

from benchmarks.search import compare


async def test_every_kind_of_question_is_measured_twice_and_one_against_a_scan(
    tmp_path: Path,
) -> None:
    first, *kinds, scan = await compare(tmp_path, items=60, asked=3)
    assert first.name.startswith("first search of 60 items")
    assert len(kinds) == 12
    assert [str(one.bound) for one in kinds] == ["≤ 1"] * 12
    assert (first.bound, scan.bound) == (None, None)
    assert scan.against == "a bare rapidfuzz scan"
