import json
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from benchmarks.report import (
    Comparison,
    Group,
    Results,
    cost,
    limited,
    load,
    save,
    show,
    speed,
)

SPEED = speed(
    "get", 0.000_02, 0.000_01, 60, against="bare", sentence="One by its key.", at_least=0.4
)
COST = cost("query", 0.000_6, 0.001, 25, against="theirs", sentence="Fifty by title.", at_most=0.5)
INFORMATION = speed("the same", 0.000_02, 0.000_01, 60, against="bare", sentence="With a [cursor].")
LIMITED = limited("start", "ms", 900, 1500, 5, sentence="Until it answers.")


def test_the_json_holds_every_row_with_its_ratio_bound_and_sentence(tmp_path: Path) -> None:
    path = tmp_path / "results" / "latest.json"
    rows = [one.saved() for one in (SPEED, COST, INFORMATION, LIMITED)]
    results = Results(
        taken_on="2026-05-31",
        minutes=9.5,
        processors=2,
        load=0.5,
        versions={"Python": "3.11"},
        groups=[Group("reads", "Reading.", rows)],
    )
    save(path, results)
    assert load(path) == results
    (group,) = json.loads(path.read_text())["groups"]
    assert group["rows"][0] == {
        "name": "get",
        "against": "bare",
        "sentence": "One by its key.",
        "unit": "calls/s",
        "ours": 50_000.0,
        "theirs": 100_000.0,
        "ratio": 0.5,
        "bound": {"sign": "≥", "limit": 0.4},
        "holds": True,
        "rounds": 60,
        "limit": None,
    }
    assert [one["holds"] for one in group["rows"]] == [True, False, True, True]
    assert [one["bound"] is None for one in group["rows"]] == [False, False, True, False]


def test_the_table_says_what_holds_and_what_was_left_out() -> None:
    lines = printed([SPEED, COST, INFORMATION, LIMITED], ["Left out: dynamodb."])
    assert row(lines, "get") == ["50,000/s", "100,000/s", "0.50", "≥ 0.4", "60", "yes"]
    assert row(lines, "query") == ["600 µs", "1,000 µs", "0.60", "≤ 0.5", "25", "no"]
    assert row(lines, "the same") == ["50,000/s", "100,000/s", "0.50", "", "60", ""]
    assert row(lines, "start") == ["900 ms", "1,500 ms", "0.60", "≤ 1", "5", "yes"]
    assert lines[-1] == "Left out: dynamodb."
    assert any("With a [cursor]." in line for line in lines)


@pytest.mark.parametrize("ours, holds", [(0.49, False), (0.5, True), (0.51, True)])
def test_a_lower_bound_is_kept_from_its_value_on(ours: float, holds: bool) -> None:
    row = speed("", 1 / ours, 1, 1, against="", sentence="", at_least=0.5)
    assert row.holds is holds


@pytest.mark.parametrize("ours, holds", [(1.49, True), (1.5, True), (1.51, False)])
def test_an_upper_bound_is_kept_up_to_its_value(ours: float, holds: bool) -> None:
    assert cost("", ours, 1, 1, against="", sentence="", at_most=1.5).holds is holds


def printed(comparisons: list[Comparison], notes: list[str]) -> list[str]:
    console = Console(file=StringIO(), width=120)
    with console.capture() as capture:
        show(console, comparisons, notes)
    return capture.get().splitlines()


def row(lines: list[str], name: str) -> list[str]:
    (line,) = [line for line in lines if line.startswith(f"│ {name}")]
    return [cell.strip() for cell in line.split("│")[2:-1]]
