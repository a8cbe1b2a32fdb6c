"""A table as three versions of a program declare it, and a place to keep it on either engine."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

from commonroom.store import Entity, Index, Keys, Pattern, Store, Table, create, many, number
from commonroom.store.dynamodb import DynamoSettings
from commonroom.store.engine import Engine
from commonroom.store.upgrades.tables import upgrades
from commonroom.store.upgrades.upgrade import Upgrade
from tests.support.engines import Clock, Place, opened

OWNER = "ada"


class Generation(NamedTuple):
    """The shelf of one version."""

    table: Table
    book: type[Any]
    patterns: dict[str, Pattern[Any]]
    others: tuple[Table, ...] = ()

    @property
    def tables(self) -> list[Table]:
        """Everything that this version declares, the store's own included."""
        return [self.table, *self.others, upgrades]


def first(version: int = 1) -> Generation:
    """One index, in the order of the titles."""
    shelf = Table(
        "Shelf",
        room="tests",
        partition="PK",
        sort="SK",
        discriminator="Kind",
        stream=True,
        version=version,
        indexes=[Index("ByTitle", "G1PK", "G1SK")],
    )

    class Book(Entity, table=shelf, kind="BOOK"):
        owner: str
        id: str
        title: str
        colour: str | None = None
        pages: int | None = None

        keys = Keys(
            PK="owner#{owner}",
            SK="book#{id}",
            G1PK="owner#{owner}",
            G1SK="title#{title:lower}",
        )

    by_title = many(shelf, "by title", index="ByTitle", gives=Book)
    return Generation(shelf, Book, {"by title": by_title})


def with_films() -> Generation:
    """The first with another kind, and another table."""
    shelf, book, patterns, _ = first(version=2)
    notes = Table("Notes", room="tests", partition="id")

    class Film(Entity, table=shelf, kind="FILM"):
        owner: str
        id: str
        title: str

        keys = Keys(
            PK="owner#{owner}",
            SK="film#{id}",
            G1PK="owner#{owner}",
            G1SK="film#{title:lower}",
        )

    class Note(Entity, table=notes):
        id: str

    films = many(shelf, "films", index="ByTitle", gives=Film)
    return Generation(shelf, book, {**patterns, "films": films}, (notes,))


def second(version: int = 2) -> Generation:
    """The same with an index of new keys and one of a field, and another table."""
    shelf = Table(
        "Shelf",
        room="tests",
        partition="PK",
        sort="SK",
        discriminator="Kind",
        stream=True,
        version=version,
        indexes=[
            Index("ByTitle", "G1PK", "G1SK"),
            Index("ByColour", "G2PK", "G2SK"),
            Index("ByPages", number("pages")),
        ],
    )
    notes = Table("Notes", room="tests", partition="id")

    class Book(Entity, table=shelf, kind="BOOK"):
        owner: str
        id: str
        title: str
        colour: str | None = None
        pages: int | None = None

        keys = Keys(
            PK="owner#{owner}",
            SK="book#{id}",
            G1PK="owner#{owner}",
            G1SK="title#{title:lower}",
            G2PK="colour#{colour}",
            G2SK="title#{title:lower}",
        )

    class Note(Entity, table=notes):
        id: str

    patterns: dict[str, Pattern[Any]] = {
        "by title": many(shelf, "by title", index="ByTitle", gives=Book),
        "by colour": many(shelf, "by colour", index="ByColour", gives=Book),
        "by pages": many(shelf, "by pages", index="ByPages", gives=Book),
    }
    return Generation(shelf, Book, patterns, (notes,))


def third() -> Generation:
    """The first with another order in its index."""
    shelf = Table(
        "Shelf",
        room="tests",
        partition="PK",
        sort="SK",
        discriminator="Kind",
        stream=True,
        version=3,
        indexes=[Index("ByTitle", "G1PK", "G1SK")],
    )

    class Book(Entity, table=shelf, kind="BOOK"):
        owner: str
        id: str
        title: str
        colour: str | None = None
        pages: int | None = None

        keys = Keys(
            PK="owner#{owner}",
            SK="book#{id}",
            G1PK="owner#{owner}",
            G1SK="{colour}#{title:lower}",
        )

    by_title = many(shelf, "by title", index="ByTitle", gives=Book)
    return Generation(shelf, Book, {"by title": by_title})


def moved() -> Generation:
    """The first under another primary key, which nothing that is stored can follow."""
    shelf = Table("Shelf", room="tests", partition="id", version=2, discriminator="Kind")

    class Book(Entity, table=shelf, kind="BOOK"):
        id: str
        title: str

    return Generation(shelf, Book, {})


def books(of: Generation, count: int) -> list[Any]:
    """So many books, every third of them without a colour."""
    colours = ("red", "blue", None)
    return [
        of.book(owner=OWNER, id=f"{n:04}", title=f"T{n:04}", colour=colours[n % 3], pages=n)
        for n in range(count)
    ]


@asynccontextmanager
async def installed(place: Place, of: Generation) -> AsyncIterator[Store]:
    """A store that this version itself made."""
    async with opened(place, of.tables, Clock()) as engine:
        await engine.create_tables(of.tables)
        store = Store(engine)
        await Upgrade(store, of.tables).record_states()
        yield store


async def furnish(place: Place, of: Generation, count: int) -> None:
    """Stores so many books by this version."""
    async with installed(place, of) as store:
        some = books(of, count)
        for start in range(0, count, 100):
            await store.write(*map(create, some[start : start + 100]))


@asynccontextmanager
async def upgrading(place: Place, of: Generation) -> AsyncIterator[tuple[Store, Upgrade]]:
    """A store that an earlier version made, opened by this one with its tables made."""
    async with opened(place, of.tables, Clock()) as engine:
        await engine.create_tables(of.tables)
        store = Store(engine)
        upgrade = Upgrade(store, of.tables)
        await upgrade.record_states()
        await upgrade.is_complete()
        yield store, upgrade


async def everything(engine: Engine, tables: Sequence[Table]) -> dict[Any, Any]:
    """Every stored item by its key."""
    found: dict[Any, Any] = {}
    for table in tables:
        start = None
        while True:
            rows = await engine.scan(table, limit=500, start=start)
            found |= {(table.name, table.key_of(item)): item for item in rows.items}
            if (start := rows.next) is None:
                break
    return found


def is_file(place: Place) -> bool:
    """Whether this is a data file, rather than DynamoDB."""
    assert isinstance(place, Path | DynamoSettings)
    return isinstance(place, Path)
