"""Caches of what other servers gave: in memory, in a folder; and one request for all who wait."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Callable, Coroutine
from contextlib import suppress
from pathlib import Path
from typing import Any, Generic, TypeVar

from commonroom.moments import elapsed
from commonroom.outgoing.fetcher import OutgoingError, Unreachable

T = TypeVar("T")

PICTURE_TYPES = frozenset({"image/jpeg", "image/png", "image/webp"})
MAX_PICTURES = 2000
PICTURE_SECONDS = 150 * 24 * 3600
"""Less than the six months for which TMDB, for one, lets its things be kept."""


class TtlCache(Generic[T]):
    """Values by key, each for so many seconds; the oldest goes where there are too many."""

    def __init__(self, most: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = most
        self._clock = clock
        self._entries: dict[str, tuple[T, float, float]] = {}
        """With when they were put here, and until when they are good."""

    def get(self, key: str) -> T | None:
        """Returns the value of a key, if there is one that has not expired."""
        entry = self._entries.get(key)
        if entry is None:
            return None
        value, since, until = entry
        return value if since <= self._clock() < until else None

    def put(self, key: str, value: T, seconds: float) -> None:
        """Keeps a value for a while."""
        self._entries.pop(key, None)  # so that it becomes the newest
        now = self._clock()
        self._entries[key] = (value, now, now + seconds)
        if len(self._entries) > self._most:
            del self._entries[next(iter(self._entries))]


class PictureCache:
    """Pictures by name. Where the disk is full or fails, they are just not kept."""

    def __init__(
        self, folder: Path, *, most: int = MAX_PICTURES, clock: Callable[[], float] = time.time
    ) -> None:
        self._folder = folder
        self._most = most
        self._clock = clock

    def get(self, name: str) -> bytes | None:
        """Returns a picture that was kept; None where it is too old, or not what was kept."""
        path = self._folder / name
        try:
            if elapsed(path.stat().st_mtime, self._clock()) > PICTURE_SECONDS:
                return None
            picture = path.read_bytes()
        except OSError:
            return None
        return picture if picture_type(picture) else None

    def put(self, name: str, picture: bytes) -> None:
        """Keeps a picture under a name; others see all of it or nothing."""
        with suppress(OSError):
            self._folder.mkdir(mode=0o700, exist_ok=True)
            self._write(picture, self._folder / name)
            self._make_room()

    def _write(self, picture: bytes, path: Path) -> None:
        with tempfile.NamedTemporaryFile(dir=self._folder, delete=False) as file:
            beside = Path(file.name)
            try:
                file.write(picture)
                file.flush()
                beside.replace(path)
            except OSError:
                beside.unlink()
                raise

    def _make_room(self) -> None:
        oldest_first = sorted((path.stat().st_mtime, path) for path in self._folder.iterdir())
        for _, path in oldest_first[: max(0, len(oldest_first) - self._most)]:
            path.unlink(missing_ok=True)


def picture_type(data: bytes) -> str | None:
    """Returns a picture's content type by its first bytes; None for other data."""
    if data.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return "image/webp"
    return None


class TooMuch(OutgoingError):
    """So much is being fetched that no more is begun."""


class SingleFlight(Generic[T]):
    """Runs one task for each key, however many wait for it; only so many at once."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._tasks: dict[str, asyncio.Task[T]] = {}

    async def run(self, key: str, begin: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Returns the result of a key's task; one who stops waiting does not stop it for others."""
        task = self._tasks.get(key)
        if task is None:
            if len(self._tasks) >= self._most:
                raise TooMuch("Too many downloads at once; try again in a moment.")
            task = self._tasks[key] = asyncio.create_task(begin())
            task.add_done_callback(lambda task: self._forget(key, task))
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            if task.cancelled() and not _is_cancelled():
                raise Unreachable("Commonroom is shutting down.") from None
            raise

    async def close(self) -> None:
        """Cancels all tasks."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _forget(self, key: str, task: asyncio.Task[T]) -> None:
        del self._tasks[key]
        if not task.cancelled():
            task.exception()  # nobody may be waiting for it any more


def _is_cancelled() -> bool:
    """Whether it is the one who waits that was cancelled."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
