"""Headers: read one by one, because most requests need only two or three of them."""

from __future__ import annotations

import re
from typing import Any

EVENT_STREAM = (b"content-type", b"text/event-stream; charset=utf-8")
"""The header of a response that lasts as long as its page is open."""
LONGEST_HOST = 300
_HOST = re.compile(r"(\[[0-9a-fA-F:.]+\]|[^\[\]:/?#@\\\s]+)(?::\d{0,5})?")

# Litestar's own headers and cookies make a dictionary of all of them first; this is asked for on
# every request, and costs a tenth of that.


def header_in(scope: Any, name: str) -> str | None:
    """A header's value, the first where it is repeated; names are in lower case."""
    wanted = name.encode()
    for header, value in scope["headers"]:
        if header == wanted:
            return str(value.decode("latin-1"))
    return None


def headers_in(scope: Any, name: str) -> list[str]:
    """Every value of a header."""
    wanted = name.encode()
    return [value.decode("latin-1") for header, value in scope["headers"] if header == wanted]


def host_in(scope: Any) -> str | None:
    """The host that is asked, without its port; None where it is none, or not just one."""
    given = headers_in(scope, "host")
    found = _HOST.fullmatch(given[0]) if len(given) == 1 and len(given[0]) <= LONGEST_HOST else None
    return None if found is None else found[1].strip("[]").rstrip(".").lower()


def cookie_in(scope: Any, name: str) -> str | None:
    """A cookie's value; a browser may spread its cookies over several headers."""
    wanted = name.encode()
    for header, value in scope["headers"]:
        if header == b"cookie" and wanted in value:
            for part in value.split(b";"):
                key, _, given = part.strip().partition(b"=")
                if key == wanted:
                    return str(given.strip(b'"').decode("latin-1"))
    return None
