"""A check beside people at work: nothing is found where nothing is wrong, and nothing overtaken."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, cast

import pytest

from commonroom.errors import CommonroomError
from commonroom.library.checks import counts
from commonroom.library.room import LIBRARY
from commonroom.library.service.items import delete_item
from commonroom.library.service.loans import lend, return_item
from commonroom.library.service.moves import move_item
from commonroom.library.tables import Book
from commonroom.store import ConditionFailed, Ref, Store, add, update
from commonroom.store.checking import Problem, ReportedProblem, StoredEntity
from commonroom.store.engine import Engine
from commonroom.store.streams import Worker, copy_consumers
from commonroom.timers import Scheduler
from tests.accounts.people import Watch
from tests.library.bookcase import (
    COPIES,
    book_of,
    check_bookcases,
    collection_of,
    drift,
    everything_of,
    now_of,
    tidied,
)
from tests.library.checks.example import House
from tests.library.races.scenes import BEN, Room
from tests.support.checking import Patience

PEOPLE, DEEDS = 3, 60


async def something(room: Room, chance: random.Random) -> None:
    """Ada does one thing or another with one of her books."""
    books = await everything_of(room.store.engine, Book)
    book = chance.choice(books)
    store = room.store
    place = (room.at(store)[0], book.library_id, book.item_id)
    other = room.attic if book.library_id == room.home.library_id else room.home
    deeds: list[Callable[[], Awaitable[Any]]] = [
        lambda: room.adds(store, isbn="9780261103252"),
        lambda: room.adds_to_amber(store),
        lambda: room.renames_amber(store, chance.choice(["Amber", "Ambre", "Bernstein"])),
        lambda: lend(*place, to="Ben", email=BEN),
        lambda: return_item(*place),
        lambda: move_item(*place, to=other.library_id),
    ]
    if len(books) > PEOPLE:
        deeds.append(lambda: delete_item(*place, force=True))
    try:
        await chance.choice(deeds)()
    except CommonroomError:
        return  # somebody was quicker


async def follow(room: Room, work: Sequence[asyncio.Task[None]]) -> None:
    """What a server does beside it, until all is done."""
    worker = Worker(
        room.store, [*copy_consumers(COPIES), *LIBRARY.data.consumers], clock=room.clock
    )
    scheduler = Scheduler(room.store, LIBRARY.data.timer_handlers, clock=room.clock)
    while not all(one.done() for one in work):
        await worker.drain()
        await scheduler.once()
        await asyncio.sleep(0)


class InTurns:
    """An engine that lets others have their turn before each read, as one far away does."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._engine, name)
        if name not in ("get", "batch_get", "batch_get_decoded", "query", "scan"):
            return found

        async def read(*arguments: Any, **named: Any) -> Any:
            await asyncio.sleep(0)
            return await found(*arguments, **named)

        return read


async def test_while_people_work_nothing_wrong_is_found(store: Store, clock: Watch) -> None:
    room = Room(store, clock)
    await room.furnish()

    async def busy(seed: int) -> None:
        chance = random.Random(seed)
        for _ in range(DEEDS):
            await something(room, chance)

    found: list[ReportedProblem] = []
    beside = Store(cast("Engine", InTurns(store.engine)))
    async with asyncio.TaskGroup() as together:
        work = [together.create_task(busy(seed)) for seed in range(PEOPLE)]
        following = together.create_task(follow(room, work))
        while not following.done():
            found += await drift(beside, grace=Patience(60))
    assert found == []
    await tidied(store, clock)
    await check_bookcases(store.engine)
    assert await drift(store) == []


async def miscounted(store: Store, house: House) -> list[Problem]:
    """What counts wrong in Ada's library."""
    home = await now_of(store, house.home)
    things = [StoredEntity(home.ref.key, home.to_item(), home)]
    return [problem async for problem in counts.LibraryCountCheck().examine(store, things)]


class Meanwhile(Store):
    """A store in which somebody adds a book between two looks through a library, a few times."""

    def __init__(self, house: House, times: int) -> None:
        super().__init__(house.store.engine)
        self.house, self.times = house, times

    async def batch_get(self, refs: Sequence[Ref[Any]]) -> list[Any]:
        found = await super().batch_get(refs)
        if self.times:
            self.times -= 1
            house = self.house
            await book_of(house.store, house.clock, house.ada, house.home, "Add item")
        return found


async def test_a_library_that_changes_meanwhile_is_counted_anew(house: House) -> None:
    await house.load(house.home, TotalItems=7)
    (problem,) = await miscounted(Meanwhile(house, times=2), house)
    assert "says 9 items, 1 of them lent, but it has 5" in problem.detail
    await house.store.write(*problem.repair)
    assert await miscounted(house.store, house) == []


async def test_one_that_keeps_changing_is_left_alone(house: House) -> None:
    await house.load(house.home, TotalItems=7)
    assert await miscounted(Meanwhile(house, times=100), house) == []


async def test_a_count_that_changed_since_is_not_overtaken(house: House) -> None:
    await house.load(house.home, TotalItems=7)
    (problem,) = await miscounted(house.store, house)
    await house.store.write(update(house.home.ref, total_items=add(1)))
    with pytest.raises(ConditionFailed):
        await house.store.write(*problem.repair)
    assert (await now_of(house.store, house.home)).total_items == 8


async def test_however_many_collections_there_are_all_are_counted(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(counts, "COLLECTIONS", 2)
    for name in ("Aaa", "Bbb", "Ccc", "Ddd"):
        made = await collection_of(house.store, house.clock, house.ada, house.home, name)
        await house.load(made, ItemCount=3)
    assert len(await miscounted(house.store, house)) == 4
    assert len(await drift(house.store, repair=True)) == 4
    assert await drift(house.store) == []
