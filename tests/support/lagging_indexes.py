"""Indexes that show a change only some operations later."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from random import Random

from commonroom.store.declare.table import Table
from commonroom.store.engine import Engine, WriteOperation
from commonroom.store.values import Item, Key


@dataclass(frozen=True, slots=True)
class _Waiting:
    due: int
    table: Table
    key: Key
    image: Item | None


class LaggingIndexes:
    """A copy of the data that is behind, from which index queries are answered.

    Changes of one item never overtake each other; those of different items do.
    """

    def __init__(self, shadow: Engine, chance: Random, most: int) -> None:
        self.shadow = shadow
        self._chance = chance
        self._most = most
        self._now = 0
        self._waiting: list[_Waiting] = []
        self._showing = asyncio.Lock()

    @property
    def behind(self) -> bool:
        """Whether there are changes that the indexes do not show."""
        return bool(self._waiting)

    def note(self, table: Table, key: Key, image: Item | None) -> None:
        """An item has changed; the indexes are to show it later."""
        before = [one.due for one in self._waiting if (one.table, one.key) == (table, key)]
        due = max([self._now + self._chance.randint(0, self._most), *before])
        self._waiting.append(_Waiting(due, table, key, image))

    async def tick(self) -> None:
        """Another operation: what is due is shown."""
        self._now += 1
        await self._show([one for one in self._waiting if one.due < self._now])

    async def catch_up(self) -> None:
        """Shows everything."""
        await self._show(self._waiting)

    async def _show(self, due: list[_Waiting]) -> None:
        shown = {id(one) for one in due}
        self._waiting = [one for one in self._waiting if id(one) not in shown]
        async with self._showing:  # one after the other, or changes of an item could overtake
            for one in due:
                if one.image is None:
                    await self.shadow.write([WriteOperation("delete", one.table, one.key)])
                else:
                    await self.shadow.write(
                        [WriteOperation("put", one.table, one.key, item=one.image)]
                    )
