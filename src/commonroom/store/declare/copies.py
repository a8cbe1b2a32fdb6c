"""Copies: fields that stand on another thing too, so that a list needs no second request."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from commonroom.store.declare.entity import Entity, Ref
from commonroom.store.declare.patterns import BoundPattern
from commonroom.store.errors import BadDeclaration

O = TypeVar("O", bound=Entity)  # noqa: E741 - the original

MAX_NAMED = 5
"""Of more fields than these a sentence gives the number; the table of copies names all."""


@dataclass(frozen=True, slots=True)
class Copy:
    """“`collection_name` on Book and Video is a copy of `name` of their Collection.”"""

    of: type[Entity]
    on: tuple[type[Entity], ...]
    fields: Mapping[str, str]
    """Field of the original to field of the copy."""
    refers: Mapping[str, str]
    """Key field of the original to the field of the copy that holds its value."""
    known: Callable[[Any], Iterable[Ref[Any]]] | None
    """Where the copies are, from the original alone: they are written in its own transaction."""
    found: Callable[[Any], BoundPattern[Any]] | None
    """The pattern that finds the copies: a stream consumer carries changes to them."""
    carrier: Callable[[Any], Ref[Any]] | None = None
    """Where a copy is, from what the pattern gives, where that gives pointers to them."""

    @property
    def description(self) -> str:
        """What follows from a change of the original, in a sentence."""
        named = ", ".join(f"`{field}`" for field in self.fields.values())
        fields = named if len(self.fields) <= MAX_NAMED else f"{len(self.fields)} fields"
        carriers = ", ".join(carrier.__name__ for carrier in self.on)
        return f"Copies {fields} to {carriers}."

    def original(self, carrier: Entity) -> Ref[Any] | None:
        """Returns where a carrier's original is; None where it has none."""
        fields = {key: getattr(carrier, field) for key, field in self.refers.items()}
        return None if None in fields.values() else self.of.at(**fields)

    def values(self, original: Entity | None) -> dict[str, Any]:
        """Returns what the copied fields should be."""
        return {
            field: None if original is None else getattr(original, name)
            for name, field in self.fields.items()
        }


def copies(
    of: type[O],
    *,
    on: type[Entity] | tuple[type[Entity], ...],
    fields: Mapping[str, str],
    refers: Mapping[str, str],
    known: Callable[[O], Iterable[Ref[Any]]] | None = None,
    found: Callable[[O], BoundPattern[Any]] | None = None,
    carrier: Callable[[Any], Ref[Any]] | None = None,
) -> Copy:
    """Declares that fields of one thing are copies of another's."""
    carriers = on if isinstance(on, tuple) else (on,)
    if (known is None) is (found is None):
        raise BadDeclaration(f"Copies of {of.__name__} must be either known or found.")
    if set(refers) != set(of.schema.primary_fields):
        raise BadDeclaration(f"Copies of {of.__name__} must refer to its whole primary key.")
    if unknown := fields.keys() - of.schema.attributes.keys():
        raise BadDeclaration(f"{of.__name__} lacks {', '.join(sorted(unknown))}.")
    for kind in carriers:
        lacking = {*fields.values(), *refers.values()} - kind.schema.attributes.keys()
        if lacking:
            raise BadDeclaration(f"{kind.__name__} lacks {', '.join(sorted(lacking))}.")
    made = Copy(of, carriers, dict(fields), dict(refers), known, found, carrier)
    of.schema.table.copies.append(made)
    return made
