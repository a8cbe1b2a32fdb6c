"""The home of a household: what it shows, what it costs, and when it is another."""

from __future__ import annotations

import pytest

from commonroom.accounts.tables import User
from commonroom.movienight.rules.households import MAX_MEMBERS
from commonroom.movienight.rules.rounds import RatingSummary
from commonroom.movienight.service.home import (
    WATCHED,
    HomeDetails,
    home_version,
    load_home,
    version_of,
)
from commonroom.movienight.service.members import add_managed, leave
from commonroom.movienight.service.rounds.picks import pick, reopen
from commonroom.movienight.service.rounds.votes import rate, vote
from commonroom.movienight.service.watched import mark_watched, undo_watched
from commonroom.movienight.service.wishes import add_wish
from commonroom.movienight.tables import Household, Round, RoundRating
from commonroom.store import counting, delete, put, update
from tests.movienight.evenings import now_of
from tests.movienight.rounds_support import Evening
from tests.support.context import at


async def seen(evening: Evening, person: User) -> HomeDetails:
    return await load_home(await evening.ctx(person))


async def first_film(evening: Evening, round_: Round) -> int:
    return (await evening.suggestions(round_))[0].tmdb_movie_id


class TestSeeing:
    async def test_shows_everybody_the_longest_standing_first(
        self, evening: Evening, ada: User, ben: User, zoe: User
    ) -> None:
        home = await seen(evening, ben)
        assert [one.user_id for one in home.members] == [ada.user_id, ben.user_id, zoe.user_id]
        assert set(home.preferences) == {ada.user_id, ben.user_id}

    async def test_whoever_has_just_left_is_not_there(
        self, evening: Evening, ada: User, ben: User, zoe: User
    ) -> None:
        ctx = await evening.ctx(ada)
        await leave(at(evening.store, evening.now(), await evening.ctx(ben)))
        assert [one.user_id for one in (await load_home(ctx)).members] == [ada.user_id]

    @pytest.mark.parametrize("named", [0, 1])
    async def test_a_household_of_an_earlier_version_has_the_same_members(
        self, evening: Evening, home: Household, ada: User, ben: User, named: int
    ) -> None:
        expected = await seen(evening, ada)
        await evening.store.write(update(home.ref, member_ids=[ben.user_id][:named]))
        assert await seen(evening, ada) == expected

    async def test_a_household_that_names_somebody_else_has_the_same_members(
        self, evening: Evening, home: Household, ada: User, eve: User
    ) -> None:
        expected = await seen(evening, ada)
        await evening.store.write(update(home.ref, member_ids=[ada.user_id, eve.user_id]))
        assert await seen(evening, ada) == expected

    async def test_a_new_household_has_nothing_to_look_back_on(
        self, evening: Evening, ada: User
    ) -> None:
        home = await seen(evening, ada)
        assert (home.tonight, home.watched, home.wishes) == (None, [], [])

    async def test_an_open_round_is_tonight_with_those_who_voted(
        self, evening: Evening, ada: User, ben: User
    ) -> None:
        round_ = await evening.voting(ada)
        film = await first_film(evening, round_)
        for thumb in ("up", "down"):
            await vote(
                at(evening.store, evening.now(), await evening.ctx(ben)),
                round_.round_id,
                film,
                thumb,
            )
        tonight = (await seen(evening, ada)).tonight
        assert tonight is not None
        assert tonight.round.round_id == round_.round_id
        assert tonight.attendees == [ada.user_id, ben.user_id]
        assert tonight.voted == {ben.user_id}
        assert tonight.picked is None

    @pytest.mark.parametrize("status", ["selected", "watched"])
    async def test_the_last_pick_is_tonight_until_everybody_rated_it(
        self, evening: Evening, ada: User, ben: User, status: str
    ) -> None:
        round_ = await evening.in_state(status, ada)
        tonight = (await seen(evening, ben)).tonight
        assert tonight is not None
        assert tonight.round.status == status
        assert tonight.picked is not None
        assert tonight.picked.film is not None
        assert tonight.picked.film.tmdb_movie_id == await first_film(evening, round_)

    async def test_a_round_that_is_over_is_not_tonight(self, evening: Evening, ada: User) -> None:
        await evening.rated(ada)
        home = await seen(evening, ada)
        assert home.tonight is None
        assert [one.ratings for one in home.watched] == [RatingSummary(loved=1)]

    async def test_an_open_round_comes_before_the_last_pick(
        self, evening: Evening, ada: User
    ) -> None:
        await evening.selected(ada)
        opened = await evening.draft(ada)
        tonight = (await seen(evening, ada)).tonight
        assert tonight is not None
        assert tonight.round.round_id == opened.round_id

    async def test_looks_back_on_the_newest_films_only(self, evening: Evening, ada: User) -> None:
        rounds = [await evening.watched(ada, attendees=[ada.user_id]) for _ in range(WATCHED + 1)]
        watched = (await seen(evening, ada)).watched
        newest = [one.round_id for one in reversed(rounds)]
        assert [one.watched.round_id for one in watched] == newest[:WATCHED]

    async def test_shows_the_newest_wish_first(self, evening: Evening, ada: User) -> None:
        for film in (3, 5):
            ctx = await evening.ctx(ada)
            await add_wish(at(evening.store, evening.now(), ctx), evening.films, film)
        home = await seen(evening, ada)
        assert [one.tmdb_movie_id for one in home.wishes] == [5, 3]

    async def test_a_film_whose_round_is_lost_was_watched_all_the_same(
        self, evening: Evening, ada: User
    ) -> None:
        round_ = await evening.watched(ada)
        await evening.store.write(delete(round_))
        home = await seen(evening, ada)
        assert [one.ratings for one in home.watched] == [RatingSummary()]
        assert home.tonight is None

    async def test_whoever_left_is_not_waited_for(
        self, evening: Evening, ada: User, ben: User
    ) -> None:
        await evening.voting(ada)
        await leave(at(evening.store, evening.now(), await evening.ctx(ben)))
        tonight = (await seen(evening, ada)).tonight
        assert tonight is not None
        assert tonight.attendees == [ada.user_id]


