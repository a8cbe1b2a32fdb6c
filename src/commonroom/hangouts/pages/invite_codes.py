"""Invite codes in a browser: the link to pass on, and what its holders see and do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

from commonroom.errors import NotFound
from commonroom.hangouts import addresses
from commonroom.hangouts.pages.cards import render_page
from commonroom.hangouts.service import invite_codes
from commonroom.hangouts.service.access import open_group
from commonroom.hangouts.tables import InviteCode
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.forms import EMPTY, Form, FormState, Line, Pages
from commonroom.http.redirects import redirect
from commonroom.http.request import Request
from commonroom.http.responses import Response
from commonroom.http.sharing import Shared, shared
from commonroom.moments import elapsed, iso, seconds

DAY = 24 * 3600
EXPIRES = {"day": DAY, "week": 7 * DAY}
"""After how many seconds a code ends, by what one chooses."""

JUST_MADE_SECONDS = 600
"""So long, the one who made a link finds it first, whomever it is for."""

Standing: TypeAlias = Literal["guest", "acting", "member", "free"]
"""What the holder of a code is to its group."""


pages = Pages()


class InviteCodeForm(Form):
    """A new code."""

    expires: Line = ""
    single_use: bool = False


class WhichCode(Form):
    """One of the codes."""

    code: Line = ""


@pages.page(addresses.INVITE, Need.WRITER)
async def invite_page(request: Request, group_id: str, form: FormState = EMPTY) -> Response[Any]:
    """The group's link with its QR code, others that work, and the button for another."""
    access, codes = await invite_codes.see_codes(request.context, group_id)
    first = _to_show(codes, request)
    group = access.group

    def link_of(code: InviteCode) -> Shared:
        return shared(request, addresses.join(code.code), group.group_name)

    return render_page(
        request,
        "invite.html",
        group=group,
        code=first,
        link=None if first is None else link_of(first),
        others=[(one, link_of(one).address) for one in codes if one is not first],
        is_admin=access.is_admin,
        me=request.person.user_id,
        form=form,
    )


def _to_show(codes: Sequence[InviteCode], request: Request) -> InviteCode | None:
    """The code to show first: the one that the caller has just made, the newest for everybody,
    or else the newest."""
    own = [one for one in codes if one.created_by == request.person.user_id]
    fresh = [
        one for one in own if elapsed(seconds(one.created_at), request.now) < JUST_MADE_SECONDS
    ]
    lasting = [one for one in codes if not one.single_use]
    return next(iter([*fresh, *lasting, *codes]), None)


@pages.form(addresses.INVITE, Need.NOT_ACTING, on=invite_page, flash="group-code-made")
async def create_code(ctx: Ctx, group_id: str, data: InviteCodeForm) -> None:
    """Makes a code that lets people in."""
    life = EXPIRES.get(data.expires)
    expires_at = None if life is None else iso(ctx.now + life)
    await invite_codes.create_code(ctx, group_id, expires_at=expires_at, single_use=data.single_use)


@pages.form(f"{addresses.INVITE}/off", Need.NOT_ACTING, on=invite_page, flash="group-code-off")
async def revoke_code(ctx: Ctx, group_id: str, data: WhichCode) -> None:
    """Ends a code."""
    await invite_codes.revoke_code(ctx, group_id, data.code)


@pages.page(addresses.JOIN, Need.ANYONE)
async def join_page(request: Request, code: str, form: FormState = EMPTY) -> Response[Any]:
    """What a code is for, as far as strangers may know, and what to do."""
    found = await invite_codes.preview(
        request.store, request.now, code, asked_from=request.client_address
    )
    standing, group = await _standing(request, found)
    return render_page(
        request,
        "join.html",
        preview=found,
        standing=standing,
        group=group,
        mode=request.settings.sign_up,
        form=form,
    )


async def _standing(request: Request, found: invite_codes.GroupPreview) -> tuple[Standing, Any]:
    caller = request.caller
    if caller.account is None:
        return "guest", None
    try:
        access = await open_group(request.context, found.group_id)
    except NotFound:
        return ("acting" if caller.acting_as is not None else "free"), None
    return "member", access.group


@pages.form(addresses.JOIN, Need.NOT_ACTING, on=join_page)
async def join(ctx: Ctx, code: str) -> Response[Any]:
    """Joins the group of a code."""
    group = await invite_codes.join(ctx, code)
    return redirect(addresses.group(group.group_id), "group-joined")
