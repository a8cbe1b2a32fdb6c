"""What comments and documents name is there: modules, their attributes, and files."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "commonroom"
PACKAGES = "|".join(sorted(one.name for one in SOURCE.iterdir() if (one / "__init__.py").exists()))
PARTS = "api|consumers|pages|rules|service|tables"
"""What a room has: a comment in one names these without the room."""
GONE = "web|catalog|notify"
DOTTED = re.compile(rf"[`“\"]((?:commonroom\.)?(?:{GONE}|{PARTS}|{PACKAGES})(?:\.\w+)+)")
FILES = re.compile(r"(?<![\w/.-])((?:[\w-]+/)+[\w-]+\.(?:py|html|js|toml|md))\b")
IN_TEMPLATE = re.compile(rf"\b((?:commonroom\.)?(?:{GONE}|{PARTS}|{PACKAGES})(?:\.\w+)+)")
"""Templates name the types of what they are given without quotes."""
CALLS = ("store.write", "store.gather", "store.gather_batched", "store.batch_get")
"""Of a store, as code calls it."""
FIELDS = ("notifications.new_round",)
"""Of what is sent."""
DATA = (".json", ".lock", ".foreign", ".py", ".db")
JINJA = re.compile(r"\{#.*?#\}", re.DOTALL)
IN_JS = re.compile(r"^\s*(?://|\*|/\*).*$", re.MULTILINE)
DOCUMENTS = ("ARCHITECTURE.md", "CONTRIBUTING.md", "docs/*.md", "docs/decisions/*.md")


def _comments_of(path: Path) -> str:
    text = path.read_text()
    if path.suffix == ".html":
        return "\n".join(JINJA.findall(text))
    if path.suffix == ".js":
        return "\n".join(IN_JS.findall(text))
    if path.suffix == ".md":
        return text
    return "\n".join(_comments_in_code(text))


def _comments_in_code(text: str) -> Iterator[str]:
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.string
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield str(node.value.value)


def _texts() -> Iterator[tuple[Path, str]]:
    for pattern in ("*.py", "*.html", "*.js"):
        for path in SOURCE.rglob(pattern):
            yield path, _comments_of(path)
    for pattern in DOCUMENTS:
        for path in ROOT.glob(pattern):
            if path.name != "model.md":  # made from the declarations, with the names of consumers
                yield path, _comments_of(path)


@cache
def _leads_to_something(name: str) -> bool:
    """Whether a dotted name is a module, or an attribute of one."""
    found: object = import_module("commonroom")
    for part in name.removeprefix("commonroom.").split("."):
        if not hasattr(found, part):
            try:
                import_module(f"{getattr(found, '__name__', '')}.{part}")
            except ImportError:
                fields = getattr(found, "__annotations__", {})
                return part in fields
        found = getattr(found, part)
    return True


@cache
def _files() -> frozenset[str]:
    folders = (ROOT / "src", ROOT / "tests", ROOT / "docs", ROOT / "benchmarks")
    return frozenset(str(path) for folder in folders for path in folder.rglob("*.*"))


def _is_a_file(name: str) -> bool:
    return any(path.endswith(f"/{name}") for path in _files())


def _names_in(path: Path, text: str) -> Iterator[str]:
    pattern = IN_TEMPLATE if path.suffix == ".html" else DOTTED
    for name in pattern.findall(text):
        if not name.endswith(DATA) and name not in CALLS + FIELDS:
            yield name


def _is_known(path: Path, name: str) -> bool:
    """Whether a name leads to something, by itself or within the room that names it."""
    room = path.relative_to(SOURCE).parts[0] if path.is_relative_to(SOURCE) else ""
    return _leads_to_something(name) or _leads_to_something(f"{room}.{name}")


def test_modules_that_comments_name_are_there() -> None:
    named = {(path, name) for path, text in _texts() for name in _names_in(path, text)}
    assert len(named) > 30
    assert {(path.name, name) for path, name in named if not _is_known(path, name)} == set()


def test_files_that_comments_name_are_there() -> None:
    named = {
        (str(path.relative_to(ROOT)), name)
        for path, text in _texts()
        for name in FILES.findall(text)
    }
    assert len(named) > 50
    assert {one for one in named if not _is_a_file(one[1])} == set()
