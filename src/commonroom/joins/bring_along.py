"""The connection between a room that knows what people have of each other and one where they meet.

Neither knows the other: one declares a `BringAlongSource`, the other asks all there are.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Coroutine, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

if TYPE_CHECKING:
    from commonroom.http.request import Request


class ThingToBring(Struct, frozen=True, kw_only=True):
    """Something that one of two people has from the other."""

    title: str
    whose: str
    """The name of the other person."""
    is_borrowed: bool
    """Whether the reader has it; else the other one does."""
    address: str
    """The page about it."""


class BringAlongSource(Struct, frozen=True):
    """A room that knows what people have of each other."""

    things: Callable[[Request, Collection[str]], Coroutine[Any, Any, Sequence[ThingToBring]]]
    """Returns what the caller and these people have of each other, whatever their number in the
    same few requests: it states how many."""
