"""The figures of docs/performance.md are those of the last run: `make bench` writes both."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from benchmarks.documents import PART, with_parts
from benchmarks.performance_document import figure_parts, write_document
from benchmarks.performance_plot import PANELS, WIDTH, draw_plot
from benchmarks.report import Group, Results, cost, load, speed

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "performance.md"
LATEST = ROOT / "benchmarks" / "results" / "latest.json"

BY_HAND = speed("a <page>", 0.001, 0.0005, 30, against="by hand", sentence="It.", at_least=0.6)
FASTAPI = speed("a <page>", 0.001, 0.004, 30, against="FastAPI", sentence="It.")
PYNAMO = cost("a get", 0.0006, 0.002, 25, against="PynamoDB", sentence="One.", at_most=0.4)


@pytest.fixture
def results() -> Results:
    return Results(
        taken_on="2026-05-31",
        minutes=9.5,
        processors=2,
        load=0.4,
        versions={"Python": "3.11"},
        groups=[
            Group("json_views", "Reads.", [BY_HAND.saved(), FASTAPI.saved()]),
            Group("dynamodb", "Elsewhere.", [PYNAMO.saved()]),
        ],
    )


def test_the_page_has_the_figures_of_the_last_run() -> None:
    page = PAGE.read_text()
    assert with_parts(page, figure_parts(load(LATEST))) == page, "make bench"


def test_the_plot_shows_the_last_run() -> None:
    assert draw_plot(load(LATEST)) == PAGE.with_suffix(".svg").read_text(), "make bench"


def test_every_row_of_the_last_run_says_what_it_measures() -> None:
    rows = [row for group in load(LATEST).groups for row in group.rows]
    assert rows
    assert all(row.sentence.endswith(".") and row.against for row in rows)


def test_a_page_says_which_bounds_do_not_hold(results: Results) -> None:
    parts = figure_parts(results)
    assert parts["bounds"].startswith("1 of 2 bounds hold in this run.")
    assert "- a <page>, against by hand: 0.50, must be ≥ 0.6" in parts["bounds"]
    assert {part[2] for part in PART.finditer(PAGE.read_text())} == parts.keys()


def test_a_run_is_written_beside_the_prose(tmp_path: Path, results: Results) -> None:
    page = tmp_path / "performance.md"
    page.write_text("Prose.\n<!-- machine: by hand -->\n<!-- end of machine -->\n")
    write_document(page, results)
    assert "Prose." in page.read_text()
    assert "on 2 processors with a load of 0.4" in page.read_text()
    assert page.with_suffix(".svg").exists()


def test_bars_of_one_thing_stand_together_and_nothing_is_written_over_another(
    results: Results,
) -> None:
    drawn = ElementTree.fromstring(draw_plot(results))  # noqa: S314 - made here
    texts = [one for one in drawn.iter() if one.tag.endswith("}text")]
    said = [one.text for one in texts]
    assert said == [
        PANELS["json_views"],
        "a <page>", "Commonroom", "1,000/s", "by hand", "2,000/s", "FastAPI", "250/s",
        PANELS["dynamodb"],
        "a get", "Commonroom", "600 µs", "PynamoDB", "2,000 µs",
    ]  # fmt: skip
    boxes = [_box(one) for one in texts]
    assert all(left >= 0 and right <= WIDTH for left, right, _ in boxes)
    for number, (left, right, line) in enumerate(boxes):
        for other_left, other_right, other_line in boxes[number + 1 :]:
            apart = abs(line - other_line) >= 16
            assert apart or right < other_left or other_right < left


def _box(text: ElementTree.Element) -> tuple[float, float, float]:
    """From where to where a text goes on its line, if letters are wide."""
    long = 8.0 * len(text.text or "")
    at, line = float(text.attrib["x"]), float(text.attrib["y"])
    return (at - long, at, line) if text.get("class") == "side" else (at, at + long, line)
