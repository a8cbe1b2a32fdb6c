"""The write queue of a process: one thread, and group commit for whatever waits."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

import apsw

from commonroom.store.embedded.data_file import file_error
from commonroom.store.errors import StoreError, Unavailable

GROUP = 256
"""How many writes one commit may carry, so that the first of them is not kept waiting."""

R = TypeVar("R")
Work = Callable[[apsw.Connection], Any]


@dataclass(slots=True)
class Job:
    """A write that waits, and who waits for it."""

    work: Work
    loop: asyncio.AbstractEventLoop
    future: asyncio.Future[Any]
    savepoint: bool
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
        self._not_writable = False
        self._thread = threading.Thread(target=self._run, name="store-writer", daemon=True)
        self._thread.start()

    async def run(self, work: Callable[[apsw.Connection], R], *, savepoint: bool = True) -> R:
        """Runs some work in a transaction and returns when it is durable.

        Once handed over it is carried out, also if the caller is cancelled meanwhile. Without a
        savepoint, work that raises must not have written anything.
        """
        if self._not_writable:
            raise Unavailable("The data file has been closed.")
        loop = asyncio.get_running_loop()
        future: asyncio.Future[R] = loop.create_future()
        self._queue.put(Job(work, loop, future, savepoint))
        return await future

    def close(self) -> None:
        """Finishes what waits, then ends the thread."""
        self._not_writable = True
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
            self._connection.execute("BEGIN IMMEDIATE")
            for job in jobs:
                self._attempt(job)
            self._connection.execute("COMMIT")
        except BaseException as error:
            self._fail(jobs, error)
            if isinstance(error, apsw.CorruptError) and len(jobs) > 1:
                # One of them met a damaged page, of which the others need not suffer.
                for job in jobs:
                    job.error = None
                    self._commit([job])
                return
        self._after()
        for loop in {job.loop for job in jobs}:
            call_in_loop(loop, _settle, [job for job in jobs if job.loop is loop])

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

    def _fail(self, jobs: list[Job], error: BaseException) -> None:
        """Nothing of the group was written: every one of its writers hears so."""
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")
        for job in jobs:
            job.error = self._store_error(error)

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


def _settle(jobs: list[Job]) -> None:
    for job in jobs:
        job.settle()
