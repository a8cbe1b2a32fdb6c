"""The mail server: whether there is one, whether it lets us in, and where its letters lead."""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import ip_address

from commonroom.doctor.findings import Finding, ok, problem, warning
from commonroom.outgoing.mail import MailFailed, SmtpMailer
from commonroom.settings import Settings
from commonroom.settings.mail_server import MailServer, mail_server


async def examine(settings: Settings) -> list[Finding]:
    """Speaks with the mail server and sends nothing."""
    server = mail_server(settings.mail_server)
    if server is None:
        return [ok("mail", "no mail server is set; everything works without one")]
    return [await _reached(server, settings.mail_from), *doubts(server, settings)]


async def _reached(server: MailServer, sender: str) -> Finding:
    try:
        await SmtpMailer(server, sender).reach()
    except MailFailed as failed:
        mend = "Check COMMONROOM_MAIL_SERVER and the firewall."
        return problem("mail", failed.why, mend)
    return ok("mail", f"{server} responds and accepts the login")


def doubts(server: MailServer, settings: Settings) -> Iterator[Finding]:
    """What could be better, even where the server answers."""
    if server.security == "none" and not _is_near(server.host):
        mend = "Use smtps:// or smtp+starttls:// if the server supports them."
        yield warning("mail", f"e-mail to {server} is not encrypted", mend)
    if not settings.public_address:
        mend = "Set COMMONROOM_PUBLIC_ADDRESS to the address that people use."
        where = f"http://{settings.host}:{settings.port}"
        yield warning("mail", f"the links in e-mails lead to {where}", mend)


def _is_near(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
