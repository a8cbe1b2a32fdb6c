"""Attachments: things of other rooms, attached by a person of a hangout, and taken off again.

What the caller sees of them is decided by the rooms that they are of (`joins.attachments`).
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from commonroom.accounts.context import Context
from commonroom.errors import Forbidden, NotFound
from commonroom.hangouts.relations import attachment_pointer
from commonroom.hangouts.rules.attachments import MAX_ATTACHMENTS
from commonroom.hangouts.service.access import HangoutAccess, no_such, open_hangout, retry
from commonroom.hangouts.service.guards import Guard, no_guard, with_guard
from commonroom.hangouts.service.participation import take_part
from commonroom.hangouts.tables import (
    Attachment,
    Hangout,
    attachments,
    attachments_of_thing,
)
from commonroom.http.typed_times import known_zone
from commonroom.joins.attachments import (
    MAX_ID,
    AttachmentCard,
    Carried,
    CarryingPlan,
    Claim,
)
from commonroom.moments import iso
from commonroom.store import Ref, Store, Write, as_read, check, equal, insert, remove
from commonroom.store.streams import Change

pointer_of = attachment_pointer


@retry
async def attach(
    ctx: Context, hangout_id: str, kind: str, claim: Callable[[], Awaitable[Claim]]
) -> Attachment:
    """Attaches a thing that the caller may attach; once it is there, it stays as it is.

    Two reads and one write, besides what `claim` asks of the thing's own room.
    """
    claimed = await claim()
    ref = _attachment_ref(hangout_id, kind, claimed.thing_id)
    part = (await take_part(ctx, ctx.person, hangout_id, also=[ref])).adding()
    there: Attachment | None = part.also[0]
    if there is not None:
        return there
    attachment = Attachment(
        **part.signature, kind=kind, thing_id=claimed.thing_id, attached_at=iso(ctx.now)
    )
    await ctx.store.write(
        *insert(attachment, on=[part.hangout]),
        *part.holding(),
        *claimed.holds,
        *([claimed.carried(plan_of(part.hangout))] if claimed.carried is not None else ()),
    )
    return attachment


@retry
async def detach(ctx: Context, hangout_id: str, kind: str, thing_id: str) -> None:
    """Takes a thing off: the person who attached it may, and editors of the hangout."""
    ref = _attachment_ref(hangout_id, kind, thing_id)
    access = await open_hangout(ctx, hangout_id, also=[ref])
    there: Attachment | None = access.also[0]
    if there is None or not access.standing.may_add:
        raise no_such(Attachment)
    if not may_detach(access, there, ctx.person.user_id):
        raise Forbidden("Only members of its groups, or whoever attached it, can do this.")
    await ctx.store.write(*removal_writes(there), *access.still_allowed)


def may_detach(access: HangoutAccess, attachment: Attachment, user_id: str) -> bool:
    """Returns whether a person may take a thing off."""
    return access.standing.may_edit or attachment.user_id == user_id


async def attachments_on(
    ctx: Context, hangout_id: str
) -> tuple[HangoutAccess, Sequence[Attachment]]:
    """What a hangout carries, for its own people: two requests, and one where it carries any.

    Those who pass by a public hangout are not among them.
    """
    access = await open_hangout(ctx, hangout_id)
    if not access.hangout.attachment_count or not access.standing.may_add:
        return access, ()
    asked = attachments(hangout_id=hangout_id)
    return access, (await ctx.store.page(asked, limit=MAX_ATTACHMENTS)).items


async def find_attachment(ctx: Context, hangout_id: str, kind: str, thing_id: str) -> Attachment:
    """One of them, for the hangout's people as they are now: two requests."""
    access = await open_hangout(ctx, hangout_id, also=[_attachment_ref(hangout_id, kind, thing_id)])
    found: Attachment | None = access.also[0]
    if found is None or not access.standing.may_add:
        raise no_such(Attachment)
    return found


