"""What is measured of watchlists: a stranger discovers lists, reads one, and looks at a title."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from operator import attrgetter

from msgspec import Struct

from benchmarks.rooms.declare import (
    CURSOR,
    SMALL,
    Address,
    BareFile,
    Handler,
    House,
    RoomViews,
    View,
)
from commonroom.moments import iso
from commonroom.store import Entity
from commonroom.titles.tables import Movie, TmdbClaim, worth_watch
from commonroom.titles.titles import Certification
from commonroom.titles.views import PeopleRating, SourceRating, TitleView
from commonroom.watchlists.api import list_views as views
from commonroom.watchlists.tables import Poster, Watchlist, WatchlistItem

LISTS, PAGE, TITLES = 500, 24, 100
CURATOR = "0b6bb2e5-7f3f-4c06-9a55-0d8e6a3a7c11"
FILM = "4242424"
NOTE = "The one to begin with: short, strange, and better the second time than the first."


def list_id(number: int) -> str:
    """A list's id."""
    return f"00000000-0000-4000-8000-{number:012d}"


async def furnish(house: House) -> Mapping[str, Address]:
    """What a few curators have published in some years."""
    shelf = [*things(house.now), *_titles(house.now)]
    await house.store.engine.load(worth_watch, [one.to_item() for one in shelf])
    return {
        "discovery": Address(f"/api/v1/watchlists?limit={PAGE}"),
        "watchlist": Address(f"/api/v1/watchlists/{list_id(LISTS // 2)}"),
        "title": Address(f"/api/v1/titles/films/{FILM}"),
    }


def things(now: float, lists: int = LISTS, with_items: int = LISTS // 2) -> Iterator[Entity]:
    """So many public lists, and the items of one of them."""
    for number in range(lists):
        at = iso(now - number * 60)
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
            watchlist_id=list_id(with_items),
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


def _titles(now: float) -> Iterator[Entity]:
    """A film that people have rated, with its claim."""
    at = iso(now)
    yield Movie(
        movie_id=FILM,
        title="The film that everybody has seen",
        release_year=1999,
        genres=["Drama", "Comedy"],
        directors=["Ada Byron"],
        cast=["Grace Murray", "Mary Somerville", "Ada Byron"],
        synopsis="Two people meet in a lighthouse, and neither of them can say why.",
        runtime=118,
        certification="PG-13",
        tmdb_id=FILM,
        source_rating=7.9,
        source_votes=12_345,
        rating=7.5,
        rating_count=4,
        rating_sum=30,
        rating_spread={"7": 2, "8": 2},
        created_at=at,
        updated_at=at,
    )
    yield TmdbClaim(content_type="MOVIE", tmdb_id=FILM, content_id=FILM)


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
    curator_avatar_url: str | None = None
    curator_status: str | None = None
    is_public: bool = True
    is_numbered: bool = False
    tags: list[str] = []
    genres: list[str] = []
    cover_title: str | None = None
    cover_image_url: str | None = None
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


class StoredFilm(Struct, rename="camel"):
    """A film as it is stored."""

    movie_id: str
    title: str
    genres: list[str] = []
    cast: list[str] = []
    directors: list[str] = []
    synopsis: str | None = None
    poster_url: str | None = None
    release_year: int | None = None
    runtime: int | None = None
    certification: Certification | None = None
    tmdb_id: str | None = None
    imdb_id: str | None = None
    source_rating: float | None = None
    source_votes: int | None = None
    rating: float | None = None
    rating_count: int = 0
    rating_spread: dict[str, int] = {}


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


def bare_title(file: BareFile) -> Handler:
    """A film, and which title has its TMDB id."""
    film, claim = file.get(worth_watch, StoredFilm), file.has(worth_watch)

    def handler(path: str) -> object:
        movie_id = path.rpartition("/")[2]
        found = film(f"MOVIE#{movie_id}", "METADATA")
        assert claim(f"TMDB#MOVIE#{movie_id}", "CLAIM")
        return _title(found)

    return handler


def _title(one: StoredFilm) -> TitleView:
    spread = [one.rating_spread.get(str(number), 0) for number in range(1, 11)]
    average, votes = one.source_rating, one.source_votes
    return TitleView(
        content_type="MOVIE",
        content_id=one.movie_id,
        title=one.title,
        other_titles=[],
        year=one.release_year,
        end_year=None,
        status=None,
        genres=one.genres,
        runtime=one.runtime,
        seasons=None,
        episodes=None,
        certification=one.certification,
        makers=one.directors,
        cast=one.cast,
        synopsis=one.synopsis,
        poster=one.poster_url,
        poster_url=None,
        services=None,
        tmdb_id=None if one.tmdb_id is None else int(one.tmdb_id),
        imdb_id=one.imdb_id,
        source_rating=None if average is None else SourceRating(average, votes),
        rating=PeopleRating(one.rating, one.rating_count, spread),
        page=f"/films/{one.movie_id}",
    )


def _card(one: StoredList) -> views.WatchlistView:
    return views.WatchlistView(
        one.watchlist_id,
        one.title,
        one.description,
        one.curator_name,
        one.curator_avatar_key,
        one.curator_avatar_url,
        one.is_public,
        one.is_numbered,
        one.tags,
        one.genres,
        one.cover_title,
        one.cover_image_url,
        [_card_poster(poster) for poster in one.posters],
        one.item_count,
        one.save_count,
        one.comment_count,
        one.created_at,
        one.updated_at,
    )


def _card_poster(one: StoredPoster) -> views.PosterView:
    return views.PosterView(
        one.content_type,  # type: ignore[arg-type] # one of two texts
        one.content_id,
        one.title,
        one.year,
        one.genres,
        one.poster_url,
    )


def _item(one: StoredItem) -> views.ListItem:
    return views.ListItem(
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
            busy_at_least=SMALL,
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
        View(
            key="title",
            busy_at_least=SMALL,
            name="a film",
            sentence=(
                "A stranger reads the facts of a film and how it is rated here: "
                "the film and the claim to its TMDB ID by key."
            ),
            bare=bare_title,
        ),
    ),
)
