"""Counts and positions: lists and profiles count what they have; no two items share a place."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence

from msgspec import Struct

from commonroom.store import Ref, Store, as_read, update
from commonroom.store.checking import Problem
from commonroom.store.checking.each import read_originals
from commonroom.store.checking.relations import find_miscounted
from commonroom.store.checking.snapshots import SnapshotCheck
from commonroom.watchlists.rules.lists import first_double, in_order, spread_behind
from commonroom.watchlists.service.moves import spread_writes
from commonroom.watchlists.tables import (
    Follower,
    Following,
    OwnedList,
    Profile,
    SavedWatchlist,
    Watchlist,
    WatchlistItem,
    comments,
    followers,
    items_of_watchlist,
    owned_lists,
    savers,
)


class ListSnapshot(Struct, frozen=True):
    """What is stored of a list or a profile."""

    counts: dict[str, int]
    """What it should say."""
    items: Sequence[WatchlistItem] = ()
    """What is on a list, in its order."""


async def _take_snapshot(store: Store, one: Watchlist | Profile) -> ListSnapshot:
    if isinstance(one, Profile):
        return ListSnapshot(await _counts_of_profile(store, one))
    at = {"watchlist_id": one.watchlist_id}
    items = in_order([it async for it in store.all(items_of_watchlist(**at))])
    counts = {
        "item_count": len(items),
        "added_count": max(one.added_count, len(items)),
        "comment_count": len([it async for it in store.all(comments(**at))]),
        "save_count": len([it async for it in followers_of(store, one)]),
    }
    return ListSnapshot(counts, items)


def _find_problems(one: Watchlist | Profile, snapshot: ListSnapshot) -> Iterator[Problem]:
    yield from find_miscounted(one, snapshot.counts)
    if isinstance(one, Watchlist) and snapshot.items:
        yield from _misplaced(one, snapshot.items)


def _misplaced(one: Watchlist, items: Sequence[WatchlistItem]) -> Iterator[Problem]:
    """Items that stand at the place of another, and a list that does not know its last one."""
    first, last = first_double([it.position for it in items]), items[-1].position
    if first is not None:
        detail = f"“{items[first].title}” stands at the same place as another."
        for _, writes in spread_writes(one, items, spread_behind(len(items), first, last)):
            yield Problem.of("positions", one, detail, *writes)
    elif one.last_position < last:
        held = as_read(one, "revision", "last_position")
        repair = update(one.ref, last_position=last, if_=held)
        yield Problem.of("positions", one, "It does not know its last place.", repair)


async def _counts_of_profile(store: Store, one: Profile) -> dict[str, int]:
    owned, known = owned_lists(user_id=one.user_id), followers(curator_id=one.user_id)
    lists = [it async for it in read_originals(store, owned, _list_of)]
    mine = [it for it in lists if it.curator_id == one.user_id]
    return {
        "list_count": len(mine),
        "public_list_count": sum(it.is_public for it in mine),
        "follower_count": len([it async for it in read_originals(store, known, _following_of)]),
    }


def _list_of(owned: OwnedList) -> Ref[Watchlist]:
    return Watchlist.at(watchlist_id=owned.watchlist_id)


def _following_of(follower: Follower) -> Ref[Following]:
    return Following.at(user_id=follower.user_id, curator_id=follower.curator_id)


def followers_of(store: Store, one: Watchlist) -> AsyncIterator[SavedWatchlist]:
    """Those who follow a list, and know that they do."""
    return read_originals(
        store,
        savers(watchlist_id=one.watchlist_id),
        lambda it: SavedWatchlist.at(user_id=it.user_id, watchlist_id=it.watchlist_id),
    )


COUNTS = SnapshotCheck((Watchlist, Profile), _take_snapshot, _find_problems)
