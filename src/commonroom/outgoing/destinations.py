"""Where requests may go: https, the usual port, nobody's name and password in the address.

Whether a host is public is seen when it is connected to, not here: a name can mean anything.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from contextlib import suppress
from typing import TypeAlias

from yarl import URL

from commonroom.outgoing.errors import NotPublic

LONGEST = 4000

Origin: TypeAlias = tuple[str, str | None, int | None]
"""Scheme, host and port."""


def origin(url: URL) -> Origin:
    """Whom an address belongs to."""
    return url.scheme, url.host, url.port


def named(addresses: Iterable[str]) -> frozenset[Origin]:
    """Whom the operator named; what is not an address names nobody."""
    found = set()
    for address in addresses:
        with suppress(NotPublic):
            found.add(origin(_parsed(address, None)))
    return frozenset(found)


def destination(address: str, trusted: Collection[Origin], base: URL | None = None) -> URL:
    """The address, if it may be asked; one that a server sends on to is relative to `base`."""
    url = _parsed(address, base)
    if url.user is not None or url.password is not None:
        raise NotPublic("An address must not contain a name or a password.")
    if not url.host:
        raise NotPublic("This is not the address of a server.")
    if origin(url) in trusted:
        return url
    if url.scheme != "https":
        raise NotPublic(f"{url.host} must be an https address.")
    if url.port != 443:
        raise NotPublic(f"{url.host} must use the default https port.")
    return url


def _parsed(address: str, base: URL | None) -> URL:
    if len(address) > LONGEST:
        raise NotPublic(f"An address can have up to {LONGEST} characters.")
    try:
        url = URL(address)
        return url if base is None else base.join(url)
    except ValueError:
        raise NotPublic("This is not an address.") from None
