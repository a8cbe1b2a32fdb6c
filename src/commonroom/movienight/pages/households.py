"""A household: its settings, leaving it, deleting it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from msgspec import Struct

from commonroom.http.access import Need
from commonroom.http.forms import EMPTY, Form, FormState, Line, OneOrMany, Pages, as_list
from commonroom.http.render import render
from commonroom.http.request import Request
from commonroom.http.responses import Response
from commonroom.http.words import join_names
from commonroom.movienight.request import OwnContext, film_source
from commonroom.movienight.rules.households import (
    MAX_NAME,
    HouseholdRoster,
    RosterMember,
    plan_departure,
)
from commonroom.movienight.service import households, members
from commonroom.movienight.service.household_context import HouseholdContext
from commonroom.movienight.words import REGIONS
from commonroom.titles.streaming_services import SERVICES, Service

ROOM = "/movie-night"
HERE = f"{ROOM}/household"
SETTINGS = f"{HERE}/settings"


pages = Pages()


class HouseholdForm(Form):
    """What a household is called, and where it can watch films."""

    name: Line
    streaming_services: OneOrMany = ""
    votes_are_open: bool = False


class DeleteHouseholdForm(Form):
    """That a household is really to be deleted."""

    typed: Line = ""


class Region(Struct, frozen=True):
    """Services that one finds in the same place."""

    name: str
    services: list[Service]
    is_chosen: bool
    """Whether one of them is."""


class LeavePreview(Struct, frozen=True):
    """What would become of the others if a member left now."""

    along: str
    """The names of the managed members who leave along; empty where there are none."""
    next_creator: str | None
    """Who takes over; None where that does not change, or nobody can."""
    is_end: bool
    """Whether nobody with a login is left, so that the household ends."""


@pages.page(SETTINGS, Need.NOT_ACTING)
async def settings(
    request: Request, ctx: OwnContext, form: FormState | None = None, delete_form: FormState = EMPTY
) -> Response[Any]:
    """Name, services, and how to leave."""
    here = await members.list_members(ctx.store, ctx.group_id)
    return render(
        request,
        "movienight/household_settings.html",
        **household_context(request, form or _as_stored(ctx)),
        ctx=ctx,
        leaving=preview_leaving(ctx, here),
        delete_form=delete_form,
    )


@pages.form(SETTINGS, Need.NOT_ACTING, on=settings, flash="household-saved")
async def save_settings(ctx: OwnContext, data: HouseholdForm) -> None:
    """Changes name and services."""
    await households.change_household(
        ctx,
        name=data.name,
        services=as_list(data.streaming_services),
        votes_are_open=data.votes_are_open,
    )


@pages.form(
    f"{HERE}/leave",
    Need.NOT_ACTING,
    on=settings,
    slot="delete_form",
    leads_to=ROOM,
    flash="household-left",
)
async def leave(ctx: OwnContext) -> None:
    """Leaves the household."""
    await members.leave(ctx)


@pages.form(
    f"{HERE}/delete",
    Need.NOT_ACTING,
    on=settings,
    slot="delete_form",
    leads_to=ROOM,
    flash="household-deleted",
)
async def delete_household(ctx: OwnContext, data: DeleteHouseholdForm) -> None:
    """Deletes the household, for a creator who typed its name."""
    await households.delete_household(ctx, data.typed)


def household_context(request: Request, form: FormState) -> dict[str, Any]:
    """Returns what the form of a household shows, whether there is one already or not."""
    chosen = as_list(form.value("streaming_services") or "")
    return {
        "form": form,
        "regions": regions(chosen),
        "chosen": chosen,
        "knows_services": film_source(request).knows_services,
        "longest": MAX_NAME,
    }


def regions(chosen: Collection[str]) -> list[Region]:
    """All streaming services by where their viewers live; first those that most people have."""
    return [
        Region(
            name,
            [SERVICES[slug] for slug in slugs],
            is_chosen=not set(slugs).isdisjoint(chosen),
        )
        for name, slugs in REGIONS.items()
    ]


def preview_leaving(ctx: HouseholdContext, here: Sequence[RosterMember]) -> LeavePreview:
    """Returns what happens when the caller leaves."""
    plan = plan_departure(HouseholdRoster(ctx.group, here), [ctx.member_id])
    names = {one.user_id: one.user.display_name for one in here if one.user is not None}
    own = {one.user_id for one in here if one.user and one.user.parent_user_id == ctx.member_id}
    changes = plan.creator_id not in (None, ctx.group.created_by)
    return LeavePreview(
        join_names([names[one.user_id] for one in plan.leaving if one.user_id in own]),
        names.get(plan.creator_id or "") if changes else None,
        is_end=plan.creator_id is None,
    )


def _as_stored(ctx: HouseholdContext) -> FormState:
    group = ctx.group
    return FormState(
        {
            "name": group.name,
            "streaming_services": group.streaming_services,
            "votes_are_open": group.votes_are_open,
        }
    )
