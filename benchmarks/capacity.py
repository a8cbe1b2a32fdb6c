"""Requests, capacity units and contention on DynamoDB, counted for whatever runs inside.

Of reads, DynamoDB Local says what they consume. Of transactions it names one item alone, so their
units are counted here, from the sizes of all items before and after, as DynamoDB counts them.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from commonroom.model import MODEL
from commonroom.store import Table
from commonroom.store.dynamodb import DynamoEngine, DynamoSettings
from commonroom.store.dynamodb.connection import Connection, Payload
from commonroom.store.dynamodb.errors import CANCELLED, CONFLICT, THROTTLED, FailedAttempt
from commonroom.store.dynamodb_json import Attributes, from_attributes
from commonroom.store.limits import item_size
from commonroom.store.values import Item

READS = frozenset({"GetItem", "BatchGetItem", "Query"})
TRANSACTION = "TransactWriteItems"
TWICE = 2
"""A transaction prepares each write, and then does it."""
WRITE_UNIT = 1024
TABLES = {table.name: table for table in MODEL.tables}


class Place(NamedTuple):
    """The key of an item that is written."""

    table: str
    partition: str
    sort: str = ""


@dataclass(slots=True)
class Usage:
    """What was asked of DynamoDB."""

    requests: Counter[str] = field(default_factory=Counter)
    """By action, each attempt counted."""
    read_units: float = 0.0
    write_units: float = 0.0
    """Of tables and indexes together."""
    overlaps: int = 0
    """Transactions that were sent while another wrote to one of their items: what DynamoDB may
    answer with a conflict. DynamoDB Local lets them wait for each other instead."""
    conflicts: int = 0
    """Attempts that were answered so, and were made again."""
    throttled: int = 0
    failed_conditions: int = 0
    """Writes that found something else than they required: somebody was quicker."""
    writes: Counter[Place] = field(default_factory=Counter)
    """How often each item was written."""

    @property
    def figures(self) -> tuple[int, float, float]:
        """Requests, read units and write units."""
        return self.requests.total(), self.read_units, self.write_units

    def add(self, other: Usage) -> None:
        """Adds what was asked elsewhere."""
        self.requests += other.requests
        self.writes += other.writes
        self.read_units += other.read_units
        self.write_units += other.write_units
        self.overlaps += other.overlaps
        self.conflicts += other.conflicts
        self.throttled += other.throttled
        self.failed_conditions += other.failed_conditions

    def count_fault(self, action: str, fault: FailedAttempt, *, again: bool) -> None:
        """Counts an attempt that failed."""
        self.requests[action] += again
        reasons = [str(one.get("Code")) for one in fault.reasons]
        codes = {fault.code, *reasons} if fault.code == CANCELLED else {fault.code}
        self.conflicts += not codes.isdisjoint(CONFLICT)
        self.throttled += not codes.isdisjoint(THROTTLED)
        self.failed_conditions += "ConditionalCheckFailed" in codes


_usage: ContextVar[Usage | None] = ContextVar("usage", default=None)
_action: ContextVar[str] = ContextVar("action", default="")


@contextmanager
def measuring() -> Iterator[Usage]:
    """Counts what is asked of a `MeteredConnection` inside, by tasks that it starts included."""
    usage = Usage()
    token = _usage.set(usage)
    try:
        yield usage
    finally:
        _usage.reset(token)


class MeteredConnection(Connection):
    """A connection that counts; what it asks by itself to do so is not counted."""

    def __init__(self, settings: DynamoSettings) -> None:
        super().__init__(settings)
        self._in_flight: Counter[Place] = Counter()

    async def send(self, action: str, payload: Payload, **options: Any) -> Payload:
        """Sends a request as any connection does, and counts it."""
        usage = _usage.get()
        if usage is None or action not in READS | {TRANSACTION}:
            return await super().send(action, payload, **options)
        _action.set(action)
        usage.requests[action] += 1
        if action == TRANSACTION:
            return await self._transact(usage, payload, **options)
        asking = payload | {"ReturnConsumedCapacity": "TOTAL"}
        answer = await super().send(action, asking, **options)
        usage.read_units += _read_units(payload, answer["ConsumedCapacity"])
        return answer

    async def _transact(self, usage: Usage, payload: Payload, **options: Any) -> Payload:
        bodies = [body for operation in payload["TransactItems"] for body in operation.values()]
        before = await self._items(bodies)
        # Each is charged for, also where nothing comes of it.
        usage.write_units += sum(_units(one) for one in before)
        with self._writing(usage, _places(payload)):
            answer = await super().send(TRANSACTION, payload, **options)
        after = await self._items(bodies)
        for body, old, new in zip(bodies, before, after, strict=True):
            usage.write_units += max(0, _units(new) - _units(old))
            usage.write_units += _index_units(TABLES[body["TableName"]], old, new)
        return answer

    async def _items(self, bodies: Sequence[Payload]) -> list[Item | None]:
        """What is stored where a transaction writes."""
        request: Payload = {}
        for body in bodies:
            wanted = request.setdefault(body["TableName"], {"Keys": [], "ConsistentRead": True})
            wanted["Keys"].append(_key(body))
        answer = await super().send("BatchGetItem", {"RequestItems": request})
        found = {
            _place(name, attributes): from_attributes(attributes)
            for name, several in answer["Responses"].items()
            for attributes in several
        }
        return [found.get(_place(body["TableName"], _key(body))) for body in bodies]

    @contextmanager
    def _writing(self, usage: Usage, places: Sequence[Place]) -> Iterator[None]:
        usage.writes.update(places)
        usage.overlaps += any(self._in_flight[one] for one in places)
        self._in_flight.update(places)
        try:
            yield
        finally:
            self._in_flight.subtract(places)

    def _may_retry(self, fault: FailedAttempt) -> bool:
        again = super()._may_retry(fault)
        if (usage := _usage.get()) is not None:
            usage.count_fault(_action.get(), fault, again=again)
        return again


def metered_engine(endpoint: str) -> DynamoEngine:
    """An engine on a DynamoDB Local that can be measured."""
    return DynamoEngine(MeteredConnection(DynamoSettings("local", endpoint=endpoint)), time.time)


def _read_units(payload: Payload, consumed: Any) -> float:
    """What a read consumes: DynamoDB also charges for what is not there, unlike DynamoDB Local."""
    several = consumed if isinstance(consumed, list) else [consumed]
    keys = sum(len(one["Keys"]) for one in payload.get("RequestItems", {}).values())
    least = keys or (1.0 if payload.get("ConsistentRead") else 0.5)
    return max(least, sum(float(one["CapacityUnits"]) for one in several))


def _units(item: Item | None) -> int:
    """What writing an item consumes in a transaction; what is not there counts as small."""
    size = 1 if item is None else item_size(item)
    return TWICE * -(-size // WRITE_UNIT)


def _index_units(table: Table, before: Item | None, after: Item | None) -> int:
    """The same for its copies in indexes, which are written only where they change."""
    units = 0
    for index in table.indexes:
        keys = [
            None if one is None else tuple(one.get(key.name) for key in index.key)
            for one in (before, after)
        ]
        old, new = (None if key is None or None in key else key for key in keys)
        if old is not None and new is not None and old != new:
            units += _units(before) + _units(after)
        elif (old, new) != (None, None) and before != after:
            units += max(_units(before if old else None), _units(after if new else None))
    return units


def _key(body: Payload) -> Attributes:
    stored: Attributes = body.get("Key") or body["Item"]
    return {key.name: stored[key.name] for key in TABLES[body["TableName"]].key}


def _place(table: str, stored: Attributes) -> Place:
    return Place(table, *(str(*stored[key.name].values()) for key in TABLES[table].key))


def _places(payload: Payload) -> list[Place]:
    """The items that a transaction writes to, and not only looks at."""
    return [
        _place(body["TableName"], _key(body))
        for operation in payload["TransactItems"]
        for kind, body in operation.items()
        if kind != "ConditionCheck"
    ]
