"""Groups in a browser: the feed, a new group, and how friends come in."""

from __future__ import annotations

from typing import Annotated, Any

from litestar import Response, get
from litestar.params import FromPath, QueryParameter

from commonroom.errors import Refusal
from commonroom.hangouts.pages import addresses
from commonroom.hangouts.pages.cards import lists_of, render_page
from commonroom.hangouts.request import Member
from commonroom.hangouts.service import groups, lists
from commonroom.hangouts.service.access import open_group
from commonroom.hangouts.service.fields import Draft
from commonroom.hangouts.service.hangouts import create_hangout
from commonroom.hangouts.service.versions import feed_version
from commonroom.web.access import Need, needs
from commonroom.web.arguments import Ctx
from commonroom.web.forms import EMPTY, Filled, Form, Line, form, handlers, page
from commonroom.web.live_updates import LiveUpdates
from commonroom.web.redirects import redirect
from commonroom.web.request import Request
from commonroom.web.sharing import shared

Given = Annotated[str, QueryParameter(max_length=100)]


class GroupForm(Form):
    """A new group."""

    group_name: Line = ""


class IdeaForm(Form):
    """An idea, in as few words as one has it."""

    title: Line = ""


class JoinForm(Form):
    """A code that somebody typed."""

    code: Line = ""


@page(addresses.NEW_GROUP, Need.THEMSELVES)
async def new_group(request: Request, form: Filled = EMPTY) -> Response[Any]:
    """What is it called?"""
    return render_page(request, "group_new.html", form=form)


@form(addresses.NEW_GROUP, Need.THEMSELVES, on=new_group)
async def create_group(ctx: Ctx, data: GroupForm) -> Response[Any]:
    """Makes a group, and leads to how friends come in."""
    made = await groups.create_group(ctx, name=data.group_name)
    return redirect(f"{addresses.group(made.group_id)}/invite", "group-made")


@page(addresses.GROUP, Need.SIGNED_IN)
async def feed(
    request: Request, member: Member, group_id: str, form: Filled = EMPTY
) -> Response[Any]:
    """A group's feed: four requests."""
    found = await lists.group_feed(request.context, member, group_id)
    return render_page(
        request,
        "group.html",
        group=found.access.group,
        lists=lists_of(request, found.sections, {}),
        watched=await feed_version(request.store, group_id),
        may=request.caller.acting_as is None,
        form=form,
    )


@form(f"{addresses.GROUP}/float", Need.THEMSELVES, on=feed, flash="hangout-floated")
async def float_idea(ctx: Ctx, group_id: str, data: IdeaForm) -> str:
    """Floats an idea to the group, from the feed itself."""
    made = await create_hangout(ctx, Draft(title=data.title, group_ids=[group_id]))
    return addresses.hangout(made.hangout_id)


@get(f"{addresses.GROUP}/live", opt=needs(Need.SIGNED_IN))
async def feed_changes(request: Request, group_id: FromPath[str]) -> LiveUpdates:
    """A feed's version, now and whenever something happens in it."""
    store = request.store

    async def may_watch(request: Request) -> bool:
        await open_group(request.context, group_id)
        return True

    await may_watch(request)

    async def version() -> str:
        return await feed_version(store, group_id)

    return LiveUpdates(f"group#{group_id}", version, may_watch)


@page(f"{addresses.GROUP}/invite", Need.THEMSELVES)
async def invite(request: Request, group_id: str, code: Given = "") -> Response[Any]:
    """A link and a QR code for a code that was just made, or the button that makes one."""
    access = await open_group(request.context, group_id)
    link = shared(request, addresses.join(code), access.group.group_name) if code else None
    return render_page(request, "invite.html", group=access.group, code=code, link=link)


@form(f"{addresses.GROUP}/invite", Need.THEMSELVES)
async def create_code(ctx: Ctx, group_id: str) -> str:
    """Makes a code that lets people in."""
    made = await groups.create_code(ctx, group_id)
    return f"{addresses.group(group_id)}/invite?code={made.code}"


@page(addresses.JOIN, Need.THEMSELVES)
async def join_page(request: Request, code: str, error: Refusal | None = None) -> Response[Any]:
    """Somebody comes with a code."""
    return render_page(request, "join.html", code=code, error=error)


@form(addresses.JOIN, Need.THEMSELVES, on=join_page)
async def join(ctx: Ctx, code: str) -> Response[Any]:
    """Joins the group of a code."""
    group = await groups.join(ctx, code)
    return redirect(addresses.group(group.group_id), "group-joined")


HANDLERS = handlers(
    new_group,
    create_group,
    feed,
    float_idea,
    feed_changes,
    invite,
    create_code,
    join_page,
    join,
)
