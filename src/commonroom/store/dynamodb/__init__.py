"""The engine on DynamoDB; all but the template needs the extra `commonroom[dynamodb]`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from commonroom.store.dynamodb.schema import cloudformation_template

if TYPE_CHECKING:
    from commonroom.store.dynamodb.connection import DynamoSettings
    from commonroom.store.dynamodb.engine import DynamoEngine, connect

__all__ = ["DynamoEngine", "DynamoSettings", "cloudformation_template", "connect"]


def __getattr__(name: str) -> Any:
    """Loads the engine, and with it the libraries of the extra, only when it is asked for."""
    if name not in __all__:
        raise AttributeError(name)
    from commonroom.store.dynamodb import engine

    return getattr(engine, name)
