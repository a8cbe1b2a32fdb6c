"""Addresses in settings: host names, networks of proxies in front, and the mail server."""

from __future__ import annotations

import re
from functools import cache
from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import Literal, TypeAlias
from urllib.parse import unquote, urlsplit

from msgspec import Struct

Network: TypeAlias = IPv4Network | IPv6Network

Security: TypeAlias = Literal["tls", "starttls", "none"]
_HOST_NAME = re.compile(r"(?!-)[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*")

_MAIL_SCHEMES: dict[str, tuple[Security, int]] = {
    "smtps": ("tls", 465),
    "smtp+starttls": ("starttls", 587),
    "smtp": ("none", 25),
}
_MAIL_HOST = re.compile(r"[\w.-]+|[0-9a-f:.]+")
_MAIL_ADDRESS = re.compile(r"[^\s@<>()\[\],;:\\\"]+@[\w.-]+")


@cache
def host_names(text: str) -> frozenset[str]:
    """Returns the names that a setting lists; `ValueError` where one is none."""
    return frozenset(_host_name(one) for one in text.split(",")) if text else frozenset()


@cache
def public_hosts(address: str) -> frozenset[str]:
    """The host of a public address, none where there is none; `ValueError` where it is no host."""
    host = urlsplit(address).hostname or ""
    # An address in numbers is known anyway.
    return host_names("" if ":" in host else host)


def _host_name(text: str) -> str:
    name = text.strip().rstrip(".").lower().encode("idna").decode()
    if not _HOST_NAME.fullmatch(name):
        raise ValueError("not a host name")
    return name


@cache
def networks(text: str) -> tuple[Network, ...]:
    """Returns the addresses and networks that a setting lists; `ValueError` where one is none."""
    return tuple(ip_network(one.strip(), strict=False) for one in text.split(",")) if text else ()


class MailServer(Struct, frozen=True):
    """Where e-mail is handed in."""

    host: str
    port: int
    security: Security
    name: str | None = None
    password: str = ""

    def __repr__(self) -> str:
        # Whatever prints it must not print the password.
        return f"{self.host}:{self.port}"

    __str__ = __repr__


def mail_server(address: str) -> MailServer | None:
    """What a setting says, None where it says nothing; `ValueError` where it cannot be meant."""
    if not address:
        return None
    parts = urlsplit(address)
    if parts.scheme not in _MAIL_SCHEMES or not _MAIL_HOST.fullmatch(parts.hostname or ""):
        raise ValueError("not a mail server")
    if parts.username is not None and not (parts.username and parts.password):
        raise ValueError("a name needs its password")
    security, usual = _MAIL_SCHEMES[parts.scheme]
    return MailServer(
        host=parts.hostname or "",
        port=parts.port or usual,
        security=security,
        name=None if parts.username is None else unquote(parts.username, errors="strict"),
        password=unquote(parts.password or "", errors="strict"),
    )


def mail_address(text: str) -> str:
    """Returns an e-mail address without a name beside it; `ValueError` where it is none."""
    if text and not _MAIL_ADDRESS.fullmatch(text):
        raise ValueError("not an address")
    return text
