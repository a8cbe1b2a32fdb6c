"""Which addresses are public: everybody's network, and not this house's own."""

from __future__ import annotations

from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address

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


def is_public(address: str) -> bool:
    """Whether an IP address belongs to the public network; what is no address does not."""
    try:
        ip = ip_address(address)
    except ValueError:
        return False
    if isinstance(ip, IPv6Address):
        return ip in UNICAST and not any(ip in network for network in SPECIAL)
    return ip.is_global and not ip.is_multicast and ip not in RELAYS
