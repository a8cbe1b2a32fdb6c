"""What commands print: JSON, columns, and the progress of long work."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import click
import msgspec

Advance = Callable[[str, int], None]
"""Is told what is being done, and how many more of it are done."""


def print_json(value: Any) -> None:
    """A value as JSON."""
    click.echo(msgspec.json.format(msgspec.json.encode(value), indent=2).decode())


def print_result(value: Any, *lines: str, as_json: bool) -> None:
    """Prints what a command has done: as a value for programs, or in sentences."""
    if as_json:
        print_json(value)
        return
    for line in lines:
        click.echo(line)


def print_columns(rows: Iterable[Sequence[str]]) -> None:
    """Rows with their columns under one another."""
    listed = [list(row) for row in rows]
    widths = [max(map(len, column)) for column in zip(*listed, strict=True)]
    for row in listed:
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=True)]
        click.echo("  ".join(cells).rstrip())


@contextmanager
def count_progress(
    title: str, *, total: int | None = None, quiet: bool = False
) -> Iterator[Advance]:
    """Shows how many items of how many are done."""
    if not quiet and sys.stderr.isatty():
        with _bar(f"{title} {{task.fields[name]}}", total) as shown:
            yield shown
        return
    counts: dict[str, int] = {}

    def advance(name: str, more: int) -> None:
        counts[name] = counts.get(name, 0) + more

    yield advance
    for name, count in counts.items():
        if count and not quiet:
            click.echo(f"{title} {name}: {count:,}", err=True)


@contextmanager
def bar_progress(title: str, *, quiet: bool = False) -> Iterator[Callable[[int, int], None]]:
    """Shows how much of a whole is done."""
    if quiet or not sys.stderr.isatty():
        yield lambda _done, _of: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as shown:
        task = shown.add_task(title)
        yield lambda done, of: shown.update(task, completed=done, total=of)


@contextmanager
def _bar(text: str, total: int | None) -> Iterator[Advance]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn(text), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    # What a command prints meanwhile goes above the bar, unless it goes somewhere else anyway.
    with Progress(
        *columns,
        console=Console(stderr=True),
        transient=True,
        redirect_stdout=sys.stdout.isatty(),
    ) as shown:
        task = shown.add_task("", total=total, name="")
        yield lambda name, more: shown.update(task, advance=more, name=name)
