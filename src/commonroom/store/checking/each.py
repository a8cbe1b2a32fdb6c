"""Checks that read about each thing by itself."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from typing import Any, TypeVar

from commonroom.store.checking.checks import Problem
from commonroom.store.store import Store

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
