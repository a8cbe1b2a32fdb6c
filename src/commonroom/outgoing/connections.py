"""Connections to other people's servers, by aiohttp; loaded when the first request goes out."""

from __future__ import annotations

import errno
import socket
from collections.abc import Iterator
from contextlib import contextmanager

import aiohttp
from yarl import URL

from commonroom import __version__
from commonroom.outgoing.answers import Answer, Request
from commonroom.outgoing.bodies import read_body
from commonroom.outgoing.errors import NotPublic, OtherType, TookTooLong, Unreachable
from commonroom.outgoing.network import Network

AT_ONCE = 32
AT_ONCE_PER_SERVER = 10

HEADERS = {"User-Agent": f"Commonroom/{__version__}", "Accept-Encoding": "gzip"}


class Connections:
    """One pool of connections, to public addresses only or to whatever address."""

    def __init__(self, network: Network, *, guarded: bool) -> None:
        self._public = network.public
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(
                limit=AT_ONCE,
                limit_per_host=AT_ONCE_PER_SERVER,
                resolver=network.resolver or aiohttp.ThreadedResolver(),
                ssl=network.tls or True,
                socket_factory=self._guarded if guarded else None,
            ),
            headers=HEADERS,
            cookie_jar=aiohttp.DummyCookieJar(),
            # Unpacked by us, so that a small answer cannot become a large one on the way.
            auto_decompress=False,
        )

    async def ask(self, url: URL, request: Request) -> Answer:
        """Sends one request and reads the answer; where that sends on to is not followed."""
        limits = request.limits
        with _in_sentences(url.host):
            async with self._session.request(
                request.method,
                url,
                headers=request.headers,
                data=request.body,
                timeout=aiohttp.ClientTimeout(total=None, sock_connect=limits.connect_seconds),
                allow_redirects=False,
            ) as response:
                success = response.status < 300  # what only sends on may come in any type
                if success and limits.types and response.content_type not in limits.types:
                    raise OtherType(f"{url.host} responds with an unexpected content type.")
                told = {name.lower(): value for name, value in response.headers.items()}
                return Answer(response.status, told, await read_body(response, limits.largest))

    async def close(self) -> None:
        """Lets go of the connections."""
        await self._session.close()

    def _guarded(self, info: aiohttp.AddrInfoType) -> socket.socket:
        """A socket for an address that is about to be connected to, if it may be.

        Here and not where names are looked up: this very address is used, whatever a name means
        a moment later, and whether or not there was a name.
        """
        family, kind, protocol, _, address = info
        if not self._public(str(address[0])):
            raise _Guarded
        return socket.socket(family, kind, protocol)


class _Guarded(OSError):
    """As an error of the system, so that the next address of the same name is tried."""

    def __init__(self) -> None:
        super().__init__(errno.EACCES, "not public")


@contextmanager
def _in_sentences(host: str | None) -> Iterator[None]:
    """Says what went wrong; the causes are left out, as they hold whole addresses."""
    try:
        yield
    except aiohttp.ClientConnectorCertificateError:
        raise Unreachable(f"{host} has an invalid certificate.") from None
    except aiohttp.ClientConnectorError as error:
        if isinstance(error.os_error, _Guarded):
            raise NotPublic(f"{host} is not a public address.") from None
        raise Unreachable(f"{host} cannot be reached.") from None
    except TimeoutError:
        raise TookTooLong(f"{host} did not respond in time.") from None
    except (aiohttp.ClientError, OSError):
        raise Unreachable(f"{host} sends an invalid response.") from None
    except ValueError:
        raise Unreachable(f"The request to {host} cannot be sent.") from None
