"""How much processor time this process has used, with everything that it started."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

PROC = Path("/proc")


def processor_seconds() -> float:
    """Returns the seconds of this process, of its children that ended, and of all that still run.

    Only Linux tells of those that still run; elsewhere they count once they have ended.
    """
    ended = os.times()
    own = time.process_time() + ended.children_user + ended.children_system
    return own + sum(map(_seconds_of, _descendants(os.getpid())))


def _descendants(process: int) -> Iterator[int]:
    for child in _children(process):
        yield child
        yield from _descendants(child)


def _children(process: int) -> list[int]:
    try:
        threads = list((PROC / str(process) / "task").iterdir())
    except OSError:  # it has just ended, or this is not Linux
        return []
    return [int(child) for thread in threads for child in _read(thread / "children").split()]


def _seconds_of(process: int) -> float:
    """Returns what a process has used, with those of its children that it has seen end."""
    # The name of a program, in brackets, may hold anything; four of the fields after it are times.
    fields = _read(PROC / str(process) / "stat").rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def _read(file: Path) -> str:
    try:
        return file.read_text()
    except OSError:
        return ""
