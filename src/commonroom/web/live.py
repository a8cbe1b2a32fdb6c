"""Live updates: whoever has a page open hears that its thing has changed, and fetches it anew."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import suppress

from commonroom.accounts.errors import TooManyTries
from commonroom.store import Store, StoreError

logger = logging.getLogger(__name__)

Version = Callable[[], Awaitable[str]]
"""Reads a thing's version: one request, whatever the number of listeners."""

MOST_TOPICS = 1000
MOST_LISTENERS = 1000
LOOK_SECONDS = 2.0
BEAT_SECONDS = 25.0
"""How often a silent connection says that it is alive, so that nothing between cuts it."""
LONGEST_SECONDS = 600.0
"""After this a browser connects anew, and shows again that it may."""


class Watcher:
    """Looks at one thing for all who listen in this process."""

    def __init__(self, read: Version, wait: Callable[[float], Awaitable[None]]) -> None:
        self.version: str | None = None
        self.listeners = 0
        self._read = read
        self._wait = wait
        self._changed = asyncio.Event()
        self._task = asyncio.create_task(self._watch())

    async def next(self, known: str | None, seconds: float) -> str | None:
        """The version once it is another than the one known; None if that takes too long."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while self.version == known:
                    await self._changed.wait()
                return self.version
        return None

    def wake(self) -> None:
        """Lets every listener look again."""
        waiting, self._changed = self._changed, asyncio.Event()
        waiting.set()

    def stop(self) -> None:
        """Stops looking."""
        self._task.cancel()
        self.wake()

    async def _watch(self) -> None:
        while True:
            try:
                version = await self._read()
            except StoreError:
                logger.warning("A watched thing could not be read; it is looked at again soon.")
            else:
                if version != self.version:
                    self.version = version
                    self.wake()
            await self._wait(LOOK_SECONDS)


class Live:
    """Everything that is watched in this process, one watcher for each topic."""

    def __init__(self, store: Store) -> None:
        self._wait = store.engine.wait_for_changes
        self._watchers: dict[str, Watcher] = {}
        self._closed = False

    async def follow(self, topic: str, read: Version) -> AsyncGenerator[str | None, None]:
        """A topic's versions as they come, the present one first; None where nothing happened."""
        watcher = self._join(topic, read)
        known: str | None = None
        clock = asyncio.get_running_loop().time
        until = clock() + LONGEST_SECONDS
        try:
            while not self._closed and clock() < until:
                version = await watcher.next(known, BEAT_SECONDS)
                known = version or known
                yield version
        finally:
            self._leave(topic, watcher)

    def close(self) -> None:
        """Ends all listening, so that a server can stop."""
        self._closed = True
        for watcher in self._watchers.values():
            watcher.version = "closed"
            watcher.stop()

    @property
    def topics(self) -> int:
        """How many things are watched."""
        return len(self._watchers)

    def _join(self, topic: str, read: Version) -> Watcher:
        watcher = self._watchers.get(topic)
        full = watcher is None and len(self._watchers) >= MOST_TOPICS
        if full or (watcher is not None and watcher.listeners >= MOST_LISTENERS):
            raise TooManyTries(int(LOOK_SECONDS))
        if watcher is None:
            watcher = self._watchers[topic] = Watcher(read, self._wait)
        watcher.listeners += 1
        return watcher

    def _leave(self, topic: str, watcher: Watcher) -> None:
        watcher.listeners -= 1
        if watcher.listeners == 0 and self._watchers.get(topic) is watcher:
            del self._watchers[topic]
            watcher.stop()
