"""How often somebody may do something: guests by their network, others by their account."""

from __future__ import annotations

from math import ceil

from msgspec import Struct

from commonroom.errors import RateLimited
from commonroom.rate_limits import Rate, RateLimiter, network_of
from commonroom.web.client_address import client_of
from commonroom.web.request import Request


class CallLimit(Struct, frozen=True):
    """What is counted, and how often it may be done."""

    name: str
    guest: Rate
    """For everybody without an account in one network."""
    account: Rate


class CallLimits:
    """The buckets of one process, which counts for itself."""

    def __init__(self, limit: CallLimit) -> None:
        self._guests = RateLimiter(limit.guest)
        self._accounts = RateLimiter(limit.account)

    def take(self, request: Request) -> None:
        """Counts a call of whoever asks; refused where there were too many."""
        account = request.caller.account
        if account is not None:
            wait = self._accounts.take(account.user_id)
        else:
            wait = self._guests.take(network_of(client_of(request)["address"]))
        if wait:
            raise RateLimited(ceil(wait))


def count_call(request: Request, limit: CallLimit) -> None:
    """Counts a call of whoever asks, in this process; refused where there were too many."""
    state = request.scope["litestar_app"].state
    kept: dict[str, CallLimits] = state.setdefault("call_limits", {})
    if limit.name not in kept:
        kept[limit.name] = CallLimits(limit)
    kept[limit.name].take(request)
