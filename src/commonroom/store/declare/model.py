"""The whole data model: every table with what is declared of it, checked and ready to be shown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from commonroom.store.declare.copies import Copy
from commonroom.store.declare.entity import Entity
from commonroom.store.declare.markdown import markdown
from commonroom.store.declare.patterns import Pattern
from commonroom.store.declare.relations import Relation
from commonroom.store.declare.table import KeyAttribute, Table
from commonroom.store.errors import BadDeclaration, Refused, UnknownTable


class UnknownPattern(Refused):
    """No access pattern of that name is declared, or several tables have one."""


class Model:
    """All tables, patterns, copies and relations of an application."""

    def __init__(self, tables: Iterable[Table]) -> None:
        self.tables: Sequence[Table] = tuple(tables)
        self.patterns: Sequence[Pattern[Any]] = tuple(
            pattern for table in self.tables for pattern in table.patterns
        )
        self.copies: Sequence[Copy] = tuple(copy for table in self.tables for copy in table.copies)
        self.relations: Sequence[Relation] = tuple(
            relation for table in self.tables for relation in table.relations
        )
        self._check_names()
        for pattern in self.patterns:
            for entity in pattern.gives:
                _check_reach(pattern, entity)

    def table(self, name: str) -> Table:
        """Returns a table by name."""
        for table in self.tables:
            if table.name == name:
                return table
        raise UnknownTable(f"The data model has no table {name}.")

    def pattern(self, name: str, table: str | None = None) -> Pattern[Any]:
        """A pattern by name; where two tables have one of that name, the table must be given."""
        found = [
            one for one in self.patterns if one.name == name and table in (None, one.table.name)
        ]
        if len(found) == 1:
            return found[0]
        if not found:
            raise UnknownPattern(f"The data model has no access pattern “{name}”.")
        several = " and ".join(one.table.name for one in found)
        raise UnknownPattern(f"“{name}” is an access pattern of {several}: say which.")

    def as_json(self) -> dict[str, Any]:
        """Tables and access patterns as plain values."""
        return {
            "tables": [_table(one) for one in self.tables],
            "patterns": [_pattern(one) for one in self.patterns],
        }

    def as_markdown(self) -> str:
        """Returns the model as a page to read."""
        return markdown(self.tables, self.copies, self.relations)

    def _check_names(self) -> None:
        _check_unique("table", [table.name for table in self.tables])
        for table in self.tables:
            # Of one table: two data models may ask the same in the same words.
            names = [pattern.name for pattern in table.patterns]
            _check_unique(f"access pattern of {table.name}", names)


def _check_unique(what: str, names: Sequence[str]) -> None:
    for name in names:
        if names.count(name) > 1:
            raise BadDeclaration(f"There is more than one {what} with the name “{name}”.")


def _check_reach(pattern: Pattern[Any], entity: type[Entity]) -> None:
    """Refuses a pattern that could never give one of its entities."""
    for attribute in pattern.key:
        if attribute.name not in entity.schema.templates:
            raise BadDeclaration(
                f"“{pattern.name}” cannot give {entity.__name__}: it has no {attribute.name}."
            )
    if pattern.sort is not None and pattern.sort.sign in ("=", "begins_with"):
        asked = pattern.sort.low.prefix
        stored = entity.schema.templates[pattern.key[1].name].prefix
        if not asked.startswith(stored) and not stored.startswith(asked):
            raise BadDeclaration(
                f"“{pattern.name}” cannot give {entity.__name__}: "
                f"its {pattern.key[1].name} begins with {stored}, not with {asked}."
            )


def _table(table: Table) -> dict[str, Any]:
    return {
        "name": table.name,
        "room": table.room,
        "key": _key(table.key),
        "indexes": [
            {"name": index.name, "key": _key(index.key), "projection": index.projection}
            for index in table.indexes
        ],
        "ttl": table.ttl,
        "stream": table.stream,
    }


def _key(attributes: Iterable[KeyAttribute]) -> list[dict[str, str]]:
    return [{"name": one.name, "type": one.type} for one in attributes]


def _pattern(pattern: Pattern[Any]) -> dict[str, Any]:
    return {
        "name": pattern.name,
        "table": pattern.table.name,
        "index": None if pattern.index is None else pattern.index.name,
        "key_condition": pattern.condition,
        "entities": [entity.__name__ for entity in pattern.gives],
    }
