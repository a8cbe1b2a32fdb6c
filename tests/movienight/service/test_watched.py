"""Watched films: marked, in a round or not, and all of it taken back within a day."""

from __future__ import annotations

import pytest

from commonroom.accounts.tables import User
from commonroom.errors import Conflict, Forbidden, NotFound
from commonroom.moments import iso
from commonroom.movienight.service.members import leave
from commonroom.movienight.service.rounds.picks import pick, reopen
from commonroom.movienight.service.rounds.votes import rate
from commonroom.movienight.service.watched import (
    mark_round_watched,
    mark_watched,
    undo_round_watched,
    undo_watched,
)
from commonroom.movienight.service.wishes import MAX_WISHES, list_wishes
from commonroom.movienight.tables import Household, PendingPick, Round, WatchedFilm, Wish
from commonroom.movienight.tables.films import NOBODY
from commonroom.store import Store, delete, update
from tests.accounts.people import DAY, Meanwhile
from tests.movienight.evenings import everything_of, now_of
from tests.movienight.rounds_support import Evening
from tests.support.context import at


async def mark(evening: Evening, person: User, number: int) -> WatchedFilm:
    ctx = await evening.ctx(person)
    return await mark_watched(at(evening.store, evening.now(), ctx), evening.films, number)


class TestMarkWatched:
    async def test_is_kept_with_who_said_so(
        self, evening: Evening, home: Household, ben: User
    ) -> None:
        made = await mark(evening, ben, 3)

        moment = iso(evening.clock())
        assert await everything_of(evening.store.engine, WatchedFilm) == [made]
        assert made == WatchedFilm(
            group_id=home.group_id,
            tmdb_movie_id=3,
            title="Film 3",
            year=2000,
            genres=["Comedy"],
            watched_at=moment,
            marked_by=ben.user_id,
            marked_at=moment,
            attendees=home.member_ids,
        )

    async def test_takes_the_film_off_the_wish_list(
        self, evening: Evening, home: Household, ada: User, ben: User
    ) -> None:
        for number in (3, 4):
            await evening.wish(ada, number)

        await mark(evening, ben, 3)

        left = await list_wishes(await evening.ctx(ada))
        assert [one.tmdb_movie_id for one in left] == [4]
        assert (await now_of(evening.store, home)).wish_count == 1

    async def test_twice_is_refused(self, evening: Evening, ada: User, ben: User) -> None:
        made = await mark(evening, ada, 3)

        with pytest.raises(Conflict, match="already"):
            await mark(evening, ben, 3)
        assert await everything_of(evening.store.engine, WatchedFilm) == [made]

    async def test_of_a_film_that_nobody_knows_finds_nothing(
        self, evening: Evening, ada: User
    ) -> None:
        with pytest.raises(NotFound):
            await mark(evening, ada, 999)

    async def test_takes_a_wish_along_that_comes_in_the_same_moment(
        self, store: Store, evening: Evening, home: Household, ada: User
    ) -> None:
        ctx = await evening.ctx(ada)
        racing = Meanwhile(store, lambda: evening.wish(ada, 3), before_writing=WatchedFilm)

        await mark_watched(at(racing, evening.now(), ctx), evening.films, 3)

        assert await list_wishes(ctx) == []
        assert (await now_of(store, home)).wish_count == 0

    async def test_is_not_for_whoever_left(self, store: Store, evening: Evening, ben: User) -> None:
        early = await evening.ctx(ben)
        await leave(at(store, evening.now(), early))

        with pytest.raises(NotFound):
            await mark_watched(at(store, evening.now(), early), evening.films, 3)


