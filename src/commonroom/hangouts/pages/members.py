"""Members of a group in a browser: who is in it, and for admins what to do with them."""

from __future__ import annotations

from typing import Any

from commonroom.hangouts import addresses
from commonroom.hangouts.pages.cards import render_page
from commonroom.hangouts.pages.people import WhoForm
from commonroom.hangouts.service import members
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.forms import EMPTY, FormState, Pages
from commonroom.http.redirects import redirect
from commonroom.http.request import Request
from commonroom.http.responses import Response

pages = Pages()


@pages.page(addresses.MEMBERS, Need.SIGNED_IN)
async def members_page(request: Request, group_id: str, form: FormState = EMPTY) -> Response[Any]:
    """Everybody in a group: two requests."""
    access, found = await members.see_members(request.context, group_id)
    return render_page(
        request,
        "members.html",
        group=access.group,
        members=found,
        is_admin=access.is_admin and request.caller.acting_as is None,
        me=request.person.user_id,
        form=form,
    )


@pages.form(f"{addresses.MEMBERS}/promote", Need.NOT_ACTING, on=members_page, flash="group-admin")
async def promote(ctx: Ctx, group_id: str, data: WhoForm) -> None:
    """Makes a member an admin."""
    await members.set_role(ctx, group_id, data.who, "ADMIN")


@pages.form(f"{addresses.MEMBERS}/demote", Need.NOT_ACTING, on=members_page, flash="group-no-admin")
async def demote(ctx: Ctx, group_id: str, data: WhoForm) -> None:
    """Makes an admin a member like others."""
    await members.set_role(ctx, group_id, data.who, "MEMBER")


@pages.form(f"{addresses.MEMBERS}/remove", Need.NOT_ACTING, on=members_page)
async def remove(ctx: Ctx, group_id: str, data: WhoForm) -> Response[Any]:
    """Removes a member from the group."""
    links_ended = await members.remove_member(ctx, group_id, data.who)
    if data.who == ctx.person.user_id:
        return redirect(addresses.ROOM, "group-left")
    flash = "group-member-and-links-removed" if links_ended else "group-member-removed"
    return redirect(f"{addresses.group(group_id)}/members", flash)


@pages.form(
    f"{addresses.GROUP}/leave",
    Need.NOT_ACTING,
    on=members_page,
    leads_to=addresses.ROOM,
    flash="group-left",
)
async def leave(ctx: Ctx, group_id: str) -> None:
    """Leaves the group."""
    await members.leave_group(ctx, group_id)
