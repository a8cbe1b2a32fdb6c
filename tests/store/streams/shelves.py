"""Shelves with things on them, and consumers that remember what they saw."""

from __future__ import annotations

from commonroom.store import Entity, Index, Keys, Store, Table, begins_with, copies, many
from commonroom.store.streams import Change, Consumer, RetryPolicy
from commonroom.store.streams import tables as stream_tables

shelves = Table(
    "Shelves",
    room="tests",
    partition="PK",
    sort="SK",
    discriminator="kind",
    ttl="expires",
    stream=True,
    indexes=[Index("ByName", "name_key")],
)


class Shelf(Entity, table=shelves, kind="SHELF"):
    shelf_id: str
    name: str

    keys = Keys(PK="shelf#{shelf_id}", SK="shelf")


class Thing(Entity, table=shelves, kind="THING"):
    shelf_id: str
    thing_id: str
    shelf_name: str | None = None
    expires: int | None = None

    keys = Keys(PK="shelf#{shelf_id}", SK="thing#{thing_id}", name_key="{shelf_name}/{thing_id}")


class Big(Entity, table=shelves, kind="BIG"):
    shelf_id: str
    thing_id: str
    text: str

    keys = Keys(PK="shelf#{shelf_id}", SK="big#{thing_id}")


things = many(shelves, "things of a shelf", sort=begins_with("thing#"), gives=Thing)
shelf_names = copies(
    Shelf,
    on=Thing,
    fields={"name": "shelf_name"},
    refers={"shelf_id": "shelf_id"},
    found=lambda shelf: things(shelf_id=shelf.shelf_id),
)


class Time:
    """A clock that the test moves."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


class Seen:
    """A handler that remembers what it saw, and fails where it is told to."""

    def __init__(self) -> None:
        self.changes: list[Change] = []
        self.failing: set[str] = set()

    async def __call__(self, store: Store, change: Change) -> None:
        thing = change.new or change.old
        if getattr(thing, "thing_id", None) in self.failing:
            raise RuntimeError(f"no luck with {thing.thing_id}")
        self.changes.append(change)

    @property
    def names(self) -> list[str]:
        return [(change.new or change.old).thing_id for change in self.changes]


crates = Table("Crates", room="tests", partition="PK", stream=True)


class Crate(Entity, table=crates):
    crate_id: str

    keys = Keys(PK="crate#{crate_id}")


TABLES = [shelves, crates, *stream_tables.tables]


def thing(number: int, shelf_name: str | None = None) -> Thing:
    return Thing(shelf_id="a", thing_id=f"{number:03}", shelf_name=shelf_name)


def consumer(seen: Seen, retry_policy: RetryPolicy | None = None, name: str = "test") -> Consumer:
    return Consumer(name, (Thing,), seen, retry_policy or RetryPolicy())
