"""Invite codes: made, listed, ended, looked at without an account, and used to join."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from commonroom.accounts.api.views import Moment
from commonroom.hangouts import addresses, tables
from commonroom.hangouts.api.groups import FriendGroupView, group_view
from commonroom.hangouts.rules import fields
from commonroom.hangouts.service import invite_codes
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.bodies import Body
from commonroom.http.operations import Operations
from commonroom.http.paging import PagedList
from commonroom.http.projections import projection
from commonroom.http.request import Request

CODES = f"{addresses.GROUP}/codes"


api = Operations("Hangouts: invite codes", errors=(404, 409, 429))


class NewCode(Body):
    """A code to be."""

    expires_at: Annotated[
        fields.Moment | None, Meta(description="Null: it works until it is ended.")
    ] = None
    single_use: bool = False


class CodeGiven(Body):
    """An invite code of a group."""

    code: Annotated[str, Meta(max_length=100, description="In any case, with or without dashes.")]


class Code(Struct, frozen=True):
    """A code that lets people into a group."""

    code: str
    group_id: str
    expires_at: Moment | None
    single_use: bool


class CodePreview(Struct, frozen=True):
    """The group of a code; of a private one, only that it is private."""

    is_public: bool
    group_name: str | None
    member_count: int | None
    is_full: bool


code_view = projection(tables.InviteCode, Code)
preview_view = projection(invite_codes.GroupPreview, CodePreview)


@api.get(CODES, Need.WRITER, errors=(404,))
async def list_group_codes(ctx: Ctx, group_id: str) -> PagedList[Code]:
    """List the codes that let people into a group, newest first."""
    _, found = await invite_codes.see_codes(ctx, group_id)
    return PagedList([code_view(one) for one in found], None)


@api.post(CODES, Need.NOT_ACTING)
async def create_group_code(ctx: Ctx, group_id: str, new: NewCode) -> Code:
    """Create a code that lets people into a group; any member may."""
    made = await invite_codes.create_code(
        ctx, group_id, expires_at=new.expires_at, single_use=new.single_use
    )
    return code_view(made)


@api.delete(f"{CODES}/{{code:str}}", Need.NOT_ACTING)
async def revoke_group_code(ctx: Ctx, group_id: str, code: str) -> None:
    """End a code; the person who made it and the group’s admins may."""
    await invite_codes.revoke_code(ctx, group_id, code)


@api.get("/group-codes/{code:str}", Need.ANYONE, errors=(404, 410, 429))
async def preview_group_code(request: Request, code: str) -> CodePreview:
    """Look at the group of a code, without an account.

    Wrong codes can only be tried so often.
    """
    found = await invite_codes.preview(
        request.store, request.now, code, asked_from=request.client_address
    )
    return preview_view(found)


@api.post(f"{addresses.GROUPS}/join", Need.NOT_ACTING, errors=(404, 409, 410, 429), status=200)
async def join_group(ctx: Ctx, given: CodeGiven) -> FriendGroupView:
    """Join a group with a code; a member stays one."""
    return group_view(await invite_codes.join(ctx, given.code))
