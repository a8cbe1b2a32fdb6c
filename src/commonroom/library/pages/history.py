"""The history of an item: who had it and for how long, drawn as bars on one line of time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from commonroom.accounts.tables import User
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.forms import EMPTY, FormState, Pages
from commonroom.http.request import Cursor, Request
from commonroom.http.responses import Response
from commonroom.library import words
from commonroom.library.pages import addresses
from commonroom.library.pages.cards import card_of
from commonroom.library.pages.page import render_page
from commonroom.library.rules.loans import Loan, overdue_from
from commonroom.library.service.history import clear_history, see_history
from commonroom.moments import seconds

HERE = f"{addresses.ITEM}/history"
WIDTH = 1000
THINNEST = 12
"""What a loan of an afternoon looks like beside one of a year."""


pages = Pages()


@pages.page(HERE, Need.SIGNED_IN)
async def history(
    request: Request, library_id: str, item_id: str, cursor: Cursor = None, form: FormState = EMPTY
) -> Response[Any]:
    """The loans of an item, the newest first: three requests."""
    seen = await see_history(request.context, library_id, item_id, cursor=cursor)
    return render_page(
        request,
        "library/history.html",
        card=card_of(seen.item, request),
        timeline=timeline(seen.loans, request.now, request.person),
        cursor=seen.cursor,
        may=request.caller.acting_as is None,
        form=form,
    )


@pages.form(f"{HERE}/clear", Need.NOT_ACTING, on=history, flash="history-cleared")
async def clear(ctx: Ctx, library_id: str, item_id: str) -> None:
    """Clears an item's history, unless it is lent now."""
    await clear_history(ctx, library_id, item_id)


class LoanBar(Struct, frozen=True):
    """A loan, and where its bar begins and ends; the last part of it may be overdue."""

    loan: Loan
    lasted: str | None
    """In words; None where nobody knows when it began."""
    start: int
    width: int
    late: int
    """How much of the width, at the end, was after the due date."""

    @property
    def is_open(self) -> bool:
        """Whether the loan still lasts."""
        return self.loan.returned_at is None


class LoanTimeline(Struct, frozen=True):
    """Bars, the newest first, and the moments at which their line begins and ends."""

    bars: list[LoanBar]
    begins: float
    ends: float


def timeline(loans: Sequence[Loan], now: float, owner: User) -> LoanTimeline | None:
    """Loans on a line that is as long as all of them; None where there are none."""
    if not loans:
        return None
    spans = [_span(one, now) for one in loans]
    begins, ends = min(one for one, _ in spans), max(one for _, one in spans)
    scale = WIDTH / max(ends - begins, words.DAY)
    bars = [
        _bar(loan, (first - begins) * scale, (last - begins) * scale, _late(loan, last, owner), now)
        for loan, (first, last) in zip(loans, spans, strict=True)
    ]
    return LoanTimeline(bars, begins, ends)


def _span(loan: Loan, now: float) -> tuple[float, float]:
    """When a loan began and when it ended; for one whose beginning nobody knows, its end twice."""
    end = now if loan.returned_at is None else seconds(loan.returned_at)
    return (end if loan.lent_at is None else seconds(loan.lent_at)), end


def _late(loan: Loan, end: float, owner: User) -> float:
    """Returns which part of a loan was after its due date, from 0 to 1."""
    if loan.due_date is None or loan.lent_at is None:
        return 0
    begin = seconds(loan.lent_at)
    late = end - max(begin, overdue_from(loan.due_date, owner))
    return max(0.0, late / (end - begin)) if end > begin else 0


def _bar(loan: Loan, start: float, end: float, late: float, now: float) -> LoanBar:
    width = max(round(end - start), THINNEST)
    lasted = None if loan.lent_at is None else _span(loan, now)[1] - seconds(loan.lent_at)
    return LoanBar(
        loan,
        None if lasted is None else words.duration(lasted),
        min(round(start), WIDTH - width),
        width,
        round(width * late),
    )
