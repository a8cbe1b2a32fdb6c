"""Commonroom with nothing kept from one request to the next of what is worked out for pages.

python -m benchmarks.forgetful ARGUMENTS, as `commonroom` takes them.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from commonroom.cli import main
from commonroom.house import server
from commonroom.house.app import create_app
from commonroom.http.asgi import ASGIApp, Receive, Scope, Send

KEPT = ("commonroom.store.", "commonroom.http.sharing", "commonroom.http.markdown")
"""Statements for shapes of queries, QR codes and Markdown: those were kept before as well."""


def caches() -> list[Callable[[], None]]:
    """What empties each cache that is bounded: what has no bound depends on no request."""
    made = lru_cache(lambda: None)
    return [
        one.cache_clear
        for one in gc.get_objects()
        if isinstance(one, type(made))
        and one.__module__.startswith("commonroom.")
        and not one.__module__.startswith(KEPT)
        and one.cache_parameters()["maxsize"] is not None
    ]


def forgetting(app: ASGIApp) -> ASGIApp:
    """Wraps the application, to which every request is the first."""
    clear = caches()

    async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
        for one in clear:
            one()
        await app(scope, receive, send)

    return wrapped


def run() -> None:
    """Runs a command with such an application."""

    def create(*arguments: Any, **named: Any) -> ASGIApp:
        return forgetting(create_app(*arguments, **named))

    vars(server)["create_app"] = create
    main()


if __name__ == "__main__":
    run()
