"""Who needs a ticket and who has one; one that is bought makes a hangout on, pointers included."""

from __future__ import annotations

from typing import Any

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.errors import Conflict, Forbidden, InvalidField, InvalidFields, NotFound
from commonroom.hangouts.service.edits import invite
from commonroom.hangouts.service.hangouts import cancel, unconfirm
from commonroom.hangouts.service.rsvps import TypedRsvp, answer
from commonroom.hangouts.service.tickets import (
    TypedTicket,
    describe_tickets,
    remove_ticket,
    remove_ticket_of,
    set_ticket,
    spare_tickets_of,
)
from commonroom.hangouts.tables import FriendGroup, Hangout, Ticket
from commonroom.store import Store, counting
from tests.accounts.people import Watch
from tests.hangouts.friends import check_hangouts, everything_of, hangout_of, now_of


@pytest.fixture
async def made(store: Store, clock: Watch, ada: User, friends: FriendGroup) -> Hangout:
    """An idea of Ada's."""
    return await hangout_of(store, clock, ada, friends)


class Fans:
    """People with and without tickets."""

    def __init__(self, store: Store, clock: Watch, hangout: Hangout) -> None:
        self.store, self.clock, self.hangout = store, clock, hangout

    async def say(self, who: User, status: Any, **given: Any) -> Ticket:
        """What somebody says of their tickets."""
        ctx = Context(self.store, who, self.clock())
        typed = TypedTicket(status=status, **given)
        return await set_ticket(ctx, who, self.hangout.hangout_id, typed)

    async def momentum(self) -> str:
        """How far the hangout has come; its pointers say the same."""
        await check_hangouts(self.store.engine)
        return (await now_of(self.store, self.hangout)).momentum


@pytest.fixture
def fans(store: Store, clock: Watch, made: Hangout) -> Fans:
    """Those of Ada's idea."""
    return Fans(store, clock, made)


class TestATicket:
    async def test_is_needed_without_making_a_hangout_certain(self, fans: Fans, ben: User) -> None:
        before = await fans.momentum()
        needed = await fans.say(ben, "NEEDS", number=2, section="A", seat="7", spare=1)
        assert (needed.number, needed.section, needed.seat, needed.spare) == (2, None, None, 0)
        assert await fans.momentum() == before

    async def test_that_is_bought_makes_a_hangout_on_with_all_pointers(
        self, fans: Fans, ben: User
    ) -> None:
        with counting() as count:
            bought = await fans.say(ben, "HAS", section="Stand", seat="12")
        assert (count.reads, count.writes) == (2, 1)
        assert (bought.section, bought.seat) == ("Stand", "12")
        assert await fans.momentum() == "CONFIRMED"
        again = await fans.say(ben, "HAS", number=3, spare=2)
        assert (again.number, again.spare, again.seat) == (3, 2, None)
        assert len(await everything_of(fans.store.engine, Ticket)) == 1

    async def test_leaves_a_hangout_alone_that_somebody_took_back_by_hand(
        self, fans: Fans, ada: User, ben: User
    ) -> None:
        await unconfirm(Context(fans.store, ada, fans.clock()), fans.hangout.hangout_id)
        await fans.say(ben, "HAS")
        assert await fans.momentum() != "CONFIRMED"

    @pytest.mark.parametrize(
        "wrong",
        [
            {"number": 0},
            {"number": 21},
            {"spare": -1},
            {"number": 2, "spare": 3},
            {"section": "x" * 41},
            {"number": 0, "seat": "x" * 41},
        ],
    )
    async def test_is_refused_where_it_makes_no_sense(
        self, fans: Fans, ben: User, wrong: dict[str, Any]
    ) -> None:
        with pytest.raises((InvalidField, InvalidFields)):
            await fans.say(ben, "HAS", **wrong)
        assert await everything_of(fans.store.engine, Ticket) == []

    async def test_can_be_taken_back(self, fans: Fans, ben: User) -> None:
        ctx = Context(fans.store, ben, fans.clock())
        with pytest.raises(NotFound):
            await remove_ticket(ctx, ben, fans.hangout.hangout_id)
        await fans.say(ben, "NEEDS")
        await remove_ticket(ctx, ben, fans.hangout.hangout_id)
        assert await everything_of(fans.store.engine, Ticket) == []

    async def test_is_not_for_strangers_nor_for_what_is_cancelled(
        self, fans: Fans, ada: User, ben: User, eve: User
    ) -> None:
        with pytest.raises(NotFound):
            await fans.say(eve, "HAS")
        await cancel(Context(fans.store, ada, fans.clock()), fans.hangout.hangout_id)
        with pytest.raises(Conflict):
            await fans.say(ben, "HAS")

    async def test_is_not_needed_by_who_does_not_come_but_may_be_had(
        self, fans: Fans, ben: User
    ) -> None:
        ctx = Context(fans.store, ben, fans.clock())
        await answer(ctx, ben, fans.hangout.hangout_id, TypedRsvp(status="NOT_GOING"))
        with pytest.raises(Conflict):
            await fans.say(ben, "NEEDS")
        assert (await fans.say(ben, "HAS", spare=1)).spare == 1


class TestTheTicketsOfSomebodyWhoDoesNotCome:
    async def test_can_be_given_away(self, fans: Fans, store: Store, ben: User) -> None:
        await fans.say(ben, "HAS", number=3, spare=1)
        for _ in range(2):
            await spare_tickets_of(store, fans.hangout.hangout_id, ben.user_id)
        (ticket,) = await everything_of(store.engine, Ticket)
        assert ticket.spare == 3

    async def test_are_not_needed_any_more(self, fans: Fans, store: Store, ben: User) -> None:
        await fans.say(ben, "NEEDS")
        for _ in range(2):
            await spare_tickets_of(store, fans.hangout.hangout_id, ben.user_id)
        assert await everything_of(store.engine, Ticket) == []

    async def test_are_forgotten_when_they_leave(self, fans: Fans, store: Store, ben: User) -> None:
        await fans.say(ben, "HAS")
        for _ in range(2):
            await remove_ticket_of(store, fans.hangout.hangout_id, ben.user_id)
        assert await everything_of(store.engine, Ticket) == []


class TestWhereToGetThem:
    async def test_any_member_says_so(self, fans: Fans, store: Store, ben: User) -> None:
        ctx = Context(store, ben, fans.clock())
        link = "https://tickets.example.org"
        said = await describe_tickets(ctx, fans.hangout.hangout_id, link=link, price="about 25 €")
        assert (said.ticket_link, said.ticket_price) == (link, "about 25 €")
        same = await describe_tickets(ctx, fans.hangout.hangout_id, link=link, price="about 25 €")
        assert same.version == said.version == 2
        await check_hangouts(store.engine)

    async def test_it_is_a_link_and_few_words(self, fans: Fans, store: Store, ben: User) -> None:
        ctx = Context(store, ben, fans.clock())
        with pytest.raises(InvalidFields) as refused:
            await describe_tickets(
                ctx, fans.hangout.hangout_id, link="javascript:alert(1)", price="x" * 61
            )
        assert refused.value.by_field.keys() == {"ticket_link", "ticket_price"}

    async def test_whoever_is_only_invited_does_not(
        self, fans: Fans, store: Store, ada: User, eve: User
    ) -> None:
        await invite(Context(store, ada, fans.clock()), fans.hangout.hangout_id, eve.email or "")
        with pytest.raises(Forbidden):
            await describe_tickets(
                Context(store, eve, fans.clock()), fans.hangout.hangout_id, link=None, price="1 €"
            )
