"""Snapshots of everything on one hangout."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from msgspec import Struct

from commonroom.hangouts.tables import Hangout, TalkMessage, detail
from commonroom.store import Entity, Store

E = TypeVar("E", bound=Entity)


class HangoutSnapshot(Struct, frozen=True):
    """What stands in a hangout's partition; of messages, only their number."""

    hangout: Hangout
    things: Sequence[Entity]
    message_count: int

    def of(self, kind: type[E]) -> list[E]:
        """Returns those of one kind, in the order of their keys."""
        return [one for one in self.things if isinstance(one, kind)]


async def take_snapshot(store: Store, hangout_id: str) -> HangoutSnapshot | None:
    """Reads everything of a hangout; None where it is gone."""
    hangout: Hangout | None = None
    things: list[Entity] = []
    messages = 0
    async for one in store.all(detail(hangout_id=hangout_id)):
        if isinstance(one, TalkMessage):
            messages += 1
        elif isinstance(one, Hangout):
            hangout = one
        else:
            things.append(one)
    return None if hangout is None else HangoutSnapshot(hangout, things, messages)
