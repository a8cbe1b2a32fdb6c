"""The cookies of a page: passes, the receipt of an answer, ticks; no other page sees them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from commonroom.http.headers import cookie_in, header_in
from commonroom.http.request import Request
from commonroom.http.responses import Cookie, Response
from commonroom.shareables.errors import WrongCode
from commonroom.shareables.request import PASS_COOKIES, PLAN_COOKIE, passes_of
from commonroom.shareables.rules.access import Receipt
from commonroom.shareables.rules.short_ids import address_of
from commonroom.shareables.service.answers import account_receipt
from commonroom.shareables.service.gate import PageAccess

T = TypeVar("T")

MAX_AGE = 400 * 24 * 3600
"""As long as browsers keep a cookie at all, and as a page lives with the year after it."""
ONCE_SECONDS = 300

RECEIPT, FRESH, TICKS, NAME = "receipt", "fresh", "ticks", "name"


def keep_pass(request: Request, answer: Response[Any], token: str) -> None:
    """Keeps a pass in this browser, for its page."""
    one = passes_of(request).open(token)
    if one is not None:
        name = PLAN_COOKIE if one.plan_id else PASS_COOKIES[one.standing]
        keep(request, answer, one.short_id, name, token)


def keep_receipt(request: Request, answer: Response[Any], given: Receipt) -> None:
    """Keeps which answer was given in this browser."""
    keep(request, answer, given.short_id, RECEIPT, passes_of(request).seal_receipt(given))


def receipt_in(request: Request) -> Receipt | None:
    """Returns which answer was given in this browser."""
    token = cookie_in(request.scope, RECEIPT)
    return None if not token else passes_of(request).open_receipt(token)


async def with_receipt(
    request: Request, gate: PageAccess[Any], do: Callable[[Receipt], Awaitable[T]]
) -> T | None:
    """Does something with the answer of the account, or else of this device; None without any."""
    for receipt in (account_receipt(gate), receipt_in(request)):
        if receipt is None:
            continue
        try:
            return await do(receipt)
        except WrongCode:
            continue  # it was withdrawn elsewhere
    return None


def forget_receipt(request: Request, answer: Response[Any], short_id: str) -> None:
    """Forgets the answer, which was withdrawn or belongs to another person from now on."""
    keep(request, answer, short_id, RECEIPT, "")


def forget(request: Request, answer: Response[Any], short_id: str) -> None:
    """Forgets all that this browser keeps for a page."""
    for name in (*PASS_COOKIES.values(), PLAN_COOKIE, RECEIPT, FRESH, TICKS, NAME):
        keep(request, answer, short_id, name, "")


def announce_code(request: Request, answer: Response[Any], short_id: str) -> None:
    """Lets the page that comes next show the code of the answer, once."""
    keep(request, answer, short_id, FRESH, "1", seconds=ONCE_SECONDS)


def fresh_code(request: Request) -> str | None:
    """Returns the code of an answer that was given a moment ago, for the page that shows it."""
    # Not for what an open page fetches by itself: nobody would see it there.
    is_read = header_in(request.scope, "sec-fetch-mode") in (None, "navigate")
    given = receipt_in(request) if is_read and cookie_in(request.scope, FRESH) else None
    return None if given is None else given.code


def code_was_shown(request: Request, answer: Response[Any], short_id: str) -> None:
    """Does not show it again, and lets nobody keep the page that showed it."""
    keep(request, answer, short_id, FRESH, "")
    answer.headers["Cache-Control"] = "no-store"


def keep(
    request: Request,
    answer: Response[Any],
    short_id: str,
    name: str,
    value: str,
    *,
    seconds: int = MAX_AGE,
    below: str = "",
) -> None:
    """Keeps something for a page, or for what is below it; nothing is no longer kept."""
    answer.set_cookie(
        Cookie(
            name,
            value=value,
            path=address_of(short_id) + below,
            max_age=seconds if value else 0,
            httponly=True,
            samesite="lax",
            secure=request.scope["scheme"] == "https",
        )
    )
