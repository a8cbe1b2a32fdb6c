"""Compares what items were stored by with what is declared: what to fill, and what cannot be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from commonroom.store.declare.fingerprint import Fingerprint, Templates


class Difference(Struct, frozen=True):
    """How a declaration differs from the one that items were stored by."""

    conflicts: tuple[str, ...]
    """What no upgrade can make, each as a part of a sentence."""
    unfilled: Mapping[str, frozenset[str]]
    """By kind: the key attributes that stored items have to be given anew."""

    @property
    def covered(self) -> bool:
        """Whether the items are as the declaration wants them."""
        return not self.conflicts and not self.unfilled


def compare(before: Fingerprint, now: Fingerprint) -> Difference:
    """What has changed from one declaration to another that touches items which are stored."""
    unfilled = {}
    for kind, templates in now.entities.items():
        known = _known(before, kind, templates, told_apart=now.discriminator is not None)
        changed = {
            name
            for name in known.keys() | templates.keys()
            if known.get(name) != templates.get(name) and name in now.types
        }
        if names := changed - _primary(now):
            unfilled[kind] = frozenset(names)
    return Difference(tuple(_conflicts(before, now)), unfilled)


def _known(before: Fingerprint, kind: str, templates: Templates, *, told_apart: bool) -> Templates:
    """Returns how the stored items of a kind got their keys."""
    if kind in before.entities:
        return before.entities[kind]
    # A kind that nobody knew has no items; a class that nobody knew may be a renamed one.
    if told_apart or templates in before.entities.values():
        return templates
    return {}


def _conflicts(before: Fingerprint, now: Fingerprint) -> Iterator[str]:
    if before.key != now.key:
        yield f"its primary key was {', '.join(before.key)} and is {', '.join(now.key)}"
    if before.discriminator != now.discriminator:
        yield f"its kinds were told apart by {before.discriminator}, now by {now.discriminator}"
    if before.ttl is not None and before.ttl != now.ttl:
        yield f"its items expired by {before.ttl}, now by {now.ttl}"
    for name in before.types.keys() & now.types.keys():
        if before.types[name] != now.types[name]:
            yield f"the type of {name} was {before.types[name]} and is {now.types[name]}"
    for kind in before.entities.keys() & now.entities.keys():
        for name in sorted(_primary(now)):
            was, is_ = (one.entities[kind].get(name) for one in (before, now))
            if was != is_:
                yield f"{name} of {kind} was {was} and is {is_}"


def _primary(of: Fingerprint) -> set[str]:
    return {one[:-2] for one in of.key}


def merge(before: Fingerprint, now: Fingerprint) -> Fingerprint:
    """The declaration of now, with the kinds that it no longer has: their items are still there."""
    return replace(now, entities={**before.entities, **now.entities})


def common(one: Fingerprint, other: Fingerprint) -> Fingerprint:
    """Returns what is sure of items of which some were stored by the one and some by the other."""
    entities = {**one.entities, **other.entities}
    for kind in one.entities.keys() & other.entities.keys():
        entities[kind] = dict(one.entities[kind].items() & other.entities[kind].items())
    return replace(other, entities=entities)
