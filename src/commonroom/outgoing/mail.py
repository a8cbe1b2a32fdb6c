"""E-mail by SMTP: plain text to one address, handed to the mail server that the settings name."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, ClassVar, Protocol

from msgspec import Struct

from commonroom.outgoing.fetcher import OutgoingError
from commonroom.settings import Settings
from commonroom.settings.addresses import MailServer, mail_address, mail_server
from commonroom.texts import clean_line

if TYPE_CHECKING:  # loaded with the first e-mail: most installations send none
    from email.headerregistry import Address
    from email.message import EmailMessage

    from aiosmtplib import SMTP

SECONDS = 20.0
"""How long sending one e-mail may take, from the first connection to the last word."""


class Email(Struct, frozen=True):
    """An e-mail to one address."""

    to: str
    subject: str
    text: str


class MailFailed(OutgoingError):
    """An e-mail was not taken. What people read of it tells nothing about the server."""

    title = "The e-mail could not be sent"

    def __init__(self, why: str, *, for_good: bool = False) -> None:
        super().__init__("The e-mail could not be sent. Please try again later.")
        self.why = why
        """For the administrator; neither addresses nor passwords are in it."""
        self.for_good = for_good
        """Whether trying again would not help."""


class Mailer(Protocol):
    """A sender of e-mail."""

    sends: ClassVar[bool]
    """Whether e-mail gets anywhere; where not, people are helped in another way."""

    async def send(self, email: Email) -> None:
        """Sends an e-mail, or raises `MailFailed`."""


class NoMail:
    """Where there is no mail server: e-mail goes nowhere."""

    sends: ClassVar[bool] = False

    async def send(self, email: Email) -> None:
        """Does nothing."""


class SmtpMailer:
    """Hands each e-mail to a mail server, over a connection of its own."""

    sends: ClassVar[bool] = True

    def __init__(self, server: MailServer, sender: str, *, seconds: float = SECONDS) -> None:
        self._server = server
        self._sender = _address(sender, "Commonroom")
        self._seconds = seconds

    async def send(self, email: Email) -> None:
        """Sends an e-mail, or raises `MailFailed`."""
        try:
            to = _address(email.to)
            message = _message(self._sender, to, email)
        except ValueError:
            raise MailFailed("This is not a valid e-mail address.", for_good=True) from None
        async with self._connected() as server:
            await server.send_message(
                message, sender=self._sender.addr_spec, recipients=[to.addr_spec]
            )

    async def reach(self) -> None:
        """Connects, with the name and password, and hands nothing in."""
        async with self._connected() as server:
            await server.noop()

    @asynccontextmanager
    async def _connected(self) -> AsyncIterator[SMTP]:
        # Loaded with the first e-mail: most processes never send one.
        from aiosmtplib import SMTP

        server = self._server
        client = SMTP(
            hostname=server.host,
            port=server.port,
            username=server.name,
            password=server.password if server.name is not None else None,
            use_tls=server.security == "tls",
            start_tls=server.security == "starttls",
            # Otherwise the system is asked, which can take long and tells others its name.
            local_hostname=self._sender.domain,
            timeout=self._seconds,
        )
        try:
            async with asyncio.timeout(self._seconds), client:
                yield client
        except Exception as error:
            raise _failed(error, server) from None


def mailer_of(settings: Settings) -> Mailer:
    """Returns the mailer of an installation."""
    server = mail_server(settings.mail_server)
    return NoMail() if server is None else SmtpMailer(server, settings.mail_from)


def _address(text: str, name: str = "") -> Address:
    """Returns an address as mail servers take it; they know domains in ASCII only."""
    from email.headerregistry import Address

    local, at, domain = mail_address(text).partition("@")
    if not at:
        raise ValueError("not an address")
    return Address(name, local, domain.encode("idna").decode())


def _message(sender: Address, to: Address, email: Email) -> EmailMessage:
    from email.message import EmailMessage
    from email.utils import format_datetime, localtime, make_msgid

    message = EmailMessage()
    message["From"] = sender
    message["To"] = to
    # One line, whatever it was made of.
    message["Subject"] = clean_line(email.subject)
    message["Date"] = format_datetime(localtime())
    message["Message-ID"] = make_msgid(domain=sender.domain)
    # So that nobody's absence answers.
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(email.text)
    return message


def _failed(error: Exception, server: MailServer) -> MailFailed:
    """Returns what went wrong, without the words of the server: they may quote anything."""
    from aiosmtplib import errors

    for_good = False
    match error:
        case errors.SMTPRecipientsRefused(recipients=[refused, *_]):
            why, for_good = f"refused the address ({refused.code})", refused.code >= 500
        case errors.SMTPDataError():
            why, for_good = f"refused the e-mail ({error.code})", error.code >= 500
        case errors.SMTPNotSupported():
            why, for_good = "does not accept this address", True
        case errors.SMTPAuthenticationError():
            why = f"refused the login ({error.code})"
        case errors.SMTPSenderRefused():
            why = f"refused the sender ({error.code})"
        case errors.SMTPResponseException():
            why = f"refused the connection ({error.code})"
        case TimeoutError():
            why = "did not answer in time"
        case OSError() if isinstance(error.__cause__ or error, ssl.SSLCertVerificationError):
            why = "has a certificate that is not trusted here"
        case OSError():
            why = "cannot be reached, or closed the connection"
        case _:
            why = f"does not support this kind of connection ({type(error).__name__})"
    return MailFailed(f"{server} {why}.", for_good=for_good)
