"""Headers and cookies of a request, by name."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from commonroom.errors import BadRequest

EVENT_STREAM = (b"content-type", b"text/event-stream; charset=utf-8")
"""The header of a response that lasts as long as its page is open."""
MAX_HOST = 300
_HOST = re.compile(r"(\[[0-9a-fA-F:.]+\]|[^\[\]:/?#@\\\s]+)(?::\d{0,5})?")

_OF_HOST = re.compile(r"[0-9A-Za-z!$&'()*+,;=\-._~:\[\]@%]*")
"""All that may stand in a host (RFC 3986)."""

_BY_NAME, _COOKIES = "headers_by_name", "cookies_by_name"
"""In a scope, where they are looked up again and again."""


def header_in(scope: Any, name: str) -> str | None:
    """Returns a header's value, the first where it is repeated; names are in lower case."""
    try:
        headers = scope[_BY_NAME]
    except KeyError:
        headers = scope[_BY_NAME] = dict(reversed(scope["headers"]))
    value = headers.get(name.encode())
    return None if value is None else str(value.decode("latin-1"))


def headers_in(scope: Any, name: str) -> list[str]:
    """Returns every value of a header."""
    wanted = name.encode()
    return [value.decode("latin-1") for header, value in scope["headers"] if header == wanted]


def check_host_header(scope: Any) -> None:
    """Refuses what can be the name of no host, whatever is asked."""
    if not _OF_HOST.fullmatch(header_in(scope, "host") or ""):
        raise BadRequest("Invalid host header")


def host_in(scope: Any) -> str | None:
    """Returns the host that is asked, without its port; None where it is none, or not just one."""
    hosts = headers_in(scope, "host")
    return _host(hosts[0]) if len(hosts) == 1 and len(hosts[0]) <= MAX_HOST else None


@lru_cache(maxsize=256)
def _host(header: str) -> str | None:
    found = _HOST.fullmatch(header)
    return None if found is None else found[1].strip("[]").rstrip(".").lower()


def cookie_in(scope: Any, name: str) -> str | None:
    """Returns a cookie's value; a browser may spread its cookies over several headers."""
    try:
        cookies = scope[_COOKIES]
    except KeyError:
        cookies = scope[_COOKIES] = _read_cookies(scope["headers"])
    value = cookies.get(name.encode())
    return None if value is None else str(value.decode("latin-1"))


def _read_cookies(headers: Any) -> dict[bytes, bytes]:
    """Returns every cookie by name; the first where there are several."""
    found: dict[bytes, bytes] = {}
    for header, value in headers:
        if header == b"cookie":
            for part in value.split(b";"):
                name, _, text = part.strip().partition(b"=")
                found.setdefault(name, text.strip(b'"'))
    return found
