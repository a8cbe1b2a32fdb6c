"""Pages are for those who were sent their link: no search engine is to list them."""

from __future__ import annotations

from litestar.types import ASGIApp, Message, Receive, Scope, Send

HEADER = (b"x-robots-tag", b"noindex, nofollow")


def unlisted(app: ASGIApp) -> ASGIApp:
    """Says so with every answer, also where something went wrong."""

    async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], HEADER]
            await send(message)

        await app(scope, receive, sending)

    return wrapped
