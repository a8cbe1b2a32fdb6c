"""Damaged items: left out of what people read, and an error for everybody else."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextvars import ContextVar
from typing import TypeVar

import msgspec

from commonroom.store.declare.table import Table
from commonroom.store.errors import DamagedItem
from commonroom.store.values import Item

T = TypeVar("T")

DECODING_ERRORS = (msgspec.MsgspecError, ValueError, TypeError, LookupError, RecursionError)
"""What decoding raises: of another type than declared, cut off, no UTF-8, or no item at all."""

MAX_LISTED = 1000
"""How many damaged items are listed of one request."""

_tolerated: ContextVar[list[DamagedItem] | None] = ContextVar("tolerated_damage", default=None)


class tolerating_damage:  # noqa: N801 - it is called like a function
    """Lets reads of several items inside leave damaged ones out, and lists those.

    For code that shows what is there. Code that acts upon it, such as a consumer, must not take
    what cannot be read for something that is gone: outside, a damaged item is an error.
    """

    __slots__ = ("_token",)

    def __enter__(self) -> list[DamagedItem]:
        listed: list[DamagedItem] = []
        self._token = _tolerated.set(listed)
        return listed

    def __exit__(self, *_: object) -> None:
        _tolerated.reset(self._token)


def handle_damage(found: Sequence[DamagedItem]) -> None:
    """Lists damaged items where they are tolerated, and raises the first where they are not."""
    listed = _tolerated.get()
    if listed is None:
        raise found[0]
    listed += found[: MAX_LISTED - len(listed)]


def count_damage() -> int:
    """Returns how many damaged items were left out of what was read so far."""
    return len(_tolerated.get() or ())


def decode_items(
    table: Table, decode: Callable[[Item], T], items: Sequence[Item]
) -> tuple[list[T], list[DamagedItem]]:
    """Returns what items decode to, and those that cannot be decoded."""
    try:
        return [decode(item) for item in items], []
    except DECODING_ERRORS:
        return _decode_each(table, decode, items)


def _decode_each(
    table: Table, decode: Callable[[Item], T], items: Sequence[Item]
) -> tuple[list[T], list[DamagedItem]]:
    decoded: list[T] = []
    damaged: list[DamagedItem] = []
    for item in items:
        try:
            decoded.append(decode(item))
        except DECODING_ERRORS as error:
            damaged.append(DamagedItem(table.name, table.key_of(item), error))
    return decoded, damaged
