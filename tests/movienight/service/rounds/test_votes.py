"""Voting: by those who take part, while voting, on films of the round."""

from __future__ import annotations

import pytest

from commonroom.accounts.tables import User
from commonroom.errors import Conflict, Forbidden, NotFound
from commonroom.moments import iso
from commonroom.movienight.rules.rounds import FilmNotInRound
from commonroom.movienight.service.members import leave
from commonroom.movienight.service.rounds.votes import vote, withdraw_vote
from commonroom.movienight.tables import Vote
from commonroom.store import Store, counting
from tests.movienight.evenings import context_of, home_of
from tests.movienight.rounds_support import Evening
from tests.support.context import at

NOT_VOTING = ["draft", "selected", "watched", "rated", "expired"]


class TestVote:
    async def test_is_kept_under_the_film_and_the_member(self, evening: Evening, ben: User) -> None:
        made = await evening.voting(ben)

        await vote(at(evening.store, evening.now(), await evening.ctx(ben)), made.round_id, 3, "up")

        (kept,) = await evening.votes(made)
        assert kept == Vote(
            round_id=made.round_id,
            tmdb_movie_id=3,
            member_id=ben.user_id,
            vote="up",
            voted_at=iso(evening.clock()),
        )
        assert kept.to_item()["vote_key"] == f"3#{ben.user_id}"

    async def test_raises_the_rounds_version_so_that_open_pages_see_it(
        self, evening: Evening, ben: User
    ) -> None:
        made = await evening.voting(ben)

        await vote(at(evening.store, evening.now(), await evening.ctx(ben)), made.round_id, 3, "up")

        now = await evening.again(made)
        assert (now.version, now.updated_at) == (made.version + 1, iso(evening.clock()))

    async def test_takes_one_request(self, evening: Evening, ben: User) -> None:
        made, ctx = await evening.voting(ben), await evening.ctx(ben)

        with counting() as tally:
            await vote(at(evening.store, evening.now(), ctx), made.round_id, 3, "up")

        assert (tally.reads, tally.writes) == (0, 1)

    async def test_takes_the_place_of_an_earlier_one(self, evening: Evening, ben: User) -> None:
        made, ctx = await evening.voting(ben), await evening.ctx(ben)

        for thumb in ("up", "down", "down"):
            await vote(at(evening.store, evening.now(), ctx), made.round_id, 3, thumb)

        assert [one.vote for one in await evening.votes(made)] == ["down"]

    async def test_is_a_managed_members_own_where_its_parent_acts_for_it(
        self, evening: Evening, ben: User, zoe: User
    ) -> None:
        made, ctx = await evening.voting(ben), await evening.ctx(ben, acting_as=zoe)

        await vote(at(evening.store, evening.now(), ctx), made.round_id, 3, "up")

        assert [one.member_id for one in await evening.votes(made)] == [zoe.user_id]

    async def test_on_a_film_that_is_not_in_the_round_is_refused(
        self, evening: Evening, ben: User
    ) -> None:
        made, ctx = await evening.voting(ben), await evening.ctx(ben)

        with pytest.raises(FilmNotInRound) as caught:
            await vote(at(evening.store, evening.now(), ctx), made.round_id, 25, "up")
        assert caught.value.status == 400
        assert await evening.votes(made) == []

    async def test_is_for_those_who_take_part(self, evening: Evening, ada: User, ben: User) -> None:
        made = await evening.voting(ada, attendees=[ada.user_id])
        ctx = await evening.ctx(ben)

        with pytest.raises(Forbidden) as caught:
            await vote(at(evening.store, evening.now(), ctx), made.round_id, 3, "up")
        assert caught.value.status == 403
        assert await evening.votes(made) == []

    async def test_is_not_for_the_creator_who_stays_away(
        self, evening: Evening, ada: User, ben: User
    ) -> None:
        made = await evening.voting(ada, attendees=[ben.user_id])

        with pytest.raises(Forbidden):
            await vote(at(evening.store, 1, await evening.ctx(ada)), made.round_id, 3, "up")

    @pytest.mark.parametrize("status", NOT_VOTING)
    async def test_is_only_possible_while_voting(
        self, evening: Evening, ada: User, status: str
    ) -> None:
        made = await evening.in_state(status, ada)
        before = await evening.snapshot()

        with pytest.raises(Conflict) as caught:
            await vote(at(evening.store, 1, await evening.ctx(ada)), made.round_id, 1, "up")
        assert caught.value.extensions == {"round_status": status}
        assert await evening.snapshot() == before

    async def test_is_not_for_whoever_left_the_household(
        self, store: Store, evening: Evening, ada: User, ben: User
    ) -> None:
        made, early = await evening.voting(ada), await evening.ctx(ben)
        await leave(at(store, evening.now(), early))

        with pytest.raises(NotFound):
            await vote(at(store, evening.now(), early), made.round_id, 3, "up")
        assert await evening.votes(made) == []

    async def test_in_a_round_of_another_household_finds_nothing(
        self, store: Store, evening: Evening, ada: User, eve: User
    ) -> None:
        made = await evening.voting(ada)
        await home_of(store, evening.clock, eve)
        ctx = await context_of(store, eve)

        for round_id in (made.round_id, "nothing", "x" * 3000, ""):
            with pytest.raises(NotFound):
                await vote(at(store, evening.now(), ctx), round_id, 3, "up")


class TestWithdrawVote:
    async def test_takes_it_back(self, evening: Evening, ada: User, ben: User) -> None:
        made = await evening.voting(ada)
        for person in (ada, ben):
            ctx = await evening.ctx(person)
            await vote(at(evening.store, evening.now(), ctx), made.round_id, 3, "up")

        ctx = await evening.ctx(ben)
        await withdraw_vote(at(evening.store, evening.now(), ctx), made.round_id, 3)

        assert [one.member_id for one in await evening.votes(made)] == [ada.user_id]
        assert (await evening.again(made)).version == made.version + 3

    async def test_of_which_there_is_none_is_no_mistake(self, evening: Evening, ben: User) -> None:
        made, ctx = await evening.voting(ben), await evening.ctx(ben)

        await withdraw_vote(at(evening.store, evening.now(), ctx), made.round_id, 3)

        assert await evening.votes(made) == []

    @pytest.mark.parametrize("status", NOT_VOTING)
    async def test_is_only_possible_while_voting(
        self, evening: Evening, ada: User, status: str
    ) -> None:
        made = await evening.in_state(status, ada)

        with pytest.raises(Conflict):
            await withdraw_vote(at(evening.store, 1, await evening.ctx(ada)), made.round_id, 1)

    async def test_is_for_those_who_take_part(self, evening: Evening, ada: User, ben: User) -> None:
        made = await evening.voting(ada, attendees=[ada.user_id])

        with pytest.raises(Forbidden):
            await withdraw_vote(at(evening.store, 1, await evening.ctx(ben)), made.round_id, 3)
