"""Host names under which people reach an installation, and the networks of proxies in front."""

from __future__ import annotations

import re
from functools import cache
from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import TypeAlias
from urllib.parse import urlsplit

Network: TypeAlias = IPv4Network | IPv6Network

_NAME = re.compile(r"(?!-)[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*")


@cache
def host_names(text: str) -> frozenset[str]:
    """The names that a setting lists; `ValueError` where one is none."""
    return frozenset(_host_name(one) for one in text.split(",")) if text else frozenset()


@cache
def public_hosts(address: str) -> frozenset[str]:
    """The host of a public address, none where there is none; `ValueError` where it is no host."""
    host = urlsplit(address).hostname or ""
    # An address in numbers is known anyway.
    return host_names("" if ":" in host else host)


def _host_name(text: str) -> str:
    name = text.strip().rstrip(".").lower().encode("idna").decode()
    if not _NAME.fullmatch(name):
        raise ValueError("not a host name")
    return name


@cache
def networks(text: str) -> tuple[Network, ...]:
    """The addresses and networks that a setting lists; `ValueError` where one is none."""
    return tuple(ip_network(one.strip(), strict=False) for one in text.split(",")) if text else ()
