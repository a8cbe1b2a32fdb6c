"""Where DynamoDB is, how the tables are called there, and how long to wait for it."""

from __future__ import annotations

from dataclasses import dataclass

from commonroom.store.declare.table import Table


@dataclass(frozen=True, slots=True)
class DynamoSettings:
    """What an engine on DynamoDB is to know; credentials come from the environment."""

    region: str
    prefix: str = ""
    """What every table's name begins with, so that one account can hold several houses."""
    endpoint: str | None = None
    """Another address than the region's own, such as DynamoDB Local's."""
    instance_role: bool = False
    """Whether to ask the EC2 instance for credentials; nothing else ever asks it."""
    seconds: float = 10.0
    """How long a request is tried again before the engine gives up."""
    attempt_seconds: float = 5.0
    """How long one attempt may take; the last one may go that far beyond `seconds`."""
    connect_seconds: float = 3.0
    """How long the first request is tried, so that a wrong endpoint is known soon."""
    creation_seconds: float = 300.0
    """How long new tables may take to become active."""

    @property
    def address(self) -> str:
        """The address that requests go to."""
        return self.endpoint or f"https://dynamodb.{self.region}.amazonaws.com"

    def table_name(self, table: Table) -> str:
        """A table's name in the database."""
        return self.prefix + table.name
