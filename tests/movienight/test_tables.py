"""Movie night's tables are those of its data model."""

from __future__ import annotations

from typing import Any

import pytest

from commonroom.accounts.tables import FIRST_PREFS, User
from commonroom.movienight.tables import (
    Household,
    HouseholdMembership,
    Invite,
    Pick,
    Preferences,
    Round,
    RoundRating,
    Suggestion,
    Vote,
    WatchedFilm,
    Wish,
    tables,
)
from commonroom.store import Entity
from commonroom.titles.tables import CachedResponse
from tests.support.table_summaries import facts, key_attributes, pattern_facts, stored_attributes

NAMED = {table.name: table for table in tables}
NOW = "2026-01-15T10:30:00.000Z"
CHILD = "managed_7d1f0a3e-0000-4000-8000-000000000001"

TABLES: dict[str, dict[str, Any]] = {
    "Users": {
        "key": "user_id S",
        "indexes": {"email-index": "email S; ALL", "parent-index": "parent_user_id S; ALL"},
        "ttl": None,
        "stream": True,
    },
    "Groups": {"key": "group_id S", "indexes": {}, "ttl": None, "stream": True},
    "GroupMemberships": {
        "key": "group_id S, user_id S",
        "indexes": {"user-groups-index": "user_id S; ALL"},
        "ttl": None,
        "stream": False,
    },
    "Preferences": {"key": "group_id S, user_id S", "indexes": {}, "ttl": None, "stream": False},
    "Invites": {
        "key": "invite_id S",
        "indexes": {
            "token-index": "invite_token S; ALL",
            "group-invites-index": "group_id S, created_at S; ALL",
        },
        "ttl": "ttl",
        "stream": False,
    },
    "Rounds": {
        "key": "round_id S",
        "indexes": {"group-rounds-index": "group_id S, created_at S; ALL"},
        "ttl": None,
        "stream": True,
    },
    "Suggestions": {
        "key": "round_id S, tmdb_movie_id N",
        "indexes": {},
        "ttl": None,
        "stream": False,
    },
    "Votes": {"key": "round_id S, vote_key S", "indexes": {}, "ttl": None, "stream": False},
    "Picks": {
        "key": "pick_id S",
        "indexes": {
            "group-picks-index": "group_id S, picked_at S; ALL",
            "round-pick-index": "round_id S; ALL",
        },
        "ttl": None,
        "stream": True,
    },
    "Ratings": {"key": "round_id S, member_id S", "indexes": {}, "ttl": None, "stream": False},
    "TmdbCache": {"key": "cache_key S", "indexes": {}, "ttl": "ttl", "stream": False},
    # The room's own: its wish list, what was watched, and what a film's own page goes by.
    "WishList": {
        "key": "group_id S, tmdb_movie_id N",
        "indexes": {},
        "ttl": None,
        "stream": False,
    },
    "WatchedFilms": {
        "key": "group_id S, tmdb_movie_id N",
        "indexes": {"group-watched-index": "group_id S, watched_at S; ALL"},
        "ttl": None,
        # Whoever watched one has seen it, which watchlists follow.
        "stream": True,
    },
    "PendingPicks": {
        "key": "group_id S, tmdb_movie_id N",
        "indexes": {},
        "ttl": None,
        "stream": False,
    },
}


def test_there_are_the_models_eleven_tables_and_three_more() -> None:
    assert list(NAMED) == list(TABLES)


@pytest.mark.parametrize("name", TABLES)
def test_a_table_has_the_keys_indexes_and_ttl_of_the_model(name: str) -> None:
    assert facts(NAMED[name]) == TABLES[name]


def test_the_models_tables_have_eight_indexes_and_two_ttls_and_watched_films_one() -> None:
    assert sum(len(table.indexes) for table in tables) == 8 + 1
    assert sum(table.ttl is not None for table in tables) == 2


