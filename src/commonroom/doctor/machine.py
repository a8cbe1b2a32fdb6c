"""The machine: versions, clock and disk."""

from __future__ import annotations

import platform
import resource
import shutil
import time
from datetime import UTC, datetime
from pathlib import Path

import apsw

from commonroom import __version__
from commonroom.doctor.findings import Finding, ok, problem, warning
from commonroom.settings import Settings
from commonroom.web.connections import OTHER_FILES, connections_within, wanted_connections

RELEASED = datetime(2026, 1, 1, tzinfo=UTC).timestamp()
"""This version did not exist before."""

LEAST_BYTES = 100 * 1024 * 1024
GOOD_BYTES = 1024 * 1024 * 1024


def versions() -> list[Finding]:
    """What runs here."""
    return [
        ok("commonroom", __version__),
        ok("python", platform.python_version()),
        ok("sqlite", apsw.sqlite_lib_version()),
    ]


def clock(now: float | None = None) -> Finding:
    """Whether the time can be right."""
    told = datetime.fromtimestamp(time.time() if now is None else now, UTC)
    shown = told.isoformat(timespec="seconds")
    if told.timestamp() < RELEASED:
        return problem(
            "clock",
            f"says {shown}, which is long in the past",
            "Set the clock, preferably with NTP: expiry depends on it.",
        )
    return ok("clock", shown)


def free_space(settings: Settings) -> Finding:
    """Whether there is room for more data and for a restore."""
    return space(settings, shutil.disk_usage(_existing(settings.data)).free)


def space(settings: Settings, free: int) -> Finding:
    """Whether so many bytes are enough."""
    there = settings.data_file.stat().st_size if settings.data_file.exists() else 0
    shown = f"{free // 2**20:,} MB free where {settings.data} is"
    mend = "Free some space, or move the data folder to a larger disk."
    if free < LEAST_BYTES:
        return problem("disk", shown, mend)
    if free < max(GOOD_BYTES, 2 * there):
        return warning("disk", f"{shown}; a restore needs twice the size of the data file", mend)
    return ok("disk", shown)


def connections(settings: Settings) -> Finding:
    """Whether as many connections can be held as people may need."""
    _, files = resource.getrlimit(resource.RLIMIT_NOFILE)
    return room_for_connections(settings, files)


def room_for_connections(settings: Settings, files: int) -> Finding:
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
    """The path, or the nearest folder above it that exists."""
    return next(one for one in (path, *path.absolute().parents) if one.exists())
