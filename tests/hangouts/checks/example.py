"""A room in which everything is as it should be, and the means to break something of it."""

from __future__ import annotations

from collections import Counter
from typing import Any, TypeVar

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.hangouts.checks import ORPHANS, checks
from commonroom.hangouts.rules.offers import TypedOffer
from commonroom.hangouts.service import bring_list, carpool, ideas, offers, places
from commonroom.hangouts.service.attachments import attach
from commonroom.hangouts.service.bring_list import TypedBringItem
from commonroom.hangouts.service.carpool import TypedCar
from commonroom.hangouts.service.edits import invite
from commonroom.hangouts.service.guests import TypedGuestRsvp, rsvp_for
from commonroom.hangouts.service.rsvps import TypedRsvp, answer
from commonroom.hangouts.service.talk import say
from commonroom.hangouts.service.tickets import TypedTicket, set_ticket
from commonroom.hangouts.tables import (
    Attachment,
    BringItem,
    Car,
    FriendGroup,
    GuestRsvp,
    Hangout,
    HangoutPoll,
    Idea,
    Offer,
    Repetition,
    Rsvp,
    RsvpStatus,
    TalkMessage,
    inviter,
)
from commonroom.joins.attachments import Claim
from commonroom.store import Entity, Store
from commonroom.store.checking import CopyCheck, KeyCheck, ReportedProblem, check_store
from commonroom.store.values import Item
from tests.accounts.people import Watch
from tests.hangouts.friends import (
    COPIES,
    DAY,
    PUB,
    check_hangouts,
    child_of,
    everything_of,
    group_of,
    hangout_of,
    now_of,
    somebody,
    starts_in,
    tidied,
)
from tests.hangouts.plan_checks import check_attachments, check_bring_lists, check_polls
from tests.hangouts.ride_checks import check_rides
from tests.hangouts.voting import Voting

E = TypeVar("E", bound=Entity)


