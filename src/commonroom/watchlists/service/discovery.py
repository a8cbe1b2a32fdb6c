"""Discovery: public lists, newest first, by what is in them, or by how many save them."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from commonroom.store import Store
from commonroom.titles.titles import ContentType
from commonroom.watchlists.rules.lists import is_discoverable, is_id
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


class Discovered(Struct, frozen=True):
    """A page of public lists."""

    lists: list[Watchlist]
    cursor: str | None


async def newest(store: Store, *, limit: int = PAGE, cursor: str | None = None) -> Discovered:
    """Public lists, newest first: one request for each shard, at the same time."""
    asked = [public_watchlists(shard=one) for one in public_shards()]
    page = await store.merged(asked, limit=limit, cursor=cursor)
    return Discovered(_shown(page.items), page.cursor)


async def browse(
    store: Store, facet: Facet, value: str, *, limit: int = PAGE, cursor: str | None = None
) -> Discovered:
    """Public lists under a tag, genre, decade, title or curator, newest first: two requests."""
    plain = value.strip().casefold() if facet in ("tag", "genre") else value
    if not is_id(plain):
        return Discovered([], None)
    asked = browse_entries(facet=facet, value=plain)
    page = await store.page(asked, limit=limit, cursor=cursor)
    found = await _get_lists(store, [one.watchlist_id for one in page.items])
    # An entry may be a moment behind its list, which is what counts.
    return Discovered(_shown(found), page.cursor)


async def lists_with(
    store: Store,
    content_type: ContentType,
    content_id: str,
    *,
    limit: int = PAGE,
    cursor: str | None = None,
) -> Discovered:
    """Public lists that hold a title: two requests."""
    return await browse(store, content_type, content_id, limit=limit, cursor=cursor)


async def trending(store: Store, *, limit: int = PAGE, cursor: str | None = None) -> Discovered:
    """Returns the lists that most people saved in the last seven days: two requests."""
    skip: int = 0 if cursor is None else store.open_position(cursor, TRENDING)
    ranking = await store.get(Trending.at())
    ids = [] if ranking is None else [one.watchlist_id for one in ranking.lists]
    end = skip + limit
    found = await _get_lists(store, ids[skip:end])
    following = store.seal_position(end, TRENDING) if end < len(ids) else None
    return Discovered(_shown(found), following)


async def _get_lists(store: Store, ids: Sequence[str]) -> list[Watchlist]:
    found = await store.batch_get([Watchlist.at(watchlist_id=one) for one in ids])
    return [one for one in found if one is not None]


def _shown(lists: Sequence[Watchlist]) -> list[Watchlist]:
    """Without those that nobody may come across, and without those with nothing on them yet."""
    return [one for one in lists if is_discoverable(one) and one.item_count > 0]
