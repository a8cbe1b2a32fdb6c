"""Checks of things together with a snapshot of what belongs to them, which several reads make."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from typing import Any, Generic, TypeVar

from commonroom.store.checking.checks import Problem, StoredEntity
from commonroom.store.checking.each import find_each
from commonroom.store.declare.entity import Entity
from commonroom.store.store import Store

S = TypeVar("S")

LOOKS = 5
"""How often something that keeps changing is looked at; where people are at work, counts count."""


class SnapshotCheck(Generic[S]):
    """Compares each thing of some kinds with a snapshot of what it counts or names."""

    def __init__(
        self,
        kinds: type[Entity] | tuple[type[Entity], ...],
        take_snapshot: Callable[[Store, Any], Awaitable[S]],
        find_problems: Callable[[Any, S], Iterable[Problem]],
    ) -> None:
        self._kinds = kinds
        self._take_snapshot = take_snapshot
        self._find_problems = find_problems

    async def examine(self, store: Store, things: Sequence[StoredEntity]) -> AsyncIterator[Problem]:
        """Yields what is wrong with these things."""
        found = [thing.entity for thing in things if isinstance(thing.entity, self._kinds)]
        async for problem in find_each(store, self.find, found):
            yield problem

    async def find(self, store: Store, thing: Entity) -> list[Problem]:
        """Returns what is wrong with one thing."""

        async def look() -> tuple[Entity, S] | None:
            now: Entity | None = await store.get(thing.ref)
            return None if now is None else (now, await self._take_snapshot(store, now))

        first = thing, await self._take_snapshot(store, thing)
        return await look_twice(first, look, lambda seen: self._find_problems(*seen))


async def look_twice(
    first: S,
    look: Callable[[], Awaitable[S | None]],
    find_problems: Callable[[S], Iterable[Problem]],
) -> list[Problem]:
    """Returns what is wrong, where two looks see the same; None is seen of what is gone.

    What changes a count also changes what is counted, in one write; so what is held while it is
    repaired has not changed since the looks, or the repair is refused.
    """
    before = first
    for _ in range(LOOKS):
        if not list(find_problems(before)):
            return []
        after = await look()
        if after is None:
            return []
        if after == before:
            return list(find_problems(after))
        before = after
    return []
