"""The identity of a store: made once, so that what belongs to its data is known again."""

from __future__ import annotations

from contextlib import suppress
from uuid import uuid4

from commonroom.store.errors import ConditionFailed
from commonroom.store.operations import create
from commonroom.store.store import Store
from commonroom.store.streams.tables import StoreIdentity, store_identity


async def read_identity(store: Store) -> str | None:
    """Returns the store's id; None where it has none yet."""
    found = await store.get(store_identity(consumer="store"))
    store.identity = None if found is None else found.store_id
    return store.identity


async def identify(store: Store) -> str:
    """Returns the store's id, which is made if there is none."""
    known = await read_identity(store)
    if known is None:
        with suppress(ConditionFailed):  # another process was faster
            await store.write(create(StoreIdentity(store_id=uuid4().hex)))
        known = await read_identity(store)
    if known is None:
        raise AssertionError("An id that was stored is there.")
    return known
