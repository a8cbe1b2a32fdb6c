"""The history of an item: loans as pairs, the newest first."""

from __future__ import annotations

from msgspec import Struct

from commonroom.accounts.context import Context
from commonroom.errors import Conflict, InvalidField
from commonroom.library.rules.loans import Loan, pair_loans
from commonroom.library.service.access import own_item, retry
from commonroom.library.service.moves import finish_move
from commonroom.library.tables import Book, LoanEvent, Video, history
from commonroom.store import BoundPattern, Store, absent, check, delete, stored
from commonroom.store.limits import REQUEST_OPERATIONS

MAX_LOANS = 50


class HistoryPage(Struct, frozen=True):
    """A page of an item's loans."""

    item: Book | Video
    loans: list[Loan]
    cursor: str | None


async def see_history(
    ctx: Context, library_id: str, item_id: str, *, limit: int = 10, cursor: str | None = None
) -> HistoryPage:
    """Returns the loans of an item of a person's own: three requests."""
    if not 1 <= limit <= MAX_LOANS:
        raise InvalidField("limit", f"A page can have 1 to {MAX_LOANS} loans.")
    _owned, item = await own_item(ctx, library_id, item_id)
    # A loan that is over has two events.
    page = await ctx.store.page(_events(item), limit=2 * limit, cursor=cursor)
    return HistoryPage(item, pair_loans(page.items, item.lent_at), page.cursor)


@retry
async def clear_history(ctx: Context, library_id: str, item_id: str) -> None:
    """Forgets all loans of an item that is not lent."""
    _owned, found = await own_item(ctx, library_id, item_id)
    item = await finish_move(ctx.store, found)
    if item.lent_to is not None:
        raise Conflict(
            f"{item.lent_to} still has it. You can clear the history once it is returned.",
            lent_to=item.lent_to,
        )
    here = check(item, if_=stored & absent("lent_to"))
    while events := (await ctx.store.page(_events(item), limit=REQUEST_OPERATIONS - 1)).items:
        await ctx.store.write(here, *map(delete, events))


async def clear_events(store: Store, owner_id: str, library_id: str, item_id: str) -> None:
    """Deletes the events of an item that is gone."""
    asked = history(owner_id=owner_id, library_id=library_id, item_id=item_id)
    while events := (await store.page(asked, limit=REQUEST_OPERATIONS)).items:
        await store.write(*map(delete, events))


def _events(item: Book | Video) -> BoundPattern[LoanEvent]:
    return history(owner_id=item.owner_id, library_id=item.library_id, item_id=item.item_id)
