"""Whether what guests' pages take is counted right: `commonroom check` looks at it.

Entry and sum change in the same write as what they count, so nothing drifts by itself. What was
changed by hand is mended on condition that everything is as it was found.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Any

from msgspec.structs import asdict

from commonroom.shareables.rules.limits import answer_bytes, page_bytes
from commonroom.shareables.service.guest_storage import entry_of, shard_of
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
from commonroom.store import Store, Write, add, check, create, delete, equal, put, update
from commonroom.store.checking import Check, Problem, StoredEntity

NAME = "guest storage"


class GuestStorageCheck:
    """Counts what each page takes, and what all of a shard take together."""

    async def examine(self, store: Store, things: Sequence[StoredEntity]) -> AsyncIterator[Problem]:
        """What is counted wrong of these."""
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


def checks() -> list[Check]:
    """Everything that is looked at in this room besides keys and copies."""
    return [GuestStorageCheck()]


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
