"""Addresses of pictures that people enter: which are taken, in every room alike."""

from __future__ import annotations

from urllib.parse import urlsplit

from commonroom.errors import InvalidField

MAX_ADDRESS_LENGTH = 2000
SCHEME = "https://"


def picture_address(field: str, text: str | None) -> str | None:
    """Returns an address as it is kept, or None where nothing was entered."""
    address = (text or "").strip()
    if not address:
        return None
    if len(address) > MAX_ADDRESS_LENGTH:
        raise InvalidField(field, f"Use at most {MAX_ADDRESS_LENGTH} characters.")
    if not is_picture_address(address):
        raise InvalidField(field, "Enter an address that starts with https://.")
    return address


def is_picture_address(address: str | None) -> bool:
    """Whether a picture may be fetched from an address; what a server answers is judged later."""
    if not address or not address.startswith(SCHEME) or len(address) > MAX_ADDRESS_LENGTH:
        return False
    try:
        has_host = bool(urlsplit(address).hostname)
    except ValueError:
        return False
    return has_host and address.isascii() and address.isprintable() and " " not in address
