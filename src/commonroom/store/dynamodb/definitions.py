"""What a table is in DynamoDB, said once, for the command and for the CloudFormation template."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from commonroom.store.declare.table import Index, KeyAttribute, Table

Properties = dict[str, Any]


def definition(table: Table) -> Properties:
    """A table's properties as CloudFormation has them, but for its name."""
    properties: Properties = {
        "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": _attributes(table),
        "KeySchema": _schema(table.key),
        "SSESpecification": {"SSEEnabled": True},
        "PointInTimeRecoverySpecification": {"PointInTimeRecoveryEnabled": True},
    }
    if table.indexes:
        properties["GlobalSecondaryIndexes"] = [_index(index) for index in table.indexes]
    if table.stream:
        properties["StreamSpecification"] = {"StreamViewType": "NEW_AND_OLD_IMAGES"}
    if table.ttl is not None:
        properties["TimeToLiveSpecification"] = {"AttributeName": table.ttl, "Enabled": True}
    return properties


def creation(table: Table, name: str) -> Properties:
    """The same as CreateTable takes it, which spells two things otherwise and lacks two."""
    properties = definition(table)
    properties.pop("TimeToLiveSpecification", None)
    del properties["PointInTimeRecoverySpecification"]
    properties["SSESpecification"] = {"Enabled": True}
    if "StreamSpecification" in properties:
        properties["StreamSpecification"]["StreamEnabled"] = True
    return {"TableName": name, **properties}


def index_addition(table: Table, index: Index, name: str) -> Properties:
    """What UpdateTable takes to add one index to a table that is there."""
    return {
        "TableName": name,
        "AttributeDefinitions": _attributes(table),
        "GlobalSecondaryIndexUpdates": [{"Create": _index(index)}],
    }


def _attributes(table: Table) -> list[dict[str, str]]:
    return [
        {"AttributeName": attribute.name, "AttributeType": attribute.type}
        for attribute in table.key_attributes.values()
    ]


def _index(index: Index) -> Properties:
    return {
        "IndexName": index.name,
        "KeySchema": _schema(index.key),
        "Projection": {"ProjectionType": index.projection},
    }


def _schema(key: Sequence[KeyAttribute]) -> list[dict[str, str]]:
    return [
        {"AttributeName": attribute.name, "KeyType": kind}
        for attribute, kind in zip(key, ("HASH", "RANGE"), strict=False)
    ]
