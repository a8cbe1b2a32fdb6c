"""A small model with every feature of the store: the contract suite runs on it, on both engines.

`World` holds several kinds in one table, with shared and sparse indexes; the other tables hold one
kind each. Tests share the tables and keep apart by ids of their own.
"""

from __future__ import annotations

import itertools
import os
import uuid
from typing import TypeAlias

import msgspec

from commonroom.store import (
    Entity,
    Index,
    Keys,
    Pattern,
    Table,
    begins_with,
    between,
    equal_to,
    greater_than,
    keys_of,
    less_than,
    many,
    number,
    one,
)

world = Table(
    "World",
    room="tests",
    partition="PK",
    sort="SK",
    discriminator="Kind",
    ttl="ExpiresAt",
    stream=True,
    indexes=[
        Index("ByShelf", "OwnerKey", "ShelfKey"),
        Index("ByRank", "OwnerKey", number("Rank")),
        Index("ByLoan", "LentTo", "LentAt", keys_only=True),
        Index("ByKind", "Kind", "Mood"),
    ],
)
readings = Table(
    "Readings",
    room="tests",
    partition=number("Sensor"),
    sort=number("Moment"),
    stream=True,
    indexes=[Index("ByPlace", "Place"), Index("ByPlaceInTime", "Place", number("Moment"))],
)
names = Table("Names", room="tests", partition="Name")
parcels = Table(
    "Parcels",
    room="tests",
    partition="parcel_id",
    ttl="expires",
    indexes=[Index("ByWeight", "all", "by_weight")],
)
diary = Table("Diary", room="tests", partition="Day", sort="Hour", stream=True)
"""Only tests of streams write here, so that none has to read what all others did."""
unmade = Table("Unmade", room="tests", partition="Id", sort="Part")
"""Declared, and created nowhere."""

TABLES = [world, readings, names, parcels, diary]


class Size(msgspec.Struct, kw_only=True, frozen=True):
    """Something nested."""

    height: float
    width: float | None = None


class House(Entity, table=world, kind="HOUSE", rename="pascal"):
    """The one thing of its kind in a partition."""

    house_id: str
    title: str
    books: int = 0

    keys = Keys(PK="house#{house_id}", SK="about")


class Book(Entity, table=world, kind="BOOK", rename="pascal"):
    """A thing with everything: a version, sparse keys, padded places, nested and binary values."""

    house_id: str
    book_id: str
    title: str = "Untitled"
    owner_id: str | None = None
    shelf: str | None = None
    place: int | None = None
    rank: float | None = None
    lent_to: str | None = None
    lent_at: str | None = None
    pages: int = 0
    tags: list[str] = msgspec.field(default_factory=list)
    notes: dict[str, str] | None = None
    readers: dict[str, int] | None = None
    cover: bytes | None = None
    size: Size | None = None
    editions: list[Size] | None = None
    expires_at: int | None = None
    version: int = 1

    keys = Keys(
        PK="house#{house_id}",
        SK="book#{book_id}",
        OwnerKey="owner#{owner_id}",
        ShelfKey="shelf#{shelf}#{place:04d}",
    )


class Leaflet(Entity, table=world, kind="LEAFLET", rename="pascal"):
    """A kind whose keys can be the same as a book's."""

    house_id: str
    book_id: str

    keys = Keys(PK="house#{house_id}", SK="book#{book_id}")


class Visit(Entity, table=world, kind="VISIT", rename="pascal"):
    """Another kind in the same partition and under the same index keys; without a version."""

    house_id: str
    day: str
    guest: str
    mood: str | None = None
    expires_at: int | None = None

    keys = Keys(
        PK="house#{house_id}",
        SK="visit#{day}#{guest:sort}",
        OwnerKey="owner#{guest}",
        ShelfKey="visit#{day}#{mood}",
    )


class Reading(Entity, table=readings, rename="pascal"):
    """Numbers as keys."""

    sensor: int
    moment: float
    place: str | None = None
    value: float = 0.0


class Name(Entity, table=names, rename="pascal"):
    """A claim to a name: at most one holds it. Its table has no sort key and no stream."""

    name: str
    holder: str


