"""What the doctor says of the search index."""

from __future__ import annotations

import time
from pathlib import Path

from commonroom.doctor.search import examine_search
from commonroom.joins.findings import Finding
from commonroom.search.embedded.engine import EmbeddedIndex
from commonroom.search.embedded.state import IndexCheckpoint
from commonroom.settings import Settings
from tests.search.documents import film, put


async def found(settings: Settings) -> Finding:
    """The first thing that is said."""
    finding, *_ = await examine_search(settings)
    assert finding.about == "search"
    return finding


async def test_a_file_that_is_not_there_is_made_by_a_server(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path)
    assert (await found(settings)).level == "ok"
    assert not settings.search_file.exists()


async def test_one_that_is_being_built_is_a_warning_and_a_complete_one_is_well(
    tmp_path: Path,
) -> None:
    settings = Settings(data=tmp_path)
    index = EmbeddedIndex(settings.search_file)
    await put(index, film("One"))
    finding = await found(settings)
    assert (finding.level, finding.detail) == ("warning", "the index is not complete")
    begun = await index.begin_reindex("a", "me", time.time())
    assert begun is not None
    assert "is being built: 0 documents" in (await found(settings)).detail
    await put(index, film("One"))
    await index.finish_reindex(begun)
    assert (await found(settings)).detail == "1 documents can be found"
    await index.close()


async def test_a_file_that_cannot_be_read_is_a_problem_and_stays_as_it_is(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path)
    settings.search_file.write_bytes(b"nonsense" * 100)
    finding = await found(settings)
    assert finding.level == "problem"
    assert "by itself" in finding.repair
    assert settings.search_file.read_bytes() == b"nonsense" * 100


async def test_an_index_of_a_machine_says_whether_it_follows_the_others(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path, store="dynamodb", dynamodb_region="local")
    index = EmbeddedIndex(settings.search_file)
    await index.state()
    now, levels = time.time(), ("warning", "warning", "ok")
    for followed_at, level in zip((None, now - 86_400, now), levels, strict=True):
        if followed_at is not None:
            await index.save_progress(IndexCheckpoint({}, followed_at))
        _, finding = await examine_search(settings)
        assert finding.level == level
        assert "the index of this machine" in finding.detail
    await index.close()
