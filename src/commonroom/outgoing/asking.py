"""Whom a request goes to, and where it is sent on to: each step by the same rules."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace
from yarl import URL

from commonroom.outgoing.answers import Answer, Request
from commonroom.outgoing.connections import Connections
from commonroom.outgoing.destinations import destination, named, origin
from commonroom.outgoing.errors import Unreachable
from commonroom.outgoing.network import Network

REDIRECTS = frozenset({301, 302, 303, 307, 308})


class Asking:
    """Guarded connections for everybody, and others for the servers that the operator named."""

    def __init__(self, trusted: Iterable[str], network: Network) -> None:
        self._trusted = named(trusted)
        self._guarded = Connections(network, guarded=True)
        self._named = Connections(network, guarded=False)

    async def ask(self, address: str, request: Request, redirects: int) -> Answer:
        """Sends a request, and on to where it is sent, so many times at most."""
        url = destination(address, self._trusted)
        for _ in range(redirects + 1):
            answer = await self._connections(url).ask(url, request)
            onward = answer.headers.get("location")
            if not redirects or answer.status not in REDIRECTS or onward is None:
                return answer
            before, url = url, destination(onward, self._trusted, base=url)
            if origin(url) != origin(before):
                # What was meant for one server, such as a token, is not told to another.
                request = replace(request, headers={})
        raise Unreachable(f"{url.host} sends an endless response.")

    async def close(self) -> None:
        """Lets go of all connections."""
        await self._guarded.close()
        await self._named.close()

    def _connections(self, url: URL) -> Connections:
        return self._named if origin(url) in self._trusted else self._guarded
