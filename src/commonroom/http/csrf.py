"""Requests that another site makes a browser send are refused before anything else happens."""

from __future__ import annotations

from typing import Any

from litestar.connection import ASGIConnection

from commonroom.errors import Forbidden

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})


def check_origin(connection: ASGIConnection[Any, Any, Any, Any]) -> None:
    """Refuses a change that a browser says comes from elsewhere.

    Browsers tell where a request comes from (`Sec-Fetch-Site`, and older ones `Origin`); a program
    tells nothing, and no other site can make a browser keep quiet.
    """
    if connection.scope.get("method") in SAFE:
        return
    headers = connection.headers
    site = headers.get("sec-fetch-site")
    if site is not None:
        foreign = site not in ("same-origin", "none")
    else:
        origin = headers.get("origin")
        foreign = origin is not None and origin.partition("://")[2] != headers.get("host")
    if foreign:
        raise Forbidden("This request came from another site and was blocked.")
