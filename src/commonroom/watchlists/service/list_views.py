"""A list as the caller sees it: what is on it, and what it is to them."""

from __future__ import annotations

from msgspec import Struct

from commonroom.store import Entity, Ref
from commonroom.titles.titles import TitleId
from commonroom.watchlists.rules.lists import may_edit
from commonroom.watchlists.service.access import ListVisitor, readable_contents
from commonroom.watchlists.tables import (
    Following,
    Profile,
    SavedWatchlist,
    Seen,
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
    seen: frozenset[TitleId] = frozenset()
    """What of it the caller has seen."""

    @property
    def new_count(self) -> int:
        """How much was added since a follower's last visit."""
        return 0 if self.saved is None else new_additions(self.watchlist, self.saved)

    def is_new(self, item: WatchlistItem) -> bool:
        """Returns whether an item was added since a follower's last visit."""
        visited = None if self.saved is None else self.saved.visited_at
        return visited is not None and item.added_at > visited


async def see_list(visitor: ListVisitor, watchlist_id: str) -> ListView:
    """Returns a list with all its items: one request for a guest.

    For the signed-in one more, and again one for every hundred titles.
    """
    found = await readable_contents(visitor, watchlist_id)
    watchlist, me = found.watchlist, visitor.user_id
    if me is None:
        return ListView(watchlist, found.items, is_owner=False, may_edit=False)
    edits = may_edit(watchlist, me)
    refs: list[Ref[Entity]] = [
        SavedWatchlist.at(user_id=me, watchlist_id=watchlist.watchlist_id),
        Following.at(user_id=me, curator_id=watchlist.curator_id),
        *(Seen.at(user_id=me, **TitleId.of(one).key) for one in found.items),
        *(Profile.at(user_id=one) for one in watchlist.collaborator_ids if edits),
    ]
    saved, following, *others = await visitor.store.batch_get(refs)
    return ListView(
        watchlist,
        found.items,
        is_owner=me == watchlist.curator_id,
        may_edit=edits,
        collaborators=[one for one in others if isinstance(one, Profile)],
        saved=saved if isinstance(saved, SavedWatchlist) else None,
        follows_curator=following is not None,
        seen=frozenset(TitleId.of(one) for one in others if isinstance(one, Seen) and one.is_seen),
    )


def new_additions(watchlist: Watchlist, saved: SavedWatchlist) -> int:
    """Returns how much was added to a list since a person's last visit and can still be there."""
    return max(0, min(watchlist.added_count - saved.seen_additions, watchlist.item_count))
