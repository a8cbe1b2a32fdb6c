"""The mail server as one address: how it is spoken to, where it is, and with which name."""

from __future__ import annotations

import re
from typing import Literal, TypeAlias
from urllib.parse import unquote, urlsplit

from msgspec import Struct

Security: TypeAlias = Literal["tls", "starttls", "none"]

_SCHEMES: dict[str, tuple[Security, int]] = {
    "smtps": ("tls", 465),
    "smtp+starttls": ("starttls", 587),
    "smtp": ("none", 25),
}
_HOST = re.compile(r"[\w.-]+|[0-9a-f:.]+")
_ADDRESS = re.compile(r"[^\s@<>()\[\],;:\\\"]+@[\w.-]+")


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
    if parts.scheme not in _SCHEMES or not _HOST.fullmatch(parts.hostname or ""):
        raise ValueError("not a mail server")
    if parts.username is not None and not (parts.username and parts.password):
        raise ValueError("a name needs its password")
    security, usual = _SCHEMES[parts.scheme]
    return MailServer(
        host=parts.hostname or "",
        port=parts.port or usual,
        security=security,
        name=None if parts.username is None else unquote(parts.username, errors="strict"),
        password=unquote(parts.password or "", errors="strict"),
    )


def mail_address(text: str) -> str:
    """An e-mail address without a name beside it; `ValueError` where it is none."""
    if text and not _ADDRESS.fullmatch(text):
        raise ValueError("not an address")
    return text
