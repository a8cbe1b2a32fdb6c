"""Attacks by what a request carries: too much, too little, broken off, or not what it says it is.

Each is a request over a plain socket, and gives the status of its answer; 0 where there is none.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import TypeAlias

Headers: TypeAlias = Mapping[str, str]

FORM = "application/x-www-form-urlencoded"
PARTS = "multipart/form-data; boundary=edge"
FILE = b'--edge\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\ntitle\r\n'
ANSWER_SECONDS = 60.0


async def ask(
    host: str,
    port: int,
    path: str,
    *,
    method: str = "POST",
    headers: Headers | None = None,
    sent: Sequence[bytes] = (),
    pause: float = 0.0,
) -> int:
    """Sends a head as it is and then these bytes, one after the other."""
    lines = [f"{method} {path} HTTP/1.1", f"Host: {host}:{port}", "Connection: close"]
    lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
    reader, writer = await asyncio.open_connection(host, port)
    try:
        writer.write("\r\n".join([*lines, "", ""]).encode("latin-1"))
        for part in sent:
            writer.write(part)
            await writer.drain()
            await asyncio.sleep(pause)
        async with asyncio.timeout(ANSWER_SECONDS):
            status = (await reader.readline()).split()
        return int(status[1]) if status else 0
    except (TimeoutError, ConnectionError):
        return 0
    finally:
        writer.close()


async def send_body(
    host: str, port: int, path: str, body: bytes, *, kind: str | None, shown: Headers
) -> int:
    """Sends a body whose length is said as it is."""
    headers = {**shown, "Content-Length": str(len(body))}
    if kind is not None:
        headers["Content-Type"] = kind
    return await ask(host, port, path, headers=headers, sent=[body])


async def send_chunks(
    host: str, port: int, path: str, chunks: Sequence[bytes], *, kind: str, shown: Headers
) -> int:
    """Sends a body that does not say how long it is, to its end."""
    headers = {**shown, "Transfer-Encoding": "chunked", "Content-Type": kind}
    framed = [b"%x\r\n%b\r\n" % (len(one), one) for one in chunks]
    return await ask(host, port, path, headers=headers, sent=[*framed, b"0\r\n\r\n"])