class House:
    """Ada's evening at the pub, with everything that a plan can have.

    Of four places, Ada and her child Kim have two, Ben one; a guest with company waits for two.
    Cleo is interested, and Eve, who is invited directly, cannot come. Zoe is no friend.
    """

    ada: User
    ben: User
    cleo: User
    eve: User
    zoe: User
    kim: User
    group: FriendGroup
    pub: Hangout
    games_night: Hangout
    """The first of three, every week."""
    guest: GuestRsvp
    days: HangoutPoll
    games: HangoutPoll
    bread: BringItem
    car: Car
    offer: Offer
    attachment: Attachment
    message: TalkMessage
    skating: Idea

    def __init__(self, store: Store, clock: Watch) -> None:
        self.store, self.clock = store, clock

    @classmethod
    async def furnished(cls, store: Store, clock: Watch) -> House:
        """All of it, with everything that follows."""
        house = cls(store, clock)
        house.ada, house.ben, house.cleo, house.eve, house.zoe = [
            await somebody(store, clock, name) for name in ("Ada", "Ben", "Cleo", "Eve", "Zoe")
        ]
        house.kim = await child_of(store, clock, house.ada, "Kim")
        house.group = await group_of(store, clock, house.ada, house.ben, house.cleo)
        house.pub = await hangout_of(
            store,
            clock,
            house.ada,
            house.group,
            title="The pub",
            place=PUB,
            place_limit=4,
            time=starts_in(clock, 5 * DAY),
        )
        house.games_night = await hangout_of(
            store,
            clock,
            house.ben,
            house.group,
            title="Games",
            time=starts_in(clock, DAY),
            repetition=Repetition(frequency="WEEKLY", times=3),
        )
        await house._people_come()
        await house._people_vote()
        await house._people_plan()
        await house._people_dream()
        await tidied(store, clock)
        await house.read_again()
        return house

    async def read_again(self) -> None:
        """Everything as it is now."""
        self.group = await now_of(self.store, self.group)
        self.pub = await now_of(self.store, self.pub)
        self.days = await now_of(self.store, self.days)
        self.games = await now_of(self.store, self.games)
        self.bread = await now_of(self.store, self.bread)
        self.car = await now_of(self.store, self.car)
        self.offer = await now_of(self.store, self.offer)
        self.skating = await now_of(self.store, self.skating)

    async def _people_come(self) -> None:
        at = self.pub.hangout_id
        await invite(self.ctx(self.ada), at, "eve@example.org")
        coming = TypedRsvp(status="GOING", companion_ids=[self.kim.user_id])
        await answer(self.ctx(self.ada), self.ada, at, coming)
        said: list[tuple[User, RsvpStatus]] = [
            (self.ben, "GOING"),
            (self.cleo, "INTERESTED"),
            (self.eve, "NOT_GOING"),
        ]
        for who, status in said:
            await answer(self.ctx(who), who, at, TypedRsvp(status=status))
        gus = TypedGuestRsvp(name="Gus", status="GOING", plus_guests=1)
        self.guest = (await rsvp_for(self.ctx(self.ada), at, gus)).rsvp

    async def _people_vote(self) -> None:
        voting = Voting(self.store, self.clock, self.pub)
        self.days = await voting.days(self.ada)
        await voting.vote(self.ada, self.days, "ynm")
        await voting.vote(self.ben, self.days, "yy-")
        self.games = await voting.question(self.ben, "Darts", "Cards")
        await voting.vote(self.cleo, self.games, "yn")

    async def _people_plan(self) -> None:
        at, ada, ben, cleo = self.pub.hangout_id, self.ctx(self.ada), self.ctx(self.ben), self.cleo
        self.bread = await bring_list.add_item(ada, at, TypedBringItem(name="Bread", needed=3))
        await bring_list.claim(ben, self.ben, self.bread.ref, 2)
        self.car = await carpool.offer_car(ben, at, TypedCar(seats=4))
        await carpool.take_seat(self.ctx(cleo), cleo, self.car.ref, plus_guests=1)
        await carpool.need_ride(ada, self.ada, at)
        self.offer = await offers.make_offer(ada, at, TypedOffer(title="A table", capacity=4))
        await offers.claim_spots(ben, self.ben, self.offer.ref, 2)
        await set_ticket(ben, self.ben, at, TypedTicket(status="HAS", number=2, spare=1))
        await set_ticket(ada, self.ada, at, TypedTicket(status="NEEDS"))
        self.attachment = await attach(ben, at, "film", self._claim)
        self.message = await say(ben, self.ben, at, "Fine.")

    @staticmethod
    async def _claim() -> Claim:
        return Claim("603", [])

    async def _people_dream(self) -> None:
        at, ada, ben = self.group.group_id, self.ctx(self.ada), self.ctx(self.ben)
        await places.add_group_place(ada, at, {"name": "The rink"})
        await places.add_own_place(ben, {"name": "Home"}, is_home=True)
        winter = await ideas.add_list(ada, at, {"name": "Winter"})
        self.skating = await ideas.add_idea(ben, at, winter.list_id, {"name": "Skating"})

    def ctx(self, who: User) -> Context:
        """What somebody does now."""
        return Context(self.store, who, self.clock())

    async def answer_of(self, who: User) -> Rsvp:
        """Somebody's answer."""
        found = await self.store.get(Rsvp.at(hangout_id=self.pub.hangout_id, user_id=who.user_id))
        assert found is not None
        return found

    async def load(self, thing: Entity, **attributes: Any) -> None:
        """Puts something there as if it had always been so, with attributes that nobody checks."""
        item = thing.to_item() | attributes
        left = {name: value for name, value in item.items() if value is not None}
        await self.store.engine.load(thing.schema.table, [left])

    async def drift(self, *, repair: bool = False) -> list[ReportedProblem]:
        """What `commonroom check` finds wrong, and what it mends where it may."""
        return await drift(self.store, repair=repair)

    async def is_sound(self) -> None:
        """Holds that all counts, pointers, seats and tallies are right, worked out otherwise."""
        for holds in (
            check_hangouts,
            check_polls,
            check_bring_lists,
            check_rides,
            check_attachments,
        ):
            await holds(self.store.engine)

    async def things(self) -> dict[str, int]:
        """How many things of each kind there are."""
        found = await everything_of(self.store.engine, *inviter.entities.values())
        return dict(Counter(type(one).__name__ for one in found))


async def drift(store: Store, *, repair: bool = False) -> list[ReportedProblem]:
    """What `commonroom check` finds wrong in the room, and what it mends where it may."""
    reported: list[ReportedProblem] = []
    await check_store(
        store,
        [inviter],
        [KeyCheck(), CopyCheck(COPIES, ORPHANS), *checks()],
        repair=repair,
        report=reported.append,
        progress=lambda *_: None,
    )
    return reported


async def everything(store: Store) -> list[Item]:
    """Everything that the room has stored, as it is."""
    items: list[Item] = []
    start: Item | None = None
    while True:
        rows = await store.engine.scan(inviter, limit=1000, start=start)
        items += rows.items
        start = rows.next
        if start is None:
            return sorted(items, key=lambda one: (str(one["PK"]), str(one["SK"])))
