"""Clearing up after a list that is gone: everything of it, however much, resumable."""

from __future__ import annotations

from commonroom.store import Store, Write, delete
from commonroom.store.limits import REQUEST_OPERATIONS
from commonroom.store.related_writes import mirrors_of
from commonroom.watchlists.service.facets import delete_entries
from commonroom.watchlists.tables import (
    Collaboration,
    ListFacets,
    Watchlist,
    everything_of_watchlist,
)


async def clear_list(store: Store, gone: Watchlist) -> None:
    """Deletes all that a deleted list had: nobody can add to it any more.

    An interrupted run goes on with what is left. Followers keep that they followed it, until
    they dismiss it.
    """
    while await _clear_once(store, gone):
        pass
    # The list knew them all.
    await _write_all(
        store,
        [
            delete(Collaboration.at(user_id=one, watchlist_id=gone.watchlist_id))
            for one in gone.collaborator_ids
        ],
    )


async def _clear_once(store: Store, gone: Watchlist) -> bool:
    writes: list[Write] = []
    found = False
    asked = everything_of_watchlist(watchlist_id=gone.watchlist_id)
    async for one in store.all(asked, limit=REQUEST_OPERATIONS):
        found = True
        if isinstance(one, ListFacets):
            # Its entries are found by it alone, so it goes after them.
            entries = delete_entries(one.watchlist_id, one.listed_at, one.facets)
            await _write_all(store, [*entries, delete(one)])
            continue
        more = [delete(one), *(delete(it) for it in mirrors_of(one))]
        if len(writes) + len(more) > REQUEST_OPERATIONS:
            await store.write(*writes)
            writes.clear()
        writes += more
    await _write_all(store, writes)
    return found


async def _write_all(store: Store, writes: list[Write]) -> None:
    for start in range(0, len(writes), REQUEST_OPERATIONS):
        await store.write(*writes[start : start + REQUEST_OPERATIONS])
