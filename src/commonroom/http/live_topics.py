"""Live topics: what open pages watch; one task reads its version for all who listen."""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import AsyncGenerator, Awaitable, Callable, Hashable, Iterator
from contextlib import contextmanager, suppress
from typing import Final

from msgspec import Struct

from commonroom.http.request_limits import Slots
from commonroom.metering import unmetered
from commonroom.rate_limits import network_of
from commonroom.settings import Settings
from commonroom.store import Store, StoreError

logger = logging.getLogger(__name__)

Version = Callable[[], Awaitable[str]]
"""Reads a thing's version: one request, whatever the number of listeners."""
Access = Callable[[], Awaitable[bool]]
"""Asks anew whether the listener may still listen."""

LOOK_SECONDS = 2.0
QUIET_SECONDS = 5.0
"""How often versions are read where nothing was written: some change because time passes."""
READS_AT_ONCE = 16
REST = 4.0
"""How long reading rests, against how long it took: it has a fifth of the time at the most."""
BEAT_SECONDS = 25.0
"""How often a silent connection says that it is alive, so that nothing between cuts it."""
MAX_SECONDS = 600.0
"""After this a browser connects anew."""
ACCESS_SECONDS = 8.0
"""How often it is asked whether a listener may still listen."""
QUIET_ACCESS = 8.0
"""How many times longer that takes where nothing was written: tokens run out by themselves."""
CROWD, TOLD_PER_SECOND = 50, 2000.0
"""From so many listeners on they are told one after another: each then fetches the page."""


class LiveLimits(Struct, frozen=True):
    """How many pages may listen to one process."""

    most: int = 2500
    per_address: int = 100
    per_account: int = 30

    @classmethod
    def of(cls, settings: Settings) -> LiveLimits:
        """As an installation has set them."""
        return cls(
            settings.most_live_pages,
            settings.live_pages_per_address,
            settings.live_pages_per_account,
        )


class Over:
    """Stands for a version where the listener may listen no longer."""


OVER: Final = Over()


