import json

import pytest

from commonroom.store.declare.table import Table
from commonroom.store.dynamodb import cloudformation_template
from commonroom.store.errors import BadDeclaration
from tests.store.dynamodb.samples import TABLES, timed


def test_a_template_is_json_with_a_resource_for_each_table() -> None:
    made = json.loads(json.dumps(cloudformation_template(TABLES)))
    assert list(made["Resources"]) == ["Shelf", "Timed", "Numbered"]
    assert made["Parameters"]["Prefix"]["Default"] == ""


def test_a_table_is_whole_and_outlives_its_stack() -> None:
    resource = cloudformation_template([timed])["Resources"]["Timed"]
    assert resource["Type"] == "AWS::DynamoDB::Table"
    assert resource["DeletionPolicy"] == "Retain"
    assert resource["Properties"] == {
        "TableName": {"Fn::Sub": "${Prefix}Timed"},
        "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [
            {"AttributeName": "Id", "AttributeType": "S"},
            {"AttributeName": "Group", "AttributeType": "S"},
            {"AttributeName": "Until", "AttributeType": "N"},
        ],
        "KeySchema": [{"AttributeName": "Id", "KeyType": "HASH"}],
        "GlobalSecondaryIndexes": [
            {
                "IndexName": "ByUntil",
                "KeySchema": [
                    {"AttributeName": "Group", "KeyType": "HASH"},
                    {"AttributeName": "Until", "KeyType": "RANGE"},
                ],
                "Projection": {"ProjectionType": "ALL"},
            },
            {
                "IndexName": "TimedKeys",
                "KeySchema": [{"AttributeName": "Group", "KeyType": "HASH"}],
                "Projection": {"ProjectionType": "KEYS_ONLY"},
            },
        ],
        "SSESpecification": {"SSEEnabled": True},
        "PointInTimeRecoverySpecification": {"PointInTimeRecoveryEnabled": True},
        "StreamSpecification": {"StreamViewType": "NEW_AND_OLD_IMAGES"},
        "TimeToLiveSpecification": {"AttributeName": "Until", "Enabled": True},
    }


def test_names_that_cloudformation_cannot_tell_apart_are_refused() -> None:
    tables = [Table(name, room="tests", partition="Id") for name in ("a-bc", "abc")]
    with pytest.raises(BadDeclaration, match="both called abc"):
        cloudformation_template(tables)
