"""DynamoDB's expressions: conditions, meaning exactly what `Condition.holds` does, and updates."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from commonroom.store.conditions import (
    AllOf,
    AnyOf,
    Compare,
    Condition,
    Contains,
    Has,
    Not,
    Stored,
)
from commonroom.store.declare.table import Table, has_passed
from commonroom.store.dynamodb_json import Attributes, AttributeValue, to_attribute
from commonroom.store.engine import AttributeChange
from commonroom.store.values import INTEGER_BITS, Item, Key, Value, exact_number, type_code

CLAUSES = ("SET", "REMOVE", "ADD")
LARGEST: int = 2**INTEGER_BITS - 1

EXPRESSION_BYTES = 4096
OPERATORS = 300
"""How long an expression may be, and how many operators and functions it may have."""
_OPERATOR = re.compile(r"AND|OR|NOT|BETWEEN|[<>=+]+|[a-z_]+\(")


class Placeholders:
    """Placeholders of one request: each name and value goes through one, so that none is parsed."""

    __slots__ = ("_names", "_values")

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._values: Attributes = {}

    def name(self, attribute: str) -> str:
        """Returns the placeholder of an attribute's name; the same for the same name."""
        return self._names.setdefault(attribute, f"#{len(self._names)}")

    def value(self, value: Value) -> str:
        """Returns a placeholder for a value."""
        return self.attribute(to_attribute(value))

    def attribute(self, typed: AttributeValue) -> str:
        """Returns a placeholder for a value in DynamoDB's form."""
        placeholder = f":{len(self._values)}"
        self._values[placeholder] = typed
        return placeholder

    def fill(self, payload: dict[str, Any]) -> None:
        """Puts the names and values where DynamoDB looks for them; it refuses empty ones."""
        if self._names:
            payload["ExpressionAttributeNames"] = {
                placeholder: name for name, placeholder in self._names.items()
            }
        if self._values:
            payload["ExpressionAttributeValues"] = self._values


@dataclass(frozen=True, slots=True)
class IsMap(Condition):
    """An attribute is a map; without it, DynamoDB cannot set or remove a single entry."""

    name: str

    def holds(self, item: Item | None) -> bool:
        return item is not None and isinstance(item.get(self.name), dict)


@dataclass(frozen=True, slots=True)
class StaysWhole(Condition):
    """That adding a whole amount leaves a whole number that both engines keep, or starts one."""

    path: tuple[str, ...]
    amount: int

    @property
    def lowest(self) -> int:
        """The least number that may be there."""
        return max(-LARGEST, -LARGEST - self.amount)

    @property
    def highest(self) -> int:
        """The greatest number that may be there."""
        return min(LARGEST, LARGEST - self.amount)

    def holds(self, item: Item | None) -> bool:
        found: Any = item
        for name in self.path:
            if not isinstance(found, dict) or name not in found:
                return True
            found = found[name]
        return type_code(found) == "N" and self.lowest <= exact_number(found) <= self.highest


def condition_expression(
    table: Table, condition: Condition, placeholders: Placeholders, now: float
) -> str:
    """Returns the whole condition of an operation, in which an expired item counts as absent."""
    text = render(table, condition, placeholders)
    if table.ttl is None:
        return text
    expired = expired_expression(table.ttl, placeholders, now)
    if condition.holds(None):
        return f"({expired} OR {text})"
    return f"(NOT {expired} AND {text})"


def expired_expression(ttl: str, placeholders: Placeholders, now: float) -> str:
    """True of an item whose time is over; false where it has no time, or one that is no number."""
    return f"{placeholders.name(ttl)} <= {placeholders.value(now)}"


def render(table: Table, condition: Condition, placeholders: Placeholders) -> str:
    """Returns a condition as an expression; whatever joins others is in parentheses of its own."""
    return _RENDERERS[type(condition)](table, condition, placeholders)


def always_true(table: Table, placeholders: Placeholders) -> str:
    """True of everything; DynamoDB has no word for it."""
    name = placeholders.name(table.partition.name)
    return f"({_exists(name, wanted=True)} OR {_exists(name, wanted=False)})"


def always_false(table: Table, placeholders: Placeholders) -> str:
    """True of nothing; DynamoDB has no word for it."""
    name = placeholders.name(table.partition.name)
    return f"({_exists(name, wanted=True)} AND {_exists(name, wanted=False)})"


