"""Opinions that drifted: whatever is wrong is found, and mended by the ratings that people gave."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

import pytest
from msgspec.structs import replace

from commonroom.accounts.tables import User
from commonroom.store import ConditionFailed, Store, create, delete, put, update
from commonroom.store.checking import ReportedProblem, StoredEntity, check_store
from commonroom.titles.stored_titles import Stored, title_ref
from commonroom.titles.tables import TmdbClaim, worth_watch
from commonroom.titles.titles import TitleId
from commonroom.watchlists.checks import checks
from commonroom.watchlists.checks.opinions import OpinionCheck
from commonroom.watchlists.service.ratings import (
    load_opinion,
    pointer_of,
    rate,
    review_of,
)
from commonroom.watchlists.service.seen import follow_evenings, mark_seen
from commonroom.watchlists.tables import Rating, Seen, TitleReview
from tests.accounts.people import Watch
from tests.support.fixtures import either
from tests.watchlists.examples import ALIEN, MATRIX, TITLES, asks, somebody
from tests.watchlists.service.test_ratings import BREAKING_BAD, recount
from tests.watchlists.service.test_seen import AT, facts

store = either

Fault: TypeAlias = Callable[[Store, Rating], Awaitable[None]]
FAULTS: list[Fault] = []


def fault(one: Fault) -> Fault:
    """Something that is done to Ben's rating of the Matrix, or to what is made of it."""
    FAULTS.append(one)
    return one


async def _title(store: Store, title: TitleId = MATRIX) -> Stored:
    found: Stored | None = await store.get(title_ref(title))
    assert found is not None
    return found


async def _seen(store: Store, rating: Rating) -> Seen:
    found = (await load_opinion(store, rating.user_id, MATRIX)).seen
    assert found is not None
    return found


def _review(rating: Rating) -> TitleReview:
    shown = review_of(rating)
    assert shown is not None
    return shown


@fault
async def a_count_too_high(store: Store, rating: Rating) -> None:
    await store.write(update((await _title(store)).ref, rating_count=7))


@fault
async def a_count_too_low(store: Store, rating: Rating) -> None:
    await store.write(update((await _title(store)).ref, rating_count=0))


@fault
async def a_review_alone_that_is_not_counted(store: Store, rating: Rating) -> None:
    await store.write(update((await _title(store)).ref, unrated_review_count=0))


@fault
async def a_rating_that_became_a_review_alone(store: Store, rating: Rating) -> None:
    await store.write(put(replace(rating, rating=None)))


@fault
async def another_sum(store: Store, rating: Rating) -> None:
    await store.write(update((await _title(store)).ref, rating_sum=1))


@fault
async def another_average(store: Store, rating: Rating) -> None:
    await store.write(update((await _title(store)).ref, rating=9.9))


@fault
async def no_average(store: Store, rating: Rating) -> None:
    await store.write(update((await _title(store)).ref, rating=None))


@fault
async def another_spread(store: Store, rating: Rating) -> None:
    await store.write(update((await _title(store)).ref, rating_spread={"1": 2}))


@fault
async def a_spread_with_numbers_that_are_none(store: Store, rating: Rating) -> None:
    await store.write(update((await _title(store)).ref, rating_spread={"8": -1, "5": 3}))


@fault
async def a_title_that_counts_nothing_at_all(store: Store, rating: Rating) -> None:
    nothing: dict[str, Any] = {
        "rating": None,
        "rating_count": 0,
        "rating_sum": 0,
        "rating_spread": {},
    }
    await store.write(update((await _title(store)).ref, **nothing))


@fault
async def a_rating_that_nothing_points_to(store: Store, rating: Rating) -> None:
    await store.write(delete(pointer_of(rating)))


@fault
async def a_pointer_that_says_another_number(store: Store, rating: Rating) -> None:
    await store.write(put(replace(pointer_of(rating), rating=1)))


@fault
async def a_rating_that_is_gone_with_everything_left(store: Store, rating: Rating) -> None:
    await store.write(delete(rating))


@fault
async def a_pointer_to_a_rating_of_nobody(store: Store, rating: Rating) -> None:
    await store.write(create(replace(pointer_of(rating), user_id="nobody")))


@fault
async def a_rating_that_changed_alone(store: Store, rating: Rating) -> None:
    await store.write(put(replace(rating, rating=2)))


@fault
async def a_review_that_nobody_sees(store: Store, rating: Rating) -> None:
    await store.write(delete(_review(rating)))


@fault
async def a_review_that_says_something_else(store: Store, rating: Rating) -> None:
    await store.write(put(replace(_review(rating), review="Something else.")))


