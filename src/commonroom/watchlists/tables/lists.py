"""Watchlists, what is on them and what is said about them."""

from __future__ import annotations

import zlib

from msgspec import field

from commonroom.catalog.tables import worth_watch
from commonroom.catalog.titles import ContentType
from commonroom.store import Entity, Keys
from commonroom.watchlists.tables.people import CuratorStatus

PUBLIC_SHARDS = 1
"""How many partitions of GSI3 public lists are written to. It may grow at any time and never
shrink: readers look into every partition that was ever written to."""


def public_shard(watchlist_id: str, is_public: bool, curator_status: CuratorStatus | None) -> str:
    """`true` where it can be discovered, else `false`; with several shards `true#3`, by its id."""
    shown = "true" if is_public and curator_status != "suspended" else "false"
    if PUBLIC_SHARDS == 1:
        return shown
    return f"{shown}#{zlib.crc32(watchlist_id.encode()) % PUBLIC_SHARDS}"


def public_shards() -> list[str]:
    """Every partition of GSI3 that public lists may stand in, to be merged on reading."""
    # The first keeps what was written before there were several.
    several = range(PUBLIC_SHARDS) if PUBLIC_SHARDS > 1 else ()
    return ["true", *(f"true#{shard}" for shard in several)]


class Watchlist(Entity, table=worth_watch, kind="WATCHLIST", rename="camel"):
    """A curated list of films and shows."""

    watchlist_id: str
    curator_id: str
    title: str
    description: str | None = None
    cover_image_url: str | None = None
    is_public: bool = True
    tags: list[str] = field(default_factory=list)
    item_count: int = 0
    created_at: str
    updated_at: str

    # Beyond the seed.
    curator_status: CuratorStatus | None = None
    """A copy of the curator's: nobody discovers a suspended one's list, however public it is."""
    save_count: int = 0

    keys = Keys(PK="WATCHLIST#{watchlist_id}", SK="METADATA", isPublicStr=public_shard)


class WatchlistItem(Entity, table=worth_watch, kind="WATCHLIST_ITEM", rename="camel"):
    """A film or show on a list."""

    watchlist_id: str
    content_type: ContentType
    content_id: str
    position: float
    """Any number: an item that moves between two others takes one between theirs."""
    curator_note: str | None = None
    added_at: str

    keys = Keys(PK="WATCHLIST#{watchlist_id}", SK="ITEM#{content_type}#{content_id}")


class Comment(Entity, table=worth_watch, kind="COMMENT", rename="camel"):
    """What somebody says about a list."""

    watchlist_id: str
    user_id: str
    comment_text: str
    created_at: str
    """To the millisecond; where somebody has taken that one already, the next."""

    keys = Keys(PK="WATCHLIST#{watchlist_id}", SK="COMMENT#{created_at:ms}#{user_id}")
