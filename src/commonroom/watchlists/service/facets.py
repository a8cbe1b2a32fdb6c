"""Facets of lists: what each is found under is compared with what it should be, and made so."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from msgspec import Struct

from commonroom.errors import NotFound
from commonroom.store import (
    ConditionFailed,
    Store,
    Write,
    as_read,
    check,
    delete,
    new,
    put,
    stored,
    update,
)
from commonroom.store.limits import REQUEST_OPERATIONS
from commonroom.titles.builtin import known_title
from commonroom.titles.service import BOTH
from commonroom.titles.stored_titles import title_ref
from commonroom.titles.titles import TitleId
from commonroom.watchlists.rules.facets import entry, facets_of, genres_of, posters_of
from commonroom.watchlists.service.access import ListContents, get_contents, retry
from commonroom.watchlists.tables import ListFacets, Watchlist

BATCH = REQUEST_OPERATIONS - 2
"""How many entries change in one transaction, besides the list and what is kept of its facets."""


class FacetChange(Struct, frozen=True):
    """A step towards the entries that a list should have."""

    before: ListFacets | None
    after: ListFacets | None
    removed: list[str]
    added: list[str]


async def refresh_facets(store: Store, watchlist_id: str) -> None:
    """Updates a list's entries and card to what is on it; it may run twice.

    Each transaction holds the list as it was read. So no entry is made for a list that is gone or
    has turned private, and an interrupted run goes on with what is left.
    """
    with suppress(NotFound):
        while not await _refresh_some(store, watchlist_id):
            pass


@retry
async def _refresh_some(store: Store, watchlist_id: str) -> bool:
    """Takes a step towards that; says whether it was the last."""
    found = await get_contents(store, watchlist_id)
    kept = await store.get(ListFacets.at(watchlist_id=watchlist_id))
    change = facet_change(found, kept)
    card = card_changes(found)
    if change is not None or card:
        await store.write(*describing_writes(found.watchlist, change, card))
    if change is not None:
        await list_titles(store, change.added)
    return change is None


async def list_titles(store: Store, facets: Iterable[str]) -> None:
    """Publishes titles that only a person's file told of, now that a list shows them.

    One request where there may be some: those that come with Commonroom are never unlisted.
    """
    ids = [TitleId.parse(one) for one in facets if one.partition("#")[0] in BOTH]
    unknown = [one for one in ids if known_title(one) is None]
    for title in await store.batch_get([title_ref(one) for one in unknown]):
        if title is not None and title.is_unlisted:
            with suppress(ConditionFailed):  # it has just been removed
                await store.write(update(title.ref, is_unlisted=False, if_=stored))


def facet_change(found: ListContents, kept: ListFacets | None) -> FacetChange | None:
    """Returns the next step towards the entries that a list should have; None where it has them.

    Where lists are listed by another moment than before, all entries go first.
    """
    listed_at = found.watchlist.created_at
    has = set() if kept is None else set(kept.facets)
    wanted = facets_of(found.watchlist, found.items)
    if kept is not None and kept.listed_at != listed_at and has:
        listed_at, wanted = kept.listed_at, set()
    if has == wanted:
        return None
    removed = sorted(has - wanted)[:BATCH]
    added = sorted(wanted - has)[: BATCH - len(removed)]
    left = (has - set(removed)) | set(added)
    after = ListFacets(
        watchlist_id=found.watchlist.watchlist_id,
        listed_at=listed_at,
        facets=sorted(left),
        version=1 if kept is None else kept.version + 1,
    )
    return FacetChange(kept, after if left else None, removed, added)


def card_changes(found: ListContents) -> dict[str, Any]:
    """Returns what a list's card should show otherwise."""
    wanted = {
        "posters": posters_of(found.watchlist, found.items),
        "genres": genres_of(found.items),
    }
    return {name: it for name, it in wanted.items() if getattr(found.watchlist, name) != it}


def describing_writes(
    watchlist: Watchlist, change: FacetChange | None, card: dict[str, Any]
) -> list[Write]:
    """Returns what takes a step, on condition that the list is as it was read."""
    same = as_read(watchlist, "version", "revision")
    held = update(watchlist.ref, if_=same, **card) if card else check(watchlist, if_=same)
    return [held, *([] if change is None else _entry_writes(watchlist.watchlist_id, change))]


def _entry_writes(watchlist_id: str, change: FacetChange) -> list[Write]:
    before, after = change.before, change.after
    writes: list[Write] = []
    if before is not None:
        writes += delete_entries(watchlist_id, before.listed_at, change.removed)
    if after is None:
        return [*writes, delete(before, if_=as_read(before, "version"))] if before else writes
    same = new if before is None else as_read(before, "version")
    entries = [entry(one, after.listed_at, watchlist_id) for one in change.added]
    return [*writes, put(after, if_=same), *map(put, entries)]


def delete_entries(watchlist_id: str, listed_at: str, facets: Iterable[str]) -> list[Write]:
    """Returns what takes a list's entries away."""
    return [delete(entry(one, listed_at, watchlist_id)) for one in facets]
