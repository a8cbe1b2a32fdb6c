"""Invites: links that a household's creator passes on, and what their holders see and do."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.authentication import Caller
from commonroom.http.forms import EMPTY, FormState, Pages
from commonroom.http.render import render, render_secret
from commonroom.http.request import Request
from commonroom.http.responses import Response
from commonroom.http.sharing import shared
from commonroom.http.words import _
from commonroom.movienight.pages.households import HERE as HOUSEHOLD
from commonroom.movienight.pages.households import ROOM
from commonroom.movienight.request import OwnContext
from commonroom.movienight.rules.households import MAX_MEMBERS
from commonroom.movienight.service import invites
from commonroom.movienight.service.household_context import HouseholdContext
from commonroom.movienight.service.invites import NewInvite
from commonroom.movienight.service.members import get_member
from commonroom.movienight.tables import Household

HERE = f"{HOUSEHOLD}/invites"
TEMPLATE = "movienight/household_invites.html"
JOIN = "/join/{token:str}"

Standing: TypeAlias = Literal["guest", "acting", "here", "elsewhere", "free"]
"""How the caller stands to the household of a link."""


pages = Pages()


@pages.page(HERE, Need.WRITER)
async def invites_page(request: Request, ctx: OwnContext, form: FormState = EMPTY) -> Response[Any]:
    """The links that work, those that ended within a day, and the button for another.

    For others, it says who can invite.
    """
    return render(request, TEMPLATE, form=form, **await _context(request, ctx))


@pages.form(HERE, Need.NOT_ACTING, on=invites_page)
async def create_invite(request: Request, ctx: OwnContext) -> Response[Any]:
    """Makes a link, and shows it this once."""
    made = await invites.create_invite(ctx)
    return render_secret(request, TEMPLATE, form=EMPTY, **await _context(request, ctx, made))


@pages.form(
    f"{HERE}/{{invite_id:str}}/revoke", Need.NOT_ACTING, leads_to=HERE, flash="invite-revoked"
)
async def revoke_invite(ctx: OwnContext, invite_id: str) -> None:
    """Ends a link."""
    await invites.revoke_invite(ctx, invite_id)


@pages.page(JOIN, Need.ANYONE)
async def join_page(request: Request, token: str, form: FormState = EMPTY) -> Response[Any]:
    """The name and size of the household that a link is for, and what to do."""
    group = await invites.get_invited_household(request.store, request.now, token)
    return render(
        request,
        "movienight/join.html",
        preview=invites.preview_of(group),
        standing=_standing(request.caller, group),
        token=token,
        mode=request.settings.sign_up,
        form=form,
    )


@pages.form(JOIN, Need.NOT_ACTING, on=join_page, leads_to=ROOM, flash="household-joined")
async def join(ctx: Ctx, token: str) -> None:
    """Joins the household."""
    await invites.join(ctx, token)


async def _context(
    request: Request, ctx: HouseholdContext, made: NewInvite | None = None
) -> dict[str, Any]:
    creator, listed = ctx.member, []
    if ctx.is_creator:
        listed = await invites.list_invites(ctx)
    else:
        creator = await get_member(ctx.store, ctx.group_id, ctx.group.created_by)
    title = _("Join %(household)s") % {"household": ctx.group.name}
    # An index may still show the invite that was in the place of the one just made.
    others = [one for one in listed if made is None or one.invite_id != made.invite.invite_id]
    return {
        "ctx": ctx,
        "creator": creator,
        "links": [one for one in others if one.status == "pending"],
        "ended": sorted(
            (one for one in others if one.status != "pending"),
            key=lambda one: one.ended_at or "",
            reverse=True,
        ),
        "was_filled": any(one.status == "accepted" for one in others),
        "made": made,
        "shared": None
        if made is None
        else shared(request, f"/join/{made.token}", title, is_shown_once=True),
        "is_full": ctx.group.member_count >= MAX_MEMBERS,
        "most": MAX_MEMBERS,
    }


def _standing(caller: Caller, group: Household) -> Standing:
    if caller.account is None:
        return "guest"
    if caller.account.household_id == group.group_id:
        return "here"
    if caller.acting_as is not None:
        return "acting"
    return "free" if caller.account.household_id is None else "elsewhere"