class TestRoundsOfEarlierVersions:
    async def test_everybody_takes_part_where_nobody_is_named(
        self, evening: Evening, ada: User, ben: User
    ) -> None:
        round_ = await evening.voting(ada)
        await evening.store.write(update(round_.ref, attendees=None, status="closed"))
        tonight = (await seen(evening, ada)).tonight
        assert tonight is not None
        assert tonight.round.status == "voting"
        assert tonight.attendees == [ada.user_id, ben.user_id]

    async def test_ratings_are_found_where_they_were_kept(
        self, evening: Evening, ada: User, ben: User
    ) -> None:
        round_ = await evening.watched(ada)
        old = Round(
            round_id=round_.round_id,
            group_id=round_.group_id,
            started_by=ada.user_id,
            status="watched",
            created_at=round_.created_at,
        )
        kept = RoundRating(
            round_id=round_.round_id, member_id=ben.user_id, rating="liked", rated_at="2020-01-01"
        )
        await evening.store.write(put(old))
        await evening.store.write(put(kept))
        assert (await seen(evening, ada)).watched[0].ratings == RatingSummary(liked=1)


class TestCost:
    async def test_is_the_same_however_much_there_is(self, evening: Evening, ada: User) -> None:
        ctx = await evening.ctx(ada)
        with counting() as little:
            await load_home(ctx)
        for number in range(WATCHED):
            await evening.watched(ada, attendees=[ada.user_id])
            ctx = await evening.ctx(ada)
            await add_wish(at(evening.store, evening.now(), ctx), evening.films, 20 + number)
        for number in range(MAX_MEMBERS - 2):
            ctx = await evening.ctx(ada)
            name = f"Child {number}"
            await add_managed(at(evening.store, evening.now(), ctx), display_name=name)
        await evening.voting(ada)
        ctx = await evening.ctx(ada)
        with counting() as much:
            await load_home(ctx)
        # The votes of the open round, or else the last pick. The seat has cost one before.
        assert (little.requests, much.requests) == (4, 4)

    async def test_watching_it_takes_two_requests(
        self, evening: Evening, home: Household, ada: User
    ) -> None:
        await evening.voting(ada)
        with counting() as tally:
            await home_version(evening.store, home.group_id)
        assert tally.requests == 2


