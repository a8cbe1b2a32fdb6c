"""Hosts: requests under a name that is not ours are refused, so that no other site can pose as us.

A browser lets a page read what comes from the page's own name. The owner of a name can let it lead
to this machine for a moment (DNS rebinding), and their page would be ours. An address in numbers
belongs to nobody's name, so those are safe.
"""

from __future__ import annotations

import socket
from ipaddress import ip_address
from typing import Any

import msgspec

from commonroom.http.asgi import ASGIApp, Receive, Scope, Send
from commonroom.http.headers import header_in, host_in
from commonroom.http.problems import ProblemDocument, is_page
from commonroom.http.render import render_anonymous
from commonroom.http.responses import Response
from commonroom.http.words import _, spoken
from commonroom.settings import Settings
from commonroom.settings.addresses import host_names, public_hosts

STATUS = 421
ANY_HOST = ("/health/", "/static/")
"""What is the same for everybody: load balancers ask by any name, and the refusal has its style."""


def check_host(app: ASGIApp, settings: Settings) -> ASGIApp:
    """Wraps the application, which never sees a request under a name that is not its own."""
    names = known_names(settings)

    async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or is_for_us(scope):
            await app(scope, receive, send)
        else:
            await _refusal(scope)(scope, receive, send)

    def is_for_us(scope: Any) -> bool:
        if scope["path"].startswith(ANY_HOST):
            return True
        # The port says nothing of whose name it is, so any will do.
        host = host_in(scope)
        return host is not None and (host in names or _is_address(host))

    return wrapped


def known_names(settings: Settings) -> frozenset[str]:
    """All that this installation is called: by its settings, on this machine, and at home."""
    machine = socket.gethostname().lower().rstrip(".")
    # A machine tells its network of itself as “.local”; a machine that could take that name from it
    # stands in the same network, and between it and everybody else.
    own = {"localhost", settings.host.lower(), machine, f"{machine.partition('.')[0]}.local"}
    return host_names(settings.hosts) | public_hosts(settings.public_address) | own


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def _refusal(scope: Scope) -> Response[bytes]:
    problem = ProblemDocument(
        _("Unknown host name"),
        STATUS,
        _(
            "This Commonroom does not know the host name in the address. If it is yours, "
            "add the name to the setting “hosts” (COMMONROOM_HOSTS), or set "
            "“public_address”."
        ),
    )
    if is_page(scope["path"], header_in(scope, "accept") or ""):
        text = render_anonymous("problem.html", problem=problem, missing=None)
        body, kind = text.encode(), "text/html; charset=utf-8"
    else:
        body = msgspec.json.encode(problem.document)
        kind = "application/problem+json; charset=utf-8"
    said = {"Content-Language": spoken()}
    return Response(body, status_code=STATUS, media_type=kind, headers=said)
