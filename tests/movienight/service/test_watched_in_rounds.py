"""A pick that was watched: one truth for it, in round, pick, watched films and wish list."""

from __future__ import annotations

import pytest

from commonroom.accounts.tables import User
from commonroom.errors import Conflict, NotFound
from commonroom.moments import iso
from commonroom.movienight.service.members import leave
from commonroom.movienight.service.rounds.picks import pick
from commonroom.movienight.service.rounds.votes import rate
from commonroom.movienight.service.watched import mark_round_watched, mark_watched
from commonroom.movienight.service.wishes import list_wishes, remove_wish
from commonroom.movienight.tables import Household, Round, WatchedFilm
from commonroom.store import Store
from tests.accounts.people import Meanwhile
from tests.movienight.evenings import everything_of, now_of
from tests.movienight.rounds_support import Evening
from tests.support.context import at

NOT_SELECTED = ["draft", "voting", "watched", "rated", "expired"]


async def watched(evening: Evening, round_: Round, person: User) -> None:
    ctx = await evening.ctx(person)
    await mark_round_watched(at(evening.store, evening.now(), ctx), round_.round_id)


class TestMarkRoundWatched:
    async def test_moves_round_pick_and_watched_films_together(
        self, evening: Evening, home: Household, ada: User, ben: User
    ) -> None:
        made = await evening.selected(ada)

        await watched(evening, made, ben)

        moment = iso(evening.clock())
        now, chosen = await evening.again(made), await evening.pick_of(made)
        assert (now.status, now.watched_at, now.rated_at) == ("watched", moment, None)
        assert chosen is not None
        assert (chosen.watched, chosen.watched_at) == (True, moment)
        assert await everything_of(evening.store.engine, WatchedFilm) == [
            WatchedFilm(
                group_id=home.group_id,
                tmdb_movie_id=1,
                title="Film 1",
                year=2000,
                genres=["Comedy"],
                watched_at=moment,
                marked_by=ben.user_id,
                marked_at=moment,
                round_id=made.round_id,
                attendees=made.attendees,
            )
        ]

    async def test_takes_the_film_off_the_wish_list_and_counts_that(
        self, evening: Evening, home: Household, ada: User
    ) -> None:
        for number in (1, 20):
            await evening.wish(ada, number)
        made = await evening.selected(ada)

        await watched(evening, made, ada)

        left = await list_wishes(await evening.ctx(ada))
        assert [one.tmdb_movie_id for one in left] == [20]
        assert (await now_of(evening.store, home)).wish_count == 1

    async def test_is_for_any_member_also_one_who_did_not_take_part(
        self, evening: Evening, ada: User, ben: User, zoe: User
    ) -> None:
        made = await evening.selected(ada, attendees=[ada.user_id])
        ctx = await evening.ctx(ben, acting_as=zoe)

        await mark_round_watched(at(evening.store, evening.now(), ctx), made.round_id)

        assert (await evening.again(made)).status == "watched"

    @pytest.mark.parametrize("status", NOT_SELECTED)
    async def test_is_only_possible_once_selected(
        self, evening: Evening, ada: User, status: str
    ) -> None:
        made = await evening.in_state(status, ada)
        before = await evening.snapshot()

        with pytest.raises(Conflict):
            await watched(evening, made, ada)
        assert await evening.snapshot() == before

    async def test_ends_the_round_at_once_where_everybody_has_rated_it(
        self, evening: Evening, ada: User, ben: User
    ) -> None:
        made = await evening.selected(ada)
        for person in (ada, ben):
            ctx = await evening.ctx(person)
            await rate(at(evening.store, evening.now(), ctx), made.round_id, "liked")
        assert (await evening.again(made)).status == "selected"

        await watched(evening, made, ada)

        now = await evening.again(made)
        assert (now.status, now.rated_at) == ("rated", iso(evening.clock()))

    async def test_does_not_wait_for_the_rating_of_somebody_who_left(
        self, evening: Evening, ada: User, ben: User
    ) -> None:
        made = await evening.selected(ada)
        await rate(at(evening.store, 1, await evening.ctx(ada)), made.round_id, "liked")
        await leave(at(evening.store, evening.now(), await evening.ctx(ben)))

        await watched(evening, made, ada)

        assert (await evening.again(made)).status == "rated"

    async def test_sees_a_wish_that_comes_in_the_same_moment(
        self, store: Store, evening: Evening, home: Household, ada: User
    ) -> None:
        made, ctx = await evening.selected(ada), await evening.ctx(ada)
        racing = Meanwhile(store, lambda: evening.wish(ada, 1), before_writing=Round)

        await mark_round_watched(at(racing, evening.now(), ctx), made.round_id)

        assert await list_wishes(ctx) == []
        assert (await now_of(store, home)).wish_count == 0

    async def test_counts_a_wish_once_that_is_removed_in_the_same_moment(
        self, store: Store, evening: Evening, home: Household, ada: User
    ) -> None:
        await evening.wish(ada, 1)
        made, ctx = await evening.selected(ada), await evening.ctx(ada)

        async def removed() -> None:
            await remove_wish(at(store, evening.now(), ctx), 1)

        racing = Meanwhile(store, removed, before_writing=Round)
        await mark_round_watched(at(racing, evening.now(), ctx), made.round_id)

        assert (await now_of(store, home)).wish_count == 0
        assert (await evening.again(made)).status == "watched"

    async def test_misses_no_rating_that_comes_in_the_same_moment(
        self, store: Store, evening: Evening, ada: User
    ) -> None:
        made = await evening.selected(ada, attendees=[ada.user_id])
        ctx = await evening.ctx(ada)

        async def rates() -> None:
            await rate(at(store, evening.now(), ctx), made.round_id, "loved")

        racing = Meanwhile(store, rates, before_writing=Round)
        await mark_round_watched(at(racing, evening.now(), ctx), made.round_id)

        now = await evening.again(made)
        assert (now.status, now.rated) == ("rated", {ada.user_id: "loved"})

    async def test_is_not_for_whoever_just_left(
        self, store: Store, evening: Evening, ada: User, ben: User
    ) -> None:
        made, early = await evening.selected(ada), await evening.ctx(ben)
        await leave(at(store, evening.now(), early))

        with pytest.raises(NotFound):
            await mark_round_watched(at(store, evening.now(), early), made.round_id)


class TestOneTruth:
    async def test_a_film_that_was_marked_before_becomes_the_rounds(
        self, store: Store, evening: Evening, ada: User
    ) -> None:
        made, ctx = await evening.voting(ada), await evening.ctx(ada)
        marked = await mark_watched(at(store, evening.now(), ctx), evening.films, 1)
        await pick(at(store, evening.now(), ctx), made.round_id, 1)

        await watched(evening, made, ada)

        (only,) = await everything_of(store.engine, WatchedFilm)
        assert only.round_id == made.round_id
        assert [one.marked_at for one in only.earlier] == [marked.marked_at]

    async def test_what_a_round_watched_cannot_be_marked_once_more(
        self, store: Store, evening: Evening, ada: User
    ) -> None:
        await evening.watched(ada)

        with pytest.raises(Conflict, match="already"):
            await mark_watched(at(store, 1, await evening.ctx(ada)), evening.films, 1)
