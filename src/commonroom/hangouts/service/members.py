"""Members: who is in a group and as what, and how they leave it."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.errors import Conflict, Unauthorized
from commonroom.hangouts.rules import groups as rules
from commonroom.hangouts.service.access import GroupAccess, open_group, open_in_group, ref_of, retry
from commonroom.hangouts.service.ended_links import notice_writes
from commonroom.hangouts.tables import (
    FriendGroup,
    GroupMembership,
    HangoutPerson,
    InviteCode,
    Role,
    members,
)
from commonroom.moments import iso
from commonroom.store import (
    Ref,
    Store,
    Write,
    above,
    add,
    amend,
    as_read,
    below,
    check,
    create,
    delete,
    discard,
    equal,
    insert,
    merge,
    remove,
    stored,
    update,
)


async def see_members(ctx: Context, group_id: str) -> tuple[GroupAccess, list[GroupMembership]]:
    """Returns a group with all its members, those who joined first coming first: two requests."""
    access = await open_group(ctx, group_id)
    page = await ctx.store.page(members(group_id=group_id), limit=rules.MAX_MEMBERS)
    return access, sorted(page.items, key=lambda one: (one.joined_at, one.user_id))


@retry
async def set_role(ctx: Context, group_id: str, user_id: str, role: Role) -> GroupMembership:
    """Makes a person an admin, or a member like others; one admin is left."""
    ref = ref_of(GroupMembership, group_id=group_id, user_id=user_id)
    access, theirs = await open_in_group(ctx, ref)
    access.for_admin()
    if theirs.role == role:
        return theirs
    held = [] if user_id == ctx.person.user_id else [access.still_admin]
    if role != "ADMIN":
        if access.group.admin_count <= 1:
            raise Conflict("A group needs an admin. Make somebody else one first.")
        held.append(check(access.group, if_=above(admin_count=1)))
    await ctx.store.write(*amend(theirs, role=role), *held)
    return replace(theirs, role=role)


async def remove_member(ctx: Context, group_id: str, user_id: str) -> bool:
    """Removes a member, which ends the group's codes: they may know one. Oneself: leaves.

    Returns whether a code ended; others who made one are notified.
    """
    if user_id == ctx.person.user_id:
        await leave_group(ctx, group_id)
        return False

    ref = ref_of(GroupMembership, group_id=group_id, user_id=user_id)

    @retry
    async def attempt() -> bool:
        access, theirs = await open_in_group(ctx, ref)
        access.for_admin()
        codes = await codes_of(ctx.store, access.group)
        good = [one for one in codes if rules.is_good(one, ctx.now)]
        makers = (one.created_by for one in good)
        await ctx.store.write(
            *await departure_writes(ctx.store, access.group, theirs, ends_codes=True),
            *notice_writes(ctx.now, makers, ctx.person.user_id, group_id=group_id),
            access.still_admin,
        )
        return bool(good)

    return await attempt()


@retry
async def leave_group(ctx: Context, group_id: str) -> None:
    """Leaves a group; the last one to leave deletes it."""
    access = await open_group(ctx, group_id)
    await ctx.store.write(*await departure_writes(ctx.store, access.group, access.membership))


@retry
async def end_membership(store: Store, group_id: str, user_id: str) -> None:
    """Takes a person who is gone out of a group, also out of one that is being deleted."""
    refs: list[Ref[Any]] = [
        FriendGroup.at(group_id=group_id),
        GroupMembership.at(group_id=group_id, user_id=user_id),
    ]
    group, theirs = await store.batch_get(refs)
    if theirs is None:
        return
    if group is None:
        await store.write(*await ended_writes(store, theirs, delete(theirs, if_=stored)))
    else:
        await store.write(*await departure_writes(store, group, theirs))


async def departure_writes(
    store: Store, group: FriendGroup, theirs: GroupMembership, *, ends_codes: bool = False
) -> list[Write]:
    """Returns the writes that end a membership; the group keeps an admin, or goes with its last."""
    left = await ended_writes(store, theirs, *remove(theirs))
    if group.member_count <= 1:
        return [delete(group, if_=equal(member_count=group.member_count)), *left]
    held = above(member_count=1)
    if theirs.role == "ADMIN" and group.admin_count > 1:
        held = held & above(admin_count=1)
    elif theirs.role == "ADMIN":
        # That nobody came or went meanwhile: then the group has the admin who was chosen.
        held = equal(member_count=group.member_count, admin_count=group.admin_count) & held
        inside = [one async for one in store.all(members(group_id=group.group_id))]
        heir = rules.successor(inside, theirs.user_id)
        if heir is not None:
            left += amend(heir, role="ADMIN")
    if not ends_codes:
        return [check(group, if_=held), *left]
    held = held & as_read(group, "invite_codes")
    left += [delete(InviteCode.at(code=one)) for one in group.invite_codes]
    return [update(group.ref, invite_codes=[], if_=held), *left]


async def ended_writes(store: Store, theirs: GroupMembership, *ended: Write) -> list[Write]:
    """Returns what ends a membership, and that it counts for its person: one request."""
    writes = [*ended]
    person = await store.get(HangoutPerson.at(user_id=theirs.user_id))
    if person is not None and theirs.group_id in person.groups:
        fewer = {"group_count": add(-1), "groups": discard(theirs.group_id)}
        writes.append(update(person.ref, **fewer, if_=above(group_count=0)))
    return writes


async def codes_of(store: Store, group: FriendGroup) -> list[InviteCode]:
    """Returns the invite codes of a group: one request, or none."""
    refs = [InviteCode.at(code=one) for one in group.invite_codes]
    return [one for one in await store.batch_get(refs) if one is not None]


async def read_person(ctx: Context) -> tuple[User, HangoutPerson | None]:
    """Returns the caller as stored, and what the room knows of them: one request."""
    me = ctx.person.user_id
    refs: list[Ref[Any]] = [User.at(user_id=me), HangoutPerson.at(user_id=me)]
    user, person = await ctx.store.batch_get(refs)
    if user is None:
        raise Unauthorized("Please sign in, or send an API token.")
    if person is not None and person.group_count >= rules.MAX_GROUPS:
        raise Conflict(f"You can be in at most {rules.MAX_GROUPS} groups.")
    return user, person


def join_writes(
    now: float, group: FriendGroup, user: User, person: HangoutPerson | None, role: Role = "MEMBER"
) -> list[Write]:
    """Returns the writes of a new membership; both names are held, because they are copied."""
    membership = GroupMembership(
        group_id=group.group_id,
        user_id=user.user_id,
        group_name=group.group_name,
        user_name=user.display_name,
        role=role,
        joined_at=iso(now),
    )
    mine = {group.group_id: membership.joined_at}
    counted = (
        create(
            HangoutPerson(
                user_id=user.user_id, user_name=user.display_name, group_count=1, groups=mine
            )
        )
        if person is None
        else update(
            person.ref,
            group_count=add(1),
            groups=merge(mine),
            user_name=user.display_name,
            if_=below(group_count=rules.MAX_GROUPS),
        )
    )
    same_name = check(user, if_=equal(display_name=user.display_name))
    return [*insert(membership, on=[group]), counted, same_name]
