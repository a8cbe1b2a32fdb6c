"""Where nothing can be written, everything can still be read."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

from commonroom.store import Store, put
from commonroom.store.embedded import EmbeddedEngine
from commonroom.store.embedded.backup import back_up, check_backup
from commonroom.store.embedded.read_only import (
    ReadOnlyEngine,
    is_read_only,
    open_read_only,
    unseen_log_bytes,
)
from commonroom.store.errors import ForeignFile, Unavailable
from tests.support.rights import as_nobody
from tests.support.world import TABLES, Name, names

ANN = Name(name="ann", holder="a")
BEN = Name(name="ben", holder="b")


@pytest.fixture
def elsewhere() -> Iterator[Path]:
    """A folder that everybody can write to."""
    with tempfile.TemporaryDirectory() as name:
        path = Path(name)
        path.chmod(0o777)
        yield path


def close(open_folder: Path) -> None:
    for file in open_folder.iterdir():
        file.chmod(0o444)
    open_folder.chmod(0o555)


async def fill(path: Path) -> Store:
    """A file with Ann in it, and Ben in its log."""
    store = Store(EmbeddedEngine(path, TABLES))
    await store.write(put(ANN))
    connection = apsw.Connection(str(path))
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    connection.close()
    await store.write(put(BEN))
    return store


@pytest.fixture
async def closed(open_folder: Path) -> Path:
    """A whole file, left in order."""
    store = await fill(open_folder / "data.db")
    await store.close()
    close(open_folder)
    return open_folder / "data.db"


@pytest.fixture
async def abandoned(open_folder: Path, tmp_path: Path) -> Path:
    """A file whose process was killed, with its log."""
    store = await fill(tmp_path / "data.db")
    for name in ("data.db", "data.db-wal"):
        shutil.copyfile(tmp_path / name, open_folder / name)
    await store.close()
    close(open_folder)
    return open_folder / "data.db"


class TestAClosedFolder:
    async def test_is_seen_as_such(self, closed: Path, tmp_path: Path) -> None:
        with as_nobody():
            assert is_read_only(closed)
        assert not is_read_only(tmp_path / "nothing.db")

    async def test_can_be_read(self, closed: Path) -> None:
        with as_nobody():
            store = Store(ReadOnlyEngine(closed, TABLES))
            assert await store.get(ANN.ref) == ANN
            assert len((await store.engine.scan(names, limit=10)).items) == 2
            assert await store.engine.missing_tables(TABLES) == []
            await store.close()
        assert [one.name for one in closed.parent.iterdir()] == ["data.db"]

    async def test_refuses_writes(self, closed: Path) -> None:
        with as_nobody():
            store = Store(ReadOnlyEngine(closed, TABLES))
            with pytest.raises(Unavailable, match="cannot be written here"):
                await store.write(put(ANN))
            await store.close()

    async def test_can_be_backed_up_elsewhere(self, closed: Path, elsewhere: Path) -> None:
        with as_nobody():
            await asyncio.to_thread(back_up, closed, elsewhere / "backup.db")
            check_backup(elsewhere / "backup.db")

    async def test_tells_whoever_wants_to_write_what_still_works(self, closed: Path) -> None:
        with as_nobody(), pytest.raises(Unavailable, match="backup to another place still work"):
            EmbeddedEngine(closed, TABLES)

    async def test_is_left_alone_where_the_file_is_not_ours(self, open_folder: Path) -> None:
        connection = apsw.Connection(str(open_folder / "data.db"))
        connection.execute("CREATE TABLE theirs (a)")
        connection.close()
        close(open_folder)
        with as_nobody(), pytest.raises(ForeignFile):
            ReadOnlyEngine(open_folder / "data.db", TABLES)


class TestALogThatCannotBeApplied:
    async def test_is_told_of(self, abandoned: Path) -> None:
        with as_nobody():
            assert unseen_log_bytes(abandoned) > 0
            store = Store(ReadOnlyEngine(abandoned, TABLES))
            assert await store.get(ANN.ref) == ANN
            assert await store.get(BEN.ref) is None
            await store.close()

    async def test_is_applied_where_it_can_be(self, tmp_path: Path) -> None:
        store = await fill(tmp_path / "data.db")
        assert unseen_log_bytes(tmp_path / "data.db") == 0
        connection = open_read_only(tmp_path / "data.db")
        assert connection.execute("SELECT count(*) FROM Names").get == 2
        connection.close()
        await store.close()
