"""A file that is not ours, or no longer whole, is refused with a sentence and left as it is."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
from pathlib import Path

import apsw
import pytest

from commonroom.store import Store, create, put
from commonroom.store.embedded import EmbeddedEngine
from commonroom.store.embedded.data_file import APPLICATION_ID, FORMAT, connect
from commonroom.store.errors import CorruptFile, ForeignFile, StoreError, Unavailable
from tests.support import world
from tests.support.rights import as_nobody
from tests.support.world import TABLES, Book, Name


def contents(folder: Path) -> dict[str, bytes]:
    """All files of a folder, to the byte."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def without_log(files: dict[str, bytes]) -> dict[str, bytes]:
    """Without what SQLite keeps beside a file while it looks at it."""
    return {name: data for name, data in files.items() if not name.endswith(("-wal", "-shm"))}


def refused(path: Path, error: type[StoreError]) -> str:
    """The one sentence with which a file is refused; asserts that nothing was touched."""
    before = contents(path.parent)
    with pytest.raises(error) as caught:
        EmbeddedEngine(path, TABLES)
    after = contents(path.parent)
    assert without_log(after) == without_log(before)
    assert after == before or error is CorruptFile, "beside a foreign file no trace is left either"
    assert re.fullmatch(r"[^.]*?(\S*\.\S+)?[^.]*\.", caught.value.detail), "one sentence"
    assert str(path) in caught.value.detail
    return caught.value.detail


async def made(path: Path, books: int = 0) -> Path:
    """A data file of ours, closed."""
    store = Store(EmbeddedEngine(path, TABLES, durability="OFF"))
    for number in range(books):
        await store.write(put(Book(house_id="h", book_id=f"{number}", title="x" * 3000)))
    await store.close()
    return path


class TestAFileOfSomebodyElse:
    def test_that_is_text_is_refused(self, tmp_path: Path) -> None:
        path = tmp_path / "letter.txt"
        path.write_text("Dear diary, " * 1000)

        assert "not a Commonroom data file" in refused(path, ForeignFile)

    @pytest.mark.parametrize("size", [1, 15, 16, 100, 5000])
    def test_that_is_of_any_size_is_refused(self, tmp_path: Path, size: int) -> None:
        path = tmp_path / "noise.bin"
        path.write_bytes(bytes(range(1, 251)) * 20)
        os.truncate(path, size)

        refused(path, ForeignFile)

    def test_that_is_another_programs_database_is_refused(self, tmp_path: Path) -> None:
        path = tmp_path / "photos.db"
        with sqlite3.connect(path) as other:
            other.execute("CREATE TABLE photos (name TEXT)")
        other.close()

        assert "another program" in refused(path, ForeignFile)

    def test_that_has_a_log_of_its_own_is_refused(self, tmp_path: Path) -> None:
        path = tmp_path / "photos.db"
        other = sqlite3.connect(path)
        other.execute("PRAGMA journal_mode = wal")
        other.execute("CREATE TABLE photos (name TEXT)")
        other.commit()

        # While the other program has it open, so that the log is in use.
        with pytest.raises(ForeignFile, match="another program"):
            EmbeddedEngine(path, TABLES)

        assert other.execute("SELECT count(*) FROM photos").fetchone() == (0,)
        assert other.execute("PRAGMA application_id").fetchone() == (0,)
        other.close()

    def test_with_a_mark_of_its_own_is_refused_though_it_is_empty(self, tmp_path: Path) -> None:
        path = tmp_path / "map.gpkg"
        with sqlite3.connect(path) as other:
            other.execute("PRAGMA application_id = 1196444487")
        other.close()

        refused(path, ForeignFile)

    def test_with_an_interrupted_write_is_left_to_its_program(self, tmp_path: Path) -> None:
        path = interrupted(tmp_path, mark=7)

        refused(path, ForeignFile)


def interrupted(folder: Path, mark: int) -> Path:
    """A database whose writer died in the middle of a transaction, before there was a log."""
    origin, path = folder / "origin" / "x.db", folder / "x.db"
    origin.parent.mkdir()
    writer = apsw.Connection(str(origin))
    writer.execute(f"PRAGMA application_id = {mark}; PRAGMA cache_size = 1")
    writer.execute("CREATE TABLE t (x); BEGIN")
    for _ in range(200):
        writer.execute("INSERT INTO t VALUES (randomblob(3000))")
    for name in ("x.db", "x.db-journal"):
        shutil.copy(origin.with_name(name), folder / name)
    writer.close()
    shutil.rmtree(origin.parent)
    return path


