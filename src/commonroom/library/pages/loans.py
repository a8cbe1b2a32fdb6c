"""Everything that somebody has lent, and everything that they have borrowed."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Any

from litestar import Response, get
from msgspec import Struct

from commonroom.library.pages import addresses
from commonroom.library.pages.cards import ItemCard, card_of
from commonroom.library.pages.due_dates import DueDay, due_day
from commonroom.library.pages.lent import LoanCard, loan_of
from commonroom.library.pages.showing import page
from commonroom.library.service.loans import Borrowed, borrowed_by_me, lent_by_me
from commonroom.web.access import Need, needs
from commonroom.web.request import Cursor, Request
from commonroom.web.words import _

TEMPLATE = "library/loans.html"


class LentCard(Struct, frozen=True):
    """Something that is lent."""

    card: ItemCard
    loan: LoanCard


class BorrowedCard(Struct, frozen=True):
    """Something that is borrowed: all that its borrower is told of it."""

    thing: Borrowed
    due: DueDay | None


class Sheaf(Struct, frozen=True):
    """Loans that are due at about the same time."""

    key: str
    name: str
    lent: list[LentCard]


@get(addresses.LOANS, opt=needs(Need.SIGNED_IN))
async def loans(request: Request, cursor: Cursor = None, more: Cursor = None) -> Response[Any]:
    """What is lent, overdue first (`cursor` goes on), and what is borrowed (`more`): 3 requests."""
    store, person, now = request.store, request.person, time.time()
    lent = await lent_by_me(store, now, person, cursor=cursor)
    borrowed = await borrowed_by_me(store, now, person, cursor=more)
    cards = [
        LentCard(card_of(one.item, request), loan)
        for one in lent.lent
        if (loan := loan_of(one.item, now, person)) is not None
    ]
    return page(
        request,
        TEMPLATE,
        sheaves=sheaves(cards),
        borrowed=[
            BorrowedCard(one, due_day(one.due_date, now, person)) for one in borrowed.borrowed
        ],
        cursor=lent.cursor,
        more=borrowed.cursor,
        is_more=cursor is not None,
        may=request.caller.acting_as is None,
    )


def sheaves(lent: Sequence[LentCard]) -> list[Sheaf]:
    """Loans in the order in which they are due, in sheaves: what is overdue comes first."""
    names: dict[str, Callable[[], str]] = {
        "overdue": lambda: _("Overdue"),
        "soon": lambda: _("Due this week"),
        "later": lambda: _("Due later"),
        "any-time": lambda: _("No due date"),
    }
    return [Sheaf(key, names[key](), list(some)) for key, some in groupby(lent, _when)]


def _when(one: LentCard) -> str:
    due = one.loan.due
    if due is None:
        return "any-time"
    return "overdue" if due.is_overdue else "soon" if due.is_soon else "later"


HANDLERS = [loans]
