"""What pages without an account take together: counted with every write, and never over the limit.

A page has an entry that says how much it takes with everything on it, and the entries of a shard
have a sum. Both change in one write with what they count.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict

from commonroom.shareables.rules.limits import ShareableLimits, answer_bytes, page_bytes
from commonroom.shareables.tables import (
    Checklist,
    Event,
    GuestPage,
    GuestStorage,
    Poll,
    Shareable,
    guest_pages,
    poll_votes,
    rsvps,
    shareable,
)
from commonroom.store import (
    ConditionFailed,
    Ref,
    Store,
    Write,
    add,
    at_most,
    check,
    create,
    delete,
    equal,
    put,
    unmarked,
    update,
)
from commonroom.store.checking import Problem, StoredEntity

SHARDS = 4
"""So that those who use different pages do not wait for each other; each has its part."""


class Usage(Struct, frozen=True):
    """How much is taken up."""

    bytes: int
    pages: int


def shard_of(short_id: str) -> int:
    """Returns the shard of a page: by the number in its id, which is random."""
    return int(short_id[-5:]) % SHARDS


def entry_of(short_id: str) -> Ref[GuestPage]:
    """Returns where it is said how much a page takes."""
    return GuestPage.at(shard=shard_of(short_id), short_id=short_id)


def count_new(page: Shareable, limits: ShareableLimits) -> list[Write]:
    """Counts a page that is being made without an account."""
    taken = page_bytes(asdict(page))
    return [
        create(GuestPage(shard=shard_of(page.short_id), short_id=page.short_id, bytes=taken)),
        _summed(page.short_id, taken, limits, pages=1),
    ]


def count_change(page: Shareable, change: int, limits: ShareableLimits) -> list[Write]:
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
        with suppress(ConditionFailed):  # another writer did it in the same moment
            await store.write(*writes)


async def begin(store: Store, shard: int) -> None:
    """Makes the sum of a shard that has none yet."""
    with suppress(ConditionFailed), unmarked():
        await store.write(create(GuestStorage(shard=shard)))


async def usage(store: Store) -> Usage:
    """Returns how much is taken up in all: one request."""
    found = await store.batch_get([GuestStorage.at(shard=shard) for shard in range(SHARDS)])
    there = [one for one in found if one is not None]
    return Usage(sum(one.bytes for one in there), sum(one.pages for one in there))


def _summed(short_id: str, change: int, limits: ShareableLimits, *, pages: int = 0) -> Write:
    sums = {"bytes": add(change), **({"pages": add(pages)} if pages else {})}
    shard = GuestStorage.at(shard=shard_of(short_id))
    fits = at_most(bytes=limits.guest_bytes // SHARDS - change) if change > 0 else None
    return update(shard, **sums, if_=fits)


NAME = "guest storage"


class GuestStorageCheck:
    """Counts what each page takes, and what all of a shard take together."""

    async def examine(self, store: Store, things: Sequence[StoredEntity]) -> AsyncIterator[Problem]:
        """Yields what is counted wrong of these."""
        for thing in things:
            found: tuple[str, list[Write]] | None = None
            match thing.entity:
                case Checklist() | Event() | Poll() as page if page.is_counted:
                    found = await _page(store, page)
                case GuestPage() as entry:
                    found = await _entry(store, entry)
                case GuestStorage() as shard:
                    found = await _sum(store, shard)
            if found is not None:
                detail, repair = found
                yield Problem(NAME, "Shareables", thing.key, detail, tuple(repair))


async def _page(store: Store, page: Shareable) -> tuple[str, list[Write]] | None:
    entry = await store.get(entry_of(page.short_id))
    taken = page_bytes(asdict(page))
    answers: Any
    for answers in (rsvps, poll_votes):
        async for one in store.all(answers(short_id=page.short_id)):
            taken += answer_bytes(one)
    shard = shard_of(page.short_id)
    same = check(page, if_=equal(version=page.version, is_counted=True))
    summed = GuestStorage.at(shard=shard)
    if entry is None:
        entry = GuestPage(shard=shard, short_id=page.short_id, bytes=taken)
        more = update(summed, bytes=add(taken), pages=add(1))
        return "It is not counted.", [same, create(entry), more]
    if entry.bytes == taken:
        return None
    detail = f"It takes {taken:,} bytes with everything on it, but {entry.bytes:,} are counted."
    counted = update(entry, bytes=taken, if_=equal(bytes=entry.bytes))
    return detail, [same, counted, update(summed, bytes=add(taken - entry.bytes))]


async def _entry(store: Store, entry: GuestPage) -> tuple[str, list[Write]] | None:
    page = await store.get(shareable(short_id=entry.short_id))
    if page is not None and page.is_counted:
        return None
    less = update(GuestStorage.at(shard=entry.shard), bytes=add(-entry.bytes), pages=add(-1))
    gone = delete(entry, if_=equal(bytes=entry.bytes))
    return "It counts a page that was deleted or belongs to an account.", [gone, less]


async def _sum(store: Store, shard: GuestStorage) -> tuple[str, list[Write]] | None:
    taken = pages = 0
    async for entry in store.all(guest_pages(shard=shard.shard)):
        taken, pages = taken + entry.bytes, pages + 1
    if (taken, pages) == (shard.bytes, shard.pages):
        return None
    detail = (
        f"{pages} pages take {taken:,} bytes, but {shard.pages} and {shard.bytes:,} are counted."
    )
    right = GuestStorage(shard=shard.shard, bytes=taken, pages=pages)
    return detail, [put(right, if_=equal(bytes=shard.bytes, pages=shard.pages))]
