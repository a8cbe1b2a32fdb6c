"""Every page has a checksum: what was altered on disk is found when it is read."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

import apsw
import pytest

from commonroom.store import Store, put
from commonroom.store.embedded import EmbeddedEngine
from commonroom.store.embedded.backup import back_up, check_backup, restore
from commonroom.store.embedded.checksums import has_checksums, open_with_checksums
from commonroom.store.embedded.data_file import (
    APPLICATION_ID,
    check_integrity,
    connect,
    damaged_files,
)
from commonroom.store.embedded.salvage import Salvage
from commonroom.store.errors import CorruptFile, ForeignFile
from tests.support.world import TABLES, Book, Name, house_books, names, world

PAGE = 4096
HEADER = (16, 100)
"""From the size of pages to SQLite's own version."""
RESERVED_AT = 20
"""Where the header says how many bytes at the end of each page are for its checksum."""
TITLE = "A quiet evening by the lake"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A data file with some books, closed."""

    async def fill() -> None:
        store = Store(EmbeddedEngine(tmp_path / "data.db", TABLES, durability="OFF"))
        for number in range(60):
            await store.write(put(Book(house_id="h", book_id=f"{number:03}", title=TITLE)))
        await store.close()

    asyncio.run(fill())
    return tmp_path / "data.db"


@pytest.fixture(autouse=True)
def _no_damage_known() -> None:
    damaged_files.clear()


def pages_of(path: Path, table: str = "%") -> list[int]:
    """The numbers of pages that hold something, of one table or of all."""
    with closing(apsw.Connection(str(path))) as connection:
        listed = connection.execute("SELECT pageno FROM dbstat WHERE name LIKE ?", (table,))
        return [row[0] for row in listed]


def flip(path: Path, at: int, bit: int = 0) -> None:
    content = bytearray(path.read_bytes())
    content[at] ^= 1 << bit
    path.write_bytes(content)


def flip_in_text(path: Path) -> None:
    """Changes one letter of a title, as a worn disk might: SQLite itself sees nothing wrong."""
    start = (max(pages_of(path, world.name)) - 1) * PAGE
    flip(path, path.read_bytes().index(TITLE.encode(), start) + 2)


def flip_anywhere(path: Path, random: Random) -> None:
    """Flips a bit of a page that is in use."""
    page = random.choice(pages_of(path))
    flip(path, (page - 1) * PAGE + random.randrange(100, PAGE), random.randrange(8))


def integrity(path: Path) -> None:
    with closing(connect(path, create=False)) as connection:
        check_integrity(connection, path)


class TestAFlippedBit:
    def test_in_a_text_fails_reads_instead_of_being_believed(self, path: Path) -> None:
        flip_in_text(path)

        async def read() -> None:
            store = Store(EmbeddedEngine(path, TABLES))
            try:
                async for _ in store.all(house_books(house_id="h")):
                    pass
            finally:
                await store.close()

        with pytest.raises(CorruptFile):
            asyncio.run(read())

    @pytest.mark.parametrize("seed", range(10))
    def test_anywhere_is_found_by_the_integrity_check(self, path: Path, seed: int) -> None:
        integrity(path)
        flip_anywhere(path, Random(seed))
        with pytest.raises(CorruptFile):
            integrity(path)

    def test_goes_into_no_backup(self, path: Path, tmp_path: Path) -> None:
        flip_in_text(path)
        with pytest.raises(CorruptFile):
            back_up(path, tmp_path / "backup.db")
        assert not (tmp_path / "backup.db").exists()

    def test_in_a_backup_is_found_before_it_is_restored(self, path: Path, tmp_path: Path) -> None:
        back_up(path, tmp_path / "backup.db")
        flip_in_text(tmp_path / "backup.db")
        with pytest.raises(CorruptFile):
            check_backup(tmp_path / "backup.db")

    @pytest.mark.parametrize("byte", range(*HEADER))
    def test_in_the_header_is_in_no_backup_and_none_that_has_it_is_called_whole(
        self, path: Path, tmp_path: Path, byte: int
    ) -> None:
        back_up(path, tmp_path / "whole.db")
        for original in (path, tmp_path / "whole.db"):
            for bit in range(8):
                altered = tmp_path / "altered.db"
                shutil.copy(original, altered)
                flip(altered, byte, bit)
                with pytest.raises((CorruptFile, ForeignFile)):
                    back_up(altered, tmp_path / "backup.db")
                with pytest.raises((CorruptFile, ForeignFile)):
                    check_backup(altered)
                for left in tmp_path.glob("altered.db*"):
                    left.unlink()
        assert not (tmp_path / "backup.db").exists()

    @pytest.mark.parametrize("bit", range(8))
    def test_in_the_mark_of_checksums_is_damage_that_a_backup_mends(
        self, path: Path, tmp_path: Path, bit: int
    ) -> None:
        back_up(path, tmp_path / "backup.db")
        flip(path, RESERVED_AT, bit)
        with pytest.raises(CorruptFile):
            opened(path)
        salvage = Salvage(path, TABLES)
        assert len(asyncio.run(salvage.scan(world, limit=1000)).items) == 60
        salvage.close()
        restore(path, tmp_path / "backup.db")
        integrity(path)
        assert opened(path)

    def test_does_not_keep_a_backup_from_being_restored(self, path: Path, tmp_path: Path) -> None:
        back_up(path, tmp_path / "backup.db")
        flip_in_text(path)
        kept = restore(path, tmp_path / "backup.db")
        assert kept is not None
        integrity(path)

    def test_is_named_by_a_salvage_that_brings_the_item_out(self, path: Path) -> None:
        flip_in_text(path)
        salvage = Salvage(path, TABLES)
        rows = asyncio.run(salvage.scan(world, limit=1000))
        salvage.close()
        altered = [world.key_of(item) for item in rows.items if item.get("Title") != TITLE]
        assert len(altered) == 1
        report = salvage.report.tables[world.name]
        assert altered[0] in report.altered_items
        assert report.altered < 60, "only what stood on that page is in doubt"
        assert not salvage.report.complete


def without_checksums(path: Path) -> None:
    """Makes a file as versions before checksums left it."""
    bare = path.with_name("bare.db")
    with closing(sqlite3.connect(path)) as old, closing(sqlite3.connect(bare)) as new:
        new.executescript("\n".join(old.iterdump()))
        new.executescript(
            f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = 2;"
            "PRAGMA journal_mode = wal;"
        )
    bare.replace(path)
    assert path.read_bytes()[20] == 0


def opened(path: Path) -> bool:
    """Opens a file as a server does, writes, and says whether it has checksums."""

    async def write() -> None:
        store = Store(EmbeddedEngine(path, TABLES))
        await store.write(put(Name(name="n", holder="ann")))
        await store.close()

    asyncio.run(write())
    return path.read_bytes()[20] == 8


class TestAFileOfBefore:
    def test_gets_checksums_when_it_is_opened(self, path: Path) -> None:
        without_checksums(path)
        assert opened(path)
        flip_in_text(path)
        with pytest.raises(CorruptFile):
            integrity(path)

    def test_is_left_as_it_is_while_somebody_else_has_it_open(self, path: Path) -> None:
        without_checksums(path)
        with closing(apsw.Connection(str(path))) as other:
            other.execute("SELECT count(*) FROM sqlite_schema").fetchall()
            assert not opened(path)
        assert opened(path)
        integrity(path)

    def test_without_room_for_checksums_takes_a_backup_that_has_them(
        self, path: Path, tmp_path: Path
    ) -> None:
        back_up(path, tmp_path / "backup.db")
        without_checksums(path)
        restore(path, tmp_path / "backup.db")
        integrity(path)
        assert opened(path)

    def test_can_be_restored_under_a_server_that_has_checksums(
        self, path: Path, tmp_path: Path
    ) -> None:
        back_up(path, tmp_path / "backup.db")
        without_checksums(tmp_path / "backup.db")
        with closing(connect(path)) as server:
            restore(path, tmp_path / "backup.db")
            for number in range(200):
                server.execute(
                    f'INSERT INTO "{names.name}" (Name, _item) VALUES (?, ?)',  # noqa: S608 - ours
                    (f"n{number}", b"\x80" * 100),
                )
        integrity(path)
        with closing(open_with_checksums(path)) as connection:
            assert has_checksums(connection)
        assert not list(tmp_path.glob("*.restoring"))
