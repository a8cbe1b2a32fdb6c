"""The WorthWatch table is the data model's."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from commonroom.store import Entity, Store, create, update
from commonroom.store.embedded import EmbeddedEngine
from commonroom.store.streams import Worker, copy_consumers
from commonroom.store.streams.tables import tables as stream_tables
from commonroom.titles.tables import Movie, Show, TmdbClaim, worth_watch
from commonroom.watchlists.tables import (
    BrowseEntry,
    Collaboration,
    Comment,
    CuratorEntry,
    DaySaves,
    EmailClaim,
    Follower,
    Following,
    ListFacets,
    OwnedList,
    Profile,
    Rating,
    SavedWatchlist,
    Saver,
    TitleOnList,
    Trending,
    UserComment,
    UsernameClaim,
    Watchlist,
    WatchlistItem,
    all_of_type,
    comments,
    lists,
    public_shards,
    public_watchlists,
    watchlist_with_items,
    watchlists_of_curator,
)
from tests.support.table_summaries import facts, key_attributes, pattern_facts, stored_attributes

ADA = "123e4567-e89b-12d3-a456-426614174000"
SCI_FI = "abc12345-6789-0def-ghij-klmnopqrstuv"
JOINED, MADE = "2026-01-15T10:30:00Z", "2026-01-20T14:00:00Z"

PROFILE = Profile(
    user_id=ADA,
    email="john@example.com",
    username="johndoe",
    is_curator=True,
    curator_status="approved",
    created_at=JOINED,
    updated_at=JOINED,
)
WATCHLIST = Watchlist(
    watchlist_id=SCI_FI,
    curator_id=ADA,
    title="Best Sci-Fi Movies of 2025",
    description="A curated list of must-watch science fiction films",
    tags=["sci-fi", "2025", "must-watch"],
    item_count=10,
    created_at=MADE,
    updated_at=MADE,
)
ITEM = WatchlistItem(
    watchlist_id=SCI_FI,
    content_type="MOVIE",
    content_id="tt1234567",
    position=1,
    curator_note="A masterpiece of modern sci-fi cinema",
    added_at="2026-01-20T14:05:00Z",
)
MOVIE = Movie(
    movie_id="tt1234567",
    title="Inception",
    release_year=2010,
    genres=["Action", "Sci-Fi", "Thriller"],
    directors=["Christopher Nolan"],
    synopsis="A thief who steals corporate secrets...",
    runtime=148,
    tmdb_id="27205",
    imdb_id="tt1375666",
    created_at="2026-01-10T08:00:00Z",
    updated_at="2026-01-10T08:00:00Z",
)
COMMENT = Comment(watchlist_id=SCI_FI, user_id=ADA, comment_text="Fine.", created_at=MADE)


def test_the_table_is_the_models() -> None:
    assert worth_watch.name == "WorthWatch"
    assert facts(worth_watch) == {
        "key": "PK S, SK S",
        "indexes": {
            "GSI1": "email S; ALL",
            "GSI2": "curatorId S, createdAt S; ALL",
            "GSI3": "isPublicStr S, createdAt S; ALL",
            "GSI4": "entityType S, createdAt S; KEYS_ONLY",
            "GSI5": "seenTitle S; KEYS_ONLY",  # beyond the data model
        },
        "ttl": None,
        "stream": True,
    }


def test_the_kinds_are_the_models_with_claims_ways_back_and_what_is_browsed() -> None:
    stated = {
        "USER",
        "WATCHLIST",
        "WATCHLIST_ITEM",
        "MOVIE",
        "SHOW",
        "USER_SAVED_WATCHLIST",
        "RATING",
        "COMMENT",
    }
    assert worth_watch.discriminator == "entityType"
    claims = {"EMAIL_CLAIM", "TMDB_CLAIM", "USERNAME_CLAIM"}
    ways_back = {
        "WATCHLIST_SAVER",
        "USER_FOLLOWER",
        "USER_WATCHLIST",
        "USER_COLLABORATION",
        "USER_COMMENT",
        "TITLE_ON_LIST",
    }
    people = {"USER_FOLLOWING", "CURATOR_ENTRY"}
    discovery = {"BROWSE_ENTRY", "WATCHLIST_FACETS", "DAY_SAVES", "TRENDING"}
    assert stated | claims | ways_back | people | discovery <= set(worth_watch.entities)


@pytest.mark.parametrize(
    "entity, attributes",
    [
        (
            Profile,
            "PK SK entityType userId email username createdAt updatedAt bio avatarUrl isCurator"
            " curatorStatus",
        ),
        (
            Watchlist,
            "PK SK entityType watchlistId curatorId title description coverImageUrl isPublic"
            " isPublicStr tags itemCount createdAt updatedAt",
        ),
        (
            WatchlistItem,
            "PK SK entityType contentType contentId position curatorNote addedAt",
        ),
        (
            Movie,
            "PK SK entityType movieId title releaseYear genres directors cast synopsis posterUrl"
            " runtime rating tmdbId imdbId createdAt updatedAt",
        ),
        (
            Show,
            "PK SK entityType showId title startYear endYear genres creators cast synopsis"
            " posterUrl numberOfSeasons numberOfEpisodes status rating tmdbId imdbId createdAt"
            " updatedAt",
        ),
        (SavedWatchlist, "PK SK entityType savedAt"),
        (Rating, "PK SK entityType contentType contentId rating review ratedAt"),
        (Comment, "PK SK entityType userId commentText createdAt"),
    ],
)
def test_no_attribute_of_the_model_is_renamed_or_dropped(
    entity: type[Entity], attributes: str
) -> None:
    assert set(attributes.split()) <= stored_attributes(entity)


@pytest.mark.parametrize(
    "thing, keys",
    [
        (
            PROFILE,
            {
                "PK": f"USER#{ADA}",
                "SK": "PROFILE",
                "email": "john@example.com",
                "entityType": "USER",
                "createdAt": JOINED,
            },
        ),
        (
            WATCHLIST,
            {
                "PK": f"WATCHLIST#{SCI_FI}",
                "SK": "METADATA",
                "curatorId": ADA,
                "isPublicStr": "true",
                "entityType": "WATCHLIST",
                "createdAt": MADE,
            },
        ),
        (
            ITEM,
            {
                "PK": f"WATCHLIST#{SCI_FI}",
                "SK": "ITEM#MOVIE#tt1234567",
                "entityType": "WATCHLIST_ITEM",
            },
        ),
        (
            MOVIE,
            {
                "PK": "MOVIE#tt1234567",
                "SK": "METADATA",
                "entityType": "MOVIE",
                "createdAt": "2026-01-10T08:00:00Z",
            },
        ),
        (
            Show(show_id="s", title="Dark", created_at=MADE, updated_at=MADE),
            {"PK": "SHOW#s", "SK": "METADATA", "entityType": "SHOW", "createdAt": MADE},
        ),
        (
            SavedWatchlist(user_id=ADA, watchlist_id=SCI_FI, saved_at=MADE),
            {
                "PK": f"USER#{ADA}",
                "SK": f"SAVED#WATCHLIST#{SCI_FI}",
                "entityType": "USER_SAVED_WATCHLIST",
            },
        ),
        (
            Rating(user_id=ADA, content_type="SHOW", content_id="456", rating=9, rated_at=MADE),
            {"PK": f"USER#{ADA}", "SK": "RATING#SHOW#456", "entityType": "RATING"},
        ),
        (
            COMMENT,
            {
                "PK": f"WATCHLIST#{SCI_FI}",
                "SK": f"COMMENT#2026-01-20T14:00:00.000Z#{ADA}",
                "entityType": "COMMENT",
                "createdAt": MADE,
            },
        ),
        (
            EmailClaim(address="John@Example.com", user_id=ADA),
            {"PK": "EMAIL#john@example.com", "SK": "CLAIM", "entityType": "EMAIL_CLAIM"},
        ),
        (
            TmdbClaim(content_type="MOVIE", tmdb_id="27205", content_id="tt1234567"),
            {"PK": "TMDB#MOVIE#27205", "SK": "CLAIM", "entityType": "TMDB_CLAIM"},
        ),
        (
            Saver(watchlist_id=SCI_FI, user_id=ADA, saved_at=MADE),
            {
                "PK": f"WATCHLIST#{SCI_FI}",
                "SK": f"SAVER#{ADA}",
                "entityType": "WATCHLIST_SAVER",
            },
        ),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Entity) else "",
)
def test_keys_are_built_as_the_model_has_them(thing: Entity, keys: dict[str, Any]) -> None:
    assert key_attributes(thing) == keys


@pytest.mark.parametrize(
    "thing, partition, sort",
    [
        (UsernameClaim(username="Ada", user_id=ADA), "USERNAME#ada", "CLAIM"),
        (
            CuratorEntry(status="pending", since=MADE, user_id=ADA),
            "CURATORS#pending",
            f"2026-01-20T14:00:00.000Z#{ADA}",
        ),
        (
            Following(user_id="bea", curator_id=ADA, followed_at=MADE),
            "USER#bea",
            f"FOLLOWING#{ADA}",
        ),
        (
            Follower(curator_id=ADA, user_id="bea", followed_at=MADE),
            f"USER#{ADA}",
            "FOLLOWER#bea",
        ),
        (OwnedList(user_id=ADA, watchlist_id="w"), f"USER#{ADA}", "WATCHLIST#w"),
        (
            Collaboration(user_id=ADA, watchlist_id="w", joined_at=MADE),
            f"USER#{ADA}",
            "COLLABORATES#w",
        ),
        (
            UserComment(user_id=ADA, watchlist_id="w", commented_at=MADE),
            f"USER#{ADA}",
            "COMMENT#2026-01-20T14:00:00.000Z#w",
        ),
        (
            TitleOnList(content_type="MOVIE", content_id="603", watchlist_id="w"),
            "MOVIE#603",
            "WATCHLIST#w",
        ),
        (
            BrowseEntry(facet="tag", value="noir", listed_at=MADE, watchlist_id="w"),
            "BROWSE#tag#noir",
            "2026-01-20T14:00:00.000Z#w",
        ),
        (ListFacets(watchlist_id="w", listed_at=MADE), "WATCHLIST#w", "FACETS"),
        (DaySaves(day="2026-01-20", watchlist_id="w"), "SAVES#2026-01-20", "w"),
        (Trending(ranked_at=MADE), "TRENDING", "LISTS"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Entity) else "",
)
def test_what_is_beyond_the_model_is_in_the_base_table_alone(
    thing: Entity, partition: str, sort: str
) -> None:
    item = thing.to_item()
    assert (item["PK"], item["SK"]) == (partition, sort)
    assert not {"email", "isPublicStr", "createdAt"} & item.keys()


@pytest.mark.parametrize(
    "thing, example",
    [
        (
            PROFILE,
            {
                "PK": "USER#123e4567-e89b-12d3-a456-426614174000",
                "SK": "PROFILE",
                "entityType": "USER",
                "userId": "123e4567-e89b-12d3-a456-426614174000",
                "email": "john@example.com",
                "username": "johndoe",
                "isCurator": True,
                "curatorStatus": "approved",
                "createdAt": "2026-01-15T10:30:00Z",
                "updatedAt": "2026-01-15T10:30:00Z",
            },
        ),
        (
            WATCHLIST,
            {
                "PK": "WATCHLIST#abc12345-6789-0def-ghij-klmnopqrstuv",
                "SK": "METADATA",
                "entityType": "WATCHLIST",
                "watchlistId": "abc12345-6789-0def-ghij-klmnopqrstuv",
                "curatorId": "123e4567-e89b-12d3-a456-426614174000",
                "title": "Best Sci-Fi Movies of 2025",
                "description": "A curated list of must-watch science fiction films",
                "isPublic": True,
                "isPublicStr": "true",
                "tags": ["sci-fi", "2025", "must-watch"],
                "itemCount": 10,
                "createdAt": "2026-01-20T14:00:00Z",
                "updatedAt": "2026-01-20T14:00:00Z",
            },
        ),
        (
            ITEM,
            {
                "PK": "WATCHLIST#abc12345-6789-0def-ghij-klmnopqrstuv",
                "SK": "ITEM#MOVIE#tt1234567",
                "entityType": "WATCHLIST_ITEM",
                "contentType": "MOVIE",
                "contentId": "tt1234567",
                "position": 1,
                "curatorNote": "A masterpiece of modern sci-fi cinema",
                "addedAt": "2026-01-20T14:05:00Z",
            },
        ),
        (
            MOVIE,
            {
                "PK": "MOVIE#tt1234567",
                "SK": "METADATA",
                "entityType": "MOVIE",
                "movieId": "tt1234567",
                "title": "Inception",
                "releaseYear": 2010,
                "genres": ["Action", "Sci-Fi", "Thriller"],
                "directors": ["Christopher Nolan"],
                "synopsis": "A thief who steals corporate secrets...",
                "runtime": 148,
                "tmdbId": "27205",
                "imdbId": "tt1375666",
                "createdAt": "2026-01-10T08:00:00Z",
                "updatedAt": "2026-01-10T08:00:00Z",
            },
        ),
    ],
    ids=["user", "watchlist", "watchlist item", "movie"],
)
def test_the_models_example_items_are_stored_as_they_stand(
    thing: Entity, example: dict[str, Any]
) -> None:
    item = thing.to_item()
    assert {name: item[name] for name in example} == example


def test_a_profile_without_an_address_is_not_in_the_index_of_addresses() -> None:
    assert "email" not in replace(PROFILE, email=None).to_item()


def test_a_claim_to_an_address_is_not_in_the_index_of_addresses() -> None:
    assert "email" not in EmailClaim(address="john@example.com", user_id=ADA).to_item()


@pytest.mark.parametrize(
    "hidden",
    [replace(WATCHLIST, is_public=False), replace(WATCHLIST, curator_status="suspended")],
    ids=["private", "of a suspended curator"],
)
def test_what_nobody_may_discover_is_in_the_other_partition(hidden: Watchlist) -> None:
    assert hidden.to_item()["isPublicStr"] == "false"


def test_with_several_shards_every_list_stands_in_one_that_is_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert public_shards() == ["true"]
    monkeypatch.setattr(lists, "PUBLIC_SHARDS", 4)
    assert public_shards() == ["true", "true#0", "true#1", "true#2", "true#3"]
    found = {
        replace(WATCHLIST, watchlist_id=f"w{number}").to_item()["isPublicStr"]
        for number in range(100)
    }
    assert found == {"true#0", "true#1", "true#2", "true#3"}


@pytest.mark.parametrize(
    "name, index",
    [
        ("Get user by ID", None),
        ("Get user by email", "GSI1"),
        ("Get watchlist by ID", None),
        ("Get watchlists by curator", "GSI2"),
        ("List all public watchlists", "GSI3"),
        ("Get all items in a watchlist", None),
        ("Get specific item", None),
        ("Get movie by ID", None),
        ("Get show by ID", None),
        ("Get user's saved watchlists", None),
        ("Query all entities of a specific type", "GSI4"),
    ],
)
def test_every_access_pattern_of_the_model_is_declared(name: str, index: str | None) -> None:
    assert (name, index) in pattern_facts(worth_watch)


class TestInAStore:
    @pytest.fixture
    async def store(self, tmp_path: Path) -> AsyncIterator[Store]:
        tables = [worth_watch, *stream_tables]
        store = Store(EmbeddedEngine(tmp_path / "store.db", tables, durability="OFF"))
        yield store
        await store.close()

    async def test_lists_from_before_there_were_shards_are_discovered_with_the_others(
        self, store: Store, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        await store.write(create(WATCHLIST))
        monkeypatch.setattr(lists, "PUBLIC_SHARDS", 4)
        newer = replace(WATCHLIST, watchlist_id="newer", created_at="2026-02-01T00:00:00Z")
        await store.write(create(newer))
        page = await store.merged([public_watchlists(shard=one) for one in public_shards()])
        assert page.items == [newer, WATCHLIST]

    async def test_a_listing_by_type_gives_references_to_fetch_in_one_batch(
        self, store: Store
    ) -> None:
        await store.write(*map(create, [PROFILE, WATCHLIST, MOVIE]))
        page = await store.page(all_of_type(entity_type="MOVIE"))
        assert await store.batch_get(page.items) == [MOVIE]

    async def test_comments_and_items_of_a_list_do_not_mix(self, store: Store) -> None:
        await store.write(*map(create, [WATCHLIST, ITEM, COMMENT]))
        assert (await store.page(comments(watchlist_id=SCI_FI))).items == [COMMENT]
        assert (await store.page(watchlists_of_curator(curator_id=ADA))).items == [WATCHLIST]

    async def test_a_list_with_its_items_is_one_query_without_all_that_is_said_and_saved(
        self, store: Store
    ) -> None:
        saver = Saver(watchlist_id=SCI_FI, user_id=ADA, saved_at=MADE)
        facets = ListFacets(watchlist_id=SCI_FI, listed_at=MADE)
        await store.write(*map(create, [WATCHLIST, ITEM, COMMENT, saver, facets]))
        assert (await store.page(watchlist_with_items(watchlist_id=SCI_FI))).items == [
            ITEM,
            WATCHLIST,
        ]

    async def test_a_suspended_curators_lists_are_found_by_pointers_and_leave_discovery(
        self, store: Store
    ) -> None:
        mine = OwnedList(user_id=ADA, watchlist_id=SCI_FI)
        gone = OwnedList(user_id=ADA, watchlist_id="gone")
        await store.write(*map(create, [PROFILE, WATCHLIST, mine, gone]))
        await store.write(update(PROFILE, curator_status="suspended"))
        await Worker(store, copy_consumers(worth_watch.copies)).drain()
        assert (
            await store.merged([public_watchlists(shard=one) for one in public_shards()])
        ).items == []
        hidden = await store.get(WATCHLIST.ref)
        assert hidden is not None
        assert (hidden.curator_status, hidden.curator_name) == ("suspended", "johndoe")
