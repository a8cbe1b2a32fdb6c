"""Rounds in which nothing happened for seven days."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest

from commonroom.accounts.tables import User
from commonroom.moments import iso
from commonroom.movienight.errors import Conflict, NotYours
from commonroom.movienight.service.rounds.expiring import expire, expire_untouched
from commonroom.movienight.service.rounds.voting import vote
from commonroom.movienight.tables import Group, Round
from commonroom.store import Store, delete
from tests.accounts.people import DAY, Meanwhile
from tests.movienight.rounds_support import Evening

OPEN = ["draft", "voting"]
CLOSED = ["selected", "watched", "rated", "expired"]


@pytest.fixture
def votes_now(store: Store, evening: Evening, ada: User) -> Callable[[Round], Awaitable[Store]]:
    """A store in which somebody votes just before a round is written."""

    async def racing(made: Round) -> Store:
        seat = await evening.seat(ada)

        async def votes() -> None:
            await vote(store, evening.now(), seat, made.round_id, 1, "up")

        return Meanwhile(store, votes, before_writing=Round)

    return racing


class TestExpire:
    @pytest.mark.parametrize("status", OPEN)
    async def test_ends_an_open_round_so_that_another_can_begin(
        self, evening: Evening, home: Group, ada: User, ben: User, status: str
    ) -> None:
        made = await evening.in_state(status, ben)
        evening.clock.forward(7 * DAY)

        await expire(evening.store, evening.clock(), await evening.seat(ada), made.round_id)

        now = await evening.again(made)
        assert (now.status, now.updated_at) == ("expired", iso(evening.clock()))
        assert await evening.open_round_id(home) is None
        assert (await evening.draft(ben)).status == "draft"

    async def test_is_refused_before_seven_days_without_anything(
        self, evening: Evening, ada: User
    ) -> None:
        made, seat = await evening.voting(ada), await evening.seat(ada)
        evening.clock.forward(6 * DAY)
        await vote(evening.store, evening.clock(), seat, made.round_id, 1, "up")
        evening.clock.forward(7 * DAY - 1)

        with pytest.raises(Conflict, match="7 days"):
            await expire(evening.store, evening.clock(), seat, made.round_id)
        assert (await evening.again(made)).status == "voting"

    async def test_is_for_the_creator_only(self, evening: Evening, ada: User, ben: User) -> None:
        made = await evening.draft(ben)
        evening.clock.forward(8 * DAY)

        with pytest.raises(NotYours):
            await expire(evening.store, evening.clock(), await evening.seat(ben), made.round_id)

    @pytest.mark.parametrize("status", CLOSED)
    async def test_is_only_for_open_rounds(self, evening: Evening, ada: User, status: str) -> None:
        made = await evening.in_state(status, ada)
        evening.clock.forward(8 * DAY)
        before = await evening.snapshot()

        with pytest.raises(Conflict):
            await expire(evening.store, evening.clock(), await evening.seat(ada), made.round_id)
        assert await evening.snapshot() == before

    async def test_changes_nothing_where_somebody_votes_in_the_same_moment(
        self,
        evening: Evening,
        ada: User,
        votes_now: Callable[[Round], Awaitable[Store]],
    ) -> None:
        made = await evening.voting(ada)
        racing, seat = await votes_now(made), await evening.seat(ada)
        evening.clock.forward(8 * DAY)

        with pytest.raises(Conflict, match="quicker"):
            await expire(racing, evening.clock(), seat, made.round_id)
        assert (await evening.again(made)).status == "voting"


class TestExpireUntouched:
    @pytest.mark.parametrize("status", OPEN)
    async def test_ends_a_round_when_its_time_has_come(
        self, evening: Evening, home: Group, ada: User, status: str
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
