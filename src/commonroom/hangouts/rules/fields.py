"""Fields that several nouns have, as programs send them; rules say in a sentence what is wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any, TypeAlias

from msgspec import Meta

from commonroom.errors import FieldErrors
from commonroom.hangouts.rules import hangouts
from commonroom.ids import MAX_ID


def characters(limit: int, *, least: int = 0, most: int = 1000) -> Meta:
    """Says how long a text may be; more than `most` is refused before a rule sees it."""
    says = f"{least} to {limit}" if least else f"At most {limit}"
    return Meta(max_length=most, description=f"{says} characters.")


Id: TypeAlias = Annotated[str, Meta(max_length=MAX_ID)]
Title: TypeAlias = Annotated[str, characters(hangouts.MAX_TITLE, least=1)]
Link: TypeAlias = Annotated[
    str, Meta(max_length=5000, description="Starts with `http://` or `https://`.")
]
Picture: TypeAlias = Annotated[
    str, Meta(max_length=100, description=f"One of `{'`, `'.join(hangouts.PICTURES)}`.")
]
Moment: TypeAlias = Annotated[
    str, Meta(max_length=100, description="With its offset: `2026-05-01T19:00:00+02:00`.")
]
Version: TypeAlias = Annotated[
    int, Meta(description="The version that was looked at; another one is answered with 409.")
]

Cleaners: TypeAlias = Mapping[str, Callable[[Any], Any]]
"""By the name of a field: what gives it as it is kept, or refuses it."""


def cleaned(cleaners: Cleaners, given: Mapping[str, Any]) -> dict[str, Any]:
    """Returns fields as they are kept; only those that are given."""
    return {name: cleaners[name](value) for name, value in given.items()}


def cleaned_together(cleaners: Cleaners, given: Mapping[str, Any]) -> dict[str, Any]:
    """Returns fields as they are kept; all that is wrong with them is said at once."""
    errors = FieldErrors()
    fields = {name: errors.check(cleaners[name], value) for name, value in given.items()}
    errors.raise_if_any()
    return fields
