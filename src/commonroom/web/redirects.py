"""Redirects: the one place that makes a `Location` header."""

from __future__ import annotations

from urllib.parse import quote

# All that may stand in an address (RFC 3986), and what is percent-encoded already.
ALLOWED = "/?#[]@!$&'()*+,;=:%~"


def location(address: str) -> str:
    """An address as a header can carry it, whatever was typed into it.

    Line breaks, control characters and letters beyond ASCII are percent-encoded.
    """
    return quote(address, safe=ALLOWED, errors="replace")
