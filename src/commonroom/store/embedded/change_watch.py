"""Waiting until the data file has changed: told at once of own commits, looking for others'."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from commonroom.store.errors import StoreError

OTHERS_SECONDS = 0.5
"""How often to look for what other processes wrote; what this one wrote is known at once."""


class ChangeWatch:
    """Everybody in one event loop who waits for another change number.

    One timer looks for all of them, and nothing else happens when it finds nothing: an idle server
    does this and hardly anything else.
    """

    def __init__(self, change_number: Callable[[], int]) -> None:
        self._change_number = change_number
        self._waiting: dict[asyncio.Future[None], int] = {}
        self._timer: asyncio.TimerHandle | None = None
        self.loop: asyncio.AbstractEventLoop | None = None
        """Where they wait, as soon as anybody has."""

    async def wait(self, seconds: float, seen: int | None) -> None:
        """Returns once the number is another than the one seen, or after so many seconds."""
        number = self._change_number()
        if seen is not None and number != seen:
            return
        loop = asyncio.get_running_loop()
        if self._timer is None or self.loop is not loop:
            self._timer = loop.call_later(OTHERS_SECONDS, self._tick)
        self.loop = loop
        changed: asyncio.Future[None] = loop.create_future()
        self._waiting[changed] = number
        late = loop.call_later(seconds, _settle, changed)
        try:
            await changed
        finally:
            late.cancel()
            del self._waiting[changed]

    def look(self) -> None:
        """Wakes those who wait for something that has happened."""
        try:
            number = self._change_number()
        except StoreError as error:
            for changed in self._waiting:
                if not changed.done():
                    changed.set_exception(error)
            return
        for changed, seen in self._waiting.items():
            if seen != number:
                _settle(changed)

    def _tick(self) -> None:
        self.look()
        self._timer = None
        if self._waiting and self.loop is not None:
            self._timer = self.loop.call_later(OTHERS_SECONDS, self._tick)


def _settle(changed: asyncio.Future[None]) -> None:
    if not changed.done():
        changed.set_result(None)
