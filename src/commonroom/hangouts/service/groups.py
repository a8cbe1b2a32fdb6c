"""Groups: made, listed, changed by their members, deleted by their admins."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from commonroom.accounts.context import Context
from commonroom.errors import Forbidden
from commonroom.hangouts.rules import groups as rules
from commonroom.hangouts.rules.fields import Cleaners, cleaned
from commonroom.hangouts.rules.hangouts import picture
from commonroom.hangouts.rules.ids import new_id
from commonroom.hangouts.service.access import open_group, retry
from commonroom.hangouts.service.edits import StaleVersion
from commonroom.hangouts.service.members import join_writes, read_person
from commonroom.hangouts.tables import FriendGroup, GroupMembership, groups_of_user
from commonroom.moments import iso
from commonroom.store import create, delete, stored, update

CLEANERS: Cleaners = {
    "group_name": rules.group_name,
    "colour": rules.colour,
    "picture": picture,
    "is_public": bool,
}


@retry
async def create_group(
    ctx: Context,
    *,
    name: str,
    is_public: bool = False,
    colour: str | None = None,
    picture: str | None = None,
) -> FriendGroup:
    """Creates a group with its maker as admin and first member: one read and one write."""
    fields = cleaned(CLEANERS, {"group_name": name, "colour": colour, "picture": picture})
    group = FriendGroup(
        **fields,
        group_id=new_id(),
        is_public=is_public,
        created_by=ctx.person.user_id,
        created_at=iso(ctx.now),
        updated_at=iso(ctx.now),
    )

    user, person = await read_person(ctx)
    await ctx.store.write(create(group), *join_writes(ctx.now, group, user, person, "ADMIN"))
    return replace(group, member_count=1, admin_count=1)


async def my_groups(ctx: Context) -> list[GroupMembership]:
    """Returns a person's groups by name, as the index has them: one request."""
    mine = groups_of_user(user_id=ctx.person.user_id)
    page = await ctx.store.page(mine, limit=rules.MAX_GROUPS)
    return sorted(page.items, key=lambda one: (one.group_name.casefold(), one.group_id))


@retry
async def change_group(
    ctx: Context, group_id: str, given: Mapping[str, Any], *, version: int
) -> FriendGroup:
    """Changes what is given and leaves the rest; None clears a look: one read and one write.

    Members change name and look, admins also whether it is public. A new name travels to the
    memberships by a consumer.
    """
    fields = cleaned(CLEANERS, given)

    access = await open_group(ctx, group_id)
    group = access.group
    if group.version != version:
        raise StaleVersion(
            "Somebody changed this group since you opened it.", version=group.version
        )
    changes = {name: value for name, value in fields.items() if value != getattr(group, name)}
    if "is_public" in changes and not access.is_admin:
        raise Forbidden("Only admins of the group can make it public or private.")
    if not changes:
        return group
    held = access.still_admin if "is_public" in changes else access.still_member
    await ctx.store.write(update(group, **changes, updated_at=iso(ctx.now)), held)
    return (await open_group(ctx, group_id)).group


@retry
async def delete_group(ctx: Context, group_id: str) -> None:
    """Deletes a group; members, hangouts, ideas and places are cleared up after that."""
    access = (await open_group(ctx, group_id)).for_admin()
    await ctx.store.write(delete(access.group, if_=stored), access.still_admin)
