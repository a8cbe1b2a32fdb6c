"""Loans: lending in two taps, taking back, due dates, and all that is lent and borrowed."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from commonroom.errors import Conflict, NeedsConfirmation, Refusal
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.forms import EMPTY, Address, Form, FormState, Line, Pages
from commonroom.http.redirects import redirect
from commonroom.http.request import Cursor, Next, Request
from commonroom.http.responses import Response
from commonroom.http.words import _
from commonroom.joins.home_actions import HomeForm, answer_on_home
from commonroom.library.pages import addresses
from commonroom.library.pages.addresses import return_to
from commonroom.library.pages.cards import (
    DueDay,
    LibraryItemCard,
    LoanCard,
    card_of,
    due_day,
    loan_of,
)
from commonroom.library.pages.page import render_page
from commonroom.library.rules.loans import DueChoice, chosen_due_date
from commonroom.library.service import loans as service
from commonroom.library.service.history import HistoryPage, see_history

pages = Pages()


class DueForm(Form):
    """Until when; `due_date` where a day is chosen."""

    due: DueChoice = ""
    due_date: Line = ""
    past_due: bool = False
    """That a day in the past is meant: the owner was asked."""


class LendForm(DueForm):
    """To whom: a borrower whose name was tapped (`again`), or a typed one."""

    next: Address = ""
    again: Line = ""
    lent_to: Line = ""
    email: Line = ""


class ReturnForm(HomeForm):
    """From which page something is taken back."""

    next: Address = ""


class LentCard(Struct, frozen=True):
    """Something that is lent."""

    card: LibraryItemCard
    loan: LoanCard


class BorrowedCard(Struct, frozen=True):
    """Something that is borrowed: all that its borrower is told of it."""

    thing: service.Borrowed
    due: DueDay | None


class DueGroup(Struct, frozen=True):
    """Loans that are due at about the same time."""

    key: str
    name: str
    lent: list[LentCard]


@pages.page(addresses.LOANS, Need.SIGNED_IN)
async def loans(request: Request, cursor: Cursor = None, more: Cursor = None) -> Response[Any]:
    """What is lent, overdue first (`cursor` goes on), and what is borrowed (`more`): 3 requests."""
    now, person = request.now, request.person
    lent = await service.lent_by_me(request.context, cursor=cursor)
    borrowed = await service.borrowed_by_me(request.context, cursor=more)
    cards = [
        LentCard(card_of(one.item, request), loan)
        for one in lent.items
        if (loan := loan_of(one.item, now, person)) is not None
    ]
    return render_page(
        request,
        "library/loans.html",
        due_groups=group_by_due(cards),
        borrowed=[BorrowedCard(one, due_day(one.due_date, now, person)) for one in borrowed.items],
        cursor=lent.cursor,
        more=borrowed.cursor,
        is_more=cursor is not None,
        may=request.caller.acting_as is None,
    )


@pages.page(f"{addresses.ITEM}/lend", Need.NOT_ACTING)
async def lend_form(
    request: Request,
    library_id: str,
    item_id: str,
    *,
    next: Next = "",  # noqa: A002 - the word in the address
    form: FormState = EMPTY,
    error: Refusal | None = None,
) -> Response[Any]:
    """To whom? Four requests."""
    seen = await see_history(request.context, library_id, item_id)
    if seen.item.lent_to is not None and error is None:
        return redirect(addresses.item(library_id, item_id))
    if form.value("again"):
        # A name that was tapped stands in its field, so that the question need only be answered.
        form = replace(form, values={**form.values, "lent_to": form.value("again"), "again": ""})
    return render_page(
        request,
        "library/lend.html",
        **_context(request, seen, form, error),
        borrowers=await service.known_borrowers(request.context, seen.loans),
        came_from=return_to(next or form.value("next") or "", ""),
    )


@pages.form(f"{addresses.ITEM}/lend", Need.NOT_ACTING, on=lend_form)
async def lend_it(
    request: Request, ctx: Ctx, library_id: str, item_id: str, data: LendForm
) -> Response[Any]:
    """Lends it: three requests, two more where a name was tapped, and more with an account."""
    name, email = data.again or data.lent_to, data.email.strip() or None
    done = return_to(data.next, addresses.item(library_id, item_id))
    if data.again:
        email = await service.address_of_borrower(ctx, name)
    try:
        await service.lend(
            ctx,
            library_id,
            item_id,
            to=name,
            due=chosen_due_date(data.due, data.due_date, ctx.now, ctx.person),
            email=email,
            asked_from=request.client_address,
            past_due=data.past_due,
        )
    except Conflict as error:
        if error.extensions.get("lent_to") == " ".join(name.split()):
            return redirect(done)  # it was tapped twice
        raise
    return redirect(done, "lent")


@pages.form(f"{addresses.ITEM}/return", Need.NOT_ACTING)
async def take_back(
    request: Request, ctx: Ctx, library_id: str, item_id: str, data: ReturnForm
) -> Response[Any]:
    """Takes it back; one that is back already is no mistake."""
    done = return_to(data.next, addresses.item(library_id, item_id))
    flash: str | None = "returned"
    try:
        await service.return_item(ctx, library_id, item_id)
    except Conflict:
        flash = None
    if data.home:
        return answer_on_home(request, data.home, "returned")
    return redirect(done, flash)


@pages.page(f"{addresses.ITEM}/due", Need.NOT_ACTING)
async def due_form(
    request: Request,
    library_id: str,
    item_id: str,
    form: FormState | None = None,
    error: Refusal | None = None,
) -> Response[Any]:
    """Until when? Three requests."""
    seen = await see_history(request.context, library_id, item_id)
    if seen.item.lent_to is None and error is None:
        return redirect(addresses.item(library_id, item_id))
    kept = seen.item.due_date
    stored = FormState({"due": "day" if kept else "", "due_date": kept or ""})
    return render_page(
        request, "library/due.html", **_context(request, seen, form or stored, error)
    )


@pages.form(f"{addresses.ITEM}/due", Need.NOT_ACTING, on=due_form)
async def change_due(ctx: Ctx, library_id: str, item_id: str, data: DueForm) -> Response[Any]:
    """Sets or clears the due date of a loan."""
    here = addresses.item(library_id, item_id)
    due = chosen_due_date(data.due, data.due_date, ctx.now, ctx.person)
    try:
        await service.change_due_date(ctx, library_id, item_id, due=due, past_due=data.past_due)
    except NeedsConfirmation:
        raise
    except Conflict:
        return redirect(here)  # it came back meanwhile
    return redirect(here, "due-saved" if due else "due-removed")


def group_by_due(lent: Sequence[LentCard]) -> list[DueGroup]:
    """Loans in the order in which they are due, in groups: what is overdue comes first."""
    names = {
        "overdue": _("Overdue"),
        "soon": _("Due this week"),
        "later": _("Due later"),
        "any-time": _("No due date"),
    }

    def group_of(one: LentCard) -> str:
        due = one.loan.due
        if due is None:
            return "any-time"
        return "overdue" if due.is_overdue else "soon" if due.is_soon else "later"

    return [DueGroup(key, names[key], list(some)) for key, some in groupby(lent, group_of)]


def _context(
    request: Request, seen: HistoryPage, form: FormState, error: Refusal | None
) -> dict[str, Any]:
    return {
        "card": card_of(seen.item, request),
        "loan": loan_of(seen.item, request.now, request.person),
        "in_place": request.headers.get("hx-request") == "true",
        "form": form,
        # Whether the form asks if a day in the past is meant.
        "asks_past_due": isinstance(error, NeedsConfirmation),
    }
