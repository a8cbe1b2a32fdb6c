"""Where a browser may be sent: pages of this installation, never another site."""

from __future__ import annotations

from urllib.parse import urlsplit

from commonroom.web.people.asking import AnyRequest

HOME = "/"


def safe(address: str) -> str:
    """A local address as it is; home instead of anything that could lead elsewhere.

    Browsers read a backslash as a slash, and drop tabs and line ends before they look.
    """
    if not address.startswith("/") or address.startswith("//"):
        return HOME
    if not address.isascii() or not address.isprintable() or "\\" in address:
        return HOME
    return address


def where_from(request: AnyRequest) -> str:
    """The page that a form was on, as the browser tells it; home where it does not."""
    try:
        parts = urlsplit(request.headers.get("referer", ""))
    except ValueError:
        return HOME
    if parts.netloc != request.headers.get("host"):
        return HOME
    return safe(f"{parts.path}?{parts.query}" if parts.query else parts.path)