def _stored(table: Table, condition: Stored, placeholders: Placeholders) -> str:
    return _exists(placeholders.name(table.partition.name), wanted=condition.wanted)


def _has(_: Table, condition: Has, placeholders: Placeholders) -> str:
    return _exists(placeholders.name(condition.name), wanted=condition.wanted)


def _compare(table: Table, condition: Compare, placeholders: Placeholders) -> str:
    if condition.sign in condition.ORDER and type_code(condition.value) not in ("S", "N", "B"):
        # Nothing is before or after a list or a truth value; DynamoDB would refuse the question.
        return always_false(table, placeholders)
    name, value = placeholders.name(condition.name), placeholders.value(condition.value)
    # An absent attribute is unequal to everything; "not equal" says so without relying on "<>".
    return f"NOT {name} = {value}" if condition.sign == "<>" else f"{name} {condition.sign} {value}"


def _contains(_: Table, condition: Contains, placeholders: Placeholders) -> str:
    name, value = placeholders.name(condition.name), placeholders.value(condition.value)
    # Of text, DynamoDB's contains() asks for a part of it; here only lists contain.
    return f"({_is(name, 'L', placeholders)} AND contains({name}, {value}))"


def _is_map(_: Table, condition: IsMap, placeholders: Placeholders) -> str:
    return _is(placeholders.name(condition.name), "M", placeholders)


def _all_of(table: Table, condition: AllOf, placeholders: Placeholders) -> str:
    return _join("AND", table, condition.parts, placeholders) or always_true(table, placeholders)


def _any_of(table: Table, condition: AnyOf, placeholders: Placeholders) -> str:
    return _join("OR", table, condition.parts, placeholders) or always_false(table, placeholders)


def _not(table: Table, condition: Not, placeholders: Placeholders) -> str:
    return f"NOT {render(table, condition.part, placeholders)}"


def _stays_whole(_: Table, condition: StaysWhole, placeholders: Placeholders) -> str:
    place = ".".join([placeholders.name(name) for name in condition.path])
    low, high = placeholders.value(condition.lowest), placeholders.value(condition.highest)
    return f"({_exists(place, wanted=False)} OR {place} BETWEEN {low} AND {high})"


def _exists(name: str, *, wanted: bool) -> str:
    return f"attribute_exists({name})" if wanted else f"attribute_not_exists({name})"


def _is(name: str, code: str, placeholders: Placeholders) -> str:
    return f"attribute_type({name}, {placeholders.value(code)})"


def _join(word: str, table: Table, parts: tuple[Condition, ...], placeholders: Placeholders) -> str:
    texts = [render(table, part, placeholders) for part in parts]
    # DynamoDB refuses redundant parentheses.
    return f"({f' {word} '.join(texts)})" if len(texts) > 1 else "".join(texts)


_RENDERERS: dict[type[Condition], Callable[[Table, Any, Placeholders], str]] = {
    Stored: _stored,
    Has: _has,
    Compare: _compare,
    Contains: _contains,
    IsMap: _is_map,
    StaysWhole: _stays_whole,
    AllOf: _all_of,
    AnyOf: _any_of,
    Not: _not,
}


def update_expression(actions: Sequence[AttributeChange], placeholders: Placeholders) -> str:
    """Returns what to change; empty where the actions change nothing."""
    parts = [part for action in actions for part in _parts(action, placeholders)]
    clauses = {word: ", ".join([text for one, text in parts if one == word]) for word in CLAUSES}
    return " ".join([f"{word} {texts}" for word, texts in clauses.items() if texts])


def assignments(names: Collection[str], item: Item, placeholders: Placeholders) -> str:
    """Returns an update that gives these attributes the values of an item, or removes them."""
    changes = [
        AttributeChange("set", name, item[name])
        if name in item
        else AttributeChange("remove", name)
        for name in names
    ]
    return update_expression(changes, placeholders)


def fits(expression: str) -> bool:
    """Whether DynamoDB takes an expression of this length and with so many operators."""
    if len(expression) < OPERATORS * 4:  # none is shorter than that with what it stands between
        return True
    return len(expression) <= EXPRESSION_BYTES and len(_OPERATOR.findall(expression)) <= OPERATORS


