"""How fast pages may be written to: by one guest, by one account, and on one page.

A guard of the room's routers, so that nothing that writes escapes it. Each process counts for
itself; what must hold exactly is counted in the store (`service/guest_storage.py`).
"""

from __future__ import annotations

import time
from collections.abc import Callable

from msgspec.structs import asdict

from commonroom.http.csrf import SAFE
from commonroom.http.request import Request
from commonroom.rate_limits import Rate, RateLimiter, network_of
from commonroom.shareables.errors import TooManyWrites
from commonroom.shareables.rules.limits import page_bytes
from commonroom.shareables.rules.short_ids import read_short_id
from commonroom.shareables.service.gate import Page, PageAccess
from commonroom.shareables.tables import Checklist

GUEST = Rate(burst=240, per_minute=90)
"""From one address, behind which a family may be that ticks off its shopping."""
ACCOUNT = Rate(burst=600, per_minute=300)
PAGE = Rate(burst=1200, per_minute=600)
"""By everybody together: a school votes in an hour."""
COST_BYTES = 8192
"""A write that stores a page anew counts once more for each of these."""

COUNTED = "shareables.size_counted"
"""In a request's state."""


class ShareableWriteLimits:
    """The buckets of one process."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._guests = RateLimiter(GUEST, clock=clock)
        self._accounts = RateLimiter(ACCOUNT, clock=clock)
        self._pages = RateLimiter(PAGE, clock=clock)

    def take(self, account_id: str | None, address: str, page: str | None, cost: float) -> None:
        """Counts a person's write to a page; refused where that is too much."""
        if account_id is not None:
            wait = self._accounts.take(account_id, cost)
        else:
            wait = self._guests.take(network_of(address), cost)
        if not wait and page is not None:
            wait = self._pages.take(page, cost)
        if wait:
            raise TooManyWrites(wait)


async def limit_writes(request: Request) -> None:
    """The guard: counts whatever does not only look."""
    if request.scope["method"] not in SAFE:
        page = read_short_id(request.path_params.get("short_id", ""))
        _take(request, page, 1)


def count_size(request: Request, gate: PageAccess[Page]) -> None:
    """Counts a write to a large page for more: answers and edits store it anew, ticks do not.

    Once, and before it is done: a page is opened again to show what became of it.
    """
    scope = request.scope
    is_done = scope["state"].get(COUNTED) or "short_id" not in scope["path_params"]
    if scope["method"] in SAFE or is_done:
        return
    scope["state"][COUNTED] = True
    is_tick = isinstance(gate.page, Checklist) and gate.want == "view"
    if not is_tick and (cost := page_bytes(asdict(gate.page)) // COST_BYTES):
        _take(request, gate.page.short_id, cost)


def _take(request: Request, page: str | None, cost: float) -> None:
    account = request.caller.account
    account_id = None if account is None else account.user_id
    _limits(request).take(account_id, request.client_address, page, cost)


def _limits(request: Request) -> ShareableWriteLimits:
    state = request.app.state
    try:
        limits: ShareableWriteLimits = state.write_limits
    except AttributeError:
        limits = state.write_limits = ShareableWriteLimits()
    return limits
