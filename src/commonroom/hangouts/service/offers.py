"""Offers: made, settled and taken back; spots are claimed and given back exactly."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.errors import Conflict, Forbidden, NotFound
from commonroom.hangouts.rules import offers as rules
from commonroom.hangouts.rules.ids import new_id
from commonroom.hangouts.rules.offers import TypedOffer
from commonroom.hangouts.service.access import retry
from commonroom.hangouts.service.detail import HangoutThings
from commonroom.hangouts.service.guards import Guard, no_guard, with_guard
from commonroom.hangouts.service.participation import Participation, take_part, take_part_in
from commonroom.hangouts.service.tickets import bought_writes
from commonroom.hangouts.tables import Hangout, Offer, Spot
from commonroom.moments import iso
from commonroom.store import (
    Condition,
    Ref,
    Store,
    Write,
    absent,
    append,
    as_read,
    at_most,
    check,
    create,
    delete,
    equal,
    exchange,
    remove,
    update,
)


@retry
async def make_offer(ctx: Context, hangout_id: str, typed: TypedOffer) -> Offer:
    """Offers to buy or book something for others: two reads and one write."""
    fields: dict[str, Any] = rules.offer_fields(typed, None, ctx.now)
    offer_id = new_id()

    part = (await take_part(ctx, ctx.person, hangout_id)).adding().still_on(ctx.now)
    hangout = part.hangout
    if len(hangout.offer_ids) >= rules.MAX_OFFERS:
        raise Conflict(f"There are {rules.MAX_OFFERS} offers already.")
    offer = Offer(**fields, **part.signature, offer_id=offer_id, created_at=iso(ctx.now))
    listed = update(
        hangout,
        offer_ids=append(offer_id),
        if_=part.unchanged & as_read(hangout, "offer_ids"),
    )
    await ctx.store.write(create(offer), listed, *part.held)
    return offer


@retry
async def change_offer(ctx: Context, ref: Ref[Offer], typed: TypedOffer) -> Offer:
    """Changes one's own offer: never to fewer spots than are taken."""
    part, offer, _ = await _offer(ctx, ctx.person, ref)
    _check_own(part, offer)
    fields: dict[str, Any] = rules.offer_fields(typed, offer, ctx.now)
    limit = fields["capacity"]
    if limit is not None and limit < offer.spots_taken:
        raise rules.SpotsTaken(f"{offer.spots_taken} spots are taken.", free=0)
    fits = None if limit is None else at_most(spots_taken=limit)
    await ctx.store.write(update(offer, **fields, if_=fits), *part.holding())
    return replace(offer, **fields)


@retry
async def settle_offer(ctx: Context, ref: Ref[Offer]) -> Offer:
    """It is bought or booked: the hangout is on, in the same write."""
    part, offer, _ = await _offer(ctx, ctx.person, ref)
    _check_own(part.still_on(ctx.now), offer)
    if offer.done_at is not None:
        return offer
    settled = update(offer, done_at=iso(ctx.now), if_=absent("done_at"))
    await ctx.store.write(settled, *bought_writes(ctx, part), *part.held)
    return replace(offer, done_at=iso(ctx.now))


@retry
async def reopen_offer(ctx: Context, ref: Ref[Offer]) -> Offer:
    """It is not bought yet after all; the hangout stays as it is."""
    part, offer, _ = await _offer(ctx, ctx.person, ref)
    _check_own(part, offer)
    await ctx.store.write(update(offer, done_at=None), *part.holding())
    return replace(offer, done_at=None)


@retry
async def delete_offer(ctx: Context, ref: Ref[Offer]) -> None:
    """Takes an offer back; its spots are cleared up after that."""
    part, offer, _ = await _offer(ctx, ctx.person, ref)
    if offer.user_id != ctx.person.user_id:
        part.access.manageable()
    await ctx.store.write(*_removal(part.hangout, offer, part.unchanged), *part.held)


