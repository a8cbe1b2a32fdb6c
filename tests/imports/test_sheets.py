"""Cells that spreadsheets do not take for formulas, read back as they were."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonroom.imports.sheets import escape_formula, join_cell, split_cell, unescape_formula
from commonroom.texts import fit_line

NAMES = st.text(min_size=1, max_size=20).map(lambda text: " ".join(text.split())).filter(bool)


@pytest.mark.parametrize("text", ["=1+1", "+33", "-1", "@SUM(A1)", "\tx", "\rx", "'=1", "''@x"])
def test_no_cell_begins_as_a_formula_does(text: str) -> None:
    assert escape_formula(text) == f"'{text}"


@pytest.mark.parametrize("text", ["", "Dune", "'n Sync", "1984", "’Salem’s Lot", "a=b"])
def test_other_cells_stay_as_they_are(text: str) -> None:
    assert escape_formula(text) == unescape_formula(text) == text


@given(st.text(alphabet="'=+-@\t\ra", max_size=6))
def test_the_guard_is_undone(text: str) -> None:
    assert unescape_formula(escape_formula(text)) == text
    assert escape_formula(text)[:1] not in ("=", "+", "-", "@", "\t", "\r")


@given(st.lists(st.one_of(NAMES, st.text(alphabet=";\\a ", min_size=1).map(str.strip)), max_size=5))
def test_lists_in_a_cell_come_apart_as_they_were(names: list[str]) -> None:
    names = [name for name in names if name]
    assert split_cell(join_cell(names)) == names


def test_names_are_as_the_rules_keep_them() -> None:
    assert split_cell("Ann ;Bo; ; C\\;D") == ["Ann", "Bo", "C;D"]
    assert [fit_line("authors", name, 100) for name in split_cell("Ann; Bo")] == ["Ann", "Bo"]
