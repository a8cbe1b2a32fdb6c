"""Answers: given, changed and taken back, for oneself, one's children, and people by name."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.errors import Conflict, InvalidField, NotFound, Unauthorized
from commonroom.hangouts.rules import rsvps as rules
from commonroom.hangouts.rules.ids import is_id
from commonroom.hangouts.rules.times import phase
from commonroom.hangouts.service.access import access_to, find_hangout, open_hangout, retry
from commonroom.hangouts.service.attendance import AnswerChange, answer_writes
from commonroom.hangouts.tables import Hangout, Rsvp, RsvpStatus
from commonroom.moments import iso
from commonroom.store import Ref, Store, Write, check, delete, equal

MOST_COMPANIONS = 8


class TypedRsvp(Struct, frozen=True, kw_only=True):
    """An answer as somebody gives it."""

    status: RsvpStatus
    note: str | None = None
    plus_guests: int = 0
    companion_ids: Sequence[str] = ()
    """Managed members who come along."""


class Answered(Struct, frozen=True):
    """An answer as it was written, and the hangout with it."""

    hangout: Hangout
    rsvp: Rsvp

    @property
    def is_waiting(self) -> bool:
        """Whether they wait for a place."""
        return any(one.answer_id == self.rsvp.user_id for one in self.hangout.waiting)


class _Family(Struct, frozen=True):
    """Whoever answers and their companions, as they were read, with their answers so far."""

    member: User
    companions: Sequence[User]
    own: Rsvp | None
    theirs: Sequence[Rsvp | None]
    """The companions' own answers, in their order."""
    parent: Rsvp | None
    """The answer in whose party a managed member was so far."""

    @property
    def same_names(self) -> list[Write]:
        """That all of them are there, under the names that are copied."""
        people = [self.member, *self.companions]
        return [check(one, if_=equal(display_name=one.display_name)) for one in people]


async def answer(ctx: Context, member: User, hangout_id: str, typed: TypedRsvp) -> Answered:
    """Answers for somebody, who may come with their children: two reads and one write."""
    fields = rules.answer_fields(typed.status, typed.note, typed.plus_guests)
    companion_ids = _companion_ids(member, typed.companion_ids)

    async def attempt() -> Answered:
        found = await find_hangout(ctx.store, hangout_id)
        people = [member.user_id, *companion_ids]
        also: list[Ref[Any]] = [User.at(user_id=one) for one in people]
        also += [Rsvp.at(hangout_id=hangout_id, user_id=one) for one in people]
        if member.is_managed:
            also.append(Rsvp.at(hangout_id=hangout_id, user_id=ctx.person.user_id))
        access = await access_to(ctx, found, also=also)
        check_open(access.hangout, ctx.now)
        family = _family(ctx, access.also, len(people))
        rsvp = _rsvp(ctx.now, hangout_id, family, fields)
        changes = _changes(ctx.now, family, rsvp)
        heard = replace(access.hangout, audience=access.audience, answered_at=iso(ctx.now))
        after, writes = answer_writes(
            access.hangout, heard, ctx.now, changes, by=ctx.person.user_id
        )
        left = set(family.own.companion_ids if family.own else ()) - set(companion_ids)
        writes += [_leave_party(hangout_id, one, member.user_id) for one in sorted(left)]
        await ctx.store.write(*writes, *family.same_names, *access.still_allowed)
        return Answered(after, rsvp)

    return await retry(attempt)


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


async def withdraw(ctx: Context, member: User, hangout_id: str) -> Hangout:
    """Takes an answer back, as if it had never been given: two reads and one write."""

    async def attempt() -> Hangout:
        place = [Rsvp.at(hangout_id=hangout_id, user_id=member.user_id)]
        if member.is_managed:
            place.append(Rsvp.at(hangout_id=hangout_id, user_id=ctx.person.user_id))
        access = await open_hangout(ctx, hangout_id, also=place)
        own, *parent = access.also
        if own is None:
            raise NotFound("You have not answered yet.")
        after, writes = removal_writes(access.hangout, ctx.now, own, *parent, by=ctx.person.user_id)
        await ctx.store.write(*writes)
        return after

    return await retry(attempt)


