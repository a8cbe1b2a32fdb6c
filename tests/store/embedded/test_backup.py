"""Backups while the file is in use, and restoring them under a running server."""

from __future__ import annotations

import asyncio
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from commonroom.store import Store, put
from commonroom.store.embedded import EmbeddedEngine
from commonroom.store.embedded.backup import back_up, check_backup, restore
from commonroom.store.errors import CorruptFile, ForeignFile, Refused, StoreError, Unavailable
from tests.support.dynamodb_local import ROOT
from tests.support.world import TABLES, Name, names

LETTERS = "abcdefghij"


def write(file: Path, *wanted: str) -> None:
    """Write names as a server would, and leave the file as it leaves it."""

    async def run() -> None:
        store = Store(EmbeddedEngine(file, TABLES))
        for name in wanted:
            await store.write(put(Name(name=name, holder=name * 500)))
        await store.close()

    asyncio.run(run())


def stored(file: Path) -> list[str]:
    with closing(apsw.Connection(str(file), flags=apsw.SQLITE_OPEN_READONLY)) as connection:
        return [row[0] for row in connection.execute(f'SELECT Name FROM "{names.name}" ORDER BY 1')]  # noqa: S608 - our own name


def files(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())


def damage(file: Path, start: int, length: int) -> bytes:
    """Overwrite a part of a file, and give what the whole is now."""
    with file.open("r+b") as opened:
        opened.seek(start)
        opened.write(b"\xa5" * length)
    return file.read_bytes()


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data file with two names."""
    file = tmp_path / "commonroom.db"
    write(file, "ada", "bob")
    return file


class TestBackUp:
    def test_it_holds_everything_in_one_private_file(self, data: Path, tmp_path: Path) -> None:
        target = tmp_path / "backup.db"
        size = back_up(data, target)
        assert stored(target) == ["ada", "bob"]
        assert target.stat().st_size == size
        assert stat.S_IMODE(target.stat().st_mode) == 0o600
        assert files(tmp_path) == ["backup.db", "commonroom.db"]

    def test_it_is_of_the_moment_it_began_however_much_is_written_meanwhile(
        self, data: Path, tmp_path: Path
    ) -> None:
        write(data, *(f"{number:04}" for number in range(2500)))
        before = stored(data)
        told: list[tuple[int, int]] = []
        server = apsw.Connection(str(data))

        def progress(done: int, of: int) -> None:
            told.append((done, of))
            server.execute(f'DELETE FROM "{names.name}" WHERE Name = ?', (before[len(told)],))  # noqa: S608 - our own name

        back_up(data, tmp_path / "backup.db", progress=progress)
        server.close()
        assert stored(tmp_path / "backup.db") == before
        assert len(told) > 1, "one step says nothing of what happens between two"
        assert told == sorted(told), "it never started anew"
        assert told[-1][0] == told[-1][1]

    def test_it_overwrites_only_when_told_to(self, data: Path, tmp_path: Path) -> None:
        target = tmp_path / "backup.db"
        target.write_text("something else")
        with pytest.raises(Refused, match="exists already"):
            back_up(data, target)
        assert target.read_text() == "something else"
        back_up(data, target, force=True)
        assert stored(target) == ["ada", "bob"]

    def test_the_data_file_is_no_place_for_its_backup(self, data: Path) -> None:
        before = data.read_bytes()
        with pytest.raises(Refused, match="itself"):
            back_up(data, data.parent / "." / data.name, force=True)
        assert data.read_bytes() == before

    def test_what_an_interrupted_one_left_is_no_hindrance(self, data: Path, tmp_path: Path) -> None:
        (tmp_path / "backup.db.partial").write_text("half of a backup")
        back_up(data, tmp_path / "backup.db")
        assert stored(tmp_path / "backup.db") == ["ada", "bob"]

    def test_a_damaged_file_gives_no_backup(self, data: Path, tmp_path: Path) -> None:
        before = damage(data, 8192, 40_000)
        with pytest.raises(CorruptFile, match="damaged"):
            back_up(data, tmp_path / "backup.db")
        assert files(tmp_path) == [data.name]
        assert data.read_bytes() == before

    def test_a_missing_folder_is_a_sentence(self, data: Path, tmp_path: Path) -> None:
        with pytest.raises(Unavailable, match="cannot be written"):
            back_up(data, tmp_path / "nowhere" / "backup.db")


def foreign(file: Path) -> None:
    with closing(apsw.Connection(str(file))) as other:
        other.execute("CREATE TABLE theirs (a)")


def empty_database(file: Path) -> None:
    with closing(apsw.Connection(str(file))) as other:
        other.pragma("user_version", 1)


NO_BACKUPS: dict[str, tuple[Callable[[Path], object], type[StoreError]]] = {
    "missing": (lambda file: None, ForeignFile),
    "empty": (lambda file: file.write_bytes(b""), ForeignFile),
    "text": (lambda file: file.write_text("a shopping list " * 100), ForeignFile),
    "of another program": (foreign, ForeignFile),
    "an empty database": (empty_database, ForeignFile),
}


class TestCheckBackup:
    @pytest.mark.parametrize("what", NO_BACKUPS)
    def test_what_is_no_backup_is_refused_and_left_alone(self, tmp_path: Path, what: str) -> None:
        file = tmp_path / "backup.db"
        make, error = NO_BACKUPS[what]
        make(file)
        before = file.read_bytes() if file.exists() else None
        with pytest.raises(error):
            check_backup(file)
        assert (file.read_bytes() if file.exists() else None) == before
        assert set(files(tmp_path)) <= {file.name}

    def test_a_damaged_backup_is_refused(self, data: Path, tmp_path: Path) -> None:
        back_up(data, tmp_path / "backup.db")
        damage(tmp_path / "backup.db", 8192, 40_000)
        with pytest.raises(CorruptFile, match="damaged"):
            check_backup(tmp_path / "backup.db")

    def test_one_of_a_newer_commonroom_is_refused(self, data: Path) -> None:
        with closing(apsw.Connection(str(data))) as connection:
            connection.pragma("user_version", 99)
        with pytest.raises(ForeignFile, match="newer Commonroom"):
            check_backup(data)


@pytest.fixture
def backup(data: Path, tmp_path: Path) -> Path:
    """A backup with two names; the data file has gone on since."""
    file = tmp_path / "backup.db"
    back_up(data, file)
    write(data, *LETTERS)
    return file


@pytest.fixture
def server(data: Path) -> Iterator[apsw.Connection]:
    """A connection that another process could have."""
    connection = apsw.Connection(str(data))
    connection.set_busy_timeout(10)
    yield connection
    connection.close()


class TestRestore:
    def test_the_data_is_the_backup_and_the_old_data_is_kept(
        self, data: Path, backup: Path
    ) -> None:
        kept = restore(data, backup)
        assert kept is not None
        assert kept.name.startswith(f"{data.name}.before-restore-")
        assert stat.S_IMODE(kept.stat().st_mode) == 0o600
        assert stored(data) == ["ada", "bob"]
        assert stored(kept) == sorted(["ada", "bob", *LETTERS])
        check_backup(kept)
        write(data, "eve")
        assert stored(data) == ["ada", "bob", "eve"]

    def test_two_restores_in_one_second_keep_both(self, data: Path, backup: Path) -> None:
        assert restore(data, backup) != restore(data, backup)

    def test_where_there_is_no_data_nothing_is_kept(self, tmp_path: Path, backup: Path) -> None:
        fresh = tmp_path / "fresh.db"
        assert restore(fresh, backup) is None
        assert stored(fresh) == ["ada", "bob"]

    def test_a_server_that_has_the_file_open_sees_the_new_data_and_goes_on(
        self, data: Path, backup: Path, server: apsw.Connection
    ) -> None:
        count = f'SELECT count(*) FROM "{names.name}"'  # noqa: S608 - our own name
        assert server.execute(count).get == 2 + len(LETTERS)
        restore(data, backup)
        assert server.execute(count).get == 2
        server.execute(f'DELETE FROM "{names.name}" WHERE Name = ?', ("ada",))  # noqa: S608 - our own name
        assert server.pragma("integrity_check") == "ok"
        assert stored(data) == ["bob"]

    def test_a_server_can_read_but_not_write_while_it_lasts(
        self, data: Path, backup: Path, server: apsw.Connection
    ) -> None:
        write(data, *(f"{number:04}" for number in range(2500)))
        back_up(data, backup, force=True)
        server.execute(f'DELETE FROM "{names.name}" WHERE Name < ?', ("a",))  # noqa: S608 - our own name
        steps = 0

        def meanwhile(done: int, of: int) -> None:
            nonlocal steps
            if done < of:
                steps += 1
                assert server.execute(f'SELECT min(Name) FROM "{names.name}"').get == "a"  # noqa: S608 - our own name
                with pytest.raises(apsw.BusyError):
                    server.execute(f'DELETE FROM "{names.name}"')  # noqa: S608 - our own name

        restore(data, backup, progress=meanwhile)
        assert steps
        assert len(stored(data)) == 2500 + 2 + len(LETTERS)

    def test_one_that_is_killed_has_changed_nothing(self, data: Path, backup: Path) -> None:
        program = (
            "import os, sys, pathlib\n"
            "from commonroom.store.embedded import backup\n"
            "backup.STEP_PAGES = 1\n"
            "backup.restore(*map(pathlib.Path, sys.argv[1:]), progress=lambda done, of: "
            "os._exit(9) if done > of // 2 else None)\n"
        )
        command = [sys.executable, "-c", program, str(data), str(backup)]
        assert subprocess.run(command, cwd=ROOT, check=False).returncode == 9
        assert stored(data) == sorted(["ada", "bob", *LETTERS])
        restore(data, backup)
        assert stored(data) == ["ada", "bob"]

    @pytest.mark.parametrize("start", [100, 8192])
    def test_damaged_data_can_be_restored_and_is_kept_as_it_was(
        self, data: Path, backup: Path, start: int
    ) -> None:
        damage(data, start, 3000)
        kept = restore(data, backup)
        assert kept is not None
        assert b"\xa5" * 3000 in kept.read_bytes()
        assert stored(data) == ["ada", "bob"]
        check_backup(data)

    def test_data_that_ends_too_early_can_be_restored(self, data: Path, backup: Path) -> None:
        with data.open("r+b") as file:
            file.truncate(10_000)
        assert restore(data, backup) is not None
        assert stored(data) == ["ada", "bob"]

    def test_a_foreign_file_is_not_written_over(self, tmp_path: Path, backup: Path) -> None:
        theirs = tmp_path / "theirs.db"
        foreign(theirs)
        before = theirs.read_bytes()
        with pytest.raises(ForeignFile, match="move it away"):
            restore(theirs, backup)
        assert theirs.read_bytes() == before

    def test_a_damaged_backup_changes_nothing(self, data: Path, backup: Path) -> None:
        damage(backup, 8192, 40_000)
        before = stored(data)
        with pytest.raises(CorruptFile):
            restore(data, backup)
        assert stored(data) == before
        assert not list(data.parent.glob("*.before-restore-*"))

    def test_the_data_file_is_no_backup_of_itself(self, data: Path) -> None:
        with pytest.raises(Refused, match="itself"):
            restore(data, data)
