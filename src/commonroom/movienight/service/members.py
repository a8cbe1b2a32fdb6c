"""Members of a household: who they are, and how they come, change and go."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import suppress
from typing import Any

from msgspec import Struct

from commonroom.accounts.rules import MAX_ID
from commonroom.accounts.service.profiles import (
    managed_by,
    managed_changes,
    managed_writes,
    not_managed,
)
from commonroom.accounts.tables import Ceiling, User, user_by_id
from commonroom.errors import CommonroomError, Conflict, Forbidden, NotFound
from commonroom.moments import iso
from commonroom.movienight.rules.households import (
    MAX_MEMBERS,
    Departure,
    HouseholdRoster,
    RosterMember,
    invite_ids,
    is_valid,
    listed_members,
    longest_standing,
    looks_after,
    may_remove,
    plan_departure,
)
from commonroom.movienight.service import retry
from commonroom.movienight.service.household_context import HouseholdContext, touch_household
from commonroom.movienight.tables import (
    Household,
    HouseholdMembership,
    Invite,
    Preferences,
    group_by_id,
    invites_of_group,
    members_of_group,
)
from commonroom.store import (
    Condition,
    ConditionFailed,
    Ref,
    Store,
    Write,
    absent,
    add,
    append,
    as_read,
    below,
    check,
    create,
    delete,
    equal,
    stored,
    update,
)

MAX_ENDED_AT_ONCE = 50
"""So many invites fit into the transaction that removes a member."""


async def list_members(store: Store, group_id: str) -> list[RosterMember]:
    """Returns everybody in a household, the longest-standing first: two requests."""
    memberships = (await store.page(members_of_group(group_id=group_id))).items
    users = await store.batch_get([User.at(user_id=one.user_id) for one in memberships])
    members = [RosterMember(user, one) for user, one in zip(users, memberships, strict=True)]
    return sorted(members, key=longest_standing)


async def household_people(store: Store, person: User) -> list[User]:
    """Returns everybody in a person's household, the longest-standing first: two requests."""
    if person.household_id is None:
        return []
    members = await list_members(store, person.household_id)
    return [one.user for one in members if one.user is not None]


class Everybody(Struct, frozen=True):
    """All members of a household, and what they like."""

    members: list[RosterMember]
    """The longest-standing first."""
    preferences: dict[str, Preferences]
    """By member, of those who chose."""


async def load_everybody(
    ctx: HouseholdContext, *, beside: Sequence[Ref[Any]] = ()
) -> tuple[Everybody, list[Any]]:
    """Returns everybody in the household when the context was read, for showing: one request.

    Whatever else is wanted is read along with them. One more where the household does not name its
    members, as in earlier versions, and two more where a member has left in this very moment.
    """
    ids = listed_members(ctx.group) or await _member_ids(ctx.store, ctx.group_id)
    found = await _read_all(ctx, ids, beside)
    if None in found[: len(ids)]:
        ids = await _member_ids(ctx.store, ctx.group_id)
        found = await _read_all(ctx, ids, beside)
    memberships, users, preferences = (
        found[start : start + len(ids)] for start in range(0, 3 * len(ids), len(ids) or 1)
    )
    members = [
        RosterMember(user, membership)
        for membership, user in zip(memberships, users, strict=True)
        if membership is not None
    ]
    chosen = {one.user_id: one for one in preferences if one is not None}
    return Everybody(sorted(members, key=longest_standing), chosen), found[3 * len(ids) :]


async def _read_all(
    ctx: HouseholdContext, ids: Sequence[str], beside: Sequence[Ref[Any]]
) -> list[Any]:
    """Memberships, accounts and preferences, in this order, and then what stands beside them."""
    group_id = ctx.group_id
    return await ctx.store.batch_get(
        [
            *(HouseholdMembership.at(group_id=group_id, user_id=one) for one in ids),
            *(User.at(user_id=one) for one in ids),
            *(Preferences.at(group_id=group_id, user_id=one) for one in ids),
            *beside,
        ]
    )


async def _member_ids(store: Store, group_id: str) -> list[str]:
    memberships = await store.page(members_of_group(group_id=group_id))
    return [one.user_id for one in memberships.items]


async def list_in_household(store: Store, group_id: str) -> None:
    """Lets a household of an earlier version name its members; doing it again changes nothing."""
    group = await store.get(group_by_id(group_id=group_id))
    if group is None or listed_members(group) is not None:
        return
    ids = await _member_ids(store, group_id)
    if len(ids) != group.member_count:
        return  # a member comes or goes, and then it is looked at again; or it is for a check
    with suppress(ConditionFailed):  # a change meanwhile lets it be looked at again
        await store.write(update(group, member_ids=ids))


async def get_household(store: Store, group_id: str) -> HouseholdRoster | None:
    """Returns a household and everybody in it: three requests.

    Joining or leaving raises the group's version. It is read first, so a writer that then writes
    holding it knows that the members are still these.
    """
    group = await store.get(group_by_id(group_id=group_id))
    return None if group is None else HouseholdRoster(group, await list_members(store, group_id))


