"""A file of yesterday's declarations is brought up to today's, and nothing in it is lost."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import apsw
import pytest

from commonroom.store import Entity, Index, Keys, Store, Table, many, number, put, update
from commonroom.store.declare.fingerprint import fingerprint
from commonroom.store.embedded import EmbeddedEngine
from commonroom.store.errors import BeingUpgraded, UnknownTable
from commonroom.store.upgrades.tables import upgrades
from commonroom.store.upgrades.upgrade import Upgrade


def yesterday() -> type[Entity]:
    """A table with one index."""
    things = Table(
        "Things", room="tests", partition="id", indexes=[Index("ByColour", "colour")], ttl=None
    )

    class Thing(Entity, table=things):
        id: str
        colour: str | None = None
        size: int | None = None

    return Thing


def today() -> type[Entity]:
    """The same with a sort key for its index, another index, one of a derived key, and a TTL."""
    things = Table(
        "Things",
        room="tests",
        partition="id",
        ttl="expires",
        stream=True,
        indexes=[
            Index("ByColour", "colour", number("size")),
            Index("BySize", number("size")),
            Index("ByMood", "mood_key"),
        ],
    )

    class Thing(Entity, table=things):
        id: str
        colour: str | None = None
        size: int | None = None
        mood: str | None = None
        expires: int | None = None

        keys = Keys(mood_key="mood#{mood}")

    return Thing


class TestAFileOfYesterday:
    async def test_keeps_its_items_and_has_them_in_new_indexes(self, tmp_path: Path) -> None:
        path, old, new = tmp_path / "data.db", yesterday(), today()
        before = Store(EmbeddedEngine(path, [old.schema.table]))
        await before.write(
            put(old(id="a", colour="red", size=2)),
            put(old(id="b", colour="red", size=1)),
            put(old(id="c", colour="red")),
        )
        await before.close()

        after = Store(EmbeddedEngine(path, [new.schema.table]))

        things = new.schema.table
        by_colour = many(things, "by colour", index="ByColour", gives=new)
        by_size = many(things, "by size", index="BySize", gives=new)
        found = (await after.page(by_colour(colour="red"))).items
        assert found == [new(id="b", colour="red", size=1), new(id="a", colour="red", size=2)]
        assert (await after.page(by_size(size=2))).items == found[1:]
        assert await after.get(new.at(id="c")) == new(id="c", colour="red")
        await after.close()

    async def test_takes_todays_things(self, tmp_path: Path) -> None:
        path, old, new = tmp_path / "data.db", yesterday(), today()
        before = Store(EmbeddedEngine(path, [old.schema.table]))
        await before.write(put(old(id="a")))
        await before.close()

        after = Store(EmbeddedEngine(path, [new.schema.table]))
        await Upgrade(after, [new.schema.table, upgrades]).fill()
        assert await Upgrade(after, [new.schema.table, upgrades]).is_complete()
        thing = new(id="a")
        await after.write(update(thing, mood="merry", expires=10**10))

        by_mood = many(new.schema.table, "by mood", index="ByMood", gives=new)
        assert (await after.page(by_mood(mood="merry"))).items == [
            new(id="a", mood="merry", expires=10**10)
        ]
        await after.close()

    async def test_is_not_changed_by_opening_it_again(self, tmp_path: Path) -> None:
        path, new = tmp_path / "data.db", today()
        first = EmbeddedEngine(path, [new.schema.table])
        await first.close()
        before = read(path)

        second = EmbeddedEngine(path, [new.schema.table])
        await second.close()

        assert read(path) == before

    async def test_keeps_tables_that_are_no_longer_declared(self, tmp_path: Path) -> None:
        path, old = tmp_path / "data.db", yesterday()
        other = Table("Other", room="tests", partition="id")
        store = Store(EmbeddedEngine(path, [old.schema.table]))
        await store.write(put(old(id="a")))
        await store.close()

        without = Store(EmbeddedEngine(path, [other]))
        with pytest.raises(UnknownTable):
            await without.get(old.at(id="a"))
        await without.close()

        again = Store(EmbeddedEngine(path, [old.schema.table, other]))
        assert await again.get(old.at(id="a")) == old(id="a")
        await again.close()

    async def test_drops_an_index_that_is_no_longer_declared(self, tmp_path: Path) -> None:
        path, old = tmp_path / "data.db", yesterday()
        store = Store(EmbeddedEngine(path, [old.schema.table]))
        await store.write(put(old(id="a", colour="red")))
        await store.close()
        plain = Table("Things", room="tests", partition="id", version=2)

        class Plain(Entity, table=plain):
            id: str
            colour: str | None = None

        without = Store(EmbeddedEngine(path, [plain]))
        await without.write(put(Plain(id="a", colour="blue")))
        await without.close()
        assert "Things:ByColour" not in indexes(path)

    async def test_drops_the_index_by_time_that_its_stream_had(self, tmp_path: Path) -> None:
        path, thing = tmp_path / "data.db", today()
        await EmbeddedEngine(path, [thing.schema.table]).close()
        with closing(apsw.Connection(str(path))) as before:
            before.execute('CREATE INDEX "_changes:at" ON _changes (at)')

        await EmbeddedEngine(path, [thing.schema.table]).close()

        with closing(apsw.Connection(str(path))) as after:
            names = [row[0] for row in after.execute("SELECT name FROM sqlite_schema")]
        assert "_changes:at" not in names
        assert "_changes:shard" in names

    async def test_fills_a_column_again_that_was_not_kept_for_a_while(self, tmp_path: Path) -> None:
        await self.test_drops_an_index_that_is_no_longer_declared(tmp_path)
        things = Table(
            "Things",
            room="tests",
            partition="id",
            version=3,
            indexes=[Index("ByColour", "colour")],
        )

        class Thing(Entity, table=things):
            id: str
            colour: str | None = None

        by_colour = many(things, "by colour", index="ByColour", gives=Thing)
        again = Store(EmbeddedEngine(tmp_path / "data.db", [things]))
        assert (await again.page(by_colour(colour="red"))).items == []
        assert len((await again.page(by_colour(colour="blue"))).items) == 1
        await again.close()


def derived(version: int) -> type[Entity]:
    """A thing whose group is a key that is derived."""
    things = Table(
        "Things", room="tests", partition="id", version=version, indexes=[Index("ByMood", "mood")]
    )

    class Thing(Entity, table=things):
        id: str
        happy: str

        keys = Keys(mood="{happy}!")

    return Thing


def stated(version: int) -> type[Entity]:
    """The same where it is a field."""
    things = Table(
        "Things", room="tests", partition="id", version=version, indexes=[Index("ByMood", "mood")]
    )

    class Thing(Entity, table=things):
        id: str
        happy: str
        mood: str

    return Thing


async def test_a_key_that_becomes_a_field_keeps_its_value_and_back_again(tmp_path: Path) -> None:
    path, old, new, newer = tmp_path / "data.db", derived(1), stated(2), derived(3)
    store = Store(EmbeddedEngine(path, [old.schema.table]))
    await store.write(put(old(id="a", happy="yes")))
    await store.close()

    store = Store(EmbeddedEngine(path, [new.schema.table]))
    assert await store.get(new.at(id="a")) == new(id="a", happy="yes", mood="yes!")
    by_mood = many(new.schema.table, "by mood", index="ByMood", gives=new)
    await Upgrade(store, [new.schema.table, upgrades]).keep_on()
    assert len((await store.page(by_mood(mood="yes!"))).items) == 1
    await store.write(update(new(id="a", happy="yes", mood="yes!"), mood="other"))
    await store.close()

    store = Store(EmbeddedEngine(path, [newer.schema.table]))
    assert await store.get(newer.at(id="a")) == newer(id="a", happy="yes")
    by_mood = many(newer.schema.table, "by mood", index="ByMood", gives=newer)
    with pytest.raises(BeingUpgraded):
        await store.page(by_mood(happy="yes"))
    await Upgrade(store, [newer.schema.table, upgrades]).keep_on()
    assert len((await store.page(by_mood(happy="yes"))).items) == 1
    await store.close()


class TestAFileOfTheFirstVersion:
    """It has no states; what it is complete for, its declarations say."""

    async def made(self, path: Path, old: type[Entity]) -> None:
        store = Store(EmbeddedEngine(path, [old.schema.table]))
        await store.write(put(old(id="a", happy="yes")))
        await store.close()
        with closing(apsw.Connection(str(path))) as connection:
            connection.execute('DROP TABLE "Upgrades"')
            connection.pragma("user_version", 1)

    async def test_is_complete_where_nothing_has_changed(self, tmp_path: Path) -> None:
        path, old, new = tmp_path / "data.db", derived(1), derived(1)
        await self.made(path, old)

        store = Store(EmbeddedEngine(path, [new.schema.table]))

        assert store.engine.incomplete.summary == ""
        await store.close()

    async def test_is_upgraded_from_what_it_declared(self, tmp_path: Path) -> None:
        path, old, new = tmp_path / "data.db", derived(1), stated(2)
        await self.made(path, old)

        baseline = {"Things": fingerprint(old.schema.table)}
        store = Store(EmbeddedEngine(path, [new.schema.table], baseline=baseline))

        assert await store.get(new.at(id="a")) == new(id="a", happy="yes", mood="yes!")
        await store.close()

    async def test_is_not_trusted_where_nobody_knows_what_it_declared(self, tmp_path: Path) -> None:
        path, old, new = tmp_path / "data.db", derived(1), derived(2)
        await self.made(path, old)

        store = Store(EmbeddedEngine(path, [new.schema.table]))

        by_mood = many(new.schema.table, "by mood", index="ByMood", gives=new)
        with pytest.raises(BeingUpgraded):
            await store.page(by_mood(happy="yes"))
        await store.close()

    async def test_is_refused_by_the_first_version_from_then_on(self, tmp_path: Path) -> None:
        path = tmp_path / "data.db"
        await self.made(path, derived(1))
        await EmbeddedEngine(path, [derived(1).schema.table]).close()

        with closing(apsw.Connection(str(path))) as connection:
            assert connection.pragma("user_version") == 3


def indexes(path: Path) -> set[str]:
    with closing(apsw.Connection(str(path))) as connection:
        rows = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'index'")
        return {name for (name,) in rows}


def read(path: Path) -> bytes:
    return path.read_bytes()
