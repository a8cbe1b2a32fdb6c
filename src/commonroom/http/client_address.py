"""Client addresses: from where a browser speaks, also through a proxy."""

from __future__ import annotations

from collections.abc import Sequence
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import TYPE_CHECKING, Any, TypedDict

from commonroom.http.headers import header_in, headers_in, host_in
from commonroom.settings import Settings
from commonroom.settings.addresses import Network, networks

if TYPE_CHECKING:
    from commonroom.http.request import Request

FORWARDED = "x-forwarded-for"
FORWARDED_SCHEME = "x-forwarded-proto"
FORWARDING = (
    "forwarded",
    "via",
    "x-forwarded-for",
    "x-forwarded-host",
    "x-forwarded-proto",
    "x-real-ip",
)
"""What proxies add: behind one on the same machine, everybody seems to be the machine."""


class BrowserClient(TypedDict):
    """A browser, as a session remembers it."""

    browser: str
    address: str


def client_of(request: Request) -> BrowserClient:
    """Returns the browser, and from where it speaks."""
    return BrowserClient(
        browser=header_in(request.scope, "user-agent") or "",
        address=address_in(request.scope, request.settings),
    )


def address_in(scope: Any, settings: Settings) -> str:
    """From where a request comes."""
    client = scope.get("client")
    peer: str = client[0] if client else ""
    trusted = networks(settings.trusted_proxies)
    if not trusted:
        return peer
    return forwarded_address(peer, ",".join(headers_in(scope, FORWARDED)).split(","), trusted)


def forwarded_address(peer: str, chain: Sequence[str], trusted: Sequence[Network]) -> str:
    """Returns the client's address: the last one in the chain whose word is not taken.

    Anybody can begin a chain with whatever they like; a proxy adds who it heard it from at the end.
    """
    last = peer
    for one in reversed(chain):
        if not _is_among(last, trusted):
            return last
        hop = _address(one)
        if hop is None:
            return last  # a proxy that does not know
        last = str(hop)
    return last


def came_by_https(scope: Any, trusted: Sequence[Network]) -> bool:
    """Whether a proxy whose word is taken says that the browser spoke https with it."""
    peer = scope["client"][0] if scope["client"] else ""
    if not _is_among(peer, trusted):
        return False
    # Of several proxies, the first one heard the browser.
    first = (header_in(scope, FORWARDED_SCHEME) or "").partition(",")[0]
    return first.strip().lower() == "https"


def _is_among(text: str, trusted: Sequence[Network]) -> bool:
    address = _address(text) if trusted else None
    return address is not None and any(address in network for network in trusted)


def _address(text: str) -> IPv4Address | IPv6Address | None:
    """Returns an address as proxies write it, perhaps with its port."""
    plain = text.strip()
    if plain.startswith("["):
        plain = plain[1:].partition("]")[0]
    elif plain.count(":") == 1:
        plain = plain.partition(":")[0]
    try:
        address = ip_address(plain)
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


def is_this_machine(scope: Any) -> bool:
    """Whether a request comes from the machine itself, and not through a proxy on it."""
    peer = scope["client"][0] if scope["client"] else ""
    forwarded = any(header_in(scope, name) is not None for name in FORWARDING)
    return not forwarded and _is_loopback(peer) and _is_loopback(host_in(scope) or "")


def _is_loopback(name: str) -> bool:
    address = _address(name)
    return name == "localhost" or (address is not None and address.is_loopback)
