"""What adopting needs, checks see and repair wherever it is missing."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from commonroom.accounts.tables import AddressClaim, User
from commonroom.house.checks import all_checks
from commonroom.house.rooms import ROOMS
from commonroom.model import MODEL
from commonroom.movienight import round_checks
from commonroom.movienight.tables import (
    Group,
    Membership,
    PendingPick,
    Pick,
    Rating,
    Round,
    Suggestion,
    WatchedFilm,
)
from commonroom.shareables.tables import Event, EventRsvp, Poll, PollAnswer, PollQuestion, PollVote
from commonroom.store import Entity, Store, put
from commonroom.store.checking import CheckSummary, check_store
from commonroom.store.upgrades.tables import upgrades
from tests.support.transfers import ignore

AT = "2026-01-20T14:00:00.000Z"
ADA = User(user_id="ada", email="Ada@example.org", display_name="Ada", created_at=AT)
HOME = Group(group_id="home", name="Home", created_by="ada", created_at=AT, member_count=1)
FAR = 32_503_593_600


async def checked(store: Store, *things: Entity, repair: bool = True) -> CheckSummary:
    for thing in things:
        await store.write(put(thing))
    return await check_store(
        store,
        [table for table in MODEL.tables if table is not upgrades],
        [*all_checks(ROOMS), *round_checks.checks()],
        repair=repair,
        report=lambda _: None,
        progress=ignore,
    )


async def test_an_account_claims_its_address(store: Store) -> None:
    await checked(store, ADA)
    claim = await store.get(AddressClaim.at(address="ada@example.org"))
    assert claim is not None
    assert claim.user_id == "ada"
    assert (await checked(store)).found == 0


async def test_an_address_of_two_accounts_is_left_to_a_person(store: Store) -> None:
    await checked(store, ADA)
    summary = await checked(store, replace(ADA, user_id="other"))
    assert (summary.found, summary.left) == (1, 1)


async def test_a_person_counts_whom_they_look_after(store: Store) -> None:
    child = User(
        user_id="managed_1",
        display_name="Kim",
        created_at=AT,
        is_managed=True,
        parent_user_id="ada",
    )
    await checked(store, ADA, child)
    ada = await store.get(ADA.ref)
    assert ada is not None
    assert ada.managed_count == 1


class TestRounds:
    @pytest.fixture
    def things(self) -> list[Entity]:
        at: dict[str, Any] = {"round_id": "r", "group_id": "home"}
        return [
            replace(ADA, household_id="home"),
            HOME,
            Membership(group_id="home", user_id="ada", joined_at=AT),
            Round(**at, started_by="ada", status="watched", attendees=["ada"], created_at=AT),
            Suggestion(round_id="r", tmdb_movie_id=2, position=2, title="Two"),
            Suggestion(round_id="r", tmdb_movie_id=9, position=1, title="One"),
            Rating(round_id="r", member_id="ada", rating="loved", rated_at=AT),
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
        await checked(store, *things)
        one = await store.get(Round.at(round_id="r"))
        assert one is not None
        assert (one.films, one.rated, one.pick_id) == ([9, 2], {"ada": "loved"}, "p")

    async def test_leave_what_was_watched_in_the_household(
        self, store: Store, things: list[Entity]
    ) -> None:
        await checked(store, *things)
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
        await checked(store, *things)
        assert await store.get(PendingPick.at(group_id="home", tmdb_movie_id=9)) is not None

    async def test_only_the_last_that_was_begun_is_open(
        self, store: Store, things: list[Entity]
    ) -> None:
        began = {"old": "2026-01-01T00:00:00.000Z", "new": "2026-02-01T00:00:00.000Z"}
        rounds = [
            Round(round_id=it, group_id="home", started_by="ada", status="voting", created_at=at)
            for it, at in began.items()
        ]
        await checked(store, *things, *rounds)
        await checked(store)
        home = await store.get(HOME.ref)
        old = await store.get(Round.at(round_id="old"))
        assert home is not None
        assert old is not None
        assert (home.open_round_id, old.status) == ("new", "expired")


class TestAnswers:
    @pytest.fixture
    def page(self) -> dict[str, Any]:
        moments = {"created_at": AT, "updated_at": AT, "expires_at": "2999-12-31T00:00:00.000Z"}
        return {"short_id": "AAA-AAA-00001", "name": "P", "expires_after": 7, "ttl": FAR, **moments}

    async def test_of_an_event_are_counted(self, store: Store, page: dict[str, Any]) -> None:
        event = Event(**page, start_time=AT)
        at: dict[str, Any] = {"created_at": AT, "updated_at": AT, "ttl": FAR}
        going = EventRsvp(
            **at, short_id=event.short_id, code="a", name="A", response="going", guest_count=2
        )
        not_going = EventRsvp(
            **at, short_id=event.short_id, code="b", name="B", response="notGoing", guest_count=1
        )
        await checked(store, event, going, not_going)
        now = await store.get(event.ref)
        assert now is not None
        assert (now.rsvp_count, now.going_count, now.not_going_count) == (2, 1, 1)
        assert now.guest_count == 2

    async def test_of_a_poll_are_counted(self, store: Store, page: dict[str, Any]) -> None:
        question = PollQuestion(poll_question_id="q", title="Which?", options=[])
        poll = Poll(**page, questions=[question])
        vote = PollVote(
            short_id=poll.short_id,
            code="a",
            answers=[PollAnswer(poll_question_id="q", option_ids=[])],
            created_at=AT,
            updated_at=AT,
            ttl=FAR,
        )
        await checked(store, poll, vote)
        now = await store.get(poll.ref)
        assert now is not None
        assert now.vote_count == 1
