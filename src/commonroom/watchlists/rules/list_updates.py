"""What is new on a list for a follower, and how it is told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from commonroom.accounts.service.blocks import has_blocked
from commonroom.accounts.tables import User
from commonroom.watchlists.rules.lists import may_read
from commonroom.watchlists.tables import SavedWatchlist, Watchlist, WatchlistItem

MAX_NAMED = 3
"""How many of the titles a notification names."""
MAX_NAME = 60


class Additions(Struct, frozen=True):
    """A list with what is on it, and those who add to it."""

    watchlist: Watchlist
    items: Sequence[WatchlistItem]
    editors: Mapping[str, User]
    """The owner and collaborators, by their ids."""

    def new_for(self, person: User, saved: SavedWatchlist) -> list[WatchlistItem]:
        """Returns what others added since a follower's last visit, the newest first.

        Nothing where the follower may no longer read the list, nor where one of the follower and
        the person who added it has blocked the other.
        """
        owner = self.watchlist.curator_id
        if not may_read(self.watchlist, person.user_id) or self._is_cut_off(person, owner):
            return []
        if saved.seen_additions >= self.watchlist.added_count:
            return []
        seen_until = saved.visited_at or saved.saved_at
        found = [
            one
            for one in self.items
            if one.added_at > seen_until
            and one.added_by != person.user_id
            and not self._is_cut_off(person, one.added_by)
        ]
        return sorted(found, key=lambda one: (one.added_at, one.position), reverse=True)

    def _is_cut_off(self, person: User, editor_id: str | None) -> bool:
        editor = self.editors.get(editor_id or "")
        return has_blocked(person, editor_id) or (
            editor is not None and has_blocked(editor, person.user_id)
        )


def facts_of(watchlist: Watchlist, items: Sequence[WatchlistItem]) -> dict[str, str]:
    """Returns what a notification of these additions is made of."""
    named = [one.title[:MAX_NAME] for one in items[:MAX_NAMED]]
    return {"list": watchlist.title, "n": str(len(items)), "titles": "\n".join(named)}


def has_news(items: Sequence[WatchlistItem], since: str) -> bool:
    """Returns whether any of these was added from a moment on."""
    return any(one.added_at >= since for one in items)
