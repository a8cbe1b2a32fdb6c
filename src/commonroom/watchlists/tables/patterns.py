"""Access patterns of the WorthWatch table, and which of its fields are copies."""

from __future__ import annotations

from commonroom.store import begins_with, between, copies, keys_of, many, one
from commonroom.titles.tables import Movie, Show, worth_watch
from commonroom.watchlists.tables.discovery import BrowseEntry, ListFacets, Trending
from commonroom.watchlists.tables.lists import (
    Collaboration,
    Comment,
    OwnedList,
    TitleOnList,
    UserComment,
    Watchlist,
    WatchlistItem,
)
from commonroom.watchlists.tables.people import (
    CuratorEntry,
    EmailClaim,
    Follower,
    Following,
    Profile,
    UsernameClaim,
)
from commonroom.watchlists.tables.saves import DaySaves, ListUpdate, SavedWatchlist, Saver

# The data model's patterns.
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

# Beyond the data model.
saved_watchlist = one(worth_watch, "Get one saved watchlist", gives=SavedWatchlist)
savers = many(
    worth_watch, "Get everyone who saved a watchlist", sort=begins_with("SAVER#"), gives=Saver
)
savers_from = many(
    worth_watch,
    "Get those who saved a watchlist, from one on",
    sort=between("SAVER#{user_id}", "SAVER$"),  # which comes behind all of them
    gives=Saver,
)
list_update = one(worth_watch, "Get what followers of a watchlist are told", gives=ListUpdate)
comments = many(
    worth_watch,
    "Get comments on a watchlist",
    sort=begins_with("COMMENT#"),
    newest_first=True,
    gives=Comment,
)
watchlist_with_items = many(
    worth_watch,
    "Get a watchlist with all its items",
    sort=between("ITEM#", "METADATA"),
    gives=(WatchlistItem, Watchlist),
)
everything_of_watchlist = many(
    worth_watch,
    "Get everything of a watchlist",
    gives=(Watchlist, WatchlistItem, Comment, Saver, ListFacets, ListUpdate),
)
list_facets = one(worth_watch, "Get what a watchlist is found under", gives=ListFacets)
lists_with_title = many(
    worth_watch,
    "Get every watchlist that holds a title",
    sort=begins_with("WATCHLIST#"),
    gives=TitleOnList,
)
browse_entries = many(
    worth_watch,
    "Browse public watchlists by tag, genre, decade, title or curator",
    newest_first=True,
    gives=BrowseEntry,
)
saves_of_day = many(worth_watch, "Get how often lists were saved on a day", gives=DaySaves)
trending = one(worth_watch, "Get the lists that many save", gives=Trending)

owned_lists = many(
    worth_watch, "Get all lists of a user", sort=begins_with("WATCHLIST#"), gives=OwnedList
)
collaborations = many(
    worth_watch,
    "Get the lists that a user collaborates on",
    sort=begins_with("COLLABORATES#"),
    gives=Collaboration,
)
following = many(
    worth_watch,
    "Get the curators that a user follows",
    sort=begins_with("FOLLOWING#"),
    gives=Following,
)
followers = many(
    worth_watch,
    "Get everyone who follows a curator",
    sort=begins_with("FOLLOWER#"),
    gives=Follower,
)
followers_from = many(
    worth_watch,
    "Get those who follow a curator, from one on",
    sort=between("FOLLOWER#{user_id}", "FOLLOWER$"),  # which comes behind all of them
    gives=Follower,
)
comments_of_user = many(
    worth_watch, "Get the comments of a user", sort=begins_with("COMMENT#"), gives=UserComment
)
curators_of_status = many(
    worth_watch, "Get curators by status", newest_first=True, gives=CuratorEntry
)
username_claim = one(worth_watch, "Get who claims a username", gives=UsernameClaim)
email_claim = one(worth_watch, "Get who claims an e-mail address", gives=EmailClaim)

# The status is what hides a suspended curator's lists, and what brings them back. The lists are
# found through the base table: one that an index does not have yet would stay.
copies(
    Profile,
    on=Watchlist,
    fields={
        "curator_status": "curator_status",
        "username": "curator_name",
        "avatar_key": "curator_avatar_key",
        "avatar_url": "curator_avatar_url",
    },
    refers={"user_id": "curator_id"},
    found=lambda profile: owned_lists(user_id=profile.user_id),
    carrier=lambda pointer: Watchlist.at(watchlist_id=pointer.watchlist_id),
)
