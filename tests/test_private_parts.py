"""Nothing private of anybody's library is imported, used, replaced or overridden."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
SOURCES = sorted((ROOT / "src").rglob("*.py"))
READS, WRITES = "getattr", ("setattr", "delattr")
OURS = frozenset({"commonroom", "__future__", "tests", "benchmarks"})


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__")


def is_ours(module: str) -> bool:
    return module.partition(".")[0] in OURS


class Looking(ast.NodeVisitor):
    """Finds what a module does with private parts of what it imports from others."""

    def __init__(self) -> None:
        self.found: list[str] = []
        self._theirs: set[str] = set()
        """Names of the module that are somebody else's modules, classes and functions."""

    def visit_Import(self, node: ast.Import) -> None:
        for one in node.names:
            if is_ours(one.name):
                continue
            self._note(one.name, node)
            self._theirs.add(one.asname or one.name.partition(".")[0])

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        module = node.module or ""
        if is_ours(module) or node.level:
            return
        for one in node.names:
            self._note(f"{module}.{one.name}", node)
            self._theirs.add(one.asname or one.name)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        if is_private(node.attr) and self._is_theirs(node.value):
            self.found.append(f"{node.lineno}: {ast.unparse(node)}")
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        function = ast.unparse(node.func)
        if function in (READS, *WRITES) and len(node.args) > 1 and self._is_theirs(node.args[0]):
            name = ast.unparse(node.args[1]).strip("'\"")
            if function in WRITES or is_private(name):
                self.found.append(f"{node.lineno}: {ast.unparse(node)}")
        self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign) -> None:
        for one in node.targets:
            # Python's own modules have switches that are meant to be set, as `logging` has.
            replaces = isinstance(one, ast.Attribute) and self._is_theirs(one.value)
            if replaces and ast.unparse(one).partition(".")[0] not in sys.stdlib_module_names:
                self.found.append(f"{node.lineno}: {ast.unparse(one)} = …")
        self.generic_visit(node)

    def _note(self, name: str, node: ast.AST) -> None:
        if any(map(is_private, name.split("."))):
            self.found.append(f"{getattr(node, 'lineno', 0)}: import of {name}")

    def _is_theirs(self, node: ast.expr) -> bool:
        while isinstance(node, ast.Attribute):
            node = node.value
        return isinstance(node, ast.Name) and node.id in self._theirs


def looked_at(text: str) -> list[str]:
    looking = Looking()
    looking.visit(ast.parse(text))
    return looking.found


def private_overrides() -> Iterator[str]:
    """Every private name that a class of ours shares with a class of somebody else's above it."""
    for name, module in sorted(sys.modules.items()):
        if not name.startswith("commonroom."):
            continue
        for kind in vars(module).values():
            if not isinstance(kind, type) or kind.__module__ != name:
                continue
            # Metaclasses add private parts of their own; ours are functions of the module.
            written = {it for it, value in vars(kind).items() if is_written_in(name, value)}
            for above in (one for one in kind.__mro__ if not is_ours(one.__module__)):
                for same in {*filter(is_private, written)} & vars(above).keys():
                    yield f"{name}.{kind.__name__}.{same}, of {above.__module__}.{above.__name__}"


def is_written_in(module: str, value: Any) -> bool:
    """Whether a module has the text of what a class has."""
    function = getattr(value, "fget", None) or getattr(value, "__func__", value)
    return getattr(function, "__module__", None) == module


@pytest.mark.parametrize(
    "text",
    [
        "import json._x",
        "from json import _x",
        "from json._x import y",
        "import json\njson._x()",
        "import msgspec.json\nmsgspec.json.decode = None",
        "import msgspec as m\nm.convert = None",
        "from json import JSONDecoder\nJSONDecoder._x",
        "from json import JSONDecoder\nsetattr(JSONDecoder, NAME, None)",
        "import json\ngetattr(json, '_x')",
    ],
)
def test_what_looks_finds_it(text: str) -> None:
    assert len(looked_at(text)) == 1


@pytest.mark.parametrize(
    "text",
    ["from commonroom.http import _x", "import json\njson.loads('1')", "self._x = 1", "a._x()"],
)
def test_what_looks_finds_nothing_else(text: str) -> None:
    assert looked_at(text) == []


def test_no_module_imports_uses_or_replaces_private_parts() -> None:
    assert len(SOURCES) > 500
    found = {path: some for path in SOURCES if (some := looked_at(path.read_text()))}
    assert {str(path.relative_to(ROOT)): some for path, some in found.items()} == {}


def test_no_class_overrides_private_parts_of_anothers() -> None:
    import commonroom.cli
    import commonroom.house.app  # noqa: F401 - all that a server loads

    assert sorted(private_overrides()) == []
