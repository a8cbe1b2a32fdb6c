"""Answers: given, changed and taken back, for oneself, one's children, and people by name."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Annotated, Any

from msgspec import Meta, Struct, field
from msgspec.structs import replace

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.errors import Conflict, InvalidField, NotFound, Unauthorized
from commonroom.hangouts.rules import rsvps as rules
from commonroom.hangouts.rules.fields import Id
from commonroom.hangouts.rules.rsvps import may_bring
from commonroom.hangouts.rules.times import is_over
from commonroom.hangouts.service.access import access_to, find_hangout, open_hangout, retry
from commonroom.hangouts.service.attendance import RsvpChange, rsvp_writes
from commonroom.hangouts.service.guards import Guard, no_guard, with_guard
from commonroom.hangouts.tables import Hangout, Rsvp, RsvpStatus
from commonroom.ids import is_id
from commonroom.moments import iso
from commonroom.store import Ref, Store, Write, as_read, check, delete, equal

MAX_COMPANIONS = 8
WHO_MAY_COME = "Choose children of your household, or members you manage."


class TypedRsvp(Struct, kw_only=True):
    """An answer as a person gives it."""

    status: RsvpStatus
    note: rules.Note | None = None
    plus_guests: rules.PlusGuests = 0
    companion_ids: Annotated[
        list[Id],
        Meta(max_length=MAX_COMPANIONS, description="Managed members who come along."),
    ] = field(default_factory=list)


class RsvpOutcome(Struct, frozen=True):
    """An answer as it was written, and the hangout with it."""

    hangout: Hangout
    rsvp: Rsvp

    @property
    def is_waiting(self) -> bool:
        """Whether they wait for a place."""
        return any(one.answer_id == self.rsvp.user_id for one in self.hangout.waiting)


class _Family(Struct, frozen=True):
    """A person and their companions, as they were read, with their RSVPs so far."""

    member: User
    companions: Sequence[User]
    own: Rsvp | None
    theirs: Sequence[Rsvp | None]
    """The companions' own answers, in their order."""
    parties: Sequence[Rsvp] = ()
    """The answers of others in whose parties some of them were so far."""

    @property
    def same_people(self) -> list[Write]:
        """That all of them are there, under the names that are copied, and still at home there."""
        me = self.member.user_id
        is_shared = any(one.parent_user_id != me for one in self.companions)
        held = ("display_name", "household_id") if is_shared else ("display_name",)
        return [check(one, if_=as_read(one, *held)) for one in [self.member, *self.companions]]


@retry
async def answer(ctx: Context, member: User, hangout_id: str, typed: TypedRsvp) -> RsvpOutcome:
    """Answers for a member, who may come with their children: two reads and one write."""
    fields = rules.rsvp_fields(typed.status, typed.note, typed.plus_guests)
    companion_ids = _companion_ids(member, typed.companion_ids)

    found = await find_hangout(ctx.store, hangout_id)
    people = [member.user_id, *companion_ids]
    also: list[Ref[Any]] = [User.at(user_id=one) for one in people]
    also += [Rsvp.at(hangout_id=hangout_id, user_id=one) for one in people]
    access = await access_to(ctx, found, also=also)
    check_open(access.hangout, ctx.now)
    family = await _with_parties(ctx.store, hangout_id, _family(access.also, len(people)))
    rsvp = _rsvp(ctx.now, hangout_id, family, fields)
    changes = _changes(ctx.now, family, rsvp)
    touched = replace(access.hangout, audience=access.audience, answered_at=iso(ctx.now))
    after, writes = rsvp_writes(access.hangout, touched, ctx.now, changes, by=ctx.person.user_id)
    left = set(family.own.companion_ids if family.own else ()) - set(companion_ids)
    writes += [_leave_party(hangout_id, one, member.user_id) for one in sorted(left)]
    await ctx.store.write(*writes, *family.same_people, *access.still_allowed)
    return RsvpOutcome(after, rsvp)


async def with_company(ctx: Context, member: User, hangout_id: str, typed: TypedRsvp) -> TypedRsvp:
    """An answer in one tap, with the company and the note of the answer before: one request."""
    if not is_id(hangout_id):
        return typed
    before = await ctx.store.get(Rsvp.at(hangout_id=hangout_id, user_id=member.user_id))
    if before is None:
        return typed
    return replace(
        typed,
        note=before.note,
        plus_guests=0 if typed.status == "NOT_GOING" else before.plus_guests,
        companion_ids=before.companion_ids,
    )


@retry
async def withdraw(ctx: Context, member: User, hangout_id: str) -> Hangout:
    """Takes an answer back, as if it had never been given: two reads and one write."""
    refs = [Rsvp.at(hangout_id=hangout_id, user_id=member.user_id)]
    access = await open_hangout(ctx, hangout_id, also=refs)
    own: Rsvp | None = access.also[0]
    if own is None:
        raise NotFound("You have not answered yet.")
    party = await _party_of(ctx.store, own)
    after, writes = removal_writes(access.hangout, ctx.now, own, party, by=ctx.person.user_id)
    await ctx.store.write(*writes)
    return after


