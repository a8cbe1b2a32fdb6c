"""Groups and what is in them: memberships, invite codes and ideas; each has the others."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from commonroom.accounts.tables import User
from commonroom.hangouts.service.members import ended_writes
from commonroom.hangouts.tables import (
    FriendGroup,
    GroupMembership,
    Hangout,
    HangoutPerson,
    Idea,
    InviteCode,
    PersonPlace,
)
from commonroom.store import (
    Entity,
    Ref,
    Write,
    as_read,
    check,
    create,
    delete,
    discard,
    merge,
    new,
    stored,
    update,
)
from commonroom.store.checking.related import RelatedItems, RelatedProblem, Rule

MAX_MENDED = 50
"""How many people lose their interest in one write; the others do so the next time."""


async def _check_membership(
    one: GroupMembership, found: RelatedItems
) -> AsyncIterator[RelatedProblem]:
    person = await found.at(_person(one))
    if await found.at(_group(one)) is None:
        ended = await ended_writes(found.store, one, delete(one, if_=as_read(one, "role")))
        repair = [check(_group(one), if_=new), *ended]
        yield RelatedProblem("memberships", f"The group “{one.group_name}” was deleted.", repair)
    elif await found.at(_user(one)) is None:
        # The group counts, and has an admin, without them: that is looked at with the group.
        repair = [check(_user(one), if_=new), delete(one, if_=as_read(one, "role"))]
        yield RelatedProblem("memberships", "A member has no account any more.", repair)
    elif person is None or (
        isinstance(person, HangoutPerson) and one.group_id not in person.groups
    ):
        same = check(one, if_=as_read(one, "joined_at"))
        detail = "It does not count for its person."
        yield RelatedProblem("memberships", detail, [same, _counted(one, person)])


def _counted(one: GroupMembership, person: Any) -> Write:
    mine = {one.group_id: one.joined_at}
    if person is None:
        return create(
            HangoutPerson(user_id=one.user_id, user_name=one.user_name, group_count=1, groups=mine)
        )
    held = as_read(person, "groups", "group_count")
    return update(person.ref, groups=merge(mine), group_count=len(person.groups) + 1, if_=held)


async def _check_person(one: HangoutPerson, found: RelatedItems) -> AsyncIterator[RelatedProblem]:
    missing = await found.missing(_memberships(one))
    left = {it: one.groups[it] for it in one.groups if it not in _ids(missing)}
    held = as_read(one, "groups", "group_count")
    if missing or one.group_count != len(left):
        repair = [
            *(check(it, if_=new) for it in missing),
            update(one.ref, groups=left, group_count=len(left), if_=held),
        ]
        detail = f"Its group_count is {one.group_count}; {len(left)} groups have them."
        yield RelatedProblem("counts", detail, repair)
    elif await found.at(_user(one)) is None and not left:
        gone = check(_user(one), if_=new)
        yield RelatedProblem(
            "orphans", "Its person has no account any more.", [gone, delete(one, if_=held)]
        )
    elif one.home_place_id is not None and await found.at(_home(one)) is None:
        gone = check(_home(one), if_=new)
        away = update(one.ref, home_place_id=None, if_=as_read(one, "home_place_id"))
        yield RelatedProblem("places", "The place that is their home was deleted.", [gone, away])


async def _check_group(one: FriendGroup, found: RelatedItems) -> AsyncIterator[RelatedProblem]:
    missing = await found.missing(InviteCode.at(code=it) for it in one.invite_codes)
    if missing:
        codes = {it.fields["code"] for it in missing}
        left = [it for it in one.invite_codes if it not in codes]
        held = as_read(one, "invite_codes")
        repair = [
            *(check(it, if_=new) for it in missing),
            update(one.ref, invite_codes=left, if_=held),
        ]
        yield RelatedProblem("codes", f"{len(missing)} of its invite codes let nobody in.", repair)


async def _check_idea(one: Idea, found: RelatedItems) -> AsyncIterator[RelatedProblem]:
    refs = [GroupMembership.at(group_id=one.group_id, user_id=it) for it in one.interested]
    missing = (await found.missing(refs))[:MAX_MENDED]
    if missing:
        away = discard(*(it.fields["user_id"] for it in missing))
        held = [check(it, if_=new) for it in missing]
        repair = [update(one.ref, interested=away, if_=stored), *held]
        yield RelatedProblem("ideas", "Somebody is interested who is not in the group.", repair)
    if one.hangout_id is not None and await found.at(_hangout(one)) is None:
        gone = check(_hangout(one), if_=new)
        repair = [gone, update(one.ref, hangout_id=None, if_=as_read(one, "hangout_id"))]
        yield RelatedProblem("ideas", "The hangout that it became was deleted.", repair)


def _group(one: GroupMembership) -> Ref[FriendGroup]:
    return FriendGroup.at(group_id=one.group_id)


def _hangout(one: Idea) -> Ref[Hangout]:
    return Hangout.at(hangout_id=one.hangout_id or "")


def _user(one: GroupMembership | HangoutPerson) -> Ref[User]:
    return User.at(user_id=one.user_id)


def _person(one: GroupMembership) -> Ref[HangoutPerson]:
    return HangoutPerson.at(user_id=one.user_id)


def _home(one: HangoutPerson) -> Ref[PersonPlace]:
    return PersonPlace.at(user_id=one.user_id, place_id=one.home_place_id or "")


def _memberships(one: HangoutPerson) -> list[Ref[GroupMembership]]:
    return [GroupMembership.at(group_id=it, user_id=one.user_id) for it in one.groups]


def _ids(refs: list[Ref[GroupMembership]]) -> set[str]:
    return {it.fields["group_id"] for it in refs}


RULES: dict[type[Entity], Rule] = {
    GroupMembership: _check_membership,
    HangoutPerson: _check_person,
    FriendGroup: _check_group,
    Idea: _check_idea,
}
