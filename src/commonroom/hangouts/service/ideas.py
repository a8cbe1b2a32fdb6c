"""Ideas of a group: lists of them, who is interested, and what becomes of one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from commonroom.accounts.context import Context
from commonroom.errors import Conflict
from commonroom.hangouts.rules import ideas as rules
from commonroom.hangouts.rules.fields import cleaned
from commonroom.hangouts.rules.groups import MAX_MEMBERS
from commonroom.hangouts.rules.ids import new_id
from commonroom.hangouts.service.access import (
    GroupAccess,
    no_such,
    open_group,
    open_in_group,
    ref_of,
    retry,
)
from commonroom.hangouts.service.fields import HangoutDraft
from commonroom.hangouts.service.hangouts import create_hangout
from commonroom.hangouts.tables import FriendGroup, Hangout, Idea, IdeaList, ideas, members
from commonroom.ids import is_id
from commonroom.moments import iso
from commonroom.store import (
    ConditionFailed,
    Ref,
    Store,
    Write,
    add,
    as_read,
    below,
    discard,
    equal,
    insert,
    merge,
    remove,
    stored,
    update,
)

NOT_THEIRS = "Only admins, and whoever added it, can delete this."


class ListedIdeas(Struct, frozen=True):
    """A list with its ideas, those that most are interested in first."""

    ideas_list: IdeaList
    ideas: list[Idea]


class GroupIdeas(Struct, frozen=True):
    """All lists of a group by name."""

    access: GroupAccess
    lists: list[ListedIdeas]
    names: Mapping[str, str]
    """Those of the group's members, by id."""


async def see_ideas(ctx: Context, group_id: str) -> GroupIdeas:
    """Returns all ideas of a group, for a member: three requests."""
    if not is_id(group_id):
        raise no_such(FriendGroup)
    access, found, everybody = await ctx.store.gather(
        open_group(ctx, group_id),
        ctx.store.page(ideas(group_id=group_id), limit=rules.MAX_IDEAS + rules.MAX_LISTS),
        ctx.store.page(members(group_id=group_id), limit=MAX_MEMBERS),
    )
    lists = [one for one in found.items if isinstance(one, IdeaList)]
    held = [one for one in found.items if isinstance(one, Idea)]
    by_name = sorted(lists, key=lambda one: (one.name.casefold(), one.list_id))
    return GroupIdeas(
        access,
        [
            ListedIdeas(one, rules.by_interest(it for it in held if it.list_id == one.list_id))
            for one in by_name
        ],
        {one.user_id: one.user_name or "" for one in everybody.items},
    )


@retry
async def add_list(ctx: Context, group_id: str, given: Mapping[str, Any]) -> IdeaList:
    """Creates a list of ideas: one read and one write."""
    made = IdeaList(
        **cleaned(rules.OF_LIST, given),
        group_id=group_id,
        list_id=new_id(),
        created_by=ctx.person.user_id,
        created_at=iso(ctx.now),
    )

    access = await open_group(ctx, group_id)
    await ctx.store.write(*insert(made, on=[access.group]), access.still_member)
    return made


@retry
async def change_list(
    ctx: Context, group_id: str, list_id: str, given: Mapping[str, Any]
) -> IdeaList:
    """Changes what is given of a list; any member may."""
    fields = cleaned(rules.OF_LIST, given)

    access, found = await _open_list(ctx, group_id, list_id)
    if fields:
        await ctx.store.write(update(found, **fields), access.still_member)
    return replace(found, **fields)


@retry
async def remove_list(ctx: Context, group_id: str, list_id: str) -> None:
    """Deletes a list; its ideas are cleared up after that."""
    access, found = await _open_list(ctx, group_id, list_id)
    held = access.still_may(found.created_by, NOT_THEIRS)
    await ctx.store.write(
        *remove(found, if_=as_read(found, "idea_count")),
        update(access.group.ref, idea_count=add(-found.idea_count), if_=stored),
        held,
    )


