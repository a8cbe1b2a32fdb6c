"""A mail server on loopback that keeps what it is handed, or misbehaves; and its certificate."""

from __future__ import annotations

import asyncio
import ssl
import threading
import warnings
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from datetime import UTC, datetime, timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from ipaddress import ip_address
from pathlib import Path

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.support.dynamodb_local import free_port

HOST = "127.0.0.1"
Talk = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


class Mailbox:
    """Every letter that was handed in, for whomever it is."""

    def __init__(self) -> None:
        self.port = 0
        self.letters: list[EmailMessage] = []
        self.envelopes: list[tuple[str, list[str]]] = []
        self.refusals: dict[str, str] = {}
        """What is answered to a command in place of taking it, such as `RCPT`."""
        self.known = ("postman", "s3cret/+@:")
        self.reached, self.go_on = threading.Event(), threading.Event()
        """That a letter has come this far, and that it may go on."""
        self.go_on.set()

    @property
    def address(self) -> str:
        """What the settings call it."""
        return f"smtp://{HOST}:{self.port}"

    def to(self, address: str) -> list[EmailMessage]:
        """The letters to somebody."""
        return [one for one in self.letters if one["To"] == address]

    # What aiosmtpd calls, by these names.

    async def handle_MAIL(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        return self.refusals.get("MAIL", "250 OK")

    async def handle_RCPT(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        envelope.rcpt_tos.append(address)
        return self.refusals.get("RCPT", "250 OK")

    async def handle_DATA(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope
    ) -> str:
        self.reached.set()
        await asyncio.to_thread(self.go_on.wait, 30)
        if "DATA" not in self.refusals:
            content = envelope.content
            assert isinstance(content, bytes)
            self.letters.append(message_from_bytes(content, EmailMessage, policy=policy.default))
            self.envelopes.append((envelope.mail_from or "", list(envelope.rcpt_tos)))
        return self.refusals.get("DATA", "250 OK")

    def lets_in(
        self, server: SMTP, session: Session, envelope: Envelope, mechanism: str, data: object
    ) -> AuthResult:
        """Whether it knows this name and password."""
        assert isinstance(data, LoginPassword)
        known = (data.login.decode(), data.password.decode()) == self.known
        return AuthResult(success=known, handled=False)


def words(letter: EmailMessage) -> str:
    """What is written in a letter, with the ends of lines that we write."""
    content: str = letter.get_content()
    return content.replace("\r\n", "\n")


@asynccontextmanager
async def mailbox(
    *,
    tls: ssl.SSLContext | None = None,
    starttls: ssl.SSLContext | None = None,
    with_password: bool = False,
    all_letters: bool = True,
) -> AsyncIterator[Mailbox]:
    """A mail server in this event loop."""
    box = Mailbox()

    def protocol() -> SMTP:
        with warnings.catch_warnings():
            # It rightly warns of a server that wants a password in the open; some are like that.
            warnings.simplefilter("ignore", UserWarning)
            return SMTP(
                box,
                hostname="mail.test",
                enable_SMTPUTF8=all_letters,
                tls_context=starttls,
                require_starttls=starttls is not None,
                authenticator=box.lets_in if with_password else None,
                auth_required=with_password,
                auth_require_tls=starttls is not None,
            )

    server = await asyncio.get_running_loop().create_server(protocol, HOST, 0, ssl=tls)
    box.port = server.sockets[0].getsockname()[1]
    async with server:
        yield box


@contextmanager
def mailbox_apart() -> Iterator[Mailbox]:
    """A mail server in a thread of its own, for servers in other processes."""
    box = Mailbox()
    box.port = free_port()
    controller = Controller(box, hostname=HOST, port=box.port)
    controller.start()
    try:
        yield box
    finally:
        controller.stop()


@asynccontextmanager
async def talking(talk: Talk) -> AsyncIterator[int]:
    """The port of a server that says whatever it likes, and is no mail server at all."""

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await talk(reader, writer)
        finally:
            writer.close()

    server = await asyncio.start_server(connected, HOST, 0)
    port: int = server.sockets[0].getsockname()[1]
    try:
        yield port
    finally:
        server.close()


def certificate(folder: Path) -> Path:
    """A file with a certificate for loopback, and its key; whoever trusts it, trusts the server."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "mail.test")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address(HOST))]), False)
        .sign(key, hashes.SHA256())
    )
    file = folder / "mail.pem"
    private = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    file.write_bytes(private + made.public_bytes(serialization.Encoding.PEM))
    return file


def serving_with(file: Path) -> ssl.SSLContext:
    """How a server shows that certificate."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    return context
