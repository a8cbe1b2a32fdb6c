"""The wish list: anybody adds, fifty at most, nothing twice, nothing that was watched."""

from __future__ import annotations

import pytest

from commonroom.accounts.tables import User
from commonroom.errors import Conflict, Forbidden, NotFound
from commonroom.moments import iso
from commonroom.movienight.service.households import delete_household
from commonroom.movienight.service.members import leave
from commonroom.movienight.service.wishes import MAX_WISHES, add_wish, list_wishes, remove_wish
from commonroom.movienight.tables import Household, Wish
from commonroom.store import Store, counting
from tests.accounts.people import Meanwhile
from tests.movienight.evenings import context_of, home_of, now_of
from tests.movienight.rounds_support import Evening, film
from tests.support.context import at


async def wish(evening: Evening, person: User, number: int, child: User | None = None) -> Wish:
    ctx = await evening.ctx(person, child)
    return await add_wish(at(evening.store, evening.now(), ctx), evening.films, number)


async def remove(evening: Evening, person: User, number: int, child: User | None = None) -> None:
    ctx = await evening.ctx(person, child)
    await remove_wish(at(evening.store, evening.now(), ctx), number)


async def count(evening: Evening, home: Household) -> int:
    """How many are counted, once it is certain that as many are there."""
    ctx = await evening.ctx(await _creator(evening, home))
    group = await now_of(evening.store, home)
    assert group.wish_count == len(await list_wishes(ctx))
    return group.wish_count


async def _creator(evening: Evening, home: Household) -> User:
    found = await evening.store.get(User.at(user_id=home.created_by))
    assert found is not None
    return found


class TestAddWish:
    async def test_keeps_what_is_shown_of_the_film(
        self, evening: Evening, home: Household, ben: User
    ) -> None:
        evening.films.films[3] = film(3, poster_path="/3.jpg", certification="PG")

        made = await wish(evening, ben, 3)

        assert made == Wish(
            group_id=home.group_id,
            tmdb_movie_id=3,
            title="Film 3",
            poster_path="/3.jpg",
            year=2000,
            genres=["Comedy"],
            content_rating="PG",
            added_by=ben.user_id,
            added_at=iso(evening.clock()),
        )
        assert await list_wishes(await evening.ctx(ben)) == [made]
        assert await count(evening, home) == 1

    async def test_raises_the_households_version_so_that_open_pages_see_it(
        self, evening: Evening, home: Household, ben: User
    ) -> None:
        before = await now_of(evening.store, home)

        await wish(evening, ben, 3)

        after = await now_of(evening.store, home)
        assert (after.version, after.updated_at) == (before.version + 1, iso(evening.clock()))

    async def test_is_for_any_member_also_a_managed_one(
        self, evening: Evening, ben: User, zoe: User
    ) -> None:
        assert (await wish(evening, ben, 3, zoe)).added_by == zoe.user_id

    async def test_of_a_film_that_is_there_is_refused(
        self, evening: Evening, home: Household, ada: User, ben: User
    ) -> None:
        await wish(evening, ada, 3)

        with pytest.raises(Conflict, match="already on the wish list"):
            await wish(evening, ben, 3)
        assert await count(evening, home) == 1

    async def test_of_a_film_that_was_watched_is_refused(
        self, evening: Evening, home: Household, ada: User
    ) -> None:
        await evening.watched(ada)

        with pytest.raises(Conflict, match="already watched this film"):
            await wish(evening, ada, 1)
        assert await count(evening, home) == 0

    async def test_of_a_film_that_nobody_knows_finds_nothing(
        self, evening: Evening, ada: User
    ) -> None:
        with pytest.raises(NotFound):
            await wish(evening, ada, 999)

    async def test_is_possible_fifty_times(
        self, evening: Evening, home: Household, ada: User
    ) -> None:
        for number in range(1, MAX_WISHES + 2):
            evening.films.films[number] = film(number)
        for number in range(1, MAX_WISHES + 1):
            await wish(evening, ada, number)

        with pytest.raises(Conflict, match="50 films"):
            await wish(evening, ada, MAX_WISHES + 1)
        assert await count(evening, home) == MAX_WISHES == 50
        await remove(evening, ada, 1)
        await wish(evening, ada, MAX_WISHES + 1)

    async def test_is_not_for_whoever_left(self, store: Store, evening: Evening, ben: User) -> None:
        early = await evening.ctx(ben)
        await leave(at(store, evening.now(), early))

        with pytest.raises(NotFound):
            await add_wish(at(store, evening.now(), early), evening.films, 3)

    async def test_is_nothing_for_a_deleted_household(
        self, store: Store, evening: Evening, home: Household, ada: User
    ) -> None:
        early = await evening.ctx(ada)
        await delete_household(at(store, evening.now(), early), home.name)

        with pytest.raises(NotFound):
            await add_wish(at(store, evening.now(), early), evening.films, 3)


class TestWishes:
    async def test_come_newest_first_in_one_request(
        self, evening: Evening, ada: User, ben: User
    ) -> None:
        for person, number in ((ada, 5), (ben, 9), (ada, 2)):
            await wish(evening, person, number)
        ctx = await evening.ctx(ben)

        with counting() as tally:
            found = await list_wishes(ctx)

        assert [one.tmdb_movie_id for one in found] == [2, 9, 5]
        assert tally.requests == 1

    async def test_are_those_of_ones_own_household(
        self, store: Store, evening: Evening, ada: User, eve: User
    ) -> None:
        await wish(evening, ada, 3)
        await home_of(store, evening.clock, eve)

        assert await list_wishes(await context_of(store, eve)) == []


class TestRemoveWish:
    async def test_is_for_whoever_added_it_and_the_creator(
        self, evening: Evening, home: Household, ada: User, ben: User, zoe: User
    ) -> None:
        for person, child, number in ((ben, None, 1), (ben, None, 2), (ada, None, 3)):
            await wish(evening, person, number, child)

        await remove(evening, ben, 1)
        await remove(evening, ada, 2)
        for child in (None, zoe):
            with pytest.raises(Forbidden):
                await remove(evening, ben, 3, child)

        assert await count(evening, home) == 1

    async def test_finds_nothing_where_there_is_none(self, evening: Evening, ada: User) -> None:
        with pytest.raises(NotFound):
            await remove(evening, ada, 3)

    async def test_is_counted_once_where_two_do_it_at_once(
        self, store: Store, evening: Evening, home: Household, ada: User, ben: User
    ) -> None:
        await wish(evening, ben, 3)
        ctx = await evening.ctx(ben)
        racing = Meanwhile(store, lambda: remove(evening, ada, 3), before_writing=Wish)

        with pytest.raises(NotFound):
            await remove_wish(at(racing, evening.now(), ctx), 3)
        assert await count(evening, home) == 0

    async def test_is_not_for_whoever_left(
        self, store: Store, evening: Evening, home: Household, ben: User
    ) -> None:
        await wish(evening, ben, 3)
        early = await evening.ctx(ben)
        await leave(at(store, evening.now(), early))

        with pytest.raises(NotFound):
            await remove_wish(at(store, evening.now(), early), 3)
        assert await count(evening, home) == 1
