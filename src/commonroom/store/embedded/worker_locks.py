"""Worker locks: a file beside the data file for each worker, locked as long as its process runs."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from uuid import uuid4

MARK = "locked-"
"""Names of workers that have a lock begin with it; of others nobody can tell whether they run."""
TRIES = 3


class WorkerLocks:
    """The locks that this process holds, and the question whether another process holds one.

    The system frees a lock when its process ends, however that happens.
    """

    def __init__(self, data_file: Path) -> None:
        self._data_file = data_file
        self._held: dict[str, int] = {}

    def take(self) -> str:
        """Returns the name of a new worker; without the mark where the disk knows no locks."""
        for left in self._data_file.parent.glob(f"{self._data_file.name}-worker-{MARK}*"):
            _remove_if_free(left)
        for _ in range(TRIES):
            name = MARK + uuid4().hex
            try:
                self._held[name] = _create_locked(self._file(name))
            except OSError:
                continue
            return name
        return uuid4().hex

    def has_ended(self, worker: str) -> bool:
        """Whether a worker is known to run no more."""
        if not worker.startswith(MARK) or worker in self._held:
            return False
        return _remove_if_free(self._file(worker))

    def close(self) -> None:
        """Ends the workers of this process."""
        for name, descriptor in self._held.items():
            self._file(name).unlink(missing_ok=True)
            os.close(descriptor)
        self._held.clear()

    def _file(self, worker: str) -> Path:
        return self._data_file.with_name(f"{self._data_file.name}-worker-{worker}")


def _create_locked(path: Path) -> int:
    descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        # A process that looks for free locks may have found this one before it was taken.
        if path.stat().st_ino != os.fstat(descriptor).st_ino:
            raise FileNotFoundError(path)
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def _remove_if_free(path: Path) -> bool:
    """Removes the file of a free lock; False where it is held, or where that cannot be told."""
    try:
        descriptor = os.open(path, os.O_RDWR)
    except FileNotFoundError:
        return True
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        path.unlink(missing_ok=True)
    except OSError:
        return False
    finally:
        os.close(descriptor)
    return True