class Topic:
    """One thing that is watched, for all who listen in this process."""

    def __init__(self, read: Version) -> None:
        self.version: str | None = None
        self.listeners = 0
        self._read = read
        self._changed = asyncio.Event()
        self._first = asyncio.create_task(self.look())

    async def next(self, known: str | None, seconds: float) -> str | None:
        """The version once it is another than the one known; None if that takes too long."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while self.version == known:
                    await self._changed.wait()
                return self.version
        return None

    async def look(self) -> bool:
        """Reads the version; returns whether that worked."""
        try:
            version = await self._read()
        except StoreError:
            logger.warning("A watched thing could not be read; it is looked at again soon.")
            return False
        except Exception:
            # A mistake in reading one thing must not end the looking at all others.
            logger.exception("A watched thing could not be read.")
            return False
        if version != self.version:
            self.version = version
            self.wake()
        return True

    def wake(self) -> None:
        """Lets every listener look again."""
        waiting, self._changed = self._changed, asyncio.Event()
        waiting.set()

    def stop(self) -> None:
        """Stops looking."""
        self._first.cancel()
        self.wake()


class Live:
    """Everything that is watched in this process; one task looks at all of it."""

    def __init__(
        self,
        store: Store,
        limits: LiveLimits | None = None,
        *,
        access_seconds: float = ACCESS_SECONDS,
    ) -> None:
        self._engine = store.engine
        self._limits = limits or LiveLimits()
        self._slots = Slots(self._limits.most)
        self._access_seconds = access_seconds
        self._topics: dict[str, Topic] = {}
        self._looking: asyncio.Task[None] | None = None
        self._closed = False

    @property
    def topics(self) -> int:
        """How many things are watched."""
        return len(self._topics)

    @property
    def listeners(self) -> int:
        """How many pages listen."""
        return self._slots.taken

    @contextmanager
    def slot(self, address: str, account_id: str | None) -> Iterator[None]:
        """A place for one page that listens; refused where there are too many."""
        shares: dict[Hashable, int] = {network_of(address): self._limits.per_address}
        if account_id is not None:
            shares["account", account_id] = self._limits.per_account
        self._slots.take(shares)
        try:
            yield
        finally:
            self._slots.free(shares)

    async def follow(
        self, topic: str, read: Version, may: Access | None = None
    ) -> AsyncGenerator[str | Over | None, None]:
        """A topic's versions as they come, the present one first; None where nothing happened.

        The last is `OVER` where the listener may do so no longer.
        """
        watched = self._join(topic, read)
        clock = asyncio.get_running_loop().time
        known, until, beat = None, clock() + MAX_SECONDS, clock() + BEAT_SECONDS
        access = AccessClock(may, self._engine.change_number, self._access_seconds)
        try:
            while not self._closed and clock() < until:
                version = await watched.next(known, min(beat, access.due) - clock())
                if access.due <= clock() and not await access.holds():
                    yield OVER
                    return
                if version is not None and known is not None:
                    access.doubt()
                    await self._turn(watched)
                    version = watched.version
                if version is not None or beat <= clock():
                    known = known if version is None else version
                    beat = clock() + BEAT_SECONDS
                    yield version
        finally:
            self._leave(topic, watched)

    def close(self) -> None:
        """Ends all listening, so that a server can stop."""
        self._closed = True
        for topic in self._topics.values():
            topic.version = "closed"
            topic.stop()

    async def _turn(self, topic: Topic) -> None:
        """Waits for a turn to tell of a change where many listen."""
        if topic.listeners > CROWD and not self._closed:
            wait = random.random() * topic.listeners / TOLD_PER_SECOND  # noqa: S311 - no secret
            await asyncio.sleep(wait)

    def _join(self, name: str, read: Version) -> Topic:
        if self._looking is None:
            # As of before the first look, so that nothing is missed between the two.
            with unmetered():  # it looks for everybody, as long as anybody listens
                self._looking = asyncio.create_task(self._look(self._engine.change_number()))
        topic = self._topics.get(name)
        if topic is None:
            topic = self._topics[name] = Topic(read)
        topic.listeners += 1
        return topic

    def _leave(self, name: str, topic: Topic) -> None:
        topic.listeners -= 1
        if topic.listeners == 0 and self._topics.get(name) is topic:
            del self._topics[name]
            topic.stop()
            if not self._topics and self._looking is not None:
                self._looking.cancel()
                self._looking = None

    async def _look(self, seen: int | None) -> None:
        """Reads all versions whenever something may have changed, at a bounded cost."""
        clock = asyncio.get_running_loop().time
        due = clock() + QUIET_SECONDS
        while True:
            now, number = clock(), self._engine.change_number()
            if number is not None and number == seen and now < due:
                await self._engine.wait_for_changes(due - now, seen)
                continue
            everything = await self._look_at_all()
            seen, due = number, clock() + QUIET_SECONDS if everything else now
            await asyncio.sleep(REST * (clock() - now))
            if number is None:
                # Every look is a request for each topic, so that writes cannot hurry it more.
                await asyncio.sleep(LOOK_SECONDS / 2)
                await self._engine.wait_for_changes(LOOK_SECONDS / 2)
            elif not everything:
                await self._engine.wait_for_changes(LOOK_SECONDS, seen)

    async def _look_at_all(self) -> bool:
        """Reads several at once, and lets others have their turn; returns whether all were read."""
        waiting = iter(list(self._topics.values()))

        async def some() -> bool:
            well = True
            for topic in waiting:
                well = await topic.look() and well
                await asyncio.sleep(0)
            return well

        readers = min(READS_AT_ONCE, len(self._topics))
        return all(await asyncio.gather(*(some() for _ in range(readers))))


class AccessClock:
    """When to ask whether a listener may still listen, and whether they may."""

    def __init__(
        self, may: Access | None, change_number: Callable[[], int | None], seconds: float
    ) -> None:
        self._may = may
        self._change_number = change_number
        self._seconds = seconds
        # They were let in as of an unknown moment, so the first time it is asked in any case.
        self._number: int | None = None
        self._clock = asyncio.get_running_loop().time
        self._latest = self._clock() + QUIET_ACCESS * seconds
        self.due = self._soon()

    def doubt(self) -> None:
        """Lets it be asked soon even if nothing was written: a page may close by itself."""
        self._latest = self._clock()

    async def holds(self) -> bool:
        """Whether they may; asked only where something was written since, or long ago."""
        number, now = self._change_number(), self._clock()
        self.due = self._soon()
        unchanged = number is not None and number == self._number
        if self._may is None or (unchanged and now < self._latest):
            return True
        try:
            may = await self._may()
        except StoreError:
            return True  # nobody can say; it is asked again soon
        self._number, self._latest = number, now + QUIET_ACCESS * self._seconds
        return may

    def _soon(self) -> float:
        # Not all at the same moment: those who came together would be asked about together.
        return self._clock() + self._seconds * random.uniform(0.5, 1.0)  # noqa: S311 - no secret
