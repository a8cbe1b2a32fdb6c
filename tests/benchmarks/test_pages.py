from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import pages
from tests.support.dynamodb_local import Unavailable


async def test_every_page_is_measured_against_an_earlier_commit(tmp_path: Path) -> None:
    try:
        rows = await pages.compare(tmp_path, commit="HEAD", rounds=1)
    except Unavailable as reason:  # unpacked from an archive
        pytest.skip(str(reason))
    names = [one.name.partition(" as HTML")[0] for one in rows]
    assert names == [
        "home", "the shelf of a library", "a household", "a round", "history", "a poll",
        "a checklist",
    ]  # fmt: skip
    assert all(one.ours > 0 and one.theirs > 0 for one in rows)


async def test_a_commit_that_is_not_here_leaves_them_out(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="does not have the commit"):
        await pages.compare(tmp_path, commit="0" * 40)
