"""One word, one meaning: what docs/glossary.md says of names holds."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "commonroom"
GLOSSARY = ROOT / "docs" / "glossary.md"

RETIRED = re.compile(r"\b_?(?:MOST|LONGEST|FEWEST)_[A-Z_]+\b")
"""Words that were replaced: bounds are `MAX_` and `MIN_`."""
RETIRED_PHRASES = re.compile(r"^(?:Gives|The same)\b|\b(?:whoever|somebody)\b(?!”)", re.IGNORECASE)
"""What docstrings no longer say: Returns …, the caller, a person."""
IN_PLAIN_ENGLISH = (
    *("accounts", "adoption", "cli", "data_models", "doctor", "house", "http", "imports"),
    *("joins", "maintenance", "notifications", "outgoing", "search", "settings", "store"),
    *("timers", "titles", "together"),
)
"""Packages whose names and docstrings follow the glossary; modules beside them do, too."""
ROOMS = ("hangouts", "library", "movienight", "shareables", "watchlists")
"""Packages whose docstrings do, and whose retired names stand in a table of their own."""


def test_a_class_name_stands_for_one_thing() -> None:
    places = defaultdict(list)
    for path in SOURCE.rglob("*.py"):
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ClassDef):
                places[node.name].append(str(path.relative_to(SOURCE)))
    assert {name: found for name, found in places.items() if len(found) > 1} == {}


def test_no_retired_word_comes_back() -> None:
    found = {
        f"{path.relative_to(SOURCE)}: {match[0]}"
        for pattern in ("*.py", "*.html", "*.js")
        for path in SOURCE.rglob(pattern)
        for match in RETIRED.finditer(path.read_text())
    }
    assert found == set()


def test_no_retired_name_comes_back() -> None:
    retired = retired_names()
    found = {
        f"{path.relative_to(SOURCE)}: {name}, which is {retired[name.strip('_')]} now"
        for path in plain_files()
        for name in names_in(ast.parse(path.read_text()))
        if name.strip("_") in retired
    }
    assert found == set()


def test_no_retired_name_comes_back_in_a_room() -> None:
    retired = retired_names("Retired in the rooms")
    found = {
        f"{path.relative_to(SOURCE)}: {name}, which is {retired[name]} now"
        for path in files_of_rooms()
        for name in names_in(ast.parse(path.read_text()))
        if name in retired
    }
    assert found == set()


def test_docstrings_are_trade_english() -> None:
    found = {
        f"{path.relative_to(SOURCE)}:{node.lineno}: {text.splitlines()[0]}"
        for path in (*plain_files(), *files_of_rooms())
        for node, text in docstrings_in(ast.parse(path.read_text()))
        if RETIRED_PHRASES.search(text)
    }
    assert found == set()


def retired_names(heading: str = "Retired names") -> dict[str, str]:
    """Returns what stands in a table of retired names of the glossary, by each of them."""
    table = GLOSSARY.read_text().partition(f"## {heading}\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (`.+?) \| (.+?) \|$", table, re.MULTILINE)
    retired = {name: now for names, now in rows for name in re.findall(r"`(\w+)`", names)}
    assert len(retired) > 20
    return retired


def plain_files() -> Iterator[Path]:
    for path in SOURCE.rglob("*.py"):
        inside = path.relative_to(SOURCE)
        if len(inside.parts) == 1 or inside.parts[0] in IN_PLAIN_ENGLISH:
            yield path


def files_of_rooms() -> Iterator[Path]:
    for room in ROOMS:
        yield from (SOURCE / room).rglob("*.py")


def names_in(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name):
                yield name
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield node.name


def docstrings_in(tree: ast.Module) -> Iterator[tuple[ast.Expr, str]]:
    """Yields docstrings, those of attributes included."""
    for node in ast.walk(tree):
        match node:
            case ast.Expr(value=ast.Constant(value=str(text))):
                yield node, text
