"""What operations make of an item: computed here, so that it is the same on both engines."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from decimal import Context, Decimal
from typing import Any

from commonroom.store.engine import AttributeChange, WriteOperation
from commonroom.store.errors import ConditionFailed, WrongType
from commonroom.store.limits import check_item
from commonroom.store.values import Item

EXACT = Context(prec=300)
"""As many digits as a sum of the largest and the smallest number can have."""


def result_of(index: int, operation: WriteOperation, visible: Item | None) -> Item | None:
    """Returns what an operation leaves under its key; raises where its condition does not hold."""
    if operation.condition is not None and not operation.condition.holds(visible):
        raise ConditionFailed(index, visible)
    match operation.kind:
        case "put":
            return operation.item
        case "delete":
            return None
        case "update" if visible is not None:
            after = apply_actions(visible, operation.actions)
            check_item(operation.table, after)
            return after
    return visible


def apply_actions(item: Item, actions: Sequence[AttributeChange]) -> Item:
    """Returns an item with an update's actions done."""
    after = dict(item)
    for action in actions:
        _ACTIONS[action.kind](after, action.name, action.value)
    return after


def _set(item: Item, name: str, value: Any) -> None:
    item[name] = value


def _set_if_absent(item: Item, name: str, value: Any) -> None:
    item.setdefault(name, value)


def _remove(item: Item, name: str, _: Any) -> None:
    item.pop(name, None)


def _add(item: Item, name: str, value: Any) -> None:
    before = item.get(name, 0)
    if isinstance(before, bool) or not isinstance(before, int | float):
        raise WrongType(f"{name} is not a number, so nothing can be added to it.")
    item[name] = _sum(before, value)


def _sum(one: float, other: float) -> float:
    """Returns the sum as people have it, who count in tens: 0.1 and 0.2 are 0.3."""
    if isinstance(one, int) and isinstance(other, int):
        return one + other
    return float(EXACT.add(Decimal(repr(one)), Decimal(repr(other))))


def _append(item: Item, name: str, value: Any) -> None:
    before = item.get(name, [])
    if not isinstance(before, list):
        raise WrongType(f"{name} is not a list, so nothing can be appended to it.")
    item[name] = [*before, *value]


def _merge(item: Item, name: str, value: Mapping[str, Any]) -> None:
    item[name] = {**_map(item, name), **value}


def _discard(item: Item, name: str, value: Sequence[str]) -> None:
    item[name] = {key: one for key, one in _map(item, name).items() if key not in value}


def _count(item: Item, name: str, value: Mapping[str, int]) -> None:
    counted = dict(_map(item, name))
    for entry, amount in value.items():
        _add(counted, entry, amount)
    item[name] = counted


def _map(item: Item, name: str) -> Mapping[str, Any]:
    before = item.get(name)
    if not isinstance(before, dict):
        raise WrongType(f"{name} is not a map, so it has no entries to change.")
    return before


_ACTIONS: dict[str, Callable[[Item, str, Any], None]] = {
    "set": _set,
    "set_if_absent": _set_if_absent,
    "remove": _remove,
    "add": _add,
    "append": _append,
    "merge": _merge,
    "discard": _discard,
    "count": _count,
}
