"""Background tasks of the mailer: soon, a few at a time, and to their end where that is near."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

import pytest

from commonroom.accounts.mailer import MAX_TASKS, TASKS_AT_ONCE, BackgroundTasks
from commonroom.errors import RateLimited
from commonroom.outgoing.mail import MailFailed


class TestErrands:
    async def test_nobody_waits_for_them_but_the_end(self) -> None:
        done: list[int] = []
        gate = asyncio.Event()

        async def errand() -> None:
            await gate.wait()
            done.append(1)

        errands = BackgroundTasks()
        errands.run_later(errand)
        assert done == []
        gate.set()
        await errands.close()
        assert done == [1]
        await errands.close()

    async def test_a_few_are_done_at_once(self) -> None:
        under_way = most = 0

        async def errand() -> None:
            nonlocal under_way, most
            under_way += 1
            most = max(most, under_way)
            for _ in range(3):
                await asyncio.sleep(0)
            under_way -= 1

        errands = BackgroundTasks()
        for _ in range(3 * TASKS_AT_ONCE):
            errands.run_later(errand)
        await errands.close()
        assert most == TASKS_AT_ONCE

    async def test_too_many_are_not_begun(self, caplog: pytest.LogCaptureFixture) -> None:
        done: list[int] = []

        async def errand() -> None:
            done.append(1)

        errands = BackgroundTasks()
        for _ in range(MAX_TASKS + 5):
            errands.run_later(errand)
        await errands.close()
        assert len(done) == MAX_TASKS
        assert caplog.text.count("is not sent") == 5

    async def test_what_takes_too_long_ends_with_the_process(
        self, caplog: pytest.LogCaptureFixture
    ) -> None:
        ended: list[int] = []

        async def endless() -> None:
            try:
                await asyncio.Event().wait()
            finally:
                ended.append(1)

        errands = BackgroundTasks()
        errands.run_later(endless)
        errands.run_later(endless)
        await errands.close(seconds=0.01)
        assert ended == [1, 1]
        assert "2 e-mails were not sent before the end." in caplog.text

    @pytest.mark.parametrize(
        "error, said",
        [
            (MailFailed("mail.example:25 hung up."), "mail.example:25 hung up."),
            (RateLimited(60), "Too many attempts."),
            (KeyError("a mistake of ours"), "a mistake of ours"),
        ],
    )
    async def test_one_that_fails_is_written_down_and_holds_nobody_up(
        self, caplog: pytest.LogCaptureFixture, error: Exception, said: str
    ) -> None:
        done: list[int] = []

        async def good() -> None:
            done.append(1)

        errands = BackgroundTasks()
        errands.run_later(_failing(error))
        errands.run_later(good)
        await errands.close()
        assert done == [1]
        assert said in caplog.text
        assert {one.levelno for one in caplog.records} <= {logging.WARNING, logging.ERROR}


def _failing(error: Exception) -> Callable[[], Awaitable[None]]:
    async def errand() -> None:
        raise error

    return errand