@retry
async def remove_rsvp(
    store: Store, now: float, hangout_id: str, user_id: str, guard: Guard = no_guard
) -> None:
    """Removes the answer of a person who may no longer have the hangout; nothing where none is."""
    try:
        hangout = await find_hangout(store, hangout_id)
    except NotFound:
        return
    own = await store.get(Rsvp.at(hangout_id=hangout_id, user_id=user_id))
    if own is None:
        return
    party = await _party_of(store, own)
    held = await guard(own)
    if held is not None:
        await store.write(*with_guard(removal_writes(hangout, now, own, party)[1], held))


def check_open(hangout: Hangout, now: float) -> None:
    """Refuses where a hangout takes no answers any more."""
    if hangout.cancelled_at is not None:
        raise Conflict("This hangout is cancelled.")
    if is_over(hangout, now):
        raise Conflict("This hangout is over.")


def _companion_ids(member: User, given: Collection[str]) -> list[str]:
    wanted = list(dict.fromkeys(given))
    if len(wanted) > MAX_COMPANIONS or (member.is_managed and wanted):
        raise InvalidField("companion_ids", WHO_MAY_COME)
    return wanted


def _family(read: Sequence[Any], number: int) -> _Family:
    """What was read of the people of an answer; refused where a companion is not of theirs."""
    (member, *companions), (own, *theirs) = read[:number], read[number : 2 * number]
    if member is None:
        raise Unauthorized("Please sign in, or send an API token.")
    if not all(one is not None and may_bring(member, one) for one in companions):
        raise InvalidField("companion_ids", WHO_MAY_COME)
    return _Family(member, companions, own, theirs)


async def _with_parties(store: Store, hangout_id: str, family: _Family) -> _Family:
    """The family with the parties of others they were in: one request, where there are any."""
    so_far = [one.with_user_id for one in (family.own, *family.theirs) if one is not None]
    others = sorted({one for one in so_far if one not in (None, family.member.user_id)}, key=str)
    if not others:
        return family
    refs = [Rsvp.at(hangout_id=hangout_id, user_id=one) for one in others]
    found = [one for one in await store.batch_get(refs) if one is not None]
    return replace(family, parties=found)


async def _party_of(store: Store, own: Rsvp) -> Rsvp | None:
    """Returns the answer in whose party a managed member is: one request, where they are in one."""
    if own.with_user_id is None:
        return None
    return await store.get(Rsvp.at(hangout_id=own.hangout_id, user_id=own.with_user_id))


def _rsvp(now: float, hangout_id: str, family: _Family, fields: dict[str, Any]) -> Rsvp:
    return Rsvp(
        **fields,
        hangout_id=hangout_id,
        user_id=family.member.user_id,
        user_name=family.member.display_name,
        companion_ids=[one.user_id for one in family.companions],
        created_at=family.own.created_at if family.own else iso(now),
        updated_at=iso(now),
    )


def _changes(now: float, family: _Family, rsvp: Rsvp) -> list[RsvpChange]:
    """Returns the answer itself, those of companions, and the parties that some of them leave."""
    changes = [
        RsvpChange(user.user_id, before, companion_rsvp(rsvp, user, before))
        for user, before in zip(family.companions, family.theirs, strict=True)
    ]
    people = [rsvp.user_id, *(one.user_id for one in family.companions)]
    changes += [without_companions(now, one, *people) for one in family.parties]
    return [*changes, RsvpChange(rsvp.user_id, family.own, rsvp)]


def companion_rsvp(rsvp: Rsvp, user: User, before: Rsvp | None) -> Rsvp:
    """Returns the answer of a managed member who comes along."""
    return Rsvp(
        hangout_id=rsvp.hangout_id,
        user_id=user.user_id,
        user_name=user.display_name,
        status=rsvp.status,
        with_user_id=rsvp.user_id,
        created_at=before.created_at if before else rsvp.updated_at,
        updated_at=rsvp.updated_at,
    )


def without_companions(now: float, party: Rsvp, *user_ids: str) -> RsvpChange:
    """Returns the change of a party that some leave who came along."""
    left = [one for one in party.companion_ids if one not in user_ids]
    smaller = replace(party, companion_ids=left, updated_at=iso(now))
    return RsvpChange(party.user_id, party, smaller)


def _leave_party(hangout_id: str, companion_id: str, user_id: str) -> Write:
    ref = Rsvp.at(hangout_id=hangout_id, user_id=companion_id)
    return delete(ref, if_=equal(with_user_id=user_id))


def removal_writes(
    hangout: Hangout, now: float, own: Rsvp, party: Rsvp | None = None, *, by: str | None = None
) -> tuple[Hangout, list[Write]]:
    """Returns what removes an answer with its companions' answers, or from the party it is in."""
    changes = [RsvpChange(own.user_id, own, None)]
    if own.with_user_id is not None and party is not None:
        changes.insert(0, without_companions(now, party, own.user_id))
    after, writes = rsvp_writes(hangout, hangout, now, changes, by=by)
    left = [_leave_party(own.hangout_id, one, own.user_id) for one in own.companion_ids]
    return after, [*writes, *left]
