"""A look at everything of one hangout; what two looks see alike was so between them."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import TypeVar

from msgspec import Struct, msgpack

from commonroom.hangouts.tables import Hangout, TalkMessage, detail
from commonroom.store import Entity, Store, Write
from commonroom.store.checking import Problem

E = TypeVar("E", bound=Entity)


class HangoutSnapshot(Struct, frozen=True):
    """What stands in a hangout's partition; of messages, only their number."""

    hangout: Hangout
    things: Sequence[Entity]
    message_count: int
    mark: bytes
    """Equal for two looks that read the same."""

    def of(self, kind: type[E]) -> list[E]:
        """Returns those of one kind, in the order of their keys."""
        return [one for one in self.things if isinstance(one, kind)]


async def take_snapshot(store: Store, hangout_id: str) -> HangoutSnapshot | None:
    """Reads everything of a hangout; None where it is gone."""
    hangout: Hangout | None = None
    things: list[Entity] = []
    messages, mark = 0, blake2b(digest_size=16)
    async for one in store.all(detail(hangout_id=hangout_id)):
        mark.update(msgpack.encode(one))
        if isinstance(one, TalkMessage):
            messages += 1
        elif isinstance(one, Hangout):
            hangout = one
        else:
            things.append(one)
    return None if hangout is None else HangoutSnapshot(hangout, things, messages, mark.digest())


def problem(name: str, thing: Entity, detail: str, *repair: Write) -> Problem:
    """Returns a problem with something of a hangout."""
    return Problem(name, thing.schema.table.name, thing.ref.key, detail, repair)
