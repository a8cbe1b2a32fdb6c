"""Contexts in tests: the same seat or gate, at another moment or over another store."""

from __future__ import annotations

from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from commonroom.store import Store

C = TypeVar("C", bound=Struct)


def at(store: Store, now: float, context: C) -> C:
    """A seat or an opened page for a request at that moment, which writes to that store."""
    return replace(context, store=store, now=now)
