"""Counting what a view asks of the store, so that a test can hold it to that."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass(slots=True)
class Tally:
    """How many requests were made to the engine: reads (a page or a batch is one) and writes."""

    reads: int = 0
    writes: int = 0

    @property
    def requests(self) -> int:
        """All of them."""
        return self.reads + self.writes


current: ContextVar[Tally | None] = ContextVar("tally", default=None)


@contextmanager
def counting() -> Iterator[Tally]:
    """Counts the store requests of whatever runs inside, tasks that it starts included."""
    tally = Tally()
    token = current.set(tally)
    try:
        yield tally
    finally:
        current.reset(token)
