"""Who counted on an offer that is taken back is told, and nothing of it stays."""

from __future__ import annotations

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.hangouts.consumers.offers import follow_offer
from commonroom.hangouts.notifications import SPOT_LOST
from commonroom.hangouts.rules.offers import TypedOffer
from commonroom.hangouts.service.hangouts import delete_hangout
from commonroom.hangouts.service.offers import (
    claim_spots,
    delete_offer,
    make_offer,
    settle_offer,
)
from commonroom.hangouts.service.tickets import TypedTicket, set_ticket
from commonroom.hangouts.tables import FriendGroup, Offer, Spot, Ticket
from commonroom.notifications.tables import Notification, kept_for_person
from commonroom.store import Store
from commonroom.store.streams import Change
from tests.accounts.people import Watch
from tests.hangouts.friends import child_of, everything_of, hangout_of, tidied


async def told(store: Store, clock: Watch, who: User) -> list[str]:
    """What somebody was told of offers, in words."""
    for _ in range(2):
        await tidied(store, clock)
    kept = [one async for one in store.all(kept_for_person(user_id=who.user_id))]
    found = [one for one in kept if isinstance(one, Notification) and one.kind == SPOT_LOST.name]
    told = [SPOT_LOST.words(one.facts) for one in found]
    return [f"{words.title}: {words.text}" for words in told]


async def test_who_had_a_spot_is_told_and_whoever_offered_it_is_not(
    store: Store, clock: Watch, ada: User, ben: User, friends: FriendGroup
) -> None:
    made = await hangout_of(store, clock, ada, friends, title="Concert")
    lea = await child_of(store, clock, ben, "Lea")
    mine, theirs = Context(store, ada, clock()), Context(store, ben, clock())
    room = TypedOffer(title="A room for 8", capacity=8)
    offer = await make_offer(mine, made.hangout_id, room)
    for ctx, who in ((mine, ada), (theirs, ben), (theirs, lea)):
        await claim_spots(ctx, who, offer.ref)
    await delete_offer(mine, offer.ref)
    lost = "No longer offered: A room for 8: You had a spot for Concert."
    assert await told(store, clock, ben) == [lost]
    assert await told(store, clock, ada) == []
    assert await everything_of(store.engine, Spot) == []


async def test_a_deleted_hangout_takes_its_offers_along_without_a_word(
    store: Store, clock: Watch, ada: User, ben: User, friends: FriendGroup
) -> None:
    made = await hangout_of(store, clock, ada, friends)
    mine, theirs = Context(store, ada, clock()), Context(store, ben, clock())
    offer = await make_offer(mine, made.hangout_id, TypedOffer(title="A room"))
    await claim_spots(theirs, ben, offer.ref)
    await delete_hangout(mine, made.hangout_id)
    assert await told(store, clock, ben) == []
    assert await everything_of(store.engine, Spot) == []


async def test_a_settled_offer_gives_its_people_the_tickets_they_needed(
    store: Store, clock: Watch, *, ada: User, ben: User, eve: User, friends: FriendGroup
) -> None:
    invited = [eve.user_id]
    made = await hangout_of(store, clock, ada, friends, invited_user_ids=invited, is_on=True)
    mine, bens, eves = (Context(store, one, clock()) for one in (ada, ben, eve))
    which = made.hangout_id
    for ctx, number in ((bens, 2), (eves, 3)):
        needs = TypedTicket(status="NEEDS", number=number)
        await set_ticket(ctx, ctx.person, which, needs)
    seats = await make_offer(mine, which, TypedOffer(title="Seats for all"))
    room = await make_offer(mine, which, TypedOffer(title="A room", for_tickets=False))
    for ctx, number in ((bens, 2), (eves, 1)):
        await claim_spots(ctx, ctx.person, seats.ref, number)
        await claim_spots(ctx, ctx.person, room.ref)
    clock.forward(60)

    async def tickets() -> dict[str, tuple[str, int]]:
        await tidied(store, clock)
        found = await everything_of(store.engine, Ticket)
        return {one.user_name or "": (one.status, one.number) for one in found}

    later = Context(store, ada, clock())
    await settle_offer(later, room.ref)
    assert await tickets() == {"Ben": ("NEEDS", 2), "Eve": ("NEEDS", 3)}
    await settle_offer(later, seats.ref)
    assert await tickets() == {"Ben": ("HAS", 2), "Eve": ("NEEDS", 2)}
    settled = await store.get(seats.ref)
    change = Change(Offer, "modify", seats.ref.key, seats, settled, clock(), by_ttl=False)
    await follow_offer(store, change)
    assert await tickets() == {"Ben": ("HAS", 2), "Eve": ("NEEDS", 2)}, "nobody gets them twice"
    clock.forward(60)
    await set_ticket(
        Context(store, ben, clock()), ben, which, TypedTicket(status="NEEDS", number=1)
    )
    await follow_offer(store, change)
    assert (await tickets())["Ben"] == ("NEEDS", 1), "what they said since then stands"
