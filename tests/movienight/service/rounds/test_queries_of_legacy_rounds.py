"""Rounds that earlier versions wrote, with nothing beyond the data model, go on like new ones."""

from __future__ import annotations

from typing import Any

import pytest

from commonroom.accounts.tables import User
from commonroom.errors import Conflict, Forbidden
from commonroom.movienight.rules.rounds import RatingSummary, VotingProgress
from commonroom.movienight.service import history
from commonroom.movienight.service.rounds.lifecycle import abandon, start_voting
from commonroom.movienight.service.rounds.picks import pick, reopen
from commonroom.movienight.service.rounds.queries import load_round
from commonroom.movienight.service.rounds.votes import propose, rate, vote, withdraw_proposal
from commonroom.movienight.service.watched import mark_round_watched
from commonroom.movienight.tables import (
    Household,
    Pick,
    Round,
    RoundRating,
    Suggestion,
    picks,
    ratings,
    rounds,
    suggestions,
)
from commonroom.store import Store, delete
from tests.movienight.evenings import everything_of, now_of
from tests.movienight.rounds_support import Evening
from tests.support.context import at

LONG_AGO = "2024-01-01T20:00:00Z"


@pytest.fixture(params=["embedded", "dynamodb"])
def store(request: pytest.FixtureRequest) -> Store:
    """An empty store on either engine: what is absent or null is theirs to compare."""
    store: Store = request.getfixturevalue(request.param)
    return store


async def as_it_was_written(
    store: Store, home: Household, starter: User, status: str, **attributes: Any
) -> Round:
    """A round as an earlier version left it: two films, everybody takes part, null is stored."""
    base = {"round_id": "early", "group_id": home.group_id}
    await store.engine.load(
        rounds,
        [
            {
                **base,
                "started_by": starter.user_id,
                "status": status,
                "attendees": None,
                "created_at": LONG_AGO,
                **attributes,
            }
        ],
    )
    films = [
        {"round_id": "early", "tmdb_movie_id": n, "position": n, "title": f"Film {n}"}
        for n in (1, 2)
    ]
    await store.engine.load(suggestions, films)
    if status not in ("picked", "selected", "watched"):
        return await _read(store)
    picked = {"pick_id": "p", "tmdb_movie_id": 2, "title": "Film 2", "picked_at": LONG_AGO}
    picked |= {"picked_by": starter.user_id, "watched": status == "watched"}
    await store.engine.load(picks, [{**base, **picked}])
    rating = {"round_id": "early", "member_id": starter.user_id, "rating": "loved"}
    await store.engine.load(ratings, [{**rating, "rated_at": LONG_AGO}])
    return await _read(store)


async def _read(store: Store) -> Round:
    found = await store.get(Round.at(round_id="early"))
    assert found is not None
    return found


class TestAClosedRound:
    """It was closed and not yet picked: today it is being voted on."""

    @pytest.fixture
    async def made(self, store: Store, home: Household, ben: User, evening: Evening) -> Round:
        return await as_it_was_written(store, home, ben, "closed")

    async def test_is_seen_as_voting_by_everybody(
        self, evening: Evening, made: Round, ada: User, ben: User, zoe: User
    ) -> None:
        seen = await load_round(await evening.ctx(ben), made.round_id)

        assert seen.round.status == "voting"
        assert set(seen.attendees) == {ada.user_id, ben.user_id, zoe.user_id}
        assert seen.progress == VotingProgress(0, 3)
        assert seen.may >= {"vote", "propose", "pick"}

    async def test_can_be_voted_on_by_any_member(
        self, evening: Evening, made: Round, ben: User, zoe: User
    ) -> None:
        ctx = await evening.ctx(ben, acting_as=zoe)

        await vote(at(evening.store, evening.now(), ctx), made.round_id, 1, "up")

        assert len(await evening.votes(made)) == 1
        assert (await evening.again(made)).version == 1

    async def test_takes_proposals_and_lets_them_go(
        self, evening: Evening, made: Round, ada: User
    ) -> None:
        ctx = await evening.ctx(ada)

        await propose(at(evening.store, evening.now(), ctx), evening.films, made.round_id, 20)
        assert [one.position for one in await evening.suggestions(made)] == [1, 2, 3]
        await withdraw_proposal(at(evening.store, evening.now(), ctx), made.round_id, 20)

        assert len(await evening.suggestions(made)) == 2

    async def test_can_be_picked_from_though_the_household_does_not_name_it(
        self, evening: Evening, home: Household, made: Round, ben: User
    ) -> None:
        await pick(at(evening.store, evening.now(), await evening.ctx(ben)), made.round_id, 2)

        assert (await evening.again(made)).status == "selected"
        assert await evening.open_round_id(home) is None

    async def test_is_not_closed_in_place_of_another_open_round(
        self, evening: Evening, home: Household, made: Round, ben: User
    ) -> None:
        other = await evening.draft(ben)

        with pytest.raises(Conflict) as caught:
            await pick(at(evening.store, evening.now(), await evening.ctx(ben)), made.round_id, 2)
        assert caught.value.extensions == {"active_round_id": other.round_id}
        assert await evening.open_round_id(home) == other.round_id

    async def test_can_be_abandoned(self, evening: Evening, made: Round, ada: User) -> None:
        await abandon(at(evening.store, evening.clock(), await evening.ctx(ada)), made.round_id)

        assert (await evening.again(made)).status == "expired"


