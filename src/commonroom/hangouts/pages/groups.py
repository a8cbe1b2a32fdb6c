"""Groups in a browser: the feed, a new group, its name and look."""

from __future__ import annotations

from typing import Any

from commonroom.errors import CommonroomError
from commonroom.hangouts import addresses
from commonroom.hangouts.pages.cards import lists_of, render_page
from commonroom.hangouts.request import Member
from commonroom.hangouts.service import groups, lists
from commonroom.hangouts.service.access import open_group
from commonroom.hangouts.service.edits import StaleVersion
from commonroom.hangouts.service.fields import HangoutDraft
from commonroom.hangouts.service.hangouts import create_hangout
from commonroom.hangouts.service.invite_codes import create_code
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.forms import EMPTY, Form, FormState, Line, Pages
from commonroom.http.live_updates import LiveUpdates
from commonroom.http.redirects import redirect
from commonroom.http.request import Request
from commonroom.http.responses import Response
from commonroom.http.routes import get

pages = Pages()


class GroupForm(Form):
    """A new group."""

    group_name: Line = ""


class QuickIdeaForm(Form):
    """An idea, in as few words as one has it."""

    title: Line = ""


class GroupEdit(GroupForm):
    """A group's name and look; whether it is public, where an admin says so."""

    colour: Line = ""
    picture: Line = ""
    visibility: Line = ""
    version: int = 0


@pages.page(addresses.NEW_GROUP, Need.NOT_ACTING)
async def new_group(request: Request, form: FormState = EMPTY) -> Response[Any]:
    """What is it called?"""
    return render_page(request, "group_new.html", form=form)


@pages.form(addresses.NEW_GROUP, Need.NOT_ACTING, on=new_group)
async def create_group(ctx: Ctx, data: GroupForm) -> Response[Any]:
    """Makes a group, and leads to the code with which friends come in."""
    made = await groups.create_group(ctx, name=data.group_name)
    await create_code(ctx, made.group_id)
    return redirect(f"{addresses.group(made.group_id)}/invite", "group-made")


@pages.page(addresses.GROUP, Need.SIGNED_IN)
async def feed(
    request: Request, member: Member, group_id: str, form: FormState = EMPTY
) -> Response[Any]:
    """A group's feed: four requests."""
    found = await lists.group_feed(request.context, member, group_id)
    return render_page(
        request,
        "group.html",
        group=found.access.group,
        lists=lists_of(request, found.sections, {}),
        watched=await lists.feed_version(request.store, group_id),
        form=form,
    )


@pages.form(f"{addresses.GROUP}/float", Need.NOT_ACTING, on=feed, flash="hangout-floated")
async def float_idea(ctx: Ctx, group_id: str, data: QuickIdeaForm) -> str:
    """Floats an idea to the group, from the feed itself."""
    made = await create_hangout(ctx, HangoutDraft(title=data.title, group_ids=[group_id]))
    return addresses.hangout(made.hangout_id)


@get(f"{addresses.GROUP}/live", Need.SIGNED_IN)
async def feed_changes(request: Request, group_id: str) -> LiveUpdates:
    """Returns a feed's version, now and whenever something happens in it."""
    store = request.store

    async def may_watch(request: Request) -> bool:
        await open_group(request.context, group_id)
        return True

    await may_watch(request)

    async def version() -> str:
        return await lists.feed_version(store, group_id)

    return LiveUpdates(f"group#{group_id}", version, may_watch)


@pages.page(f"{addresses.GROUP}/edit", Need.NOT_ACTING)
async def edit_group(
    request: Request,
    group_id: str,
    form: FormState | None = None,
    error: CommonroomError | None = None,
) -> Response[Any]:
    """A group's name and look, and for admins the rest: one request."""
    access = await open_group(request.context, group_id)
    group = access.group
    shown = form or FormState(
        {
            "group_name": group.group_name,
            "colour": group.colour or "",
            "picture": group.picture or "",
            "is_public": group.is_public,
        }
    )
    return render_page(
        request,
        "group_edit.html",
        group=group,
        is_admin=access.is_admin,
        form=shown,
        theirs=group.group_name if isinstance(error, StaleVersion) else None,
    )


@pages.form(
    f"{addresses.GROUP}/edit",
    Need.NOT_ACTING,
    on=edit_group,
    leads_to="/groups/{group_id}",
    flash="group-saved",
)
async def save_group(ctx: Ctx, group_id: str, data: GroupEdit) -> None:
    """Saves a group's name and look."""
    given: dict[str, Any] = {
        "group_name": data.group_name,
        "colour": data.colour or None,
        "picture": data.picture or None,
    }
    if data.visibility:
        given["is_public"] = data.visibility == "public"
    await groups.change_group(ctx, group_id, given, version=data.version)


@pages.form(
    f"{addresses.GROUP}/delete",
    Need.NOT_ACTING,
    on=edit_group,
    leads_to=addresses.ROOM,
    flash="group-deleted",
)
async def delete_group(ctx: Ctx, group_id: str) -> None:
    """Deletes a group with everything in it."""
    await groups.delete_group(ctx, group_id)


pages.include(feed_changes)
