"""Reading files beside the event loop, one request's after the other's."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from commonroom.metering import MeteredThreads

P = ParamSpec("P")
T = TypeVar("T")

# Each may take as much memory as its bounds allow: several at once would take several times that.
_reader = MeteredThreads(max_workers=1, thread_name_prefix="imports")


async def read_beside(read: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Returns what a file holds; meanwhile others are answered."""
    return await asyncio.wrap_future(_reader.submit(read, *args, **kwargs))
