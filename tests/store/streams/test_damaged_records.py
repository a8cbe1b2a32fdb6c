"""A damaged record of a stream is parked, and holds nobody up."""

from __future__ import annotations

from pathlib import Path

import apsw
import pytest

from commonroom.store import Store, create
from commonroom.store.streams import RetryPolicy, Worker
from commonroom.store.streams.tables import dead_letters, parked_changes
from tests.store.streams.shelves import Seen, Thing, Time, consumer, shelves, thing


class TestADamagedRecord:
    @pytest.mark.parametrize(
        "damage",
        [
            "UPDATE _changes SET new = x'c1' WHERE seq = 3",
            "UPDATE _changes SET key = x'c1' WHERE seq = 3",
        ],
    )
    async def test_is_parked_and_holds_nobody_up(
        self, store: Store, clock: Time, tmp_path: Path, damage: str
    ) -> None:
        seen = Seen()
        for number in range(5):
            await store.write(create(thing(number)))
        run(tmp_path, damage)
        worker = Worker(store, [consumer(seen)], clock=clock)

        await worker.drain()

        assert seen.names == ["000", "001", "003", "004"]
        [parked] = (await store.page(parked_changes(consumer="test"))).items
        assert parked.position == "3"
        assert "DamagedItem" in parked.error

    async def test_is_handled_once_its_item_can_be_read(
        self, store: Store, clock: Time, tmp_path: Path
    ) -> None:
        seen = Seen()
        await store.write(create(thing(0)))
        run(tmp_path, "UPDATE _changes SET new = x'c1'")
        worker = Worker(store, [consumer(seen)], clock=clock)
        await worker.drain()
        assert seen.names == []

        clock.now += 60
        await worker.drain()

        assert seen.names == ["000"]

    async def test_of_an_item_that_stays_damaged_is_set_aside(
        self, store: Store, clock: Time, tmp_path: Path
    ) -> None:
        seen = Seen()
        await store.write(create(thing(0)))
        run(tmp_path, "UPDATE _changes SET new = x'c1'; UPDATE Shelves SET _item = x'c1'")
        worker = Worker(store, [consumer(seen, RetryPolicy(1.0, 1.0, 2))], clock=clock)
        for _ in range(3):
            await worker.drain()
            clock.now += 60

        [aside] = (await store.page(dead_letters(consumer="test"))).items
        assert "DamagedItem" in aside.error

    async def test_of_the_worker_itself_is_passed(
        self, store: Store, clock: Time, tmp_path: Path
    ) -> None:
        seen = Seen()
        seen.failing = {"000"}
        await store.write(create(thing(0)))
        worker = Worker(store, [consumer(seen)], clock=clock)
        await worker.drain()
        run(tmp_path, "UPDATE Consumers SET _item = x'c1' WHERE kind = 'PARKED'")
        await store.write(create(thing(1)))

        await worker.drain()

        assert seen.names == ["001"]

    async def test_that_has_expired_is_swept(
        self, store: Store, clock: Time, tmp_path: Path
    ) -> None:
        await store.write(create(Thing(shelf_id="a", thing_id="x", expires=int(clock.now) + 5)))
        run(tmp_path, "UPDATE Shelves SET _item = x'c1'")
        clock.now += 60

        assert await store.engine.sweep(10) == 1

        assert (await store.engine.scan(shelves, limit=5)).damaged == []


def run(folder: Path, sql: str) -> None:
    """Changes the file behind the store's back."""
    connection = apsw.Connection(str(folder / "store.db"))
    connection.execute(sql)
    connection.close()
