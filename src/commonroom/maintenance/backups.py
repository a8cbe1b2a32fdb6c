"""Scheduled backups: taken, checked, and only then older ones deleted."""

from __future__ import annotations

import re
import shutil
from datetime import UTC, datetime
from pathlib import Path

from commonroom.moments import is_future
from commonroom.settings import Settings
from commonroom.store.embedded.backup import back_up, check_backup
from commonroom.store.errors import StoreError, Unavailable

FREE_BYTES = 100 * 1024 * 1024
"""How much must stay free on the disk."""

_NAME = re.compile(r"commonroom-\d{8}T\d{6}Z\.db")


def backup_folder(settings: Settings) -> Path:
    """Returns where scheduled backups are."""
    return Path(settings.backup_folder) if settings.backup_folder else settings.data / "backups"


def list_backups(settings: Settings) -> list[Path]:
    """Returns the scheduled backups that are there, the newest first."""
    folder = backup_folder(settings)
    if not folder.is_dir():
        return []
    return sorted((one for one in folder.iterdir() if _NAME.fullmatch(one.name)), reverse=True)


def taken_at(backup: Path) -> float:
    """Returns the moment in a backup's name."""
    stamp = datetime.strptime(backup.stem, "commonroom-%Y%m%dT%H%M%SZ")
    return stamp.replace(tzinfo=UTC).timestamp()


def take_backup(settings: Settings, now: float, *, delete_old: bool) -> Path:
    """Takes a backup and checks it; then deletes those that are more than are to be kept."""
    folder = backup_folder(settings)
    target = folder / f"commonroom-{datetime.fromtimestamp(now, UTC):%Y%m%dT%H%M%SZ}.db"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for partial in folder.glob("commonroom-*.db.partial"):
            partial.unlink()  # of a process that was ended meanwhile; only one does this at a time
        _check_room(settings, folder)
        back_up(settings.data_file, target, force=True)
        if delete_old:
            # What a clock of before, which was ahead, has named is not the newest.
            backups = sorted(list_backups(settings), key=lambda one: is_future(taken_at(one), now))
            for old in backups[settings.backups_kept :]:
                old.unlink()
    except OSError as error:
        raise Unavailable(f"{folder} cannot be written: {error.strerror}.") from error
    return target


def find_newest(settings: Settings) -> Path:
    """Returns the newest backup that is whole."""
    for backup in list_backups(settings):
        try:
            check_backup(backup)
        except StoreError:
            continue
        return backup
    raise Unavailable(f"There is no whole backup in {backup_folder(settings)}.")


def _check_room(settings: Settings, folder: Path) -> None:
    size = settings.data_file.stat().st_size
    free = shutil.disk_usage(folder).free
    if free < size + FREE_BYTES:
        raise Unavailable(
            f"The disk of {folder} is nearly full: a backup takes up to {size:,} bytes, and "
            f"{free:,} are free. Older backups are kept."
        )
