"""What DynamoDB costs: the prices that docs/scale.md goes by, and what a month comes to.

On demand, standard tables, region us-east-1, as of November 2024. Put in your own region's.
"""

from __future__ import annotations

from dataclasses import dataclass

MILLION = 1_000_000
GB = 2**30
MINUTES = 30 * 24 * 60
"""Of a month."""


@dataclass(frozen=True, slots=True)
class Prices:
    """In dollars."""

    write_units: float = 0.625
    """A million write request units."""
    read_units: float = 0.125
    """A million read request units."""
    stream_reads: float = 0.2
    """A million GetRecords, which are 0.02 for a hundred thousand."""
    storage: float = 0.25
    """A GB for a month, indexes included."""
    recovery: float = 0.20
    """A GB for a month with point-in-time recovery, indexes not included."""


US_EAST_1 = Prices()


@dataclass(frozen=True, slots=True)
class Bill:
    """What is paid for in a month."""

    read_units: float = 0.0
    write_units: float = 0.0
    stream_reads: float = 0.0
    table_bytes: float = 0.0
    index_bytes: float = 0.0

    def lines(self, prices: Prices = US_EAST_1) -> dict[str, float]:
        """Dollars, by what they are for."""
        return {
            "reads": self.read_units / MILLION * prices.read_units,
            "writes": self.write_units / MILLION * prices.write_units,
            "reads of streams": self.stream_reads / MILLION * prices.stream_reads,
            "storage": (self.table_bytes + self.index_bytes) / GB * prices.storage,
            "point-in-time recovery": self.table_bytes / GB * prices.recovery,
        }

    def dollars(self, prices: Prices = US_EAST_1) -> float:
        """All of it."""
        return sum(self.lines(prices).values())
