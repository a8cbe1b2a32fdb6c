"""Limits of DynamoDB, enforced on both engines before anything is sent or stored."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from decimal import Context, Decimal
from typing import Any

import msgspec

from commonroom.store.declare.table import KeyAttribute, Table
from commonroom.store.engine import AttributeChange, WriteOperation
from commonroom.store.errors import (
    BadKey,
    BadNumber,
    BadText,
    ItemTooLarge,
    SameItemTwice,
    TooManyAttributes,
    TooManyOperations,
    WrongType,
)
from commonroom.store.values import (
    EXACT_FLOATS,
    INTEGER_BITS,
    Item,
    Key,
    KeyValue,
    Value,
    type_code,
)

ITEM_BYTES = 400 * 1024
PARTITION_KEY_BYTES = 2048
SORT_KEY_BYTES = 1024
OPERATIONS = 100
REQUEST_OPERATIONS = OPERATIONS - 1
"""What rooms write at once: the last operation of a transaction is kept for a completion mark."""
BATCH = 100
WRITE_BYTES = 4 * 1024 * 1024
PART_BYTES = 64
"""What one changed attribute, entry or comparison adds to a request beside its value, at most."""
ATTRIBUTES = 100
"""How many attributes one operation may change or compare: their equality fits in 4 KB."""
DEPTH = 32
"""How deep values may be nested, the item itself counted."""
SMALLEST, TOO_LARGE = 1e-130, 1e126

_packed = msgspec.msgpack.Encoder()
_EXACT = Context(prec=40)


def check_operations(operations: Sequence[WriteOperation]) -> None:
    """Refuses what no engine may be asked to do."""
    if not 1 <= len(operations) <= OPERATIONS:
        raise TooManyOperations(
            f"A write holds 1 to {OPERATIONS} operations; this one has {len(operations)}."
        )
    for operation in operations:
        check_key(operation.table, operation.key)
        _check_contents(operation)
    if len(operations) > 1:
        _check_distinct(operations)
    # One operation carries about two items at most: what it compares, and what it writes.
    if len(operations) * 2 > WRITE_BYTES // ITEM_BYTES:
        _check_together(operations)


def _check_distinct(operations: Sequence[WriteOperation]) -> None:
    seen = set()
    for operation in operations:
        place = (operation.table.name, operation.key)
        if place in seen:
            raise SameItemTwice(
                f"One write cannot touch the same item of {operation.table.name} twice."
            )
        seen.add(place)


def _check_together(operations: Sequence[WriteOperation]) -> None:
    """Refuses a write that carries over 4 MB: items, what is changed, and what is compared."""
    # Packed, a value has at least a quarter of its counted size, so most need no exact count.
    packed = sum(len(_packed.encode(_contents(operation))) for operation in operations)
    if packed * 4 > WRITE_BYTES and (size := sum(map(operation_size, operations))) > WRITE_BYTES:
        raise ItemTooLarge(f"One write may hold {WRITE_BYTES:,} bytes; this one has {size:,}.")


def _contents(operation: WriteOperation) -> tuple[Any, ...]:
    compared = () if operation.condition is None else operation.condition.values()
    return operation.item, [action.value for action in operation.actions], list(compared)


def operation_size(operation: WriteOperation) -> int:
    """Returns what an operation adds to a write, counted as DynamoDB counts or a little more."""
    if operation.kind == "put":
        size = item_size(operation.item)
    else:
        size = sum(map(value_size, operation.key)) + PART_BYTES
    for action in operation.actions:
        parts = len(action.value) if isinstance(action.value, list | dict) else 1
        size += len(encode_utf8(action.name)) + value_size(action.value) + (parts + 1) * PART_BYTES
    if operation.condition is not None:
        size += sum(value_size(value) + PART_BYTES for value in operation.condition.values())
    return size


def _check_contents(operation: WriteOperation) -> None:
    if operation.kind == "put":
        check_item(operation.table, operation.item, plain=operation.plain)
    if not operation.actions and operation.condition is None:
        return
    named = {action.name for action in operation.actions}
    for action in operation.actions:
        _check_action(operation.table, action)
    if operation.condition is not None:
        named.update(operation.condition.names())
        for value in operation.condition.values():
            check_value(value, depth=1)
    if len(named) > ATTRIBUTES:
        raise TooManyAttributes(
            f"An operation changes or compares up to {ATTRIBUTES} attributes, not {len(named)}."
        )


def _check_action(table: Table, action: AttributeChange) -> None:
    check_value(action.value, depth=1)
    if action.kind == "discard":
        check_names(action.value)
    if action.kind in ("set", "set_if_absent"):
        check_ttl(table, action.name, action.value)
    attribute = table.key_attributes.get(action.name)
    if attribute is not None and action.kind in ("set", "set_if_absent"):
        check_key_value(table, attribute, action.value)


def check_item(table: Table, item: Item, *, plain: bool = False) -> None:
    """Refuses an item that cannot be stored, whatever is there already."""
    packed = _pack(item)
    if not plain or packed is None or _may_have_odd_numbers(packed):
        check_value(item)
    for name, attribute in table.key_attributes.items():
        if name in item and not (attribute.type == "S" and _is_short_ascii(item[name])):
            check_key_value(table, attribute, item[name])
    if table.ttl is not None:
        check_ttl(table, table.ttl, item.get(table.ttl))
    # Packed, an item has at least a quarter of its counted size, so most need no exact count.
    if packed is None or len(packed) * 4 > ITEM_BYTES:
        _check_size(item)


def check_loaded_item(table: Table, item: Item) -> None:
    """Refuses an item from elsewhere: one that cannot be stored, or that lacks its primary key."""
    key: list[Any] = [item.get(attribute.name) for attribute in table.key]
    check_key(table, tuple(key))
    check_item(table, item)


def check_ttl(table: Table, name: str | None, value: Value) -> None:
    """Refuses a time of expiry that is no number: DynamoDB would take it and never act on it."""
    if name is not None and name == table.ttl and type_code(value) not in ("N", "NULL"):
        raise WrongType(f"{table.name}.{name} must be a number of seconds.")


def _pack(item: Item) -> bytes | None:
    """Returns an item as MessagePack; None where it has something that this cannot say."""
    try:
        return _packed.encode(item)
    except (TypeError, ValueError, OverflowError, RecursionError):
        return None


def _may_have_odd_numbers(packed: bytes) -> bool:
    """Whether there may be fractions, or whole numbers beyond 32 bits; a text can look like one."""
    return b"\xcb" in packed or b"\xcf" in packed or b"\xd3" in packed


def _check_size(item: Item) -> None:
    """Refuses an item over 400 KB, counted as DynamoDB counts."""
    if (size := item_size(item)) > ITEM_BYTES:
        raise ItemTooLarge(f"An item may have {ITEM_BYTES:,} bytes; this one has {size:,}.")


def check_key(table: Table, key: Key) -> None:
    """Refuses a primary key that is empty, too long, or of the wrong type."""
    if table.all_text and len(key) == len(table.key):
        for value in key:
            if not (type(value) is str and 0 < len(value) <= SORT_KEY_BYTES and value.isascii()):
                break
        else:
            return  # short ASCII, as most are: no limit can be near
    if len(key) != len(table.key):
        raise BadKey(f"The key of {table.name} has {len(table.key)} parts, not {len(key)}.")
    for attribute, value in zip(table.key, key, strict=True):
        if not (_is_short_ascii(value) if attribute.type == "S" else _is_small_integer(value)):
            check_key_value(table, attribute, value)


def check_query(table: Table, key: Sequence[KeyAttribute], *values: KeyValue | None) -> None:
    """Refuses key values that nothing can be stored under; None is one that is not given."""
    for attribute, value in zip((key[0], key[-1], key[-1]), values, strict=False):
        if value is not None and not (attribute.type == "S" and _is_short_ascii(value)):
            check_key_value(table, attribute, value)


def _is_short_ascii(value: Value) -> bool:
    """Whether a text key is such that no limit can be near: short ASCII, as most are."""
    return type(value) is str and 0 < len(value) <= SORT_KEY_BYTES and value.isascii()


def _is_small_integer(value: Value) -> bool:
    """Whether a number is a small integer."""
    return type(value) is int and -EXACT_FLOATS < value < EXACT_FLOATS


def check_key_value(table: Table, attribute: KeyAttribute, value: Value) -> None:
    """Refuses one key attribute's value."""
    if attribute.type == "N":
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise BadKey(f"{table.name}.{attribute.name} must be a number.")
        check_value(value)
        if isinstance(value, float) and EXACT_FLOATS <= abs(value) < 2**INTEGER_BITS:
            # There, engines disagree about which whole numbers come before it.
            raise BadNumber(f"{table.name}.{attribute.name} must be whole, as large as it is.")
        return
    if not isinstance(value, str):
        raise BadKey(f"{table.name}.{attribute.name} must be text.")
    if not value:
        raise BadKey(f"{table.name}.{attribute.name} must not be empty.")
    _check_length(table, attribute, value)


