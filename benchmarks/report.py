"""What was measured, as a table for people and as JSON for whoever compares runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

import msgspec
from rich.console import Console
from rich.table import Table

Unit: TypeAlias = Literal["calls/s", "µs/call", "ms", "MB", "KB"]


@dataclass(frozen=True, slots=True)
class Bound:
    """What a ratio must reach, or must not exceed."""

    sign: Literal["≥", "≤"]
    limit: float

    def holds(self, ratio: float) -> bool:
        """Whether a ratio is on the right side."""
        return ratio >= self.limit if self.sign == "≥" else ratio <= self.limit

    def __str__(self) -> str:
        return f"{self.sign} {self.limit:g}"


@dataclass(frozen=True, slots=True)
class Comparison:
    """One row: our figure, theirs, and what their ratio must be."""

    name: str
    unit: Unit
    ours: float
    theirs: float
    rounds: int
    bound: Bound | None = None
    """None where the row only informs."""

    @property
    def ratio(self) -> float:
        """How many of theirs ours is."""
        return self.ours / self.theirs

    @property
    def holds(self) -> bool:
        """Whether the ratio is as it must be; what has no bound cannot fail."""
        return self.bound is None or self.bound.holds(self.ratio)

    def plain(self) -> dict[str, Any]:
        """The row as the JSON has it."""
        return {
            "name": f"{self.name} ({self.unit})",
            "ours": round(self.ours, 1),
            "theirs": round(self.theirs, 1),
            "ratio": round(self.ratio, 3),
            "bound": None if self.bound is None else str(self.bound),
            "holds": self.holds,
        }


def speed(
    name: str, ours: float, theirs: float, rounds: int, *, at_least: float | None = None
) -> Comparison:
    """How many calls a second each side makes, from the seconds that one call takes."""
    bound = None if at_least is None else Bound("≥", at_least)
    return Comparison(name, "calls/s", 1 / ours, 1 / theirs, rounds, bound)


def cost(name: str, ours: float, theirs: float, rounds: int, *, at_most: float) -> Comparison:
    """What a call costs each side, from the seconds that one call takes."""
    return Comparison(name, "µs/call", ours * 1e6, theirs * 1e6, rounds, Bound("≤", at_most))


def limited(name: str, unit: Unit, ours: float, most: float, rounds: int) -> Comparison:
    """A figure that must stay within a fixed limit, which takes the other side's place."""
    return Comparison(f"{name}, against {most:g} {unit}", unit, ours, most, rounds, Bound("≤", 1))


def show(console: Console, comparisons: Sequence[Comparison], notes: Sequence[str] = ()) -> None:
    """Prints the table, and below it what there is to say about it."""
    table = Table(title="What Commonroom must reach")
    table.add_column("")
    for heading in ("ours", "theirs", "ratio", "bound", "rounds", "holds"):
        table.add_column(heading, justify="right", no_wrap=True)
    for one in comparisons:
        table.add_row(
            one.name,
            _figure(one.ours, one.unit),
            _figure(one.theirs, one.unit),
            f"{one.ratio:.2f}",
            "" if one.bound is None else str(one.bound),
            str(one.rounds),
            "" if one.bound is None else "[green]yes" if one.holds else "[bold red]no",
        )
    console.print(table)
    for note in notes:
        console.print(note)


def save(path: Path, comparisons: Sequence[Comparison]) -> None:
    """Writes the JSON."""
    path.parent.mkdir(parents=True, exist_ok=True)
    plain = msgspec.json.encode([one.plain() for one in comparisons])
    path.write_bytes(msgspec.json.format(plain, indent=2) + b"\n")


def _figure(value: float, unit: str) -> str:
    text = f"{value:,.0f}" if value >= 100 else f"{value:,.1f}"
    return f"{text}/s" if unit == "calls/s" else f"{text} {unit.removesuffix('/call')}"
