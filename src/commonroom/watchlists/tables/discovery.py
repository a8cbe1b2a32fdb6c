"""What public lists are found under, and those that many save."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct, field

from commonroom.store import Entity, Keys, many, one
from commonroom.titles.tables import worth_watch

Facet: TypeAlias = Literal["tag", "genre", "decade", "MOVIE", "SHOW", "curator"]


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


list_facets = one(worth_watch, "Get what a watchlist is found under", gives=ListFacets)
browse_entries = many(
    worth_watch,
    "Browse public watchlists by tag, genre, decade, title or curator",
    newest_first=True,
    gives=BrowseEntry,
)
trending = one(worth_watch, "Get the lists that many save", gives=Trending)
