"""Server-sent events: how a page that is open hears of changes."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from litestar import Request
from litestar.response import ServerSentEvent, ServerSentEventMessage

from commonroom.web.live import Live, Version

RETRY_MILLISECONDS = 3000
"""How soon a browser comes back when the connection ends, as it does now and then."""


def live_updates(request: Request[Any, Any, Any], topic: str, read: Version) -> ServerSentEvent:
    """A stream of a thing's versions for whoever may see it, which is checked before this.

    It says only that something changed. The page then fetches what it shows, and is asked again
    who it is for.
    """
    live: Live = request.app.state.live
    return ServerSentEvent(
        _messages(live, topic, read),
        retry_duration=RETRY_MILLISECONDS,
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )


async def _messages(live: Live, topic: str, read: Version) -> AsyncIterator[ServerSentEventMessage]:
    async for version in live.follow(topic, read):
        if version is None:
            yield ServerSentEventMessage(comment="still here")
        else:
            yield ServerSentEventMessage(event="version", data=version)
