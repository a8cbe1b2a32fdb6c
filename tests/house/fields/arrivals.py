"""Bodies and forms with every field filled, and which of their fields were not kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import asdict, replace

from tests.house.fields.surfaces import samples_of

S = TypeVar("S", bound=Struct)
Given = Mapping[str, tuple[Any, Any]]
"""Two values of each field that takes only certain ones."""


def variants(kind: type[S], given: Given) -> Iterator[S]:
    """Yields a filled struct, and for each of its fields another in which that alone differs."""
    samples = dict(samples_of(kind, given))
    filled = kind(**{name: one for name, (one, _) in samples.items()})
    yield filled
    for name, (one, other) in samples.items():
        if one != other:
            yield replace(filled, **{name: other})


def opposite(kind: type[S], given: Given) -> S:
    """Returns a filled struct in which every field has its other value."""
    return kind(**{name: other for name, (_, other) in samples_of(kind, given)})


def by_name(value: Any, *without: str) -> Any:
    """Returns a struct, and those within it, as mappings by the names of their fields."""
    if isinstance(value, Struct):
        fields = asdict(value).items()
        return {name: by_name(one, *without) for name, one in fields if name not in without}
    return [by_name(one, *without) for one in value] if isinstance(value, list) else value


def find_lost(sent: Any, stored: Any, at: str = "") -> Iterator[str]:
    """Yields each field of what was sent that is not stored as it was sent."""
    if isinstance(sent, dict) and isinstance(stored, dict):
        for name, one in sent.items():
            yield from find_lost(one, stored.get(name), f"{at}.{name}")
    elif isinstance(sent, list) and isinstance(stored, list) and len(sent) == len(stored):
        for one, kept in zip(sent, stored, strict=True):
            yield from find_lost(one, kept, at)
    elif sent != stored:
        yield f"{at[1:]} is {stored!r}, and was sent as {sent!r}"
