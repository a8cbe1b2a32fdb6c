"""The SSRF guard: which URLs may be requested, and which IP addresses may be connected to.

A URL must be https at the usual port, with nobody's name and password in it. Whether its host is
public is seen when it is connected to, not before: a name can mean anything.
"""

from __future__ import annotations

import ssl
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct
from yarl import URL

from commonroom.outgoing.fetcher import NotPublic

if TYPE_CHECKING:
    from aiohttp.abc import AbstractResolver

MAX_URL = 4000

UNICAST = IPv6Network("2000::/3")
"""All that is public of IPv6. What lies outside is local, or wraps an IPv4 address (::ffff:0:0/96,
64:ff9b::/96, …) that a router further on would unwrap."""

SPECIAL = (
    IPv6Network("2001::/23"),  # Teredo, benchmarks, identifiers
    IPv6Network("2001:db8::/32"),  # documentation
    IPv6Network("2002::/16"),  # 6to4: an IPv4 address, wrapped
    IPv6Network("3fff::/20"),  # documentation
)
RELAYS = IPv4Network("192.88.99.0/24")
"""Formerly of 6to4; the standard library still takes them for public."""

Origin: TypeAlias = tuple[str, str | None, int | None]
"""Scheme, host and port."""


def is_public(address: str) -> bool:
    """Whether an IP address belongs to the public network; what is no address does not."""
    try:
        ip = ip_address(address)
    except ValueError:
        return False
    if isinstance(ip, IPv6Address):
        return ip in UNICAST and not any(ip in network for network in SPECIAL)
    return ip.is_global and not ip.is_multicast and ip not in RELAYS


class Network(Struct, frozen=True, kw_only=True):
    """Which addresses are public, what names mean, and whose certificates count."""

    public: Callable[[str], bool] = is_public
    resolver: AbstractResolver | None = None
    """None for the system's."""
    tls: ssl.SSLContext | None = None
    """None for the system's."""


def origin_of(url: URL) -> Origin:
    """Whom an address belongs to."""
    return url.scheme, url.host, url.port


def origins_of(addresses: Iterable[str]) -> frozenset[Origin]:
    """The origins of the servers that the operator named; what is not an address names nobody."""
    found = set()
    for address in addresses:
        with suppress(NotPublic):
            found.add(origin_of(_parse(address, None)))
    return frozenset(found)


def check_url(address: str, trusted: Collection[Origin], base: URL | None = None) -> URL:
    """Returns the URL, if it may be requested; one that a redirect names is relative to `base`."""
    url = _parse(address, base)
    if url.user is not None or url.password is not None:
        raise NotPublic("An address must not contain a name or a password.")
    if not url.host:
        raise NotPublic("This is not the address of a server.")
    if origin_of(url) in trusted:
        return url
    if url.scheme != "https":
        raise NotPublic(f"{url.host} must be an https address.")
    if url.port != 443:
        raise NotPublic(f"{url.host} must use the default https port.")
    return url


def _parse(address: str, base: URL | None) -> URL:
    if len(address) > MAX_URL:
        raise NotPublic(f"An address can have up to {MAX_URL} characters.")
    try:
        url = URL(address)
        return url if base is None else base.join(url)
    except ValueError:
        raise NotPublic("This is not an address.") from None
