"""The answer that was given on this device: found by its receipt, and kept as one."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from litestar import Response

from commonroom.shareables.addresses import address_of
from commonroom.shareables.errors import WrongCode
from commonroom.shareables.pages.cookies import announce_code, keep_receipt, receipt_in
from commonroom.shareables.rules.access import Receipt
from commonroom.shareables.tables import EventRsvp, PollVote
from commonroom.web.people.asking import AnyRequest
from commonroom.web.rendering import to

T = TypeVar("T")


async def with_receipt(
    request: AnyRequest, doing: Callable[[Receipt], Awaitable[T]], *, unless: bool = False
) -> T | None:
    """Does something with the answer of this device; None where there is none, or no longer.

    Nor where it is somebody else's turn.
    """
    receipt = None if unless else receipt_in(request)
    if receipt is None:
        return None
    try:
        return await doing(receipt)
    except WrongCode:
        return None  # it was withdrawn elsewhere


def given(request: AnyRequest, new: EventRsvp | PollVote, say: str) -> Response[bytes]:
    """Leads back to the page after an answer: this device keeps it, and shows its code once."""
    answer = to(address_of(new.short_id), say)
    keep_receipt(request, answer, Receipt(new.short_id, new.code))
    announce_code(request, answer, new.short_id)
    return answer
