"""Redirects: the one place that makes a `Location` header, and says where one may lead."""

from __future__ import annotations

import re
from urllib.parse import quote

from commonroom.http.headers import header_in
from commonroom.http.request import Request
from commonroom.http.responses import Cookie, Response

HOME = "/"
FLASH_COOKIE = "said"
"""The cookie that carries what to say on the next page: a key of the flash texts, never text."""
# All that may stand in an address (RFC 3986), and what is percent-encoded already.
ALLOWED = "/?#[]@!$&'()*+,;=:%~"
_PLAIN = re.compile("[A-Za-z0-9_-]+")
_REFERRED = re.compile("https?://([^/?#]*)([^#]*)")


def redirect(address: str, flash: str | None = None, *, status: int = 303) -> Response[bytes]:
    """Sends a browser on, usually after a form, with something to say there."""
    response = Response(b"", status_code=status, headers={"Location": location(address)})
    if flash:
        response.set_cookie(Cookie(FLASH_COOKIE, flash, max_age=60, httponly=True))
    return response


def location(address: str) -> str:
    """Returns an address as a header can carry it, whatever was typed into it.

    Line breaks, control characters and letters beyond ASCII are percent-encoded.
    """
    return quote(address, safe=ALLOWED, errors="replace")


def path_part(text: str) -> str:
    """Returns a text as one part of an address; ids mostly stand there as they are."""
    return text if _PLAIN.fullmatch(text) else quote(text, safe="")


def safe_path(address: str) -> str:
    """Returns a local address as it is; home instead of anything that could lead to another site.

    Browsers read a backslash as a slash, and drop tabs and line ends before they look.
    """
    if not address.startswith("/") or address.startswith("//"):
        return HOME
    if not address.isascii() or not address.isprintable() or "\\" in address:
        return HOME
    return address


def referring_path(request: Request) -> str:
    """Returns the page that a form was on, as the browser tells it; home where it does not."""
    # Not by `urlsplit`, which keeps what it has read: a secret may stand there.
    parts = _REFERRED.match(header_in(request.scope, "referer") or "")
    if parts is None or parts[1] != header_in(request.scope, "host"):
        return HOME
    return safe_path(parts[2])