def unchanged_expression(
    table: Table,
    names: Collection[str],
    before: Attributes | None,
    placeholders: Placeholders,
    now: float,
) -> str:
    """That these attributes of an item are as they were read; None stands for no item."""
    there = placeholders.name(table.partition.name)
    expired = None if table.ttl is None else expired_expression(table.ttl, placeholders, now)
    if before is None:
        gone = _exists(there, wanted=False)
        return gone if expired is None else f"({expired} OR {gone})"
    parts = [_exists(there, wanted=True)]
    for name in names:
        place = placeholders.name(name)
        if name in before:
            parts.append(f"{place} = {placeholders.attribute(before[name])}")
        else:
            parts.append(_exists(place, wanted=False))
    if expired is not None:
        parts.append(f"NOT {expired}")
    return " AND ".join(parts)


def whole_numbers(actions: Sequence[AttributeChange]) -> Iterator[StaysWhole]:
    """Yields what must hold for DynamoDB to add as we do."""
    for action in actions:
        if action.kind == "add":
            yield StaysWhole((action.name,), action.value)
        elif action.kind == "count":
            for entry, amount in action.value.items():
                yield StaysWhole((action.name, entry), amount)


def adds_fractions(actions: Sequence[AttributeChange]) -> bool:
    """Whether something is added of which DynamoDB would keep more digits than we do."""
    return any(
        isinstance(amount, float)
        for action in actions
        if action.kind in ("add", "count")
        for amount in (action.value.values() if action.kind == "count" else [action.value])
    )


def required_maps(actions: Sequence[AttributeChange]) -> Iterator[IsMap]:
    """Yields the maps that must be there for their entries to be changed."""
    for action in actions:
        if action.kind in ("merge", "discard", "count"):
            yield IsMap(action.name)


def _parts(action: AttributeChange, placeholders: Placeholders) -> Iterator[tuple[str, str]]:
    name = placeholders.name(action.name)
    match action.kind:
        case "set":
            yield "SET", f"{name} = {placeholders.value(action.value)}"
        case "set_if_absent":
            yield "SET", f"{name} = if_not_exists({name}, {placeholders.value(action.value)})"
        case "append":
            there = f"if_not_exists({name}, {placeholders.value([])})"
            yield "SET", f"{name} = list_append({there}, {placeholders.value(action.value)})"
        case "merge":
            for entry, value in action.value.items():
                yield "SET", f"{name}.{placeholders.name(entry)} = {placeholders.value(value)}"
        case "count":
            for entry, amount in action.value.items():
                place = f"{name}.{placeholders.name(entry)}"
                there = f"if_not_exists({place}, {placeholders.value(0)})"
                yield "SET", f"{place} = {there} + {placeholders.value(amount)}"
        case "remove":
            yield "REMOVE", name
        case "discard":
            for entry in action.value:
                yield "REMOVE", f"{name}.{placeholders.name(entry)}"
        case "add":
            yield "ADD", f"{name} {placeholders.value(action.value)}"


def key_attributes(table: Table, key: Key) -> Attributes:
    """Returns a primary key as a request names it."""
    return {
        attribute.name: to_attribute(value) for attribute, value in zip(table.key, key, strict=True)
    }


@dataclass(frozen=True, slots=True)
class ReadFilter:
    """Leaves out what has expired, and kinds that were not asked for; by default, nothing."""

    now: float
    ttl: str | None = None
    discriminator: str | None = None
    kinds: frozenset[str] | None = None

    def admits(self, item: Item) -> bool:
        """Whether an item may be seen."""
        if self.kinds is not None and item.get(self.discriminator or "") not in self.kinds:
            return False
        return self.ttl is None or not has_passed(item.get(self.ttl), self.now)

    def expressions(self, placeholders: Placeholders, key: Collection[str]) -> Iterator[str]:
        """Returns DynamoDB's expressions, except for attributes of the key that a query uses."""
        if self.ttl is not None and self.ttl not in key:
            yield f"NOT {expired_expression(self.ttl, placeholders, self.now)}"
        if (
            self.discriminator is not None
            and self.kinds is not None
            and self.discriminator not in key
        ):
            kinds = ", ".join([placeholders.value(kind) for kind in sorted(self.kinds)])
            yield f"{placeholders.name(self.discriminator)} IN ({kinds})"


def read_filter(table: Table, now: float, kinds: frozenset[str] | None = None) -> ReadFilter:
    """Returns the filter for a reader of these kinds."""
    if table.discriminator is None or kinds is None or kinds == table.entities.keys():
        return ReadFilter(now, table.ttl)
    return ReadFilter(now, table.ttl, table.discriminator, kinds)
