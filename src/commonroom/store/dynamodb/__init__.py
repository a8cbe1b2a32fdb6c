"""The engine on DynamoDB; it needs the extra `commonroom[dynamodb]`."""

from commonroom.store.dynamodb.engine import DynamoEngine, connect
from commonroom.store.dynamodb.settings import DynamoSettings
from commonroom.store.dynamodb.template import template

__all__ = ["DynamoEngine", "DynamoSettings", "connect", "template"]
