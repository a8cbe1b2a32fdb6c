"""Plain fields: whether a declaration alone rules out most of what no engine can keep."""

from __future__ import annotations

from functools import cache
from typing import Any

from msgspec import inspect

SIMPLE = (
    inspect.StrType,
    inspect.IntType,
    inspect.FloatType,
    inspect.BoolType,
    inspect.NoneType,
    inspect.BytesType,
    inspect.LiteralType,
    inspect.EnumType,
)


@cache
def has_plain_fields(entity: Any) -> bool:
    """Whether all its fields are texts, numbers and the like, or lists and structs of these.

    Such an item is nested no deeper than its declaration, and every name in it is one that was
    declared. With a map, or a field that may be anything, that depends on what is in it.
    """
    return _is_plain(inspect.type_info(entity), ())


def _is_plain(kind: inspect.Type, above: tuple[type, ...]) -> bool:
    match kind:
        case inspect.UnionType(types=types):
            return all(_is_plain(one, above) for one in types)
        case inspect.ListType(item_type=item):
            return _is_plain(item, above)
        case inspect.StructType(cls=cls, fields=fields):
            inner = (*above, cls)
            return cls not in above and all(_is_plain(field.type, inner) for field in fields)
    return isinstance(kind, SIMPLE)
