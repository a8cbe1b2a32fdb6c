"""Who takes part in an open round: coming late, being taken out, leaving the household."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from commonroom.accounts.tables import User
from commonroom.errors import Conflict, Forbidden, InvalidField, NotFound
from commonroom.movienight.service.household_context import HouseholdContext
from commonroom.movienight.service.members import add_managed, leave
from commonroom.movienight.service.rounds.attendance import (
    add_attendee,
    drop_leaver,
    remove_attendee,
)
from commonroom.movienight.service.rounds.votes import propose, rate, vote
from commonroom.movienight.tables import Round
from commonroom.store import Store
from tests.accounts.people import Meanwhile
from tests.movienight.rounds_support import Evening, film
from tests.support.context import at

OPEN = ["draft", "voting"]
CLOSED = ["selected", "watched", "rated", "expired"]


async def add(evening: Evening, ctx: HouseholdContext, round_: Round, member: User) -> None:
    await add_attendee(
        at(evening.store, evening.now(), ctx), evening.films, round_.round_id, member.user_id
    )


async def remove(evening: Evening, ctx: HouseholdContext, round_: Round, member: User) -> None:
    await remove_attendee(
        at(evening.store, evening.now(), ctx), evening.films, round_.round_id, member.user_id
    )


class TestAddAttendee:
    async def test_lets_whoever_comes_late_vote(
        self, evening: Evening, ada: User, ben: User
    ) -> None:
        made = await evening.voting(ada, attendees=[ada.user_id])

        await add(evening, await evening.ctx(ada), made, ben)

        assert (await evening.again(made)).attendees == [ada.user_id, ben.user_id]
        ctx = await evening.ctx(ben)
        await vote(at(evening.store, evening.now(), ctx), made.round_id, 1, "up")

    async def test_makes_the_shortlist_of_a_draft_anew(
        self, evening: Evening, ada: User, ben: User
    ) -> None:
        await evening.likes(ben, likes=("27", "10749"), ceiling="PG")
        for number in range(1, 9):
            evening.films.films[number] = film(number, certification="R")
        made = await evening.draft(ada, attendees=[ada.user_id])
        assert set(await evening.numbers(made)) == set(range(1, 9))

        await add(evening, await evening.ctx(ada), made, ben)

        assert set(await evening.numbers(made)) == set(range(9, 17))
        now = await evening.again(made)
        assert (now.status, now.attendees) == ("draft", [ada.user_id, ben.user_id])

    async def test_is_refused_where_a_film_of_the_vote_would_be_too_much(
        self, evening: Evening, ada: User, ben: User
    ) -> None:
        await evening.likes(ben, ceiling="PG")
        evening.films.films[2] = film(2, certification="PG-13")
        made = await evening.voting(ada, attendees=[ada.user_id])
        before = await evening.snapshot()

        with pytest.raises(Conflict, match="Film 2"):
            await add(evening, await evening.ctx(ada), made, ben)
        assert await evening.snapshot() == before

    async def test_is_for_oneself_ones_own_and_whoever_steers(
        self, evening: Evening, ada: User, ben: User, zoe: User
    ) -> None:
        made = await evening.voting(ada, attendees=[ada.user_id])
        zoes, bens = await evening.ctx(ben, acting_as=zoe), await evening.ctx(ben)

        with pytest.raises(Forbidden):
            await add(evening, zoes, made, ben)
        await add(evening, bens, made, zoe)
        await add(evening, bens, made, ben)

        assert (await evening.again(made)).attendees == [ada.user_id, zoe.user_id, ben.user_id]

    async def test_twice_changes_nothing(self, evening: Evening, ada: User, ben: User) -> None:
        made = await evening.voting(ada)

        await add(evening, await evening.ctx(ada), made, ben)

        assert await evening.again(made) == made

    async def test_is_for_members_of_the_household(
        self, evening: Evening, ada: User, eve: User
    ) -> None:
        made = await evening.voting(ada)

        with pytest.raises(NotFound):
            await add(evening, await evening.ctx(ada), made, eve)

    @pytest.mark.parametrize("status", CLOSED)
    async def test_is_only_possible_while_the_round_is_open(
        self, evening: Evening, ada: User, ben: User, status: str
    ) -> None:
        made = await evening.in_state(status, ada)
        before = await evening.snapshot()

        with pytest.raises(Conflict):
            await add(evening, await evening.ctx(ada), made, ben)
        with pytest.raises(Conflict):
            await remove(evening, await evening.ctx(ada), made, ben)
        assert await evening.snapshot() == before

    async def test_sees_a_film_that_is_proposed_in_the_same_moment(
        self, store: Store, evening: Evening, ada: User, ben: User
    ) -> None:
        await evening.likes(ben, ceiling="PG")
        evening.films.films[20] = film(20, certification="R")
        made, ctx = await evening.voting(ada, attendees=[ada.user_id]), await evening.ctx(ada)

        async def proposes() -> None:
            await propose(at(store, evening.now(), ctx), evening.films, made.round_id, 20)

        racing = Meanwhile(store, proposes, before_writing=Round)
        with pytest.raises(Conflict, match="Film 20"):
            await add_attendee(
                at(racing, evening.now(), ctx), evening.films, made.round_id, ben.user_id
            )

    async def test_drops_the_films_that_are_not_for_them_where_that_is_wanted(
        self, store: Store, evening: Evening, ada: User, ben: User
    ) -> None:
        await evening.likes(ben, ceiling="PG")
        evening.films.films[20] = film(20, certification="R")
        made, ctx = await evening.voting(ada, attendees=[ada.user_id]), await evening.ctx(ada)
        await propose(at(store, evening.now(), ctx), evening.films, made.round_id, 20)
        for number in (1, 20):
            await vote(at(store, evening.now(), ctx), made.round_id, number, "up")
        with pytest.raises(Conflict, match="Film 20") as caught:
            await add(evening, ctx, made, ben)
        assert caught.value.extensions["films_too_high"] == ["Film 20"]

        await add_attendee(
            at(store, evening.now(), ctx),
            evening.films,
            made.round_id,
            ben.user_id,
            drop_films=True,
        )

        now = await evening.again(made)
        assert now.attendees == [ada.user_id, ben.user_id]
        assert 20 not in now.films
        assert now.proposals == {}
        assert 20 not in await evening.numbers(made)
        assert [one.tmdb_movie_id for one in await evening.votes(made)] == [1]

    async def test_drops_no_vote_down_to_nothing(
        self, store: Store, evening: Evening, ada: User, ben: User
    ) -> None:
        await evening.likes(ben, ceiling="G")
        for number, one in evening.films.films.items():
            evening.films.films[number] = replace(one, certification="R")
        made, ctx = await evening.voting(ada, attendees=[ada.user_id]), await evening.ctx(ada)
        with pytest.raises(Conflict, match="every film"):
            await add_attendee(
                at(store, evening.now(), ctx),
                evening.films,
                made.round_id,
                ben.user_id,
                drop_films=True,
            )

    async def test_is_seen_by_whoever_proposes_in_the_same_moment(
        self, store: Store, evening: Evening, ada: User, ben: User
    ) -> None:
        await evening.likes(ben, ceiling="PG")
        evening.films.films[20] = film(20, certification="R")
        made, ctx = await evening.voting(ada, attendees=[ada.user_id]), await evening.ctx(ada)

        async def joins() -> None:
            await add(evening, ctx, made, ben)

        racing = Meanwhile(store, joins, before_writing=Round)
        with pytest.raises(Conflict, match="rating is too high"):
            await propose(at(racing, evening.now(), ctx), evening.films, made.round_id, 20)

    async def test_is_not_for_somebody_who_leaves_in_the_same_moment(
        self, store: Store, evening: Evening, ada: User, ben: User
    ) -> None:
        made, ctx = await evening.voting(ada, attendees=[ada.user_id]), await evening.ctx(ada)

        async def leaves() -> None:
            await leave(at(store, evening.now(), await evening.ctx(ben)))

        racing = Meanwhile(store, leaves, before_writing=Round)
        with pytest.raises(NotFound):
            await add_attendee(
                at(racing, evening.now(), ctx), evening.films, made.round_id, ben.user_id
            )
        assert (await evening.again(made)).attendees == [ada.user_id]


class TestRemoveAttendee:
    async def test_takes_their_votes_along(self, evening: Evening, ada: User, ben: User) -> None:
        made = await evening.voting(ada)
        for person in (ada, ben):
            ctx = await evening.ctx(person)
            for number in (1, 2):
                await vote(at(evening.store, evening.now(), ctx), made.round_id, number, "up")

        await remove(evening, await evening.ctx(ada), made, ben)

        assert (await evening.again(made)).attendees == [ada.user_id]
        assert {one.member_id for one in await evening.votes(made)} == {ada.user_id}
        ctx = await evening.ctx(ben)
        with pytest.raises(Forbidden):
            await vote(at(evening.store, evening.now(), ctx), made.round_id, 1, "up")

    async def test_takes_a_vote_along_that_comes_in_the_same_moment(
        self, store: Store, evening: Evening, ada: User, ben: User
    ) -> None:
        made, ctx = await evening.voting(ada), await evening.ctx(ada)

        async def votes() -> None:
            await vote(at(store, evening.now(), await evening.ctx(ben)), made.round_id, 1, "up")

        racing = Meanwhile(store, votes, before_writing=Round)
        await remove_attendee(
            at(racing, evening.now(), ctx), evening.films, made.round_id, ben.user_id
        )

        assert await evening.votes(made) == []

    @pytest.mark.parametrize("status", OPEN)
    async def test_leaves_somebody_with_an_account(
        self, evening: Evening, ada: User, ben: User, zoe: User, status: str
    ) -> None:
        await evening.likes(ben, zoe)
        both = [ben.user_id, zoe.user_id]
        made = await (evening.draft if status == "draft" else evening.voting)(ben, attendees=both)

        with pytest.raises(InvalidField):
            await remove(evening, await evening.ctx(ben), made, ben)
        assert (await evening.again(made)).attendees == both

    async def test_is_for_oneself_ones_own_and_whoever_steers(
        self, evening: Evening, ada: User, ben: User
    ) -> None:
        made = await evening.voting(ada)
        bens = await evening.ctx(ben)

        with pytest.raises(Forbidden):
            await remove(evening, bens, made, ada)
        await remove(evening, bens, made, ben)

        assert (await evening.again(made)).attendees == [ada.user_id]

    async def test_with_eight_members_and_twelve_films_is_one_write(
        self, evening: Evening, ada: User, ben: User
    ) -> None:
        adas, bens = await evening.ctx(ada), await evening.ctx(ben)
        for name in "CDEFGH":
            await add_managed(at(evening.store, evening.now(), bens), display_name=name)
        made = await evening.voting(ada)
        for ctx, number in ((adas, 20), (adas, 21), (bens, 22), (bens, 23)):
            await propose(at(evening.store, 1, ctx), evening.films, made.round_id, number)
        for number in await evening.numbers(made):
            await vote(at(evening.store, 1, bens), made.round_id, number, "up")

        await remove(evening, adas, made, ben)

        assert await evening.votes(made) == []


class TestDropLeaver:
    async def test_takes_them_and_their_votes_out_of_the_open_round(
        self, evening: Evening, ada: User, ben: User
    ) -> None:
        made = await evening.voting(ada)
        for person in (ada, ben):
            ctx = await evening.ctx(person)
            await vote(at(evening.store, evening.now(), ctx), made.round_id, 1, "up")
        await leave(at(evening.store, evening.now(), await evening.ctx(ben)))

        for _ in range(2):
            await drop_leaver(evening.store, evening.now(), made.group_id, ben.user_id)

        assert (await evening.again(made)).attendees == [ada.user_id]
        assert [one.member_id for one in await evening.votes(made)] == [ada.user_id]

    async def test_leaves_whoever_is_here(self, evening: Evening, ada: User, ben: User) -> None:
        made = await evening.voting(ada)

        await drop_leaver(evening.store, evening.now(), made.group_id, ben.user_id)

        assert await evening.again(made) == made

    async def test_ends_a_round_that_only_lacked_their_rating(
        self, evening: Evening, ada: User, ben: User
    ) -> None:
        made, ctx = await evening.watched(ada), await evening.ctx(ada)
        await rate(at(evening.store, evening.now(), ctx), made.round_id, "loved")
        assert (await evening.again(made)).status == "watched"
        await leave(at(evening.store, evening.now(), await evening.ctx(ben)))

        await drop_leaver(evening.store, evening.now(), made.group_id, ben.user_id)

        now = await evening.again(made)
        assert (now.status, now.rated) == ("rated", {ada.user_id: "loved"})

    async def test_waits_for_those_who_are_still_here(
        self, evening: Evening, ada: User, ben: User
    ) -> None:
        made = await evening.watched(ada)
        await leave(at(evening.store, evening.now(), await evening.ctx(ben)))

        await drop_leaver(evening.store, evening.now(), made.group_id, ben.user_id)

        assert (await evening.again(made)).status == "watched"
