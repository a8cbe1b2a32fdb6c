"""What ASGI calls things: what a server gives to an application, and takes of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, MutableMapping
from typing import Any, TypeAlias

Scope: TypeAlias = MutableMapping[str, Any]
"""What is known of a request, or of another connection, before anything of it is read."""
Message: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]
ASGIApp: TypeAlias = Callable[[Scope, Receive, Send], Coroutine[Any, Any, None]]
"""An application, whatever wraps one, and an answer."""
RawHeaders: TypeAlias = list[tuple[bytes, bytes]]


async def receive_nothing() -> Message:
    """Says that nobody is there: what a request receives that was made without a connection."""
    return {"type": "http.disconnect"}
