"""What people have seen: marked by themselves, by ratings, and by evenings spent together."""

from __future__ import annotations

import pytest

from commonroom.accounts.tables import User
from commonroom.errors import Conflict, InvalidField, NotFound
from commonroom.store import Store, delete
from commonroom.titles.builtin import known_title
from commonroom.titles.stored_titles import load_title
from commonroom.titles.titles import TitleFacts, TitleId
from commonroom.watchlists.service.ratings import load_opinion, rate, unrate
from commonroom.watchlists.service.seen import (
    follow_evenings,
    mark_seen,
    missing_marks,
    unmark_seen,
)
from commonroom.watchlists.tables import Rating, Seen
from tests.accounts.people import Watch, at_once
from tests.support.fixtures import either
from tests.watchlists.examples import (
    ALIEN,
    DARK,
    MATRIX,
    TITLES,
    asks,
    everything_of,
    seen_among,
)

store = either

AT = "2026-05-31T20:00:00.000Z"


def facts(title: TitleId) -> TitleFacts:
    """What the catalogue knows of a title."""
    found = known_title(title)
    assert found is not None
    return found


async def mark_of(store: Store, person: User, title: TitleId) -> Seen | None:
    """Somebody's mark."""
    return (await load_opinion(store, person.user_id, title)).seen


