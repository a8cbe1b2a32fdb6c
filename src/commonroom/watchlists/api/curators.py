"""What administrators decide about curators."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.operations import Operations
from commonroom.http.paging import PagedList, Paging
from commonroom.watchlists.api import views
from commonroom.watchlists.api.bodies import Reason
from commonroom.watchlists.service import curators
from commonroom.watchlists.tables import CuratorStatus

ALL = "/admin/curators"
ONE = f"{ALL}/{{user_id:str}}"


api = Operations("Watchlists: curators", errors=(404, 409))


class CuratorPaging(Paging, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Whose way, and which part of them."""

    status: Annotated[
        CuratorStatus, Meta(description="`pending` are those who wait for a decision.")
    ] = "pending"


@api.get(ALL, Need.ADMINISTRATOR, errors=())
async def list_curators(ctx: Ctx, asked: CuratorPaging) -> PagedList[views.Applicant]:
    """List who has applied, or who is a curator, was declined, or is suspended."""
    found = await curators.curators_with(ctx, asked.status, limit=asked.limit, cursor=asked.cursor)
    return PagedList([views.applicant(one) for one in found.profiles], found.cursor)


@api.post(f"{ONE}/approve", Need.ADMINISTRATOR, status=200)
async def approve_curator(ctx: Ctx, user_id: str) -> views.Applicant:
    """Approve an application."""
    return views.applicant(await curators.approve(ctx, user_id))


@api.post(f"{ONE}/decline", Need.ADMINISTRATOR, status=200)
async def decline_curator(ctx: Ctx, user_id: str, why: Reason) -> views.Applicant:
    """Decline an application; the person reads why and may apply again."""
    return views.applicant(await curators.decline(ctx, user_id, why.reason))


@api.post(f"{ONE}/suspend", Need.ADMINISTRATOR, status=200)
async def suspend_curator(ctx: Ctx, user_id: str, why: Reason) -> views.Applicant:
    """Suspend a curator: their lists leave discovery, and they publish no new ones."""
    return views.applicant(await curators.suspend(ctx, user_id, why.reason))


@api.post(f"{ONE}/reinstate", Need.ADMINISTRATOR, status=200)
async def reinstate_curator(ctx: Ctx, user_id: str) -> views.Applicant:
    """End a suspension; their lists come back."""
    return views.applicant(await curators.reinstate(ctx, user_id))
