from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import forgetful, pages
from commonroom.titles.posters import drawing_of
from tests.support.dynamodb_local import Unavailable


@pytest.mark.slow
async def test_every_page_is_measured_against_an_earlier_commit(tmp_path: Path) -> None:
    try:
        rows = await pages.compare(tmp_path, commit="HEAD", rounds=1)
    except Unavailable as reason:  # unpacked from an archive
        pytest.skip(str(reason))
    *compared, home = rows
    assert (home.name, home.bound and home.bound.limit) == ("home as HTML", 0.6)
    names = [one.name.partition(" as HTML")[0] for one in compared]
    pages_ = [
        "one’s profile", "the shelf of a library", "a household", "a round", "history", "a poll",
        "a checklist",
    ]  # fmt: skip
    assert names[::2] == names[1::2] == pages_
    assert ["nothing kept" in one.name for one in compared] == [False, True] * len(pages_)
    assert all(one.ours > 0 and one.theirs > 0 for one in rows)


def test_what_is_worked_out_for_a_page_can_be_forgotten() -> None:
    drawing_of("Emma")
    assert drawing_of.cache_info().currsize
    for clear in forgetful.caches():
        clear()
    assert not drawing_of.cache_info().currsize


async def test_a_commit_that_is_not_here_leaves_them_out(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="does not have the commit"):
        await pages.compare(tmp_path, commit="0" * 40)