class TestAPickedRound:
    @pytest.fixture
    async def made(self, store: Store, home: Household, ben: User, evening: Evening) -> Round:
        return await as_it_was_written(store, home, ben, "picked")

    async def test_is_seen_with_its_pick_and_ratings(
        self, evening: Evening, made: Round, ben: User
    ) -> None:
        seen = await load_round(await evening.ctx(ben), made.round_id)

        assert seen.round.status == "selected"
        assert seen.pick is not None
        assert seen.pick.title == "Film 2"
        assert seen.ratings == {ben.user_id: "loved"}

    async def test_shows_both_in_the_history(
        self, evening: Evening, made: Round, ben: User
    ) -> None:
        (past,) = (await history.list_rounds(evening.store, made.group_id)).items

        assert past.pick is not None
        assert past.round.status == "selected"
        assert past.ratings == RatingSummary(loved=1)

    async def test_becomes_rated_with_the_last_rating_once_watched(
        self, evening: Evening, made: Round, ada: User, ben: User
    ) -> None:
        adas = await evening.ctx(ada)
        await mark_round_watched(at(evening.store, evening.now(), adas), made.round_id)
        now = await evening.again(made)
        assert (now.status, now.rated) == ("watched", {ben.user_id: "loved"})

        await rate(at(evening.store, evening.now(), adas), made.round_id, "liked")

        assert (await evening.again(made)).status == "rated"

    async def test_keeps_earlier_ratings_when_another_comes_first(
        self, evening: Evening, made: Round, ada: User, ben: User
    ) -> None:
        await rate(at(evening.store, 1, await evening.ctx(ada)), made.round_id, "liked")

        now = await evening.again(made)
        assert now.rated == {ada.user_id: "liked", ben.user_id: "loved"}
        assert now.status == "selected"

    async def test_can_be_opened_again_without_pick_and_ratings(
        self, evening: Evening, home: Household, made: Round, ben: User
    ) -> None:
        await reopen(at(evening.store, evening.now(), await evening.ctx(ben)), made.round_id)

        assert (await evening.again(made)).status == "voting"
        assert await everything_of(evening.store.engine, Pick) == []
        assert await everything_of(evening.store.engine, RoundRating) == []
        assert await evening.open_round_id(home) == made.round_id

    async def test_that_lost_its_pick_says_so(
        self, evening: Evening, made: Round, ben: User
    ) -> None:
        await evening.store.write(delete(Pick.at(pick_id="p")))

        with pytest.raises(Conflict, match="pick was lost"):
            await mark_round_watched(at(evening.store, 1, await evening.ctx(ben)), made.round_id)


class TestAWatchedRound:
    async def test_ends_with_the_last_rating(
        self, evening: Evening, home: Household, ada: User, ben: User
    ) -> None:
        made = await as_it_was_written(evening.store, home, ben, "watched")

        await rate(at(evening.store, evening.now(), await evening.ctx(ada)), made.round_id, "liked")

        assert (await evening.again(made)).status == "rated"
        (past,) = (await history.list_rounds(evening.store, home.group_id)).items
        assert past.ratings == RatingSummary(loved=1, liked=1)


class TestADiscardedRound:
    async def test_is_over(self, evening: Evening, home: Household, ben: User) -> None:
        made = await as_it_was_written(evening.store, home, ben, "discarded")
        ctx = await evening.ctx(ben)

        with pytest.raises(Conflict) as caught:
            await vote(at(evening.store, evening.now(), ctx), made.round_id, 1, "up")
        assert caught.value.extensions == {"round_status": "expired"}


class TestADraft:
    async def test_can_be_started_and_names_who_takes_part_where_it_does(
        self, evening: Evening, home: Household, ada: User, ben: User
    ) -> None:
        made = await as_it_was_written(evening.store, home, ben, "draft", attendees=[ben.user_id])
        await start_voting(at(evening.store, evening.now(), await evening.ctx(ben)), made.round_id)

        with pytest.raises(Forbidden):
            await vote(at(evening.store, 1, await evening.ctx(ada)), made.round_id, 1, "up")
        assert (await now_of(evening.store, home)).open_round_id is None
        assert [type(one) for one in await evening.suggestions(made)] == [Suggestion] * 2
