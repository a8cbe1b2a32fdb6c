"""Progress of long work: a bar on a terminal, a line per table elsewhere, nothing for programs."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

Told = Callable[[str, int], None]
"""Told what is being done, and how many more of it are done."""


@contextmanager
def counting(title: str, *, total: int | None = None, quiet: bool = False) -> Iterator[Told]:
    """Shows how many items of how many are done."""
    if not quiet and sys.stderr.isatty():
        with _bar(f"{title} {{task.fields[name]}}", total) as advance:
            yield advance
        return
    counts: dict[str, int] = {}

    def told(name: str, more: int) -> None:
        counts[name] = counts.get(name, 0) + more

    yield told
    for name, count in counts.items():
        if count and not quiet:
            click.echo(f"{title} {name}: {count:,}", err=True)


@contextmanager
def filling(title: str, *, quiet: bool = False) -> Iterator[Callable[[int, int], None]]:
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
def _bar(text: str, total: int | None) -> Iterator[Told]:
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
