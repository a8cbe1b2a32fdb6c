"""The index file: lost, damaged, cut short, old or somebody else's, it is made anew."""

from __future__ import annotations

import logging
import stat
from pathlib import Path

import apsw
import pytest

from commonroom.search.embedded.engine import EmbeddedIndex
from commonroom.search.index import IndexReplaced, SearchUnavailable
from commonroom.search.queries import SearchQuery
from tests.search.documents import film, put, titles


@pytest.fixture
async def filled(embedded_index: EmbeddedIndex) -> EmbeddedIndex:
    begun = await embedded_index.begin_reindex("a", "me", 0.0)
    assert begun is not None
    await put(embedded_index, *(film(f"Film number {n}") for n in range(200)))
    await embedded_index.finish_reindex(begun)
    return embedded_index


async def assert_works_anew(index: EmbeddedIndex) -> None:
    """It answers, knows that it is not complete, and takes documents."""
    await titles(index, "film")
    state = await index.state()
    assert state.declared == ""
    await put(index, film("After"))
    assert await titles(index, "after") == ["After"]
    await index.verify()
    assert (await index.state()).documents == 1


async def test_a_file_that_is_deleted_while_it_is_open_is_made_anew(filled: EmbeddedIndex) -> None:
    for suffix in ("", "-wal", "-shm"):
        filled.path.with_name(f"{filled.path.name}{suffix}").unlink()
    await assert_works_anew(filled)


