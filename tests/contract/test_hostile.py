"""What hostile engines do really happens, each kind by itself and as the seed says."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from pathlib import Path

import pytest
from msgspec.structs import replace

from commonroom.store import ConditionFailed, Store, create, put, update
from commonroom.store.engine import ChangeRecord, Engine, WriteOperation
from commonroom.store.errors import Unavailable
from tests.support import world
from tests.support.engines import Clock
from tests.support.hostile_engine import EVERYTHING, HostileEngine, Hostility, hostile_file
from tests.support.world import Book, Entry, Name, Parcel, diary, fresh, names, parcels


def hostile(engine: Engine, seed: int = 1, **kinds: float) -> HostileEngine:
    """The engine with some kinds of hostility."""
    return HostileEngine(engine, seed=seed, hostility=Hostility(**kinds))  # type: ignore[arg-type]


class TestLaggingIndexes:
    @pytest.fixture
    async def lagging(
        self, engine: Engine, tmp_path: Path, clock: Clock
    ) -> AsyncIterator[HostileEngine]:
        lagging = await HostileEngine.around(
            engine, [parcels], tmp_path, seed=1, clock=clock, hostility=Hostility(lag=6)
        )
        yield lagging
        await lagging.close()

    async def test_show_what_was_written_some_operations_later(
        self, lagging: HostileEngine
    ) -> None:
        store, route = Store(lagging), fresh()
        written: list[Parcel] = []
        behind = 0
        for weight in range(30):
            written.append(Parcel(parcel_id=fresh(), route=route, weight=weight))
            await store.write(put(written[-1]))
            shown = (await store.page(world.route(route=route))).items
            assert shown == [one for one in written[::-1] if one in shown]
            behind += len(shown) < len(written)
            assert len(shown) >= len(written) - 6, "bounded: two operations for each"
        await lagging.settle()

        assert behind > 5
        assert lagging.happened["lag"] > 5
        assert (await store.page(world.route(route=route))).items == written[::-1]

    async def test_never_show_an_older_state_of_a_thing_after_a_newer(
        self, lagging: HostileEngine
    ) -> None:
        store = Store(lagging)
        parcel = Parcel(parcel_id=fresh(), route=fresh(), weight=0)
        await store.write(put(parcel))
        seen = [-1]
        for weight in range(1, 40):
            await store.write(update(replace(parcel, weight=weight - 1), weight=weight))
            for shown in (await store.page(world.route(route=parcel.route))).items:
                assert shown.weight is not None
                seen.append(shown.weight)

        assert seen == sorted(seen)
        assert len(set(seen)) > 5

    async def test_do_not_touch_reads_by_key(self, lagging: HostileEngine) -> None:
        store = Store(lagging)
        for _ in range(10):
            parcel = Parcel(parcel_id=fresh(), route=fresh(), weight=1)
            await store.write(put(parcel))
            assert await store.get(parcel.ref) == parcel

    async def test_begin_with_what_is_there_already(
        self, engine: Engine, tmp_path: Path, clock: Clock
    ) -> None:
        parcel = Parcel(parcel_id=fresh(), route=fresh(), weight=1)
        await Store(engine).write(put(parcel))

        lagging = await HostileEngine.around(engine, [parcels], tmp_path, seed=1, clock=clock)

        page = await Store(lagging).page(world.route(route=parcel.route))
        assert page.items == [parcel]


class TestConflicts:
    async def test_make_whoever_holds_a_version_come_too_late(self, engine: Engine) -> None:
        rivalled = hostile(engine, conflicts=1)
        store, book = Store(rivalled), Book(house_id=fresh(), book_id="b")
        await store.write(put(book))

        with pytest.raises(ConditionFailed) as caught:
            await store.write(update(book, title="Mine"))

        assert caught.value.entity == replace(book, version=2)
        assert await store.get(book.ref) == replace(book, version=2)
        assert rivalled.happened["conflicts"] == 1

    async def test_leave_alone_what_holds_no_version(self, engine: Engine) -> None:
        rivalled = hostile(engine, conflicts=1)
        store, name = Store(rivalled), Name(name=fresh(), holder="ann")

        await store.write(create(name))

        assert await store.get(name.ref) == name
        assert rivalled.happened["conflicts"] == 0

    async def test_may_be_of_any_other_kind(self, engine: Engine) -> None:
        async def claims_first(engine: Engine, operations: Sequence[WriteOperation]) -> bool:
            item = operations[0].item | {"Holder": "rival"}
            await engine.write([WriteOperation("put", names, operations[0].key, item=item)])
            return True

        rivalled = HostileEngine(
            engine, seed=1, hostility=Hostility(conflicts=1), rival=claims_first
        )

        with pytest.raises(ConditionFailed) as caught:
            await Store(rivalled).write(create(Name(name=fresh(), holder="ann")))

        assert caught.value.entity.holder == "rival"


class TestThrottling:
    async def test_of_writes_writes_nothing(self, engine: Engine) -> None:
        store, name = Store(hostile(engine, throttled_writes=1)), Name(name=fresh(), holder="ann")

        with pytest.raises(Unavailable):
            await store.write(create(name))

        assert await store.get(name.ref) is None

    async def test_of_reads_reads_nothing(self, engine: Engine) -> None:
        throttled = hostile(engine, throttled_reads=1)
        store, name = Store(throttled), Name(name=fresh(), holder="ann")
        await store.write(create(name))

        with pytest.raises(Unavailable):
            await store.get(name.ref)
        with pytest.raises(Unavailable):
            await store.batch_get([name.ref])
        with pytest.raises(Unavailable):
            await store.page(world.house_books(house_id="h"))
        with pytest.raises(Unavailable):
            await throttled.scan(names, limit=1)


class TestLostAnswers:
    async def test_come_after_the_write_happened(self, engine: Engine) -> None:
        store, name = Store(hostile(engine, lost_answers=1)), Name(name=fresh(), holder="ann")

        with pytest.raises(Unavailable):
            await store.write(create(name))

        assert await store.get(name.ref) == name

    async def test_are_not_those_of_writes_that_fail(self, engine: Engine) -> None:
        store, name = Store(hostile(engine, lost_answers=1)), Name(name=fresh(), holder="ann")
        await Store(engine).write(create(name))

        with pytest.raises(ConditionFailed):
            await store.write(create(name))


class TestRecords:
    async def followed(self, engine: HostileEngine, wanted: int, day: str) -> list[ChangeRecord]:
        """Records of one day's entries as they come, until all of them have come."""
        told: list[ChangeRecord] = []
        after: dict[str, str | None] = {}
        for _ in range(5000):
            for shard in await engine.shards(diary):
                changes = await engine.changes(diary, shard.id, after.get(shard.id), 7)
                assert len(changes.records) <= 7
                after[shard.id] = changes.position
                told += [record for record in changes.records if str(record.key[0]).startswith(day)]
            if len({record.position for record in told}) >= wanted:
                return told
        raise AssertionError("records are missing")

    async def test_come_late_and_again_but_all_of_them_and_in_order(self, engine: Engine) -> None:
        disturbed = hostile(engine, late_records=0.5, repeated_records=0.5)
        store, day = Store(engine), fresh()
        for entry in range(3):
            await store.write(put(Entry(day=f"{day}-{entry}")))
            for count in range(1, 6):
                await store.write(update(Entry.at(day=f"{day}-{entry}", hour="noon"), count=count))

        told = await self.followed(disturbed, 18, day)

        assert disturbed.happened["late_records"]
        assert disturbed.happened["repeated_records"]
        first = list({record.position: record for record in told}.values())
        assert len(told) > len(first) == 18
        for entry in range(3):
            images = [record.new for record in first if record.key[0] == f"{day}-{entry}"]
            assert [image and image["Count"] for image in images] == list(range(6))


