"""Request counts: what a view asks of the store, so that a test can hold it to that."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass(slots=True)
class RequestCount:
    """How many requests were made to the engine: reads (a page or a batch is one) and writes."""

    reads: int = 0
    writes: int = 0

    @property
    def requests(self) -> int:
        """All of them."""
        return self.reads + self.writes


current_count: ContextVar[RequestCount | None] = ContextVar("request_count", default=None)


@contextmanager
def counting() -> Iterator[RequestCount]:
    """Counts the store requests of whatever runs inside, tasks that it starts included."""
    count = RequestCount()
    token = current_count.set(count)
    try:
        yield count
    finally:
        current_count.reset(token)