class TestMarkingAPickedFilm:
    async def test_is_the_same_as_saying_so_in_the_round(
        self, evening: Evening, home: Household, ada: User, ben: User
    ) -> None:
        made = await evening.selected(ada)

        watched = await mark(evening, ben, 1)

        moment = iso(evening.clock())
        now, chosen = await evening.again(made), await evening.pick_of(made)
        assert (now.status, now.watched_at, now.watched_by) == ("watched", moment, ben.user_id)
        assert chosen is not None
        assert (chosen.watched, chosen.watched_at) == (True, moment)
        assert watched.round_id == made.round_id
        assert await everything_of(evening.store.engine, WatchedFilm) == [watched]

    async def test_is_found_for_a_pick_of_before_these_were_kept(
        self, evening: Evening, ada: User
    ) -> None:
        made = await evening.selected(ada)
        (pending,) = await everything_of(evening.store.engine, PendingPick)
        await evening.store.write(delete(pending))

        watched = await mark(evening, ada, 1)

        assert watched.round_id == made.round_id
        assert (await evening.again(made)).status == "watched"

    async def test_that_is_picked_in_the_same_moment_is_the_rounds(
        self, store: Store, evening: Evening, ada: User
    ) -> None:
        made, ctx = await evening.voting(ada), await evening.ctx(ada)

        async def picks() -> None:
            await pick(at(store, evening.now(), ctx), made.round_id, 1)

        racing = Meanwhile(store, picks, before_writing=WatchedFilm)
        watched = await mark_watched(at(racing, evening.now(), ctx), evening.films, 1)

        assert watched.round_id == made.round_id
        assert (await evening.again(made)).status == "watched"

    async def test_leaves_the_round_alone_once_the_pick_was_taken_back(
        self, evening: Evening, ada: User
    ) -> None:
        made, ctx = await evening.selected(ada), await evening.ctx(ada)
        await reopen(at(evening.store, evening.now(), ctx), made.round_id)

        watched = await mark(evening, ada, 1)

        assert watched.round_id is None
        assert (await evening.again(made)).status == "voting"
        assert await everything_of(evening.store.engine, PendingPick) == []


