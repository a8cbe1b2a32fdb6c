"""Several processes that answer at one port: each is started anew if it dies, all end together."""

from __future__ import annotations

import asyncio
import gc
import logging
import multiprocessing
import signal
import time
from collections.abc import Callable, Coroutine, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from typing import Any

from commonroom.accounts.signup import setup_path
from commonroom.errors import CommonroomError
from commonroom.house.server import PATIENCE_SECONDS, Ready, answer, check_free
from commonroom.http.metrics import WIDTH, Metrics
from commonroom.logs import configure_logging
from commonroom.open_store import make_data_folder, open_store, require_tables
from commonroom.settings import Settings, secrets_of
from commonroom.store.errors import Unavailable

logger = logging.getLogger(__name__)

# A process with threads cannot be copied safely, so each begins afresh.
SPAWN = multiprocessing.get_context("spawn")
START_SECONDS = 60.0
STOP_SECONDS = PATIENCE_SECONDS + 10.0
FIRST_PAUSE, MAX_PAUSE = 1.0, 60.0
YOUNG_SECONDS = 10.0
"""Who dies sooner probably would again: then the next one waits longer, unless nobody is left."""


async def serve_in_processes(settings: Settings, ready: Ready) -> None:
    """Serves in as many processes as are set; `ready` is called once all answer."""
    configure_logging(settings.log_level)
    check_free(settings)
    first_visit = await _prepare(settings)
    counts = SPAWN.RawArray("d", WIDTH * settings.workers)
    places = [ProcessSlot(settings, number, counts) for number in range(settings.workers)]
    keeping = asyncio.create_task(_keep(places, lambda: ready(settings.local_address, first_visit)))
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, keeping.cancel)
    try:
        with suppress(asyncio.CancelledError):
            await keeping
    finally:
        await _end(places)


async def _prepare(settings: Settings) -> str | None:
    """Makes what is missing and finds what is wrong once, instead of in every process at once."""
    make_data_folder(settings)
    secrets_of(settings)
    async with open_store(settings, create=True) as store:
        await require_tables(store)
        return await setup_path(store, settings)


async def _keep(places: list[ProcessSlot], ready: Callable[[], None]) -> None:
    await _all(place.start() for place in places)
    ready()
    await _all(place.keep(others=[one for one in places if one is not place]) for place in places)


async def _all(works: Iterable[Coroutine[Any, Any, None]]) -> None:
    """Does all of it at once; where one fails, the others are given up."""
    tasks = [asyncio.create_task(work) for work in works]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _end(places: list[ProcessSlot]) -> None:
    for place in places:
        place.stop()
    await asyncio.gather(*(place.ended() for place in places))


class ProcessSlot:
    """The place of one process; when it dies, another one takes it."""

    def __init__(self, settings: Settings, number: int, counts: Any) -> None:
        self._arguments = (settings, number, counts)
        self._name = f"Process {number + 1}"
        self._process: multiprocessing.process.BaseProcess | None = None

    async def start(self) -> None:
        """Starts a process and waits until it answers; where it cannot, its own words say why."""
        receiving, telling = SPAWN.Pipe(duplex=False)
        # A daemon: whatever becomes of this process, none of them is left behind.
        process = SPAWN.Process(target=_answer, args=(*self._arguments, telling), daemon=True)
        with _interrupts_held():
            process.start()
        self._process = process
        telling.close()
        try:
            word = await asyncio.wait_for(_word(receiving), START_SECONDS)
        except TimeoutError:
            process.kill()
            word = f"{self._name} did not answer within {START_SECONDS:.0f} seconds."
        finally:
            receiving.close()
        if word is not None:
            raise Unavailable(word)

    @property
    def is_alive(self) -> bool:
        """Whether there is a process in it."""
        return self._process is not None and self._process.is_alive()

    async def keep(self, others: Sequence[ProcessSlot]) -> None:
        """Starts another process whenever one has died, ever more slowly if they die young."""
        pause = FIRST_PAUSE
        while True:
            began = time.monotonic()
            how = await self.ended(patience=None)
            is_alone = not any(other.is_alive for other in others)
            if is_alone or time.monotonic() - began > YOUNG_SECONDS:
                pause = FIRST_PAUSE
            logger.warning("%s died (%s); another starts in %.0f s.", self._name, how, pause)
            await asyncio.sleep(pause)
            pause = min(2 * pause, MAX_PAUSE)
            try:
                await self.start()
            except Unavailable as error:
                logger.warning("%s could not be restarted: %s", self._name, error.detail)
            else:
                logger.info("%s answers again.", self._name)

    def stop(self) -> None:
        """Asks the process to end."""
        if self._process is not None:
            self._process.terminate()

    async def ended(self, patience: float | None = STOP_SECONDS) -> str:
        """Waits for the process's end, and hastens it where it takes too long; says how it was."""
        process = self._process
        if process is None:
            return "never started"
        try:
            await asyncio.wait_for(_readable(process.sentinel), patience)
        except TimeoutError:
            process.kill()
        process.join()
        code = process.exitcode or 0
        return signal.Signals(-code).name if code < 0 else f"exit {code}"


async def _word(receiving: Connection) -> str | None:
    """What a process says of its start: nothing more than that it answers, or why it cannot."""
    await _readable(receiving.fileno())
    try:
        word: str | None = receiving.recv()
    except EOFError:
        return "A process that should answer requests died while it was starting."
    return word


async def _readable(descriptor: int) -> None:
    loop, event = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(descriptor, event.set)
    try:
        await event.wait()
    finally:
        loop.remove_reader(descriptor)


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Keeps Ctrl-C from processes started now: it is ours to pass on."""
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def _answer(settings: Settings, number: int, counts: Any, telling: Connection) -> None:
    """What each process does."""
    gc.disable()  # until it answers
    configure_logging(settings.log_level, process=number + 1)
    try:
        asyncio.run(answer(settings, lambda _: telling.send(None), Metrics(counts, number)))
    except CommonroomError as error:
        with suppress(OSError):  # nobody listens any more once it has answered
            telling.send(error.detail)
        raise SystemExit(1) from error
