"""Blocking: whom a person wants to hear nothing of."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from commonroom.accounts.context import Context
from commonroom.accounts.errors import UnknownPerson
from commonroom.accounts.service import blocks
from commonroom.accounts.tables import user_by_id
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.operations import Operations
from commonroom.http.request import Request
from commonroom.joins.acquaintances import acquainted
from commonroom.moments import Moment

HERE = "/me/blocked"


api = Operations("My account")


class Blocked(Struct, frozen=True):
    """A person whom the caller has blocked."""

    person: Annotated[str, Meta(description="A handle; not their `user_id`.")]
    name: Annotated[str, Meta(description="As one knew them.")]
    since: Moment


class BlockedPeople(Struct, frozen=True):
    """All whom one has blocked, the latest first."""

    items: list[Blocked]


class PersonToBlock(Struct, frozen=True, forbid_unknown_fields=True):
    """Whom to block."""

    person: Annotated[
        str,
        Meta(
            max_length=1000,
            description="An `author_handle`, or the `user_id` of a person with whom one shares a "
            "group, a household or a list.",
        ),
    ]


@api.get(HERE, Need.NOT_ACTING)
async def get_blocked_people(ctx: Ctx) -> BlockedPeople:
    """Get whom one has blocked."""
    found = await blocks.list_blocked(ctx.store, ctx.person)
    return BlockedPeople([_blocked(ctx, one.blocked_id, one.name, one.made_at) for one in found])


@api.post(HERE, Need.NOT_ACTING, errors=(404, 409), status=200)
async def block_person(request: Request, wanted: PersonToBlock) -> Blocked:
    """Block a person, in all rooms; they are not told.

    Nothing they do is told to the caller, what they say is not shown to them, and they can neither
    invite them, share anything with them nor lend them something.
    """
    ctx, user_id = request.context, wanted.person
    if user_id in await acquainted(request, [user_id]):
        found = await ctx.store.get(user_by_id(user_id=user_id))
        if found is None:
            raise UnknownPerson
        name = found.display_name
    else:
        user_id, name = blocks.open_handle(ctx.store, wanted.person)
    since = await blocks.block(ctx, user_id, name)
    return _blocked(ctx, user_id, name, since)


@api.delete(f"{HERE}/{{person:str}}", Need.NOT_ACTING, errors=(404,))
async def unblock_person(ctx: Ctx, person: str) -> None:
    """Unblock a person, by their handle in the list of blocked people."""
    user_id, _ = blocks.open_handle(ctx.store, person)
    await blocks.unblock(ctx, user_id)


def _blocked(ctx: Context, user_id: str, name: str, since: str) -> Blocked:
    return Blocked(blocks.person_handle(ctx.store, user_id, name), name, since)
