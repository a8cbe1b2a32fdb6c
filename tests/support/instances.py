"""Random instances of any declared entity, from the types of its fields."""

from __future__ import annotations

from datetime import UTC, datetime
from string import Formatter
from typing import Any

from hypothesis import strategies as st
from msgspec import inspect

from commonroom.store import Entity

MAX_INSTANCES = 2**63 - 1

text = st.text(max_size=20)
# What stands in a key: never empty, and without the sign that ends a part of one.
key_text = st.text(
    st.characters(exclude_characters="#", exclude_categories=["Cs"]), min_size=1, max_size=12
)
# Of which something is left without spaces and dashes.
plain_text = key_text.filter(lambda one: one.strip(" -") != "")
moments = st.datetimes(datetime(1970, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC)).map(
    datetime.isoformat
)
# Beyond any clock, so that nothing expires meanwhile.
times_of_expiry = st.integers(10**10, 10**11)
versions = st.integers(0, 10**6)
# Beyond 2**53, DynamoDB gives a fraction back as the whole number of the same digits, which is the
# same to whoever reads a float, but not to a test that compares items.
numbers = st.floats(-(2**53), 2**53).filter(lambda x: x == 0 or abs(x) > 1e-60)


def fields(entity: type[Entity]) -> dict[str, st.SearchStrategy[Any]]:
    """How to make a value for every field of an entity."""
    described = inspect.type_info(entity)
    assert isinstance(described, inspect.StructType)
    return {field.name: _field(entity, field) for field in described.fields}


def instances(entity: type[Entity]) -> st.SearchStrategy[Any]:
    """Random things of one kind."""
    return st.builds(entity, **fields(entity))


def _field(entity: type[Entity], field: inspect.Field) -> st.SearchStrategy[Any]:
    if field.name == "version":
        return versions
    made = _by_use(entity, field)
    # A thing without a part of its primary key cannot be stored.
    needed = field.name in entity.schema.primary_fields or not _optional(field)
    return made if needed else st.none() | made


def _by_use(entity: type[Entity], field: inspect.Field) -> st.SearchStrategy[Any]:
    """A value, not None, that fits what the field is used for besides its type."""
    if field.encode_name == entity.schema.table.ttl:
        return times_of_expiry
    if field.name in _in_form(entity, "ms"):
        return moments
    if field.name in _in_form(entity, "plain"):
        return _of(field.type, plain_text)
    in_keys = {name for made in entity.schema.templates.values() for name in made.fields}
    return _of(field.type, key_text if field.name in in_keys else text)


def _in_form(entity: type[Entity], form: str) -> set[str]:
    """The fields that stand in a key in some form, such as `{created_at:ms}`."""
    return {
        name
        for source in entity.keys.values()
        if isinstance(source, str)
        for _, name, wanted, _ in Formatter().parse(source)
        if name is not None and wanted == form
    }


def _of(described: inspect.Type, texts: st.SearchStrategy[str]) -> st.SearchStrategy[Any]:
    if type(described) in _PLAIN:
        return _PLAIN[type(described)]
    match described:
        case inspect.StrType():
            return texts
        case inspect.LiteralType(values=values):
            return st.sampled_from(values)
        case inspect.UnionType(types=types):
            return st.one_of([_of(one, texts) for one in types if one != inspect.NoneType()])
    return _container(described)


_PLAIN: dict[type[inspect.Type], st.SearchStrategy[Any]] = {
    inspect.BoolType: st.booleans(),
    inspect.IntType: st.integers(-MAX_INSTANCES, MAX_INSTANCES),
    inspect.FloatType: numbers,
    inspect.BytesType: st.binary(max_size=20),
    inspect.AnyType: st.one_of(st.booleans(), st.integers(-MAX_INSTANCES, MAX_INSTANCES), text),
}


def _container(described: inspect.Type) -> st.SearchStrategy[Any]:
    match described:
        case inspect.ListType(item_type=inner):
            return st.lists(_of(inner, text), max_size=3)
        case inspect.DictType(value_type=inner):
            return st.dictionaries(st.text(min_size=1, max_size=9), _of(inner, text), max_size=3)
        case inspect.StructType(cls=made, fields=inside):
            return st.builds(made, **{one.name: _inner(one) for one in inside})
    raise NotImplementedError(f"no random values for {described} yet")


def _inner(field: inspect.Field) -> st.SearchStrategy[Any]:
    made = _of(field.type, text)
    return st.none() | made if _optional(field) else made


def _optional(field: inspect.Field) -> bool:
    return isinstance(field.type, inspect.UnionType) and field.type.includes_none
