"""After a person or a title is gone: what was said goes too, and averages stay exact."""

from __future__ import annotations

import pytest

from commonroom.accounts.tables import User
from commonroom.store import Store, delete, update
from commonroom.store.streams import Worker
from commonroom.titles.stored_titles import load_title
from commonroom.titles.tables import Movie, TmdbClaim
from commonroom.watchlists.consumers import opinions
from commonroom.watchlists.rules.ratings import count_ratings, ratings_of
from commonroom.watchlists.service.ratings import rate
from commonroom.watchlists.service.seen import mark_seen
from commonroom.watchlists.tables import Rating, Seen, TitleRating, TitleReview
from tests.accounts.people import Watch
from tests.support.fixtures import either
from tests.watchlists.examples import (
    ALIEN,
    DARK,
    MATRIX,
    TITLES,
    asks,
    everything_of,
    seen_among,
    somebody,
)
from tests.watchlists.service.test_ratings import BREAKING_BAD, now, recount

store = either


async def follow(store: Store, clock: Watch) -> None:
    """Lets those who clear up do so."""
    worker = Worker(store, [opinions.ACCOUNTS, opinions.TITLES], clock=clock)
    while await worker.drain():
        pass


class TestSomebodyWhoIsGone:
    async def test_takes_ratings_reviews_and_marks_along_and_averages_are_exact(
        self, store: Store, clock: Watch, ben: User, eve: User
    ) -> None:
        for title in (MATRIX, BREAKING_BAD):
            await rate(asks(store, clock, ben), TITLES, title, rating=9, review="Yes.")
        await rate(asks(store, clock, eve), TITLES, MATRIX, rating=4)
        await mark_seen(asks(store, clock, ben), TITLES, ALIEN)
        await store.write(delete(ben))
        await follow(store, clock)

        assert ratings_of(await now(store, MATRIX)) == count_ratings([4])
        assert (await now(store, BREAKING_BAD)).rating is None
        left = [
            *(one.user_id for one in await everything_of(store.engine, Rating)),
            *(one.user_id for one in await everything_of(store.engine, TitleRating)),
            *(one.user_id for one in await everything_of(store.engine, Seen)),
        ]
        assert left == [eve.user_id] * 3
        await recount(store, MATRIX, BREAKING_BAD)

    async def test_is_forgotten_whole_also_where_that_was_interrupted(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        for title in (MATRIX, BREAKING_BAD, DARK):
            await rate(asks(store, clock, ben), TITLES, title, rating=9)
        await store.write(delete(ben))
        first = (await everything_of(store.engine, Rating))[0]
        await store.write(delete(first))  # as if the one before had been killed half-way
        await follow(store, clock)
        await follow(store, clock)

        assert await everything_of(store.engine, Rating, Seen) == []

    async def test_is_not_forgotten_while_they_are_there(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        await rate(asks(store, clock, ben), TITLES, MATRIX, rating=9)
        await store.write(update(ben, display_name="Benedict"))
        await follow(store, clock)

        assert len(await everything_of(store.engine, Rating)) == 1


class TestATitleOnItsWayOut:
    async def test_goes_with_all_that_was_said_of_it(
        self, store: Store, clock: Watch, ben: User, eve: User
    ) -> None:
        people = [ben, eve, *[await somebody(store, clock, f"Person {one}") for one in range(3)]]
        for one in people:
            await rate(asks(store, clock, one), TITLES, MATRIX, rating=9, review="Yes.")
        await mark_seen(asks(store, clock, eve), TITLES, MATRIX)
        title = await now(store, MATRIX)
        await store.write(update(title, removed_at="2026-01-01T00:00:00.000Z"))
        await follow(store, clock)

        assert await everything_of(store.engine, Rating, TitleRating, TitleReview) == []
        assert await everything_of(store.engine, Movie) == []
        assert await everything_of(store.engine, TmdbClaim) == []
        assert await seen_among(asks(store, clock, eve), [MATRIX]) == {MATRIX}

    async def test_can_be_stored_anew_afterwards(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        await rate(asks(store, clock, ben), TITLES, MATRIX, rating=9)
        title = await now(store, MATRIX)
        await store.write(update(title, removed_at="2026-01-01T00:00:00.000Z"))
        await follow(store, clock)
        await rate(asks(store, clock, ben), TITLES, MATRIX, rating=3)
        await follow(store, clock)

        assert ratings_of(await now(store, MATRIX)) == count_ratings([3])
        await recount(store, MATRIX)

    @pytest.mark.parametrize("changed", ["title", "rating"])
    async def test_a_title_that_only_changes_stays(
        self, store: Store, clock: Watch, ben: User, changed: str
    ) -> None:
        await rate(asks(store, clock, ben), TITLES, MATRIX, rating=9)
        if changed == "title":
            await store.write(update(await now(store, MATRIX), title="Matrix"))
        await follow(store, clock)

        assert await load_title(store, MATRIX) is not None
        await recount(store, MATRIX)
