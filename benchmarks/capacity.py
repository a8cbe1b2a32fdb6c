"""Requests, capacity units and contention on DynamoDB, counted for whatever runs inside."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from commonroom.model import MODEL
from commonroom.store.dynamodb import DynamoEngine, DynamoSettings
from commonroom.store.dynamodb.connection import Connection, Payload
from commonroom.store.dynamodb.errors import CANCELLED, CONFLICT, THROTTLED, Fault

READS = frozenset({"GetItem", "BatchGetItem", "Query", "Scan"})
WRITES = frozenset({"TransactWriteItems", "BatchWriteItem"})
KEYS = {table.name: [key.name for key in table.key] for table in MODEL.tables}

Item: TypeAlias = tuple[str, str, str]
"""Its table, partition key and sort key."""


@dataclass(slots=True)
class Usage:
    """What was asked of DynamoDB."""

    requests: Counter[str] = field(default_factory=Counter)
    """By action, each attempt counted."""
    read_units: float = 0.0
    write_units: float = 0.0
    """Of tables and indexes together."""
    index_write_units: float = 0.0
    overlaps: int = 0
    """Transactions that were sent while another wrote to one of their items: what DynamoDB may
    answer with a conflict. DynamoDB Local lets them wait for each other instead."""
    conflicts: int = 0
    """Attempts that met another transaction at the same item, and were made again."""
    throttled: int = 0
    failed_conditions: int = 0
    """Writes that found something else than they required: somebody was quicker."""
    writes: Counter[str] = field(default_factory=Counter)
    """By table and partition key: how often an item there was written."""

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
        self.index_write_units += other.index_write_units
        self.overlaps += other.overlaps
        self.conflicts += other.conflicts
        self.throttled += other.throttled
        self.failed_conditions += other.failed_conditions

    def count_units(
        self, action: str, payload: Payload, consumed: Sequence[dict[str, Any]]
    ) -> None:
        """Counts what an answer says it has consumed."""
        units = sum(one["CapacityUnits"] for one in consumed)
        if action in READS:
            # DynamoDB charges for what is not there, too; DynamoDB Local does not always say so.
            self.read_units += max(units, _least_read_units(payload))
            return
        self.write_units += units
        for one in consumed:
            for index in one.get("GlobalSecondaryIndexes", {}).values():
                self.index_write_units += index["CapacityUnits"]

    def count_fault(self, action: str, fault: Fault, *, again: bool) -> None:
        """Counts an attempt that failed."""
        self.requests[action] += again
        # No answer says so, but what was cancelled is charged: at least two units for each item.
        self.write_units += 2 * len(fault.reasons)
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
    """A connection that asks of each request what it consumed; only measurements do."""

    def __init__(self, settings: DynamoSettings) -> None:
        super().__init__(settings)
        self._in_flight: Counter[Item] = Counter()

    async def send(self, action: str, payload: Payload, **options: Any) -> Payload:
        """Sends a request as any connection does, and counts it."""
        usage = _usage.get()
        if usage is None or action not in READS | WRITES:
            return await super().send(action, payload, **options)
        _action.set(action)
        usage.requests[action] += 1
        asking = payload | {"ReturnConsumedCapacity": "INDEXES"}
        with self._writing(usage, list(_written(payload))):
            answer = await super().send(action, asking, **options)
        consumed = answer.get("ConsumedCapacity", [])
        usage.count_units(action, payload, consumed if isinstance(consumed, list) else [consumed])
        return answer

    @contextmanager
    def _writing(self, usage: Usage, items: Sequence[Item]) -> Iterator[None]:
        usage.writes.update(f"{table} {partition}" for table, partition, _ in items)
        usage.overlaps += any(self._in_flight[one] for one in items)
        self._in_flight.update(items)
        try:
            yield
        finally:
            self._in_flight.subtract(items)

    def _may_retry(self, fault: Fault) -> bool:
        again = super()._may_retry(fault)
        if (usage := _usage.get()) is not None:
            usage.count_fault(_action.get(), fault, again=again)
        return again


def metered_engine(endpoint: str) -> DynamoEngine:
    """An engine on a DynamoDB Local that can be measured."""
    return DynamoEngine(MeteredConnection(DynamoSettings("local", endpoint=endpoint)), time.time)


def _least_read_units(payload: Payload) -> float:
    batch = payload.get("RequestItems", {}).values()
    return sum(len(one["Keys"]) for one in batch) or (1.0 if payload.get("ConsistentRead") else 0.5)


def _written(payload: Payload) -> Iterator[Item]:
    for operation in payload.get("TransactItems", ()):
        for kind, body in operation.items():
            if kind != "ConditionCheck":
                keys = KEYS[body["TableName"]]
                stored = body.get("Key", body.get("Item"))
                partition, *sort = [value for key in keys for value in stored[key].values()]
                yield body["TableName"], partition, "".join(sort)
