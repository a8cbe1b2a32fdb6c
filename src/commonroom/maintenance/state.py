"""The state of maintenance: what was last done and how it ended, in a file beside the data file.

Not in the data file itself, which may be what is damaged.
"""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec
from msgspec import Struct

from commonroom.settings import Settings
from commonroom.store.embedded.data_file import damaged_files

FILE_NAME = "maintenance.json"
LOCK_NAME = "maintenance.lock"
RETRY_SECONDS = 3600.0


class Run(Struct, omit_defaults=True):
    """The last time that something was done."""

    tried_at: float = 0.0
    succeeded_at: float | None = None
    problem: str = ""
    """Why the last try failed; empty where it did not."""

    def may_try(self, now: float) -> bool:
        """Whether a failure, if there was one, is long enough ago."""
        return not self.problem or not self.tried_at <= now < self.tried_at + RETRY_SECONDS

    def succeed(self, now: float) -> None:
        """Notes a success."""
        self.tried_at, self.succeeded_at, self.problem = now, now, ""

    def fail(self, now: float, problem: str) -> None:
        """Notes a failure."""
        self.tried_at, self.problem = now, problem


class MaintenanceState(Struct):
    """What was done, and since when it is anybody's task."""

    since: float
    check: Run = msgspec.field(default_factory=Run)
    backup: Run = msgspec.field(default_factory=Run)


def read_state(settings: Settings) -> MaintenanceState | None:
    """Returns the state; None before the first start, or where it cannot be read."""
    try:
        return msgspec.json.decode(_path(settings).read_bytes(), type=MaintenanceState)
    except (OSError, msgspec.MsgspecError):
        return None


def write_state(settings: Settings, state: MaintenanceState) -> None:
    """Writes the state so that others read the old one or the new."""
    path = _path(settings)
    partial = path.with_name(f"{path.name}.partial")
    partial.touch(mode=0o600)
    partial.write_bytes(msgspec.json.format(msgspec.json.encode(state), indent=2))
    partial.replace(path)


def forget_damage(settings: Settings) -> None:
    """Says that damage is no longer known: the data has been replaced."""
    damaged_files.discard(settings.data_file)
    state = read_state(settings)
    if state is not None and state.check.problem:
        state.check.problem = ""
        write_state(settings, state)


def is_damage_known(settings: Settings) -> bool:
    """Whether this process, or the last integrity check of any, has found damage."""
    if settings.store != "embedded":
        return False
    state = read_state(settings)
    return settings.data_file in damaged_files or (state is not None and bool(state.check.problem))


@contextmanager
def exclusive(settings: Settings) -> Iterator[bool]:
    """Holds the lock that lets one process at a time do maintenance; False where another has it."""
    path = settings.data / LOCK_NAME
    path.touch(mode=0o600)
    with path.open("ab") as file:
        held = False
        with suppress(BlockingIOError):
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            held = True
        yield held  # closing the file lets go of it, as does the end of the process


def _path(settings: Settings) -> Path:
    return settings.data / FILE_NAME
