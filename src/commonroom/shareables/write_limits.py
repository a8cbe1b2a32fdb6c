"""How fast pages may be written to: by one guest, by one account, and on one page.

A guard of the room's routers, so that nothing that writes escapes it. Each process counts for
itself; what must hold exactly is counted in the store (`service/guest_storage.py`).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from litestar.connection import ASGIConnection
from litestar.handlers import BaseRouteHandler
from msgspec.structs import asdict

from commonroom.http.authentication import Caller
from commonroom.http.client_address import client_of
from commonroom.http.csrf import SAFE
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

Connection = ASGIConnection[Any, Any, Any, Any]


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


async def limit_writes(connection: Connection, _: BaseRouteHandler) -> None:
    """The guard: counts whatever does not only look."""
    if connection.scope["method"] not in SAFE:  # type: ignore[typeddict-item] # it is no websocket
        page = read_short_id(connection.scope["path_params"].get("short_id", ""))
        _take(connection, page, 1)


def count_size(request: Connection, gate: PageAccess[Page]) -> None:
    """Counts a write to a large page for more: answers and edits store it anew, ticks do not.

    Once, and before it is done: a page is opened again to show what became of it.
    """
    scope = request.scope
    is_done = scope["state"].get(COUNTED) or "short_id" not in scope["path_params"]
    if scope["method"] in SAFE or is_done:  # type: ignore[typeddict-item] # the same
        return
    scope["state"][COUNTED] = True
    is_tick = isinstance(gate.page, Checklist) and gate.want == "view"
    if not is_tick and (cost := page_bytes(asdict(gate.page)) // COST_BYTES):
        _take(request, gate.page.short_id, cost)


def _take(connection: Connection, page: str | None, cost: float) -> None:
    caller: Caller = connection.scope["state"]["caller"]
    account_id = None if caller.account is None else caller.account.user_id
    _limits(connection).take(account_id, client_of(connection)["address"], page, cost)


def _limits(connection: Connection) -> ShareableWriteLimits:
    state = connection.scope["litestar_app"].state
    try:
        limits: ShareableWriteLimits = state.write_limits
    except AttributeError:
        limits = state.write_limits = ShareableWriteLimits()
    return limits
