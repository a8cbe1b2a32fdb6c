"""What was measured, as a table for people and as JSON for whoever compares runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

import msgspec
from msgspec import Struct
from rich.console import Console
from rich.markup import escape
from rich.table import Table

Unit: TypeAlias = Literal["calls/s", "µs/call", "ms", "MB", "KB", "%"]


class Bound(Struct, frozen=True):
    """What a ratio must reach, or must not exceed."""

    sign: Literal["≥", "≤"]
    limit: float

    def holds(self, ratio: float) -> bool:
        """Whether a ratio is on the right side."""
        return ratio >= self.limit if self.sign == "≥" else ratio <= self.limit

    def __str__(self) -> str:
        return f"{self.sign} {self.limit:g}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """One row: our figure, theirs, and what their ratio must be."""

    name: str
    against: str
    """Whose figure is theirs."""
    sentence: str
    """What is measured, for somebody who has not read the benchmark."""
    unit: Unit
    ours: float
    theirs: float
    rounds: int
    bound: Bound | None = None
    """None where the row only informs."""
    limit: float | None = None
    """What a handler makes that reads 50 rows and sends them, where that was measured beside it."""

    @property
    def ratio(self) -> float:
        """How many of theirs ours is."""
        return self.ours / self.theirs

    @property
    def holds(self) -> bool:
        """Whether the ratio is as it must be; what has no bound cannot fail."""
        return self.bound is None or self.bound.holds(self.ratio)

    def saved(self) -> SavedRow:
        """The row as the JSON has it."""
        return SavedRow(
            name=self.name,
            against=self.against,
            sentence=self.sentence,
            unit=self.unit,
            ours=round(self.ours, 1),
            theirs=round(self.theirs, 1),
            ratio=round(self.ratio, 3),
            bound=self.bound,
            holds=self.holds,
            rounds=self.rounds,
            limit=None if self.limit is None else round(self.limit, 1),
        )


def speed(
    name: str,
    ours: float,
    theirs: float,
    rounds: int,
    *,
    against: str,
    sentence: str,
    at_least: float | None = None,
    limit: float | None = None,
) -> Comparison:
    """How many calls a second each side makes, from the seconds that one call takes."""
    return Comparison(
        name=name,
        against=against,
        sentence=sentence,
        unit="calls/s",
        ours=1 / ours,
        theirs=1 / theirs,
        rounds=rounds,
        bound=None if at_least is None else Bound("≥", at_least),
        limit=limit,
    )


def cost(
    name: str,
    ours: float,
    theirs: float,
    rounds: int,
    *,
    against: str,
    sentence: str,
    at_most: float,
) -> Comparison:
    """What a call costs each side, from the seconds that one call takes."""
    return Comparison(
        name=name,
        against=against,
        sentence=sentence,
        unit="µs/call",
        ours=ours * 1e6,
        theirs=theirs * 1e6,
        rounds=rounds,
        bound=Bound("≤", at_most),
    )


def limited(
    name: str, unit: Unit, ours: float, most: float, rounds: int, *, sentence: str
) -> Comparison:
    """A figure that must stay within a fixed limit, which takes the other side's place."""
    return Comparison(
        name=name,
        against=f"at most {figure(most, unit)}",
        sentence=sentence,
        unit=unit,
        ours=ours,
        theirs=most,
        rounds=rounds,
        bound=Bound("≤", 1),
    )


class SavedRow(Struct, frozen=True, kw_only=True):
    """A row as it is kept."""

    name: str
    against: str
    sentence: str
    unit: Unit
    ours: float
    theirs: float
    ratio: float
    bound: Bound | None
    holds: bool
    rounds: int
    limit: float | None = None

    @property
    def of_limit(self) -> float | None:
        """How much of the limit ours is."""
        return None if self.limit is None else self.ours / self.limit


class Group(Struct, frozen=True):
    """What one benchmark measured."""

    key: str
    title: str
    """A sentence."""
    rows: list[SavedRow]


class Results(Struct, frozen=True, kw_only=True):
    """A whole run, and the machine it was made on."""

    taken_on: str
    """The day."""
    minutes: float
    processors: int
    load: float
    """Of the last five minutes."""
    versions: dict[str, str]
    groups: list[Group]


def show(console: Console, comparisons: Sequence[Comparison], notes: Sequence[str] = ()) -> None:
    """Prints the table, and below it what there is to say about it."""
    table = Table(title="What Commonroom must reach", show_lines=True)
    table.add_column("")
    for heading in ("ours", "theirs", "ratio", "bound", "rounds", "holds"):
        table.add_column(heading, justify="right", no_wrap=True)
    for one in comparisons:
        table.add_row(
            escape(f"{one.name}, against {one.against}") + f"\n[dim]{escape(_explained(one))}",
            figure(one.ours, one.unit),
            figure(one.theirs, one.unit),
            f"{one.ratio:.2f}",
            "" if one.bound is None else str(one.bound),
            str(one.rounds),
            "" if one.bound is None else "[green]yes" if one.holds else "[bold red]no",
        )
    console.print(table)
    for note in notes:
        console.print(note)


def _explained(one: Comparison) -> str:
    if one.limit is None:
        return one.sentence
    return f"{one.sentence} {one.ours / one.limit:.2f} of the limit, {figure(one.limit, one.unit)}."


def save(path: Path, results: Results) -> None:
    """Writes the JSON."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(msgspec.json.format(msgspec.json.encode(results), indent=2) + b"\n")


def load(path: Path) -> Results:
    """Reads the JSON."""
    return msgspec.json.decode(path.read_bytes(), type=Results)


def figure(value: float, unit: Unit) -> str:
    """A figure with its unit, as people read it."""
    text = f"{value:,.0f}" if value >= 100 else f"{value:,.1f}"
    return f"{text}/s" if unit == "calls/s" else f"{text} {unit.removesuffix('/call')}"
