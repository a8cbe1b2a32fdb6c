"""Commands where nothing can be written."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from commonroom.store.embedded.backup import check_backup
from tests.support.commands import Commands
from tests.support.sample_data import THINGS


@pytest.fixture
def read_only(lived_in: Commands, monkeypatch: pytest.MonkeyPatch) -> Commands:
    """An installation on a disk that is mounted read-only, as the system tells of it.

    A test cannot mount one, and runs as root in some places, to whom no folder is closed.
    """
    access, opened = os.access, os.open

    def is_here(path: object) -> bool:
        return Path(str(path)).is_relative_to(lived_in.data)

    def check_access(path: str, mode: int, **more: bool) -> bool:
        return not (mode & os.W_OK and is_here(path)) and access(path, mode, **more)

    def refuse_to_write(path: str, flags: int, *more: int, **named: int) -> int:
        if flags & (os.O_RDWR | os.O_WRONLY | os.O_CREAT) and is_here(path):
            raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(path))
        return opened(path, flags, *more, **named)

    monkeypatch.setattr(os, "access", check_access)
    monkeypatch.setattr(os, "open", refuse_to_write)
    return lived_in


def names(folder: Path) -> set[str]:
    return {one.name for one in folder.iterdir()}


def test_what_only_reads_works_and_leaves_nothing(read_only: Commands, tmp_path: Path) -> None:
    before = names(read_only.data)
    assert f"Exported {len(THINGS)} items" in read_only.ok("export", "all").out
    assert f"{len(THINGS)} items, no problems" in read_only.ok("check").out
    read_only.ok("backup", str(tmp_path / "backup.db"))
    check_backup(tmp_path / "backup.db")
    found = read_only("doctor", "--json").json
    assert "all can be decoded" in next(one["detail"] for one in found if one["about"] == "items")
    assert names(read_only.data) == before


def test_the_server_says_why_it_cannot_start(read_only: Commands) -> None:
    sentence = read_only("serve", COMMONROOM_SECRET_KEY="k" * 40).sentence
    assert "Read-only file system" in sentence
    assert "export, doctor, check" in sentence
