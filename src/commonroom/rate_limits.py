"""Rate limits that one process keeps in memory: how often a network may do something, or we."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from ipaddress import IPv6Address, ip_address, ip_network

from msgspec import Struct

HOUSE_BITS = 64
"""A provider gives a home a whole /64 or more: its addresses are one visitor's to choose from."""
SITE_BITS = 48
"""What many providers, and every tunnel broker, give to customers who want several networks."""


class Rate(Struct, frozen=True):
    """So many at once, and so many a minute after that."""

    burst: int
    per_minute: float


class RateLimiter:
    """A token bucket for each key, and so many keys at the most: the one not seen longest goes.

    Each process counts for itself, so a house of several processes allows that many times more.
    What must hold exactly, however many processes there are, is counted in the store instead.
    """

    def __init__(
        self, rate: Rate, most_keys: int = 20_000, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._rate, self._most_keys, self._clock = rate, most_keys, clock
        self._buckets: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()

    def take(self, key: Hashable, cost: float = 1.0) -> float:
        """Takes from a key's bucket; how many seconds to wait where there is not enough, or 0."""
        return self._take(key, cost, queue=False)

    def reserve(self, key: Hashable = None) -> float:
        """Takes the next turn, whenever that is: how many seconds to wait for it, or 0."""
        return self._take(key, 1.0, queue=True)

    def _take(self, key: Hashable, cost: float, *, queue: bool) -> float:
        now = self._clock()
        left, since = self._buckets.pop(key, (float(self._rate.burst), now))
        left = min(float(self._rate.burst), left + (now - since) * self._rate.per_minute / 60)
        wait = max(0.0, (cost - left) * 60 / self._rate.per_minute)
        self._buckets[key] = (left if wait and not queue else left - cost, now)
        if len(self._buckets) > self._most_keys:
            self._buckets.popitem(last=False)
        return wait


def network_of(address: str) -> str:
    """Returns what an address is counted as: itself, or its home's network where it is IPv6."""
    return _network(address, 32, HOUSE_BITS)


def neighbourhood_of(address: str) -> str:
    """The networks that one provider's customer may have at will: a /24, or a /48 of IPv6."""
    return _network(address, 24, SITE_BITS)


def _network(address: str, bits: int, bits_of_ipv6: int) -> str:
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(parsed, IPv6Address):
        parsed = parsed.ipv4_mapped or parsed
    length = bits if parsed.version == 4 else bits_of_ipv6
    if length == parsed.max_prefixlen:
        return str(parsed)
    return str(ip_network((parsed, length), strict=False))
