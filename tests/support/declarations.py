"""The declarations of all tables, recorded by `python -m tests.support.declarations`.

Whoever changes how items are stored or found sees it here, and raises the table's `version` where
it still is the last release's. See "Changing what is stored" in CONTRIBUTING.md.
"""

from __future__ import annotations

import ast
import hashlib
import inspect
import textwrap
from pathlib import Path
from typing import Any

import msgspec

from commonroom.model import MODEL
from commonroom.store.declare.fingerprint import fingerprint
from commonroom.store.declare.key_templates import FORMATS, Compute

RECORDED = Path(__file__).parents[1] / "store" / "upgrades" / "declarations.json"


def declarations() -> dict[str, Any]:
    """Every table as it is declared now, and digests of the functions that keys are made with."""
    tables = {
        table.name: {"version": table.version, **msgspec.to_builtins(fingerprint(table))}
        for table in MODEL.tables
    }
    functions = {
        made.function: _digest(made.compute)
        for table in MODEL.tables
        for entity in table.entities.values()
        for made in entity.schema.templates.values()
        if made.function
    }
    formats = {name: _digest(made) for name, made in FORMATS.items() if inspect.isfunction(made)}
    return {"tables": tables, "functions": dict(sorted(functions.items())), "formats": formats}


def _digest(function: Compute) -> str:
    """What a function does, whatever its comments and its docstring say."""
    (parsed,) = ast.parse(textwrap.dedent(inspect.getsource(function))).body
    assert isinstance(parsed, ast.FunctionDef)
    if ast.get_docstring(parsed) is not None:
        parsed.body = parsed.body[1:]
    return hashlib.sha256(ast.unparse(parsed).encode()).hexdigest()[:16]


if __name__ == "__main__":
    RECORDED.write_bytes(msgspec.json.format(msgspec.json.encode(declarations()), indent=1) + b"\n")
