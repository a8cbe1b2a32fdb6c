"""Reading what a server answers: unpacked, and no more of it than was asked for."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

from commonroom.outgoing.errors import OtherType, TooLarge, Unreachable

if TYPE_CHECKING:
    from aiohttp import ClientResponse

PIECE = 64 * 1024
GZIP = 16 + zlib.MAX_WBITS


async def read_body(response: ClientResponse, largest: int) -> bytes:
    """The whole body; it stops at the limit, which counts what is unpacked."""
    host = response.url.host
    if (response.content_length or 0) > largest:
        raise _too_large(host, largest)
    unpacking = _unpacking(response)
    body = bytearray()
    async for piece in response.content.iter_chunked(PIECE):
        body += unpacking.more(piece, largest + 1 - len(body))
        if len(body) > largest:
            raise _too_large(host, largest)
    if not unpacking.whole:
        raise Unreachable(f"The response of {host} is incomplete.")
    return bytes(body)


class _Plain:
    """A body that comes as it is."""

    whole = True

    def more(self, piece: bytes, most: int) -> bytes:
        return piece[:most]


class _Packed:
    """A body that comes packed."""

    def __init__(self, host: str | None) -> None:
        self._host = host
        self._gzip = zlib.decompressobj(GZIP)
        self._empty = True

    def more(self, piece: bytes, most: int) -> bytes:
        """A piece unpacked, up to so many bytes: what is beyond them is never made."""
        self._empty = False
        try:
            return self._gzip.decompress(piece, most)
        except zlib.error:
            raise Unreachable(f"The response of {self._host} cannot be decompressed.") from None

    @property
    def whole(self) -> bool:
        """Whether it came to its end; nothing at all is whole too."""
        return self._empty or self._gzip.eof


def _unpacking(response: ClientResponse) -> _Plain | _Packed:
    packing = response.headers.get("Content-Encoding", "identity").strip().lower()
    if packing == "identity":
        return _Plain()
    if packing == "gzip":
        return _Packed(response.url.host)
    raise OtherType(f"{response.url.host} uses an unsupported compression.")


def _too_large(host: str | None, largest: int) -> TooLarge:
    return TooLarge(f"The response of {host} is larger than {largest:,} bytes.")
