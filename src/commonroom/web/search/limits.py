"""How often somebody may search; each process counts for itself."""

from __future__ import annotations

from math import ceil

from commonroom.errors import RateLimited
from commonroom.rate_limits import Rate, RateLimiter, network_of
from commonroom.web.client_address import client_of
from commonroom.web.request import Request

GUEST = Rate(burst=120, per_minute=120)
"""From one address, behind which a family may sit that types with four hands."""
ACCOUNT = Rate(burst=240, per_minute=240)


class SearchLimits:
    """The buckets of one process."""

    def __init__(self) -> None:
        self._guests = RateLimiter(GUEST)
        self._accounts = RateLimiter(ACCOUNT)

    def take(self, request: Request) -> None:
        """Counts a search; refused where that is too much."""
        account = request.caller.account
        if account is not None:
            wait = self._accounts.take(account.user_id)
        else:
            wait = self._guests.take(network_of(client_of(request)["address"]))
        if wait:
            raise RateLimited(ceil(wait))


def count_search(request: Request) -> None:
    """Counts a search of whoever asks."""
    state = request.scope["litestar_app"].state
    try:
        limits: SearchLimits = state.search_limits
    except AttributeError:
        limits = state.search_limits = SearchLimits()
    limits.take(request)
