"""Measures everything, or what is named, and says whether Commonroom reaches what it must."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

from rich.console import Console

from benchmarks import (
    dynamodb,
    evening,
    library_page,
    live_pages,
    pages,
    poll,
    reads,
    scale,
    search,
    web,
    writes,
)
from benchmarks.report import Comparison, save, show
from tests.support.dynamodb_local import ROOT, Unavailable

BENCHMARKS: dict[str, Callable[[Path], Awaitable[list[Comparison]]]] = {
    "reads": reads.compare,
    "writes": writes.compare,
    "dynamodb": dynamodb.compare,
    "scale": scale.compare,
    "web": web.compare,
    "pages": pages.compare,
    "evening": evening.compare,
    "poll": poll.compare,
    "search": search.compare,
    "library_page": library_page.compare,
    "live_pages": live_pages.compare,
}
# In the checkout and not in /tmp, which may be in memory, where nothing is ever durable.
WORKPLACE = ROOT / ".cache"
LATEST = ROOT / "benchmarks" / "results" / "latest.json"


def main() -> int:
    """Runs, shows and, if nothing was left out by choice, saves; fails where a bound does."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="name", help=", ".join(BENCHMARKS))
    names = parser.parse_args().names
    if unknown := set(names) - BENCHMARKS.keys():
        parser.error(
            f"There is no {', '.join(sorted(unknown))}; there are {', '.join(BENCHMARKS)}."
        )
    console = Console()
    comparisons, notes = asyncio.run(measured(console, names or list(BENCHMARKS)))
    notes.append(
        f"Load of the last five minutes: {os.getloadavg()[1]:.1f} on {os.cpu_count()} CPUs."
    )
    if not names:
        save(LATEST, comparisons)
        notes.append(f"Saved in {LATEST.relative_to(ROOT)}.")
    show(console, comparisons, notes)
    return 0 if all(one.holds for one in comparisons) else 1


async def measured(console: Console, names: Sequence[str]) -> tuple[list[Comparison], list[str]]:
    """What was compared, and why something was not."""
    comparisons: list[Comparison] = []
    notes: list[str] = []
    WORKPLACE.mkdir(exist_ok=True)
    for name in names:
        with (
            console.status(f"Measuring {name} …"),
            tempfile.TemporaryDirectory(prefix="bench-", dir=WORKPLACE) as folder,
        ):
            try:
                comparisons += await BENCHMARKS[name](Path(folder))
            except Unavailable as reason:
                notes.append(f"Left out: {name}. {reason}")
    return comparisons, notes


if __name__ == "__main__":
    sys.exit(main())
