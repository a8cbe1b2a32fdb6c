"""Making a hangout: a title and one tap float it; a day, a place and more if one likes."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import Annotated, Any

from msgspec import Meta
from msgspec.structs import replace

from commonroom.accounts.context import Context
from commonroom.errors import CommonroomError, NotFound
from commonroom.hangouts import addresses
from commonroom.hangouts.pages.cards import render_page
from commonroom.hangouts.pages.drafts import (
    HangoutForm,
    day_choices,
    fields_of,
    party_parts,
    planned_values,
    values_of,
    zone_of,
)
from commonroom.hangouts.pages.series import read_repetition
from commonroom.hangouts.rules.places import place_for
from commonroom.hangouts.service import edits, series
from commonroom.hangouts.service.access import open_hangout, open_in_group, ref_of
from commonroom.hangouts.service.attachments import attach
from commonroom.hangouts.service.edits import StaleVersion
from commonroom.hangouts.service.fields import HangoutDraft
from commonroom.hangouts.service.groups import my_groups
from commonroom.hangouts.service.hangouts import create_hangout
from commonroom.hangouts.service.ideas import plan_idea
from commonroom.hangouts.service.places import offered_places
from commonroom.hangouts.tables import Hangout, Idea, Rsvp
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.forms import EMPTY, FormState, Pages, as_list
from commonroom.http.redirects import redirect
from commonroom.http.request import Request
from commonroom.http.responses import Response
from commonroom.http.typed_times import TimeQuestion, UncertainTimes
from commonroom.ids import is_id
from commonroom.joins.attachments import kinds_of
from commonroom.store import Ref

Given = Annotated[str, Meta(max_length=1000)]
MAX_OFFERING = 5
"""How many groups' places are offered at once."""


pages = Pages()


@pages.page(addresses.NEW, Need.NOT_ACTING)
async def new_hangout(
    request: Request,
    *,
    group: Given = "",
    title: Given = "",
    ideas: Given = "",
    idea: Given = "",
    kind: Given = "",
    thing: Given = "",
    form: FormState = EMPTY,
    error: CommonroomError | None = None,
) -> Response[Any]:
    """What shall it be? Two requests, and one for one's own places and those of each group."""
    groups = await my_groups(request.context)
    if form is EMPTY:
        chosen = [group] if group else [one.group_id for one in groups[:1]]
        words = await _idea_words(request.context, group, ideas, idea) if idea else {}
        words |= await _thing_words(request, kind, thing) if kind else {}
        form = FormState({"title": title, "group_ids": chosen, **words})
    chosen = as_list(form.value("group_ids") or "")
    return render_page(
        request,
        "new.html",
        groups=groups,
        form=form,
        places=await offered_places(request.context, chosen[:MAX_OFFERING]),
        current=None,
        theirs=None,
        **_context(request, error),
    )


async def _idea_words(ctx: Context, group_id: str, list_id: str, idea_id: str) -> dict[str, str]:
    """Returns what a form holds that is opened for an idea: one request."""
    _, found = await open_in_group(
        ctx, ref_of(Idea, group_id=group_id, list_id=list_id, idea_id=idea_id)
    )
    words = {"title": found.name, "description": found.note or "", "link": found.url or ""}
    return {**words, "ideas": list_id, "idea": idea_id}


async def _thing_words(request: Request, key: str, thing: str) -> dict[str, Any]:
    """What a form holds that is opened for a thing of another room; nothing where that is gone."""
    kind = kinds_of(request).get(key)
    if kind is None or kind.draft is None:
        return {}
    draft = await kind.draft(request, thing)
    zone = zone_of(request.person.time_zone)
    return {**planned_values(draft, zone), "kind": key, "thing": thing}


@pages.form(addresses.NEW, Need.NOT_ACTING, on=new_hangout)
async def create(request: Request, ctx: Ctx, data: HangoutForm) -> Response[Any]:
    """Floats it, or locks it in."""
    is_on = data.how == "lock"
    fields = fields_of(data, ctx.now, zone_of(ctx.person.time_zone))
    repeats = read_repetition(data.repeats, data.repeats_until)
    groups = [one for one in as_list(data.group_ids) if one]
    parts = party_parts(data) if repeats is not None else []
    draft = HangoutDraft(**fields, group_ids=groups, is_on=is_on, repetition=repeats, parts=parts)
    idea = await _idea_of(ctx, data, groups)
    made = await (create_hangout(ctx, draft) if idea is None else plan_idea(ctx, idea, draft))
    kind = kinds_of(request).get(data.kind)
    if kind is not None and data.thing:
        with suppress(NotFound):  # the hangout is made, also where the thing is gone meanwhile
            claim = partial(kind.claim, request, data.thing)
            await attach(ctx, made.hangout_id, kind.key, claim)
    flash = "hangout-locked-in" if is_on else "hangout-floated"
    return redirect(addresses.hangout(made.hangout_id), flash)


async def _idea_of(ctx: Context, data: HangoutForm, groups: Sequence[str]) -> Ref[Idea] | None:
    """Returns the idea that a hangout is made of, if it still is one of its groups'."""
    for group_id in groups if data.idea else ():
        with suppress(NotFound):
            ref = ref_of(Idea, group_id=group_id, list_id=data.ideas, idea_id=data.idea)
            await open_in_group(ctx, ref)
            return ref
    return None


@pages.page(f"{addresses.HANGOUT}/edit", Need.NOT_ACTING)
async def edit(
    request: Request,
    hangout_id: str,
    form: FormState | None = None,
    error: CommonroomError | None = None,
) -> Response[Any]:
    """The form of a hangout; where it was changed meanwhile, with both texts."""
    me = request.context.person.user_id
    mine = [Rsvp.at(hangout_id=hangout_id, user_id=me)] if is_id(hangout_id) else []
    access = (await open_hangout(request.context, hangout_id, also=mine)).editable()
    now = replace(access.hangout, place=place_for(access.hangout, me, access.also[0]))
    groups = [one.group_id for one in access.memberships]
    shown = form or FormState(values_of(now))
    theirs = None
    if isinstance(error, StaleVersion):
        shown = FormState({**shown.values, "version": now.version}, {}, error.detail)
        theirs = _differences(now, shown)
    return render_page(
        request,
        "edit.html",
        hangout=now,
        form=shown,
        places=await offered_places(request.context, groups[:MAX_OFFERING]),
        current=now.place if now.place is not None and now.place.place_id else None,
        theirs=theirs,
        **_context(request, error),
    )


def _differences(now: Hangout, typed: FormState) -> dict[str, str]:
    """Returns what others wrote into the fields meanwhile, by name."""
    stored = values_of(now)
    names = ("title", "description", "link", "day", "time", "place_name", "place_address")
    return {
        name: str(stored[name] or "")
        for name in names
        if str(stored[name] or "") != str(typed.value(name) or "")
    }


@pages.form(f"{addresses.HANGOUT}/edit", Need.NOT_ACTING, on=edit)
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
