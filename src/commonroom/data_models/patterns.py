"""Access patterns and limits: stated, declared, and served by an operation."""

from __future__ import annotations

import re
from collections.abc import Iterator
from types import FunctionType, MethodType
from typing import Any

from commonroom.data_models.differences import NOTHING, ModelDifference, code, joined
from commonroom.data_models.references import resolve, uses
from commonroom.data_models.statements import ModelStatement, StatedLimit, StatedPattern
from commonroom.store.declare.model import Model
from commonroom.store.declare.patterns import Pattern

_PLACEHOLDER = re.compile(r"<[^<>]*>")


def compare_patterns(document: ModelStatement, model: Model) -> Iterator[ModelDifference]:
    """Finds patterns that are not declared as stated, and those that no operation uses."""
    for stated in document.patterns:
        subject = f"pattern {stated.table}: {stated.name}"
        says = described(stated.index, stated.condition)
        pattern = find_pattern(stated, model)
        if pattern is None:
            yield ModelDifference(subject, says, NOTHING)
            continue
        here = described(None if pattern.index is None else pattern.index.name, pattern.condition)
        if _skeleton(says) != _skeleton(here):
            yield ModelDifference(subject, says, here)
        yield from _operations(subject, stated, pattern)


def find_pattern(stated: StatedPattern, model: Model) -> Pattern[Any] | None:
    """Returns the declared pattern that a statement means."""
    name = stated.declared_as or stated.name
    found = (one for one in model.patterns if (one.table.name, one.name) == (stated.table, name))
    return next(found, None)


def described(index: str | None, condition: str) -> str:
    """Returns where a pattern looks, and what for."""
    return f"{code(index)}, {code(condition)}" if index else code(condition)


def _operations(
    subject: str, stated: StatedPattern, pattern: Pattern[Any]
) -> Iterator[ModelDifference]:
    if not stated.served_by:
        yield ModelDifference(
            subject, described(stated.index, stated.condition), "no operation reads it"
        )
    for reference in stated.served_by:
        function = resolve(reference)
        if not isinstance(function, FunctionType | MethodType):
            yield ModelDifference(subject, code(reference), "no such function", is_mistake=True)
        elif not uses(function, pattern):
            yield ModelDifference(subject, code(reference), "does not use it", is_mistake=True)


def compare_limits(document: ModelStatement) -> Iterator[ModelDifference]:
    """Finds limits that are other numbers than stated."""
    for name, stated in document.limits.items():
        values = [resolve(reference) for reference in stated.here]
        if not all(isinstance(one, int | float) for one in values):
            yield ModelDifference(
                f"limit {name}", joined(stated.here), "no number", is_mistake=True
            )
        elif sum(values) != stated.value:
            yield ModelDifference(
                f"limit {name}", _amount(stated.value, stated), _amount(sum(values), stated)
            )


def _amount(value: float, stated: StatedLimit) -> str:
    return f"{value:,} {stated.unit}".strip()


def _skeleton(text: str) -> str:
    """Returns a condition without the names of its parameters, which are ours."""
    return _PLACEHOLDER.sub("<>", text)