def _check_length(table: Table, attribute: KeyAttribute, value: str) -> None:
    most = SORT_KEY_BYTES if attribute in _sort_keys(table) else PARTITION_KEY_BYTES
    if (size := len(encode_utf8(value))) > most:
        raise BadKey(f"{table.name}.{attribute.name} may have {most} bytes; this has {size}.")


def _sort_keys(table: Table) -> Iterable[KeyAttribute | None]:
    return (table.sort, *(index.sort for index in table.indexes))


def check_value(value: Value, depth: int = 0) -> None:
    """Refuses numbers, text and nesting that DynamoDB cannot keep."""
    kind = type(value)
    if kind is dict or kind is list:
        if depth >= DEPTH:
            raise ItemTooLarge(f"Values may be nested {DEPTH} levels deep.")
        if kind is dict:
            check_names(value)
            value = value.values()
        for one in value:
            # Most is plain text, and a call for each costs more than a look.
            if type(one) is not str or not one.isascii():
                check_value(one, depth + 1)
    elif kind is str:
        if not value.isascii():
            encode_utf8(value)
    elif kind is float or kind is int:
        _check_number(value)
    elif value is not None and kind is not bool and kind is not bytes:
        raise WrongType(f"A {kind.__name__} cannot be stored.")


def check_names(names: Iterable[Any]) -> None:
    """Refuses names of attributes or of a map's entries that are empty or no text."""
    for name in names:
        if type(name) is not str:
            kind = type(name).__name__
            raise WrongType(f"The entries of a map are named by text, not by a {kind}.")
        if not name:
            raise BadText("An entry of a map must have a name.")
        if not name.isascii():
            encode_utf8(name)


