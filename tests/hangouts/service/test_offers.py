"""Somebody buys or books for others: spots are claimed and given back exactly, until it is done."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.errors import Conflict, Forbidden, InvalidField, NotFound
from commonroom.hangouts.rules.offers import MAX_OFFERS, SpotsTaken, TypedOffer
from commonroom.hangouts.service import offers
from commonroom.hangouts.service.access import ref_of
from commonroom.hangouts.service.rsvps import TypedRsvp, answer
from commonroom.hangouts.tables import FriendGroup, Hangout, Offer, Spot
from commonroom.moments import iso
from commonroom.store import Ref, Store, counting
from tests.accounts.people import Watch
from tests.hangouts.friends import (
    DAY,
    check_hangouts,
    everything_of,
    hangout_of,
    now_of,
    somebody,
    tidied,
)
from tests.hangouts.ride_checks import check_rides


class Market:
    """A hangout on which something is offered."""

    def __init__(self, store: Store, clock: Watch, hangout: Hangout) -> None:
        self.store, self.clock, self.hangout = store, clock, hangout
        self.id = hangout.hangout_id

    def ctx(self, who: User) -> Context:
        """What somebody does now."""
        return Context(self.store, who, self.clock())

    async def offer(self, who: User, title: str = "A room for 8", **given: Any) -> Offer:
        """An offer of somebody's."""
        return await offers.make_offer(self.ctx(who), self.id, TypedOffer(title=title, **given))

    async def claim(self, who: User, offer: Offer, number: int = 1) -> Spot:
        """Claims spots."""
        return await offers.claim_spots(self.ctx(who), who, offer.ref, number)

    async def give_back(self, who: User, offer: Offer) -> None:
        """Gives them back."""
        await offers.give_spots_back(self.ctx(who), who, offer.ref)

    async def taken(self, offer: Offer) -> int:
        """How many spots are taken, all counts being right."""
        await check_rides(self.store.engine)
        return (await now_of(self.store, offer)).spots_taken


@pytest.fixture
async def market(store: Store, clock: Watch, ada: User, friends: FriendGroup) -> Market:
    """An idea of Ada's."""
    return Market(store, clock, await hangout_of(store, clock, ada, friends))


class TestAnOffer:
    async def test_says_what_it_is_until_when_and_for_how_many(
        self, market: Market, clock: Watch, ada: User
    ) -> None:
        friday = iso(clock() + 2 * DAY)
        with counting() as count:
            made = await market.offer(ada, price="40 €", deadline=friday, capacity=8, note="Cosy")
        assert (count.reads, count.writes) == (2, 1)
        assert (made.price, made.deadline, made.capacity, made.note) == (
            "40 €",
            friday,
            8,
            "Cosy",
        )
        assert await market.taken(made) == 0

    @pytest.mark.parametrize(
        "wrong",
        [
            {"title": " "},
            {"title": "x" * 101},
            {"capacity": 0},
            {"capacity": 501},
            {"deadline": "Friday"},
            {"deadline": "2020-01-01T00:00:00Z"},
            {"price": "x" * 61},
            {"note": "x" * 501},
        ],
    )
    async def test_is_refused_where_it_makes_no_sense(
        self, market: Market, ada: User, wrong: dict[str, Any]
    ) -> None:
        with pytest.raises(InvalidField):
            await market.offer(ada, **{"title": "A room", **wrong})
        assert await everything_of(market.store.engine, Offer) == []

    async def test_is_one_of_twenty_at_most(self, market: Market, ada: User) -> None:
        for _ in range(MAX_OFFERS):
            await market.offer(ada)
        with pytest.raises(Conflict):
            await market.offer(ada)

    async def test_is_changed_by_who_made_it_never_to_fewer_spots_than_are_taken(
        self, market: Market, ada: User, ben: User
    ) -> None:
        made = await market.offer(ada, capacity=4)
        await market.claim(ben, made, 3)
        change = TypedOffer(title="A flat", capacity=3)
        with pytest.raises(Forbidden):
            await offers.change_offer(market.ctx(ben), made.ref, change)
        with pytest.raises(SpotsTaken):
            await offers.change_offer(
                market.ctx(ada), made.ref, TypedOffer(title="A flat", capacity=2)
            )
        changed = await offers.change_offer(market.ctx(ada), made.ref, change)
        assert (changed.title, changed.capacity) == ("A flat", 3)
        with pytest.raises(SpotsTaken):
            await market.claim(ben, made, 4)

    async def test_keeps_a_deadline_that_has_passed_when_its_words_change(
        self, market: Market, clock: Watch, ada: User
    ) -> None:
        friday = iso(clock() + DAY)
        made = await market.offer(ada, deadline=friday)
        clock.forward(2 * DAY)
        change = TypedOffer(title="A flat", deadline=friday)
        changed = await offers.change_offer(market.ctx(ada), made.ref, change)
        assert changed.deadline == friday

    async def test_that_is_settled_makes_the_hangout_on_and_its_spots_fixed(
        self, market: Market, store: Store, ada: User, ben: User
    ) -> None:
        made = await market.offer(ada, capacity=4)
        await market.claim(ben, made)
        with pytest.raises(Forbidden):
            await offers.settle_offer(market.ctx(ben), made.ref)
        for _ in range(2):
            await offers.settle_offer(market.ctx(ada), made.ref)
        assert (await now_of(store, market.hangout)).momentum == "CONFIRMED"
        await check_hangouts(store.engine)
        for deed in (market.claim(ben, made, 2), market.give_back(ben, made)):
            with pytest.raises(Conflict):
                await deed
        await offers.reopen_offer(market.ctx(ada), made.ref)
        await market.give_back(ben, made)
        assert await market.taken(made) == 0

    async def test_that_is_taken_back_takes_its_spots_along(
        self, market: Market, store: Store, clock: Watch, ada: User, ben: User
    ) -> None:
        made, other = await market.offer(ada), await market.offer(ben)
        for one in (made, other):
            await market.claim(ben, one, 2)
        with pytest.raises(Forbidden):
            await offers.delete_offer(market.ctx(ben), made.ref)
        await offers.delete_offer(market.ctx(ada), made.ref)
        with pytest.raises(NotFound):
            await market.claim(ben, made)
        await tidied(store, clock)
        assert [one.offer_id for one in await everything_of(store.engine, Spot)] == [other.offer_id]
        await offers.delete_offer(market.ctx(ada), other.ref)
        await check_rides(store.engine)

    @pytest.mark.parametrize("offer_id", ["", "none", "a#b", "x" * 101])
    async def test_that_is_not_there_is_not_found(
        self, market: Market, ada: User, offer_id: str
    ) -> None:
        deeds: list[Callable[[Ref[Offer]], Awaitable[object]]] = [
            lambda offer: offers.delete_offer(market.ctx(ada), offer),
            lambda offer: offers.claim_spots(market.ctx(ada), ada, offer),
            lambda offer: offers.give_spots_back(market.ctx(ada), ada, offer),
        ]
        for deed in deeds:
            with pytest.raises(NotFound, match="This offer is no longer there"):
                await deed(ref_of(Offer, hangout_id=market.id, offer_id=offer_id))


