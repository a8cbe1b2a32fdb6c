"""The proxies in front, whose word about where a request comes from is taken."""

from __future__ import annotations

from functools import cache
from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import TypeAlias

Network: TypeAlias = IPv4Network | IPv6Network


@cache
def networks(text: str) -> tuple[Network, ...]:
    """The addresses and networks that a setting lists; `ValueError` where one is none."""
    return tuple(ip_network(one.strip(), strict=False) for one in text.split(",")) if text else ()
