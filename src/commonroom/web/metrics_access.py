"""Who may read the metrics: whoever shows the token of the settings, or the machine itself."""

from __future__ import annotations

from hmac import compare_digest
from ipaddress import ip_address
from typing import Any

from litestar.connection import ASGIConnection
from litestar.exceptions import NotFoundException

from commonroom.errors import Unauthorized
from commonroom.settings import Settings
from commonroom.web.authentication import bearer_secret
from commonroom.web.headers import header_in, host_in

FORWARDING = (
    "forwarded",
    "via",
    "x-forwarded-for",
    "x-forwarded-host",
    "x-forwarded-proto",
    "x-real-ip",
)
"""What proxies add: behind one on the same machine, everybody seems to be the machine."""


def check_metrics_access(connection: ASGIConnection[Any, Any, Any, Any]) -> None:
    """Refuses strangers; there is nothing to be read where metrics are not switched on."""
    settings: Settings = connection.app.state.settings
    if not settings.metrics:
        raise NotFoundException
    token = settings.metrics_token
    # A token that is set counts for the machine, too: a proxy may add nothing at all.
    if _shows(connection, token) if token else _is_this_machine(connection.scope):
        return
    raise Unauthorized(
        "Send the token that is set as “metrics_token”, or ask from the machine itself."
    )


def _shows(connection: ASGIConnection[Any, Any, Any, Any], token: str) -> bool:
    shown = bearer_secret(connection) or ""
    return compare_digest(shown.encode("latin-1"), token.encode())


def _is_this_machine(scope: Any) -> bool:
    peer = scope["client"][0] if scope["client"] else ""
    forwarded = any(header_in(scope, name) is not None for name in FORWARDING)
    return not forwarded and _is_loopback(peer) and _is_loopback(host_in(scope) or "")


def _is_loopback(name: str) -> bool:
    if name == "localhost":
        return True
    try:
        address = ip_address(name)
    except ValueError:
        return False
    return (getattr(address, "ipv4_mapped", None) or address).is_loopback
