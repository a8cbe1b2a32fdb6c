"""What watchlists store: the seed's one table, named WorthWatch."""

from commonroom.catalog.tables import worth_watch
from commonroom.watchlists.tables.lists import (
    Comment,
    Watchlist,
    WatchlistItem,
    public_shards,
)
from commonroom.watchlists.tables.patterns import (
    all_of_type,
    comments,
    email_claim,
    everything_of_watchlist,
    items_of_watchlist,
    profile_by_email,
    profile_by_id,
    public_watchlists,
    rating,
    ratings_of_user,
    saved_watchlist,
    saved_watchlists,
    savers,
    watchlist_by_id,
    watchlist_item,
    watchlists_of_curator,
)
from commonroom.watchlists.tables.people import (
    CuratorMove,
    CuratorStatus,
    EmailClaim,
    Profile,
    Rating,
    SavedWatchlist,
    Saver,
)

tables = [worth_watch]

__all__ = [
    "Comment",
    "CuratorMove",
    "CuratorStatus",
    "EmailClaim",
    "Profile",
    "Rating",
    "SavedWatchlist",
    "Saver",
    "Watchlist",
    "WatchlistItem",
    "all_of_type",
    "comments",
    "email_claim",
    "everything_of_watchlist",
    "items_of_watchlist",
    "profile_by_email",
    "profile_by_id",
    "public_shards",
    "public_watchlists",
    "rating",
    "ratings_of_user",
    "saved_watchlist",
    "saved_watchlists",
    "savers",
    "tables",
    "watchlist_by_id",
    "watchlist_item",
    "watchlists_of_curator",
    "worth_watch",
]
