"""Hangouts: floated or locked in, changed, cancelled, confirmed, and who is invited."""

from __future__ import annotations

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.hangouts.api import views
from commonroom.hangouts.api.bodies import (
    DirectInvitation,
    HangoutChange,
    NewHangout,
    changes,
    draft,
)
from commonroom.hangouts.request import Member, VisibleLinks
from commonroom.hangouts.service import detail, edits, hangouts, series
from commonroom.hangouts.service.guests import GuestLinks
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.etags import IfNoneMatch, tagged
from commonroom.http.operations import Operations
from commonroom.http.request import Request
from commonroom.http.responses import JsonResponse
from commonroom.joins.acquaintances import acquainted

ALL = "/hangouts"
ONE = f"{ALL}/{{hangout_id:str}}"
INVITATIONS = f"{ONE}/invitations"


api = Operations("Hangouts: hangouts", errors=(404, 409, 429))


async def show(
    ctx: Context, member: User, links: GuestLinks | None, hangout_id: str
) -> views.WholeHangout:
    """Returns a hangout with everything on it."""
    return views.whole(ctx.now, links, await detail.see_hangout(ctx, member, hangout_id))


@api.post(ALL, Need.NOT_ACTING, errors=(409, 429))
async def create_hangout(
    request: Request, member: Member, links: VisibleLinks, new: NewHangout
) -> JsonResponse[views.WholeHangout]:
    """Float a hangout, or lock it in.

    A floated one is a suggestion, and its maker is interested; one that is locked in is on, and its
    maker goes. Invited by their id are people with whom the maker shares a group, a household or a
    list.
    """
    ctx = request.context
    known = await acquainted(request, new.invited_user_ids)
    made = await hangouts.create_hangout(ctx, draft(new), acquainted=known)
    return tagged(await show(ctx, member, links, made.hangout_id), status=201)


@api.get(ONE, Need.SIGNED_IN, errors=(304, 404))
async def get_hangout(
    ctx: Ctx, member: Member, links: VisibleLinks, hangout_id: str, if_none_match: IfNoneMatch
) -> JsonResponse[views.WholeHangout]:
    """Get a hangout with everything on it."""
    return tagged(await show(ctx, member, links, hangout_id), unless=if_none_match)


@api.patch(ONE, Need.NOT_ACTING)
async def change_hangout(
    ctx: Ctx, member: Member, links: VisibleLinks, hangout_id: str, change: HangoutChange
) -> JsonResponse[views.WholeHangout]:
    """Change a hangout; any member of its groups may.

    What is left out stays as it is, null clears it. Where it was changed since, 409 says
    in `version` which one there is now.
    """
    edit = series.change_following if change.scope == "following" else edits.change_hangout
    await edit(ctx, hangout_id, changes(change), version=change.version)
    return tagged(await show(ctx, member, links, hangout_id))


@api.delete(ONE, Need.NOT_ACTING)
async def delete_hangout(ctx: Ctx, hangout_id: str) -> None:
    """Delete a hangout with everything on it; its maker and the admins of its groups may."""
    await hangouts.delete_hangout(ctx, hangout_id)


@api.post(f"{ONE}/cancel", Need.NOT_ACTING, status=200)
async def cancel_hangout(
    ctx: Ctx, member: Member, links: VisibleLinks, hangout_id: str
) -> JsonResponse[views.WholeHangout]:
    """Cancel a hangout, which stays visible; its maker and the admins of its groups may."""
    await hangouts.cancel(ctx, hangout_id)
    return tagged(await show(ctx, member, links, hangout_id))


@api.post(f"{ONE}/bring-back", Need.NOT_ACTING, status=200)
async def bring_hangout_back(
    ctx: Ctx, member: Member, links: VisibleLinks, hangout_id: str
) -> JsonResponse[views.WholeHangout]:
    """Bring a cancelled hangout back."""
    await hangouts.bring_back(ctx, hangout_id)
    return tagged(await show(ctx, member, links, hangout_id))


@api.post(f"{ONE}/confirm", Need.NOT_ACTING, status=200)
async def confirm_hangout(
    ctx: Ctx, member: Member, links: VisibleLinks, hangout_id: str
) -> JsonResponse[views.WholeHangout]:
    """Say that a hangout is on; any member of its groups may."""
    await hangouts.confirm(ctx, hangout_id)
    return tagged(await show(ctx, member, links, hangout_id))


@api.post(f"{ONE}/unconfirm", Need.NOT_ACTING, status=200)
async def unconfirm_hangout(
    ctx: Ctx, member: Member, links: VisibleLinks, hangout_id: str
) -> JsonResponse[views.WholeHangout]:
    """Take back that a hangout is on; from then on it is only confirmed by hand."""
    await hangouts.unconfirm(ctx, hangout_id)
    return tagged(await show(ctx, member, links, hangout_id))


@api.post(INVITATIONS, Need.NOT_ACTING, status=200)
async def invite_to_hangout(
    request: Request, member: Member, links: VisibleLinks, hangout_id: str, wanted: DirectInvitation
) -> JsonResponse[views.WholeHangout]:
    """Invite a person with an account directly.

    Addresses without an account can only be tried so often.
    """
    ctx = request.context
    await edits.invite(ctx, hangout_id, wanted.email, asked_from=request.client_address)
    return tagged(await show(ctx, member, links, hangout_id))


@api.delete(f"{INVITATIONS}/{{user_id:str}}", Need.NOT_ACTING)
async def uninvite_from_hangout(ctx: Ctx, hangout_id: str, user_id: str) -> None:
    """Take a direct invitation back; everybody can take their own back."""
    await edits.uninvite(ctx, hangout_id, user_id)
