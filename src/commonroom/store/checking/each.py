"""Checks that read about each thing by itself."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from typing import Any, TypeVar

from commonroom.store.checking.checks import Problem
from commonroom.store.declare.entity import Entity, Ref
from commonroom.store.declare.patterns import BoundPattern
from commonroom.store.limits import BATCH
from commonroom.store.store import Store

E = TypeVar("E", bound=Entity)
P = TypeVar("P", bound=Entity)  # what leads there
T = TypeVar("T")

MAX_AT_ONCE = 25
"""About how many things is read at the same time: all that is read of them is in memory."""


async def find_each(
    store: Store,
    find: Callable[[Store, T], Coroutine[Any, Any, list[Problem]]],
    things: Sequence[T],
) -> AsyncIterator[Problem]:
    """Yields what is wrong with each of some things, in their order."""
    for start in range(0, len(things), MAX_AT_ONCE):
        some = things[start : start + MAX_AT_ONCE]
        for problems in await store.gather_batched(find(store, one) for one in some):
            for problem in problems:
                yield problem


async def read_originals(
    store: Store, asked: BoundPattern[P], original: Callable[[P], Ref[E]]
) -> AsyncIterator[E]:
    """Yields those of the things that pointers lead to, or an index says, that are there now."""
    waiting: list[Ref[E]] = []
    async for one in store.all(asked):
        waiting.append(original(one))
        if len(waiting) == BATCH:
            for found in await store.batch_get(waiting):
                if found is not None:
                    yield found
            waiting.clear()
    for found in await store.batch_get(waiting):
        if found is not None:
            yield found
