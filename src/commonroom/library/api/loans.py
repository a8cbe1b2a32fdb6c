"""Loans: lending, return, due dates, and the history of an item."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.etags import tagged
from commonroom.http.operations import Operations
from commonroom.http.paging import PagedList, Paging
from commonroom.http.request import Request
from commonroom.http.responses import JsonResponse
from commonroom.library.api import items, views
from commonroom.library.api.bodies import DueDate, Lending
from commonroom.library.service import history, loans

api = Operations("Library: loans", errors=(404, 409))


class LoanHistoryPaging(Paging, frozen=True, forbid_unknown_fields=True):
    """Which part of a history."""

    limit: Annotated[
        int, Meta(ge=1, le=history.MAX_LOANS, description="Maximum number of loans.")
    ] = 10


@api.post(f"{items.ONE}/lend", Need.NOT_ACTING, errors=(404, 409, 429), status=200)
async def lend_item(
    request: Request, library_id: str, item_id: str, wanted: Lending
) -> JsonResponse[views.Item]:
    """Lend a book or a video.

    Where it is lent already, 409 says in `lent_to` to whom; a due date in the past is 409, too,
    unless it is confirmed. Addresses without an account can only be tried so often.
    """
    lent = await loans.lend(
        request.context,
        library_id,
        item_id,
        to=wanted.lent_to,
        due=wanted.due_date,
        email=wanted.email,
        asked_from=request.client_address,
        past_due=wanted.past_due,
    )
    return tagged(views.item(lent, is_mine=True))


@api.post(f"{items.ONE}/return", Need.NOT_ACTING, status=200)
async def return_item(ctx: Ctx, library_id: str, item_id: str) -> JsonResponse[views.Item]:
    """Take a book or a video back."""
    back = await loans.return_item(ctx, library_id, item_id)
    return tagged(views.item(back, is_mine=True))


@api.put(f"{items.ONE}/due-date", Need.NOT_ACTING)
async def set_due_date(
    ctx: Ctx, library_id: str, item_id: str, wanted: DueDate
) -> JsonResponse[views.Item]:
    """Say anew when something that is lent should be back.

    A date in the past is 409 unless it is confirmed.
    """
    changed = await loans.change_due_date(
        ctx, library_id, item_id, due=wanted.due_date, past_due=wanted.past_due
    )
    return tagged(views.item(changed, is_mine=True))


@api.get(f"{items.ONE}/history", Need.SIGNED_IN, errors=(404,))
async def get_history(
    ctx: Ctx, library_id: str, item_id: str, paging: LoanHistoryPaging
) -> PagedList[views.PastLoan]:
    """List the loans of a book or a video of one's own, the newest first."""
    seen = await history.see_history(
        ctx, library_id, item_id, limit=paging.limit, cursor=paging.cursor
    )
    return PagedList([views.past_loan(one) for one in seen.loans], seen.cursor)


@api.delete(f"{items.ONE}/history", Need.NOT_ACTING)
async def clear_history(ctx: Ctx, library_id: str, item_id: str) -> None:
    """Forget all loans of a book or a video that is not lent."""
    await history.clear_history(ctx, library_id, item_id)


@api.get("/loans/lent", Need.SIGNED_IN, errors=())
async def list_lent_items(ctx: Ctx, paging: Paging) -> PagedList[views.LentItem]:
    """List everything that one has lent, from all libraries, the earliest due first."""
    seen = await loans.lent_by_me(ctx, limit=paging.limit, cursor=paging.cursor)
    return PagedList([views.lent_item(one) for one in seen.items], seen.cursor)


@api.get("/loans/borrowed", Need.SIGNED_IN, errors=())
async def list_borrowed_items(ctx: Ctx, paging: Paging) -> PagedList[views.BorrowedItemView]:
    """List everything that others have lent to one's account."""
    seen = await loans.borrowed_by_me(ctx, limit=paging.limit, cursor=paging.cursor)
    return PagedList([views.borrowed_item(one) for one in seen.items], seen.cursor)
