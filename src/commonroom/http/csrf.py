"""Requests that another site makes a browser send are refused before anything else happens."""

from __future__ import annotations

from commonroom.errors import Forbidden
from commonroom.http.asgi import Scope
from commonroom.http.headers import header_in

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})


def check_origin(scope: Scope) -> None:
    """Refuses a change that a browser says comes from elsewhere.

    Browsers tell where a request comes from (`Sec-Fetch-Site`, and older ones `Origin`); a program
    tells nothing, and no other site can make a browser keep quiet.
    """
    if scope["method"] in SAFE:
        return
    site = header_in(scope, "sec-fetch-site")
    if site is not None:
        foreign = site not in ("same-origin", "none")
    else:
        origin = header_in(scope, "origin")
        foreign = origin is not None and origin.partition("://")[2] != header_in(scope, "host")
    if foreign:
        raise Forbidden("This request came from another site and was blocked.")
