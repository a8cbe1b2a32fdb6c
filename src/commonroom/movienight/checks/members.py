"""Members: a membership says who is in a household, and their accounts say so too.

The rule of one household rests on `household_id` of an account; who is where stands in
`GroupMemberships`, which is the truth.
"""

from __future__ import annotations

from collections.abc import AsyncIterator

from commonroom.accounts.tables import User
from commonroom.movienight.tables import Household, HouseholdMembership, Preferences, group_of_user
from commonroom.store import (
    Entity,
    Ref,
    Store,
    Write,
    absent,
    as_read,
    check,
    delete,
    equal,
    new,
    stored,
    update,
)
from commonroom.store.checking.related import RelatedItems, RelatedProblem, Rule


async def _check_membership(
    one: HouseholdMembership, found: RelatedItems
) -> AsyncIterator[RelatedProblem]:
    group, user = await found.each([_group(one.group_id), _user(one.user_id)])
    if group is None:
        gone = check(_group(one.group_id), if_=new)
        yield RelatedProblem("orphans", "Its household was deleted.", [gone, *_without(one)])
    elif user is None and isinstance(group, Household):
        gone = check(_user(one.user_id), if_=new)
        repair = [gone, *_without(one), _uncounted(group, one)]
        yield RelatedProblem("members", "A member has no account any more.", repair)
    elif isinstance(user, User) and isinstance(group, Household):
        if user.household_id != one.group_id:
            yield await _check_household(found.store, one, user, group)
        if (one.member_type == "managed") is not user.is_managed:
            kind = "managed" if user.is_managed else "independent"
            same = check(user, if_=as_read(user, "is_managed"))
            renamed = update(one, member_type=kind, if_=as_read(one, "member_type"))
            yield RelatedProblem("members", f"Whoever it is of is {kind}.", [same, renamed])


async def _check_household(
    store: Store, one: HouseholdMembership, user: User, group: Household
) -> RelatedProblem:
    """An account that does not name the household which has it as a member.

    The account's own household counts where that has it too: it is what the application went by.
    Where several have it and the account names none of them, nobody but a person knows.
    """
    others = [it for it in await _memberships(store, user) if it.group_id != one.group_id]
    own = next((it for it in others if it.group_id == user.household_id), None)
    if own is not None:
        return _stray(one, own, user, group)
    if others:
        detail = f"It is one of {len(others) + 1} households that have this person; remove them "
        return RelatedProblem("households", detail + "from all but one.")
    before = absent("household_id")
    if user.household_id is not None:
        before = equal(household_id=user.household_id)
    there = [check(one, if_=stored), check(group, if_=stored)]
    repair = update(user.ref, household_id=one.group_id, if_=before)
    return RelatedProblem(
        "households", "The account of a member does not name it.", [*there, repair]
    )


def _stray(
    one: HouseholdMembership, own: HouseholdMembership, user: User, group: Household
) -> RelatedProblem:
    detail = "Whoever it is of is a member of another household, which their account names."
    if group.created_by == one.user_id:
        return RelatedProblem("households", f"{detail} They created this one.")
    held = [check(own, if_=stored), check(user, if_=as_read(user, "household_id"))]
    return RelatedProblem("households", detail, [*held, *_without(one), _uncounted(group, one)])


async def _memberships(store: Store, user: User) -> list[HouseholdMembership]:
    """Where a member is, as it is now: the index only says where to look."""
    page = await store.page(group_of_user(user_id=user.user_id))
    known = await store.batch_get([one.ref for one in page.items])
    groups = await store.batch_get([_group(one.group_id) for one in page.items])
    pairs = zip(known, groups, strict=True)
    return [one for one, group in pairs if one is not None and group is not None]


async def _check_user(one: User, found: RelatedItems) -> AsyncIterator[RelatedProblem]:
    if one.household_id is None:
        return
    group, member = _group(one.household_id), _member(one.household_id, one.user_id)
    missing = await found.missing([group, member])
    if missing:
        held = check(missing[0], if_=new)
        repair = update(one.ref, household_id=None, if_=as_read(one, "household_id"))
        yield RelatedProblem(
            "households", "It names a household that does not have it.", [held, repair]
        )


def _without(one: HouseholdMembership) -> list[Write]:
    preferred = Preferences.at(group_id=one.group_id, user_id=one.user_id)
    return [delete(one, if_=as_read(one, "joined_at")), delete(preferred)]


def _uncounted(group: Household, one: HouseholdMembership) -> Write:
    left = [it for it in group.member_ids if it != one.user_id]
    count = max(0, group.member_count - 1)
    held = as_read(group, "member_count", "member_ids")
    return update(group.ref, member_count=count, member_ids=left, if_=held)


def _group(group_id: str) -> Ref[Household]:
    return Household.at(group_id=group_id)


def _user(user_id: str) -> Ref[User]:
    return User.at(user_id=user_id)


def _member(group_id: str, user_id: str) -> Ref[HouseholdMembership]:
    return HouseholdMembership.at(group_id=group_id, user_id=user_id)


RULES: dict[type[Entity], Rule] = {
    HouseholdMembership: _check_membership,
    User: _check_user,
}
