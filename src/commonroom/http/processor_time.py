"""Processor time: networks and accounts have a share of it, and wait once they have used theirs.

What a request takes is measured wherever it is at work: in its steps on the event loop, of which
many requests take turns, in tasks that it starts, and in threads beside it (`commonroom.metering`).
So it needs no list of what is expensive.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable
from math import ceil
from typing import Any, Generic, TypeVar

from commonroom.errors import ProcessorTimeUsed
from commonroom.http.authentication import credentials_in
from commonroom.http.client_address import is_this_machine
from commonroom.metering import current_charge, metered
from commonroom.rate_limits import Rate, RateLimiter

NETWORK_SAVES = 10
ACCOUNT_SAVES = 120
"""For how many seconds a share that is not used is saved up: people import files at times."""
MAX_DELAY_SECONDS = 2.0
"""For how long a request waits for time to be left, before it is refused."""
MAX_KEYS = 20_000
NEWCOMERS = Rate(burst=20, per_minute=60)
"""How many requests of a network that has used its share are let in to see who they are."""

_METER = "meter"

T = TypeVar("T")
Clock = Callable[[], float]
Sleep = Callable[[float], Awaitable[None]]


class Allowance:
    """The seconds of processor time that a network or an account has left; below none, it waits."""

    __slots__ = ("_most", "_share", "_since", "left")

    def __init__(self, share: float, saves: float, now: float) -> None:
        self._share, self._most = share, share * saves
        self.left, self._since = self._most, now

    def wait(self, now: float) -> float:
        """In how many seconds there is something left, with what was added since; 0 if there is."""
        self.left = min(self._most, self.left + (now - self._since) * self._share)
        self._since = now
        return max(0.0, -self.left / self._share)


class Recent(Generic[T]):
    """What there is by key, for so many keys at the most: the one not used longest goes."""

    def __init__(self) -> None:
        self._by_key: OrderedDict[Hashable, T] = OrderedDict()

    def get(self, key: Hashable) -> T | None:
        """Returns what there is for a key."""
        if (found := self._by_key.get(key)) is not None:
            self._by_key.move_to_end(key)
        return found

    def keep(self, key: Hashable, thing: T) -> T:
        """Keeps it for a key."""
        self._by_key[key] = thing
        if len(self._by_key) > MAX_KEYS:
            self._by_key.popitem(last=False)
        return thing

    def forget(self, key: Hashable) -> None:
        """Keeps nothing for a key."""
        self._by_key.pop(key, None)


class Meter:
    """What one request has taken, and from whose allowance that goes."""

    __slots__ = ("_budget", "_network", "allowance", "spent")

    def __init__(self, budget: ProcessorBudget, network: Allowance) -> None:
        self._budget = budget
        self._network = self.allowance = network
        self.spent = 0.0

    def charge(self, seconds: float) -> None:
        """Takes from the allowance."""
        self.spent += seconds
        self.allowance.left -= seconds

    def move_to(self, allowance: Allowance) -> None:
        """Lets another allowance pay, also for what was taken before it was known whose it is."""
        self.allowance.left += self.spent
        self.allowance = allowance
        allowance.left -= self.spent

    async def recognise(self, scope: Any, user_id: str | None) -> None:
        """Lets an account pay once it is known who asks; waits or refuses if it has no time left.

        What nobody in particular asks for is their network's.
        """
        if self._network.left <= 0:
            self._budget.note_credentials(scope, user_id)
        self.move_to(self._network if user_id is None else self._budget.account(user_id))
        if self.allowance.left <= 0:
            await self._budget.wait_for(self.allowance, scope)


class ProcessorBudget:
    """Who may use how much of a processor, in this process."""

    def __init__(
        self, share: float, clock: Clock = time.monotonic, sleep: Sleep = asyncio.sleep
    ) -> None:
        self._share, self._clock, self._sleep = share, clock, sleep
        self._networks: Recent[Allowance] = Recent()
        self._accounts: Recent[Allowance] = Recent()
        self._newcomers = RateLimiter(NEWCOMERS, clock=clock)
        self._known: Recent[str] = Recent()
        """Whose credentials were shown from networks that have no time left, by their digests."""

    def meter(self, scope: Any, network: str) -> Meter:
        """Returns a meter for a request of a network."""
        meter = Meter(self, self._allowance(self._networks, network, NETWORK_SAVES))
        scope.setdefault("state", {})[_METER] = meter
        return meter

    async def admit(self, meter: Meter, scope: Any, network: str) -> None:
        """Waits or refuses where the network of a request has no time left, but for accounts."""
        credentials = credentials_in(scope)
        user_id = self._known.get(credentials)
        if user_id is not None:
            meter.move_to(self.account(user_id))
        elif credentials is not None and not self._newcomers.take(network):
            return  # the guard will see whether the caller is known
        await self.wait_for(meter.allowance, scope)

    def account(self, user_id: str) -> Allowance:
        """Returns the allowance of an account, as it is now."""
        return self._allowance(self._accounts, user_id, ACCOUNT_SAVES)

    def note_credentials(self, scope: Any, user_id: str | None) -> None:
        """Remembers whose credentials a request shows, so that the account pays from the start."""
        credentials = credentials_in(scope)
        if user_id is None:
            self._known.forget(credentials)
        else:
            self._known.keep(credentials, user_id)

    async def wait_for(self, allowance: Allowance, scope: Any) -> None:
        """Waits until there is time left; refuses where that takes more than a moment."""
        until = self._clock() + MAX_DELAY_SECONDS
        while (seconds := allowance.wait(self._clock())) > 0:
            if is_this_machine(scope):
                return  # whose processor it is
            if self._clock() + seconds > until:
                raise ProcessorTimeUsed(ceil(seconds))
            await self._sleep(seconds)  # another caller who waited may use it first

    def _allowance(self, those: Recent[Allowance], key: str, saves: float) -> Allowance:
        now = self._clock()
        found = those.get(key) or those.keep(key, Allowance(self._share, saves, now))
        found.wait(now)
        return found


async def charge_caller(scope: Any, user_id: str | None) -> None:
    """Lets a request's time be counted for the account that asks, or else for its network."""
    meter: Meter | None = scope["state"].get(_METER)
    if meter is not None:
        await meter.recognise(scope, user_id)


async def run_metered(work: Awaitable[None], meter: Meter) -> None:
    """Runs a request; what it takes here, in its tasks and in threads is charged as it goes."""
    token = current_charge.set(meter.charge)
    try:
        await metered(work, meter.charge)
    finally:
        current_charge.reset(token)
