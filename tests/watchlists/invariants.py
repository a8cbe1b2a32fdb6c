"""What must always be true of watchlists, worked out from what is stored and from nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable

from commonroom.store.engine import Engine
from commonroom.watchlists.rules.facets import facets_of, posters_of
from commonroom.watchlists.tables import (
    BrowseEntry,
    Collaboration,
    Comment,
    CuratorEntry,
    EmailClaim,
    Follower,
    Following,
    ListFacets,
    OwnedList,
    Profile,
    SavedWatchlist,
    Saver,
    TitleOnList,
    UserComment,
    UsernameClaim,
    Watchlist,
    WatchlistItem,
)
from tests.watchlists.examples import everything_of


async def check_room(engine: Engine, *, tidy: bool = True) -> None:
    """Holds all of it; what is cleared up and carried later, only where tidy."""
    lists = {one.watchlist_id: one for one in await everything_of(engine, Watchlist)}
    profiles = {one.user_id: one for one in await everything_of(engine, Profile)}
    await _check_lists(engine, lists, tidy=tidy)
    await _check_pairs(engine, lists, tidy=tidy)
    await _check_profiles(engine, lists, profiles)
    if tidy:
        await _check_nothing_left(engine, lists)
        await _check_discovery(engine, lists, profiles)


async def _check_lists(engine: Engine, lists: dict[str, Watchlist], *, tidy: bool) -> None:
    items = _by_list(await everything_of(engine, WatchlistItem))
    comments = _by_list(await everything_of(engine, Comment))
    savers = _by_list(await everything_of(engine, Saver))
    for one in lists.values():
        mine = items.get(one.watchlist_id, [])
        assert one.item_count == len(mine), "the count of items is exact"
        assert one.added_count >= one.item_count
        positions = [it.position for it in mine if isinstance(it, WatchlistItem)]
        assert len(set(positions)) == len(positions), "no two stand at one place"
        assert max(positions, default=0) <= one.last_position
        assert one.comment_count == len(comments.get(one.watchlist_id, []))
        assert one.save_count == len(savers.get(one.watchlist_id, []))
        assert len(one.collaborator_ids) <= 20
        assert not (tidy and one.is_being_copied)


def _by_list(
    things: Iterable[WatchlistItem | Comment | Saver],
) -> dict[str, list[WatchlistItem | Comment | Saver]]:
    found: dict[str, list[WatchlistItem | Comment | Saver]] = {}
    for one in things:
        found.setdefault(one.watchlist_id, []).append(one)
    return found


async def _check_pairs(engine: Engine, lists: dict[str, Watchlist], *, tidy: bool) -> None:
    """Both sides of everything that has two."""
    there = lists if not tidy else None

    def of_lists(pairs: Iterable[tuple[str, Hashable]]) -> set[tuple[str, Hashable]]:
        return {pair for pair in pairs if there is None or pair[0] in there}

    items = await everything_of(engine, WatchlistItem)
    pointers = await everything_of(engine, TitleOnList)
    assert of_lists((one.watchlist_id, (one.content_type, one.content_id)) for one in items) == (
        of_lists((one.watchlist_id, (one.content_type, one.content_id)) for one in pointers)
    )
    comments = await everything_of(engine, Comment)
    said = await everything_of(engine, UserComment)
    assert of_lists((one.watchlist_id, (one.user_id, one.created_at)) for one in comments) == (
        of_lists((one.watchlist_id, (one.user_id, one.commented_at)) for one in said)
    )
    joined = await everything_of(engine, Collaboration)
    assert of_lists((one.watchlist_id, one.user_id) for one in joined) == {
        (one.watchlist_id, user_id) for one in lists.values() for user_id in one.collaborator_ids
    }
    saved = await everything_of(engine, SavedWatchlist)
    savers = await everything_of(engine, Saver)
    assert {(one.watchlist_id, one.user_id) for one in saved if one.watchlist_id in lists} == {
        (one.watchlist_id, one.user_id) for one in savers if one.watchlist_id in lists
    }
    owned = await everything_of(engine, OwnedList)
    assert {(one.watchlist_id, one.user_id) for one in owned} == {
        (one.watchlist_id, one.curator_id) for one in lists.values()
    }


async def _check_profiles(
    engine: Engine, lists: dict[str, Watchlist], profiles: dict[str, Profile]
) -> None:
    owners = Counter(one.curator_id for one in lists.values())
    public = Counter(one.curator_id for one in lists.values() if one.is_public)
    followers = await everything_of(engine, Follower)
    followed = Counter(one.curator_id for one in followers)
    following = await everything_of(engine, Following)
    assert {(one.curator_id, one.user_id) for one in following if one.curator_id in profiles} == {
        (one.curator_id, one.user_id) for one in followers if one.curator_id in profiles
    }
    for one in profiles.values():
        assert one.list_count == owners[one.user_id]
        assert one.public_list_count == public[one.user_id]
        assert one.follower_count == followed[one.user_id]
    names = await everything_of(engine, UsernameClaim)
    assert {(one.username, one.user_id) for one in names} == {
        (one.username, one.user_id) for one in profiles.values()
    }
    addresses = await everything_of(engine, EmailClaim)
    assert {(one.address, one.user_id) for one in addresses} == {
        (one.email, one.user_id) for one in profiles.values() if one.email is not None
    }
    entries = await everything_of(engine, CuratorEntry)
    assert {(one.status, one.since, one.user_id) for one in entries} == {
        (one.curator_status, one.curator_since, one.user_id)
        for one in profiles.values()
        if one.curator_status is not None
    }


async def _check_nothing_left(engine: Engine, lists: dict[str, Watchlist]) -> None:
    for kind in (WatchlistItem, Comment, Saver, ListFacets, BrowseEntry, TitleOnList):
        found = {one.to_item()["watchlistId"] for one in await everything_of(engine, kind)}
        assert found <= lists.keys(), f"{kind.__name__} of no list"


async def _check_discovery(
    engine: Engine, lists: dict[str, Watchlist], profiles: dict[str, Profile]
) -> None:
    items = _by_list(await everything_of(engine, WatchlistItem))
    kept = {one.watchlist_id: one for one in await everything_of(engine, ListFacets)}
    entries = await everything_of(engine, BrowseEntry)
    expected = set()
    for one in lists.values():
        profile = profiles[one.curator_id]
        assert (one.curator_status, one.curator_name) == (profile.curator_status, profile.username)
        mine = [it for it in items.get(one.watchlist_id, []) if isinstance(it, WatchlistItem)]
        facets = facets_of(one, mine)
        assert set(kept[one.watchlist_id].facets if one.watchlist_id in kept else []) == facets
        expected |= {(one.watchlist_id, one.created_at, facet) for facet in facets}
        assert one.posters == posters_of(one, mine)
    assert expected == {
        (one.watchlist_id, one.listed_at, f"{one.facet}#{one.value}") for one in entries
    }
