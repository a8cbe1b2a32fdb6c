"""The list of a person with an account: pages they made, and pages they joined."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.operations import Operations
from commonroom.http.paging import PagedList, Paging
from commonroom.http.projections import projection
from commonroom.shareables.api.bodies import ONE
from commonroom.shareables.api.views import ShortId
from commonroom.shareables.request import PageAdmin, PageGate
from commonroom.shareables.rules.short_ids import address_of, format_short_id
from commonroom.shareables.service import listing
from commonroom.shareables.service.listing import KeptAs

api = Operations("Shareables: my list", errors=(410, 429))


class ListedPage(Struct, frozen=True):
    """A page in a person's list; without kind and name where it needs a pass."""

    short_id: ShortId
    path: str
    role: KeptAs
    kind: Annotated[str | None, Meta(description="`checklist`, `event` or `poll`.")]
    name: str | None
    is_closed: bool


@api.get("/shareables", Need.NOT_ACTING, errors=())
async def list_shareables(ctx: Ctx, paging: Paging) -> PagedList[ListedPage]:
    """List the pages that one made or joined, the newest first."""
    found = await listing.pages_of(
        ctx.store, ctx.now, ctx.person.user_id, limit=paging.limit, cursor=paging.cursor
    )
    return PagedList([_listed(one) for one in found.items], found.cursor)


@api.post(f"{ONE}/claim", Need.NOT_ACTING)
async def claim_shareable(gate: PageAdmin, ctx: Ctx) -> None:
    """Make a page one's own, with its creator's pass."""
    await listing.claim_as_mine(gate, ctx.person.user_id)


@api.post(f"{ONE}/join", Need.NOT_ACTING)
async def join_shareable(gate: PageGate, ctx: Ctx) -> None:
    """Put a page into one's list."""
    await listing.join(gate, ctx.person.user_id)


@api.delete(f"{ONE}/join", Need.NOT_ACTING, errors=(429,))
async def leave_shareable(ctx: Ctx, short_id: str) -> None:
    """Take a page out of one's list; one that one made stays there."""
    await listing.drop(ctx.store, short_id, ctx.person.user_id)


_listed = projection(
    listing.ListedShareable,
    ListedPage,
    short_id=lambda one: format_short_id(one.short_id),
    path=lambda one: address_of(one.short_id),
)
