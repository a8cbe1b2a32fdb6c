"""The pick: one film of the round, and back to the vote."""

from __future__ import annotations

import pytest

from commonroom.accounts.tables import User
from commonroom.errors import Conflict, Forbidden
from commonroom.moments import iso
from commonroom.movienight.rules.rounds import FilmNotInRound, VotesMissing
from commonroom.movienight.service.members import leave
from commonroom.movienight.service.rounds.picks import pick, reopen
from commonroom.movienight.service.rounds.votes import (
    propose,
    rate,
    vote,
    withdraw_proposal,
    withdraw_vote,
)
from commonroom.movienight.tables import Household, Pick, Round, ratings_of_round
from commonroom.store import Store
from tests.accounts.people import Meanwhile
from tests.movienight.evenings import everything_of
from tests.movienight.rounds_support import Evening
from tests.support.context import at

NOT_VOTING = ["draft", "selected", "watched", "rated", "expired"]
NOT_SELECTED = ["draft", "voting", "watched", "rated", "expired"]


class TestPick:
    async def test_moves_round_household_and_pick_on_together(
        self, evening: Evening, home: Household, ben: User
    ) -> None:
        made, ctx = await evening.voting(ben), await evening.ctx(ben)

        chosen = await pick(at(evening.store, evening.now(), ctx), made.round_id, 3)

        assert await everything_of(evening.store.engine, Pick) == [chosen]
        assert chosen == Pick(
            pick_id=chosen.pick_id,
            round_id=made.round_id,
            group_id=home.group_id,
            tmdb_movie_id=3,
            title="Film 3",
            picked_by=ben.user_id,
            picked_at=iso(evening.clock()),
        )
        now = await evening.again(made)
        assert (now.status, now.pick_id) == ("selected", chosen.pick_id)
        assert (now.selected_at, now.updated_at) == (chosen.picked_at, chosen.picked_at)
        assert await evening.open_round_id(home) is None

    async def test_may_be_any_film_whatever_the_votes_say(
        self, evening: Evening, ada: User
    ) -> None:
        made, ctx = await evening.voting(ada), await evening.ctx(ada)
        await vote(at(evening.store, evening.now(), ctx), made.round_id, 3, "down")

        assert (
            await pick(at(evening.store, evening.now(), ctx), made.round_id, 3)
        ).title == "Film 3"

    async def test_is_for_the_starter_and_the_creator(
        self, evening: Evening, ada: User, ben: User, zoe: User
    ) -> None:
        made = await evening.voting(ben)
        childs = await evening.ctx(ben, acting_as=zoe)
        with pytest.raises(Forbidden) as caught:
            await pick(at(evening.store, evening.now(), childs), made.round_id, 3)

        chosen = await pick(
            at(evening.store, evening.now(), await evening.ctx(ada)), made.round_id, 3
        )

        assert caught.value.status == 403
        assert chosen.picked_by == ada.user_id

    @pytest.mark.parametrize("status", NOT_VOTING)
    async def test_is_only_possible_while_voting(
        self, evening: Evening, ada: User, status: str
    ) -> None:
        made = await evening.in_state(status, ada)
        before = await evening.snapshot()

        with pytest.raises(Conflict) as caught:
            await pick(at(evening.store, evening.now(), await evening.ctx(ada)), made.round_id, 2)
        assert caught.value.extensions == {"round_status": status}
        assert await evening.snapshot() == before

    async def test_of_a_film_that_is_not_in_the_round_is_refused(
        self, evening: Evening, ada: User
    ) -> None:
        made, ctx = await evening.voting(ada), await evening.ctx(ada)

        with pytest.raises(FilmNotInRound):
            await pick(at(evening.store, evening.now(), ctx), made.round_id, 25)

    async def test_that_comes_second_leaves_no_orphan(
        self, store: Store, evening: Evening, ada: User, ben: User
    ) -> None:
        made = await evening.voting(ben)
        adas, bens = await evening.ctx(ada), await evening.ctx(ben)

        async def quicker() -> None:
            await pick(at(store, evening.now(), adas), made.round_id, 2)

        racing = Meanwhile(store, quicker, before_writing=Round)
        with pytest.raises(Conflict):
            await pick(at(racing, evening.now(), bens), made.round_id, 3)
        (only,) = await everything_of(store.engine, Pick)
        assert (only.tmdb_movie_id, only.pick_id) == (2, (await evening.again(made)).pick_id)

    async def test_of_a_film_that_is_taken_back_in_the_same_moment_is_refused(
        self, store: Store, evening: Evening, ada: User, ben: User
    ) -> None:
        made = await evening.voting(ada)
        ctx, bens = await evening.ctx(ada), await evening.ctx(ben)
        await propose(at(store, evening.now(), bens), evening.films, made.round_id, 20)

        async def taken_back() -> None:
            await withdraw_proposal(at(store, evening.now(), bens), made.round_id, 20)

        racing = Meanwhile(store, taken_back, before_writing=Pick)
        with pytest.raises(FilmNotInRound):
            await pick(at(racing, evening.now(), ctx), made.round_id, 20)
        assert await everything_of(store.engine, Pick) == []
        assert (await evening.again(made)).status == "voting"


