import json
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from benchmarks.report import Comparison, cost, limited, save, show, speed

SPEED = speed("get, against bare", 0.000_02, 0.000_01, 60, at_least=0.4)
COST = cost("query, against theirs", 0.000_6, 0.001, 25, at_most=0.5)
INFORMATION = speed("the same, sealed", 0.000_02, 0.000_01, 60)
LIMITED = limited("start", "ms", 900, 1500, 5)


def test_the_json_holds_every_row_with_its_ratio_and_bound(tmp_path: Path) -> None:
    path = tmp_path / "results" / "latest.json"
    save(path, [SPEED, COST, INFORMATION, LIMITED])
    assert json.loads(path.read_text()) == [
        {
            "name": "get, against bare (calls/s)",
            "ours": 50_000.0,
            "theirs": 100_000.0,
            "ratio": 0.5,
            "bound": "≥ 0.4",
            "holds": True,
        },
        {
            "name": "query, against theirs (µs/call)",
            "ours": 600.0,
            "theirs": 1000.0,
            "ratio": 0.6,
            "bound": "≤ 0.5",
            "holds": False,
        },
        {
            "name": "the same, sealed (calls/s)",
            "ours": 50_000.0,
            "theirs": 100_000.0,
            "ratio": 0.5,
            "bound": None,
            "holds": True,
        },
        {
            "name": "start, against 1500 ms (ms)",
            "ours": 900.0,
            "theirs": 1500.0,
            "ratio": 0.6,
            "bound": "≤ 1",
            "holds": True,
        },
    ]


def test_the_table_says_what_holds_and_what_was_left_out() -> None:
    lines = printed([SPEED, COST, INFORMATION, LIMITED], ["Left out: dynamodb."])
    assert row(lines, "get") == ["50,000/s", "100,000/s", "0.50", "≥ 0.4", "60", "yes"]
    assert row(lines, "query") == ["600 µs", "1,000 µs", "0.60", "≤ 0.5", "25", "no"]
    assert row(lines, "the same") == ["50,000/s", "100,000/s", "0.50", "", "60", ""]
    assert row(lines, "start") == ["900 ms", "1,500 ms", "0.60", "≤ 1", "5", "yes"]
    assert lines[-1] == "Left out: dynamodb."


@pytest.mark.parametrize("ours, holds", [(0.49, False), (0.5, True), (0.51, True)])
def test_a_lower_bound_is_kept_from_its_value_on(ours: float, holds: bool) -> None:
    assert speed("", 1 / ours, 1, 1, at_least=0.5).holds is holds


@pytest.mark.parametrize("ours, holds", [(1.49, True), (1.5, True), (1.51, False)])
def test_an_upper_bound_is_kept_up_to_its_value(ours: float, holds: bool) -> None:
    assert cost("", ours, 1, 1, at_most=1.5).holds is holds


def printed(comparisons: list[Comparison], notes: list[str]) -> list[str]:
    console = Console(file=StringIO(), width=120)
    with console.capture() as capture:
        show(console, comparisons, notes)
    return capture.get().splitlines()


def row(lines: list[str], name: str) -> list[str]:
    (line,) = [line for line in lines if line.startswith(f"│ {name}")]
    return [cell.strip() for cell in line.split("│")[2:-1]]
