"""The rooms keep to their data models, and the documentation says where they do not."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

from commonroom.data_models.comparison import compare
from commonroom.data_models.markdown import comparison_tables, model_page
from commonroom.data_models.report import problems
from commonroom.data_models.statements import DOCUMENTS, documents
from commonroom.house.rooms import ROOMS
from commonroom.model import MODEL

ROOT = Path(__file__).parents[2]
DECISION = ROOT / "docs" / "decisions" / "0009-where-tables-differ-from-the-data-models.md"
STATED = documents()
MARK = "written by `make model` -->\n\n"


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_deviation_has_a_reason_and_every_reason_a_deviation(name: str) -> None:
    assert list(problems(compare(name, STATED[name], MODEL))) == []


def test_every_room_has_a_data_model() -> None:
    assert {one.room for one in STATED.values()} == {room.key for room in ROOMS}


def test_the_decision_shows_every_deviation() -> None:
    shown = DECISION.read_text(encoding="utf-8").partition(MARK)[2]
    comparisons = [compare(name, one, MODEL) for name, one in STATED.items()]
    assert shown == comparison_tables(comparisons), "`make model` writes it anew"


def test_the_page_of_the_model_begins_with_the_access_patterns_of_all_five() -> None:
    page = model_page(MODEL, STATED)
    assert (ROOT / "docs" / "model.md").read_text(encoding="utf-8") == page, (
        "docs/model.md differs from the declarations: `make model` writes it anew"
    )
    first, _, tables = page.partition("\n## movienight\n")
    assert tables
    for document in STATED.values():
        for pattern in document.patterns:
            assert f"| {pattern.name} | `{pattern.table}` |" in first


@pytest.mark.parametrize(
    "test", [rule.test for document in STATED.values() for rule in document.rules]
)
def test_a_test_that_a_rule_names_is_there(test: str) -> None:
    file, _, name = test.partition("::")
    assert name in functions_in(ROOT / file)


@cache
def functions_in(file: Path) -> frozenset[str]:
    """The names of all functions in a file."""
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    tree = ast.walk(ast.parse(file.read_text(encoding="utf-8")))
    return frozenset(one.name for one in tree if isinstance(one, functions))
