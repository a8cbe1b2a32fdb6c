"""Making a hangout: a title and one tap float it; a day, a place and more if one likes."""

from __future__ import annotations

from typing import Annotated, Any

from litestar import Response
from litestar.params import QueryParameter

from commonroom.errors import CommonroomError
from commonroom.hangouts.pages import addresses
from commonroom.hangouts.pages.cards import render_page
from commonroom.hangouts.pages.drafts import (
    HangoutForm,
    day_choices,
    fields_of,
    ticked_groups,
    values_of,
    zone_of,
)
from commonroom.hangouts.pages.repeats import read_repetition
from commonroom.hangouts.service import edits, series
from commonroom.hangouts.service.access import open_hangout
from commonroom.hangouts.service.edits import StaleVersion
from commonroom.hangouts.service.fields import Draft
from commonroom.hangouts.service.groups import my_groups
from commonroom.hangouts.service.hangouts import create_hangout
from commonroom.hangouts.tables import Hangout
from commonroom.web.access import Need
from commonroom.web.arguments import Ctx
from commonroom.web.forms import EMPTY, Filled, form, handlers, page
from commonroom.web.redirects import redirect
from commonroom.web.request import Request
from commonroom.web.typed_times import TimeQuestion, UncertainTimes

Given = Annotated[str, QueryParameter(max_length=1000)]


@page(addresses.NEW, Need.THEMSELVES)
async def new_hangout(
    request: Request,
    *,
    group: Given = "",
    title: Given = "",
    form: Filled = EMPTY,
    error: CommonroomError | None = None,
) -> Response[Any]:
    """What shall it be? One request."""
    groups = await my_groups(request.context)
    if form is EMPTY:
        chosen = [group] if group else [one.group_id for one in groups[:1]]
        form = Filled({"title": title, "group_ids": chosen})
    return render_page(
        request, "new.html", groups=groups, form=form, **_context(request, error), theirs=None
    )


@form(addresses.NEW, Need.THEMSELVES, on=new_hangout)
async def create(ctx: Ctx, data: HangoutForm) -> Response[Any]:
    """Floats it, or locks it in."""
    is_on = data.how == "lock"
    fields = fields_of(data, ctx.now, zone_of(ctx.person.time_zone))
    repeats = read_repetition(data.repeats, data.repeats_until)
    draft = Draft(**fields, group_ids=ticked_groups(data), is_on=is_on, repetition=repeats)
    made = await create_hangout(ctx, draft)
    flash = "hangout-locked-in" if is_on else "hangout-floated"
    return redirect(addresses.hangout(made.hangout_id), flash)


@page(f"{addresses.HANGOUT}/edit", Need.THEMSELVES)
async def edit(
    request: Request,
    hangout_id: str,
    form: Filled | None = None,
    error: CommonroomError | None = None,
) -> Response[Any]:
    """The form of a hangout; where somebody changed it meanwhile, with both texts."""
    now = (await open_hangout(request.context, hangout_id)).editable().hangout
    shown = form or Filled(values_of(now))
    theirs = None
    if isinstance(error, StaleVersion):
        shown = Filled({**shown.values, "version": now.version}, {}, error.detail)
        theirs = _differences(now, shown)
    return render_page(
        request,
        "edit.html",
        hangout=now,
        form=shown,
        theirs=theirs,
        **_context(request, error),
    )


def _differences(now: Hangout, typed: Filled) -> dict[str, str]:
    """What fields say now that somebody else wrote, by name."""
    stored = values_of(now)
    names = ("title", "description", "link", "day", "time", "place_name", "place_address")
    return {
        name: str(stored[name] or "")
        for name in names
        if str(stored[name] or "") != str(typed.value(name) or "")
    }


@form(f"{addresses.HANGOUT}/edit", Need.THEMSELVES, on=edit)
async def save(ctx: Ctx, hangout_id: str, data: HangoutForm) -> Response[Any]:
    """Saves what was changed, if nobody else did meanwhile; of all that follow, if wanted."""
    fields = fields_of(data, ctx.now, zone_of(ctx.person.time_zone))
    of_all = data.scope == "following"
    change = series.change_following if of_all else edits.change_hangout
    await change(ctx, hangout_id, fields, version=data.version)
    flash = "hangout-following-saved" if of_all else "hangout-saved"
    return redirect(addresses.hangout(hangout_id), flash)


def _context(request: Request, error: CommonroomError | None) -> dict[str, Any]:
    zone = zone_of(request.person.time_zone)
    questions: dict[str, TimeQuestion] = (
        error.questions if isinstance(error, UncertainTimes) else {}
    )
    return {"days": day_choices(request.now, zone), "questions": questions, "zone": zone}


HANDLERS = handlers(new_hangout, create, edit, save)
