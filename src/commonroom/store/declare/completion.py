"""Completion: items that hold only what a data model names, read as if they were whole.

What an entity needs beyond the model is taken from the item's key where it stands there, and
otherwise from what the entity declares as `missing`. Whole items never come here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

import msgspec

from commonroom.store.declare.key_templates import FORMATS, KeyTemplate, template
from commonroom.store.errors import BadDeclaration, StoreError
from commonroom.store.values import Item, Key

if TYPE_CHECKING:
    from commonroom.store.declare.entity import Entity
    from commonroom.store.declare.table import Table

_PART = re.compile(r"<(\w+)(?::(\w+))?>")
_ONE_WAY = FORMATS.keys() - {"ms"}
"""Formats that a field's text cannot be read back from."""


class Missing(dict[str, Any]):
    """What a required field is read as where an item lacks it: a value that means "not known", or
    a function of other fields, which its parameters name; what is lacking, too, is None there."""


def completed(table: Table, item: Item) -> Item:
    """Returns an item with its kind and the required attributes that it lacks, as far as they are
    known; one that lacks nothing, or of which nobody knows what it is, is returned itself."""
    kind = kind_of(table, item)
    entity = table.entities.get(kind) if isinstance(kind, str) else None
    changed = {} if entity is None else dict(_changes(entity, item))
    if table.discriminator is not None and item.get(table.discriminator) is None and entity:
        changed[table.discriminator] = kind
    if not changed:
        return item
    whole = item | changed
    return {name: it for name, it in whole.items() if it is not None or name not in changed}


def kind_of(table: Table, item: Item) -> Any:
    """Returns an item's kind, as it says itself or else as its key has it; None where neither."""
    if table.discriminator is None:
        return next(iter(table.entities)) if len(table.entities) == 1 else None
    if item.get(table.discriminator) is not None:
        return item[table.discriminator]
    key = _key_of(table, item)
    kinds = [kind for kind, one in table.entities.items() if fields_of_key(one, key) is not None]
    return kinds[0] if len(kinds) == 1 else None


def canonical_key(entity: type[Entity], key: Key) -> Key | None:
    """Returns a key in the form in which the entity's are written, such as of its moments."""
    fields = fields_of_key(entity, key)
    if fields is None or fields.keys() != set(entity.schema.primary_fields):
        return None
    try:
        return entity.at(**fields).key
    except StoreError:
        return None


def fields_of_key(entity: type[Entity], key: tuple[Any, ...]) -> dict[str, Any] | None:
    """Returns the fields that a primary key holds; None where it is not of this entity's form."""
    fields: dict[str, Any] = {}
    for pattern, value in zip(_patterns(entity), key, strict=True):
        match = None if value is None else pattern.fullmatch(str(value))
        if match is None:
            return None
        fields |= match.groupdict()
    try:
        return {name: _read(_types(entity)[name], text) for name, text in fields.items()}
    except ValueError:  # also what msgspec raises
        return None


def check_missing(entity: type[Entity]) -> None:
    """Refuses what no item could lack, because its field has a default or is none at all."""
    required = {field.name for field in msgspec.structs.fields(entity) if field.required}
    for name in entity.missing.keys() - required:
        raise BadDeclaration(f"{entity.__name__}.missing names {name}, which is never missing.")


def _changes(entity: type[Entity], item: Item) -> Iterator[tuple[str, Any]]:
    """Yields the attributes that are to be set, or taken away by None, to make an item whole."""
    lacking = {}
    for field in _fields(entity):
        attribute = field.encode_name
        if item.get(attribute) is not None:
            continue
        if field.required:
            lacking[field.name] = attribute
        elif attribute in item:
            yield attribute, None
    if lacking:
        known = _known(entity, item)
        yield from ((at, known[name]) for name, at in lacking.items() if known[name] is not None)


def _known(entity: type[Entity], item: Item) -> dict[str, Any]:
    """All fields, as the item has them, as its key has them, or as they count where missing."""
    attributes = entity.schema.attributes
    of_key = fields_of_key(entity, _key_of(entity.schema.table, item)) or {}
    known = {name: item.get(at, of_key.get(name)) for name, at in attributes.items()}
    for name, value in entity.missing.items():
        if known[name] is None:
            known[name] = template(value).value(known) if callable(value) else value
    return known


def _key_of(table: Table, item: Item) -> tuple[Any, ...]:
    return tuple(item.get(attribute.name) for attribute in table.key)


def _read(kind: Any, text: str) -> Any:
    return int(text) if kind is int else msgspec.convert(text, type=kind, strict=False)


@cache
def _fields(entity: type[Entity]) -> tuple[msgspec.structs.FieldInfo, ...]:
    return msgspec.structs.fields(entity)


@cache
def _types(entity: type[Entity]) -> dict[str, Any]:
    return {field.name: field.type for field in _fields(entity)}


@cache
def _patterns(entity: type[Entity]) -> tuple[re.Pattern[str], ...]:
    return tuple(_pattern(made) for made in entity.schema.primary)


def _pattern(made: KeyTemplate) -> re.Pattern[str]:
    """Returns how a key of this template looks, with a group for each field that it tells.

    What a function computed matches nothing: its fields cannot be read back.
    """
    if made.function:
        return re.compile(r"(?!)")
    if made.identity:
        return re.compile(f"(?P<{made.fields[0]}>.+)", re.DOTALL)
    source, end, named = "", 0, set[str]()
    for part in _PART.finditer(made.text):
        name, spec = part.groups()
        source += re.escape(made.text[end : part.start()])
        is_told = spec not in _ONE_WAY and name not in named
        source += f"(?P<{name}>[^#]+)" if is_told else "[^#]+"
        named.add(name)
        end = part.end()
    return re.compile(source + re.escape(made.text[end:]), re.DOTALL)
