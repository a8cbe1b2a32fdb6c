"""`commonroom search`, and what other commands do with the index."""

from __future__ import annotations

import asyncio
from pathlib import Path

from commonroom.house.search import open_indexer
from commonroom.open_store import open_store
from commonroom.search.embedded.engine import EmbeddedIndex
from commonroom.settings import Settings
from commonroom.store.streams import Worker
from tests.search.documents import film, put, remove, titles
from tests.search.things import BUILTIN
from tests.support.commands import Commands


def change(data: Path) -> None:
    """Makes the index differ from what is stored."""

    async def run() -> None:
        index = EmbeddedIndex(data / "search.db")
        await remove(index, ("film", "603"))
        await put(index, film("Left over"))
        await index.close()

    asyncio.run(run())


def follow(data: Path) -> None:
    """Lets the index follow all that has changed."""

    async def run() -> None:
        settings = Settings(data=data)
        async with open_store(settings) as store, open_indexer(settings, store) as indexer:
            await Worker(store, [indexer.consumer]).drain()

    asyncio.run(run())


def find(data: Path, text: str) -> list[str]:
    async def run() -> list[str]:
        index = EmbeddedIndex(data / "search.db")
        try:
            return await titles(index, text, limit=1)
        finally:
            await index.close()

    return asyncio.run(run())


class TestReindex:
    def test_it_builds_the_index_and_says_how_large_it_is(self, lived_in: Commands) -> None:
        ended = lived_in.ok("search", "reindex")
        assert ended.out == f"The search index is complete: {BUILTIN:,} documents.\n"
        assert f"Indexing built-in titles: {BUILTIN:,}" in ended.err
        assert find(lived_in.data, "the matrix") == ["The Matrix"]

    def test_programs_are_told_the_number(self, lived_in: Commands) -> None:
        ended = lived_in.ok("search", "reindex", "--json")
        assert (ended.json, ended.err) == ({"documents": BUILTIN}, "")

    def test_it_mends_what_differs(self, lived_in: Commands) -> None:
        lived_in.ok("search", "reindex")
        change(lived_in.data)
        lived_in.ok("search", "reindex")
        assert find(lived_in.data, "the matrix") == ["The Matrix"]
        assert find(lived_in.data, "left over") != ["Left over"]

    def test_it_replaces_a_damaged_file(self, lived_in: Commands) -> None:
        lived_in.ok("search", "reindex")
        with (lived_in.data / "search.db").open("r+b") as file:
            file.truncate(100_000)
        assert lived_in.ok("search", "reindex", "--json").json == {"documents": BUILTIN}

    def test_one_at_a_time(self, lived_in: Commands) -> None:
        async def begin() -> None:
            index = EmbeddedIndex(lived_in.data / "search.db")
            import time

            await index.begin_reindex("elsewhere", "somebody", time.time())
            await index.close()

        lived_in.ok("search", "reindex")
        asyncio.run(begin())
        assert "Another process" in lived_in("search", "reindex").sentence

    def test_on_dynamodb_too(self, on_dynamodb: Commands) -> None:
        assert "tables create" in on_dynamodb("search", "reindex").sentence
        on_dynamodb.ok("tables", "create")
        assert on_dynamodb.ok("search", "reindex", "--json").json == {"documents": BUILTIN}


class TestCheck:
    def test_it_finds_and_mends_what_differs(self, lived_in: Commands) -> None:
        lived_in.ok("search", "reindex")
        lived_in.ok("check")
        change(lived_in.data)
        assert lived_in.ok("check", "--json").json["on_its_way"] == 2, "nobody has followed yet"
        follow(lived_in.data)
        found = lived_in("check", "--json")
        assert found.code == 1
        assert {(one["table"], *one["key"]) for one in found.json["problems"]} == {
            ("film", "603"),
            ("film", "Left over"),
        }
        assert "2 repaired, 0 left" in lived_in.ok("check", "--repair").out
        lived_in.ok("check")

    def test_without_an_index_it_makes_none_unless_it_repairs(self, lived_in: Commands) -> None:
        lived_in.ok("check")
        assert not (lived_in.data / "search.db").exists()
        lived_in.ok("check", "--repair")
        assert find(lived_in.data, "the matrix") == ["The Matrix"]


def test_an_index_of_another_house_is_noticed_and_rebuilt(
    lived_in: Commands, tmp_path: Path
) -> None:
    lived_in.ok("search", "reindex")
    other = Settings(data=tmp_path / "other")
    asyncio.run(reindex_elsewhere(other))
    (lived_in.data / "search.db").write_bytes(other.search_file.read_bytes())
    shown = lived_in("doctor").out
    assert "it was made for other data" in shown
    lived_in.ok("search", "reindex")
    assert find(lived_in.data, "elsewhere") == []
    assert "it was made for other data" not in lived_in("doctor").out


async def reindex_elsewhere(settings: Settings) -> None:
    """Builds the index of another house, with something in it that is not in this one."""
    async with (
        open_store(settings, create=True) as store,
        open_indexer(settings, store) as indexer,
    ):
        await put(indexer.index, film("Elsewhere"))
        await indexer.index.reclaim_space()


def test_a_restored_backup_takes_the_index_away(lived_in: Commands, tmp_path: Path) -> None:
    lived_in.ok("search", "reindex")
    lived_in.ok("backup", str(tmp_path / "backup.db"))
    lived_in.ok("restore", str(tmp_path / "backup.db"), "--yes")
    assert not (lived_in.data / "search.db").exists()
