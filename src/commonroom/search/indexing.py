"""Indexing: documents follow what is stored, change by change, and the newest state wins."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from functools import cached_property
from hashlib import sha256

import msgspec

from commonroom import __version__
from commonroom.search.documents import Document, DocumentKey, Searchable
from commonroom.search.index import IndexReplaced, SearchIndex
from commonroom.store import Entity, Store, Table
from commonroom.store.engine import ChangeRecord
from commonroom.store.errors import DamagedItem
from commonroom.store.streams import Change, Consumer
from commonroom.store.streams.consumer import RetryPolicy, decode_change
from commonroom.store.values import Item

CONSUMER = "search"
ATTEMPTS = 5
"""How often something is read anew because the index was replaced meanwhile."""
RETRIES = RetryPolicy(longest_delay=300.0, max_attempts=1000)
"""An index that is away for days is waited for: nothing else depends on it."""

Documents = dict[DocumentKey, Document | None]
"""What documents should be; None where there should be none."""


class Indexer:
    """Makes documents of what is stored, as rooms declare it, and puts them into an index."""

    def __init__(self, store: Store, index: SearchIndex, searchables: Sequence[Searchable]) -> None:
        self.store = store
        self.index = index
        self._by_kind = {one.kind: one for one in searchables}
        self._by_entity = {one.entity: one for one in searchables}

    @cached_property
    def declared(self) -> str:
        """A fingerprint of what is to be indexed; a new version may make other documents of it."""
        kinds = sorted((kind, one.entity.__name__) for kind, one in self._by_kind.items())
        return sha256(msgspec.json.encode([__version__, kinds])).hexdigest()[:16]

    @property
    def tables(self) -> list[Table]:
        """Where things are stored that become documents."""
        return list(dict.fromkeys(entity.schema.table for entity in self._by_entity))

    @property
    def builtin_keys(self) -> list[DocumentKey]:
        """The documents that are there although nothing is stored."""
        return [(kind, one) for kind, made in self._by_kind.items() for one in made.builtin()]

    @property
    def consumer(self) -> Consumer:
        """What keeps the index current."""
        return Consumer(CONSUMER, tuple(self._by_entity), self.follow, retry_policy=RETRIES)

    async def follow(self, _: Store, change: Change) -> None:
        """Lets the index follow a change, which is read again: so it may come twice, or late."""
        key = self._changed_key(change)
        if key is not None:
            await self.refresh([key])

    def changed_keys(self, records: Iterable[ChangeRecord]) -> list[DocumentKey]:
        """The documents that changes are of; what is damaged is for `commonroom check` to name."""
        keys: dict[DocumentKey, None] = {}
        for record in records:
            entity = self.consumer.entity_of(record)
            with suppress(DamagedItem):
                if entity is not None and (key := self._changed_key(decode_change(entity, record))):
                    keys[key] = None
        return list(keys)

    def _changed_key(self, change: Change) -> DocumentKey | None:
        """The document that a change is of; None where search knows nothing of what changed."""
        thing = change.new or change.old
        if thing is None:
            raise DamagedItem(change.entity.schema.table.name, change.key, "it is not known")
        searchable = self._by_entity[change.entity]
        document_id = searchable.id_of(thing)
        if change.old is not None and change.new is not None:
            # An answer to a hangout, or a visit of a person: nothing that search knows of.
            before, after = (
                searchable.document_of(document_id, one) for one in (change.old, change.new)
            )
            if before == after:
                return None
        return searchable.kind, document_id

    async def refresh(self, keys: Collection[DocumentKey]) -> None:
        """Lets the index have what is stored now."""
        for _ in range(ATTEMPTS):
            ticket = await self.index.ticket()  # before anything is read: see `Ticket`
            try:
                await self.index.apply(ticket, await self.documents(keys))
            except IndexReplaced:
                continue
            return
        raise IndexReplaced("The search index is replaced again and again.")

    async def documents(self, keys: Collection[DocumentKey]) -> Documents:
        """What documents should be by what is stored now: one request for a hundred of them."""
        known = [key for key in keys if key[0] in self._by_kind]
        refs = [self._by_kind[kind].ref(document_id) for kind, document_id in known]
        stored = await self.store.batch_get(refs)
        made: Documents = dict.fromkeys(keys)
        for (kind, document_id), thing in zip(known, stored, strict=True):
            made[kind, document_id] = self._by_kind[kind].document_of(document_id, thing)
        return made

    def documents_of(self, things: Iterable[Entity]) -> Documents:
        """Returns what the documents of these things should be."""
        made: Documents = {}
        for thing in things:
            if (searchable := self._by_entity.get(type(thing))) is not None:
                document_id = searchable.id_of(thing)
                made[searchable.kind, document_id] = searchable.document_of(document_id, thing)
        return made

    def decode(self, table: Table, items: Iterable[Item]) -> list[Entity]:
        """Those of these items that may become documents; `commonroom check` names damaged ones."""
        kinds = [entity for entity in self._by_entity if entity.schema.table is table]
        things = []
        for item in items:
            for entity in kinds:
                if entity.schema.matches(item):
                    with suppress(DamagedItem):
                        things.append(entity.from_item(item))
        return things
