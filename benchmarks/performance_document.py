"""The parts of docs/performance.md that are figures: they are written by `make bench`."""

from __future__ import annotations

from pathlib import Path

from benchmarks.documents import table, with_parts
from benchmarks.performance_plot import draw_plot
from benchmarks.report import Group, Results, SavedRow, figure

HEAD = ("what", "ours", "theirs", "ratio", "must be")
OF_LIMIT = "of the limit"


def write_document(page: Path, results: Results) -> None:
    """Writes the page's figures anew, and the plot beside it."""
    page.write_text(with_parts(page.read_text(), figure_parts(results)))
    page.with_suffix(".svg").write_text(draw_plot(results))


def figure_parts(results: Results) -> dict[str, str]:
    """All parts that follow from what was measured."""
    return {
        "machine": _machine(results),
        "bounds": _bounds(results),
        "figures": "\n".join(_figures(group) for group in results.groups),
    }


def _machine(results: Results) -> str:
    versions = ", ".join(f"{name} {version}" for name, version in results.versions.items())
    return (
        f"Taken on {results.taken_on} in {results.minutes:.0f} minutes, on {results.processors} "
        f"processors with a load of {results.load:.1f}; {versions}.\n"
    )


def _bounds(results: Results) -> str:
    bounded = [row for group in results.groups for row in group.rows if row.bound is not None]
    failed = [row for row in bounded if not row.holds]
    if not failed:
        return f"All {len(bounded)} bounds hold.\n"
    listed = "".join(
        f"- {row.name}, against {row.against}: {row.ratio:.2f}, must be {row.bound}\n"
        for row in failed
    )
    held = len(bounded) - len(failed)
    return f"{held} of {len(bounded)} bounds hold in this run. These do not:\n\n{listed}"


def _figures(group: Group) -> str:
    limited = any(row.limit is not None for row in group.rows)
    head = (*HEAD, OF_LIMIT) if limited else HEAD
    rows = [(*_cells(row), _of_limit(row)) if limited else _cells(row) for row in group.rows]
    return f"### {group.title.removesuffix('.')}\n\n{table(head, rows)}"


def _cells(row: SavedRow) -> tuple[str, ...]:
    return (
        f"**{row.name}**, against {row.against}<br>{row.sentence}",
        figure(row.ours, row.unit),
        figure(row.theirs, row.unit),
        f"{row.ratio:.2f}",
        "" if row.bound is None else str(row.bound),
    )


def _of_limit(row: SavedRow) -> str:
    return "" if row.of_limit is None else f"{row.of_limit:.2f}"
