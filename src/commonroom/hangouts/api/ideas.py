"""Ideas of a group: lists, who is interested, and a hangout out of one."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import msgspec
from msgspec import UNSET, Struct, UnsetType

from commonroom.accounts.api.views import Moment
from commonroom.hangouts import addresses, tables
from commonroom.hangouts.api import hangouts
from commonroom.hangouts.api.groups import GroupName
from commonroom.hangouts.request import IdeaRef
from commonroom.hangouts.rules.fields import Link, Title, characters
from commonroom.hangouts.rules.ideas import MAX_NOTE
from commonroom.hangouts.service import ideas
from commonroom.hangouts.tables import Category
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.bodies import Body, sent_fields
from commonroom.http.operations import Operations
from commonroom.http.paging import PagedList
from commonroom.http.projections import projection
from commonroom.http.responses import JsonResponse

LISTS = f"{addresses.GROUP}/idea-lists"
LIST = f"{LISTS}/{{list_id:str}}"
IDEAS = f"{LIST}/ideas"
IDEA = f"{IDEAS}/{{idea_id:str}}"

IdeaNote: TypeAlias = Annotated[str, characters(MAX_NOTE, most=5000)]


api = Operations("Hangouts: ideas", errors=(404, 409, 429))


class NewIdeaList(Body):
    """A list of ideas to be."""

    name: GroupName
    category: Category = "other"
    note: IdeaNote | None = None


class IdeaListChange(Body):
    """Changes of a list of ideas; what is left out stays as it is."""

    name: GroupName | UnsetType = UNSET
    category: Category | UnsetType = UNSET
    note: IdeaNote | UnsetType | None = UNSET


class NewIdea(Body):
    """An idea to be."""

    name: Title
    note: IdeaNote | None = None
    url: Link | None = None


class IdeaChange(Body):
    """Changes of an idea; what is left out stays as it is, null clears it."""

    name: Title | UnsetType = UNSET
    note: IdeaNote | UnsetType | None = UNSET
    url: Link | UnsetType | None = UNSET


class GroupIdea(Struct, frozen=True):
    """Something that a group might do."""

    idea_id: str
    name: str
    note: str | None
    url: str | None
    interested_user_ids: list[str]
    is_interested: bool
    """Whether the caller is."""
    hangout_id: str | None
    """What became of it."""
    created_at: Moment


class GroupIdeaList(Struct, frozen=True):
    """A list of ideas, those that most are interested in first."""

    list_id: str
    name: str
    category: Category
    note: str | None
    ideas: list[GroupIdea]


idea_view = projection(
    tables.Idea,
    GroupIdea,
    str,
    interested_user_ids=lambda one: list(one.interested),
    is_interested=lambda one, me: me in one.interested,
)


list_view = projection(
    tables.IdeaList,
    GroupIdeaList,
    list[GroupIdea],
    ideas=lambda _, held: held,
)


@api.get(LISTS, Need.SIGNED_IN, errors=(404,))
async def list_group_ideas(ctx: Ctx, group_id: str) -> PagedList[GroupIdeaList]:
    """List a group’s lists of ideas by name, with all their ideas."""
    found = await ideas.see_ideas(ctx, group_id)
    me = ctx.person.user_id
    lists = [
        list_view(one.ideas_list, [idea_view(it, me) for it in one.ideas]) for one in found.lists
    ]
    return PagedList(lists, None)


@api.post(LISTS, Need.NOT_ACTING)
async def add_idea_list(ctx: Ctx, group_id: str, new: NewIdeaList) -> GroupIdeaList:
    """Start a list of ideas; any member may."""
    made = await ideas.add_list(ctx, group_id, msgspec.structs.asdict(new))
    return list_view(made, [])


@api.patch(LIST, Need.NOT_ACTING)
async def change_idea_list(ctx: Ctx, group_id: str, list_id: str, change: IdeaListChange) -> None:
    """Change a list of ideas; any member may."""
    await ideas.change_list(ctx, group_id, list_id, sent_fields(change))


@api.delete(LIST, Need.NOT_ACTING)
async def remove_idea_list(ctx: Ctx, group_id: str, list_id: str) -> None:
    """Delete a list with its ideas; the person who started it and the group’s admins may."""
    await ideas.remove_list(ctx, group_id, list_id)


@api.post(IDEAS, Need.NOT_ACTING)
async def add_idea(ctx: Ctx, group_id: str, list_id: str, new: NewIdea) -> GroupIdea:
    """Add an idea, in which the caller is interested."""
    made = await ideas.add_idea(ctx, group_id, list_id, msgspec.structs.asdict(new))
    return idea_view(made, ctx.person.user_id)


@api.patch(IDEA, Need.NOT_ACTING)
async def change_idea(ctx: Ctx, idea: IdeaRef, change: IdeaChange) -> GroupIdea:
    """Change an idea; any member may."""
    changed = await ideas.change_idea(ctx, idea, sent_fields(change))
    return idea_view(changed, ctx.person.user_id)


@api.delete(IDEA, Need.NOT_ACTING)
async def remove_idea(ctx: Ctx, idea: IdeaRef) -> None:
    """Delete an idea; the person who added it and the group’s admins may."""
    await ideas.remove_idea(ctx, idea)


@api.put(f"{IDEA}/interest", Need.NOT_ACTING)
async def add_interest(ctx: Ctx, idea: IdeaRef) -> GroupIdea:
    """Say that one would do this."""
    changed = await ideas.set_interest(ctx, idea, is_interested=True)
    return idea_view(changed, ctx.person.user_id)


@api.delete(f"{IDEA}/interest", Need.NOT_ACTING)
async def remove_interest(ctx: Ctx, idea: IdeaRef) -> None:
    """Take back that one would do this."""
    await ideas.set_interest(ctx, idea, is_interested=False)


@api.post(f"{IDEA}/hangout", Need.NOT_ACTING)
async def plan_idea(reader: hangouts.Reader, idea: IdeaRef) -> JsonResponse[hangouts.WholeHangout]:
    """Float a hangout with the words of an idea, which says from then on what became of it."""
    made = await ideas.plan_idea(reader.ctx, idea)
    return await reader.show(made.hangout_id, status=201)
