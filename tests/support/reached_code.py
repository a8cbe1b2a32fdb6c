"""What code reaches: the functions and values that a function names, and those that they name.

It reads compiled code and calls nothing. Of an object that a function is bound to or closes over,
it follows the attributes that the function names; what is only there at run time it cannot know.
"""

from __future__ import annotations

import dis
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping
from functools import partial
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any, TypeAlias

from msgspec import Struct

OURS = ("commonroom.", "tests.")
Call: TypeAlias = tuple[FunctionType, Collection[Any]]
"""A function, with the objects that it is bound to or closes over."""


class Reached:
    """A function that is reached, with the objects that it may read attributes of."""

    def __init__(self, function: FunctionType, bound: Collection[Any] = ()) -> None:
        self.function = function
        self.bound = [one for value in bound for one in flattened(value)]
        self.names: list[Any] = [one for value in self._values() for one in flattened(value)]
        self.calls = [one for value in self.names for one in functions_in(value)]

    def _values(self) -> Iterator[Any]:
        yield from _globals(self.function.__code__, self.function.__globals__)
        yield from (one for one in self.bound if callable(one))
        objects = [one for one in self.bound if not isinstance(one, type)]
        for one in objects:
            for name in attribute_names(self.function.__code__):
                value = getattr(one, name, None)
                yield value
                if isinstance(value, Struct) and value not in objects:
                    objects.append(value)


def reach(start: Iterable[Call], known: dict[Any, Reached]) -> list[Reached]:
    """Returns the functions of ours that calls lead to; `known` saves looking twice."""
    found: dict[Any, Reached] = {}
    waiting = [*start]
    while waiting:
        function, bound = waiting.pop()
        key = key_of(function, bound)
        if key not in known:
            known[key] = Reached(function, bound)
        if key not in found:
            found[key] = known[key]
            waiting += known[key].calls
    return list(found.values())


def key_of(function: FunctionType, bound: Iterable[Any]) -> Hashable:
    """Returns what tells a function with these objects from all others."""
    return function, *(id(one) for value in bound for one in flattened(value))


def functions_in(value: Any) -> Iterator[Call]:
    """Returns the functions of ours that a value is or wraps, with what they are bound to."""
    if isinstance(value, partial):
        given = (*value.args, *value.keywords.values())
        for function, bound in functions_in(value.func):
            yield function, (*bound, *given)
    elif isinstance(value, MethodType):
        for function, bound in functions_in(value.__func__):
            yield function, (*bound, value.__self__)
    elif isinstance(value, Struct) and callable(value):
        yield from functions_in(value.__call__)
    elif isinstance(value, FunctionType) and (value.__module__ or "").startswith(OURS):
        yield value, tuple(_closed_over(value))


def flattened(value: Any) -> Iterator[Any]:
    """Returns a value, or what a collection of values holds."""
    if isinstance(value, Mapping):
        value = [*value.keys(), *value.values()]
    if isinstance(value, list | tuple | set | frozenset):
        for one in value:
            yield from flattened(one)
    else:
        yield value


def attribute_names(code: CodeType) -> set[str]:
    """Returns the names of attributes and globals in code, and in the functions within it."""
    inner = (attribute_names(one) for one in code.co_consts if isinstance(one, CodeType))
    return set(code.co_names).union(*inner)


def _closed_over(function: FunctionType) -> Iterator[Any]:
    for cell in function.__closure__ or ():
        try:
            yield cell.cell_contents
        except ValueError:  # it is not filled yet
            continue


def _globals(code: CodeType, names: Mapping[str, Any]) -> Iterator[Any]:
    """Returns the globals that code names; of a module, the members that it names."""
    current: Any = None
    for step in dis.get_instructions(code):
        if step.opname == "LOAD_GLOBAL":
            current = names.get(step.argval)
        elif step.opname in ("LOAD_ATTR", "LOAD_METHOD") and isinstance(current, ModuleType):
            current = getattr(current, step.argval, None)
        else:
            current = None
        if current is not None and not isinstance(current, ModuleType):
            yield current
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _globals(inner, names)