@retry
async def add_idea(ctx: Context, group_id: str, list_id: str, given: Mapping[str, Any]) -> Idea:
    """Adds an idea in which its author is interested: one read and one write."""
    me, now = ctx.person.user_id, iso(ctx.now)
    made = Idea(
        **cleaned(rules.OF_IDEA, given),
        group_id=group_id,
        list_id=list_id,
        idea_id=new_id(),
        created_by=me,
        created_at=now,
        interested={me: now},
    )

    access, _ = await _open_list(ctx, group_id, list_id)
    if access.group.idea_count >= rules.MAX_IDEAS:
        raise Conflict(f"A group has at most {rules.MAX_IDEAS} ideas. Delete some first.")
    room_left = below(idea_count=rules.MAX_IDEAS)
    await ctx.store.write(
        *insert(made),
        update(access.group.ref, idea_count=add(1), if_=room_left),
        access.still_member,
    )
    return made


@retry
async def change_idea(ctx: Context, ref: Ref[Idea], given: Mapping[str, Any]) -> Idea:
    """Changes what is given of an idea; any member may."""
    fields = cleaned(rules.OF_IDEA, given)

    access, found = await open_in_group(ctx, ref)
    if fields:
        changed = update(found.ref, **fields, if_=stored)
        await ctx.store.write(changed, access.still_member)
    return replace(found, **fields)


@retry
async def remove_idea(ctx: Context, ref: Ref[Idea]) -> None:
    """Deletes an idea; its author and the group's admins may."""
    access, found = await open_in_group(ctx, ref)
    held = access.still_may(found.created_by, NOT_THEIRS)
    await ctx.store.write(
        *remove(found),
        update(access.group.ref, idea_count=add(-1), if_=stored),
        held,
    )


@retry
async def set_interest(ctx: Context, ref: Ref[Idea], *, is_interested: bool) -> Idea:
    """Says that one would do this, or no longer: one read and one write."""
    me, now = ctx.person.user_id, iso(ctx.now)

    access, found = await open_in_group(ctx, ref)
    if (me in found.interested) == is_interested:
        return found
    others = {one: since for one, since in found.interested.items() if one != me}
    change = merge({me: now}) if is_interested else discard(me)
    await ctx.store.write(update(found.ref, interested=change, if_=stored), access.still_member)
    return replace(found, interested={**others, me: now} if is_interested else others)


async def plan_idea(ctx: Context, ref: Ref[Idea], draft: HangoutDraft | None = None) -> Hangout:
    """Makes a hangout of an idea, which says so from then on; floats it where no more is given."""
    _, found = await open_in_group(ctx, ref)

    def planned(hangout_id: str) -> Sequence[Write]:
        return [update(found.ref, hangout_id=hangout_id, if_=stored)]

    return await create_hangout(ctx, draft or idea_draft(found), beside=planned)


def idea_draft(idea: Idea) -> HangoutDraft:
    """Returns a hangout with the words of an idea."""
    return HangoutDraft(
        title=idea.name, description=idea.note, link=idea.url, group_ids=[idea.group_id]
    )


async def forget_hangout(store: Store, gone: Hangout) -> None:
    """Takes a hangout that was deleted off the ideas that became it."""
    for group_id in gone.group_ids:
        async for one in store.all(ideas(group_id=group_id)):
            if isinstance(one, Idea) and one.hangout_id == gone.hangout_id:
                try:
                    same = equal(hangout_id=gone.hangout_id)
                    await store.write(update(one.ref, hangout_id=None, if_=same))
                except ConditionFailed:
                    continue  # it is gone, or became something else


async def _open_list(ctx: Context, group_id: str, list_id: str) -> tuple[GroupAccess, IdeaList]:
    return await open_in_group(ctx, ref_of(IdeaList, group_id=group_id, list_id=list_id))
