"""Completion marks: an operation that the first write of a request carries in its transaction."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

from commonroom.errors import CommonroomError
from commonroom.store.errors import ConditionFailed, TooManyOperations
from commonroom.store.limits import REQUEST_OPERATIONS
from commonroom.store.operations import Write

current_mark: ContextVar[CompletionMark | None] = ContextVar("completion_mark", default=None)


class CompletionMark:
    """Says in the store that a request was carried out, exactly when that is so.

    The first write that succeeds takes the mark along; those that lose a race, and all later ones,
    do without it. Where its condition fails, the write is refused as a whole.
    """

    def __init__(self, write: Write, refusal: Callable[[], CommonroomError]) -> None:
        self.is_settled = False
        """Whether writes no longer take it: it is stored, or its request is over."""
        self._write, self._refusal = write, refusal
        self._turn = asyncio.Lock()

    async def write_with(
        self, engine_write: Callable[[Sequence[Write]], Awaitable[None]], writes: Sequence[Write]
    ) -> None:
        """Writes these together with the mark, unless an earlier write has taken it."""
        async with self._turn:  # a request may write in several tasks at once
            if not self.is_settled and any(one.operation.kind != "check" for one in writes):
                await self._commit(engine_write, writes)
                return
        await engine_write(writes)

    async def _commit(
        self, engine_write: Callable[[Sequence[Write]], Awaitable[None]], writes: Sequence[Write]
    ) -> None:
        if len(writes) > REQUEST_OPERATIONS:
            # Apart from it, the mark could not tell whether what it stands for has happened.
            raise TooManyOperations(
                f"A write of a request that is marked holds up to {REQUEST_OPERATIONS} operations; "
                f"this one has {len(writes)}."
            )
        together = (*writes, self._write)
        try:
            await engine_write(together)
        except ConditionFailed as failed:
            if failed.index < len(together) - 1:
                raise
            raise self._refusal() from None
        self.is_settled = True


@contextmanager
def marking(mark: CompletionMark) -> Iterator[None]:
    """Lets the first write inside take a mark; tasks that outlive it do not."""
    token = current_mark.set(mark)
    try:
        yield
    finally:
        mark.is_settled = True
        current_mark.reset(token)


@contextmanager
def unmarked() -> Iterator[None]:
    """Keeps writes inside from taking the mark of their request, which they are no part of.

    Counted tries, caches and whatever else comes before the deed, and does no harm twice.
    """
    token = current_mark.set(None)
    try:
        yield
    finally:
        current_mark.reset(token)
