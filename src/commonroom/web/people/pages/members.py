"""Members without a login, who belong to an account."""

from __future__ import annotations

import time
from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath

from commonroom.accounts import rules
from commonroom.accounts.service import profiles
from commonroom.accounts.tables import User, managed_members
from commonroom.errors import NotFound, Refusal
from commonroom.web.access import Need, needs
from commonroom.web.people.asking import AnyRequest, person_in, store_of
from commonroom.web.people.forms import Filled, MemberForm, Sent, refused
from commonroom.web.people.showing import again
from commonroom.web.rendering import page, redirect

HERE = "/me/members"
ONE = f"{HERE}/{{member_id:str}}"
FRESH = Filled({"avatar_key": rules.AVATARS[0], "ceiling": "PG"})


@get(HERE, opt=needs(Need.BROWSER))
async def members(request: AnyRequest) -> Response[Any]:
    """Everybody one manages, and the form for another."""
    return page(request, "people/members.html", form=FRESH, members=await managed(request))


@post(HERE, opt=needs(Need.BROWSER), status_code=200)
async def add_member(request: AnyRequest, data: Sent[MemberForm]) -> Response[Any]:
    """Adds one."""
    try:
        await profiles.add_managed(
            store_of(request),
            time.time(),
            person_in(request),
            display_name=data.display_name,
            avatar_key=data.avatar_key or None,
            ceiling=data.ceiling,
        )
    except Refusal as error:
        form, there = refused(data, error), await managed(request)
        return again(request, "people/members.html", error, form=form, members=there)
    return redirect(HERE, "member-added")


@get(ONE, opt=needs(Need.BROWSER))
async def member_form(request: AnyRequest, member_id: FromPath[str]) -> Response[Any]:
    """One of them, to be changed or removed."""
    member = await profiles.managed_by(store_of(request), person_in(request), member_id)
    return page(request, "people/member.html", member=member, form=_as_stored(member))


@post(ONE, opt=needs(Need.BROWSER), status_code=200)
async def save_member(
    request: AnyRequest, member_id: FromPath[str], data: Sent[MemberForm]
) -> Response[Any]:
    """Changes one."""
    store, person = store_of(request), person_in(request)
    member = await profiles.managed_by(store, person, member_id)
    try:
        await profiles.change_managed(
            store,
            time.time(),
            person,
            member_id,
            display_name=data.display_name,
            avatar_key=data.avatar_key or None,
            ceiling=data.ceiling,
        )
    except NotFound:
        raise
    except Refusal as error:
        form = refused(data, error)
        return again(request, "people/member.html", error, member=member, form=form)
    return redirect(HERE, "member-saved")


@post(f"{ONE}/remove", opt=needs(Need.BROWSER), status_code=200)
async def remove_member(request: AnyRequest, member_id: FromPath[str]) -> Response[Any]:
    """Removes one, for good."""
    await profiles.remove_managed(store_of(request), person_in(request), member_id)
    return redirect(HERE, "member-removed")


async def managed(request: AnyRequest) -> list[User]:
    """A person's managed members; there are few."""
    asked = managed_members(parent_user_id=person_in(request).user_id)
    found = await store_of(request).page(asked, limit=2 * rules.MOST_MANAGED)
    return sorted(found.items, key=lambda member: member.created_at)


def _as_stored(member: User) -> Filled:
    return Filled(
        {
            "display_name": member.display_name,
            "avatar_key": member.avatar_key,
            "ceiling": member.content_rating_ceiling,
        }
    )
