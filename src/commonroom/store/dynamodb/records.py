"""What DynamoDB Streams gives, in our words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from commonroom.store.attribute_values import Attributes, AttributeValue, from_attributes
from commonroom.store.declare.table import Table
from commonroom.store.dynamodb.keys import key_of
from commonroom.store.engine import ChangeRecord, Shard
from commonroom.store.values import Item

KINDS: dict[str, Literal["insert", "modify", "remove"]] = {
    "INSERT": "insert",
    "MODIFY": "modify",
    "REMOVE": "remove",
}


def change(table: Table, record: Mapping[str, Any]) -> ChangeRecord:
    """One record of a stream."""
    body = record["dynamodb"]
    who = record.get("userIdentity") or {}
    return ChangeRecord(
        table=table.name,
        position=body["SequenceNumber"],
        kind=KINDS[record["eventName"]],
        key=key_of(table, from_attributes(body["Keys"])),
        old=_image(body.get("OldImage")),
        new=_image(body.get("NewImage")),
        at=body["ApproximateCreationDateTime"].timestamp(),
        by_ttl=who.get("Type") == "Service" and who.get("PrincipalId") == "dynamodb.amazonaws.com",
    )


def in_order(listed: Mapping[str, str | None]) -> list[Shard]:
    """Shards, given with their parents, so that each comes after its parent."""
    ordered: dict[str, Shard] = {}

    def place(shard: str) -> None:
        if shard in ordered:
            return
        parent = listed[shard]
        # A parent that is no longer listed has no more records to wait for.
        known = parent if parent in listed else None
        if known is not None:
            place(known)
        ordered[shard] = Shard(shard, known)

    for shard in listed:
        place(shard)
    return list(ordered.values())


def _image(attributes: Mapping[str, Any] | None) -> Item | None:
    return None if attributes is None else from_attributes(_typed(attributes))


def _typed(attributes: Mapping[str, Any]) -> Attributes:
    return {name: _type_told(value) for name, value in attributes.items()}


def _type_told(value: AttributeValue) -> AttributeValue:
    """A value under its type: DynamoDB Local leaves it out for an empty map, in streams only."""
    match value:
        case {"M": inner}:
            return {"M": _typed(inner)}
        case {"L": inner}:
            return {"L": [_type_told(one) for one in inner]}
    return value or {"M": {}}
