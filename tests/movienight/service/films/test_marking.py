"""Films watched outside a round: marked, and unmarked within a day."""

from __future__ import annotations

import pytest

from commonroom.accounts.tables import User
from commonroom.moments import iso
from commonroom.movienight.errors import Conflict, NotHere, NotYours
from commonroom.movienight.service.films.marking import mark_watched, undo_watched
from commonroom.movienight.service.films.wishing import wishes
from commonroom.movienight.service.members import leave
from commonroom.movienight.service.rounds.watching import mark_round_watched
from commonroom.movienight.tables import Group, WatchedFilm
from commonroom.store import Store
from tests.accounts.people import DAY, Meanwhile
from tests.movienight.evenings import everything_of, now_of
from tests.movienight.rounds_support import Evening


async def mark(evening: Evening, person: User, number: int) -> WatchedFilm:
    seat = await evening.seat(person)
    return await mark_watched(evening.store, evening.now(), evening.films, seat, number)


class TestMarkWatched:
    async def test_is_kept_with_who_said_so(self, evening: Evening, home: Group, ben: User) -> None:
        made = await mark(evening, ben, 3)

        moment = iso(evening.clock())
        assert await everything_of(evening.store.engine, WatchedFilm) == [made]
        assert made == WatchedFilm(
            group_id=home.group_id,
            tmdb_movie_id=3,
            title="Film 3",
            year=2000,
            watched_at=moment,
            marked_by=ben.user_id,
            marked_at=moment,
        )

    async def test_takes_the_film_off_the_wish_list(
        self, evening: Evening, home: Group, ada: User, ben: User
    ) -> None:
        for number in (3, 4):
            await evening.wish(ada, number)

        await mark(evening, ben, 3)

        left = await wishes(evening.store, await evening.seat(ada))
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
        with pytest.raises(NotHere):
            await mark(evening, ada, 999)

    async def test_takes_a_wish_along_that_comes_in_the_same_moment(
        self, store: Store, evening: Evening, home: Group, ada: User
    ) -> None:
        seat = await evening.seat(ada)
        racing = Meanwhile(store, lambda: evening.wish(ada, 3), before_writing=WatchedFilm)

        await mark_watched(racing, evening.now(), evening.films, seat, 3)

        assert await wishes(store, seat) == []
        assert (await now_of(store, home)).wish_count == 0

    async def test_is_not_for_whoever_left(self, store: Store, evening: Evening, ben: User) -> None:
        early = await evening.seat(ben)
        await leave(store, evening.now(), early)

        with pytest.raises(NotHere):
            await mark_watched(store, evening.now(), evening.films, early, 3)


class TestUndoWatched:
    async def test_is_for_the_marker_and_the_creator(
        self, evening: Evening, ada: User, ben: User
    ) -> None:
        for person, number in ((ben, 1), (ben, 2), (ada, 3)):
            await mark(evening, person, number)

        await undo_watched(evening.store, evening.now(), await evening.seat(ben), 1)
        await undo_watched(evening.store, evening.now(), await evening.seat(ada), 2)
        with pytest.raises(NotYours):
            await undo_watched(evening.store, evening.now(), await evening.seat(ben), 3)

        left = await everything_of(evening.store.engine, WatchedFilm)
        assert [one.tmdb_movie_id for one in left] == [3]

    async def test_is_possible_for_a_day(self, evening: Evening, ada: User) -> None:
        seat = await evening.seat(ada)
        for number in (1, 2):
            await mark(evening, ada, number)
        marked = evening.clock()

        await undo_watched(evening.store, marked + DAY, seat, 2)
        with pytest.raises(Conflict, match="within a day"):
            await undo_watched(evening.store, marked + DAY + 1, seat, 1)

    async def test_lets_the_film_be_wished_for_and_marked_again(
        self, evening: Evening, ada: User
    ) -> None:
        await mark(evening, ada, 1)
        await undo_watched(evening.store, evening.now(), await evening.seat(ada), 1)

        await evening.wish(ada, 1)
        await mark(evening, ada, 1)

    async def test_finds_nothing_where_it_was_not_marked(self, evening: Evening, ada: User) -> None:
        with pytest.raises(NotHere):
            await undo_watched(evening.store, evening.now(), await evening.seat(ada), 1)

    async def test_is_refused_for_what_a_round_watched(self, evening: Evening, ada: User) -> None:
        await evening.watched(ada)

        with pytest.raises(Conflict, match="in a round"):
            await undo_watched(evening.store, evening.now(), await evening.seat(ada), 1)

    async def test_leaves_what_a_round_watches_in_the_same_moment(
        self, store: Store, evening: Evening, ada: User
    ) -> None:
        made, seat = await evening.selected(ada), await evening.seat(ada)
        now = evening.now()
        await mark_watched(store, now, evening.films, seat, 1)

        async def watched() -> None:
            await mark_round_watched(store, now, seat, made.round_id)

        racing = Meanwhile(store, watched, before_writing=WatchedFilm)
        with pytest.raises(Conflict, match="quicker"):
            await undo_watched(racing, now, seat, 1)
        (only,) = await everything_of(store.engine, WatchedFilm)
        assert only.round_id == made.round_id

    async def test_is_not_for_whoever_left(self, store: Store, evening: Evening, ben: User) -> None:
        await mark(evening, ben, 1)
        early = await evening.seat(ben)
        await leave(store, evening.now(), early)

        with pytest.raises(NotHere):
            await undo_watched(store, evening.now(), early, 1)
