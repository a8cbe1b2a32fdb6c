"""Lending an item in two taps, taking it back, and saying until when somebody may have it."""

from __future__ import annotations

import time
from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath
from msgspec.structs import replace

from commonroom.errors import CommonroomError, Conflict, InvalidField, RateLimited
from commonroom.library.errors import NeedsConfirmation
from commonroom.library.pages import addresses, borrowers
from commonroom.library.pages.cards import card_of
from commonroom.library.pages.coming_back import back
from commonroom.library.pages.due_dates import Choice, chosen
from commonroom.library.pages.lent import loan_of
from commonroom.library.pages.showing import again, page
from commonroom.library.service.history import HistorySeen, see_history
from commonroom.library.service.lending import change_due_date, lend, return_item
from commonroom.web.access import Need, needs
from commonroom.web.forms import EMPTY, Address, Filled, Form, Line, Sent, refused
from commonroom.web.redirects import redirect
from commonroom.web.request import Next, Request

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
    again: Line = ""
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
    return page(request, LEND, **await _lend_context(request, seen, next), form=EMPTY)


@post(f"{addresses.ITEM}/lend", opt=needs(Need.THEMSELVES), status_code=200)
async def lend_it(
    request: Request, library_id: FromPath[str], item_id: FromPath[str], data: Sent[LendForm]
) -> Response[Any]:
    """Lends it: three requests, two more where a name was tapped, and more with an account."""
    store, person, now = request.store, request.person, time.time()
    name, email = data.again or data.lent_to, data.email.strip() or None
    going_on = back(data.next, addresses.item(library_id, item_id))
    try:
        if data.again:
            email = await borrowers.address_of(store, now, person, name)
        due = chosen(data.due, data.due_date, now, person)
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
        return again(request, LEND, error, **context, form=refused(form, error), **_asks(error))
    return redirect(going_on, "lent")


@post(f"{addresses.ITEM}/return", opt=needs(Need.THEMSELVES), status_code=200)
async def take_back(
    request: Request, library_id: FromPath[str], item_id: FromPath[str], data: Sent[ReturnForm]
) -> Response[Any]:
    """Takes it back; one that is back already is no mistake."""
    here = back(data.next, addresses.item(library_id, item_id))
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
    return page(request, DUE, **_context(request, seen), form=form)


@post(f"{addresses.ITEM}/due", opt=needs(Need.THEMSELVES), status_code=200)
async def change_due(
    request: Request, library_id: FromPath[str], item_id: FromPath[str], data: Sent[DueForm]
) -> Response[Any]:
    """Gives a loan another date, or none."""
    store, person, now = request.store, request.person, time.time()
    try:
        due = chosen(data.due, data.due_date, now, person)
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
    return again(request, DUE, error, **context, form=refused(data, error))


def _asks(error: CommonroomError) -> dict[str, bool]:
    """Whether the form asks if a day in the past is meant."""
    return {"asks_past_due": isinstance(error, NeedsConfirmation)}


async def _seen(request: Request, library_id: str, item_id: str) -> HistorySeen:
    """An item of whoever asks, and who had it before: three requests."""
    return await see_history(request.store, request.person, library_id, item_id)


def _context(request: Request, seen: HistorySeen) -> dict[str, Any]:
    return {
        "card": card_of(seen.item, request),
        "loan": loan_of(seen.item, time.time(), request.person),
        "in_place": request.headers.get("hx-request") == "true",
    }


async def _lend_context(request: Request, seen: HistorySeen, came_from: str) -> dict[str, Any]:
    store, person = request.store, request.person
    known = await borrowers.offered(store, time.time(), person, seen.loans)
    return {**_context(request, seen), "borrowers": known, "came_from": back(came_from, "")}


HANDLERS = [lend_form, lend_it, take_back, due_form, change_due]