class TestUndoWatched:
    async def test_is_for_the_marker_and_the_creator(
        self, evening: Evening, ada: User, ben: User
    ) -> None:
        for person, number in ((ben, 1), (ben, 2), (ada, 3)):
            await mark(evening, person, number)

        await undo_watched(at(evening.store, evening.now(), await evening.ctx(ben)), 1)
        await undo_watched(at(evening.store, evening.now(), await evening.ctx(ada)), 2)
        with pytest.raises(Forbidden):
            await undo_watched(at(evening.store, evening.now(), await evening.ctx(ben)), 3)

        left = await everything_of(evening.store.engine, WatchedFilm)
        assert [one.tmdb_movie_id for one in left] == [3]

    async def test_is_possible_for_a_day(self, evening: Evening, ada: User) -> None:
        ctx = await evening.ctx(ada)
        for number in (1, 2):
            await mark(evening, ada, number)
        marked = evening.clock()

        await undo_watched(at(evening.store, marked + DAY, ctx), 2)
        with pytest.raises(Conflict, match="within a day"):
            await undo_watched(at(evening.store, marked + DAY + 1, ctx), 1)

    async def test_lets_the_film_be_wished_for_and_marked_again(
        self, evening: Evening, ada: User
    ) -> None:
        await mark(evening, ada, 1)
        await undo_watched(at(evening.store, evening.now(), await evening.ctx(ada)), 1)

        await evening.wish(ada, 1)
        await mark(evening, ada, 1)

    async def test_finds_nothing_where_it_was_not_marked(self, evening: Evening, ada: User) -> None:
        with pytest.raises(NotFound):
            await undo_watched(at(evening.store, evening.now(), await evening.ctx(ada)), 1)

    async def test_puts_the_film_back_on_the_wish_list_as_it_was(
        self, evening: Evening, home: Household, ada: User, ben: User
    ) -> None:
        await evening.wish(ada, 3)
        (before,) = await everything_of(evening.store.engine, Wish)
        await mark(evening, ben, 3)

        await undo_watched(at(evening.store, evening.now(), await evening.ctx(ben)), 3)

        assert await everything_of(evening.store.engine, Wish) == [before]
        assert (await now_of(evening.store, home)).wish_count == 1

    async def test_names_nobody_who_was_deleted_meanwhile(
        self, evening: Evening, ada: User, ben: User
    ) -> None:
        await evening.wish(ben, 3)
        await mark(evening, ada, 3)
        await evening.store.write(delete(ben))

        await undo_watched(at(evening.store, evening.now(), await evening.ctx(ada)), 3)

        (wish,) = await everything_of(evening.store.engine, Wish)
        assert wish.added_by == NOBODY

    async def test_leaves_a_wish_list_alone_that_is_full_by_now(
        self, evening: Evening, home: Household, ada: User
    ) -> None:
        await evening.wish(ada, 3)
        await mark(evening, ada, 3)
        full = update(home.ref, wish_count=MAX_WISHES)
        await evening.store.write(full)

        await undo_watched(at(evening.store, evening.now(), await evening.ctx(ada)), 3)

        assert await everything_of(evening.store.engine, WatchedFilm) == []
        assert await everything_of(evening.store.engine, Wish) == []

    async def test_takes_a_round_back_to_its_pick_with_everything_that_followed(
        self, evening: Evening, home: Household, ada: User, ben: User
    ) -> None:
        await evening.wish(ben, 1)
        (wished,) = await everything_of(evening.store.engine, Wish)
        selected = await evening.selected(ada)
        await mark(evening, ben, 1)
        ctx = await evening.ctx(ada)
        await rate(at(evening.store, evening.now(), ctx), selected.round_id, "loved")

        await undo_watched(at(evening.store, evening.now(), await evening.ctx(ben)), 1)

        now, chosen = await evening.again(selected), await evening.pick_of(selected)
        assert (now.status, now.watched_at, now.watched_by) == ("selected", None, None)
        assert now.rated == {ada.user_id: "loved"}, "what was said stays"
        assert chosen is not None
        assert (chosen.watched, chosen.watched_at) == (False, None)
        assert await everything_of(evening.store.engine, WatchedFilm) == []
        assert await everything_of(evening.store.engine, Wish) == [wished]
        assert (await now_of(evening.store, home)).wish_count == 1
        await mark(evening, ada, 1)
        assert (await evening.again(selected)).status == "watched", "it can be said again"

    @pytest.mark.parametrize("rated", [False, True])
    async def test_in_the_round_itself_is_the_same(
        self, evening: Evening, ada: User, ben: User, rated: bool
    ) -> None:
        made = await (evening.rated(ada) if rated else evening.watched(ada))
        with pytest.raises(Forbidden):
            await undo_round_watched(
                at(evening.store, evening.now(), await evening.ctx(ben)), made.round_id
            )

        await undo_round_watched(
            at(evening.store, evening.now(), await evening.ctx(ada)), made.round_id
        )

        now = await evening.again(made)
        assert (now.status, now.rated_at) == ("selected", None)
        assert await everything_of(evening.store.engine, WatchedFilm) == []

    async def test_in_a_round_is_possible_for_a_day(self, evening: Evening, ada: User) -> None:
        made, ctx = await evening.watched(ada), await evening.ctx(ada)

        with pytest.raises(Conflict, match="within a day"):
            await undo_round_watched(
                at(evening.store, evening.clock() + DAY + 1, ctx), made.round_id
            )
        assert (await evening.again(made)).status == "watched"

    async def test_restores_when_it_was_watched_before(self, evening: Evening, ada: User) -> None:
        first, ctx = await evening.selected(ada), await evening.ctx(ada)
        second = await evening.selected(ada)
        assert await evening.numbers(first) == await evening.numbers(second)
        await mark_round_watched(at(evening.store, evening.now(), ctx), first.round_id)
        (before,) = await everything_of(evening.store.engine, WatchedFilm)
        await mark_round_watched(at(evening.store, evening.now(), ctx), second.round_id)
        with pytest.raises(Conflict, match="watched again"):
            await undo_round_watched(at(evening.store, evening.now(), ctx), first.round_id)

        await undo_watched(at(evening.store, evening.now(), ctx), 1)

        assert await everything_of(evening.store.engine, WatchedFilm) == [before]
        assert (await evening.again(first)).status == "watched"
        assert (await evening.again(second)).status == "selected"

    async def test_misses_no_rating_that_comes_in_the_same_moment(
        self, store: Store, evening: Evening, ada: User
    ) -> None:
        made, ctx = await evening.watched(ada), await evening.ctx(ada)

        async def rates() -> None:
            await rate(at(store, evening.now(), ctx), made.round_id, "loved")

        racing = Meanwhile(store, rates, before_writing=Round)
        await undo_watched(at(racing, evening.now(), ctx), 1)

        now = await evening.again(made)
        assert (now.status, now.rated) == ("selected", {ada.user_id: "loved"})

    async def test_leaves_what_a_round_watches_in_the_same_moment(
        self, store: Store, evening: Evening, ada: User
    ) -> None:
        made, ctx = await evening.voting(ada), await evening.ctx(ada)
        now = evening.now()
        await mark_watched(at(store, now, ctx), evening.films, 1)
        await pick(at(store, now, ctx), made.round_id, 1)

        async def watched() -> None:
            await mark_round_watched(at(store, now, ctx), made.round_id)

        racing = Meanwhile(store, watched, before_writing=WatchedFilm)
        with pytest.raises(Conflict, match="quicker"):
            await undo_watched(at(racing, now, ctx), 1)
        (only,) = await everything_of(store.engine, WatchedFilm)
        assert only.round_id == made.round_id

    async def test_is_not_for_whoever_left(self, store: Store, evening: Evening, ben: User) -> None:
        await mark(evening, ben, 1)
        early = await evening.ctx(ben)
        await leave(at(store, evening.now(), early))

        with pytest.raises(NotFound):
            await undo_watched(at(store, evening.now(), early), 1)
