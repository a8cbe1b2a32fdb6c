"""The answer that is theirs: of the account, or the one that was given on this device."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from commonroom.shareables.errors import AlreadyAnswered, TryAgain, WrongCode
from commonroom.shareables.pages.cookies import receipt_in
from commonroom.shareables.rules.answers import Receipt
from commonroom.shareables.service.answers import account_receipt
from commonroom.shareables.service.gate import Opened, P, as_guest
from commonroom.web.request import Request

T = TypeVar("T")


async def with_receipt(
    request: Request, gate: Opened[Any], do: Callable[[Receipt], Awaitable[T]]
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


async def change_or_create(
    request: Request,
    gate: Opened[P],
    change: Callable[[Receipt], Awaitable[T]],
    create: Callable[[Opened[P]], Awaitable[T]],
    *,
    anew: bool,
) -> tuple[T, bool]:
    """Their answer, and whether it was there before; `anew` for somebody else at this device."""
    if anew:
        return await create(as_guest(gate)), False
    for _ in range(2):
        if (changed := await with_receipt(request, gate, change)) is not None:
            return changed, True
        try:
            return await create(gate), False
        except AlreadyAnswered:
            continue  # on another device, in the same moment
    raise TryAgain