@fault
async def a_review_of_an_earlier_time(store: Store, rating: Rating) -> None:
    await store.write(create(replace(_review(rating), rated_at="2001-01-01T00:00:00.000Z")))


@fault
async def a_review_of_nobody(store: Store, rating: Rating) -> None:
    await store.write(create(replace(_review(rating), user_id="nobody")))


@fault
async def a_rating_of_a_title_that_was_not_seen(store: Store, rating: Rating) -> None:
    await store.write(delete(await _seen(store, rating)))


@fault
async def a_rating_of_a_title_that_was_only_watched_together(store: Store, rating: Rating) -> None:
    await store.write(update(await _seen(store, rating), own=None, evenings={"evening": AT}))


@fault
async def a_mark_of_a_rating_that_never_was(store: Store, rating: Rating) -> None:
    await store.write(create(replace(await _seen(store, rating), user_id="nobody")))


@fault
async def a_mark_of_an_evening_and_a_rating_that_never_was(store: Store, rating: Rating) -> None:
    mark = replace(await _seen(store, rating), user_id="nobody", evenings={"evening": AT})
    await store.write(create(mark))


@fault
async def a_title_without_its_claim(store: Store, rating: Rating) -> None:
    await store.write(delete(TmdbClaim.at(content_type="MOVIE", tmdb_id="603")))


@fault
async def a_claim_of_a_title_that_never_was(store: Store, rating: Rating) -> None:
    await store.write(create(TmdbClaim(content_type="SHOW", tmdb_id="7", content_id="7")))


@fault
async def a_claim_to_an_id_that_its_title_does_not_have(store: Store, rating: Rating) -> None:
    await store.write(create(TmdbClaim(content_type="MOVIE", tmdb_id="8", content_id="603")))


async def check_all(store: Store, *, repair: bool) -> list[ReportedProblem]:
    """What a check finds."""
    found: list[ReportedProblem] = []
    await check_store(
        store,
        [worth_watch],
        checks(),
        repair=repair,
        report=found.append,
        progress=lambda *_: None,
    )
    return found


@pytest.fixture
async def rating(store: Store, clock: Watch, ben: User, eve: User) -> Rating:
    """Ben's, of a title that Eve rated, too, and with marks of all kinds around it."""
    made = await rate(asks(store, clock, ben), TITLES, MATRIX, rating=8, review="Whoa.")
    assert made is not None
    await rate(asks(store, clock, eve), TITLES, MATRIX, rating=5)
    ann = await somebody(store, clock, "Ann")
    await rate(asks(store, clock, ann), TITLES, MATRIX, review="A review alone.")
    await rate(asks(store, clock, eve), TITLES, BREAKING_BAD, rating=10, review="Yes.")
    await mark_seen(asks(store, clock, ben), TITLES, ALIEN)
    await follow_evenings(store, clock(), facts(ALIEN), {eve.user_id: {"evening": AT}}, {})
    return made


async def test_nothing_is_wrong_with_what_people_do(store: Store, rating: Rating) -> None:
    assert await check_all(store, repair=False) == []


@pytest.mark.parametrize("broken", FAULTS, ids=lambda one: one.__name__)
async def test_it_is_found_and_mended(store: Store, rating: Rating, broken: Fault) -> None:
    await broken(store, rating)

    assert await check_all(store, repair=False) != []
    mended = await check_all(store, repair=True)
    assert all(one.repaired for one in mended)
    assert await check_all(store, repair=False) == []
    await recount(store, MATRIX, BREAKING_BAD)


async def test_all_at_once_is_mended_too(
    store: Store, clock: Watch, rating: Rating, ben: User
) -> None:
    others = [await somebody(store, clock, f"Person {number}") for number in range(4)]
    for number, one in enumerate(others):
        made = await rate(asks(store, clock, one), TITLES, MATRIX, rating=number + 1, review="Hm.")
        assert made is not None
        await store.write(delete(pointer_of(made)), delete(_review(made)))
    await a_count_too_high(store, rating)
    await a_pointer_to_a_rating_of_nobody(store, rating)
    await a_review_of_nobody(store, rating)
    for _ in range(3):
        left = await check_all(store, repair=True)
        if not left:
            break

    assert await check_all(store, repair=False) == []
    await recount(store, MATRIX)


async def test_a_title_that_is_rated_meanwhile_is_not_mended_wrongly(
    store: Store, clock: Watch, rating: Rating, ben: User
) -> None:
    await another_sum(store, rating)
    title = await _title(store)
    thing = StoredEntity(title.ref.key, title.to_item(), title)
    (problem,) = [one async for one in OpinionCheck().examine(store, [thing])]
    await rate(asks(store, clock, ben), TITLES, MATRIX, rating=1)

    with pytest.raises(ConditionFailed):
        await store.write(*problem.repair)