@pytest.mark.parametrize(
    "entity, attributes",
    [
        (
            User,
            "user_id email display_name avatar_key is_managed parent_user_id"
            " content_rating_ceiling created_at last_active_at notification_prefs device_token",
        ),
        (Household, "group_id name created_by streaming_services created_at"),
        (HouseholdMembership, "group_id user_id role member_type joined_at"),
        (
            Preferences,
            "group_id user_id genre_likes genre_dislikes max_content_rating updated_at",
        ),
        (
            Invite,
            "invite_id group_id created_by invite_token status created_at expires_at ttl uses",
        ),
        (
            Round,
            "round_id group_id started_by status attendees created_at voting_started_at"
            " selected_at watched_at rated_at relaxed_constraints",
        ),
        (
            Suggestion,
            "round_id tmdb_movie_id position title poster_path year genres content_rating",
        ),
        (Vote, "round_id vote_key tmdb_movie_id member_id vote voted_at"),
        (
            Pick,
            "pick_id round_id group_id tmdb_movie_id title poster_path picked_by picked_at"
            " watched watched_at",
        ),
        (RoundRating, "round_id member_id rating rated_at"),
        (CachedResponse, "cache_key response_data cached_at ttl"),
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
            User(
                user_id="123e4567-e89b-12d3-a456-426614174000",
                email="ada@example.com",
                display_name="Ada",
                created_at=NOW,
            ),
            {"user_id": "123e4567-e89b-12d3-a456-426614174000", "email": "ada@example.com"},
        ),
        (
            User(
                user_id=CHILD,
                display_name="Bo",
                is_managed=True,
                parent_user_id="ada",
                content_rating_ceiling="PG",
                created_at=NOW,
            ),
            {"user_id": CHILD, "parent_user_id": "ada"},
        ),
        (
            Household(group_id="g", name="Home", created_by="ada", created_at=NOW),
            {"group_id": "g"},
        ),
        (
            HouseholdMembership(group_id="g", user_id=CHILD, member_type="managed", joined_at=NOW),
            {"group_id": "g", "user_id": CHILD},
        ),
        (
            Preferences(group_id="g", user_id="ada", max_content_rating="PG-13", updated_at=NOW),
            {"group_id": "g", "user_id": "ada"},
        ),
        (
            Invite(
                invite_id="i",
                group_id="g",
                created_by="ada",
                invite_token="t0ken",
                created_at=NOW,
                expires_at=NOW,
                ttl=1,
            ),
            {"invite_id": "i", "invite_token": "t0ken", "group_id": "g", "created_at": NOW},
        ),
        (
            Round(round_id="r", group_id="g", started_by="ada", created_at=NOW),
            {"round_id": "r", "group_id": "g", "created_at": NOW},
        ),
        (
            Suggestion(round_id="r", tmdb_movie_id=603, position=1, title="The Matrix"),
            {"round_id": "r", "tmdb_movie_id": 603},
        ),
        (
            Vote(round_id="r", tmdb_movie_id=603, member_id=CHILD, vote="up", voted_at=NOW),
            {"round_id": "r", "vote_key": f"603#{CHILD}"},
        ),
        (
            Pick(
                pick_id="p",
                round_id="r",
                group_id="g",
                tmdb_movie_id=603,
                title="The Matrix",
                picked_by="ada",
                picked_at=NOW,
            ),
            {"pick_id": "p", "group_id": "g", "picked_at": NOW, "round_id": "r"},
        ),
        (
            RoundRating(round_id="r", member_id=CHILD, rating="did_not_like", rated_at=NOW),
            {"round_id": "r", "member_id": CHILD},
        ),
        (
            CachedResponse(cache_key="c0ffee", response_data="{}", cached_at=NOW, ttl=1),
            {"cache_key": "c0ffee"},
        ),
        (
            Wish(group_id="g", tmdb_movie_id=603, title="M", added_by="ada", added_at=NOW),
            {"group_id": "g", "tmdb_movie_id": 603},
        ),
        (
            WatchedFilm(
                group_id="g",
                tmdb_movie_id=603,
                title="M",
                watched_at=NOW,
                marked_by="ada",
                marked_at=NOW,
            ),
            {"group_id": "g", "tmdb_movie_id": 603, "watched_at": NOW},
        ),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Entity) else "",
)
def test_keys_are_built_as_the_model_has_them(thing: Entity, keys: dict[str, Any]) -> None:
    assert key_attributes(thing) == keys


def test_what_does_not_apply_to_a_managed_member_is_absent_and_not_null() -> None:
    child = User(user_id=CHILD, display_name="Bo", is_managed=True, created_at=NOW)
    assert not {"email", "parent_user_id", "notification_prefs"} & child.to_item().keys()


def test_notification_preferences_are_a_map_of_the_models_three() -> None:
    ada = User(
        user_id="ada",
        display_name="Ada",
        created_at=NOW,
        notification_prefs={**FIRST_PREFS, "vote_nudge": False},
    )
    assert ada.to_item()["notification_prefs"] == {
        "vote_nudge": False,
        "pick_announce": True,
        "new_round": True,
    }


def test_no_index_is_keyed_by_the_household_that_a_conditional_write_guards() -> None:
    assert "household_id" not in NAMED["Users"].key_attributes


@pytest.mark.parametrize("status", ["picked", "closed", "discarded"])
def test_a_round_of_an_earlier_version_can_be_read(status: str) -> None:
    item = {"round_id": "r", "group_id": "g", "started_by": "ada", "created_at": NOW}
    legacy = Round.from_item({**item, "status": status, "attendees": None})
    assert (legacy.status, legacy.attendees) == (status, None)


def test_a_pick_is_not_watched_unless_it_says_so() -> None:
    item = {"pick_id": "p", "round_id": "r", "group_id": "g", "tmdb_movie_id": 603, "title": "M"}
    assert Pick.from_item({**item, "picked_by": "ada", "picked_at": NOW}).watched is False


@pytest.mark.parametrize(
    "name, table, index",
    [
        ("Get user by ID", "Users", None),
        ("Get user by email", "Users", "email-index"),
        ("Get managed members for parent", "Users", "parent-index"),
        ("Get group by ID", "Groups", None),
        ("Get members of a group", "GroupMemberships", None),
        ("Get group for a user", "GroupMemberships", "user-groups-index"),
        ("Get member prefs in a group", "Preferences", None),
        ("Get all prefs for a group", "Preferences", None),
        ("Get invite by token", "Invites", "token-index"),
        ("List invites for a group", "Invites", "group-invites-index"),
        ("Get round/session by ID", "Rounds", None),
        ("List sessions for a group", "Rounds", "group-rounds-index"),
        ("Get suggestions for a round", "Suggestions", None),
        ("Get all votes for a round", "Votes", None),
        ("Get/set one vote", "Votes", None),
        ("Get pick by ID", "Picks", None),
        ("Check pick exists for round", "Picks", "round-pick-index"),
        ("Watch history for a group", "Picks", "group-picks-index"),
        ("Get ratings for a session", "Ratings", None),
        ("Get/set one rating", "Ratings", None),
        ("Cache lookup", "TmdbCache", None),
    ],
)
def test_every_access_pattern_of_the_models_matrix_is_declared(
    name: str, table: str, index: str | None
) -> None:
    assert (name, index) in pattern_facts(NAMED[table])
