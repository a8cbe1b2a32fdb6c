"""Companions: what stands beside an item and is made of it alone, such as a code or a way back.

Checks would make them too, by a repair for each, which also counts it. So all are made first, and
whatever counts them is counted once. Names that one person alone can have in all the house are left
to the checks, which know who has a right to them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from commonroom.accounts.relations import claim_of as address_claim_of
from commonroom.accounts.tables import User
from commonroom.adoption.loading import LINES, put_items, stored_items
from commonroom.library.relations import claim_of as name_claim_of
from commonroom.library.service.item_writes import codes_of
from commonroom.library.tables import Book, Collection, Video
from commonroom.store import Store
from commonroom.store.checking import StoredEntity
from commonroom.store.checking.checks import decode_stored
from commonroom.store.declare.entity import Entity
from commonroom.store.declare.table import Table
from commonroom.store.errors import StoreError
from commonroom.store.related_writes import mirrors_of
from commonroom.store.transfer import storable
from commonroom.store.values import Item, Key
from commonroom.watchlists.checks.opinions import mark_of
from commonroom.watchlists.service import ratings
from commonroom.watchlists.tables import Rating


def _of_rating(one: Rating) -> Iterator[Entity]:
    yield ratings.pointer_of(one)
    yield mark_of(one)
    if (review := ratings.review_of(one)) is not None:
        yield review


def _nothing(_: Entity) -> Iterable[Entity]:
    return ()


def _of_user(one: User) -> Iterator[Entity]:
    if one.email is not None:
        yield address_claim_of(one, one.email)


COMPANIONS: Mapping[type[Entity], Callable[[Any], Iterable[Entity]]] = {
    User: _of_user,
    Collection: lambda one: [name_claim_of(one)],
    Book: codes_of,
    Video: codes_of,
    Rating: _of_rating,
}
"""Besides mirrors, which relations declare."""


async def add_companions(store: Store, tables: Sequence[Table]) -> int:
    """Stores what is missing beside the items of these tables; returns how much that was."""
    added = 0
    for table in tables:
        start, is_first = None, True
        while is_first or start is not None:
            rows = await store.engine.scan(table, limit=LINES, start=start)
            for other, wanted in _companions(table, rows.items).items():
                there = await stored_items(store, other, [*wanted.values()])
                missing = [one for key, one in wanted.items() if key not in there]
                await put_items(store, other, missing)
                added += len(missing)
            start, is_first = rows.next, False
    return added


def _companions(table: Table, found: Iterable[Item]) -> dict[Table, dict[Key, Item]]:
    """Returns what should stand beside some items, by table and key; of several, the first."""
    wanted: dict[Table, dict[Key, Item]] = defaultdict(dict)
    for thing in (decode_stored(table, item) for item in found):
        if isinstance(thing, StoredEntity):
            beside = COMPANIONS.get(type(thing.entity), _nothing)(thing.entity)
            for one in (*mirrors_of(thing.entity), *beside):
                with suppress(StoreError):  # the check of the item says what is wrong with it
                    other = one.schema.table
                    wanted[other].setdefault(one.ref.key, storable(other, one.to_item()))
    return wanted