class TestMark:
    async def test_stores_the_title_and_says_so(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        made = await mark_seen(asks(store, clock, ben), TITLES, ALIEN, "2276-02-14")

        assert (made.own, made.seen_on) == ("hand", "2276-02-14")
        assert await load_title(store, ALIEN) is not None
        assert await seen_among(asks(store, clock, ben), [ALIEN, MATRIX]) == {ALIEN}

    async def test_the_day_can_be_changed_and_left_out(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        for day in ("2276-02-14", None, "2277-01-01"):
            made = await mark_seen(asks(store, clock, ben), TITLES, ALIEN, day)
            assert made.seen_on == day

    async def test_after_a_rating_makes_the_mark_ones_own(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        await rate(asks(store, clock, ben), TITLES, ALIEN, rating=8)
        await mark_seen(asks(store, clock, ben), TITLES, ALIEN)
        await unrate(store, ben.user_id, ALIEN)
        mark = await mark_of(store, ben, ALIEN)

        assert mark is not None
        assert mark.own == "hand"

    async def test_refuses_what_nobody_knows_and_days_to_come(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        with pytest.raises(NotFound):
            await mark_seen(asks(store, clock, ben), TITLES, TitleId("SHOW", "999999999"))
        with pytest.raises(InvalidField):
            await mark_seen(asks(store, clock, ben), TITLES, ALIEN, "9999-01-01")


class TestUnmark:
    async def test_takes_it_back_and_twice_is_as_good_as_once(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        await mark_seen(asks(store, clock, ben), TITLES, ALIEN)
        for _ in range(2):
            await unmark_seen(asks(store, clock, ben), TITLES, ALIEN)

        assert await everything_of(store.engine, Seen) == []

    async def test_whoever_has_rated_it_has_seen_it(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        await rate(asks(store, clock, ben), TITLES, ALIEN, rating=8)
        with pytest.raises(Conflict):
            await unmark_seen(asks(store, clock, ben), TITLES, ALIEN)

    async def test_during_a_rating_one_of_both_is_first(
        self, store: Store, clock: Watch, ada: User, ben: User
    ) -> None:
        await mark_seen(asks(store, clock, ben), TITLES, ALIEN)
        await at_once(
            rate(asks(store, clock, ben), TITLES, ALIEN, rating=8),
            unmark_seen(asks(store, clock, ben), TITLES, ALIEN),
        )

        assert len(await everything_of(store.engine, Rating)) == 1
        assert await seen_among(asks(store, clock, ben), [ALIEN]) == {ALIEN}


class TestEvenings:
    async def test_those_who_were_there_have_seen_it(
        self, store: Store, clock: Watch, ben: User, eve: User
    ) -> None:
        marks = {ben.user_id: {"evening": AT}}
        for _ in range(2):
            await follow_evenings(store, clock(), facts(ALIEN), marks, {})

        assert await seen_among(asks(store, clock, ben), [ALIEN]) == {ALIEN}
        assert await seen_among(asks(store, clock, eve), [ALIEN]) == set()
        title = await load_title(store, ALIEN)
        assert title is not None
        assert title.synopsis == facts(ALIEN).overview, "the catalogue knows more than an evening"

    async def test_an_evening_that_was_not_takes_its_mark_back(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        await follow_evenings(store, clock(), facts(ALIEN), {ben.user_id: {"evening": AT}}, {})
        for _ in range(2):
            await follow_evenings(store, clock(), facts(ALIEN), {}, {ben.user_id: ["evening"]})

        assert await everything_of(store.engine, Seen) == []

    async def test_but_not_a_mark_of_ones_own(
        self, store: Store, clock: Watch, ben: User, eve: User
    ) -> None:
        await mark_seen(asks(store, clock, ben), TITLES, ALIEN)
        both = {ben.user_id: {"evening": AT}, eve.user_id: {"evening": AT}}
        await follow_evenings(store, clock(), facts(ALIEN), both, {})
        await rate(asks(store, clock, eve), TITLES, ALIEN, rating=8)
        gone = {one: ["evening"] for one in both}
        await follow_evenings(store, clock(), facts(ALIEN), {}, gone)

        assert await seen_among(asks(store, clock, ben), [ALIEN]) == {ALIEN}
        assert await seen_among(asks(store, clock, eve), [ALIEN]) == {ALIEN}

    async def test_nor_one_of_another_evening(self, store: Store, clock: Watch, ben: User) -> None:
        twice = {ben.user_id: {"first": AT, "second": AT}}
        await follow_evenings(store, clock(), facts(ALIEN), twice, {})
        await follow_evenings(store, clock(), facts(ALIEN), {}, {ben.user_id: ["second"]})
        mark = await mark_of(store, ben, ALIEN)

        assert mark is not None
        assert mark.evenings == {"first": AT}

    async def test_whoever_says_they_were_asleep_is_not_marked_again(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        marks = {ben.user_id: {"evening": AT}}
        await follow_evenings(store, clock(), facts(ALIEN), marks, {})
        await unmark_seen(asks(store, clock, ben), TITLES, ALIEN)
        await follow_evenings(store, clock(), facts(ALIEN), marks, {})

        assert await seen_among(asks(store, clock, ben), [ALIEN]) == set()
        assert await missing_marks(store, facts(ALIEN), marks) == []

    async def test_a_rating_that_goes_leaves_the_evening(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        await follow_evenings(store, clock(), facts(DARK), {ben.user_id: {"evening": AT}}, {})
        await rate(asks(store, clock, ben), TITLES, DARK, rating=8)
        await unrate(store, ben.user_id, DARK)

        assert await seen_among(asks(store, clock, ben), [DARK]) == {DARK}

    async def test_whoever_has_no_account_any_more_is_left_out(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        await store.write(delete(ben))
        marks = {ben.user_id: {"evening": AT}}
        await follow_evenings(store, clock(), facts(ALIEN), marks, {})

        assert await everything_of(store.engine, Seen) == []
        assert await missing_marks(store, facts(ALIEN), marks) == []

    async def test_what_is_missing_can_be_made(
        self, store: Store, clock: Watch, ben: User, eve: User
    ) -> None:
        await mark_seen(asks(store, clock, eve), TITLES, MATRIX)
        marks = {one.user_id: {"evening": AT} for one in (ben, eve)}
        await store.write(*await missing_marks(store, facts(MATRIX), marks))

        assert await missing_marks(store, facts(MATRIX), marks) == []
        assert await seen_among(asks(store, clock, ben), [MATRIX]) == {MATRIX}