async def read_household(store: Store, group_id: str) -> HouseholdRoster:
    """Returns a household and everybody in it; refused where it is gone."""
    household = await get_household(store, group_id)
    if household is None:
        raise NotFound("This household was deleted.")
    return household


async def get_member(store: Store, group_id: str, member_id: str) -> User:
    """One member of a household, as stored now."""
    # It may come from an address, and a key takes only so much.
    fits = 0 < len(member_id) <= MAX_ID and member_id.isprintable()
    member = await store.get(user_by_id(user_id=member_id)) if fits else None
    if member is None or member.household_id != group_id:
        raise no_such_member()
    return member


def no_such_member() -> NotFound:
    """Returns the refusal where a person is not in the household, or no longer."""
    return NotFound("This member is not in the household.")


async def add_managed(
    ctx: HouseholdContext,
    *,
    display_name: str,
    avatar_key: str | None = None,
    ceiling: Ceiling = "PG",
) -> User:
    """Creates a managed member of the person's, right in the household."""
    _check_not_acting(ctx)
    member, made = managed_writes(
        ctx.now,
        ctx.person,
        display_name=display_name,
        avatar_key=avatar_key,
        ceiling=ceiling,
        household_id=ctx.group_id,
    )
    try:
        await ctx.store.write(
            _with_parent(ctx), *add_membership(ctx.now, ctx.group_id, member), *made
        )
    except ConditionFailed as failed:
        if failed.operation.entity_type is User:
            raise not_managed(failed) from None
        raise join_refusal(failed) from None
    return member


async def bring_along(ctx: HouseholdContext, member_id: str) -> None:
    """Brings a managed member of the person's, who is in no household yet, into theirs."""
    _check_not_acting(ctx)
    member = await managed_by(ctx.store, ctx.person, member_id)
    try:
        await ctx.store.write(
            _with_parent(ctx),
            set_household(member, ctx.group_id),
            *add_membership(ctx.now, ctx.group_id, member),
        )
    except ConditionFailed as failed:
        raise join_refusal(failed) from None


def set_household(user: User, group_id: str) -> Write:
    """That a person has a household now, if they have none yet: what holds the rule of one."""
    return update(user.ref, household_id=group_id, if_=absent("household_id"))


def add_membership(
    now: float, group_id: str, user: User, *, if_: Condition | None = None
) -> list[Write]:
    """That a household has a member more, if there is room, or as the condition says."""
    return [
        update(
            Household.at(group_id=group_id),
            member_count=add(1),
            member_ids=append(user.user_id),
            updated_at=iso(now),
            if_=if_ or below(member_count=MAX_MEMBERS),
        ),
        create(
            HouseholdMembership(
                group_id=group_id,
                user_id=user.user_id,
                member_type="managed" if user.is_managed else "independent",
                joined_at=iso(now),
            )
        ),
    ]


def join_refusal(failed: ConditionFailed) -> CommonroomError:
    """Returns why a person could not come into a household."""
    kind = failed.operation.entity_type
    if kind is User:
        if failed.item is None:
            return NotFound("This account was deleted.")
        return Conflict("You can only be in one household. Leave your current one first.")
    if kind is Household:
        if failed.item is None:
            return NotFound("This household was deleted.")
        return household_full()
    if failed.item is None:
        return NotFound("You are no longer in this household.")
    return retry.conflict()  # a membership of a deleted account is still being cleared


def household_full() -> Conflict:
    """Returns the refusal where there is no place left."""
    return Conflict(f"This household is full ({MAX_MEMBERS} members).")


def _check_not_acting(ctx: HouseholdContext) -> None:
    if ctx.is_acting:
        raise Forbidden("A managed member cannot add others. Switch back to your own profile.")


def _with_parent(ctx: HouseholdContext) -> Write:
    """Returns the check that the person is in the household when their managed member comes."""
    membership = HouseholdMembership.at(group_id=ctx.group_id, user_id=ctx.person.user_id)
    return check(membership, if_=stored)


async def change_managed(
    ctx: HouseholdContext,
    member_id: str,
    *,
    display_name: str | None = None,
    avatar_key: str | None = None,
    ceiling: Ceiling | None = None,
    if_: Condition | None = None,
) -> User:
    """Changes a managed member, for its parent or the creator; nothing where `if_` fails."""
    member = await get_member(ctx.store, ctx.group_id, member_id)
    changes = managed_changes(ctx.now, display_name, avatar_key, ceiling)
    here = equal(household_id=ctx.group_id)
    try:
        await ctx.store.write(
            guardian_check(ctx, member),
            update(member.ref, if_=here if if_ is None else here & if_, **changes),
        )
    except ConditionFailed as failed:
        if failed.index == 1 and failed.entity and failed.entity.household_id == ctx.group_id:
            raise  # the caller's own condition, which the caller can put into words
        raise change_refusal(failed) from None
    return await get_member(ctx.store, ctx.group_id, member_id)


