"""Measures everything, or what is named, and says whether Commonroom reaches what it must."""

from __future__ import annotations

import argparse
import asyncio
import os
import platform
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import ModuleType

import apsw
from rich.console import Console

from benchmarks import (
    backlog,
    dynamodb,
    groups,
    http_writes,
    json_views,
    library_page,
    live_pages,
    pages,
    reads,
    requests,
    scale,
    search,
    searching_people,
    title_search,
    watchlists_pages,
    web,
    writes,
)
from benchmarks.performance_document import write_document
from benchmarks.report import Comparison, Group, Results, save, show
from tests.support.dynamodb_local import ROOT, Unavailable

BENCHMARKS = {
    one.__name__.rpartition(".")[2]: one
    for one in (
        reads,
        requests,
        writes,
        dynamodb,
        scale,
        web,
        json_views,
        http_writes,
        backlog,
        groups,
        pages,
        search,
        searching_people,
        library_page,
        live_pages,
        watchlists_pages,
        title_search,
    )
}
"""Each has a function `compare`, and says in its first sentence what it measures."""
# In the checkout and not in /tmp, which may be in memory, where nothing is ever durable.
WORKPLACE = ROOT / ".cache"
LATEST = ROOT / "benchmarks" / "results" / "latest.json"
PAGE = ROOT / "docs" / "performance.md"


def main() -> int:
    """Runs, shows and, if nothing was left out or broke, saves; fails where a bound does."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="name", help=", ".join(BENCHMARKS))
    names = parser.parse_args().names
    if unknown := set(names) - BENCHMARKS.keys():
        parser.error(
            f"There is no {', '.join(sorted(unknown))}; there are {', '.join(BENCHMARKS)}."
        )
    console, start = Console(), time.monotonic()
    measured, notes, broken = asyncio.run(measure(console, names or list(BENCHMARKS)))
    minutes = (time.monotonic() - start) / 60
    notes.append(
        f"Took {minutes:.1f} minutes. "
        f"Load of the last five minutes: {os.getloadavg()[1]:.1f} on {os.cpu_count()} CPUs."
    )
    if not names and not broken:
        results = _results(measured, minutes)
        save(LATEST, results)
        write_document(PAGE, results)
        notes.append(f"Saved in {LATEST.relative_to(ROOT)} and {PAGE.relative_to(ROOT)}.")
    rows = [one for several in measured.values() for one in several]
    show(console, rows, notes)
    return 0 if all(one.holds for one in rows) and not broken else 1


async def measure(
    console: Console, names: Sequence[str]
) -> tuple[dict[str, list[Comparison]], list[str], bool]:
    """What was compared, by benchmark, why something was not, and whether something is broken."""
    measured: dict[str, list[Comparison]] = {}
    notes: list[str] = []
    broken = False
    WORKPLACE.mkdir(exist_ok=True)
    for name in names:
        with (
            console.status(f"Measuring {name} …"),
            tempfile.TemporaryDirectory(prefix="bench-", dir=WORKPLACE) as folder,
        ):
            try:
                measured[name] = await BENCHMARKS[name].compare(Path(folder))
            except Unavailable as reason:
                notes.append(f"Left out: {name}. {reason}")
            except Exception as error:  # a run is long: the others are measured all the same
                console.print_exception()
                notes.append(f"Broken: {name}. {error}")
                broken = True
    return measured, notes, broken


def _results(measured: Mapping[str, Sequence[Comparison]], minutes: float) -> Results:
    groups = [
        Group(name, _first_sentence(BENCHMARKS[name]), [one.saved() for one in rows])
        for name, rows in measured.items()
    ]
    return Results(
        taken_on=time.strftime("%Y-%m-%d"),
        minutes=round(minutes, 1),
        processors=os.cpu_count() or 1,
        load=round(os.getloadavg()[1], 1),
        versions={"Python": platform.python_version(), "SQLite": apsw.sqlite_lib_version()},
        groups=groups,
    )


def _first_sentence(module: ModuleType) -> str:
    return (module.__doc__ or "").partition("\n")[0]


if __name__ == "__main__":
    sys.exit(main())
