"""Everything that somebody has lent, and everything that they have borrowed."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath
from msgspec import Struct
from msgspec.structs import replace

from commonroom.accounts.tables import User
from commonroom.errors import CommonroomError, Conflict, InvalidField, RateLimited
from commonroom.library.errors import NeedsConfirmation
from commonroom.library.pages import addresses
from commonroom.library.pages.addresses import return_to
from commonroom.library.pages.cards import ItemCard, card_of
from commonroom.library.pages.loan_cards import (
    Choice,
    DueDay,
    LoanCard,
    chosen_due_date,
    due_day,
    loan_of,
)
from commonroom.library.pages.page import render_page, render_refused_page
from commonroom.library.rules.loans import Loan
from commonroom.library.service.history import HistoryPage, see_history
from commonroom.library.service.loans import (
    Borrowed,
    Lent,
    borrowed_by_me,
    change_due_date,
    lend,
    lent_by_me,
    return_item,
)
from commonroom.store import Store
from commonroom.web.access import Need, needs
from commonroom.web.forms import EMPTY, Address, Filled, Form, Line, Sent, refused
from commonroom.web.redirects import redirect
from commonroom.web.request import Cursor, Next, Request
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


class DueGroup(Struct, frozen=True):
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
    return render_page(
        request,
        TEMPLATE,
        sheaves=group_by_due(cards),
        borrowed=[
            BorrowedCard(one, due_day(one.due_date, now, person)) for one in borrowed.borrowed
        ],
        cursor=lent.cursor,
        more=borrowed.cursor,
        is_more=cursor is not None,
        may=request.caller.acting_as is None,
    )


def group_by_due(lent: Sequence[LentCard]) -> list[DueGroup]:
    """Loans in the order in which they are due, in sheaves: what is overdue comes first."""
    names: dict[str, Callable[[], str]] = {
        "overdue": lambda: _("Overdue"),
        "soon": lambda: _("Due this week"),
        "later": lambda: _("Due later"),
        "any-time": lambda: _("No due date"),
    }
    return [DueGroup(key, names[key](), list(some)) for key, some in groupby(lent, _when)]


def _when(one: LentCard) -> str:
    due = one.loan.due
    if due is None:
        return "any-time"
    return "overdue" if due.is_overdue else "soon" if due.is_soon else "later"


LEND = "library/lend.html"
DUE = "library/due.html"


class DueForm(Form):
    """Until when; `due_date` where a day is chosen."""

    due: Choice = ""
    due_date: Line = ""
    past_due: bool = False
    """That a day in the past is meant: somebody was asked."""


class LendForm(DueForm):
    """To whom: somebody whose name was tapped (`again`), or one that is typed."""

    next: Address = ""
    render_refused_page: Line = ""
    lent_to: Line = ""
    email: Line = ""


class ReturnForm(Form):
    """From which page something is taken back."""

    next: Address = ""


@get(f"{addresses.ITEM}/lend", opt=needs(Need.THEMSELVES))
async def lend_form(
    request: Request,
    library_id: FromPath[str],
    item_id: FromPath[str],
    next: Next = "",  # noqa: A002 - the word in the address
) -> Response[Any]:
    """To whom? Four requests."""
    seen = await _seen(request, library_id, item_id)
    if seen.item.lent_to is not None:
        return redirect(addresses.item(library_id, item_id))
    return render_page(request, LEND, **await _lend_context(request, seen, next), form=EMPTY)


@post(f"{addresses.ITEM}/lend", opt=needs(Need.THEMSELVES), status_code=200)
async def lend_it(
    request: Request, library_id: FromPath[str], item_id: FromPath[str], data: Sent[LendForm]
) -> Response[Any]:
    """Lends it: three requests, two more where a name was tapped, and more with an account."""
    store, person, now = request.store, request.person, time.time()
    name, email = data.again or data.lent_to, data.email.strip() or None
    going_on = return_to(data.next, addresses.item(library_id, item_id))
    try:
        if data.again:
            email = await address_of(store, now, person, name)
        due = chosen_due_date(data.due, data.due_date, now, person)
        await lend(
            store,
            now,
            person,
            library_id,
            item_id,
            to=name,
            due=due,
            email=email,
            asked_from=request.client_address,
            past_due=data.past_due,
        )
    except (InvalidField, Conflict, RateLimited) as error:
        if error.extensions.get("lent_to") == " ".join(name.split()):
            return redirect(going_on)  # somebody tapped twice
        context = await _lend_context(request, await _seen(request, library_id, item_id), data.next)
        # A name that was tapped stands in its field, so that the question need only be answered.
        form = replace(data, lent_to=name, again="")
        return render_refused_page(
            request, LEND, error, **context, form=refused(form, error), **_asks(error)
        )
    return redirect(going_on, "lent")


@post(f"{addresses.ITEM}/return", opt=needs(Need.THEMSELVES), status_code=200)
async def take_back(
    request: Request, library_id: FromPath[str], item_id: FromPath[str], data: Sent[ReturnForm]
) -> Response[Any]:
    """Takes it back; one that is back already is no mistake."""
    here = return_to(data.next, addresses.item(library_id, item_id))
    try:
        await return_item(request.store, time.time(), request.person, library_id, item_id)
    except Conflict:
        return redirect(here)
    return redirect(here, "returned")


@get(f"{addresses.ITEM}/due", opt=needs(Need.THEMSELVES))
async def due_form(
    request: Request, library_id: FromPath[str], item_id: FromPath[str]
) -> Response[Any]:
    """Until when? Three requests."""
    seen = await _seen(request, library_id, item_id)
    if seen.item.lent_to is None:
        return redirect(addresses.item(library_id, item_id))
    kept = seen.item.due_date
    form = Filled({"due": "day" if kept else "", "due_date": kept or ""})
    return render_page(request, DUE, **_context(request, seen), form=form)


@post(f"{addresses.ITEM}/due", opt=needs(Need.THEMSELVES), status_code=200)
async def change_due(
    request: Request, library_id: FromPath[str], item_id: FromPath[str], data: Sent[DueForm]
) -> Response[Any]:
    """Gives a loan another date, or none."""
    store, person, now = request.store, request.person, time.time()
    try:
        due = chosen_due_date(data.due, data.due_date, now, person)
        await change_due_date(
            store, now, person, library_id, item_id, due=due, past_due=data.past_due
        )
    except (InvalidField, NeedsConfirmation) as error:
        return await _due_refused(request, library_id, item_id, data, error)
    except Conflict:
        return redirect(addresses.item(library_id, item_id))  # it came back meanwhile
    return redirect(addresses.item(library_id, item_id), "due-saved" if due else "due-removed")


async def _due_refused(
    request: Request, library_id: str, item_id: str, data: DueForm, error: CommonroomError
) -> Response[Any]:
    seen = await _seen(request, library_id, item_id)
    context = {**_context(request, seen), **_asks(error)}
    return render_refused_page(request, DUE, error, **context, form=refused(data, error))


def _asks(error: CommonroomError) -> dict[str, bool]:
    """Whether the form asks if a day in the past is meant."""
    return {"asks_past_due": isinstance(error, NeedsConfirmation)}


async def _seen(request: Request, library_id: str, item_id: str) -> HistoryPage:
    """An item of whoever asks, and who had it before: three requests."""
    return await see_history(request.store, request.person, library_id, item_id)


def _context(request: Request, seen: HistoryPage) -> dict[str, Any]:
    return {
        "card": card_of(seen.item, request),
        "loan": loan_of(seen.item, time.time(), request.person),
        "in_place": request.headers.get("hx-request") == "true",
    }


async def _lend_context(request: Request, seen: HistoryPage, came_from: str) -> dict[str, Any]:
    store, person = request.store, request.person
    known = await known_borrowers(store, time.time(), person, seen.loans)
    return {**_context(request, seen), "borrowers": known, "came_from": return_to(came_from, "")}


MOST_OFFERED = 8


class Borrower(Struct, frozen=True):
    """Somebody to lend to in one tap."""

    name: str
    has_account: bool
    """Whether what they have now is lent to an account, as the next thing then is."""


async def known_borrowers(
    store: Store, now: float, person: User, loans: Iterable[Loan]
) -> list[Borrower]:
    """Whoever had an item before, the last one first, then whoever has something: one request."""
    lent = (await lent_by_me(store, now, person)).lent
    names = [one.borrower for one in loans] + [one.item.lent_to or "" for one in lent]
    known: dict[str, str] = {}
    for name in names:
        known.setdefault(name.casefold(), name)
    return [Borrower(one, _account_id(lent, one) is not None) for one in known.values()][
        :MOST_OFFERED
    ]


async def address_of(store: Store, now: float, person: User, name: str) -> str | None:
    """The address of the account that has something under a name; two requests.

    It is looked up and not sent with the page: a new address of theirs is not the lender's to see.
    """
    account_id = _account_id((await lent_by_me(store, now, person)).lent, name)
    if account_id is None:
        return None
    account = await store.get(User.at(user_id=account_id))
    return None if account is None or account.disabled_at is not None else account.email


def _account_id(lent: Iterable[Lent], name: str) -> str | None:
    """The one account that has something under this name; None where that is not clear."""
    same = [one.item.borrower_id for one in lent if one.item.lent_to == name]
    return same[0] if len(set(same)) == 1 else None


HANDLERS = [loans, lend_form, lend_it, take_back, due_form, change_due]
