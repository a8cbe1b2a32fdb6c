"""Disconnects: a request whose sender went away before it was whole is nobody's mistake."""

from __future__ import annotations

from typing import Any

from litestar.types import Receive

from commonroom.web.errors import ClientDisconnected


def whole_or_gone(receive: Receive) -> Receive:
    """Raises `ClientGone` where a body breaks off, which Litestar takes for a failure of ours."""
    is_whole = False

    async def receiving() -> Any:
        nonlocal is_whole
        message = await receive()
        if message["type"] == "http.disconnect" and not is_whole:
            raise ClientDisconnected("The connection was lost before the request was complete.")
        is_whole = is_whole or not message.get("more_body", False)
        return message

    return receiving
