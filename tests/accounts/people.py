"""People for the tests of accounts, the time they live in, and what goes on meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from commonroom.accounts.service.signup import NewAccount, sign_up
from commonroom.accounts.tables import User, tables
from commonroom.errors import CommonroomError
from commonroom.store import BoundPattern, Entity, Ref, Store, Write
from commonroom.store.values import Item

E = TypeVar("E", bound=Entity)
R = TypeVar("R")

PASSWORD = "a quiet evening at home"
ANOTHER = "a loud evening elsewhere"
MINUTE, DAY = 60, 24 * 3600

# A database's own clock never reaches it while tests run, so only ours lets things expire.
BEGINNING = 10.0**10


class Watch:
    """The time, which passes only when a test says so."""

    def __init__(self) -> None:
        self.now = BEGINNING

    def __call__(self) -> float:
        return self.now

    def forward(self, seconds: float) -> None:
        self.now += seconds


def newcomer(name: str, *, email: str | None = None, password: str = PASSWORD) -> NewAccount:
    """What somebody gives who signs up."""
    return NewAccount(email or f"{name.casefold()}@example.org", name, password)


async def newly(store: Store, clock: Watch, name: str) -> User:
    """Somebody who has just signed up."""
    return await sign_up(store, clock(), "open", newcomer(name))


async def again(store: Store, thing: E) -> E:
    """The same thing as it is stored now."""
    found = await store.get(thing.ref)
    assert found is not None
    return found


async def everything(store: Store) -> list[Item]:
    """All that is stored about accounts."""
    return [item for table in tables for item in (await store.engine.scan(table, limit=1000)).items]


async def at_once(*doings: Awaitable[R]) -> tuple[list[R], list[CommonroomError]]:
    """What came of things that people did at the same time: results and refusals."""
    came = await asyncio.gather(*doings, return_exceptions=True)
    for one in came:
        if isinstance(one, BaseException) and not isinstance(one, CommonroomError):
            raise one
    refusals = [one for one in came if isinstance(one, CommonroomError)]
    return [one for one in came if not isinstance(one, BaseException)], refusals


class Meanwhile(Store):
    """A store in which something happens once, right after a read, or before or after a write."""

    def __init__(
        self,
        store: Store,
        happens: Callable[[], Awaitable[object]],
        *,
        after_reading: type[Entity] | None = None,
        before_writing: type[Entity] | None = None,
        after_writing: type[Entity] | None = None,
    ) -> None:
        super().__init__(store.engine)
        self._happens: Callable[[], Awaitable[object]] | None = happens
        self._reading, self._before, self._after = after_reading, before_writing, after_writing

    async def get(self, what: Ref[Any] | BoundPattern[Any]) -> Any:
        found = await super().get(what)
        if self._reading is not None and isinstance(found, self._reading):
            await self._let_it_happen()
        return found

    async def write(self, *writes: Write) -> None:
        kinds = {write.entity_type for write in writes}
        if self._before in kinds:
            await self._let_it_happen()
        await super().write(*writes)
        if self._after in kinds:
            await self._let_it_happen()

    async def _let_it_happen(self) -> None:
        if (happens := self._happens) is not None:
            self._happens = None
            await happens()