def guardian_check(ctx: HouseholdContext, member: User) -> Write:
    """Returns the checks that a managed member's editor may: the parent, or still the creator."""
    if not looks_after(ctx.member_id, ctx.group.created_by, member):
        raise Forbidden(
            "Only the person who manages this member, or the household’s creator, can do that."
        )
    return touch_household(ctx, by_creator=ctx.member_id != member.parent_user_id)


def change_refusal(failed: ConditionFailed) -> CommonroomError:
    """Returns why a member could not be changed by a person who might have a moment ago."""
    if failed.operation.entity_type is not Household:
        return no_such_member()
    if failed.item is None:
        return NotFound("This household was deleted.")
    return Forbidden("You are no longer the creator of this household.")


async def leave(ctx: HouseholdContext) -> None:
    """Leaves the household, with one's managed members and what they all like.

    The longest-standing independent member becomes creator; where there is none, the household is
    deleted.
    """
    if ctx.is_acting:
        raise Forbidden("A managed member cannot leave on their own.")
    await remove_member(ctx, ctx.member_id)


@retry
async def remove_member(ctx: HouseholdContext, member_id: str) -> int:
    """Removes a member; returns how many invites ended. A managed profile stays with its parent.

    An invite is what people with a login came in by: all that are open end with the removal of one,
    in the same write, so that they stay out.
    """
    household = await read_household(ctx.store, ctx.group_id)
    member = next((one.user for one in household.members if one.user_id == member_id), None)
    if member is None:
        raise no_such_member()
    if not may_remove(ctx.member_id, household.group.created_by, member):
        raise Forbidden(
            "Only the household’s creator, or the person who manages this member, can do that."
        )
    ended: list[Write] = []
    if member_id != ctx.member_id and not member.is_managed:
        ended = await end_invites(ctx.store, ctx.now, ctx.group_id)
    await ctx.store.write(*departure_writes(ctx.now, household, [member_id]), *ended)
    return len(ended)


async def end_invites(store: Store, now: float, group_id: str) -> list[Write]:
    """Returns what ends all invites of a household that are open: two requests at once.

    One that is made meanwhile raises the household's version, which the writer must hold.
    Those of earlier versions have ids of their own; they were made long ago, so the index shows
    them.
    """
    ids = invite_ids(group_id)
    found, indexed = await store.gather(
        store.batch_get([Invite.at(invite_id=one) for one in ids]),
        store.page(invites_of_group(group_id=group_id), limit=MAX_ENDED_AT_ONCE),
    )
    other = [one for one in indexed.items if one.invite_id not in ids]
    return [
        update(
            one.ref,
            status="revoked",
            ended_at=iso(now),
            if_=as_read(one, "status", "invite_token"),
        )
        for one in (*found, *other)
        if one is not None and is_valid(one, now)
    ]


@retry
async def clear_deleted_members(store: Store, now: float, group_id: str) -> None:
    """Clears the memberships of deleted accounts; doing it again changes nothing."""
    household = await get_household(store, group_id)
    if household is not None and (writes := departure_writes(now, household, ())):
        await store.write(*writes)


def departure_writes(
    now: float, household: HouseholdRoster, leaving: Collection[str]
) -> list[Write]:
    """Returns what lets members go, all in one write that fails where others join or leave."""
    parted = plan_departure(household, leaving)
    if not parted.leaving:
        return []
    left = [write for member in parted.leaving for write in _without(member)]
    return [*_household(now, household, parted), *left]


def _household(now: float, household: HouseholdRoster, parted: Departure) -> list[Write]:
    """Returns the household without them, and with its next creator where that one goes."""
    group = household.group
    if parted.creator_id is None:
        return [delete(group, if_=equal(version=group.version))]
    stays = update(
        group,
        created_by=parted.creator_id,
        member_count=len(parted.staying),
        member_ids=[one.user_id for one in parted.staying],
        updated_at=iso(now),
    )
    if parted.creator_id == group.created_by:
        return [stays]
    next_creator = HouseholdMembership.at(group_id=group.group_id, user_id=parted.creator_id)
    return [
        stays,
        update(next_creator, role="creator"),
        check(User.at(user_id=parted.creator_id), if_=equal(household_id=group.group_id)),
    ]


def _without(member: RosterMember) -> list[Write]:
    """Returns the writes that end a membership and clear the account's household."""
    group_id, user_id = member.membership.group_id, member.user_id
    writes = [
        delete(member.membership),
        delete(Preferences.at(group_id=group_id, user_id=user_id)),
    ]
    if not member.is_gone:
        here = equal(household_id=group_id)
        writes.append(update(User.at(user_id=user_id), household_id=None, if_=here))
    return writes
