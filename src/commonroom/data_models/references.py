"""Names of constants and functions that statements refer to, such as `library.rules.names:MAX`."""

from __future__ import annotations

from collections.abc import Iterator
from dis import get_instructions
from functools import reduce
from importlib import import_module
from types import CodeType, FunctionType
from typing import Any

from commonroom.store.declare.patterns import Pattern


def resolve(reference: str) -> Any:
    """What a reference names; None where there is no such thing."""
    module, _, names = reference.partition(":")
    try:
        return reduce(getattr, names.split("."), import_module(f"commonroom.{module}"))
    except (ImportError, AttributeError):
        return None


def uses(function: FunctionType, pattern: Pattern[Any]) -> bool:
    """Whether a function uses a pattern, or reads its entity by the whole primary key.

    What private functions of the same module do for it counts as its own.
    """
    names = set(_names(function))
    known = {id(function.__globals__.get(name)) for name in names}
    if id(pattern) in known:
        return True
    # `Book.at(…)` builds the key that “Get one item” asks for.
    return pattern.one and "at" in names and any(id(kind) in known for kind in pattern.gives)


def _names(function: FunctionType, above: tuple[FunctionType, ...] = ()) -> Iterator[str]:
    """Every global name, and `at`, in a function and in what is private to its module."""
    for name in _names_in(function.__code__):
        yield name
        called = function.__globals__.get(name) if name.startswith("_") else None
        if not isinstance(called, FunctionType) or called in above:
            continue
        if called.__module__ == function.__module__:
            yield from _names(called, (*above, called))


def _names_in(compiled: CodeType) -> Iterator[str]:
    for step in get_instructions(compiled):
        # An attribute may have the name of a global that the function does not use.
        if step.opname == "LOAD_GLOBAL" or step.argval == "at":
            yield step.argval
    for constant in compiled.co_consts:
        if isinstance(constant, CodeType):
            yield from _names_in(constant)
