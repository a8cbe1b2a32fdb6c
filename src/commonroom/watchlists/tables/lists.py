"""Watchlists, what is on them and what is said about them."""

from __future__ import annotations

import zlib

from msgspec import Struct, field

from commonroom.store import Entity, Keys, begins_with, between, copies, keys_of, many, one
from commonroom.titles.tables import Movie, Show, worth_watch
from commonroom.titles.titles import ContentType
from commonroom.watchlists.tables.discovery import ListFacets, ListUpdate, Saver
from commonroom.watchlists.tables.people import CuratorStatus, Profile

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
    """Returns every partition of GSI3 that public lists may stand in, to be merged on reading."""
    # The first keeps what was written before there were several.
    several = range(PUBLIC_SHARDS) if PUBLIC_SHARDS > 1 else ()
    return ["true", *(f"true#{shard}" for shard in several)]


class Poster(Struct, rename="camel", omit_defaults=True, frozen=True, kw_only=True):
    """What a list's card shows of one of its first titles."""

    content_type: ContentType
    content_id: str
    title: str
    year: int | None = None
    genres: list[str] = field(default_factory=list)
    """What is drawn where there is no poster."""
    poster_url: str | None = None


class Watchlist(Entity, table=worth_watch, kind="WATCHLIST", rename="camel"):
    """A curated list of films and shows."""

    watchlist_id: str
    curator_id: str
    title: str
    description: str | None = None
    cover_image_url: str | None = None
    """The address of a picture that its owner chose, which pages show from this server; else the
    poster of `cover_title`, where it has one."""
    is_public: bool = True
    tags: list[str] = field(default_factory=list)
    item_count: int = 0
    created_at: str
    """When it was begun or, of one that was private at first, when it was first published: new is
    what others can see for the first time."""
    updated_at: str

    # Beyond the data model.
    curator_status: CuratorStatus | None = None
    """A copy of the curator's: nobody discovers a suspended one's list, however public it is."""
    curator_name: str | None = None
    curator_avatar_key: str | None = None
    curator_avatar_url: str | None = None
    is_numbered: bool = False
    cover_title: str | None = None
    """The title that was chosen for the cover, such as `MOVIE#603`; None: drawn from the first."""
    begun_at: str | None = None
    published_at: str | None = None
    """When it was first public."""
    announced_at: str | None = None
    """When the curator's followers were told of it, once."""
    announced_to: str | None = None
    """Until whom of them, in the order of their ids, while that goes on."""
    save_count: int = 0
    comment_count: int = 0
    added_count: int = 0
    """How often something was added, ever: visitors remember it, and see what is new."""
    last_position: int = 0
    """No item stands behind this."""
    revision: int = 0
    """Raised with every change of its items; adding and ordering hold it by a condition."""
    posters: list[Poster] = field(default_factory=list)
    """What its card shows: its first titles, kept by a consumer."""
    genres: list[str] = field(default_factory=list)
    """What most of its titles are, kept by a consumer."""
    collaborator_ids: list[str] = field(default_factory=list)
    """Who else may add, note and order."""
    view_key_digest: str | None = None
    """Of the key in the link that opens a private list."""
    join_key_digest: str | None = None
    """Of the key in the link that makes its users collaborators."""
    copied_from: str | None = None
    is_being_copied: bool = False
    """Whether items of the original are still to come."""
    version: int = 1

    unversioned = frozenset(
        {
            "item_count",
            "save_count",
            "comment_count",
            "added_count",
            "last_position",
            "revision",
            "posters",
            "genres",
            "announced_at",
            "announced_to",
            "updated_at",
            "is_being_copied",
        }
    )
    keys = Keys(PK="WATCHLIST#{watchlist_id}", SK="METADATA", isPublicStr=public_shard)


class WatchlistItem(Entity, table=worth_watch, kind="WATCHLIST_ITEM", rename="camel"):
    """A film or show on a list."""

    watchlist_id: str
    content_type: ContentType
    content_id: str
    position: int
    """With gaps: an item that moves between two others takes a number between theirs."""
    curator_note: str | None = None
    added_at: str

    # Beyond the data model: who added it, and copies of what a list shows of the title.
    added_by: str | None = None
    title: str = ""
    year: int | None = None
    genres: list[str] = field(default_factory=list)
    poster_url: str | None = None
    runtime: int | None = None
    """Minutes, of a film."""
    number_of_seasons: int | None = None

    keys = Keys(PK="WATCHLIST#{watchlist_id}", SK="ITEM#{content_type}#{content_id}")


class TitleOnList(Entity, table=worth_watch, kind="TITLE_ON_LIST", rename="camel"):
    """The way from a title to every list that holds it, private ones included."""

    content_type: ContentType
    content_id: str
    watchlist_id: str

    keys = Keys(PK="{content_type}#{content_id}", SK="WATCHLIST#{watchlist_id}")


class OwnedList(Entity, table=worth_watch, kind="USER_WATCHLIST", rename="camel"):
    """The way from a person to a list of theirs, in the base table: an index may lag behind."""

    user_id: str
    watchlist_id: str

    keys = Keys(PK="USER#{user_id}", SK="WATCHLIST#{watchlist_id}")


class Collaboration(Entity, table=worth_watch, kind="USER_COLLABORATION", rename="camel"):
    """The way from a person to a list that they collaborate on."""

    user_id: str
    watchlist_id: str
    joined_at: str

    keys = Keys(PK="USER#{user_id}", SK="COLLABORATES#{watchlist_id}")


class Comment(Entity, table=worth_watch, kind="COMMENT", rename="camel"):
    """A comment on a list."""

    watchlist_id: str
    user_id: str
    comment_text: str
    created_at: str
    """To the millisecond; where that one is taken already, the next."""

    # Beyond the data model.
    list_owner_id: str | None = None
    """Who is told of it: what they were told goes with it, also when the list is gone before."""

    keys = Keys(PK="WATCHLIST#{watchlist_id}", SK="COMMENT#{created_at:ms}#{user_id}")


class UserComment(Entity, table=worth_watch, kind="USER_COMMENT", rename="camel"):
    """The way from a person to a comment of theirs; written and removed with it."""

    user_id: str
    watchlist_id: str
    commented_at: str
    """The comment's `created_at`; not called so, because GSI4 would list it."""

    keys = Keys(PK="USER#{user_id}", SK="COMMENT#{commented_at:ms}#{watchlist_id}")


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
watchlist_with_items = many(
    worth_watch,
    "Get a watchlist with all its items",
    sort=between("ITEM#", "METADATA"),
    gives=(WatchlistItem, Watchlist),
)
lists_with_title = many(
    worth_watch,
    "Get every watchlist that holds a title",
    sort=begins_with("WATCHLIST#"),
    gives=TitleOnList,
)
owned_lists = many(
    worth_watch, "Get all lists of a user", sort=begins_with("WATCHLIST#"), gives=OwnedList
)
collaborations = many(
    worth_watch,
    "Get the lists that a user collaborates on",
    sort=begins_with("COLLABORATES#"),
    gives=Collaboration,
)
comments = many(
    worth_watch,
    "Get comments on a watchlist",
    sort=begins_with("COMMENT#"),
    newest_first=True,
    gives=Comment,
)
comments_of_user = many(
    worth_watch, "Get the comments of a user", sort=begins_with("COMMENT#"), gives=UserComment
)
everything_of_watchlist = many(
    worth_watch,
    "Get everything of a watchlist",
    gives=(Watchlist, WatchlistItem, Comment, Saver, ListFacets, ListUpdate),
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
