"""What the store promises stands on a hostile engine, with everything against it at once."""

from __future__ import annotations

import asyncio

import pytest

from commonroom.store import ConditionFailed, Entity, Store, add, create, put, update
from commonroom.store.engine import Engine
from commonroom.store.errors import Unavailable
from tests.support.hostile_engine import HostileEngine, Hostility
from tests.support.world import Book, House, Name, fresh

PATIENCE = 300


@pytest.fixture(params=[1, 2, 3])
def hostile(engine: Engine, request: pytest.FixtureRequest) -> HostileEngine:
    """Everything against us, in three ways."""
    hostility = Hostility(
        conflicts=0.4, throttled_reads=0.2, throttled_writes=0.3, lost_answers=0.4
    )
    return HostileEngine(engine, seed=request.param, hostility=hostility)


async def claim(store: Store, name: Name) -> bool:
    """Claims a name however long it takes; says whether it is ours."""
    for _ in range(PATIENCE):
        try:
            await store.write(create(name))
        except Unavailable:
            continue  # it may have happened: trying again tells
        except ConditionFailed as failed:
            return bool(failed.entity == name)
        return True
    raise AssertionError("the engine is more than hostile")


async def read(store: Store, thing: Book | House) -> Entity:
    """The thing as it is now."""
    for _ in range(PATIENCE):
        try:
            found = await store.get(thing.ref)
        except Unavailable:
            continue
        assert found is not None
        return found
    raise AssertionError("the engine is more than hostile")


class TestWhateverHappens:
    async def test_a_name_belongs_to_exactly_one(
        self, engine: Engine, hostile: HostileEngine
    ) -> None:
        store, several = Store(hostile), [fresh() for _ in range(6)]
        claims = [Name(name=name, holder=f"{n}") for name in several for n in range(6)]

        won = await asyncio.gather(*(claim(store, one) for one in claims))

        winners = [one for one, mine in zip(claims, won, strict=True) if mine]
        assert sorted(one.name for one in winners) == sorted(several)
        assert await Store(engine).batch_get([one.ref for one in winners]) == winners
        assert hostile.happened["lost_answers"]
        assert hostile.happened["throttled_writes"]

    async def test_a_write_happens_whole_or_not_at_all(
        self, engine: Engine, hostile: HostileEngine
    ) -> None:
        store = Store(hostile)
        giver, taker = (
            House(house_id=fresh(), title="Giver"),
            House(house_id=fresh(), title="Taker"),
        )
        await Store(engine).write(put(giver), put(taker))
        receipts = [Name(name=fresh(), holder="receipt") for _ in range(12)]

        async def give(receipt: Name) -> None:
            for _ in range(PATIENCE):
                try:
                    await store.write(
                        create(receipt),
                        update(giver.ref, books=add(-1)),
                        update(taker.ref, books=add(1)),
                    )
                except Unavailable:
                    continue
                except ConditionFailed:
                    return  # the receipt is there: it was written after all
                return

        await asyncio.gather(*map(give, receipts))

        assert await Store(engine).batch_get([one.ref for one in receipts]) == receipts
        assert [one.books for one in (await found(engine, giver), await found(engine, taker))] == [
            -12,
            12,
        ]

    async def test_no_edit_overwrites_another(self, engine: Engine, hostile: HostileEngine) -> None:
        store, book = Store(hostile), Book(house_id=fresh(), book_id="b")
        await Store(engine).write(put(book))

        async def tag(mark: str) -> None:
            for _ in range(PATIENCE):
                current = await read(store, book)
                assert isinstance(current, Book)
                if mark in current.tags:
                    return  # an answer was lost, but not the edit
                try:
                    await store.write(update(current, tags=[*current.tags, mark]))
                except (Unavailable, ConditionFailed):
                    continue
                return
            raise AssertionError("the engine is more than hostile")

        await asyncio.gather(*(tag(f"{n}") for n in range(10)))

        last = await Store(engine).get(book.ref)
        assert last is not None
        assert sorted(last.tags) == [f"{n}" for n in range(10)]
        assert hostile.happened["conflicts"]


async def found(engine: Engine, house: House) -> House:
    current = await Store(engine).get(house.ref)
    assert current is not None
    return current
