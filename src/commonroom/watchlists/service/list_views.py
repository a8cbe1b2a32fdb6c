"""A list as whoever looks sees it: what is on it, and what it is to them."""

from __future__ import annotations

from msgspec import Struct

from commonroom.store import Entity, Ref
from commonroom.watchlists.rules.lists import may_edit, may_read
from commonroom.watchlists.service.access import Visitor, get_contents, no_such_list
from commonroom.watchlists.tables import (
    Following,
    Profile,
    SavedWatchlist,
    Watchlist,
    WatchlistItem,
)


class ListView(Struct, frozen=True):
    """Everything that a list's page shows."""

    watchlist: Watchlist
    items: list[WatchlistItem]
    is_owner: bool
    may_edit: bool
    collaborators: list[Profile] = []
    """For those who may edit; others see no names."""
    saved: SavedWatchlist | None = None
    follows_curator: bool = False

    @property
    def new_count(self) -> int:
        """How much was added since a follower's last visit."""
        return 0 if self.saved is None else new_additions(self.watchlist, self.saved)

    def is_new(self, item: WatchlistItem) -> bool:
        """Whether an item was added since a follower's last visit."""
        visited = None if self.saved is None else self.saved.visited_at
        return visited is not None and item.added_at > visited


async def see_list(visitor: Visitor, watchlist_id: str) -> ListView:
    """A list with all its items: one request for a guest, two for whoever is signed in."""
    found = await get_contents(visitor.store, watchlist_id)
    watchlist, me = found.watchlist, visitor.user_id
    if not may_read(watchlist, me, visitor.view_key):
        raise no_such_list()
    if me is None:
        return ListView(watchlist, found.items, is_owner=False, may_edit=False)
    edits = may_edit(watchlist, me)
    refs: list[Ref[Entity]] = [
        SavedWatchlist.at(user_id=me, watchlist_id=watchlist.watchlist_id),
        Following.at(user_id=me, curator_id=watchlist.curator_id),
        *(Profile.at(user_id=one) for one in watchlist.collaborator_ids if edits),
    ]
    saved, following, *profiles = await visitor.store.batch_get(refs)
    return ListView(
        watchlist,
        found.items,
        is_owner=me == watchlist.curator_id,
        may_edit=edits,
        collaborators=[one for one in profiles if isinstance(one, Profile)],
        saved=saved if isinstance(saved, SavedWatchlist) else None,
        follows_curator=following is not None,
    )


def new_additions(watchlist: Watchlist, saved: SavedWatchlist) -> int:
    """How much was added to a list since somebody's last visit and can still be there."""
    return max(0, min(watchlist.added_count - saved.seen_additions, watchlist.item_count))
