"""Metering: whose work takes processor time, on the event loop and in threads beside it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine, Generator, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from types import coroutine
from typing import Any, ParamSpec, TypeAlias, TypeVar

P = ParamSpec("P")
T = TypeVar("T")
Clock: TypeAlias = Callable[[], float]
Charge: TypeAlias = Callable[[float], None]
"""Takes the seconds that something took."""

current_charge: ContextVar[Charge | None] = ContextVar("current_charge", default=None)
"""Who pays for what is done here; nobody, where it is nobody's in particular."""


@contextmanager
def unmetered() -> Iterator[None]:
    """Keeps what is started inside, and goes on for everybody, from being charged to a request."""
    token = current_charge.set(None)
    try:
        yield
    finally:
        current_charge.reset(token)


@coroutine
def metered(
    work: Awaitable[T],
    charge: Callable[[float], None],
    clock: Clock = time.thread_time,
) -> Generator[Any, Any, T]:
    """Does the work; tells how much each of its steps takes, and nothing while it waits."""
    steps = work.__await__()
    step: Callable[[Any], Any] = steps.send
    value: Any = None
    while True:
        began = clock()
        try:
            awaited = step(value)
        except StopIteration as ended:
            result: T = ended.value
            return result
        finally:
            value = None
            charge(clock() - began)
        try:
            value = yield awaited
            step = steps.send
        except BaseException as error:
            step, value = steps.throw, error


def create_metered_task(
    loop: asyncio.AbstractEventLoop,
    work: Coroutine[Any, Any, T] | Generator[Any, None, T],
    **options: Any,
) -> asyncio.Task[T]:
    """Makes the tasks of an event loop: those that a request starts are charged to it."""
    charge = current_charge.get()
    if charge is not None and isinstance(work, Coroutine):
        work = _metered_task(work, charge)
    return asyncio.Task(work, loop=loop, **options)


async def _metered_task(work: Awaitable[T], charge: Charge) -> T:
    return await metered(work, charge)


class MeteredThreads(ThreadPoolExecutor):
    """Threads beside an event loop, which charge what they take to the request they are for."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Does something in a thread."""
        charge = current_charge.get()
        if charge is None:
            return super().submit(fn, *args, **kwargs)
        loop = asyncio.get_running_loop()

        def measured() -> T:
            began = time.thread_time()
            try:
                return fn(*args, **kwargs)
            finally:
                with suppress(RuntimeError):  # the loop has ended
                    loop.call_soon_threadsafe(charge, time.thread_time() - began)

        return super().submit(measured)
