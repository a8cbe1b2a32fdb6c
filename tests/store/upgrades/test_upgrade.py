"""A declaration changes; what an earlier version stored is brought up to it, on both engines."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from commonroom.store import Store, create, update
from commonroom.store.checking.checks import StoredEntity, decode_stored
from commonroom.store.checking.keys import key_problems
from commonroom.store.embedded import EmbeddedEngine
from commonroom.store.engine import Rows
from commonroom.store.errors import BeingUpgraded, NewerData, NotAdditive, Unavailable
from commonroom.store.streams import Consumer, Worker
from commonroom.store.streams.consumer import Change
from commonroom.store.streams.tables import consumers
from commonroom.store.upgrades import fill as filling
from commonroom.store.upgrades import upgrade as upgrade_module
from commonroom.store.upgrades.tables import TableState
from commonroom.store.upgrades.upgrade import Upgrade
from tests.store.upgrades.generations import (
    OWNER,
    Generation,
    books,
    everything,
    first,
    furnish,
    installed,
    is_file,
    moved,
    second,
    third,
    upgrading,
    with_films,
)
from tests.support.engines import Clock, Place, opened

COUNT = 250
"""More than two pages of what is filled at once."""


async def titles(store: Store, of: Generation, pattern: str, **parameters: Any) -> list[str]:
    """What a pattern gives."""
    return [one.title async for one in store.all(of.patterns[pattern](**parameters))]


async def wrong_keys(store: Store, of: Generation) -> list[str]:
    """What is wrong with the keys of anything that is stored."""
    found = []
    for item in (await everything(store.engine, [of.table])).values():
        thing = decode_stored(of.table, item)
        assert isinstance(thing, StoredEntity)
        found += [problem.detail for problem in key_problems(thing)]
    return found


async def state_of(store: Store) -> TableState:
    state = await store.get(TableState.at(name="Shelf"))
    assert state is not None
    return state


class TestAnIndexOfNewKeys:
    async def test_is_not_asked_before_it_is_complete(self, place: Place) -> None:
        await furnish(place, first(), 4)
        new = second()

        async with upgrading(place, new) as (store, upgrade):
            with pytest.raises(BeingUpgraded, match="being upgraded") as refused:
                await store.page(new.patterns["by colour"](colour="red"))
            assert (refused.value.status, refused.value.retry_after) == (503, 5)
            with pytest.raises(BeingUpgraded):
                await store.merged([new.patterns["by colour"](colour="red")])
            assert not await upgrade.is_complete()
            assert store.engine.incomplete.summary == "The data is being upgraded: 0 %."

    async def test_holds_up_nothing_that_does_not_need_it(self, place: Place) -> None:
        await furnish(place, first(), 4)
        new = second()

        async with upgrading(place, new) as (store, _):
            assert len(await titles(store, new, "by title", owner=OWNER)) == 4
            assert await titles(store, new, "by pages", pages=3) == ["T0003"]
            [first_book, *_] = books(new, 1)
            assert await store.get(first_book.ref) == first_book

    async def test_finds_everything_once_it_is_complete(self, place: Place) -> None:
        await furnish(place, first(), COUNT)
        new = second()

        async with upgrading(place, new) as (store, upgrade):
            seen: list[tuple[str, int, int]] = []
            await upgrade.run(progress=lambda *step: seen.append(step))

            expected = [one.title for one in books(new, COUNT) if one.colour == "red"]
            assert await titles(store, new, "by colour", colour="red") == expected
            assert await wrong_keys(store, new) == []
            assert await upgrade.is_complete()
            assert store.engine.incomplete.summary == ""
            assert seen == [("Shelf", done, COUNT) for done in (0, 100, 200, COUNT)]

    async def test_is_complete_for_whoever_opens_it_later(self, place: Place) -> None:
        await furnish(place, first(), 4)
        new = second()
        async with upgrading(place, new) as (_, upgrade):
            await upgrade.run()
        async with opened(place, new.tables, Clock()) as engine:
            assert await Upgrade(Store(engine), new.tables).is_complete()

    async def test_is_noticed_to_be_complete_by_other_processes(self, place: Place) -> None:
        await furnish(place, first(), 4)
        new, also_new = second(), second()

        async with upgrading(place, new) as (_, upgrade), upgrading(place, also_new) as (other, at):
            await upgrade.run()
            with pytest.raises(BeingUpgraded):
                await other.page(also_new.patterns["by colour"](colour="red"))
            assert await at.is_complete()
            assert await titles(other, also_new, "by colour", colour="red") == ["T0000", "T0003"]

    async def test_is_waited_for_by_a_server_that_goes_on(
        self, place: Place, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """In a file the server fills it by itself; on DynamoDB it notices that a command has."""
        monkeypatch.setattr(upgrade_module, "LOOK_AGAIN_SECONDS", 0.01)
        await furnish(place, first(), 4)
        new, also_new = second(), second()

        async with upgrading(place, new) as (server, waiting):
            going_on = asyncio.create_task(waiting.keep_on())
            if not is_file(place):
                await asyncio.sleep(0.1)
                assert not going_on.done()
                async with upgrading(place, also_new) as (_, command):
                    await command.run()
            await going_on
            assert await titles(server, new, "by colour", colour="red") == ["T0000", "T0003"]


class TestOtherChanges:
    async def test_another_template_makes_its_index_wait(self, place: Place) -> None:
        await furnish(place, first(), 6)
        new = third()

        async with upgrading(place, new) as (store, upgrade):
            with pytest.raises(BeingUpgraded):
                await store.page(new.patterns["by title"](owner=OWNER))
            await upgrade.run()

            ordered = ["T0001", "T0004", "T0000", "T0003"]  # blue, red; none without a colour
            assert await titles(store, new, "by title", owner=OWNER) == ordered
            assert await wrong_keys(store, new) == []

    async def test_a_new_kind_and_a_new_table_are_complete_at_once(self, place: Place) -> None:
        await furnish(place, first(), 3)
        new = with_films()

        async with upgrading(place, new) as (store, upgrade):
            assert await upgrade.is_complete()
            assert await store.engine.missing_tables(new.tables) == []
            assert await titles(store, new, "films", owner=OWNER) == []
            assert len(await titles(store, new, "by title", owner=OWNER)) == 3

    async def test_what_stored_items_cannot_follow_is_refused(self, place: Place) -> None:
        await furnish(place, first(), 1)
        new = moved()

        with pytest.raises(NotAdditive, match="primary key"):
            async with opened(place, new.tables, Clock()) as engine:
                await Upgrade(Store(engine), new.tables).examine_tables()

    async def test_data_of_a_newer_version_is_refused(self, place: Place) -> None:
        await furnish(place, second(), 1)
        old = first()

        with pytest.raises(NewerData, match="upgraded by a newer Commonroom"):
            async with opened(place, [*old.tables, *second().others], Clock()) as engine:
                await Upgrade(Store(engine), [*old.tables, *second().others]).is_complete()

    async def test_data_with_a_table_that_is_not_known_is_refused(self, place: Place) -> None:
        await furnish(place, second(), 1)
        other = second()
        known = [other.table, other.tables[-1]]

        async with opened(place, known, Clock()) as engine:
            with pytest.raises(NewerData, match="added Notes"):
                await Upgrade(Store(engine), known).is_complete()

    async def test_there_and_back_and_there_again_leaves_nothing_wrong(self, place: Place) -> None:
        """As somebody does who tries a branch: the versions are the same."""
        await furnish(place, first(), 5)
        for new in (second(version=1), first(), second(version=1)):
            known = [*new.tables, *(() if new.others else second().others)]
            async with opened(place, known, Clock()) as engine:
                store, upgrade = Store(engine), Upgrade(Store(engine), known)
                await engine.create_tables(known)
                await upgrade.run()
                await store.write(create(new.book(owner="b", id=f"{id(new)}", title="New")))
                assert await upgrade.is_complete()
                assert await wrong_keys(store, new) == []


class TestFilling:
    async def test_goes_on_where_it_was_interrupted(self, place: Place) -> None:
        await furnish(place, first(), COUNT)
        new = second()

        class Interrupted(Exception):
            pass

        def interrupt(_name: str, done: int, _total: int) -> None:
            if done:
                raise Interrupted

        async with upgrading(place, new) as (store, upgrade):
            with pytest.raises(Interrupted):
                await upgrade.fill(interrupt)
            assert (await state_of(store)).done == 100
        async with upgrading(place, new) as (store, upgrade):
            assert store.engine.incomplete.summary == "The data is being upgraded: 40 %."
            seen: list[int] = []
            await upgrade.fill(lambda _name, done, _total: seen.append(done))
            assert seen == [100, 200, COUNT]
            assert await wrong_keys(store, new) == []

    async def test_by_several_at_once_comes_to_the_same(self, place: Place) -> None:
        await furnish(place, first(), COUNT)
        new, also_new = second(), second()

        async with upgrading(place, new) as (store, one), upgrading(place, also_new) as (_, two):
            await asyncio.gather(one.fill(), two.fill())

            assert await one.is_complete()
            assert await wrong_keys(store, new) == []
            assert (await state_of(store)).done == COUNT

    async def test_leaves_what_is_written_meanwhile_as_it_was_written(self, place: Place) -> None:
        await furnish(place, first(), COUNT)
        new = second()

        async with upgrading(place, new) as (store, upgrade):

            async def repaint() -> None:
                for one in books(new, COUNT):
                    await store.write(update(one, colour="green", title=f"Green {one.id}"))

            await asyncio.gather(upgrade.fill(), repaint())

            assert await upgrade.is_complete()
            assert len(await titles(store, new, "by colour", colour="green")) == COUNT
            assert await titles(store, new, "by colour", colour="red") == []
            assert await wrong_keys(store, new) == []

    async def test_is_not_stopped_by_an_item_that_cannot_be_read(self, place: Place) -> None:
        old, new = first(), second()
        await furnish(place, old, 3)
        async with installed(place, old) as store:
            broken = books(old, 1)[0].to_item() | {"title": 7, "SK": "book#broken"}
            await store.engine.load(old.table, [broken])

        async with upgrading(place, new) as (store, upgrade):
            await upgrade.run()

            assert await upgrade.is_complete()
            assert await titles(store, new, "by colour", colour="red") == ["T0000"]

    async def test_does_not_claim_an_item_that_changes_all_the_time(
        self, place: Place, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        await furnish(place, first(), 1)
        new = second()
        monkeypatch.setattr(filling, "MAX_ATTEMPTS", 1)

        async with upgrading(place, new) as (store, upgrade):
            scan = store.engine.scan

            async def scan_and_change(*given: Any, **named: Any) -> Rows[Any]:
                rows: Rows[Any] = await scan(*given, **named)
                [book] = books(new, 1)
                stored = await store.get(book.ref)
                assert stored is not None
                await store.write(update(stored, colour=f"{stored.colour}!"))
                return rows

            monkeypatch.setattr(store.engine, "scan", scan_and_change)
            with pytest.raises(Unavailable, match="changes too often"):
                await upgrade.fill()
            assert not await upgrade.is_complete()

    async def test_is_nothing_that_consumers_hear_of(self, place: Place) -> None:
        old, new = first(), second()
        await furnish(place, old, 20)
        heard: list[Change] = []

        async def hear(_: Store, change: Change) -> None:
            heard.append(change)

        known = [*new.tables, consumers]
        async with opened(place, known, Clock()) as engine:
            await engine.create_tables(known)
            store, upgrade = Store(engine), Upgrade(Store(engine), known)
            await upgrade.record_states()
            worker = Worker(store, [Consumer("ear", (new.book,), hear)])
            await worker.drain()
            assert len(heard) == 20
            await upgrade.run()
            [book, *_] = books(new, 1)
            await store.write(update(book, colour="green"))
            await worker.drain()
            assert [change.new.colour for change in heard[20:]] == ["green"]


class TestAnotherProcess:
    """What a process does whose file a newer version has upgraded."""

    async def test_that_is_older_writes_nothing_any_more(self, place: Place) -> None:
        if not is_file(place):
            return  # `docs/upgrading.md` says in which order servers on DynamoDB are replaced
        old, new = first(), second()
        async with installed(place, old) as before:
            await before.write(create(books(old, 1)[0]))
            async with upgrading(place, new) as (store, upgrade):
                await upgrade.run()
                with pytest.raises(NewerData, match="newer Commonroom"):
                    await before.write(create(books(old, 2)[1]))
                assert await before.get(books(old, 1)[0].ref) is not None
                assert len(await everything(store.engine, [new.table])) == 1


async def test_a_file_that_is_refused_is_left_as_it_is(tmp_path: Any) -> None:
    path = tmp_path / "shelf.db"
    await furnish(path, second(), 3)
    before = path.read_bytes()
    for wrong in (first(), moved()):
        with pytest.raises((NewerData, NotAdditive)):
            EmbeddedEngine(path, wrong.tables)
    assert path.read_bytes() == before
