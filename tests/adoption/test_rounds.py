"""Rounds that another application wrote get what a household here goes by."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from commonroom.accounts.tables import User
from commonroom.house.checks import all_checks
from commonroom.house.rooms import ROOMS
from commonroom.model import MODEL
from commonroom.movienight.checks.adopted_rounds import adoption_checks
from commonroom.movienight.tables import (
    Household,
    HouseholdMembership,
    PendingPick,
    Pick,
    Round,
    RoundRating,
    Suggestion,
    WatchedFilm,
)
from commonroom.store import Entity, Store, put
from commonroom.store.checking import repair_store
from commonroom.store.upgrades.tables import upgrades
from tests.support.transfers import ignore

AT = "2026-01-20T14:00:00.000Z"
ADA = User(user_id="ada", email="Ada@example.org", display_name="Ada", created_at=AT)
HOME = Household(group_id="home", name="Home", created_by="ada", created_at=AT, member_count=1)


async def adopted(store: Store, *things: Entity) -> None:
    for thing in things:
        await store.write(put(thing))
    await repair_store(
        store,
        [table for table in MODEL.tables if table is not upgrades],
        [*all_checks(ROOMS), *adoption_checks()],
        report=lambda _: None,
        progress=ignore,
    )


class TestRounds:
    @pytest.fixture
    def things(self) -> list[Entity]:
        at: dict[str, Any] = {"round_id": "r", "group_id": "home"}
        return [
            replace(ADA, household_id="home"),
            HOME,
            HouseholdMembership(group_id="home", user_id="ada", joined_at=AT),
            Round(**at, started_by="ada", status="watched", attendees=["ada"], created_at=AT),
            Suggestion(round_id="r", tmdb_movie_id=2, position=2, title="Two"),
            Suggestion(round_id="r", tmdb_movie_id=9, position=1, title="One"),
            RoundRating(round_id="r", member_id="ada", rating="loved", rated_at=AT),
            Pick(
                **at,
                pick_id="p",
                tmdb_movie_id=9,
                title="One",
                picked_by="ada",
                picked_at=AT,
                watched=True,
            ),
        ]

    async def test_know_their_films_ratings_and_pick(
        self, store: Store, things: list[Entity]
    ) -> None:
        await adopted(store, *things)
        one = await store.get(Round.at(round_id="r"))
        assert one is not None
        assert (one.films, one.rated, one.pick_id) == ([9, 2], {"ada": "loved"}, "p")

    async def test_leave_what_was_watched_in_the_household(
        self, store: Store, things: list[Entity]
    ) -> None:
        await adopted(store, *things)
        film = await store.get(WatchedFilm.at(group_id="home", tmdb_movie_id=9))
        assert film is not None
        assert (film.round_id, film.attendees) == ("r", ["ada"])

    async def test_leave_what_is_to_be_watched_too(
        self, store: Store, things: list[Entity]
    ) -> None:
        for number, one in enumerate(things):
            if isinstance(one, Pick):
                things[number] = replace(one, watched=False)
            if isinstance(one, Round):
                things[number] = replace(one, status="picked")
        await adopted(store, *things)
        assert await store.get(PendingPick.at(group_id="home", tmdb_movie_id=9)) is not None

    async def test_only_the_last_that_was_begun_is_open(
        self, store: Store, things: list[Entity]
    ) -> None:
        began = {"old": "2026-01-01T00:00:00.000Z", "new": "2026-02-01T00:00:00.000Z"}
        rounds = [
            Round(round_id=it, group_id="home", started_by="ada", status="voting", created_at=at)
            for it, at in began.items()
        ]
        await adopted(store, *things, *rounds)
        home = await store.get(HOME.ref)
        old = await store.get(Round.at(round_id="old"))
        assert home is not None
        assert old is not None
        assert (home.open_round_id, old.status) == ("new", "expired")
