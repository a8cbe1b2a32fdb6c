"""Access patterns of the WorthWatch table, and which of its fields are copies."""

from __future__ import annotations

from commonroom.catalog.tables import Movie, Show, worth_watch
from commonroom.store import begins_with, copies, keys_of, many, one
from commonroom.watchlists.tables.lists import Comment, Watchlist, WatchlistItem
from commonroom.watchlists.tables.people import (
    EmailClaim,
    Profile,
    Rating,
    SavedWatchlist,
    Saver,
)

# The seed's patterns.
profile_by_id = one(worth_watch, "Get user by ID", gives=Profile)
profile_by_email = many(worth_watch, "Get user by email", index="GSI1", gives=Profile)
watchlist_by_id = one(worth_watch, "Get watchlist by ID", gives=Watchlist)
watchlists_of_curator = many(
    worth_watch,
    "Get watchlists by curator",
    index="GSI2",
    newest_first=True,
    gives=Watchlist,
)
public_watchlists = many(
    worth_watch,
    "List all public watchlists",
    index="GSI3",
    partition="{shard}",  # one of `public_shards()`, which are merged
    newest_first=True,
    gives=Watchlist,
)
items_of_watchlist = many(
    worth_watch,
    "Get all items in a watchlist",
    sort=begins_with("ITEM#"),
    gives=WatchlistItem,
)
watchlist_item = one(worth_watch, "Get specific item", gives=WatchlistItem)
saved_watchlists = many(
    worth_watch,
    "Get user's saved watchlists",
    sort=begins_with("SAVED#WATCHLIST#"),
    gives=SavedWatchlist,
)
all_of_type = keys_of(
    many(
        worth_watch,
        "Query all entities of a specific type",
        index="GSI4",
        partition="{entity_type}",
        newest_first=True,
        gives=(Profile, Watchlist, Movie, Show, Comment),
    )
)

# Beyond the seed.
saved_watchlist = one(worth_watch, "Get one saved watchlist", gives=SavedWatchlist)
savers = many(
    worth_watch, "Get everyone who saved a watchlist", sort=begins_with("SAVER#"), gives=Saver
)
rating = one(worth_watch, "Get one rating", gives=Rating)
ratings_of_user = many(
    worth_watch, "Get all ratings of a user", sort=begins_with("RATING#"), gives=Rating
)
comments = many(
    worth_watch,
    "Get comments on a watchlist",
    sort=begins_with("COMMENT#"),
    newest_first=True,
    gives=Comment,
)
everything_of_watchlist = many(
    worth_watch,
    "Get everything of a watchlist",
    gives=(Watchlist, WatchlistItem, Comment, Saver),
)
email_claim = one(worth_watch, "Get who claims an e-mail address", gives=EmailClaim)

# This is what hides a suspended curator's lists, and what brings them back.
copies(
    Profile,
    on=Watchlist,
    fields={"curator_status": "curator_status"},
    refers={"user_id": "curator_id"},
    found=lambda profile: watchlists_of_curator(curator_id=profile.user_id),
)
