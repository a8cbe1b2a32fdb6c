"""Names of constants and functions that statements refer to, such as `library.rules.names:MAX`."""

from __future__ import annotations

from dis import get_instructions
from functools import cache, reduce
from importlib import import_module
from inspect import unwrap
from types import CodeType, FunctionType, MethodType
from typing import Any

from msgspec.structs import astuple

from commonroom.store.declare.patterns import Pattern

WHERE = ("Ref[", "BoundPattern[")
"""What a function returns that says where something is, and reads nothing itself."""


def resolve(reference: str) -> Any:
    """Returns what a reference names; None where there is no such thing."""
    module, _, names = reference.partition(":")
    try:
        return reduce(getattr, names.split("."), import_module(f"commonroom.{module}"))
    except (ImportError, AttributeError):
        return None


def uses(function: FunctionType | MethodType, pattern: Pattern[Any]) -> bool:
    """Whether a function uses a pattern, or reads its entity by the whole primary key.

    What private functions of its module do for it counts as its own, and so does what functions do
    that only say where something is. A method of what is made for one entity reads that one.
    """
    if isinstance(function, MethodType):
        made_for: Any = function.__self__
        return pattern.one and any(kind in astuple(made_for) for kind in pattern.gives)
    return any(_names_pattern(one, pattern) for one in _with_helpers(unwrap(function), []))


def _names_pattern(function: FunctionType, pattern: Pattern[Any]) -> bool:
    names = _names(function.__code__)
    known = {id(function.__globals__.get(name)) for name in names}
    if id(pattern) in known:
        return True
    # `Book.at(…)` builds the key that “Get one item” asks for.
    return pattern.one and "at" in names and any(id(kind) in known for kind in pattern.gives)


def _with_helpers(function: FunctionType, seen: list[FunctionType]) -> list[FunctionType]:
    seen.append(function)
    for name in _names(function.__code__):
        called = _unwrapped(function.__globals__.get(name))
        if isinstance(called, FunctionType) and called not in seen and _helps(called, function):
            _with_helpers(called, seen)
    return seen


def _unwrapped(named: Any) -> Any:
    """Returns a function without its decorators; whatever else has the name, as it is."""
    return unwrap(named) if isinstance(named, FunctionType) else named


def _helps(called: FunctionType, function: FunctionType) -> bool:
    is_private = called.__name__.startswith("_") and called.__module__ == function.__module__
    return is_private or str(called.__annotations__.get("return")).startswith(WHERE)


@cache
def _names(compiled: CodeType) -> frozenset[str]:
    """Returns the globals that a function takes, and `at` where it builds a key."""
    # An attribute may have the name of a global that the function does not use.
    taken = {
        step.argval
        for step in get_instructions(compiled)
        if step.opname == "LOAD_GLOBAL" or step.argval == "at"
    }
    within = [_names(one) for one in compiled.co_consts if isinstance(one, CodeType)]
    return frozenset(taken).union(*within)