def _check_number(value: float) -> None:
    if isinstance(value, int):
        if value.bit_length() > INTEGER_BITS:
            raise BadNumber("Whole numbers must fit in 64 bits.")
    elif not math.isfinite(value) or (value and not SMALLEST <= abs(value) < TOO_LARGE):
        raise BadNumber(f"{value} cannot be stored: numbers go from 1E-130 to 9.9E125.")


def encode_utf8(text: str) -> bytes:
    """UTF-8, refusing what has none."""
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise BadText("This text holds half of a surrogate pair, which is no character.") from error


def item_size(item: Mapping[str, Any]) -> int:
    """Returns an item's size as DynamoDB counts it."""
    return sum(len(encode_utf8(name)) + value_size(value) for name, value in item.items())


def value_size(value: Value) -> int:
    """Returns a value's size as DynamoDB counts it."""
    match value:
        case None | bool():
            return 1
        case str():
            return len(encode_utf8(value))
        case bytes():
            return len(value)
        case int() | float():
            return number_size(value)
        case list():
            return 3 + sum(1 + value_size(one) for one in value)
    return 3 + sum(1 + len(encode_utf8(name)) + value_size(one) for name, one in value.items())


def number_size(value: float) -> int:
    """One byte for two significant digits, paired from the point on, and one for the exponent."""
    if not value:
        return 1
    _, digits, exponent = Decimal(repr(value)).normalize(_EXACT).as_tuple()
    # A first or last digit that stands alone in its pair takes a byte as well: 1.5 is 01.50.
    odd_end = int(exponent) % 2
    pairs = (len(digits) + odd_end + 1) // 2
    return pairs + 1 + (value < 0)