async def remove_answer(store: Store, now: float, hangout_id: str, user_id: str) -> None:
    """Removes the answer of somebody who may no longer have the hangout; nothing where none is."""

    async def attempt() -> None:
        try:
            hangout = await find_hangout(store, hangout_id)
        except NotFound:
            return
        own = await store.get(Rsvp.at(hangout_id=hangout_id, user_id=user_id))
        if own is None:
            return
        parent = None
        if own.with_user_id is not None:
            parent = await store.get(Rsvp.at(hangout_id=hangout_id, user_id=own.with_user_id))
        await store.write(*removal_writes(hangout, now, own, parent)[1])

    await retry(attempt)


def check_open(hangout: Hangout, now: float) -> None:
    """Refuses where a hangout takes no answers any more."""
    if hangout.cancelled_at is not None:
        raise Conflict("This hangout is cancelled.")
    if phase(hangout.start_timestamp, hangout.end_timestamp, now) == "past":
        raise Conflict("This hangout is over.")


def _companion_ids(member: User, given: Collection[str]) -> list[str]:
    wanted = list(dict.fromkeys(given))
    if len(wanted) > MOST_COMPANIONS or (member.is_managed and wanted):
        raise InvalidField("companion_ids", "Choose the members you manage.")
    return wanted


def _family(ctx: Context, read: Sequence[Any], number: int) -> _Family:
    """What was read of the people of an answer; refused where a companion is not theirs."""
    people, answers, parent = read[:number], read[number : 2 * number], read[2 * number :]
    if people[0] is None:
        raise Unauthorized("Please sign in, or send an API token.")
    for one in people[1:]:
        if one is None or not one.is_managed or one.parent_user_id != ctx.person.user_id:
            raise InvalidField("companion_ids", "Choose the members you manage.")
    is_in_party = answers[0] is not None and answers[0].with_user_id is not None
    return _Family(
        people[0], people[1:], answers[0], answers[1:], parent[0] if is_in_party else None
    )


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


def _changes(now: float, family: _Family, rsvp: Rsvp) -> list[AnswerChange]:
    """The answer itself, those of companions, and the party that a managed member leaves."""
    changes = [
        AnswerChange(user.user_id, before, companion_answer(rsvp, user, before))
        for user, before in zip(family.companions, family.theirs, strict=True)
    ]
    if family.parent is not None:
        changes.append(without_companion(now, family.parent, rsvp.user_id))
    return [*changes, AnswerChange(rsvp.user_id, family.own, rsvp)]


def companion_answer(rsvp: Rsvp, user: User, before: Rsvp | None) -> Rsvp:
    """The answer of a managed member who comes along."""
    return Rsvp(
        hangout_id=rsvp.hangout_id,
        user_id=user.user_id,
        user_name=user.display_name,
        status=rsvp.status,
        with_user_id=rsvp.user_id,
        created_at=before.created_at if before else rsvp.updated_at,
        updated_at=rsvp.updated_at,
    )


def without_companion(now: float, parent: Rsvp, user_id: str) -> AnswerChange:
    """The change of a party that somebody leaves who came along."""
    left = [one for one in parent.companion_ids if one != user_id]
    smaller = replace(parent, companion_ids=left, updated_at=iso(now))
    return AnswerChange(parent.user_id, parent, smaller)


def _leave_party(hangout_id: str, companion_id: str, user_id: str) -> Write:
    place = Rsvp.at(hangout_id=hangout_id, user_id=companion_id)
    return delete(place, if_=equal(with_user_id=user_id))


def removal_writes(
    hangout: Hangout, now: float, own: Rsvp, parent: Rsvp | None = None, *, by: str | None = None
) -> tuple[Hangout, list[Write]]:
    """What removes an answer with its companions' answers, or from the party it is in."""
    changes = [AnswerChange(own.user_id, own, None)]
    if own.with_user_id is not None and parent is not None:
        changes.insert(0, without_companion(now, parent, own.user_id))
    after, writes = answer_writes(hangout, hangout, now, changes, by=by)
    left = [_leave_party(own.hangout_id, one, own.user_id) for one in own.companion_ids]
    return after, [*writes, *left]
