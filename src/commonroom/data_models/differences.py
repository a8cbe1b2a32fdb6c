"""A difference between what a data model states and what is declared, and how it is named."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from commonroom.store.declare.table import KeyAttribute

NOTHING = "–"


class ModelDifference(Struct, frozen=True):
    """One deviation: `subject` is the name by which a reason refers to it, such as `index A.b`."""

    subject: str
    says: str
    here: str
    is_mistake: bool = False
    """Whether no reason can excuse it, because the statement itself names what does not exist."""


def code(text: object) -> str:
    """Returns a text as Markdown shows code."""
    return NOTHING if text in (None, "") else f"`{text}`"


def joined(values: Iterable[object]) -> str:
    """Several values, each as code."""
    return ", ".join(code(one) for one in values) or NOTHING


def key_of(attributes: Sequence[KeyAttribute]) -> list[str]:
    """Returns a key as statements write it: `PK S`."""
    return [f"{one.name} {one.type}" for one in attributes]