class TestPickingBeforeEverybodyVoted:
    async def test_has_to_be_meant(self, evening: Evening, ada: User, ben: User) -> None:
        made, ctx = await evening.voting(ada), await evening.ctx(ada)
        await vote(at(evening.store, evening.now(), ctx), made.round_id, 2, "up")

        with pytest.raises(VotesMissing) as refused:
            await pick(
                at(evening.store, evening.now(), ctx),
                made.round_id,
                2,
                even_if_votes_are_missing=False,
            )

        assert refused.value.extensions == {"missing": [ben.user_id]}
        assert (await evening.again(made)).status == "voting"

    async def test_needs_no_word_once_everybody_has(
        self, evening: Evening, ada: User, ben: User
    ) -> None:
        made = await evening.voting(ada)
        for person, film in ((ada, 1), (ben, 2)):
            ctx = await evening.ctx(person)
            await vote(at(evening.store, evening.now(), ctx), made.round_id, film, "up")

        await self.pick_if_all_voted(evening.store, evening, ada, made)

        assert (await evening.again(made)).status == "selected"

    async def test_does_not_wait_for_whoever_left(
        self, evening: Evening, ada: User, ben: User
    ) -> None:
        made, ctx = await evening.voting(ada), await evening.ctx(ada)
        await vote(at(evening.store, evening.now(), ctx), made.round_id, 1, "up")
        await leave(at(evening.store, evening.now(), await evening.ctx(ben)))

        await self.pick_if_all_voted(evening.store, evening, ada, made)

        assert (await evening.again(made)).status == "selected"

    async def test_asks_about_a_vote_that_is_withdrawn_in_the_same_moment(
        self, store: Store, evening: Evening, ada: User
    ) -> None:
        made, ctx = await evening.voting(ada, attendees=[ada.user_id]), await evening.ctx(ada)
        await vote(at(store, evening.now(), ctx), made.round_id, 1, "up")

        async def withdraws() -> None:
            await withdraw_vote(at(store, evening.now(), ctx), made.round_id, 1)

        racing = Meanwhile(store, withdraws, before_writing=Round)
        with pytest.raises(VotesMissing):
            await self.pick_if_all_voted(racing, evening, ada, made)

    @staticmethod
    async def pick_if_all_voted(store: Store, evening: Evening, person: User, made: Round) -> None:
        await pick(
            at(store, evening.now(), await evening.ctx(person)),
            made.round_id,
            1,
            even_if_votes_are_missing=False,
        )


class TestReopen:
    async def test_goes_back_to_the_vote_without_the_pick(
        self, evening: Evening, home: Household, ada: User
    ) -> None:
        made = await evening.selected(ada)

        await reopen(at(evening.store, evening.now(), await evening.ctx(ada)), made.round_id)

        now = await evening.again(made)
        assert (now.status, now.pick_id, now.selected_at) == ("voting", None, None)
        assert now.updated_at == iso(evening.clock())
        assert await everything_of(evening.store.engine, Pick) == []
        assert await evening.open_round_id(home) == made.round_id

    async def test_keeps_the_votes_and_lets_another_film_be_picked(
        self, evening: Evening, ada: User
    ) -> None:
        made, ctx = await evening.voting(ada), await evening.ctx(ada)
        await vote(at(evening.store, evening.now(), ctx), made.round_id, 3, "up")
        await pick(at(evening.store, evening.now(), ctx), made.round_id, 3)

        await reopen(at(evening.store, evening.now(), ctx), made.round_id)
        second = await pick(at(evening.store, evening.now(), ctx), made.round_id, 4)

        assert len(await evening.votes(made)) == 1
        assert await everything_of(evening.store.engine, Pick) == [second]

    async def test_forgets_what_was_said_about_the_pick(self, evening: Evening, ada: User) -> None:
        made, ctx = await evening.selected(ada), await evening.ctx(ada)
        await rate(at(evening.store, evening.now(), ctx), made.round_id, "loved")

        await reopen(at(evening.store, evening.now(), ctx), made.round_id)

        assert (await evening.again(made)).rated == {}
        asked = ratings_of_round(round_id=made.round_id)
        assert (await evening.store.page(asked)).items == []

    async def test_forgets_also_what_is_said_in_the_same_moment(
        self, store: Store, evening: Evening, ada: User, ben: User
    ) -> None:
        made, ctx = await evening.selected(ada), await evening.ctx(ada)
        bens = await evening.ctx(ben)

        async def rates() -> None:
            await rate(at(store, evening.now(), bens), made.round_id, "loved")

        racing = Meanwhile(store, rates, before_writing=Round)
        await reopen(at(racing, evening.now(), ctx), made.round_id)

        assert (await evening.again(made)).rated == {}
        assert (await store.page(ratings_of_round(round_id=made.round_id))).items == []

    async def test_is_for_the_starter_and_the_creator(
        self, evening: Evening, ada: User, ben: User, zoe: User
    ) -> None:
        made = await evening.selected(ben)
        childs = await evening.ctx(ben, acting_as=zoe)
        with pytest.raises(Forbidden):
            await reopen(at(evening.store, evening.now(), childs), made.round_id)

        await reopen(at(evening.store, evening.now(), await evening.ctx(ada)), made.round_id)

        assert (await evening.again(made)).status == "voting"

    @pytest.mark.parametrize("status", NOT_SELECTED)
    async def test_is_only_possible_once_selected_and_not_yet_watched(
        self, evening: Evening, ada: User, status: str
    ) -> None:
        made = await evening.in_state(status, ada)
        before = await evening.snapshot()

        with pytest.raises(Conflict):
            await reopen(at(evening.store, evening.now(), await evening.ctx(ada)), made.round_id)
        assert await evening.snapshot() == before

    async def test_is_refused_with_its_id_while_another_round_is_open(
        self, evening: Evening, ada: User
    ) -> None:
        made = await evening.selected(ada)
        other = await evening.draft(ada)
        before = await evening.snapshot()

        with pytest.raises(Conflict) as caught:
            await reopen(at(evening.store, evening.now(), await evening.ctx(ada)), made.round_id)
        assert caught.value.extensions == {"active_round_id": other.round_id}
        assert await evening.snapshot() == before
