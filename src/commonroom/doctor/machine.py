"""The machine and the data folder: versions, clock, disk, connections, and who can read what."""

from __future__ import annotations

import os
import platform
import resource
import shutil
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import apsw

from commonroom import __version__
from commonroom.errors import CommonroomError
from commonroom.http.connections import OTHER_FILES, connections_within, wanted_connections
from commonroom.joins.findings import Finding, ok, problem, warning
from commonroom.settings import DESCRIBED, Loaded, Settings, secrets_of
from commonroom.settings.secrets import FILE_NAME

RELEASED = datetime(2026, 1, 1, tzinfo=UTC).timestamp()
"""This version did not exist before."""
MIN_BYTES = 100 * 1024 * 1024
GOOD_BYTES = 1024 * 1024 * 1024
RIGHTS_OF_OTHERS = 0o077
"""The rights of everybody but the owner."""


def examine_versions() -> list[Finding]:
    """Returns what runs here."""
    return [
        ok("commonroom", __version__),
        ok("python", platform.python_version()),
        ok("sqlite", apsw.sqlite_lib_version()),
    ]


def examine_clock(now: float | None = None) -> Finding:
    """Whether the time can be right."""
    clock = datetime.fromtimestamp(time.time() if now is None else now, UTC)
    shown = clock.isoformat(timespec="seconds")
    if clock.timestamp() < RELEASED:
        return problem(
            "clock",
            f"says {shown}, which is long in the past",
            "Set the clock, preferably with NTP: expiry depends on it.",
        )
    return ok("clock", shown)


def examine_disk(settings: Settings) -> Finding:
    """Whether there is room for more data and for a restore."""
    return check_disk(settings, shutil.disk_usage(_existing(settings.data)).free)


def check_disk(settings: Settings, free: int) -> Finding:
    """Whether so many bytes are enough."""
    there = settings.data_file.stat().st_size if settings.data_file.exists() else 0
    shown = f"{free // 2**20:,} MB free where {settings.data} is"
    repair = "Free some space, or move the data folder to a larger disk."
    if free < MIN_BYTES:
        return problem("disk", shown, repair)
    if free < max(GOOD_BYTES, 2 * there):
        return warning("disk", f"{shown}; a restore needs twice the size of the data file", repair)
    return ok("disk", shown)


def examine_connections(settings: Settings) -> Finding:
    """Whether as many connections can be held as people may need."""
    _, files = resource.getrlimit(resource.RLIMIT_NOFILE)
    return check_connections(settings, files)


def check_connections(settings: Settings, files: int) -> Finding:
    """Whether so many open files are enough; a process raises its own limit up to them."""
    wanted = wanted_connections(settings)
    held = wanted if files == resource.RLIM_INFINITY else connections_within(files, wanted)
    shown = f"{held:,} at a time in each process"
    if held < settings.most_live_pages + settings.most_requests:
        return warning(
            "connections",
            f"{shown}: the system allows {files:,} open files",
            f"Let the process open {wanted + OTHER_FILES:,} files (LimitNOFILE= for systemd, "
            "--ulimit nofile= for Docker), or set fewer live pages.",
        )
    return ok("connections", f"{shown}, {settings.most_live_pages:,} of them live pages")


def _existing(path: Path) -> Path:
    """Returns the path, or the nearest folder above it that exists."""
    return next(one for one in (path, *path.absolute().parents) if one.exists())


def examine_data_folder(loaded: Loaded) -> list[Finding]:
    """Returns the folder, the secrets and the settings file."""
    settings = loaded.settings
    if not settings.data.exists():
        return [_not_there(settings)]
    if not settings.data.is_dir():
        repair = "Move that file away, or choose another folder with COMMONROOM_DATA."
        return [problem("data folder", f"{settings.data} is a file", repair)]
    return [
        _writable(settings.data),
        *_rights("data folder", settings.data),
        *_secrets(settings),
        *_settings_file(loaded),
    ]


def _not_there(settings: Settings) -> Finding:
    above = next(one for one in settings.data.absolute().parents if one.exists())
    if above.is_dir() and os.access(above, os.W_OK | os.X_OK):
        return ok("data folder", f"{settings.data} is created on the first start")
    return problem(
        "data folder",
        f"{settings.data} cannot be created in {above}",
        "Give the user that runs Commonroom write permission there, or choose another folder.",
    )


def _writable(data: Path) -> Finding:
    try:
        with tempfile.TemporaryFile(dir=data) as file:
            file.write(b"commonroom")
            file.flush()
    except OSError as error:
        return problem(
            "data folder",
            f"{data} is not writable: {error.strerror}",
            f"Give it to the user that runs Commonroom: chown -R <user> {data}",
        )
    return ok("data folder", f"{data} is writable")


def _rights(about: str, path: Path) -> Iterator[Finding]:
    mode = path.stat().st_mode & 0o777
    if mode & RIGHTS_OF_OTHERS:
        good = "700" if path.is_dir() else "600"
        yield warning(about, f"other users can access {path} ({mode:o})", f"chmod {good} {path}")


def _secrets(settings: Settings) -> Iterator[Finding]:
    path = settings.data / FILE_NAME
    if settings.secret_key:
        yield ok("secrets", "the key is set")
    elif not path.exists():
        yield ok("secrets", f"{path} is created on the first start")
    else:
        yield from _rights("secrets", path)
        try:
            secrets_of(settings)
        except CommonroomError as error:
            yield problem("secrets", error.detail, "Page links and sessions depend on it.")
        else:
            yield ok("secrets", f"{path} is valid")


def _settings_file(loaded: Loaded) -> Iterator[Finding]:
    secrets = [name for name, described in DESCRIBED.items() if described.secret]
    if loaded.file is not None and any(loaded.origins[one].kind == "file" for one in secrets):
        yield from _rights("settings file", loaded.file)
