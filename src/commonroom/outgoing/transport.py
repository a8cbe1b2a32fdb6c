"""HTTP by aiohttp: guarded connections, redirects, bounded bodies; loaded at the first request."""

from __future__ import annotations

import errno
import socket
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import aiohttp
from msgspec.structs import replace
from yarl import URL

from commonroom import __version__
from commonroom.outgoing.address_guard import Network, check_url, origin_of, origins_of
from commonroom.outgoing.fetcher import (
    NotPublic,
    OtherType,
    OutgoingRequest,
    OutgoingResponse,
    TookTooLong,
    TooLarge,
    Unreachable,
)

BATCH = 32
MAX_CONNECTIONS_PER_SERVER = 10

HEADERS = {"User-Agent": f"Commonroom/{__version__}", "Accept-Encoding": "gzip"}
REDIRECTS = frozenset({301, 302, 303, 307, 308})

CHUNK = 64 * 1024
GZIP = 16 + zlib.MAX_WBITS


class Transport:
    """Guarded connections for everybody, and others for the servers that the operator named."""

    def __init__(self, trusted: Iterable[str], network: Network) -> None:
        self._trusted = origins_of(trusted)
        self._guarded = ConnectionPool(network, guarded=True)
        self._unguarded = ConnectionPool(network, guarded=False)

    async def send(
        self, address: str, request: OutgoingRequest, redirects: int
    ) -> OutgoingResponse:
        """Sends a request and follows so many redirects, each by the same rules."""
        url = check_url(address, self._trusted)
        for _ in range(redirects + 1):
            response = await self._pool(url).send(url, request)
            location = response.headers.get("location")
            if not redirects or response.status not in REDIRECTS or location is None:
                return response
            before, url = url, check_url(location, self._trusted, base=url)
            if origin_of(url) != origin_of(before):
                # What was meant for one server, such as a token, is not told to another.
                request = replace(request, headers={})
        raise Unreachable(f"{url.host} sends an endless response.")

    async def close(self) -> None:
        """Closes all connections."""
        await self._guarded.close()
        await self._unguarded.close()

    def _pool(self, url: URL) -> ConnectionPool:
        return self._unguarded if origin_of(url) in self._trusted else self._guarded


class ConnectionPool:
    """One pool of connections, to public addresses only or to whatever address."""

    def __init__(self, network: Network, *, guarded: bool) -> None:
        self._is_public = network.public
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(
                limit=BATCH,
                limit_per_host=MAX_CONNECTIONS_PER_SERVER,
                resolver=network.resolver or aiohttp.ThreadedResolver(),
                ssl=network.tls or True,
                socket_factory=self._guarded_socket if guarded else None,
            ),
            headers=HEADERS,
            cookie_jar=aiohttp.DummyCookieJar(),
            # Unpacked by us, so that a small answer cannot become a large one on the way.
            auto_decompress=False,
        )

    async def send(self, url: URL, request: OutgoingRequest) -> OutgoingResponse:
        """Sends one request and reads the response; a redirect is not followed."""
        limits = request.limits
        with _client_errors(url.host):
            async with self._session.request(
                request.method,
                url,
                headers=request.headers,
                data=request.body,
                timeout=aiohttp.ClientTimeout(total=None, sock_connect=limits.connect_seconds),
                allow_redirects=False,
            ) as response:
                success = response.status < 300  # a redirect may come in any type
                if success and limits.types and response.content_type not in limits.types:
                    raise OtherType(f"{url.host} responds with an unexpected content type.")
                headers = {name.lower(): value for name, value in response.headers.items()}
                return OutgoingResponse(
                    response.status, headers, await read_body(response, limits.largest)
                )

    async def close(self) -> None:
        """Closes the connections."""
        await self._session.close()

    def _guarded_socket(self, info: aiohttp.AddrInfoType) -> socket.socket:
        """Returns a socket for an address that is about to be connected to, if it may be.

        Here and not where names are looked up: this very address is used, whatever a name means
        a moment later, and whether or not there was a name.
        """
        family, kind, protocol, _, address = info
        if not self._is_public(str(address[0])):
            raise _AddressRefused
        return socket.socket(family, kind, protocol)


class _AddressRefused(OSError):
    """As an error of the system, so that the next address of the same name is tried."""

    def __init__(self) -> None:
        super().__init__(errno.EACCES, "not public")


@contextmanager
def _client_errors(host: str | None) -> Iterator[None]:
    """Translates aiohttp's errors to ours; the causes are left out, they hold whole addresses."""
    try:
        yield
    except aiohttp.ClientConnectorCertificateError:
        raise Unreachable(f"{host} has an invalid certificate.") from None
    except aiohttp.ClientConnectorError as error:
        if isinstance(error.os_error, _AddressRefused):
            raise NotPublic(f"{host} is not a public address.") from None
        raise Unreachable(f"{host} cannot be reached.") from None
    except TimeoutError:
        raise TookTooLong(f"{host} did not respond in time.") from None
    except (aiohttp.ClientError, OSError):
        raise Unreachable(f"{host} sends an invalid response.") from None
    except ValueError:
        raise Unreachable(f"The request to {host} cannot be sent.") from None


async def read_body(response: aiohttp.ClientResponse, largest: int) -> bytes:
    """The whole body, decompressed; it stops at the limit, which counts what is decompressed."""
    host = response.url.host
    if (response.content_length or 0) > largest:
        raise _too_large(host, largest)
    decoder = _decoder(response)
    body = bytearray()
    async for chunk in response.content.iter_chunked(CHUNK):
        body += decoder.decode(chunk, largest + 1 - len(body))
        if len(body) > largest:
            raise _too_large(host, largest)
    if not decoder.complete:
        raise Unreachable(f"The response of {host} is incomplete.")
    return bytes(body)


class _Identity:
    """A body that comes as it is."""

    complete = True

    def decode(self, chunk: bytes, most: int) -> bytes:
        return chunk[:most]


class _Gzip:
    """A body that comes compressed."""

    def __init__(self, host: str | None) -> None:
        self._host = host
        self._gzip = zlib.decompressobj(GZIP)
        self._empty = True

    def decode(self, chunk: bytes, most: int) -> bytes:
        """Returns a chunk decompressed, up to so many bytes: what is beyond them is never made."""
        self._empty = False
        try:
            return self._gzip.decompress(chunk, most)
        except zlib.error:
            raise Unreachable(f"The response of {self._host} cannot be decompressed.") from None

    @property
    def complete(self) -> bool:
        """Whether it came to its end; nothing at all is complete too."""
        return self._empty or self._gzip.eof


def _decoder(response: aiohttp.ClientResponse) -> _Identity | _Gzip:
    encoding = response.headers.get("Content-Encoding", "identity").strip().lower()
    if encoding == "identity":
        return _Identity()
    if encoding == "gzip":
        return _Gzip(response.url.host)
    raise OtherType(f"{response.url.host} uses an unsupported compression.")


def _too_large(host: str | None, largest: int) -> TooLarge:
    return TooLarge(f"The response of {host} is larger than {largest:,} bytes.")
