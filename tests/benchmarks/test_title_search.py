from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.title_search import compare


@pytest.mark.slow
async def test_every_kind_of_question_is_measured_twice_and_those_as_typed_against_fts5(
    tmp_path: Path,
) -> None:
    *kinds, bare = await compare(tmp_path, titles=200, asked=12)
    assert len(kinds) == 12
    assert {str(one.bound) for one in kinds} == {"≤ 1"}
    assert (bare.against, str(bare.bound)) == ("bare FTS5 queries", "≤ 1.5")