class TestAFileOfOurs:
    async def test_says_what_it_is(self, tmp_path: Path) -> None:
        path = await made(tmp_path / "data.db")

        head = path.read_bytes()[:100]
        assert head[68:72] == b"CMRM"
        assert int.from_bytes(head[60:64]) == FORMAT

    async def test_that_is_newer_is_refused(self, tmp_path: Path) -> None:
        path = await made(tmp_path / "data.db")
        with sqlite3.connect(path) as later:
            later.execute(f"PRAGMA user_version = {FORMAT + 1}")
        later.close()

        assert "newer Commonroom" in refused(path, ForeignFile)

    async def test_that_became_newer_a_moment_ago_is_refused(self, tmp_path: Path) -> None:
        path = await made(tmp_path / "data.db")
        later = sqlite3.connect(path)
        later.execute(f"PRAGMA user_version = {FORMAT + 1}")  # in the log, not in the file yet

        with pytest.raises(ForeignFile, match="newer Commonroom"):
            EmbeddedEngine(path, TABLES)
        later.close()

    async def test_whose_writer_died_while_it_was_made_is_mended(self, tmp_path: Path) -> None:
        path = interrupted(tmp_path, mark=APPLICATION_ID)

        store = Store(EmbeddedEngine(path, TABLES))
        await store.write(create(Name(name="n", holder="ann")))

        assert await store.get(Name.at(name="n")) == Name(name="n", holder="ann")
        await store.close()

    async def test_that_is_empty_is_made_anew(self, tmp_path: Path) -> None:
        path = tmp_path / "data.db"
        path.touch()

        assert (await made(path, books=1)).stat().st_size > 0

    @pytest.mark.parametrize("kept", [0.1, 0.5, 0.9])
    async def test_that_is_cut_short_is_refused_or_found_damaged(
        self, tmp_path: Path, kept: float
    ) -> None:
        path = await made(tmp_path / "data.db", books=100)
        os.truncate(path, int(path.stat().st_size * kept) // 4096 * 4096)

        await found_damaged(path)

    @pytest.mark.parametrize("page", [1, 3, 10, 40])
    async def test_that_is_damaged_inside_is_refused_or_found_damaged(
        self, tmp_path: Path, page: int
    ) -> None:
        path = await made(tmp_path / "data.db", books=100)
        with path.open("r+b") as file:
            file.seek(page * 4096)
            file.write(b"\xde\xad\xbe\xef" * 1024)

        await found_damaged(path)

    async def test_that_is_damaged_at_its_very_beginning_is_refused(self, tmp_path: Path) -> None:
        path = await made(tmp_path / "data.db", books=10)
        with path.open("r+b") as file:
            file.write(b"\x00" * 16)

        refused(path, ForeignFile)

    async def test_whose_schema_is_damaged_is_refused(self, tmp_path: Path) -> None:
        path = await made(tmp_path / "data.db", books=10)
        with path.open("r+b") as file:
            file.seek(100)
            file.write(b"\xff" * 3000)

        refused(path, CorruptFile)


async def found_damaged(path: Path) -> None:
    """Asserts that a damaged file is refused at once, or at least when it is looked through."""
    before = without_log(contents(path.parent))
    with pytest.raises(CorruptFile, match="damaged"):
        await looked_through(path)
    assert without_log(contents(path.parent)) == before


async def looked_through(path: Path) -> None:
    engine = EmbeddedEngine(path, TABLES)
    try:
        await engine.check_integrity()
    finally:
        await engine.close()


class TestReadingDamage:
    async def test_is_told_as_damage(self, tmp_path: Path) -> None:
        path = await made(tmp_path / "data.db", books=200)
        size = path.stat().st_size
        with path.open("r+b") as file:
            for page in range(size // 4096 // 2, size // 4096):
                file.seek(page * 4096)
                file.write(b"\xff" * 4096)
        store = Store(EmbeddedEngine(path, TABLES))

        with pytest.raises(CorruptFile, match="damaged"):
            async for _ in store.all(world.house_books(house_id="h")):
                pass
        with pytest.raises(CorruptFile):
            await each_by_itself(store)
        with pytest.raises(CorruptFile):
            await store.batch_get([Book.at(house_id="h", book_id=f"{n}") for n in range(200)])
        with pytest.raises(CorruptFile):
            await store.write(*(put(Book(house_id="h", book_id=f"{n}")) for n in range(100)))
        await store.close()


async def each_by_itself(store: Store) -> None:
    for number in range(200):
        await store.get(Book.at(house_id="h", book_id=f"{number}"))


class TestAPlace:
    def test_in_a_folder_that_is_not_there_is_refused(self, tmp_path: Path) -> None:
        path = tmp_path / "nowhere" / "data.db"

        with pytest.raises(Unavailable, match="cannot be opened"):
            EmbeddedEngine(path, TABLES)

        assert not path.parent.exists()

    def test_that_is_a_folder_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(Unavailable, match="cannot be opened"):
            EmbeddedEngine(tmp_path, TABLES)

    def test_without_a_file_is_refused_by_whoever_only_looks(self, tmp_path: Path) -> None:
        with pytest.raises(ForeignFile, match="no data file"):
            connect(tmp_path / "data.db", create=False)

        assert not (tmp_path / "data.db").exists()


def close_all(folder: Path, file: Path) -> None:
    file.chmod(0o444)
    folder.chmod(0o555)


class TestWithoutTheRight:
    def test_to_write_in_a_folder_no_file_is_made(self, open_folder: Path) -> None:
        open_folder.chmod(0o555)

        with as_nobody():
            refused(open_folder / "data.db", Unavailable)

    async def test_to_read_a_file_it_is_refused(self, open_folder: Path) -> None:
        path = await made(open_folder / "data.db")
        path.chmod(0o000)

        with as_nobody(), pytest.raises(Unavailable, match="check its folder and rights"):
            EmbeddedEngine(path, TABLES)

    async def test_to_write_to_a_file_nothing_is_written(self, open_folder: Path) -> None:
        path = await made(open_folder / "data.db", books=1)
        close_all(open_folder, path)

        with as_nobody():
            refused(path, Unavailable)
