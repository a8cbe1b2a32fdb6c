"""Rounds that are abandoned, and rounds in which nothing happened for seven days."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest

from commonroom.accounts.tables import User
from commonroom.errors import Conflict, Forbidden
from commonroom.moments import iso
from commonroom.movienight.service import history
from commonroom.movienight.service.rounds.lifecycle import abandon, expire_untouched
from commonroom.movienight.service.rounds.votes import vote
from commonroom.movienight.tables import Household, Round
from commonroom.store import Store, delete
from tests.accounts.people import DAY, Meanwhile
from tests.movienight.rounds_support import Evening
from tests.support.context import at

OPEN = ["draft", "voting"]
CLOSED = ["selected", "watched", "rated", "expired"]


@pytest.fixture
def votes_now(store: Store, evening: Evening, ada: User) -> Callable[[Round], Awaitable[Store]]:
    """A store in which somebody votes just before a round is written."""

    async def racing(made: Round) -> Store:
        ctx = await evening.ctx(ada)

        async def votes() -> None:
            await vote(at(store, evening.now(), ctx), made.round_id, 1, "up")

        return Meanwhile(store, votes, before_writing=Round)

    return racing


class TestAbandon:
    @pytest.mark.parametrize("status", OPEN)
    async def test_ends_an_open_round_at_any_time_so_that_another_can_begin(
        self, evening: Evening, home: Household, ben: User, status: str
    ) -> None:
        made = await evening.in_state(status, ben)

        await abandon(at(evening.store, evening.now(), await evening.ctx(ben)), made.round_id)

        now = await evening.again(made)
        assert (now.status, now.updated_at) == ("expired", iso(evening.clock()))
        assert now.abandoned_by == ben.user_id
        assert await evening.open_round_id(home) is None
        assert (await evening.draft(ben)).status == "draft"

    async def test_stays_in_the_history_with_its_votes(self, evening: Evening, ada: User) -> None:
        made, ctx = await evening.voting(ada), await evening.ctx(ada)
        await vote(at(evening.store, evening.now(), ctx), made.round_id, 1, "up")

        await abandon(at(evening.store, evening.now(), ctx), made.round_id)

        past = (await history.list_rounds(ctx.store, ctx.group_id)).items
        assert [(one.round.round_id, one.round.status) for one in past] == [
            (made.round_id, "expired")
        ]
        assert len(await evening.votes(made)) == 1

    async def test_is_for_the_starter_and_the_creator(
        self, evening: Evening, ada: User, ben: User, zoe: User
    ) -> None:
        made = await evening.draft(ben)
        zoes = await evening.ctx(ben, acting_as=zoe)
        with pytest.raises(Forbidden):
            await abandon(at(evening.store, evening.now(), zoes), made.round_id)
        await abandon(at(evening.store, evening.now(), await evening.ctx(ada)), made.round_id)
        made = await evening.draft(ada)

        with pytest.raises(Forbidden):
            await abandon(at(evening.store, evening.now(), await evening.ctx(ben)), made.round_id)

    @pytest.mark.parametrize("status", CLOSED)
    async def test_is_only_for_open_rounds(self, evening: Evening, ada: User, status: str) -> None:
        made = await evening.in_state(status, ada)
        before = await evening.snapshot()

        with pytest.raises(Conflict):
            await abandon(at(evening.store, evening.now(), await evening.ctx(ada)), made.round_id)
        assert await evening.snapshot() == before

    async def test_waits_for_no_vote_of_the_same_moment(
        self,
        evening: Evening,
        ada: User,
        votes_now: Callable[[Round], Awaitable[Store]],
    ) -> None:
        made = await evening.voting(ada)
        racing, ctx = await votes_now(made), await evening.ctx(ada)

        await abandon(at(racing, evening.clock(), ctx), made.round_id)

        assert (await evening.again(made)).status == "expired"
        assert len(await evening.votes(made)) == 1


class TestExpireUntouched:
    @pytest.mark.parametrize("status", OPEN)
    async def test_ends_a_round_when_its_time_has_come(
        self, evening: Evening, home: Household, ada: User, status: str
    ) -> None:
        made = await evening.in_state(status, ada)
        evening.clock.forward(7 * DAY)

        assert await expire_untouched(evening.store, evening.clock(), made.round_id) is None

        assert (await evening.again(made)).status == "expired"
        assert await evening.open_round_id(home) is None

    async def test_says_when_to_look_again(self, evening: Evening, ada: User) -> None:
        made = await evening.draft(ada)
        begun = evening.clock()
        evening.clock.forward(3 * DAY)

        again = await expire_untouched(evening.store, evening.clock(), made.round_id)

        assert again == begun + 7 * DAY
        assert (await evening.again(made)).status == "draft"

    @pytest.mark.parametrize("status", CLOSED)
    async def test_leaves_other_rounds_alone(
        self, evening: Evening, ada: User, status: str
    ) -> None:
        made = await evening.in_state(status, ada)
        evening.clock.forward(8 * DAY)

        assert await expire_untouched(evening.store, evening.clock(), made.round_id) is None
        assert await evening.again(made) == made

    async def test_has_nothing_to_do_where_the_round_is_gone(
        self, evening: Evening, ada: User
    ) -> None:
        made = await evening.draft(ada)
        await evening.store.write(delete(made))

        assert await expire_untouched(evening.store, evening.now(), made.round_id) is None

    async def test_looks_again_later_where_somebody_votes_in_the_same_moment(
        self, evening: Evening, ada: User, votes_now: Callable[[Round], Awaitable[Store]]
    ) -> None:
        made = await evening.voting(ada)
        racing = await votes_now(made)
        evening.clock.forward(8 * DAY)
        now = evening.clock()

        assert await expire_untouched(racing, now, made.round_id) == now + 7 * DAY
        assert (await evening.again(made)).status == "voting"
