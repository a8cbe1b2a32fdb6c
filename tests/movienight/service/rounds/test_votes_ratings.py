"""How those who took part liked it; the last of them ends the round."""

from __future__ import annotations

import pytest

from commonroom.accounts.tables import User
from commonroom.errors import Conflict, Forbidden, NotFound
from commonroom.moments import iso
from commonroom.movienight.rules.rounds import Liked
from commonroom.movienight.service.members import leave
from commonroom.movienight.service.rounds.picks import reopen
from commonroom.movienight.service.rounds.votes import rate
from commonroom.movienight.tables import Round, RoundRating, ratings_of_round
from commonroom.store import Store, delete
from tests.accounts.people import Meanwhile
from tests.movienight.rounds_support import Evening
from tests.support.context import at

NOT_PICKED = ["draft", "voting", "expired"]


async def rated(
    evening: Evening, round_: Round, person: User, how: Liked, child: User | None = None
) -> None:
    ctx = await evening.ctx(person, child)
    await rate(at(evening.store, evening.now(), ctx), round_.round_id, how)


async def ratings(evening: Evening, round_: Round) -> list[RoundRating]:
    return (await evening.store.page(ratings_of_round(round_id=round_.round_id))).items


class TestRate:
    async def test_is_kept_by_member_and_in_the_round(self, evening: Evening, ben: User) -> None:
        made = await evening.watched(ben)

        await rated(evening, made, ben, "liked")

        assert await ratings(evening, made) == [
            RoundRating(
                round_id=made.round_id,
                member_id=ben.user_id,
                rating="liked",
                rated_at=iso(evening.clock()),
            )
        ]
        now = await evening.again(made)
        assert (now.rated, now.status) == ({ben.user_id: "liked"}, "watched")
        assert (now.version, now.updated_at) == (made.version + 1, iso(evening.clock()))

    async def test_takes_the_place_of_an_earlier_one(self, evening: Evening, ben: User) -> None:
        made = await evening.watched(ben)
        for how in ("loved", "did_not_like"):
            await rated(evening, made, ben, how)

        assert [one.rating for one in await ratings(evening, made)] == ["did_not_like"]
        assert (await evening.again(made)).rated == {ben.user_id: "did_not_like"}

    async def test_ends_a_watched_round_when_nobodys_is_missing(
        self, evening: Evening, ada: User, ben: User, zoe: User
    ) -> None:
        made = await evening.watched(ada)
        await rated(evening, made, ben, "loved", zoe)
        await rated(evening, made, ben, "liked")
        assert (await evening.again(made)).status == "watched"

        await rated(evening, made, ada, "loved")

        now = await evening.again(made)
        assert (now.status, now.rated_at) == ("rated", iso(evening.clock()))

    async def test_can_be_changed_when_the_round_is_over(self, evening: Evening, ada: User) -> None:
        made = await evening.rated(ada)

        await rated(evening, made, ada, "did_not_like")

        now = await evening.again(made)
        assert (now.status, now.rated_at) == ("rated", made.rated_at)
        assert now.rated == {ada.user_id: "did_not_like"}

    async def test_before_the_film_was_watched_does_not_end_the_round(
        self, evening: Evening, ada: User
    ) -> None:
        made = await evening.selected(ada, attendees=[ada.user_id])

        await rated(evening, made, ada, "loved")

        assert (await evening.again(made)).status == "selected"

    async def test_is_refused_from_members_who_did_not_take_part(
        self, evening: Evening, ada: User, ben: User
    ) -> None:
        made = await evening.watched(ada, attendees=[ada.user_id])

        with pytest.raises(Forbidden) as caught:
            await rated(evening, made, ben, "loved")
        assert caught.value.status == 403
        assert await ratings(evening, made) == []

    async def test_is_refused_from_the_creator_who_did_not_take_part(
        self, evening: Evening, ada: User, ben: User
    ) -> None:
        made = await evening.watched(ben, attendees=[ben.user_id])

        with pytest.raises(Forbidden):
            await rated(evening, made, ada, "loved")

    @pytest.mark.parametrize("status", NOT_PICKED)
    async def test_is_only_possible_once_a_film_is_picked(
        self, evening: Evening, ada: User, status: str
    ) -> None:
        made = await evening.in_state(status, ada)
        before = await evening.snapshot()

        with pytest.raises(Conflict):
            await rated(evening, made, ada, "loved")
        assert await evening.snapshot() == before

    async def test_is_not_for_whoever_left(
        self, store: Store, evening: Evening, ada: User, ben: User
    ) -> None:
        made, early = await evening.watched(ada), await evening.ctx(ben)
        await leave(at(store, evening.now(), early))

        with pytest.raises(NotFound):
            await rate(at(store, evening.now(), early), made.round_id, "loved")

    @pytest.mark.parametrize("how", ["leaves", "is deleted"])
    async def test_of_somebody_who_is_gone_is_not_waited_for(
        self, store: Store, evening: Evening, ada: User, ben: User, how: str
    ) -> None:
        made = await evening.watched(ada)
        if how == "leaves":
            await leave(at(store, evening.now(), await evening.ctx(ben)))
        else:
            await store.write(delete(ben))

        await rated(evening, made, ada, "loved")

        assert (await evening.again(made)).status == "rated"

    async def test_of_two_last_ones_at_once_sees_that_it_is_the_last(
        self, store: Store, evening: Evening, ada: User, ben: User
    ) -> None:
        made, ctx = await evening.watched(ada), await evening.ctx(ada)

        async def quicker() -> None:
            await rated(evening, made, ben, "liked")

        racing = Meanwhile(store, quicker, before_writing=RoundRating)
        await rate(at(racing, evening.now(), ctx), made.round_id, "loved")

        now = await evening.again(made)
        assert now.status == "rated"
        assert now.rated == {ada.user_id: "loved", ben.user_id: "liked"}

    async def test_of_a_pick_that_is_taken_back_in_the_same_moment_is_refused(
        self, store: Store, evening: Evening, ada: User
    ) -> None:
        made, ctx = await evening.selected(ada), await evening.ctx(ada)

        async def reopened() -> None:
            await reopen(at(store, evening.now(), ctx), made.round_id)

        racing = Meanwhile(store, reopened, before_writing=RoundRating)
        with pytest.raises(Conflict):
            await rate(at(racing, evening.now(), ctx), made.round_id, "loved")
        assert await ratings(evening, made) == []
