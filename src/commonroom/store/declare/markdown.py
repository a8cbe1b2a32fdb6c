"""The data model as a page of Markdown: what the documentation shows is what is declared."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from commonroom.store.declare.copies import Copy
from commonroom.store.declare.entity import Entity
from commonroom.store.declare.key_templates import KeyTemplate
from commonroom.store.declare.patterns import Pattern
from commonroom.store.declare.relations import Mirror, Relation
from commonroom.store.declare.table import KeyAttribute, Table

INTRODUCTION = """\
# The data model

This page is the output of `commonroom model`: it is made from the declarations and not edited.

In a key, `<title>` stands for a field's value, `<title:sort>` for its sort form (no marks, no case,
`_` for spaces, `#`, `!` and `"`), `:plain` for lower case without spaces and dashes, `:lower` for
lower case, `:ms` for a moment in UTC to the millisecond, and `:05d` for five digits. Where a value
is absent, the key attribute is absent too, and the item is not in that index."""


def markdown(tables: Sequence[Table], copies: Sequence[Copy], relations: Sequence[Relation]) -> str:
    """Returns a section for each room: tables, entities, access patterns, copies, relations."""
    parts = [INTRODUCTION]
    for room in dict.fromkeys(table.room for table in tables):
        ours = [table for table in tables if table.room == room]
        carried = [copy for copy in copies if copy.on[0].schema.table.room == room]
        parts += [f"## {room}", *_tables(ours), *_entities(ours), *_patterns(ours)]
        parts += _copies(carried)
        parts += _relations([one for one in relations if one.of[0].schema.table.room == room])
    return "\n\n".join(parts) + "\n"


def _tables(tables: Sequence[Table]) -> Iterator[str]:
    yield "### Tables"
    yield grid(
        ["table", "key", "TTL", "stream"],
        (
            [_code(one.name), _key(one.key), _code(one.ttl), "yes" if one.stream else "–"]
            for one in tables
        ),
    )
    indexes = [
        [_code(table.name), _code(index.name), _key(index.key), index.projection]
        for table in tables
        for index in table.indexes
    ]
    if indexes:
        yield grid(["table", "index", "key", "projection"], indexes)


def _entities(tables: Sequence[Table]) -> Iterator[str]:
    yield "### Entities"
    for table in tables:
        for entity in table.entities.values():
            yield f"**{entity.__name__}** ({_place(entity)}). {_summary(entity.__doc__)}"
            templates = entity.schema.templates.items()
            yield grid(
                ["key attribute", "is made of"],
                ([_code(name), _template(made)] for name, made in templates),
            )


def _patterns(tables: Sequence[Table]) -> Iterator[str]:
    yield "### Access patterns"
    yield grid(
        ["access pattern", "table", "index", "key condition", "gives"],
        (_pattern(pattern) for table in tables for pattern in table.patterns),
    )


def _pattern(pattern: Pattern[Any]) -> list[str]:
    gives = ", ".join(entity.__name__ for entity in pattern.gives)
    index = None if pattern.index is None else pattern.index.name
    notes = " (keys)" * pattern.gives_keys + ", last first" * pattern.newest_first
    return [
        pattern.name,
        _code(pattern.table.name),
        _code(index),
        _code(pattern.condition),
        gives + notes,
    ]


def _copies(copies: Sequence[Copy]) -> Iterator[str]:
    if not copies:
        return
    yield "### Copies"
    heads = ["on", "of", "fields", "carried by"]
    yield grid(heads, (_copy(copy) for copy in copies))


def _copy(copy: Copy) -> list[str]:
    fields = (
        _code(name) if name == field else f"{_code(name)} as {_code(field)}"
        for name, field in copy.fields.items()
    )
    return [
        ", ".join(entity.__name__ for entity in copy.on),
        copy.of.__name__,
        ", ".join(fields),
        "the original's own write" if copy.known is not None else "a stream consumer",
    ]


def _relations(relations: Sequence[Relation]) -> Iterator[str]:
    if not relations:
        return
    yield "### Relations"
    heads = ["of", "to", "what follows"]
    yield grid(heads, (_relation(one) for one in relations))


def _relation(relation: Relation) -> list[str]:
    names = ", ".join(kind.__name__ for kind in relation.of)
    other = relation.by if isinstance(relation, Mirror) else relation.on
    return [names, other.__name__, relation.description]


def _place(entity: type[Entity]) -> str:
    table, kind = entity.schema.table, entity.schema.kind
    discriminated = f", {_code(f'{table.discriminator} = {kind}')}" if kind is not None else ""
    return _code(table.name) + discriminated


def _template(made: KeyTemplate) -> str:
    """Returns a template's text; of a function, what it says of itself."""
    return _summary(made.compute.__doc__) or _code(made.text)


def _summary(docstring: str | None) -> str:
    return (docstring or "").strip().partition("\n")[0]


def _key(attributes: Iterable[KeyAttribute]) -> str:
    return ", ".join(f"{_code(one.name)} {one.type}" for one in attributes)


def _code(text: str | None) -> str:
    return "–" if text is None else f"`{text}`"


def grid(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(_cell(cell) for cell in line)} |" for line in lines)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
