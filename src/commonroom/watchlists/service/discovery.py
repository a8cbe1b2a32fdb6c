"""Discovery: public lists, newest first, by what is in them, or by how many save them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from commonroom.store import Page, Store
from commonroom.watchlists.rules.lists import is_discoverable, is_id
from commonroom.watchlists.service.access import load_lists
from commonroom.watchlists.tables import (
    Facet,
    Trending,
    Watchlist,
    browse_entries,
    public_shards,
    public_watchlists,
)

PAGE = 24
TRENDING = "trending"
"""What cursors of that page are good for."""


async def newest(store: Store, *, limit: int = PAGE, cursor: str | None = None) -> Page[Watchlist]:
    """Public lists, newest first: one request for each shard, at the same time."""
    asked = [public_watchlists(shard=one) for one in public_shards()]
    page = await store.merged(asked, limit=limit, cursor=cursor)
    return Page(_shown(page.items), page.seal)


async def browse(
    store: Store, facet: Facet, value: str, *, limit: int = PAGE, cursor: str | None = None
) -> Page[Watchlist]:
    """Public lists under a tag, genre, decade, title or curator, newest first: two requests."""
    plain = value.strip().casefold() if facet in ("tag", "genre") else value
    if not is_id(plain):
        return Page([], None)
    asked = browse_entries(facet=facet, value=plain)
    page = await store.page(asked, limit=limit, cursor=cursor)
    found = await load_lists(store, [one.watchlist_id for one in page.items])
    # An entry may be a moment behind its list, which is what counts.
    return Page(_shown(found), page.seal)


async def trending(
    store: Store, *, limit: int = PAGE, cursor: str | None = None
) -> Page[Watchlist]:
    """Returns the lists that most people saved in the last seven days: two requests."""
    skip: int = 0 if cursor is None else store.open_position(cursor, TRENDING)
    ranking = await store.get(Trending.at())
    ids = [] if ranking is None else [one.watchlist_id for one in ranking.lists]
    end = skip + limit
    found = await load_lists(store, ids[skip:end])
    following = partial(store.seal_position, end, TRENDING) if end < len(ids) else None
    return Page(_shown(found), following)


def _shown(lists: Sequence[Watchlist]) -> list[Watchlist]:
    """Without those that nobody may come across, and without those with nothing on them yet."""
    return [one for one in lists if is_discoverable(one) and one.item_count > 0]
