"""What pages without an account take together: counted with every write, and never over the limit.

A page has an entry that says how much it takes with everything on it, and the entries of a shard
have a sum. Both change in the same write as what they count.
"""

from __future__ import annotations

from contextlib import suppress

from msgspec import Struct
from msgspec.structs import asdict

from commonroom.shareables.rules.limits import Limits, page_bytes
from commonroom.shareables.tables import GuestPage, GuestStorage, Shareable
from commonroom.store import (
    ConditionFailed,
    Ref,
    Store,
    Write,
    add,
    at_most,
    create,
    delete,
    equal,
    update,
)

SHARDS = 4
"""So that those who use different pages do not wait for each other; each has its part."""


class Usage(Struct, frozen=True):
    """How much is taken up."""

    bytes: int
    pages: int


def shard_of(short_id: str) -> int:
    """The shard of a page: by the number in its id, which is random."""
    return int(short_id[-5:]) % SHARDS


def entry_of(short_id: str) -> Ref[GuestPage]:
    """Where it is said how much a page takes."""
    return GuestPage.at(shard=shard_of(short_id), short_id=short_id)


def count_new(page: Shareable, limits: Limits) -> list[Write]:
    """Counts a page that is being made without an account."""
    taken = page_bytes(asdict(page))
    return [
        create(GuestPage(shard=shard_of(page.short_id), short_id=page.short_id, bytes=taken)),
        _summed(page.short_id, taken, limits, pages=1),
    ]


def count_change(page: Shareable, change: int, limits: Limits) -> list[Write]:
    """Counts what a page, or what is on it, takes more or less than before."""
    if not page.is_counted or change == 0:
        return []
    return [
        update(entry_of(page.short_id), bytes=add(change)),
        _summed(page.short_id, change, limits),
    ]


async def stop_counting(store: Store, short_id: str) -> list[Write]:
    """Takes a page out of the count, with all that is on it; nothing where it is not in it."""
    entry = await store.get(entry_of(short_id))
    if entry is None:
        return []
    shard = GuestStorage.at(shard=shard_of(short_id))
    return [
        delete(entry, if_=equal(bytes=entry.bytes)),
        update(shard, bytes=add(-entry.bytes), pages=add(-1)),
    ]


async def release(store: Store, short_id: str) -> None:
    """Takes a page out of the count that the database has removed; twice does nothing more."""
    if writes := await stop_counting(store, short_id):
        await begin(store, shard_of(short_id))
        with suppress(ConditionFailed):  # somebody else did it in the same moment
            await store.write(*writes)


async def begin(store: Store, shard: int) -> None:
    """Makes the sum of a shard that has none yet."""
    with suppress(ConditionFailed):
        await store.write(create(GuestStorage(shard=shard)))


async def usage(store: Store) -> Usage:
    """How much is taken up in all: one request."""
    found = await store.batch_get([GuestStorage.at(shard=shard) for shard in range(SHARDS)])
    there = [one for one in found if one is not None]
    return Usage(sum(one.bytes for one in there), sum(one.pages for one in there))


def _summed(short_id: str, change: int, limits: Limits, *, pages: int = 0) -> Write:
    sums = {"bytes": add(change), **({"pages": add(pages)} if pages else {})}
    shard = GuestStorage.at(shard=shard_of(short_id))
    fits = at_most(bytes=limits.guest_bytes // SHARDS - change) if change > 0 else None
    return update(shard, **sums, if_=fits)
