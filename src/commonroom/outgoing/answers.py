"""A request, what is taken of its answer at most, and the answer."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct


class Limits(Struct, frozen=True, kw_only=True):
    """How much of an answer is taken, and how long it is waited for."""

    seconds: float = 10.0
    """For everything together: names, connecting, being sent on, the whole body."""
    connect_seconds: float = 5.0
    largest: int = 1_000_000
    """Bytes, unpacked."""
    types: frozenset[str] = frozenset()
    """Of which content type a success must be; empty for whichever."""


class Request(Struct, frozen=True, kw_only=True):
    """What is sent, apart from where to."""

    method: str = "GET"
    headers: Mapping[str, str] = {}
    body: bytes | None = None
    limits: Limits = Limits()


class Answer(Struct, frozen=True):
    """What a server answered, whatever its status."""

    status: int
    headers: Mapping[str, str]
    """By name in small letters."""
    body: bytes