async def test_a_file_that_is_cut_short_while_it_is_open_is_made_anew(
    filled: EmbeddedIndex, caplog: pytest.LogCaptureFixture
) -> None:
    size = filled.path.stat().st_size
    with filled.path.open("r+b") as file:
        file.truncate(size // 2)
    with caplog.at_level(logging.WARNING):
        await filled.verify()
        await assert_works_anew(filled)
    assert "Rebuilding the search index" in caplog.text


async def test_a_file_that_is_emptied_while_it_is_open_is_made_anew(filled: EmbeddedIndex) -> None:
    with filled.path.open("r+b") as file:
        file.truncate(0)
    await filled.verify()
    await assert_works_anew(filled)


async def test_a_file_that_is_overwritten_with_noise_is_made_anew(filled: EmbeddedIndex) -> None:
    page = 4096
    with filled.path.open("r+b") as file:
        file.seek(page)
        file.write(b"\xa5" * (filled.path.stat().st_size - page))
    other = EmbeddedIndex(filled.path)  # what is open has most of it in memory
    try:
        for text in ("film", "number", "film number 77"):
            await other.search(SearchQuery(text=text))
        await other.verify()
        await assert_works_anew(other)
    finally:
        await other.close()
    assert await titles(filled, "after") == ["After"], "whoever had it open before sees the new one"


async def test_a_file_of_another_version_is_made_anew(filled: EmbeddedIndex) -> None:
    await filled.close()
    connection = apsw.Connection(str(filled.path))
    connection.pragma("user_version", 99)
    connection.close()
    await assert_works_anew(filled)


@pytest.mark.parametrize("content", [b"not a database at all" * 100, b"x"])
async def test_a_file_that_is_no_index_is_kept_under_another_name(
    tmp_path: Path, content: bytes
) -> None:
    path = tmp_path / "search.db"
    path.write_bytes(content)
    index = EmbeddedIndex(path)
    await assert_works_anew(index)
    await index.close()
    assert (tmp_path / "search.db.foreign").read_bytes() == content


async def test_a_database_of_another_program_is_kept_under_another_name(tmp_path: Path) -> None:
    path = tmp_path / "search.db"
    connection = apsw.Connection(str(path))
    connection.execute("CREATE TABLE theirs (x); INSERT INTO theirs VALUES (42)")
    connection.close()
    index = EmbeddedIndex(path)
    await assert_works_anew(index)
    await index.close()
    kept = apsw.Connection(str(tmp_path / "search.db.foreign"))
    assert kept.execute("SELECT x FROM theirs").get == 42
    kept.close()


async def test_what_was_worked_out_for_a_file_that_is_lost_is_not_put_into_the_next(
    filled: EmbeddedIndex,
) -> None:
    ticket = await filled.ticket()
    filled.path.unlink()
    with pytest.raises(IndexReplaced):
        await filled.apply(ticket, {("film", "1"): film("Of before")})


async def test_only_its_owner_can_read_it(filled: EmbeddedIndex) -> None:
    assert stat.S_IMODE(filled.path.stat().st_mode) == 0o600


async def test_words_of_what_was_removed_are_nowhere_in_the_file(
    embedded_index: EmbeddedIndex,
) -> None:
    secret = film("Xylophonist", id="1", names=("Quetzalcoatl",), text="On zugzwang.")
    await put(embedded_index, film("Other"), secret)
    await embedded_index.apply(await embedded_index.ticket(), {secret.key: None})
    begun = await embedded_index.begin_reindex("a", "me", 0.0)
    assert begun is not None
    await put(embedded_index, film("Other"))
    await embedded_index.finish_reindex(begun)
    await embedded_index.close()
    content = b"".join(path.read_bytes() for path in embedded_index.path.parent.iterdir())
    for word in (b"xylophon", b"Xylophon", b"xylop", b"quetz", b"zugzw"):
        assert word not in content


async def test_a_file_of_another_store_is_made_anew(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "search.db"
    for store_id in ("one", "one", "other"):
        index = EmbeddedIndex(path, store_id=store_id)
        known = await titles(index, "quagmire")
        await put(index, film("Quagmire Almanac"))
        await index.close()
    assert known == []
    assert "made for other data" in caplog.text
    assert not path.with_name("search.db.foreign").exists(), "it is ours, and can be built again"

    index = EmbeddedIndex(path, store_id="one", only_reading=True)
    with pytest.raises(SearchUnavailable, match="other data"):
        await index.state()
    index = EmbeddedIndex(path, store_id="other", only_reading=True)
    assert (await index.state()).documents == 1
    await index.close()


async def test_a_file_of_which_nobody_knows_the_store_is_made_anew(filled: EmbeddedIndex) -> None:
    index = EmbeddedIndex(filled.path, store_id="one")
    assert (await index.state()).documents == 0
    await index.close()


async def test_a_log_that_somebody_reads_is_left_for_the_next_time(filled: EmbeddedIndex) -> None:
    await put(filled, film("Quagmire Almanac"))
    reader = apsw.Connection(str(filled.path), apsw.SQLITE_OPEN_READONLY)
    reader.execute("BEGIN; SELECT count(*) FROM documents").fetchall()
    log = filled.path.with_name("search.db-wal")
    await filled.reclaim_space()
    assert log.stat().st_size
    reader.execute("COMMIT")
    await filled.reclaim_space()
    assert not log.stat().st_size
    assert await titles(filled, "almanac") == ["Quagmire Almanac"]
    reader.close()


class TestOnlyReading:
    async def test_makes_no_file(self, tmp_path: Path) -> None:
        index = EmbeddedIndex(tmp_path / "search.db", only_reading=True)
        with pytest.raises(SearchUnavailable, match="no search index yet"):
            await index.state()
        assert not index.path.exists()

    async def test_leaves_a_damaged_file_alone(self, filled: EmbeddedIndex) -> None:
        await filled.close()
        with filled.path.open("r+b") as file:
            file.truncate(8192)
        index = EmbeddedIndex(filled.path, only_reading=True)
        with pytest.raises(SearchUnavailable):
            await index.verify()
        await index.close()
        assert filled.path.stat().st_size == 8192

    async def test_reads_what_is_there(self, filled: EmbeddedIndex) -> None:
        index = EmbeddedIndex(filled.path, only_reading=True)
        assert (await index.state()).documents == 200
        await index.verify()
        await index.close()