class TestASeed:
    async def outcomes(self, engine: Engine, seed: int) -> list[str]:
        store = Store(HostileEngine(engine, seed=seed, hostility=EVERYTHING))
        book = Book(house_id=fresh(), book_id="b")
        await Store(engine).write(put(book))
        told = []
        for _ in range(40):
            try:
                await store.write(update(book, title="x"))
                told.append("written")
            except ConditionFailed as failed:
                book = failed.entity
                told.append("conflict")
            except Unavailable as error:
                told.append(error.detail)
        return told

    async def test_does_the_same_in_the_same_order(self, engine: Engine) -> None:
        assert await self.outcomes(engine, 7) == await self.outcomes(engine, 7)
        assert len(set(await self.outcomes(engine, 7))) == 4, "all that can happen does"

    async def test_does_other_things_than_another(self, engine: Engine) -> None:
        assert await self.outcomes(engine, 7) != await self.outcomes(engine, 8)

    async def test_does_nothing_where_nothing_is_switched_on(self, engine: Engine) -> None:
        friendly = hostile(engine)
        store, name = Store(friendly), Name(name=fresh(), holder="ann")

        for _ in range(50):
            await store.write(put(name))
            assert await store.get(name.ref) == name

        assert not +friendly.happened


class TestAHostileFile:
    async def test_has_everything_against_whoever_uses_it(self, tmp_path: Path) -> None:
        async with hostile_file(tmp_path, [parcels, diary], seed=5) as engine:
            store, route = Store(engine), fresh()
            for number in range(60):
                parcel = Parcel(parcel_id=f"{number}", route=route, weight=number)
                await insist(store, parcel)
                with suppress(Unavailable):
                    await store.page(world.route(route=route))
            await engine.settle()

            for kind in ("lag", "throttled_reads", "throttled_writes", "lost_answers"):
                assert engine.happened[kind], kind
            rows = await engine.inner.scan(parcels, limit=100)
            assert len(rows.items) == 60


async def insist(store: Store, parcel: Parcel) -> None:
    """Puts a parcel, which may be done twice, until it is known to be there."""
    for _ in range(100):
        with suppress(Unavailable):
            await store.write(put(parcel))
            return
    raise AssertionError("the engine is more than hostile")
