"""A file of yesterday's declarations is brought up to today's, and nothing in it is lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from commonroom.store import Entity, Index, Keys, Store, Table, many, number, put, update
from commonroom.store.embedded import EmbeddedEngine
from commonroom.store.errors import UnknownTable


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


def read(path: Path) -> bytes:
    return path.read_bytes()
