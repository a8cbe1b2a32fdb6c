"""The parts of docs/scale.md that are figures: they are written by `python -m benchmarks.load`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from benchmarks.counting import (
    BUSY_STREAM_READS,
    IDLE_STREAM_READS,
    LIVE_MINUTES,
    LIVE_REQUESTS,
    STREAMS,
    WORKER,
    WORKER_TIMES,
    Cost,
    month_of,
)
from benchmarks.documents import table
from benchmarks.households import Template
from benchmarks.month import ACTS, VIEWS
from benchmarks.prices import GB, US_EAST_1, Bill

HOUSEHOLDS = 1000


def counted_parts(costs: Mapping[str, Cost], template: Template) -> dict[str, str]:
    """All parts that follow from what was counted, and from the prices."""
    return {"prices": _prices(), "counted": _counted(costs), "dollars": _dollars(costs, template)}


def figure(value: float) -> str:
    """A number as people read it."""
    return f"{value:,.0f}" if value == round(value) else f"{value:,.1f}"


def _counted(costs: Mapping[str, Cost]) -> str:
    def rows(times: Mapping[str, float]) -> list[Sequence[str]]:
        return [
            (
                name,
                figure(costs[name].requests),
                figure(costs[name].read_units),
                figure(costs[name].write_units),
                figure(often),
            )
            for name, often in times.items()
        ]

    head = ("requests", "read units", "write units", "times a month")
    after = {WORKER: WORKER_TIMES}
    views, acts = table(("view", *head), rows(VIEWS)), table(("act", *head), rows(ACTS | after))
    return f"{views}\n{acts}"


def _prices() -> str:
    prices = US_EAST_1
    rows = [
        ("a million write request units", f"{prices.write_units:.3f}"),
        ("a million read request units", f"{prices.read_units:.3f}"),
        ("a million reads of streams (`GetRecords`)", f"{prices.stream_reads:.3f}"),
        ("a GB of tables and indexes for a month", f"{prices.storage:.3f}"),
        ("a GB of tables with point-in-time recovery for a month", f"{prices.recovery:.3f}"),
    ]
    return table(("", "dollars"), rows)


def _dollars(costs: Mapping[str, Cost], template: Template) -> str:
    bill = month_of(costs, template, HOUSEHOLDS)
    amounts = {
        "reads": f"{bill.read_units:,.0f} units",
        "writes": f"{bill.write_units:,.0f} units",
        "storage": f"{(bill.table_bytes + bill.index_bytes) / GB:,.2f} GB",
        "point-in-time recovery": f"{bill.table_bytes / GB:,.2f} GB",
    }
    lines = bill.lines()
    rows = [(name, amount, f"{lines[name]:.2f}") for name, amount in amounts.items()]
    together = ("**together**", "", f"**{bill.dollars():.2f}**")
    head = (f"{HOUSEHOLDS:,} households, a month", "amount", "dollars")
    beside = [
        ("of the reads, those of pages that change by themselves", *_of_live_pages()),
        ("one worker, idle all month", *_of_worker(IDLE_STREAM_READS)),
        (f"one worker, busy all month, {STREAMS} shards", *_of_worker(BUSY_STREAM_READS)),
    ]
    return f"{table(head, [*rows, together])}\n{table(('', *head[1:]), beside)}"


def _of_live_pages() -> tuple[str, str]:
    reads = HOUSEHOLDS * LIVE_MINUTES * LIVE_REQUESTS
    return f"{reads:,} units", f"{Bill(read_units=reads).dollars():.2f}"


def _of_worker(reads: float) -> tuple[str, str]:
    return f"{reads:,.0f} `GetRecords`", f"{Bill(stream_reads=reads).dollars():.2f}"
