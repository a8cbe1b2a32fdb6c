"""Groups: made, joined with a code, and listed."""

from __future__ import annotations

import secrets
from typing import Any

from commonroom.accounts.context import Context
from commonroom.accounts.service.throttle import Limit, guessing
from commonroom.accounts.tables import User
from commonroom.errors import Conflict, Gone, NotFound, Unauthorized
from commonroom.hangouts.rules import groups as rules
from commonroom.hangouts.rules.ids import new_id
from commonroom.hangouts.service.access import open_group, retry
from commonroom.hangouts.tables import Group, InviteCode, Membership, Person, Role, groups_of_user
from commonroom.moments import iso
from commonroom.store import (
    Page,
    Ref,
    Write,
    absent,
    add,
    below,
    check,
    create,
    equal,
    update,
)

CODES_BY_PERSON = Limit("group-code-person", 20, 20 * 300, first_wait=15)


async def create_group(
    ctx: Context, *, name: str, is_public: bool = False, colour: str | None = None
) -> Group:
    """A new group with its maker as admin and first member: one read and one write."""
    fields: dict[str, Any] = {"group_name": rules.group_name(name), "colour": rules.colour(colour)}
    group = Group(
        **fields,
        group_id=new_id(),
        is_public=is_public,
        created_by=ctx.person.user_id,
        created_at=iso(ctx.now),
        updated_at=iso(ctx.now),
        member_count=1,
        admin_count=1,
    )

    async def attempt() -> Group:
        user, person = await _read_person(ctx)
        await ctx.store.write(create(group), *_join(ctx.now, group, user, person, "ADMIN"))
        return group

    return await retry(attempt)


async def my_groups(ctx: Context) -> list[Membership]:
    """A person's groups by name, as the index has them: one request."""
    page = await _memberships(ctx)
    return sorted(page.items, key=lambda one: (one.group_name.casefold(), one.group_id))


async def create_code(
    ctx: Context, group_id: str, *, expires_at: str | None = None, single_use: bool = False
) -> InviteCode:
    """A new code that lets people into a group: one read and one write."""
    access = await open_group(ctx, group_id)
    code = InviteCode(
        code="".join(secrets.choice(rules.CODE_SIGNS) for _ in range(rules.CODE_LENGTH)),
        group_id=group_id,
        created_by=ctx.person.user_id,
        created_at=iso(ctx.now),
        expires_at=expires_at,
        single_use=single_use,
    )
    await ctx.store.write(create(code), access.still_member)
    return code


async def join(ctx: Context, typed: str) -> Group:
    """Joins the group of a code; whoever is in it already stays so."""
    code = rules.read_code(typed)

    async def attempt() -> Group:
        async with guessing(
            ctx.store, ctx.now, (CODES_BY_PERSON, ctx.person.user_id), wrong=NotFound
        ):
            found = None if code is None else await ctx.store.get(InviteCode.at(code=code))
            if found is None:
                raise NotFound("No group has this code.")
        refs: list[Ref[Any]] = [
            Group.at(group_id=found.group_id),
            Membership.at(group_id=found.group_id, user_id=ctx.person.user_id),
        ]
        group, membership = await ctx.store.batch_get(refs)
        if not isinstance(group, Group):
            raise NotFound("No group has this code.")
        if membership is not None:
            return group
        check_code(found, ctx.now)
        if group.member_count >= rules.MOST_MEMBERS:
            raise Conflict(f"A group has at most {rules.MOST_MEMBERS} members.")
        user, person = await _read_person(ctx)
        room_left = below(member_count=rules.MOST_MEMBERS) & equal(group_name=group.group_name)
        await ctx.store.write(
            update(group.ref, member_count=add(1), if_=room_left),
            *_join(ctx.now, group, user, person),
            _use(found, ctx.now),
        )
        return group

    return await retry(attempt)


def check_code(code: InviteCode, now: float) -> None:
    """Refuses a code that lets nobody in any more."""
    if code.expires_at is not None and code.expires_at <= iso(now):
        raise Gone("This invite has expired. Ask for a new one.")
    if code.single_use and code.used_at is not None:
        raise Gone("This invite was already used. Ask for a new one.")


def _use(code: InviteCode, now: float) -> Write:
    """That a code still lets somebody in, and was used where it does so once."""
    if code.single_use:
        return update(code.ref, used_at=iso(now), if_=absent("used_at"))
    return check(code, if_=equal(group_id=code.group_id))


async def _memberships(ctx: Context) -> Page[Membership]:
    mine = groups_of_user(user_id=ctx.person.user_id)
    return await ctx.store.page(mine, limit=rules.MOST_GROUPS)


async def _read_person(ctx: Context) -> tuple[User, Person | None]:
    """Whoever asks, as they are stored, and what the room knows of them: one request."""
    me = ctx.person.user_id
    refs: list[Ref[Any]] = [User.at(user_id=me), Person.at(user_id=me)]
    user, person = await ctx.store.batch_get(refs)
    if user is None:
        raise Unauthorized("Please sign in, or send an API token.")
    if person is not None and person.group_count >= rules.MOST_GROUPS:
        raise Conflict(f"You can be in at most {rules.MOST_GROUPS} groups.")
    return user, person


def _join(
    now: float, group: Group, user: User, person: Person | None, role: Role = "MEMBER"
) -> list[Write]:
    """What makes somebody a member; both names are held, because they are copied."""
    membership = Membership(
        group_id=group.group_id,
        user_id=user.user_id,
        group_name=group.group_name,
        user_name=user.display_name,
        role=role,
        joined_at=iso(now),
    )
    counted = (
        create(Person(user_id=user.user_id, group_count=1))
        if person is None
        else update(person.ref, group_count=add(1), if_=below(group_count=rules.MOST_GROUPS))
    )
    same_name = check(user, if_=equal(display_name=user.display_name))
    return [create(membership), counted, same_name]
