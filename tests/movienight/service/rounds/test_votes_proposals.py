"""Proposing films while others vote, and taking that back."""

from __future__ import annotations

import pytest

from commonroom.accounts.tables import User
from commonroom.errors import Conflict, Forbidden, NotFound
from commonroom.moments import iso
from commonroom.movienight.service.rounds.votes import propose, vote, withdraw_proposal
from commonroom.movienight.service.watched import mark_watched
from commonroom.movienight.tables import Round, Suggestion
from commonroom.store import Store
from tests.accounts.people import Meanwhile
from tests.movienight.rounds_support import Evening, film
from tests.support.context import at

NOT_VOTING = ["draft", "selected", "watched", "rated", "expired"]


async def proposed(
    evening: Evening, round_: Round, person: User, number: int, child: User | None = None
) -> None:
    ctx = await evening.ctx(person, child)
    store, now = evening.store, evening.now()
    await propose(at(store, now, ctx), evening.films, round_.round_id, number)


async def withdrawn(evening: Evening, round_: Round, person: User, number: int) -> None:
    ctx = await evening.ctx(person)
    await withdraw_proposal(at(evening.store, evening.now(), ctx), round_.round_id, number)


class TestPropose:
    async def test_adds_the_film_after_the_others(self, evening: Evening, ben: User) -> None:
        made = await evening.voting(ben)

        await proposed(evening, made, ben, 20)

        *_, last = await evening.suggestions(made)
        assert (last.tmdb_movie_id, last.title, last.position) == (20, "Film 20", 9)
        assert (last.proposed_by, last.reasons) == (ben.user_id, ["proposed"])
        now = await evening.again(made)
        assert now.proposals == {ben.user_id: 1}
        assert (now.version, now.updated_at) == (made.version + 1, iso(evening.clock()))

    async def test_is_possible_twice_for_each(self, evening: Evening, ada: User, ben: User) -> None:
        made = await evening.voting(ben)
        for number in (20, 21):
            await proposed(evening, made, ben, number)

        with pytest.raises(Conflict, match="2 films"):
            await proposed(evening, made, ben, 22)
        await proposed(evening, made, ada, 22)
        assert await evening.numbers(made) == [*range(1, 9), 20, 21, 22]

    async def test_is_possible_four_times_in_a_round(
        self, evening: Evening, ada: User, ben: User, zoe: User
    ) -> None:
        made = await evening.voting(ben)
        for person, number in ((ada, 20), (ada, 21), (ben, 22), (ben, 23)):
            await proposed(evening, made, person, number)

        with pytest.raises(Conflict, match="together up to 4"):
            await proposed(evening, made, ben, 24, zoe)

    async def test_of_a_film_that_is_there_already_is_refused(
        self, evening: Evening, ben: User
    ) -> None:
        made = await evening.voting(ben)

        with pytest.raises(Conflict, match="already in the vote"):
            await proposed(evening, made, ben, 3)
        assert (await evening.again(made)).proposals == {}

    async def test_of_a_film_that_the_household_has_watched_is_refused(
        self, store: Store, evening: Evening, ben: User
    ) -> None:
        made = await evening.voting(ben)
        await mark_watched(at(store, evening.now(), await evening.ctx(ben)), evening.films, 20)

        with pytest.raises(Conflict, match="already watched this film"):
            await proposed(evening, made, ben, 20)

    async def test_of_a_film_that_nobody_knows_finds_nothing(
        self, evening: Evening, ben: User
    ) -> None:
        made = await evening.voting(ben)

        with pytest.raises(NotFound):
            await proposed(evening, made, ben, 999)

    @pytest.mark.parametrize("certification", ["PG-13", "R", "NC-17", None])
    async def test_of_a_film_over_the_ceiling_is_refused_also_for_a_child_that_chose_nothing(
        self, evening: Evening, ben: User, zoe: User, certification: str | None
    ) -> None:
        made = await evening.voting(ben)
        evening.films.films[20] = film(20, certification=certification)

        with pytest.raises(Conflict, match="rating is too high"):
            await proposed(evening, made, ben, 20)
        assert 20 not in await evening.numbers(made)

    async def test_goes_by_the_ceiling_of_those_who_take_part(
        self, evening: Evening, ada: User, ben: User, zoe: User
    ) -> None:
        made = await evening.voting(ben, attendees=[ada.user_id, ben.user_id])
        evening.films.films[20] = film(20, certification="R")

        await proposed(evening, made, ben, 20)

        assert 20 in await evening.numbers(made)

    async def test_is_for_those_who_take_part(self, evening: Evening, ada: User, ben: User) -> None:
        made = await evening.voting(ada, attendees=[ada.user_id])

        with pytest.raises(Forbidden):
            await proposed(evening, made, ben, 20)

    @pytest.mark.parametrize("status", NOT_VOTING)
    async def test_is_only_possible_while_voting(
        self, evening: Evening, ada: User, status: str
    ) -> None:
        made = await evening.in_state(status, ada)
        before = await evening.snapshot()

        with pytest.raises(Conflict):
            await proposed(evening, made, ada, 20)
        assert await evening.snapshot() == before

    async def test_is_tried_again_where_somebody_else_proposes_in_the_same_moment(
        self, store: Store, evening: Evening, ada: User, ben: User
    ) -> None:
        made = await evening.voting(ben)

        async def quicker() -> None:
            await proposed(evening, made, ada, 21)

        racing, ctx = Meanwhile(store, quicker, before_writing=Round), await evening.ctx(ben)
        await propose(at(racing, evening.now(), ctx), evening.films, made.round_id, 20)

        assert (await evening.again(made)).proposals == {ada.user_id: 1, ben.user_id: 1}
        assert [one.position for one in await evening.suggestions(made)] == list(range(1, 11))

    async def test_is_not_held_up_by_votes(
        self, store: Store, evening: Evening, ada: User, ben: User
    ) -> None:
        made = await evening.voting(ben)
        ctx, adas = await evening.ctx(ben), await evening.ctx(ada)
        tries = 0

        async def votes() -> None:
            nonlocal tries
            tries += 1
            await vote(at(store, evening.now(), adas), made.round_id, 3, "up")

        racing = Meanwhile(store, votes, before_writing=Round)
        await propose(at(racing, evening.now(), ctx), evening.films, made.round_id, 20)

        assert tries == 1
        assert (await evening.again(made)).version == made.version + 2


