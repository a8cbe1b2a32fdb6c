"""Originals: what the tables of an adoption hold of which others carry copies.

Copies are written as they should be, so that no check has to repair each of them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from commonroom.model import MODEL
from commonroom.store.checking.checks import StoredEntity, decode_stored
from commonroom.store.declare.copies import Copy
from commonroom.store.declare.entity import Entity, Ref
from commonroom.store.declare.table import Table
from commonroom.store.errors import StoreError
from commonroom.store.transfer import ForeignTable, read_lines, storable
from commonroom.store.updates import to_stored
from commonroom.store.values import Item, Key
from commonroom.titles.stored_titles import title_ref
from commonroom.titles.tables import Movie, Show
from commonroom.titles.titles import TitleId
from commonroom.watchlists.service.titles import copied_facts
from commonroom.watchlists.tables import WatchlistItem

Fill = Callable[[Table, Item], Item]


class TitleCopy:
    """What items of lists copy of films and shows: a declared copy is of one kind alone."""

    of = (Movie, Show)
    on = (WatchlistItem,)

    def original(self, carrier: Any) -> Ref[Any]:
        """Returns where an item's title is."""
        return title_ref(TitleId(carrier.content_type, carrier.content_id))

    def values(self, original: Any) -> dict[str, Any]:
        """Returns what the copied fields should be."""
        return copied_facts(original)


class CopyOriginals:
    """Every original by its place."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, Key], Entity] = {}
        self._kinds: list[type[Entity]] = [*TitleCopy.of, *(copy.of for copy in MODEL.copies)]
        self._copies: dict[type[Entity], list[Copy | TitleCopy]] = defaultdict(list)
        every: list[Copy | TitleCopy] = [*MODEL.copies, TitleCopy()]
        for copy in every:
            for carrier in copy.on:
                self._copies[carrier].append(copy)

    @classmethod
    def of(cls, sources: Sequence[ForeignTable], fill: Fill) -> CopyOriginals:
        """Reads the tables that have originals; what does not fit is no original."""
        made = cls()
        for source in sources:
            kinds = tuple(one for one in made._kinds if one.schema.table is source.table)
            if kinds:
                for entity in _entities(source, fill):
                    if isinstance(entity, kinds):
                        made._found[source.table.name, entity.ref.key] = entity
        return made

    def with_copies(self, thing: StoredEntity) -> Item:
        """Returns a thing's item with the copies that it carries."""
        table = thing.entity.schema.table
        changes: dict[str, Any] = {}
        for copy in self._copies.get(type(thing.entity), ()):
            original = self._original(copy, thing.entity)
            if original is not None:
                changes |= copy.values(original)
        attributes = thing.entity.schema.attributes
        wrong = {
            attributes[name]: to_stored(value)
            for name, value in changes.items()
            if getattr(thing.entity, name) != value
        }
        return storable(table, thing.item | wrong) if wrong else thing.item

    def _original(self, copy: Copy | TitleCopy, carrier: Entity) -> Entity | None:
        try:
            ref = copy.original(carrier)
        except StoreError:
            return None
        found = None if ref is None else self._found.get((ref.entity.schema.table.name, ref.key))
        return found if isinstance(found, copy.of) else None


def _entities(source: ForeignTable, fill: Fill) -> Iterator[Entity]:
    for line in (one for file in source.files for one in read_lines(file)):
        if line.item is None:
            continue
        try:
            thing = decode_stored(
                source.table, storable(source.table, fill(source.table, line.item))
            )
        except StoreError:
            continue
        if isinstance(thing, StoredEntity):
            yield thing.entity
