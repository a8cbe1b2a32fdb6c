"""Pointers: each hangout has all of its own, and each of them leads to a hangout that has it."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from typing import Any

from msgspec.structs import replace

from commonroom.accounts.tables import User
from commonroom.hangouts.rules.times import span_of_moments
from commonroom.hangouts.service.occurrences import making
from commonroom.hangouts.service.pointers import deletion_writes, edit_writes, pointer_refs
from commonroom.hangouts.tables import (
    FriendGroup,
    Hangout,
    HangoutPointer,
    InvitationPointer,
    Pointer,
    Series,
    SeriesPointer,
    hangouts_of_series,
)
from commonroom.hangouts.tables.patterns import IN_LISTS
from commonroom.moments import elapsed, iso, seconds
from commonroom.store import (
    Condition,
    Entity,
    Ref,
    as_read,
    check,
    copied_fields,
    create,
    delete,
    new,
    put,
    update_with_copies,
)
from commonroom.store.checking.related import RelatedItems, RelatedProblem, Rule

MAX_EDIT = 3600
"""After how many seconds a change of a series counts as forgotten by its worker."""


async def _check_hangout(one: Hangout, found: RelatedItems) -> AsyncIterator[RelatedProblem]:
    refs = pointer_refs(one)
    ownerless = await found.missing(map(_owner, refs))
    gone = [it for it in refs if _owner(it) in ownerless]
    missing = [it for it in await found.missing(refs) if it not in gone]
    if missing:
        repair = [
            check(one, if_=_same_listing(one)),
            *(create(_pointer(one, it)) for it in missing),
        ]
        detail = f"It is missing from {len(missing)} of {len(refs)} lists."
        yield RelatedProblem("pointers", detail, repair)
    if any(it.entity is SeriesPointer for it in gone):
        yield _without_series(one)
    elif gone:
        yield _without_owners(one, gone)
    elif one.time is None and one.start_timestamp is not None:
        span = span_of_moments(one.start_timestamp, one.end_timestamp)
        if span is not None:
            times = {"start_timestamp": span.start, "end_timestamp": span.end}
            mended = update_with_copies(one, if_=_same_listing(one), time=span.entered, **times)
            yield RelatedProblem("times", "It has a start, and no time that says so.", mended)


def _without_owners(one: Hangout, gone: list[Ref[Any]]) -> RelatedProblem:
    """Groups and people that are gone lose it; what is then nobody's goes."""
    groups = [it.fields["group_id"] for it in gone if it.entity is HangoutPointer]
    people = [it.fields["user_id"] for it in gone if it.entity is InvitationPointer]
    after = replace(
        one,
        group_ids=[it for it in one.group_ids if it not in groups],
        invited_user_ids=[it for it in one.invited_user_ids if it not in people],
        updated_at=iso(time.time()),
    )
    others = [it for it in after.invited_user_ids if it != one.created_by]
    is_left = after.group_ids or (others and one.created_by not in people)
    held = [check(_owner(it), if_=new) for it in gone]
    detail = f"{len(gone)} of the groups and people that have it are gone."
    # As many as fit one write, with all the pointers of the hangout.
    writes = edit_writes(one, after)[1] if is_left else deletion_writes(one)
    return RelatedProblem("groups" if groups else "invitations", detail, [*writes, *held[:10]])


def _without_series(one: Hangout) -> RelatedProblem:
    pointer = SeriesPointer.at(series_id=one.series_id, hangout_id=one.hangout_id)
    alone: dict[str, Any] = {"series_id": None, "occurrence": None, "series_version": None}
    repair = [
        check(_owner(pointer), if_=new),
        *update_with_copies(replace(one, **alone), if_=_same_listing(one), **alone),
        delete(pointer),
    ]
    return RelatedProblem("series", "The series that it is in was deleted.", repair)


async def _check_pointer(one: Any, found: RelatedItems) -> AsyncIterator[RelatedProblem]:
    there = await found.at(_hangout(one))
    if isinstance(there, Hangout) and one.ref.key not in [it.key for it in pointer_refs(there)]:
        same = check(there, if_=as_read(there, "version"))
        detail = "It leads to a hangout that is not for whoever has it."
        yield RelatedProblem("pointers", detail, [same, delete(one)])


async def _check_series(one: Series, found: RelatedItems) -> AsyncIterator[RelatedProblem]:
    left = await found.store.page(hangouts_of_series(series_id=one.series_id), limit=1)
    same = as_read(one, "version", "made_until", "pending")
    if not left.items:
        yield RelatedProblem("series", "None of its hangouts is left.", [delete(one, if_=same)])
    elif one.pending is not None and elapsed(seconds(one.updated_at), time.time()) > MAX_EDIT:
        later = put(making(one.series_id, time.time()))
        detail = "A change of it has not reached all its hangouts."
        yield RelatedProblem("series", detail, [check(one, if_=same), later])


def _same_listing(one: Hangout) -> Condition:
    """Returns the condition that all that a pointer copies is as it was read."""
    return as_read(one, "version", *sorted(Hangout.unversioned & IN_LISTS.keys()))


def _pointer(one: Hangout, ref: Ref[Any]) -> Entity:
    pointer: Entity = ref.entity(**copied_fields(one, ref.entity) | dict(ref.fields))
    return pointer


def _owner(pointer: Ref[Any]) -> Ref[Any]:
    """Returns whose list a pointer is in: a group's, a person's, or a series'."""
    if pointer.entity is HangoutPointer:
        return FriendGroup.at(group_id=pointer.fields["group_id"])
    if pointer.entity is InvitationPointer:
        return User.at(user_id=pointer.fields["user_id"])
    return Series.at(series_id=pointer.fields["series_id"])


def _hangout(one: Pointer) -> Ref[Hangout]:
    return Hangout.at(hangout_id=one.hangout_id)


RULES: dict[type[Entity], Rule] = {
    Hangout: _check_hangout,
    HangoutPointer: _check_pointer,
    InvitationPointer: _check_pointer,
    SeriesPointer: _check_pointer,
    Series: _check_series,
}