def heavy_first(weight: int | None, sender: str | None) -> str | None:
    """A key that a function makes of fields; the heaviest sorts first."""
    return None if weight is None else f"{9999 - weight:04}#{sender or '-'}"


class Parcel(Entity, table=parcels):
    """Keys by a function, held field by field since there is no version."""

    parcel_id: str
    route: str = "main"
    sender: str | None = None
    weight: int | None = None
    note: str | None = None
    expires: int | None = None

    keys = Keys(all="route#{route}", by_weight=heavy_first)


class Entry(Entity, table=diary, rename="pascal"):
    """What is written into a diary."""

    day: str
    hour: str = "noon"
    text: str = ""
    count: int = 0
    picture: bytes | None = None


class Unmade(Entity, table=unmade, rename="pascal"):
    """Something that no engine has a table for."""

    id: str
    part: str
    note: str | None = None


house = one(world, "a house", gives=House)
book = one(world, "a book", gives=Book)
house_contents = many(world, "all of a house", gives=(House, Book, Visit))
house_books = many(world, "books of a house", gives=Book, sort=begins_with("book#"))
house_books_back = many(
    world, "books of a house, last first", gives=Book, sort=begins_with("book#"), newest_first=True
)
house_books_from = many(
    world, "books of a house after one", gives=Book, sort=greater_than("book#{book_id}")
)
books_with_prefix = many(
    world, "books whose ids begin so", gives=Book, sort=begins_with("book#{prefix}")
)
Books: TypeAlias = Pattern[Book]
house_visits_only = many(world, "visits among all of a house", gives=Visit)
visits_between = many(
    world,
    "visits between days",
    gives=Visit,
    sort=between("visit#{low}#{guest:sort}", "visit#{high}#{guest:sort}"),
)
visits_after = many(
    world, "visits after one", gives=Visit, sort=greater_than("visit#{day}#{guest:sort}")
)
visits_before = many(
    world, "visits before one", gives=Visit, sort=less_than("visit#{day}#{guest:sort}")
)
visits_of_day = many(world, "visits of a day", gives=Visit, sort=begins_with("visit#{day}#"))

owned = many(
    world,
    "what an owner has on shelves and visits",
    index="ByShelf",
    gives=(Book, Visit),
    partition="owner#{owner_id}",
)
shelf = many(
    world, "books on a shelf", index="ByShelf", gives=Book, sort=begins_with("shelf#{shelf}#")
)
shelf_place = many(
    world, "the book at a place", index="ByShelf", gives=Book, sort=equal_to("shelf#{shelf}#{at}")
)
ranked = many(world, "books by rank", index="ByRank", gives=Book)
ranked_down = many(world, "best books first", index="ByRank", gives=Book, newest_first=True)
ranked_above = many(
    world, "books above a rank", index="ByRank", gives=Book, sort=greater_than("{rank}")
)
visits_by_mood = many(world, "visits by mood", index="ByKind", gives=Visit, sort=equal_to("{mood}"))
loans = keys_of(many(world, "loans of a person", index="ByLoan", gives=Book))

sensor = many(readings, "readings of a sensor", gives=Reading)
sensor_down = many(readings, "newest readings of a sensor", gives=Reading, newest_first=True)
sensor_after = many(
    readings, "readings of a sensor after a time", gives=Reading, sort=greater_than("{moment}")
)
sensor_span = many(
    readings, "readings of a sensor in a span", gives=Reading, sort=between("{low}", "{high}")
)
place_readings = many(readings, "readings of a place", index="ByPlace", gives=Reading)
place_in_time = many(
    readings, "readings of a place in their order", index="ByPlaceInTime", gives=Reading
)
unmade_parts = many(unmade, "parts of what is not there", gives=Unmade)
route = many(parcels, "parcels of a route, heaviest first", index="ByWeight", gives=Parcel)
name_holder = one(names, "who holds a name", gives=Name)

_numbers = itertools.count(int.from_bytes(os.urandom(5)) << 20)


def fresh() -> str:
    """An id that no other test has."""
    return uuid.uuid4().hex


def fresh_number() -> int:
    """The same where an id is a number."""
    return next(_numbers)
