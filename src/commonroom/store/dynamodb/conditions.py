"""Conditions as DynamoDB's expressions, with exactly the meaning of `Condition.holds`."""

from __future__ import annotations

from collections.abc import Callable
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
from commonroom.store.declare.table import Table
from commonroom.store.dynamodb.terms import Terms
from commonroom.store.values import Item, type_code


@dataclass(frozen=True, slots=True)
class IsMap(Condition):
    """An attribute is a map; without it, DynamoDB cannot set or remove a single entry."""

    name: str

    def holds(self, item: Item | None) -> bool:
        return item is not None and isinstance(item.get(self.name), dict)


def condition_expression(table: Table, condition: Condition, terms: Terms, now: float) -> str:
    """The whole condition of an operation, in which an expired item counts as absent."""
    text = rendered(table, condition, terms)
    if table.ttl is None:
        return text
    expired = expired_expression(table.ttl, terms, now)
    if condition.holds(None):
        return f"({expired} OR {text})"
    return f"(NOT {expired} AND {text})"


def expired_expression(ttl: str, terms: Terms, now: float) -> str:
    """True of an item whose time is over; false where it has no time, or one that is no number."""
    return f"{terms.name(ttl)} <= {terms.value(now)}"


def rendered(table: Table, condition: Condition, terms: Terms) -> str:
    """A condition as an expression; whatever joins others is in parentheses of its own."""
    return _RENDERERS[type(condition)](table, condition, terms)


def always(table: Table, terms: Terms) -> str:
    """True of everything; DynamoDB has no word for it."""
    name = terms.name(table.partition.name)
    return f"({_exists(name, wanted=True)} OR {_exists(name, wanted=False)})"


def never(table: Table, terms: Terms) -> str:
    """True of nothing; DynamoDB has no word for it."""
    name = terms.name(table.partition.name)
    return f"({_exists(name, wanted=True)} AND {_exists(name, wanted=False)})"


def _stored(table: Table, condition: Stored, terms: Terms) -> str:
    return _exists(terms.name(table.partition.name), wanted=condition.wanted)


def _has(_: Table, condition: Has, terms: Terms) -> str:
    return _exists(terms.name(condition.name), wanted=condition.wanted)


def _compare(table: Table, condition: Compare, terms: Terms) -> str:
    if condition.sign in condition.ORDER and type_code(condition.value) not in ("S", "N", "B"):
        # Nothing is before or after a list or a truth value; DynamoDB would refuse the question.
        return never(table, terms)
    name, value = terms.name(condition.name), terms.value(condition.value)
    # An absent attribute is unequal to everything; "not equal" says so without relying on "<>".
    return f"NOT {name} = {value}" if condition.sign == "<>" else f"{name} {condition.sign} {value}"


def _contains(_: Table, condition: Contains, terms: Terms) -> str:
    name, value = terms.name(condition.name), terms.value(condition.value)
    # Of text, DynamoDB's contains() asks for a part of it; here only lists contain.
    return f"({_is(name, 'L', terms)} AND contains({name}, {value}))"


def _is_map(_: Table, condition: IsMap, terms: Terms) -> str:
    return _is(terms.name(condition.name), "M", terms)


def _all_of(table: Table, condition: AllOf, terms: Terms) -> str:
    return _joined("AND", table, condition.parts, terms) or always(table, terms)


def _any_of(table: Table, condition: AnyOf, terms: Terms) -> str:
    return _joined("OR", table, condition.parts, terms) or never(table, terms)


def _not(table: Table, condition: Not, terms: Terms) -> str:
    return f"NOT {rendered(table, condition.part, terms)}"


def _exists(name: str, *, wanted: bool) -> str:
    return f"attribute_exists({name})" if wanted else f"attribute_not_exists({name})"


def _is(name: str, code: str, terms: Terms) -> str:
    return f"attribute_type({name}, {terms.value(code)})"


def _joined(word: str, table: Table, parts: tuple[Condition, ...], terms: Terms) -> str:
    texts = [rendered(table, part, terms) for part in parts]
    # DynamoDB refuses redundant parentheses.
    return f"({f' {word} '.join(texts)})" if len(texts) > 1 else "".join(texts)


_RENDERERS: dict[type[Condition], Callable[[Table, Any, Terms], str]] = {
    Stored: _stored,
    Has: _has,
    Compare: _compare,
    Contains: _contains,
    IsMap: _is_map,
    AllOf: _all_of,
    AnyOf: _any_of,
    Not: _not,
}