class TestASpot:
    async def test_is_claimed_changed_and_given_back(
        self, market: Market, ada: User, ben: User
    ) -> None:
        made = await market.offer(ada, capacity=3)
        for number in (1, 3, 2):
            await market.claim(ben, made, number)
            assert await market.taken(made) == number
        with pytest.raises(SpotsTaken) as refused:
            await market.claim(ada, made, 2)
        assert refused.value.extensions == {"free": 1}
        await market.give_back(ben, made)
        assert await market.taken(made) == 0
        with pytest.raises(NotFound):
            await market.give_back(ben, made)

    async def test_is_there_for_everybody_where_their_number_is_not_limited(
        self, market: Market, ada: User, ben: User
    ) -> None:
        made = await market.offer(ada)
        await market.claim(ben, made, 20)
        for number in (0, 21):
            with pytest.raises(InvalidField):
                await market.claim(ben, made, number)
        assert await market.taken(made) == 20

    async def test_is_not_claimed_after_the_deadline_but_can_be_given_back(
        self, market: Market, clock: Watch, ada: User, ben: User
    ) -> None:
        made = await market.offer(ada, deadline=iso(clock() + DAY))
        await market.claim(ben, made)
        clock.forward(DAY)
        with pytest.raises(Conflict):
            await market.claim(ben, made, 2)
        await market.give_back(ben, made)
        assert await market.taken(made) == 0

    async def test_is_not_for_strangers_nor_for_who_does_not_come(
        self, market: Market, ada: User, ben: User, eve: User
    ) -> None:
        made = await market.offer(ada)
        with pytest.raises(NotFound):
            await market.claim(eve, made)
        await answer(market.ctx(ben), ben, market.id, TypedRsvp(status="NOT_GOING"))
        with pytest.raises(Conflict):
            await market.claim(ben, made)


class TestWhoeverLeaves:
    async def test_gives_all_spots_back_even_of_what_is_bought(
        self, market: Market, store: Store, ada: User, ben: User
    ) -> None:
        first, second = await market.offer(ada, capacity=4), await market.offer(ada)
        await market.claim(ben, first, 4)
        await market.claim(ben, second, 2)
        await market.claim(ada, second)
        await offers.settle_offer(market.ctx(ada), first.ref)
        for _ in range(2):
            await offers.free_spots_of(store, market.id, ben.user_id)
        assert (await market.taken(first), await market.taken(second)) == (0, 1)

    async def test_takes_all_their_offers_back(
        self, market: Market, store: Store, clock: Watch, ada: User, ben: User
    ) -> None:
        cid = await somebody(store, clock, "Cid")
        kept = await market.offer(ada)
        for _ in range(3):
            await market.offer(ben)
        for one in (ben, ben, cid):
            await offers.remove_offers_of(store, market.id, one.user_id)
        assert [one.offer_id for one in await everything_of(store.engine, Offer)] == [kept.offer_id]
        await check_rides(store.engine)
