"""The write queue of a process: one thread, and group commit for whatever waits."""

from __future__ import annotations

import asyncio
import math
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

import apsw

from commonroom.store.embedded.data_file import file_error, is_damage
from commonroom.store.errors import StoreError, Unavailable

GROUP = 256
"""How many writes one commit may carry, so that the first of them is not kept waiting."""

MAX_WAITING = 10_000
"""How many writes may wait; the next is refused at once."""

WAIT_SECONDS = 10.0
"""How long a write may wait until it is begun; after that it is never carried out."""

PAUSE_SECONDS = 0.01

R = TypeVar("R")
Work = Callable[[apsw.Connection], Any]


@dataclass(slots=True)
class Job:
    """A write that waits, and who waits for it."""

    work: Work
    loop: asyncio.AbstractEventLoop
    future: asyncio.Future[Any]
    savepoint: bool
    until: float
    """When it has waited for too long."""
    result: Any = None
    error: BaseException | None = None

    def settle(self) -> None:
        """Tells who waits, in their own thread."""
        if self.future.done():
            return
        if self.error is not None:
            self.future.set_exception(self.error)
        else:
            self.future.set_result(self.result)


class WriteQueue:
    """A thread that writes, with a connection and a queue of its own."""

    def __init__(self, path: Path, connection: apsw.Connection, after: Callable[[], None]) -> None:
        self._path = path
        self._connection = connection
        self._after = after
        self._queue: SimpleQueue[Job | None] = SimpleQueue()
        self._closed = False
        self._entrance = threading.Lock()
        """Held so that nothing is queued after the end, where nobody would find it."""
        self._thread = threading.Thread(target=self._run, name="store-writer", daemon=True)
        self._thread.start()

    async def run(self, work: Callable[[apsw.Connection], R], *, savepoint: bool = True) -> R:
        """Runs some work in a transaction and returns when it is durable.

        Once begun it is carried out, also if the caller is cancelled meanwhile. A caller told
        that it is not available can be sure that nothing was written, and nothing will be. Without
        a savepoint, work that raises must not have written anything.
        """
        loop = asyncio.get_running_loop()
        future: asyncio.Future[R] = loop.create_future()
        job = Job(work, loop, future, savepoint, time.monotonic() + WAIT_SECONDS)
        with self._entrance:
            if self._closed:
                raise Unavailable("The data file has been closed.")
            if self._queue.qsize() >= MAX_WAITING:
                raise Unavailable(f"{MAX_WAITING:,} writes to {self._path} wait already.")
            self._queue.put(job)
        return await future

    def close(self) -> None:
        """Finishes what waits, then ends the thread."""
        with self._entrance:
            self._closed = True
            self._queue.put(None)
        self._thread.join()
        self._connection.close()

    def _run(self) -> None:
        while (job := self._queue.get()) is not None:
            jobs = [job]
            last = False
            while len(jobs) < GROUP and not last:
                try:
                    following = self._queue.get_nowait()
                except Empty:
                    break
                last = following is None
                if following is not None:
                    jobs.append(following)
            self._commit(jobs)
            if last:
                return

    def _commit(self, jobs: list[Job]) -> None:
        try:
            jobs = self._begin(jobs)
            if not jobs:
                return
            for job in jobs:
                self._attempt(job)
            self._connection.execute("COMMIT")
        except BaseException as error:
            # Nothing of the group was written: every one of its writers hears so.
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            if is_damage(error) and len(jobs) > 1:
                # One of them met a damaged page, of which the others need not suffer.
                self._after()
                for job in jobs:
                    job.error = None
                    self._commit([job])
                return
            for job in jobs:
                job.error = self._store_error(error)
        self._after()
        _tell(jobs)

    def _begin(self, jobs: list[Job]) -> list[Job]:
        """Waits its turn among processes; returns the jobs whose time is not up when it comes.

        The others are told at once, while those who may wait longer still do.
        """
        locked: apsw.BusyError | None = None
        while True:
            now = time.monotonic()
            late = [job for job in jobs if job.until <= now]
            for job in late:
                job.error = self._too_late(locked)
            _tell(late)
            jobs = [job for job in jobs if job.until > now]
            if not jobs:
                return []
            until = min(job.until for job in jobs)
            self._connection.set_busy_timeout(math.ceil((until - now) * 1000))
            try:
                self._connection.execute("BEGIN IMMEDIATE")
            except apsw.BusyError as error:
                locked = error
                # SQLite does not wait for every kind of lock.
                time.sleep(PAUSE_SECONDS)
            else:
                return jobs

    def _too_late(self, locked: apsw.BusyError | None) -> StoreError:
        if locked is not None:
            return file_error(self._path, locked)
        return Unavailable(f"Writes to {self._path} wait for too long; nothing was written.")

    def _attempt(self, job: Job) -> None:
        """One write on its own: if it is refused, the others of the group stay."""
        if job.savepoint:
            self._connection.execute("SAVEPOINT job")
        try:
            job.result = job.work(self._connection)
        except apsw.Error:
            raise  # the file itself is in trouble: the whole group fails
        except Exception as error:
            job.error = error
            if job.savepoint:
                self._connection.execute("ROLLBACK TO job")
        if job.savepoint:
            self._connection.execute("RELEASE job")

    def _store_error(self, error: BaseException) -> StoreError:
        if isinstance(error, apsw.Error):
            return file_error(self._path, error)
        return Unavailable(f"{self._path} could not be written: {error}.")


def call_in_loop(
    loop: asyncio.AbstractEventLoop, callback: Callable[..., None], *arguments: Any
) -> None:
    """Calls something in a loop's own thread; a loop that has ended has nobody to tell."""
    with suppress(RuntimeError):
        loop.call_soon_threadsafe(callback, *arguments)


def _tell(jobs: list[Job]) -> None:
    """Lets all who wait for these know, each in their own loop."""
    for loop in {job.loop for job in jobs}:
        call_in_loop(loop, _settle, [job for job in jobs if job.loop is loop])


def _settle(jobs: list[Job]) -> None:
    for job in jobs:
        job.settle()
