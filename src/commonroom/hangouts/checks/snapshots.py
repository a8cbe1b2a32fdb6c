"""Snapshots of everything on one hangout."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

from msgspec import Struct

from commonroom.hangouts.relations import ON_A_HANGOUT
from commonroom.hangouts.tables import Hangout, TalkMessage, detail
from commonroom.store import Entity, Store
from commonroom.store.checking import Problem
from commonroom.store.checking.relations import Numbers, Recount, find_miscounted
from commonroom.store.values import Key

E = TypeVar("E", bound=Entity)


class HangoutSnapshot(Struct, frozen=True):
    """What stands in a hangout's partition; messages are only counted."""

    hangout: Hangout
    things: Sequence[Entity]
    numbers: Mapping[Key, Numbers]
    """What the hangout, and things on it, should count."""

    def of(self, kind: type[E]) -> list[E]:
        """Returns those of one kind, in the order of their keys."""
        return [one for one in self.things if isinstance(one, kind)]

    def miscounted(self, thing: Entity) -> Iterator[Problem]:
        """Yields what a thing counts wrong of what stands here."""
        return find_miscounted(thing, self.numbers[thing.ref.key], ON_A_HANGOUT)


async def take_snapshot(store: Store, hangout_id: str) -> HangoutSnapshot | None:
    """Reads everything of a hangout; None where it is gone."""
    hangout: Hangout | None = None
    things: list[Entity] = []
    recount = Recount(ON_A_HANGOUT)
    async for one in store.all(detail(hangout_id=hangout_id)):
        recount.add(one)
        if isinstance(one, Hangout):
            hangout = one
        elif not isinstance(one, TalkMessage):
            things.append(one)
    if hangout is None:
        return None
    numbers = {one.ref.key: recount.of(one) for one in (hangout, *things)}
    return HangoutSnapshot(hangout, things, numbers)
