"""Conditions of a write: built by field name, evaluated here, rendered for DynamoDB elsewhere."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from commonroom.store.values import Item, Value, exact_number, same_value, type_code

Bind = Callable[[str, Any], tuple[str, Any]]
"""From a field and a value to the attribute and what is stored."""


class Condition:
    """Something that must hold of the stored item for a write to happen."""

    __slots__ = ()

    def __and__(self, other: Condition) -> Condition:
        return AllOf((self, other))

    def __or__(self, other: Condition) -> Condition:
        return AnyOf((self, other))

    def __invert__(self) -> Condition:
        return Not(self)

    def holds(self, item: Item | None) -> bool:
        """Whether it holds of an item; None stands for "nothing is stored there"."""
        raise NotImplementedError

    def bind(self, to: Bind) -> Condition:
        """Returns a condition with fields replaced by attributes and values by what is stored."""
        raise NotImplementedError

    def values(self) -> Iterator[Value]:
        """Yields everything that it compares with."""
        yield from ()

    def names(self) -> Iterator[str]:
        """Yields everything that it looks at."""
        yield from ()


@dataclass(frozen=True, slots=True)
class Stored(Condition):
    """The item itself exists, or does not."""

    wanted: bool

    def holds(self, item: Item | None) -> bool:
        return (item is not None) is self.wanted

    def bind(self, to: Bind) -> Condition:  # noqa: ARG002 - it names no field
        return self


@dataclass(frozen=True, slots=True)
class Has(Condition):
    """The item has an attribute, or lacks it."""

    name: str
    wanted: bool

    def holds(self, item: Item | None) -> bool:
        return (item is not None and self.name in item) is self.wanted

    def bind(self, to: Bind) -> Condition:
        return Has(to(self.name, None)[0], self.wanted)

    def names(self) -> Iterator[str]:
        yield self.name


@dataclass(frozen=True, slots=True)
class Compare(Condition):
    """An attribute compared with a value; false where the attribute is absent, but for `<>`."""

    name: str
    sign: str
    value: Value

    ORDER: ClassVar[Mapping[str, Callable[[Any, Any], Any]]] = {
        "<": operator.lt,
        "<=": operator.le,
        ">": operator.gt,
        ">=": operator.ge,
    }

    def holds(self, item: Item | None) -> bool:
        if item is None or self.name not in item:
            return self.sign == "<>"
        stored = item[self.name]
        if self.sign in ("=", "<>"):
            return same_value(stored, self.value) is (self.sign == "=")
        kind, value = type_code(stored), self.value
        if kind != type_code(value) or kind not in ("S", "N", "B"):
            return False
        if kind == "N":
            stored, value = exact_number(stored), exact_number(value)
        return bool(self.ORDER[self.sign](stored, value))

    def bind(self, to: Bind) -> Condition:
        name, value = to(self.name, self.value)
        return Compare(name, self.sign, value)

    def values(self) -> Iterator[Value]:
        yield self.value

    def names(self) -> Iterator[str]:
        yield self.name


@dataclass(frozen=True, slots=True)
class Contains(Condition):
    """A list holds a value."""

    name: str
    value: Value

    def holds(self, item: Item | None) -> bool:
        stored = None if item is None else item.get(self.name)
        return isinstance(stored, list) and any(same_value(one, self.value) for one in stored)

    def bind(self, to: Bind) -> Condition:
        return Contains(*to(self.name, self.value))

    def values(self) -> Iterator[Value]:
        yield self.value

    def names(self) -> Iterator[str]:
        yield self.name


@dataclass(frozen=True, slots=True)
class _Compound(Condition):
    """Several conditions as one."""

    parts: tuple[Condition, ...]

    def bind(self, to: Bind) -> Condition:
        return type(self)(tuple(part.bind(to) for part in self.parts))

    def values(self) -> Iterator[Value]:
        for part in self.parts:
            yield from part.values()

    def names(self) -> Iterator[str]:
        for part in self.parts:
            yield from part.names()


class AllOf(_Compound):
    """Every one of these."""

    __slots__ = ()

    def holds(self, item: Item | None) -> bool:
        return all(part.holds(item) for part in self.parts)


class AnyOf(_Compound):
    """At least one of these."""

    __slots__ = ()

    def holds(self, item: Item | None) -> bool:
        return any(part.holds(item) for part in self.parts)


@dataclass(frozen=True, slots=True)
class Not(Condition):
    """The opposite."""

    part: Condition

    def holds(self, item: Item | None) -> bool:
        return not self.part.holds(item)

    def bind(self, to: Bind) -> Condition:
        return Not(self.part.bind(to))

    def values(self) -> Iterator[Value]:
        yield from self.part.values()

    def names(self) -> Iterator[str]:
        yield from self.part.names()


def all_of(*parts: Condition | None) -> Condition | None:
    """Returns the conjunction of those given; None where there are none."""
    present = tuple(part for part in parts if part is not None)
    return AllOf(present) if len(present) > 1 else next(iter(present), None)


stored: Condition = Stored(wanted=True)
"""The item exists (and has not expired)."""

new: Condition = Stored(wanted=False)
"""Nothing is stored under this key yet."""


def absent(*fields: str) -> Condition:
    """None of these fields has a value."""
    return _each([Has(field, wanted=False) for field in fields])


def present(*fields: str) -> Condition:
    """Each of these fields has a value."""
    return _each([Has(field, wanted=True) for field in fields])


def equal(**values: Any) -> Condition:
    """Each field has this value; None means that it has none."""
    return _each([equals_or_absent(field, value) for field, value in values.items()])


def unequal(**values: Any) -> Condition:
    """Each field has another value, or none."""
    return _each([Not(equals_or_absent(field, value)) for field, value in values.items()])


def below(**values: Any) -> Condition:
    """Each field is less than this."""
    return _each([Compare(field, "<", value) for field, value in values.items()])


def at_most(**values: Any) -> Condition:
    """Each field is this or less."""
    return _each([Compare(field, "<=", value) for field, value in values.items()])


def above(**values: Any) -> Condition:
    """Each field is more than this."""
    return _each([Compare(field, ">", value) for field, value in values.items()])


def at_least(**values: Any) -> Condition:
    """Each field is this or more."""
    return _each([Compare(field, ">=", value) for field, value in values.items()])


def one_of(field: str, *values: Any) -> Condition:
    """Returns the condition that a field has one of these values."""
    return AnyOf(tuple(Compare(field, "=", value) for value in values))


def includes(**values: Any) -> Condition:
    """Each list field holds this value."""
    return _each([Contains(field, value) for field, value in values.items()])


def equals_or_absent(name: str, value: Any) -> Condition:
    """Equality in which None stands for absence, as it does in storage."""
    return Has(name, wanted=False) if value is None else Compare(name, "=", value)


def _each(parts: list[Condition]) -> Condition:
    return parts[0] if len(parts) == 1 else AllOf(tuple(parts))
