"""The tables as a CloudFormation template."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from commonroom.store.declare.table import Table
from commonroom.store.dynamodb.definitions import definition
from commonroom.store.errors import BadDeclaration


def template(tables: Iterable[Table]) -> dict[str, Any]:
    """A template that creates these tables and keeps them when the stack is deleted."""
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
            **definition(table),
        },
    }


def _logical(name: str) -> str:
    """A name that CloudFormation takes: letters and digits only."""
    return re.sub(r"[^a-zA-Z0-9]", "", name)
