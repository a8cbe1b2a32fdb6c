"""What people who meet have of each other: what they lent, borrowed, and could bring along."""

from __future__ import annotations

from collections.abc import Collection

from commonroom.http.request import Request
from commonroom.http.words import _
from commonroom.joins.bring_along import ThingToBring
from commonroom.library.pages import addresses
from commonroom.library.service.loans import borrowed_from, lent_by_me

MAX_LOANS = 100


async def things_between(request: Request, people: Collection[str]) -> list[ThingToBring]:
    """Loans between the caller and these people: three requests, two where there are none."""
    ctx = request.context
    borrowed, lent = await request.store.gather(
        borrowed_from(ctx, people), lent_by_me(ctx, limit=MAX_LOANS)
    )
    return [
        *(
            ThingToBring(
                title=one.title,
                whose=one.owner_name or _("someone"),
                is_borrowed=True,
                address=addresses.LOANS,
            )
            for one in borrowed
        ),
        *(
            ThingToBring(
                title=one.title,
                whose=one.lent_to or _("someone"),
                is_borrowed=False,
                address=addresses.item(one.library_id, one.item_id),
            )
            for one in (loan.item for loan in lent.items)
            if one.borrower_id in people
        ),
    ]
