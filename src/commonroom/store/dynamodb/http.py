"""How aiodynamo's requests go out: over aiohttp, each with a time limit."""

from __future__ import annotations

from io import BytesIO

import aiohttp
from aiodynamo.http.types import Request, RequestFailed, Response

LARGE = 2**20
"""From here on aiohttp wants to send a body in pieces, so that others get their turn."""


class Http:
    """One pool of connections."""

    def __init__(self, seconds: float) -> None:
        self._session = aiohttp.ClientSession(
            timeout=aiohttp.ClientTimeout(total=seconds),
            connector=aiohttp.TCPConnector(keepalive_timeout=50),
            # Unpacking costs more than the network that packing saves; cookies mean nothing here.
            headers={"Accept-Encoding": "identity"},
            cookie_jar=aiohttp.DummyCookieJar(),
        )

    @property
    def closed(self) -> bool:
        """Whether it has let go of its connections."""
        return self._session.closed

    async def __call__(self, request: Request) -> Response:
        """Sends a request of aiodynamo's and reads the whole answer."""
        body = request.body
        data = BytesIO(body) if body is not None and len(body) >= LARGE else body
        try:
            async with self._session.request(
                request.method, request.url, headers=request.headers, data=data
            ) as response:
                return Response(response.status, await response.read())
        except aiohttp.ClientError as error:
            raise RequestFailed(error) from error

    async def close(self) -> None:
        """Lets go of the connections."""
        await self._session.close()
