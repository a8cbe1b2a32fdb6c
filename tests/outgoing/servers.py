"""Servers on loopback that stand in for other people's, and a network in which they are public."""

from __future__ import annotations

import socket
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

from aiohttp import web
from aiohttp.abc import AbstractResolver, ResolveResult
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Server:
    """Where it is, and what it was asked."""

    def __init__(self, port: int, scheme: str, host: str) -> None:
        self.port = port
        self.address = f"{scheme}://{host}:{port}"
        self.asked: list[web.Request] = []


@asynccontextmanager
async def serving(
    handler: Handler, *, host: str = "127.0.0.1", tls: ssl.SSLContext | None = None
) -> AsyncIterator[Server]:
    """A server on a free port of loopback that answers everything with one handler."""
    servers: list[Server] = []

    async def answer(request: web.Request) -> web.StreamResponse:
        servers[0].asked.append(request)
        return await handler(request)

    app = web.Application()
    app.router.add_route("*", "/{path:.*}", answer)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=1)
    await runner.setup()
    try:
        await web.TCPSite(runner, host, 0, ssl_context=tls).start()
        port = runner.addresses[0][1]
        servers.append(Server(port, "https" if tls else "http", host))
        yield servers[0]
    finally:
        await runner.cleanup()


class Names(AbstractResolver):
    """What names mean, and at which port of loopback that is; each time the next meaning."""

    def __init__(self, **meanings: list[list[tuple[str, int]]]) -> None:
        self._meanings = {name.replace("_", "."): times for name, times in meanings.items()}
        self.asked: list[str] = []

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        self.asked.append(host)
        times = self._meanings[host]
        now = times.pop(0) if len(times) > 1 else times[0]
        return [
            ResolveResult(
                hostname=host,
                host=address,
                port=own_port,
                family=socket.AF_INET6 if ":" in address else socket.AF_INET,
                proto=0,
                flags=socket.AI_NUMERICHOST,
            )
            for address, own_port in now
        ]

    async def close(self) -> None:
        """Nothing is open."""


class Authority:
    """Somebody who certifies names: one key and certificate for all of them."""

    def __init__(self, folder: Path, *names: str) -> None:
        key = ec.generate_private_key(ec.SECP256R1())
        name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "Tests")])
        now = datetime.now(UTC)
        certificate = (
            x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
            .not_valid_before(now - timedelta(days=1))
            .not_valid_after(now + timedelta(days=1))
            .add_extension(x509.SubjectAlternativeName([_named(one) for one in names]), False)
            .add_extension(x509.BasicConstraints(ca=True, path_length=None), True)
            .sign(key, hashes.SHA256())
        )
        self._file = folder / "certificate.pem"
        self._file.write_bytes(
            key.private_bytes(
                serialization.Encoding.PEM,
                serialization.PrivateFormat.PKCS8,
                serialization.NoEncryption(),
            )
            + certificate.public_bytes(serialization.Encoding.PEM)
        )

    def of_server(self) -> ssl.SSLContext:
        """For a server to show."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self._file)
        return context

    def of_client(self) -> ssl.SSLContext:
        """For whoever believes it."""
        return ssl.create_default_context(cafile=str(self._file))


def _named(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ip_address(name))
    except ValueError:
        return x509.DNSName(name)
