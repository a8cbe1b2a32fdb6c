"""How a room declares what is measured of it: views of its API, and the same answers by hand."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import msgspec
from msgspec import Struct

from commonroom.accounts.service import sessions
from commonroom.accounts.tables import User
from commonroom.store import Store, Table
from commonroom.store.embedded.data_file import connect
from commonroom.store.embedded.schema import TableSql

T = TypeVar("T")

Handler: TypeAlias = Callable[[str], object]
"""Gives what is answered at a path with its query; the server encodes and sends it."""

SMALL = 0.3
"""What a small view must reach of its bare handler where many ask at once: the less is read for a
request, the more weighs what every one passes. The aim is half."""
CURSOR = "x" * 200
"""What a bare handler gives in place of a sealed cursor."""


class House(Struct, frozen=True):
    """The installation that all rooms furnish, each its own part."""

    store: Store
    now: float

    async def cookie(self, person: User) -> str:
        """The cookie of somebody who is signed in."""
        return f"session={await sessions.open_session(self.store, self.now, person)}"


class Address(Struct, frozen=True):
    """Where a view is read, and by whom."""

    path: str
    cookie: str = ""
    """Empty for a guest."""


class BareFile:
    """The engine's own file and settings on a connection of its own: reads with nothing around."""

    def __init__(self, path: Path) -> None:
        self.execute = connect(path, create=False).execute

    def get(self, table: Table, kind: type[T]) -> Callable[..., T]:
        """A function that gives one item by its key, which must be there."""
        execute, decode, sql = self.execute, _decoder(kind), TableSql(table).get

        def get(*key: object) -> T:
            return decode(execute(sql, key).get)

        def get_unexpired(*key: object) -> T:
            return decode(execute(sql, (*key, time.time())).get)

        return get if table.ttl is None else get_unexpired

    def has(self, table: Table) -> Callable[..., bool]:
        """A function that tells whether there is an item with a key."""
        execute, sql = self.execute, TableSql(table).get

        def has(*key: object) -> bool:
            return execute(sql, key).get is not None

        return has

    def query(self, sql: str, kind: Any) -> Callable[..., list[Any]]:
        """A function that gives all items which a statement selects."""
        execute, decode = self.execute, _decoder(kind)

        def query(*bindings: object) -> list[Any]:
            return [decode(blob) for (blob,) in execute(sql, bindings)]

        return query


def _decoder(kind: type[T]) -> Callable[[bytes], T]:
    return msgspec.msgpack.Decoder(kind).decode


class View(Struct, frozen=True, kw_only=True):
    """One thing that people read; a row of the benchmark."""

    key: str
    """What `furnish` calls its address; no other view in the house has it."""
    name: str
    sentence: str
    """What is measured, for somebody who does not know the room."""
    bare: Callable[[BareFile], Handler]
    """Makes the handler that does the same reads and answers the same, by hand."""
    at_least: float = 0.5
    """How much of the bare handler's speed ours must reach."""
    busy_at_least: float = 0.5
    """The same where many ask at once; small views have a bound of their own."""


class RoomViews(Struct, frozen=True, kw_only=True):
    """What is measured of one room."""

    room: str
    """Its key; `accounts` for what belongs to the house itself."""
    views: tuple[View, ...]
    furnish: Callable[[House], Awaitable[Mapping[str, Address]]]
    """Fills its tables, and gives the address of each view."""