async def find_thing(
    ctx: Context, hangout_id: str, kind: str, thing_id: str
) -> AttachmentCard | None:
    """A thing as it is attached, for a person who may have the hangout now: two requests."""
    try:
        return thing_of(await find_attachment(ctx, hangout_id, kind, thing_id))
    except NotFound:
        return None


@retry
async def remove_attachment(store: Store, attachment: Attachment, guard: Guard = no_guard) -> None:
    """Removes what a person attached who may no longer have the hangout; twice does no harm."""
    refs: list[Ref[Any]] = [Hangout.at(hangout_id=attachment.hangout_id), attachment.ref]
    hangout, own = await store.batch_get(refs)
    if hangout is None or own is None:
        return  # it is gone, or the hangout is, and all on it goes
    held = await guard(own)
    if held is not None:
        same = check(hangout, if_=equal(version=hangout.version))
        await store.write(*with_guard([*removal_writes(own), same], held))


async def forget_thing(store: Store, kind: str, thing_id: str) -> None:
    """Takes a thing that is gone off every hangout; an index says where it may be."""
    async for pointer in store.all(attachments_of_thing(kind=kind, thing_id=thing_id)):
        ref = _attachment_ref(pointer.hangout_id, kind, thing_id)
        there = await store.get(ref)
        if there is not None:
            await remove_attachment(store, there)


def removal_writes(attachment: Attachment) -> list[Write]:
    """Returns what removes an attachment, if it still is as it was read."""
    return remove(attachment, if_=as_read(attachment, "user_id", "attached_at"))


def thing_of(attachment: Attachment) -> AttachmentCard:
    """Returns what other rooms are told of an attachment."""
    return AttachmentCard(attachment.thing_id, attachment.user_id, attachment.hangout_id)


def plan_of(hangout: Hangout) -> CarryingPlan:
    """Returns what other rooms are told of a hangout that carries something of theirs."""
    if hangout.start_timestamp is None:
        return CarryingPlan(hangout.hangout_id, None)
    zone = known_zone(None if hangout.time is None else hangout.time.time_zone) or "UTC"
    start = datetime.fromtimestamp(hangout.start_timestamp, ZoneInfo(zone))
    return CarryingPlan(hangout.hangout_id, start.date().isoformat())


async def carried_after(store: Store, change: Change) -> AsyncIterator[Carried]:
    """What a hangout carries now, where a change is of what it carries, its day or its end."""
    if change.entity is Attachment:
        attachment: Attachment = change.new or change.old
        yield await _carried(store, attachment)
        return
    old: Hangout | None = change.old
    new: Hangout | None = change.new
    if old is None or new is None or not new.attachment_count:
        return  # what is attached goes by itself with a hangout that is deleted
    if (plan_of(old), old.cancelled_at) == (plan_of(new), new.cancelled_at):
        return
    async for one in store.all(attachments(hangout_id=new.hangout_id)):
        yield await _carried(store, one)


async def _carried(store: Store, attachment: Attachment) -> Carried:
    """Returns whether a hangout carries a thing, as both are now: changes may be handled late."""
    ref = Hangout.at(hangout_id=attachment.hangout_id)
    hangout, there = await store.batch_get([ref, attachment.ref])
    is_carried = isinstance(hangout, Hangout) and there is not None and not hangout.cancelled_at
    plan = plan_of(hangout) if isinstance(hangout, Hangout) else None
    return Carried(
        attachment.kind,
        attachment.thing_id,
        plan or CarryingPlan(attachment.hangout_id, None),
        is_carried,
    )


def _attachment_ref(hangout_id: str, kind: str, thing_id: str) -> Ref[Attachment]:
    if not all(_is_name(one) for one in (kind, thing_id)):
        raise no_such(Attachment)
    return Attachment.at(hangout_id=hangout_id, kind=kind, thing_id=thing_id)


def _is_name(text: str) -> bool:
    """Whether something can be a kind or an id: it comes from an address, and goes into a key."""
    return 0 < len(text) <= MAX_ID and text.isprintable() and "#" not in text
