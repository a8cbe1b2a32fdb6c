"""Members without a login, who belong to an account."""

from __future__ import annotations

from typing import Any

from litestar import Response

from commonroom.accounts import rules
from commonroom.accounts.service import profiles
from commonroom.accounts.tables import User, managed_members
from commonroom.web.access import Need
from commonroom.web.forms import Filled, form, handlers, page
from commonroom.web.people.forms import MemberForm
from commonroom.web.render import render
from commonroom.web.request import Request

HERE = "/me/members"
ONE = f"{HERE}/{{member_id:str}}"
FRESH = Filled({"avatar_key": rules.AVATARS[0], "ceiling": "PG"})


@page(HERE, Need.BROWSER)
async def members(request: Request, form: Filled = FRESH) -> Response[Any]:
    """Everybody one manages, and the form for another."""
    return render(request, "people/members.html", form=form, members=await managed(request))


@form(HERE, Need.BROWSER, on=members, flash="member-added")
async def add_member(request: Request, data: MemberForm) -> None:
    """Adds one."""
    await profiles.add_managed(request.context, **data.fields)


@page(ONE, Need.BROWSER)
async def member(request: Request, member_id: str, form: Filled | None = None) -> Response[Any]:
    """One of them, to be changed or removed."""
    found = await profiles.managed_by(request.store, request.person, member_id)
    return render(request, "people/member.html", member=found, form=form or _as_stored(found))


@form(ONE, Need.BROWSER, on=member, leads_to=HERE, flash="member-saved")
async def save_member(request: Request, member_id: str, data: MemberForm) -> None:
    """Changes one."""
    await profiles.change_managed(request.context, member_id, **data.fields)


@form(f"{ONE}/remove", Need.BROWSER, leads_to=HERE, flash="member-removed")
async def remove_member(request: Request, member_id: str) -> None:
    """Removes one, for good."""
    await profiles.remove_managed(request.store, request.person, member_id)


async def managed(request: Request) -> list[User]:
    """A person's managed members; there are few."""
    asked = managed_members(parent_user_id=request.person.user_id)
    found = await request.store.page(asked, limit=2 * rules.MOST_MANAGED)
    return sorted(found.items, key=lambda member: member.created_at)


def _as_stored(member: User) -> Filled:
    return Filled(
        {
            "display_name": member.display_name,
            "avatar_key": member.avatar_key,
            "ceiling": member.content_rating_ceiling,
        }
    )


HANDLERS = handlers(members, add_member, member, save_member, remove_member)
