"""Runs integrity checks and backups when they are due, beside everything else in a process."""

from __future__ import annotations

import asyncio
import logging
import os
import threading
import time
from contextlib import closing, suppress

from commonroom.concurrency import run_in_daemon_thread
from commonroom.maintenance.backups import take_backup
from commonroom.maintenance.schedule import last_moment
from commonroom.maintenance.state import (
    MaintenanceState,
    Run,
    exclusive,
    read_state,
    write_state,
)
from commonroom.moments import is_future
from commonroom.settings import Settings
from commonroom.store.embedded.data_file import check_integrity, connect, damaged_files
from commonroom.store.engine import Clock
from commonroom.store.errors import StoreError

logger = logging.getLogger(__name__)

LOOK_SECONDS = 60.0
LOW_PRIORITY = 10


class Maintenance:
    """Looks every minute whether something is due; of several processes, one at a time does it.

    What was due while nobody ran is made up for at the first look.
    """

    def __init__(self, settings: Settings, *, clock: Clock = time.time) -> None:
        self._settings = settings
        self._clock = clock
        self._stopping = asyncio.Event()

    async def run(self) -> None:
        """Works until `stop` is called."""
        while not self._stopping.is_set():
            try:
                # In a thread that nobody waits for when the process ends: a check may take minutes.
                await run_in_daemon_thread(self._run_with_low_priority, name="maintenance")
            except Exception:
                logger.exception("Maintenance failed; it is tried again.")
            with suppress(TimeoutError):
                async with asyncio.timeout(LOOK_SECONDS):
                    await self._stopping.wait()

    def stop(self) -> None:
        """Lets `run` end."""
        self._stopping.set()

    def run_once(self) -> None:
        """Does what is due, unless another process is at it."""
        with exclusive(self._settings) as mine:
            if not mine:
                return
            now = self._clock()
            state = read_state(self._settings) or MaintenanceState(since=now)
            if not state.check.tried_at and not state.backup.tried_at:
                write_state(self._settings, state)
            if self._is_check_due(state, now):
                self._check(state.check)
                write_state(self._settings, state)
            if self._is_due(state.backup, self._settings.backup_time, state.since, now):
                self._back_up(state)
                write_state(self._settings, state)

    def _run_with_low_priority(self) -> None:
        with suppress(OSError, AttributeError):  # of this thread alone, where the system can
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), LOW_PRIORITY)
        self.run_once()

    def _is_due(self, last: Run, at: str, since: float, now: float) -> bool:
        moment = last_moment(now, at, self._settings.backup_time_zone)
        done = since if last.succeeded_at is None else last.succeeded_at
        is_done = moment is None or (moment <= done and not is_future(done, now))
        return not is_done and last.may_try(now)

    def _is_check_due(self, state: MaintenanceState, now: float) -> bool:
        """Whether a check is due: at its moment, or as soon as damage was met."""
        met = self._settings.data_file in damaged_files and not state.check.problem
        return met or self._is_due(state.check, self._settings.check_time, state.since, now)

    def _check(self, last: Run) -> None:
        path = self._settings.data_file
        try:
            with closing(connect(path, create=False)) as connection:
                check_integrity(connection, path)
        except StoreError as error:
            logger.critical("The integrity check failed: %s", error.detail)
            last.fail(self._clock(), error.detail)
        else:
            logger.info("The integrity check found nothing wrong.")
            last.succeed(self._clock())

    def _back_up(self, state: MaintenanceState) -> None:
        try:
            # What is not known to be sound is not to push sound ones out.
            made = take_backup(self._settings, self._clock(), delete_old=not state.check.problem)
        except StoreError as error:
            logger.warning("The backup failed: %s", error.detail)
            state.backup.fail(self._clock(), error.detail)
        else:
            logger.info("A backup was written to %s.", made)
            state.backup.succeed(self._clock())