class TestVersion:
    @pytest.mark.parametrize(
        "status", ["draft", "voting", "selected", "watched", "rated", "expired"]
    )
    async def test_a_page_and_whoever_watches_agree(
        self, evening: Evening, home: Household, ada: User, status: str
    ) -> None:
        await evening.in_state(status, ada)
        tonight = (await seen(evening, ada)).tonight
        group = await now_of(evening.store, home)
        shown = version_of(group.version, None if tonight is None else tonight.round)
        assert await home_version(evening.store, home.group_id) == shown

    async def test_changes_with_whatever_the_home_shows(
        self, evening: Evening, home: Household, ada: User, ben: User
    ) -> None:
        store, versions = evening.store, [await home_version(evening.store, home.group_id)]

        async def another() -> None:
            versions.append(await home_version(store, home.group_id))

        await evening.likes(ben, likes=("35", "16"))
        await another()
        await add_wish(at(store, evening.now(), await evening.ctx(ada)), evening.films, 9)
        await another()
        round_ = await evening.voting(ada)
        await another()
        film, ctx = await first_film(evening, round_), await evening.ctx(ben)
        await vote(at(store, evening.now(), ctx), round_.round_id, film, "up")
        await another()
        await pick(at(store, evening.now(), await evening.ctx(ada)), round_.round_id, film)
        await another()
        await reopen(at(store, evening.now(), await evening.ctx(ada)), round_.round_id)
        await another()
        assert len(set(versions)) == len(versions)

    async def test_agrees_where_a_pick_waits_and_another_round_was_abandoned(
        self, evening: Evening, home: Household, ada: User
    ) -> None:
        await evening.selected(ada)
        await evening.expired(ada)
        tonight = (await seen(evening, ada)).tonight
        assert tonight is not None
        group = await now_of(evening.store, home)
        shown = version_of(group.version, tonight.round)
        assert await home_version(evening.store, home.group_id) == shown

    async def test_changes_when_a_film_is_marked_or_that_is_undone(
        self, evening: Evening, home: Household, ada: User
    ) -> None:
        versions = [await home_version(evening.store, home.group_id)]
        ctx = await evening.ctx(ada)
        await mark_watched(at(evening.store, evening.now(), ctx), evening.films, 4)
        versions.append(await home_version(evening.store, home.group_id))
        await undo_watched(at(evening.store, evening.now(), ctx), 4)
        versions.append(await home_version(evening.store, home.group_id))
        assert len(set(versions)) == 3

    async def test_changes_with_the_first_rating(
        self, evening: Evening, home: Household, ada: User
    ) -> None:
        round_ = await evening.watched(ada)
        before = await home_version(evening.store, home.group_id)
        ctx = await evening.ctx(ada)
        await rate(at(evening.store, evening.now(), ctx), round_.round_id, "loved")
        assert await home_version(evening.store, home.group_id) != before

    async def test_is_gone_with_the_household(self, evening: Evening) -> None:
        assert await home_version(evening.store, "nowhere") == "gone"


async def test_a_film_watched_elsewhere_is_one_of_the_last(evening: Evening, ada: User) -> None:
    await mark_watched(at(evening.store, evening.now(), await evening.ctx(ada)), evening.films, 4)
    await evening.watched(ada)
    assert [one.watched.tmdb_movie_id for one in (await seen(evening, ada)).watched] == [1, 4]
