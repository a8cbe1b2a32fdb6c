"""Timers that acts set with their own write, besides those that consumers set afterwards."""

from __future__ import annotations

from msgspec import Struct

from commonroom.store import Entity, Store
from commonroom.store.streams.consumer import Named, sentence_of
from commonroom.timers.scheduler import Handler
from commonroom.timers.tables import Timer


class ActTimer(Struct, frozen=True):
    """The handler of a timer that an act sets, and what it follows from."""

    handle: Handler
    set_with: tuple[type[Entity], ...] = ()
    """The entities whose writes set it, in the same transaction."""
    tells: tuple[Named, ...] = ()
    """The kinds of notifications that it sends."""

    async def __call__(self, store: Store, waited: Timer, now: float) -> float | None:
        """Does what the timer is for."""
        return await self.handle(store, waited, now)

    @property
    def description(self) -> str:
        """What it does, in a sentence."""
        return sentence_of(self.handle)
