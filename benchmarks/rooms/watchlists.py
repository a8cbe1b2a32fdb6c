"""What is measured of watchlists: a stranger discovers lists, and reads one of a hundred titles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from operator import attrgetter

from msgspec import Struct

from benchmarks.rooms.declare import CURSOR, Address, BareFile, Handler, House, RoomViews, View
from commonroom.catalog.tables import worth_watch
from commonroom.moments import iso
from commonroom.store import Entity
from commonroom.watchlists.api import views
from commonroom.watchlists.tables import Poster, Watchlist, WatchlistItem

LISTS, PAGE, TITLES = 500, 24, 100
CURATOR = "0b6bb2e5-7f3f-4c06-9a55-0d8e6a3a7c11"
NOTE = "The one to begin with: short, strange, and better the second time than the first."


def list_id(number: int) -> str:
    """A list's id."""
    return f"00000000-0000-4000-8000-{number:012d}"


async def furnish(house: House) -> Mapping[str, Address]:
    """What a few curators have published in some years."""
    await house.store.engine.load(worth_watch, [one.to_item() for one in _things(house.now)])
    return {
        "discovery": Address(f"/api/v1/watchlists?limit={PAGE}"),
        "watchlist": Address(f"/api/v1/watchlists/{list_id(LISTS // 2)}"),
    }


def _things(now: float) -> Iterator[Entity]:
    for number in range(LISTS):
        at = iso(now - number * 3600)
        yield Watchlist(
            watchlist_id=list_id(number),
            curator_id=CURATOR,
            curator_name="ada",
            curator_status="approved",
            title=f"Films for a night like number {number}",
            description="Seven evenings, seven films, none of them longer than it has to be.",
            tags=["cosy", "under two hours"],
            genres=["Drama", "Comedy"],
            posters=[_poster(title) for title in range(5)],
            item_count=TITLES,
            save_count=number % 40,
            created_at=at,
            updated_at=at,
        )
    for title in range(TITLES):
        yield WatchlistItem(
            watchlist_id=list_id(LISTS // 2),
            content_type="MOVIE",
            content_id=str(title * 7919 % 100_003),
            position=(title + 1) * 1000,
            curator_note=NOTE if title % 2 else None,
            added_at=iso(now),
            title=f"The film that is number {title}",
            year=1930 + title % 90,
            genres=["Drama", "Comedy"],
            runtime=80 + title,
        )


def _poster(title: int) -> Poster:
    return Poster(
        content_type="MOVIE",
        content_id=str(title),
        title=f"The film that is number {title}",
        year=1930 + title,
        genres=["Drama", "Comedy"],
    )


class StoredPoster(Struct, rename="camel"):
    """A poster as it is stored."""

    content_type: str
    content_id: str
    title: str
    year: int | None = None
    genres: list[str] = []
    poster_url: str | None = None


class StoredList(Struct, tag_field="entityType", tag="WATCHLIST", rename="camel"):
    """A list as it is stored."""

    watchlist_id: str
    title: str
    created_at: str
    updated_at: str
    description: str | None = None
    curator_name: str | None = None
    curator_avatar_key: str | None = None
    curator_status: str | None = None
    is_public: bool = True
    is_numbered: bool = False
    tags: list[str] = []
    genres: list[str] = []
    cover_title: str | None = None
    posters: list[StoredPoster] = []
    item_count: int = 0
    save_count: int = 0
    comment_count: int = 0


class StoredItem(Struct, tag_field="entityType", tag="WATCHLIST_ITEM", rename="camel"):
    """An item as it is stored."""

    content_type: str
    content_id: str
    position: int
    added_at: str
    title: str = ""
    year: int | None = None
    genres: list[str] = []
    poster_url: str | None = None
    runtime: int | None = None
    number_of_seasons: int | None = None
    curator_note: str | None = None


PUBLIC = """
SELECT _item FROM "WorthWatch" WHERE "isPublicStr" = 'true' AND "createdAt" IS NOT NULL
ORDER BY "createdAt" DESC, "PK" DESC, "SK" DESC LIMIT ?
"""
CONTENTS = """
SELECT _item FROM "WorthWatch"
WHERE "PK" = ? AND "SK" >= 'ITEM#' AND "SK" <= 'METADATA' ORDER BY "SK" LIMIT 501
"""


def bare_discovery(file: BareFile) -> Handler:
    """The newest public lists."""
    newest = file.query(PUBLIC, StoredList)

    def handler(_: str) -> object:
        *shown, _following = newest(PAGE + 1)
        return {"items": [_card(one) for one in shown], "next_cursor": CURSOR}

    return handler


def bare_list(file: BareFile) -> Handler:
    """A list and everything on it, in order."""
    contents = file.query(CONTENTS, StoredItem | StoredList)

    def handler(path: str) -> object:
        watchlist_id = path.rpartition("/")[2]
        *items, found = contents(f"WATCHLIST#{watchlist_id}")
        items.sort(key=attrgetter("position"))
        return {
            "watchlist": _card(found),
            "items": [_item(one) for one in items],
            "is_owner": False,
            "may_edit": False,
            "is_saved": False,
            "follows_curator": False,
            "new_count": 0,
            "collaborators": [],
            "seen": [],
        }

    return handler


def _card(one: StoredList) -> views.Watchlist:
    return views.Watchlist(
        one.watchlist_id,
        one.title,
        one.description,
        one.curator_name,
        one.curator_avatar_key,
        one.is_public,
        one.is_numbered,
        one.tags,
        one.genres,
        one.cover_title,
        [_card_poster(poster) for poster in one.posters],
        one.item_count,
        one.save_count,
        one.comment_count,
        one.created_at,
        one.updated_at,
    )


def _card_poster(one: StoredPoster) -> views.Poster:
    return views.Poster(
        one.content_type,  # type: ignore[arg-type] # one of two texts
        one.content_id,
        one.title,
        one.year,
        one.genres,
        one.poster_url,
    )


def _item(one: StoredItem) -> views.Item:
    return views.Item(
        one.content_type,  # type: ignore[arg-type] # one of two texts
        one.content_id,
        one.title,
        one.year,
        one.genres,
        one.poster_url,
        one.runtime,
        one.number_of_seasons,
        one.curator_note,
        one.added_at,
    )


WATCHLISTS = RoomViews(
    room="watchlists",
    furnish=furnish,
    views=(
        View(
            key="discovery",
            name=f"the {PAGE} newest of {LISTS} public lists",
            sentence="A stranger discovers lists with their first posters: a query.",
            bare=bare_discovery,
        ),
        View(
            key="watchlist",
            name=f"a list of {TITLES} titles",
            sentence=(
                "A stranger reads a list with everything on it and half of it annotated: "
                "a query, sorted by position."
            ),
            bare=bare_list,
        ),
    ),
)
