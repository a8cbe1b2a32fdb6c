"""The answer that is theirs: of the account, or the one that was given on this device."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from litestar import Response

from commonroom.shareables.addresses import address_of
from commonroom.shareables.errors import AlreadyAnswered, TryAgain, WrongCode
from commonroom.shareables.pages.cookies import announce_code, keep_receipt, receipt_in
from commonroom.shareables.rules.access import Receipt
from commonroom.shareables.service.answers import account_receipt
from commonroom.shareables.service.gate import Opened, P, as_guest
from commonroom.shareables.tables import EventRsvp, PollVote
from commonroom.web.redirects import redirect
from commonroom.web.request import Request

T = TypeVar("T")


async def with_receipt(
    request: Request, gate: Opened[Any], doing: Callable[[Receipt], Awaitable[T]]
) -> T | None:
    """Does something with the answer of the account, or else of this device; None without any."""
    for receipt in (account_receipt(gate), receipt_in(request)):
        if receipt is None:
            continue
        try:
            return await doing(receipt)
        except WrongCode:
            continue  # it was withdrawn elsewhere
    return None


async def changed_or_given(
    request: Request,
    gate: Opened[P],
    change: Callable[[Receipt], Awaitable[T]],
    give: Callable[[Opened[P]], Awaitable[T]],
    *,
    anew: bool,
) -> tuple[T, bool]:
    """Their answer, and whether it was there before; `anew` for somebody else at this device."""
    if anew:
        return await give(as_guest(gate)), False
    for _ in range(2):
        if (changed := await with_receipt(request, gate, change)) is not None:
            return changed, True
        try:
            return await give(gate), False
        except AlreadyAnswered:
            continue  # on another device, in the same moment
    raise TryAgain


def given(request: Request, new: EventRsvp | PollVote, say: str) -> Response[bytes]:
    """Leads back to the page after an answer: this device keeps a guest's, and shows its code."""
    answer = redirect(address_of(new.short_id), say)
    if new.account_id is None:
        keep_receipt(request, answer, Receipt(new.short_id, new.code))
        announce_code(request, answer, new.short_id)
    return answer
