"""Table definitions: what CreateTable and UpdateTable take, and the CloudFormation template."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from commonroom.store.declare.table import Index, KeyAttribute, Table
from commonroom.store.errors import BadDeclaration

Properties = dict[str, Any]


def table_definition(table: Table) -> Properties:
    """Returns a table's properties as CloudFormation has them, but for its name."""
    properties: Properties = {
        "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": _attributes(table.key_attributes.values()),
        "KeySchema": key_schema(table.key),
        "SSESpecification": {"SSEEnabled": True},
        "PointInTimeRecoverySpecification": {"PointInTimeRecoveryEnabled": True},
    }
    if table.indexes:
        properties["GlobalSecondaryIndexes"] = [index_definition(index) for index in table.indexes]
    if table.stream:
        properties["StreamSpecification"] = {"StreamViewType": "NEW_AND_OLD_IMAGES"}
    if table.ttl is not None:
        properties["TimeToLiveSpecification"] = {"AttributeName": table.ttl, "Enabled": True}
    return properties


def create_table_request(table: Table, name: str) -> Properties:
    """Returns the request for CreateTable, which spells two properties otherwise and lacks two."""
    properties = table_definition(table)
    properties.pop("TimeToLiveSpecification", None)
    del properties["PointInTimeRecoverySpecification"]
    properties["SSESpecification"] = {"Enabled": True}
    if "StreamSpecification" in properties:
        properties["StreamSpecification"]["StreamEnabled"] = True
    return {"TableName": name, **properties}


def add_index_request(index: Index, name: str) -> Properties:
    """Returns what UpdateTable takes to add one index to a table that is there."""
    return {
        "TableName": name,
        "AttributeDefinitions": _attributes(index.key),
        "GlobalSecondaryIndexUpdates": [{"Create": index_definition(index)}],
    }


def delete_index_request(index: Index, name: str) -> Properties:
    """Returns what UpdateTable takes to delete an index."""
    delete = {"Delete": {"IndexName": index.name}}
    return {"TableName": name, "GlobalSecondaryIndexUpdates": [delete]}


def stream_request(name: str) -> Properties:
    """Returns what UpdateTable takes to switch a table's stream on."""
    stream = {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"}
    return {"TableName": name, "StreamSpecification": stream}


def _attributes(attributes: Iterable[KeyAttribute]) -> list[dict[str, str]]:
    return [{"AttributeName": one.name, "AttributeType": one.type} for one in attributes]


def index_definition(index: Index) -> Properties:
    """Returns an index's properties."""
    return {
        "IndexName": index.name,
        "KeySchema": key_schema(index.key),
        "Projection": {"ProjectionType": index.projection},
    }


def key_schema(key: Sequence[KeyAttribute]) -> list[dict[str, str]]:
    """Returns the attributes of a key, as DynamoDB lists them."""
    return [
        {"AttributeName": attribute.name, "KeyType": kind}
        for attribute, kind in zip(key, ("HASH", "RANGE"), strict=False)
    ]


def cloudformation_template(tables: Iterable[Table]) -> dict[str, Any]:
    """Returns a template that creates these tables and keeps them when the stack is deleted."""
    resources: dict[str, Any] = {}
    for table in tables:
        name = _logical(table.name)
        if name in resources:
            raise BadDeclaration(f"Two tables are both called {name} in CloudFormation.")
        resources[name] = _resource(table)
    return {
        "AWSTemplateFormatVersion": "2010-09-09",
        "Description": "Commonroom's tables",
        "Parameters": {
            "Prefix": {
                "Type": "String",
                "Default": "",
                "AllowedPattern": "[a-zA-Z0-9_.-]*",
                "Description": "What every table's name begins with",
            }
        },
        "Resources": resources,
    }


def _resource(table: Table) -> dict[str, Any]:
    return {
        "Type": "AWS::DynamoDB::Table",
        "DeletionPolicy": "Retain",
        "UpdateReplacePolicy": "Retain",
        "Properties": {
            "TableName": {"Fn::Sub": f"${{Prefix}}{table.name}"},
            **table_definition(table),
        },
    }


def _logical(name: str) -> str:
    """Returns a name that CloudFormation takes: letters and digits only."""
    return re.sub(r"[^a-zA-Z0-9]", "", name)
