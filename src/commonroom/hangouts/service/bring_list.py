"""The bring list: things, and who brings how much; never more than is needed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict, replace

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.errors import Conflict, Forbidden, NotFound
from commonroom.hangouts.rules import bring_list as rules
from commonroom.hangouts.rules.fields import cleaned_together
from commonroom.hangouts.rules.ids import time_ordered_id
from commonroom.hangouts.service.access import HangoutAccess, open_hangout, open_thing, retry
from commonroom.hangouts.service.guards import Guard, comes, no_guard
from commonroom.hangouts.service.participation import take_part_in
from commonroom.hangouts.service.rsvps import check_open
from commonroom.hangouts.tables import BringClaim, BringItem
from commonroom.moments import iso
from commonroom.store import (
    Ref,
    Store,
    Write,
    as_read,
    at_most,
    check,
    delete,
    equal,
    exchange,
    insert,
    remove,
    update,
)


class TypedBringItem(Struct, kw_only=True):
    """Something to bring, as entered."""

    name: rules.Name
    note: rules.Note | None = None
    needed: rules.Number = 1


@retry
async def add_item(ctx: Context, hangout_id: str, typed: TypedBringItem) -> BringItem:
    """One more thing to bring: two reads and one write."""
    item = BringItem(
        **cleaned_together(rules.CLEANERS, asdict(typed)),
        hangout_id=hangout_id,
        bring_item_id=time_ordered_id(ctx.now),
        created_by=ctx.person.user_id,
        created_at=iso(ctx.now),
    )

    access = (await open_hangout(ctx, hangout_id)).extendable()
    hangout = access.hangout
    check_open(hangout, ctx.now)
    await ctx.store.write(
        *insert(item, on=[hangout]),
        check(hangout, if_=equal(version=hangout.version)),
        *access.still_allowed,
    )
    return item


@retry
async def change_item(ctx: Context, ref: Ref[BringItem], given: Mapping[str, Any]) -> BringItem:
    """Changes what is given of a thing; never to less than is claimed already."""
    fields = cleaned_together(rules.CLEANERS, given)

    access, item = await open_thing(ctx, ref)
    _check_owner(ctx, access, item)
    check_open(access.hangout, ctx.now)
    needed = fields.get("needed", item.needed)
    if needed < item.claimed:
        raise Conflict(f"{item.claimed} are claimed already.", claimed=item.claimed)
    if not fields:
        return item
    await ctx.store.write(update(item, if_=at_most(claimed=needed), **fields), *access.unchanged)
    return replace(item, **fields)


@retry
async def remove_item(ctx: Context, ref: Ref[BringItem]) -> None:
    """Takes a thing off the list; who claimed it is cleared up after that."""
    access, item = await open_thing(ctx, ref)
    _check_owner(ctx, access, item)
    await ctx.store.write(*remove(item), *access.unchanged)


@retry
async def claim(ctx: Context, member: User, ref: Ref[BringItem], number: int) -> BringItem:
    """Claims so many of a thing for a person who comes, instead of what they claimed before.

    Two reads and one write; refused where others bring too many already.
    """
    number = rules.number("number", number)

    taking, item = await take_part_in(ctx, member, ref, also=[_claim_ref(member, ref)])
    before: BringClaim | None = taking.also[0]
    coming = taking.still_on(ctx.now).coming()
    more = number - (before.number if before else 0)
    is_same = before is not None and more == 0 and before.rsvp_status == taking.rsvp_status
    if is_same and comes(taking.rsvp):  # without an answer, it may be about to go
        return item
    if item.claimed + more > item.needed:
        raise rules.too_many(max(0, item.needed - item.claimed))
    claimed = BringClaim(
        **taking.taken(ctx.now),
        bring_item_id=item.bring_item_id,
        number=number,
        claimed_at=iso(ctx.now),
    )
    await ctx.store.write(
        *exchange(before, claimed, on=[item]),
        *coming,
        *taking.holding(),
    )
    return replace(item, claimed=item.claimed + more)


@retry
async def unclaim(ctx: Context, member: User, ref: Ref[BringItem]) -> BringItem:
    """Takes the claim back: two reads and one write."""
    access, item = await open_thing(ctx, ref, also=[_claim_ref(member, ref)])
    own: BringClaim | None = access.also[0]
    if own is None:
        raise NotFound("You have not claimed this.")
    await ctx.store.write(*_given_back(own))
    return replace(item, claimed=item.claimed - own.number)


@retry
async def remove_claim(store: Store, claimed: BringClaim, guard: Guard = no_guard) -> None:
    """Removes the claim of a person who may no longer have the hangout, or does not come."""
    ref = BringItem.at(hangout_id=claimed.hangout_id, bring_item_id=claimed.bring_item_id)
    item, own = await store.batch_get([ref, claimed.ref])
    held = await guard(own) if isinstance(own, BringClaim) else None
    if not isinstance(own, BringClaim) or held is None:
        return
    if isinstance(item, BringItem):
        await store.write(*_given_back(own), *held)
    else:
        await store.write(delete(own), *held)


def _given_back(own: BringClaim) -> list[Write]:
    return remove(own, if_=as_read(own, "rsvp_status", "taken_at"))


def _claim_ref(member: User, item: Ref[BringItem]) -> Ref[BringClaim]:
    return BringClaim.at(**item.fields, user_id=member.user_id)


def _check_owner(ctx: Context, access: HangoutAccess, item: BringItem) -> None:
    """Members may change what is on the list, others what they put there."""
    if not (access.standing.may_edit or item.created_by == ctx.person.user_id):
        raise Forbidden("Only members of its groups, or whoever added it, can do this.")
