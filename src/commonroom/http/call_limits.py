"""How often a caller may do something: guests by their network, others by their account."""

from __future__ import annotations

from math import ceil

from msgspec import Struct

from commonroom.errors import RateLimited
from commonroom.http.client_address import client_of
from commonroom.http.request import Request
from commonroom.rate_limits import Rate, RateLimiter, network_of


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
        """Counts a call of the caller; refused where there were too many."""
        account = request.caller.account
        if account is not None:
            self.take_for(account.user_id)
        else:
            network = network_of(client_of(request)["address"])
            _check_wait(self._guests.take(network))

    def take_for(self, user_id: str) -> None:
        """Counts a call for an account; refused where there were too many."""
        _check_wait(self._accounts.take(user_id))


def _check_wait(seconds: float) -> None:
    if seconds:
        raise RateLimited(ceil(seconds))


def count_call(request: Request, limit: CallLimit) -> None:
    """Counts a call of the caller, in this process; refused where there were too many."""
    _limits_of(request, limit).take(request)


def count_call_for(request: Request, limit: CallLimit, user_id: str) -> None:
    """Counts a call for an account that does not ask itself, such as by a link of theirs."""
    _limits_of(request, limit).take_for(user_id)


def _limits_of(request: Request, limit: CallLimit) -> CallLimits:
    state = request.app.state
    limits: dict[str, CallLimits] = state.setdefault("call_limits", {})
    if limit.name not in limits:
        limits[limit.name] = CallLimits(limit)
    return limits[limit.name]
