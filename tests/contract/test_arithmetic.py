"""Numbers add, compare, sort and come back alike on both engines, at the edges too."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from commonroom.store import Store, add, count, put, stored, update
from commonroom.store.conditions import Compare
from commonroom.store.engine import AttributeChange, Engine, WriteOperation
from commonroom.store.errors import BadNumber, ConditionFailed, WrongType
from commonroom.store.values import Item
from tests.support import world
from tests.support.world import Book, Reading, fresh, fresh_number, names

LARGEST = 2**63 - 1


async def stored_with(engine: Engine, **attributes: Any) -> str:
    """Stores an item with these attributes and gives its name."""
    name = fresh()
    item = {"Name": name, **attributes}
    await engine.write([WriteOperation("put", names, (name,), item=item)])
    return name


async def change(engine: Engine, name: str, *actions: AttributeChange) -> Item:
    """What an item is after an update."""
    await engine.write([WriteOperation("update", names, (name,), stored, actions=actions)])
    return await found(engine, name)


async def found(engine: Engine, name: str) -> Item:
    (item,) = await engine.batch_get([(names, (name,))])
    assert item is not None
    return item


class TestAddingWholeNumbers:
    @pytest.mark.parametrize("before, amount", [(LARGEST - 1, 1), (2**53, 1), (1 - LARGEST, -1)])
    async def test_is_exact_up_to_64_bits(self, engine: Engine, before: int, amount: int) -> None:
        name = await stored_with(engine, Number=before, Map={"a": before})

        after = await change(
            engine,
            name,
            AttributeChange("add", "Number", amount),
            AttributeChange("count", "Map", {"a": amount}),
        )

        assert (after["Number"], after["Map"]) == (before + amount, {"a": before + amount})

    @pytest.mark.parametrize(
        "before, amount", [(LARGEST, 1), (-LARGEST, -1), (2**62, 2**62), (LARGEST, LARGEST)]
    )
    @pytest.mark.parametrize("kind", ["add", "count"])
    async def test_beyond_64_bits_is_refused(
        self, engine: Engine, kind: str, before: int, amount: int
    ) -> None:
        name = await stored_with(engine, Number=before, Map={"a": before, "b": 1})
        action = (
            AttributeChange("add", "Number", amount)
            if kind == "add"
            else AttributeChange("count", "Map", {"b": 1, "a": amount})
        )

        with pytest.raises(BadNumber):
            await change(engine, name, action)

        item = await found(engine, name)
        assert (item["Number"], item["Map"]) == (before, {"a": before, "b": 1})

    async def test_to_something_else_is_refused(self, engine: Engine) -> None:
        name = await stored_with(engine, Text="1", Truth=True, Map={"a": "1"})

        for action in (
            AttributeChange("add", "Text", 1),
            AttributeChange("add", "Truth", 1),
            AttributeChange("count", "Map", {"a": 1}),
            AttributeChange("count", "Text", {"a": 1}),
            AttributeChange("count", "Nothing", {"a": 1}),
        ):
            with pytest.raises(WrongType):
                await change(engine, name, action)

    async def test_starts_with_nothing(self, engine: Engine) -> None:
        name = await stored_with(engine, Map={})

        after = await change(
            engine,
            name,
            AttributeChange("add", "New", -LARGEST),
            AttributeChange("count", "Map", {"a": LARGEST}),
        )

        assert (after["New"], after["Map"]) == (-LARGEST, {"a": LARGEST})

    async def test_loses_nothing_among_many(self, store: Store) -> None:
        book = Book(house_id=fresh(), book_id="b", readers={})
        await store.write(put(book))

        await asyncio.gather(
            *(
                store.write(update(book.ref, pages=add(1), readers=count({"ann": 1, "bob": 2})))
                for _ in range(20)
            )
        )

        after = await store.get(book.ref)
        assert after is not None
        assert (after.pages, after.readers) == (20, {"ann": 20, "bob": 40})


class TestAddingFractions:
    @pytest.mark.parametrize(
        "before, amounts, after",
        [
            (0.1, [0.2], 0.3),
            (0.1, [0.7, -0.1], 0.7),
            (1e-20, [1.0, -1.0], 0.0),
            (1e15, [0.1234567, -1e15], 0.1),
            (1e20, [1.0, -1e20], 0.0),
            (1e100, [1.0], 1e100),
            (1e38, [1.0], 1e38),
            (0.30000000000000004, [1.0, -1.0], 0.3),
            (0.1, [-0.1], 0.0),
            (1e-130, [-1e-130], 0.0),
        ],
    )
    async def test_keeps_what_a_float_keeps(
        self, store: Store, before: float, amounts: list[float], after: float
    ) -> None:
        reading = Reading(sensor=fresh_number(), moment=1, value=before)
        await store.write(put(reading))

        for amount in amounts:
            await store.write(update(reading.ref, value=add(amount)))

        found = await store.get(reading.ref)
        assert found is not None
        assert found.value == after

    async def test_is_alike_where_the_amount_is_whole_and_the_field_a_float(
        self, store: Store
    ) -> None:
        reading = Reading(sensor=fresh_number(), moment=1, value=1e-20)
        await store.write(put(reading))

        await store.write(update(reading.ref, value=add(1)))
        await store.write(update(reading.ref, value=add(-1)))

        found = await store.get(reading.ref)
        assert found is not None
        assert found.value == 0.0

    @pytest.mark.parametrize(
        "before, amount", [(9.9e125, 9.9e125), (-9.9e125, -1e125), (1.5e-130, -1e-130)]
    )
    async def test_out_of_range_is_refused(
        self, store: Store, before: float, amount: float
    ) -> None:
        reading = Reading(sensor=fresh_number(), moment=1, value=before)
        await store.write(put(reading))

        with pytest.raises(BadNumber):
            await store.write(update(reading.ref, value=add(amount)))

        assert await store.get(reading.ref) == reading

    async def test_loses_nothing_among_many(self, store: Store) -> None:
        reading = Reading(sensor=fresh_number(), moment=1, value=0.0)
        await store.write(put(reading))

        await asyncio.gather(*(store.write(update(reading.ref, value=add(0.1))) for _ in range(10)))

        after = await store.get(reading.ref)
        assert after is not None
        assert after.value == 1.0


class TestComparing:
    @pytest.mark.parametrize(
        "number, sign, other, holds",
        [
            (2**53 + 1, "=", float(2**53), False),
            (2**53 + 1, ">", float(2**53), True),
            # 2.0**62 is written 4.611686018427388e+18, and that is what it is.
            (2**62, "=", 2.0**62, False),
            (2**62, "<", 2.0**62, True),
            (4611686018427388000, "=", 2.0**62, True),
            (1e22, "=", 1e22, True),
            (1e100, ">", LARGEST, True),
            (-1e100, "<", -LARGEST, True),
            (0.1, "=", 0.1, True),
            (-0.0, "=", 0, True),
            (1, "=", 1.0, True),
            (1, "=", True, False),
            (True, ">", 0, False),
        ],
    )
    async def test_takes_large_floats_for_what_they_are_written_as(
        self, engine: Engine, number: Any, sign: str, other: Any, holds: bool
    ) -> None:
        name = await stored_with(engine, Number=number, List=[number])
        wanted = [Compare("Number", sign, other)]
        if sign == "=":
            wanted.append(Compare("List", "=", [other]))

        for condition in wanted:
            check = WriteOperation("check", names, (name,), condition)
            if holds:
                await engine.write([check])
            else:
                with pytest.raises(ConditionFailed):
                    await engine.write([check])


class TestAKey:
    async def test_above_2_to_the_53_sorts_to_the_last_digit(self, store: Store) -> None:
        sensor = fresh_number()
        moments = [2**53, 2**53 + 1, 2**53 + 2, 2**62 - 1, 2**62, LARGEST - 1, LARGEST]
        for moment in (moments[3], *moments[:3], *moments[:3:-1]):
            await store.engine.load(world.readings, [{"Sensor": sensor, "Moment": moment}])

        found = await store.engine.batch_get([(world.readings, (sensor, one)) for one in moments])

        assert [item and item["Moment"] for item in found] == moments
        rows = await store.page(world.sensor_after(sensor=sensor, moment=2**53))
        assert len(rows.items) == len(moments) - 1
        scanned = await store.engine.batch_get([(world.readings, (sensor, 2**53 + 3))])
        assert scanned == [None]

    @pytest.mark.parametrize("moment", [2.0**53, -(2.0**53), 2.0**62, 1e18, -9.2e18])
    async def test_from_there_on_is_no_float_up_to_64_bits(
        self, store: Store, moment: float
    ) -> None:
        reading = Reading(sensor=fresh_number(), moment=moment)

        with pytest.raises(BadNumber):
            await store.write(put(reading))
        with pytest.raises(BadNumber):
            await store.page(world.sensor_after(sensor=reading.sensor, moment=moment))

    async def test_below_and_beyond_may_be_one(self, store: Store) -> None:
        sensor = fresh_number()
        moments = [-1e100, 1 - 2.0**53, -0.5, 0.0, 0.1, 0.3, 0.30000000000000004, 2.0**53 - 1, 1e20]
        for moment in reversed(moments):
            await store.write(put(Reading(sensor=sensor, moment=moment)))

        page = await store.page(world.sensor(sensor=sensor))

        assert [one.moment for one in page.items] == moments

    async def test_does_not_grow_out_of_what_a_key_may_be(self, store: Store) -> None:
        book = Book(house_id=fresh(), book_id="b", owner_id=fresh(), rank=2.0**53 - 1)
        await store.write(put(book))

        with pytest.raises(BadNumber):
            await store.engine.write(
                [
                    WriteOperation(
                        "update",
                        world.world,
                        book.ref.key,
                        stored,
                        actions=(AttributeChange("add", "Rank", 1.0),),
                    )
                ]
            )

        assert await store.get(book.ref) == book


class TestANumberThatIsReadBack:
    @pytest.mark.parametrize("number", [1e18, 1e19, 1e20, -1e19, 2.0**63, 1e100, 9.9e125, 1e-130])
    async def test_can_be_written_again(self, engine: Engine, number: float) -> None:
        name = await stored_with(engine, Number=number)

        item = await found(engine, name)
        await engine.write([WriteOperation("put", names, (name,), item=item)])

        assert (await found(engine, name))["Number"] == number

    async def test_is_a_float_where_the_field_is_one(self, store: Store) -> None:
        for value in (1.0, 1e15, 1e18, 1e19, -0.0):
            reading = Reading(sensor=fresh_number(), moment=1, value=value)
            await store.write(put(reading))

            found = await store.get(reading.ref)

            assert found == reading
            assert isinstance(found.value, float)
