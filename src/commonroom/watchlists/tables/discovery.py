"""Who saved public lists, what these are found under, and those that many save."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct, field

from commonroom.store import Entity, Keys, begins_with, between, many, one
from commonroom.titles.tables import worth_watch

Facet: TypeAlias = Literal["tag", "genre", "decade", "MOVIE", "SHOW", "curator"]


class SavedWatchlist(Entity, table=worth_watch, kind="USER_SAVED_WATCHLIST", rename="camel"):
    """A list that a person follows."""

    user_id: str
    watchlist_id: str
    saved_at: str

    # Beyond the data model.
    title: str | None = None
    """As it was when last seen: what is shown once the list is no longer available."""
    seen_additions: int = 0
    """The list's `added_count` at the last visit: what it has more is new."""
    visited_at: str | None = None

    keys = Keys(PK="USER#{user_id}", SK="SAVED#WATCHLIST#{watchlist_id}")


class Saver(Entity, table=worth_watch, kind="WATCHLIST_SAVER", rename="camel"):
    """The way back from a list to those who saved it; written and removed with `SavedWatchlist`."""

    watchlist_id: str
    user_id: str
    saved_at: str

    keys = Keys(PK="WATCHLIST#{watchlist_id}", SK="SAVER#{user_id}")


class ListUpdate(Entity, table=worth_watch, kind="WATCHLIST_UPDATE", rename="camel"):
    """Which additions a list's followers are told of: the round that waits or is under way.

    Beyond the data model: a follower is told once a day at most, however much is added.
    """

    watchlist_id: str
    since: str
    """What was added from then on is news in this round."""
    due_at: str | None = None
    """When its timer was set for; None where nothing waits to be told."""
    begun_at: str | None = None
    """When telling began; None while it waits."""
    told_to: str | None = None
    """Until which follower, in the order of their ids, while that goes on."""
    told_at: str | None = None
    """When the last follower was told in the last round."""
    added_count: int = 0
    """The list's when telling began: what it has more belongs to the next round."""

    keys = Keys(PK="WATCHLIST#{watchlist_id}", SK="UPDATE")


class DaySaves(Entity, table=worth_watch, kind="DAY_SAVES", rename="camel"):
    """How many of those who saved a list on a day still do."""

    day: str
    """Such as `2026-05-31`, in UTC."""
    watchlist_id: str
    saves: int = 0

    keys = Keys(PK="SAVES#{day}", SK="{watchlist_id}")


class BrowseEntry(Entity, table=worth_watch, kind="BROWSE_ENTRY", rename="camel"):
    """A public list under one of its facets: a tag, a genre, a decade, a title, its curator."""

    facet: Facet
    value: str
    """A tag or genre in lower case, a decade such as `1990`, the id of a title or of a curator."""
    listed_at: str
    """The list's `created_at`; not called so, because GSI4 would list every entry."""
    watchlist_id: str

    keys = Keys(PK="BROWSE#{facet}#{value}", SK="{listed_at:ms}#{watchlist_id}")


class ListFacets(Entity, table=worth_watch, kind="WATCHLIST_FACETS", rename="camel"):
    """The entries that a list has; they change together with this, and with nothing else."""

    watchlist_id: str
    listed_at: str
    facets: list[str] = field(default_factory=list)
    """Facet and value of each entry: `tag#noir`, `MOVIE#603`."""
    version: int = 1

    keys = Keys(PK="WATCHLIST#{watchlist_id}", SK="FACETS")


class TrendingList(Struct, rename="camel", frozen=True):
    """A list and how many saved it lately."""

    watchlist_id: str
    saves: int


class Trending(Entity, table=worth_watch, kind="TRENDING", rename="camel"):
    """The lists that most people saved in the last seven days, best first."""

    ranked_at: str
    lists: list[TrendingList] = field(default_factory=list)

    keys = Keys(PK="TRENDING", SK="LISTS")


saved_watchlists = many(
    worth_watch,
    "Get user's saved watchlists",
    sort=begins_with("SAVED#WATCHLIST#"),
    gives=SavedWatchlist,
)
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
saves_of_day = many(worth_watch, "Get how often lists were saved on a day", gives=DaySaves)
list_facets = one(worth_watch, "Get what a watchlist is found under", gives=ListFacets)
browse_entries = many(
    worth_watch,
    "Browse public watchlists by tag, genre, decade, title or curator",
    newest_first=True,
    gives=BrowseEntry,
)
trending = one(worth_watch, "Get the lists that many save", gives=Trending)
