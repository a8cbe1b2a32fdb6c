"""Ratings: one per person and title, changed and removed, and exact averages whatever happens."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from commonroom.accounts.tables import User
from commonroom.errors import CommonroomError, InvalidField, InvalidFields, NotFound
from commonroom.store import Store, counting, create, delete, update
from commonroom.titles.builtin import known_title
from commonroom.titles.stored_titles import (
    Stored,
    claim_of,
    id_of,
    load_title,
    title_of,
    title_ref,
)
from commonroom.titles.titles import TitleId
from commonroom.watchlists.rules.ratings import agrees, count_ratings, ratings_of
from commonroom.watchlists.service.ratings import list_ratings, load_opinion, rate, unrate
from commonroom.watchlists.service.reviews import see_reviews
from commonroom.watchlists.service.seen import mark_seen
from commonroom.watchlists.tables import Rating, TitleRating, TitleReview
from tests.accounts.people import Watch, at_once
from tests.support.fixtures import either
from tests.watchlists.examples import DARK, MATRIX, TITLES, asks, everything_of, somebody

store = either

BREAKING_BAD = TitleId("SHOW", "1396")
NOBODYS = TitleId("MOVIE", "999999999")


async def now(store: Store, title: TitleId) -> Stored:
    """A title as it is stored."""
    found = await load_title(store, title)
    assert found is not None
    return found


async def recount(store: Store, *titles: TitleId) -> None:
    """Holds that everything made of ratings is what the ratings are."""
    ratings = await everything_of(store.engine, Rating)
    pointers = await everything_of(store.engine, TitleRating)
    reviews = await everything_of(store.engine, TitleReview)
    for title in titles:
        of = [one for one in ratings if TitleId(one.content_type, one.content_id) == title]
        assert agrees(await now(store, title), count_ratings(one.rating for one in of)), title
    assert sorted(map(_given, pointers)) == sorted(map(_given, ratings))
    said = [(*_given(one), one.rated_at, one.review) for one in ratings if one.review]
    assert sorted((*_given(one), one.rated_at, one.review) for one in reviews) == sorted(said)
    for one in ratings:
        opinion = await load_opinion(store, one.user_id, TitleId(one.content_type, one.content_id))
        assert opinion.seen is not None
        assert opinion.seen.own is not None


def _given(one: Rating | TitleRating | TitleReview) -> tuple[str, str, str, int]:
    return one.user_id, one.content_type, one.content_id, one.rating or 0


class TestRate:
    async def test_stores_the_title_counts_the_rating_and_marks_it_as_seen(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        made = await rate(asks(store, clock, ben), TITLES, BREAKING_BAD, rating=9)
        title = await now(store, BREAKING_BAD)
        opinion = await load_opinion(store, ben.user_id, BREAKING_BAD)

        assert (title.rating, title.rating_count, title.rating_spread) == (9.0, 1, {"9": 1})
        assert opinion.rating == made
        assert opinion.seen is not None
        assert opinion.seen.own == "rating"
        await recount(store, BREAKING_BAD)

    async def test_again_changes_it(self, store: Store, clock: Watch, ben: User) -> None:
        await rate(asks(store, clock, ben), TITLES, MATRIX, rating=9, review="Whoa.")
        clock.forward(60)
        await rate(asks(store, clock, ben), TITLES, MATRIX, rating=4, review="Less so.")
        page = await see_reviews(store, MATRIX)

        assert [one.review.review for one in page.items] == ["Less so."]
        assert ratings_of(await now(store, MATRIX)) == count_ratings([4])
        await recount(store, MATRIX)

    async def test_a_review_can_be_taken_back_and_the_rating_stays(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        await rate(asks(store, clock, ben), TITLES, MATRIX, rating=9, review="Whoa.")
        await rate(asks(store, clock, ben), TITLES, MATRIX, rating=9, review=" ")

        assert (await see_reviews(store, MATRIX)).items == []
        await recount(store, MATRIX)

    async def test_a_review_may_stand_alone_and_counts_for_no_average(
        self, store: Store, clock: Watch, ada: User, ben: User
    ) -> None:
        await rate(asks(store, clock, ada), TITLES, MATRIX, rating=7)
        await rate(asks(store, clock, ben), TITLES, MATRIX, review="Whoa.")
        title = await now(store, MATRIX)
        (shown,) = (await see_reviews(store, MATRIX)).items

        assert (shown.review.rating, shown.review.review) == (None, "Whoa.")
        assert (title.rating, title.rating_count, title.unrated_review_count) == (7.0, 1, 1)
        await recount(store, MATRIX)
        await rate(asks(store, clock, ben), TITLES, MATRIX, rating=9)
        title = await now(store, MATRIX)
        assert (title.rating, title.rating_count, title.unrated_review_count) == (8.0, 2, 0)
        await recount(store, MATRIX)

    async def test_the_stars_can_be_taken_back_and_the_review_stays_until_it_goes_too(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        ctx = asks(store, clock, ben)
        await rate(ctx, TITLES, MATRIX, rating=9, review="Whoa.")
        alone = await rate(ctx, TITLES, MATRIX, rating=None)

        assert alone is not None
        assert (alone.rating, alone.review) == (None, "Whoa.")
        await recount(store, MATRIX)
        assert await rate(ctx, TITLES, MATRIX, review="") is None
        assert (await load_opinion(store, ben.user_id, MATRIX)).rating is None
        assert (await now(store, MATRIX)).unrated_review_count == 0
        await recount(store, MATRIX)

    @pytest.mark.parametrize("said", [{}, {"rating": None}, {"review": " "}])
    async def test_nothing_at_all_is_no_opinion(
        self, store: Store, clock: Watch, ben: User, said: dict[str, Any]
    ) -> None:
        with pytest.raises(InvalidField):
            await rate(asks(store, clock, ben), TITLES, MATRIX, **said)

    async def test_a_review_that_is_not_given_stays(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        await rate(asks(store, clock, ben), TITLES, MATRIX, rating=9, review="Whoa.")
        clock.forward(60)
        await rate(asks(store, clock, ben), TITLES, MATRIX, rating=4)
        (shown,) = (await see_reviews(store, MATRIX)).items

        assert (shown.review.rating, shown.review.review) == (4, "Whoa.")
        await recount(store, MATRIX)

    async def test_the_same_again_writes_nothing(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        ctx = asks(store, clock, ben)
        first = await rate(ctx, TITLES, MATRIX, rating=9, review="Whoa.")
        with counting() as tally:
            again = await rate(ctx, TITLES, MATRIX, rating=9, review=" Whoa. ")

        assert again == first
        assert tally.writes == 0

    async def test_is_three_requests_for_a_title_that_is_stored(
        self, store: Store, clock: Watch, ada: User, ben: User
    ) -> None:
        with counting() as tally:
            await rate(asks(store, clock, ben), TITLES, MATRIX, rating=9)

        assert (tally.reads, tally.writes) == (2, 1)

    async def test_refuses_a_title_that_nobody_knows(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        with pytest.raises(NotFound):
            await rate(asks(store, clock, ben), TITLES, NOBODYS, rating=5)

    async def test_says_all_that_is_wrong_at_once(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        with pytest.raises(InvalidFields) as refused:
            await rate(asks(store, clock, ben), TITLES, MATRIX, rating=11, review="x" * 2001)

        assert refused.value.by_field.keys() == {"rating", "review"}
        assert await load_title(store, MATRIX) is None, "nothing is stored for a refusal"

    async def test_a_title_that_somebody_made_is_rated_by_the_tmdb_id_that_it_claims(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        known = known_title(BREAKING_BAD)
        assert known is not None
        made = title_of(replace(known, content_id="made-by-hand"), clock(), made_by="ada")
        await store.write(create(made), *claim_of(made))
        await rate(asks(store, clock, ben), TITLES, BREAKING_BAD, rating=7)

        assert (await now(store, id_of(made))).rating_count == 1
        await recount(store, id_of(made))


class TestUnrate:
    async def test_takes_rating_review_and_its_mark_away(
        self, store: Store, clock: Watch, ben: User, eve: User
    ) -> None:
        await rate(asks(store, clock, ben), TITLES, MATRIX, rating=9, review="Whoa.")
        await rate(asks(store, clock, eve), TITLES, MATRIX, rating=5)
        await unrate(store, ben.user_id, MATRIX)
        opinion = await load_opinion(store, ben.user_id, MATRIX)

        assert (opinion.rating, opinion.seen) == (None, None)
        assert (await see_reviews(store, MATRIX)).items == []
        assert ratings_of(await now(store, MATRIX)) == count_ratings([5])
        await recount(store, MATRIX)

    async def test_the_last_one_leaves_no_average(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        await rate(asks(store, clock, ben), TITLES, MATRIX, rating=9)
        await unrate(store, ben.user_id, MATRIX)
        title = await now(store, MATRIX)

        assert (title.rating, title.rating_count, title.rating_sum) == (None, 0, 0)

    async def test_leaves_a_mark_that_was_there_before(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        await mark_seen(asks(store, clock, ben), TITLES, MATRIX, "2280-02-02")
        await rate(asks(store, clock, ben), TITLES, MATRIX, rating=9)
        await unrate(store, ben.user_id, MATRIX)
        opinion = await load_opinion(store, ben.user_id, MATRIX)

        assert opinion.seen is not None
        assert (opinion.seen.own, opinion.seen.seen_on) == ("hand", "2280-02-02")

    async def test_twice_is_as_good_as_once(self, store: Store, clock: Watch, ben: User) -> None:
        await rate(asks(store, clock, ben), TITLES, MATRIX, rating=9)
        await unrate(store, ben.user_id, MATRIX)
        await unrate(store, ben.user_id, MATRIX)

        await recount(store, MATRIX)


async def test_ones_own_ratings_come_with_their_titles_in_two_requests(
    store: Store, clock: Watch, ada: User, ben: User
) -> None:
    for title in (MATRIX, DARK, BREAKING_BAD):
        await rate(asks(store, clock, ben), TITLES, title, rating=8)
    with counting() as tally:
        page = await list_ratings(asks(store, clock, ben), limit=50)

    assert tally.requests == 2
    assert page.cursor is None
    assert [one.title and one.title.title for one in page.items] == [
        "The Matrix",
        "Breaking Bad",
        "Dark",
    ]


class TestAtOnce:
    async def test_everybody_who_rates_one_title_counts(
        self, store: Store, clock: Watch, ada: User
    ) -> None:
        people = [await somebody(store, clock, f"Person {number}") for number in range(6)]
        _, refused = await at_once(
            *(
                rate(asks(store, clock, one), TITLES, MATRIX, rating=number + 1)
                for number, one in enumerate(people)
            )
        )

        assert refused == []
        assert ratings_of(await now(store, MATRIX)) == count_ratings(range(1, 7))
        await recount(store, MATRIX)

    async def test_the_same_person_twice_is_one_rating(
        self, store: Store, clock: Watch, ada: User, ben: User
    ) -> None:
        await at_once(
            *(rate(asks(store, clock, ben), TITLES, MATRIX, rating=one) for one in (3, 8))
        )

        assert (await now(store, MATRIX)).rating_count == 1
        await recount(store, MATRIX)

    async def test_a_removal_during_a_change_leaves_one_of_both(
        self, store: Store, clock: Watch, ada: User, ben: User
    ) -> None:
        await rate(asks(store, clock, ben), TITLES, MATRIX, rating=3, review="Hm.")
        clock.forward(1)
        await at_once(
            rate(asks(store, clock, ben), TITLES, MATRIX, rating=8, review="Oh!"),
            unrate(store, ben.user_id, MATRIX),
        )

        assert (await now(store, MATRIX)).rating_count in (0, 1)
        await recount(store, MATRIX)

    async def test_a_title_that_is_being_removed_takes_no_rating(
        self, store: Store, clock: Watch, ada: User, ben: User
    ) -> None:
        title = await now(store, MATRIX)
        _, refused = await at_once(
            rate(asks(store, clock, ben), TITLES, MATRIX, rating=8),
            store.write(update(title, removed_at="2026-01-01T00:00:00.000Z")),
        )

        stored: Stored | None = await store.get(title_ref(MATRIX))
        assert stored is not None
        ratings = await everything_of(store.engine, Rating)
        assert stored.rating_count == len(ratings) == 1 - len(refused)

    async def test_whoever_is_deleted_meanwhile_leaves_nothing(
        self, store: Store, clock: Watch, ada: User, ben: User
    ) -> None:
        await store.write(delete(ben))
        with pytest.raises(CommonroomError):
            await rate(asks(store, clock, ben), TITLES, MATRIX, rating=8)

        assert await everything_of(store.engine, Rating) == []


@pytest.mark.parametrize("seed", range(3))
async def test_whatever_people_do_a_recount_agrees(
    store: Store, clock: Watch, ada: User, seed: int
) -> None:
    dice = Random(seed)
    people = [await somebody(store, clock, f"Person {number}") for number in range(3)]
    titles = [MATRIX, DARK]
    for _ in range(8):
        clock.forward(dice.choice([0, 0.0005, 1]))
        doings = []
        for _ in range(dice.randint(1, 3)):
            person, title = dice.choice(people), dice.choice(titles)
            ctx = asks(store, clock, person)
            said = dice.choice([None, "Good.", "Bad."])
            doings.append(
                unrate(store, person.user_id, title)
                if dice.random() < 0.3
                else rate(ctx, TITLES, title, rating=dice.randint(1, 10), review=said)
            )
        await asyncio.gather(*doings)
    await recount(store, *titles)