class TestWithdrawProposal:
    async def test_takes_the_film_and_its_votes_away_and_no_others(
        self, evening: Evening, ada: User, ben: User
    ) -> None:
        made = await evening.voting(ben)
        await proposed(evening, made, ben, 20)
        for person in (ada, ben):
            for number in (20, 2):
                ctx = await evening.ctx(person)
                await vote(at(evening.store, evening.now(), ctx), made.round_id, number, "up")

        await withdrawn(evening, made, ben, 20)

        assert await evening.numbers(made) == list(range(1, 9))
        assert {one.tmdb_movie_id for one in await evening.votes(made)} == {2}
        assert (await evening.again(made)).proposals == {}

    async def test_gives_the_proposer_another_one(self, evening: Evening, ben: User) -> None:
        made = await evening.voting(ben)
        for number in (20, 21):
            await proposed(evening, made, ben, number)

        await withdrawn(evening, made, ben, 20)
        await proposed(evening, made, ben, 22)

        assert (await evening.again(made)).proposals == {ben.user_id: 2}
        assert await evening.numbers(made) == [*range(1, 9), 21, 22]

    async def test_is_for_its_proposer_and_the_creator(
        self, evening: Evening, ada: User, ben: User, zoe: User
    ) -> None:
        made = await evening.voting(ben)
        await proposed(evening, made, ben, 20, zoe)
        with pytest.raises(Forbidden):
            await withdrawn(evening, made, ben, 20)

        await withdrawn(evening, made, ada, 20)

        assert (await evening.again(made)).proposals == {}

    @pytest.mark.parametrize("number", [2, 25])
    async def test_finds_nothing_where_nobody_proposed_it(
        self, evening: Evening, ada: User, number: int
    ) -> None:
        made = await evening.voting(ada)

        with pytest.raises(NotFound):
            await withdrawn(evening, made, ada, number)

    async def test_is_only_possible_while_voting(self, evening: Evening, ada: User) -> None:
        made = await evening.selected(ada)

        with pytest.raises(Conflict):
            await withdrawn(evening, made, ada, 1)

    async def test_leaves_no_vote_behind_that_comes_in_the_same_moment(
        self, store: Store, evening: Evening, ada: User, ben: User
    ) -> None:
        made = await evening.voting(ben)
        await proposed(evening, made, ben, 20)
        ctx, adas = await evening.ctx(ben), await evening.ctx(ada)

        async def votes() -> None:
            await vote(at(store, evening.now(), adas), made.round_id, 20, "up")

        racing = Meanwhile(store, votes, before_writing=Suggestion)
        await withdraw_proposal(at(racing, evening.now(), ctx), made.round_id, 20)

        assert await evening.votes(made) == []