@retry
async def claim_spots(ctx: Context, member: User, ref: Ref[Offer], number: int = 1) -> Spot:
    """Claims spots, or changes how many; never more than there are."""
    wanted = rules.spots(number)

    part, offer, spot = await _offer(ctx, member, ref)
    part.still_on(ctx.now)
    more = wanted - (0 if spot is None else spot.number)
    rules.check_claim(offer, more, ctx.now)
    claimed = Spot(
        **part.taken(ctx.now),
        offer_id=offer.offer_id,
        number=wanted,
        claimed_at=iso(ctx.now) if spot is None else spot.claimed_at,
    )
    await ctx.store.write(
        *exchange(spot, claimed, on=[offer]),
        _still_open(offer, more),
        *part.holding(),
        *part.coming(),
    )
    return claimed


@retry
async def give_spots_back(ctx: Context, member: User, ref: Ref[Offer]) -> None:
    """Returns the caller's spots to the offer, as long as nothing is bought."""
    _, offer, spot = await _offer(ctx, member, ref)
    if spot is None:
        raise NotFound("You have no spot here.")
    rules.check_claim(offer, -spot.number, ctx.now)
    await ctx.store.write(*remove(spot), _still_open(offer, -spot.number))


@retry
async def free_spots_of(
    store: Store, hangout_id: str, user_id: str, guard: Guard = no_guard
) -> None:
    """Releases all spots of a person who does not come, whatever was bought meanwhile."""
    hangout = await store.get(Hangout.at(hangout_id=hangout_id))
    if hangout is None or not hangout.offer_ids:
        return
    offers = [Offer.at(hangout_id=hangout_id, offer_id=one) for one in hangout.offer_ids]
    for spot in await store.batch_get([_spot_ref(one, user_id) for one in offers]):
        held = None if spot is None else await guard(spot)
        if spot is not None and held is not None:
            same = as_read(spot, "rsvp_status", "taken_at")
            await store.write(*remove(spot, if_=same), *held)


async def remove_offers_of(
    store: Store, hangout_id: str, user_id: str, guard: Guard = no_guard
) -> None:
    """Takes back the offers of a person who is no longer on a hangout."""

    @retry
    async def attempt() -> bool:
        hangout = await store.get(Hangout.at(hangout_id=hangout_id))
        if hangout is None or not hangout.offer_ids:
            return False
        refs = [Offer.at(hangout_id=hangout_id, offer_id=one) for one in hangout.offer_ids]
        read = await store.batch_get(refs)
        own = next((one for one in read if one is not None and one.user_id == user_id), None)
        held = None if own is None else await guard(own)
        if own is None or held is None:
            return False
        writes = _removal(hangout, own, equal(version=hangout.version))
        await store.write(*with_guard(writes, held))
        return True

    while await attempt():
        pass  # one after the other: each changes the list of offers


def offers_of(things: HangoutThings) -> list[tuple[Offer, list[Spot]]]:
    """Returns all offers, the first made first, with their spots as they were claimed."""
    return [
        (offer, sorted(spots, key=lambda one: one.claimed_at))
        for offer, spots in sorted(things.each_with(Offer, Spot), key=lambda one: one[0].created_at)
    ]


async def _offer(
    ctx: Context, member: User, ref: Ref[Offer]
) -> tuple[Participation, Offer, Spot | None]:
    """Returns a participant of a hangout, an offer, and their spots of it."""
    part, offer = await take_part_in(ctx, member, ref, also=[_spot_ref(ref, member.user_id)])
    return part, offer, part.also[0]


def _still_open(offer: Offer, more: int) -> Write:
    """That nothing is bought yet; and where more spots are claimed, that this is still possible."""
    if more <= 0:
        return check(offer, if_=absent("done_at"))
    same = as_read(offer, "deadline") & absent("done_at")
    return check(offer, if_=same & at_most(spots_taken=rules.MAX_SPOTS - more))


def _removal(hangout: Hangout, offer: Offer, unchanged: Condition) -> list[Write]:
    left = [one for one in hangout.offer_ids if one != offer.offer_id]
    same = unchanged & as_read(hangout, "offer_ids")
    return [delete(offer), update(hangout, offer_ids=left, if_=same)]


def _check_own(part: Participation, offer: Offer) -> None:
    if offer.user_id != part.member.user_id:
        raise Forbidden("Only whoever made this offer can change it.")


def _spot_ref(offer: Ref[Offer], user_id: str) -> Ref[Spot]:
    return Spot.at(**offer.fields, user_id=user_id)
