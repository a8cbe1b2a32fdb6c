"""Cells of our own CSV: safe to open in a spreadsheet, and read back as they were."""

from __future__ import annotations

import re
from collections.abc import Sequence

# What a spreadsheet would take for a formula, and what was guarded against that before.
_FORMULA = re.compile(r"'*[=+\-@\t\r]")


LONGEST_LIST = 20_000
"""Fifty names of a hundred signs, each with a backslash before it, and what is between them."""


def guarded(text: str) -> str:
    """A cell that no spreadsheet takes for a formula: with `'` before one."""
    return f"'{text}" if _FORMULA.match(text) else text


def unguarded(cell: str) -> str:
    """The text that was guarded."""
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell


def joined(names: Sequence[str]) -> str:
    """A list in one cell, with `;` between; within a name, that has a backslash before it."""
    return "; ".join(name.replace("\\", "\\\\").replace(";", "\\;") for name in names)


def parted(cell: str) -> list[str]:
    """The list in a cell; one that is longer than any list is a name that no rule will take."""
    if len(cell) > LONGEST_LIST:
        return [cell]
    names: list[list[str]] = [[]]
    signs = iter(cell)
    for sign in signs:
        if sign == ";":
            names.append([])
        else:
            names[-1].append(next(signs, "") if sign == "\\" else sign)
    return [name for one in names if (name := "".join(one).strip())]
