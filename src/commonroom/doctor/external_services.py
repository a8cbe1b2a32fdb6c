"""What other servers say: the mail server, TMDB, and who is asked for books."""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import ip_address

from commonroom.house.rooms import ROOMS
from commonroom.joins.findings import Finding, SettingsExamination, ok, problem, warning
from commonroom.joins.rooms import offers_without_server
from commonroom.outgoing.fetcher import Fetcher
from commonroom.outgoing.mail import MailFailed, SmtpMailer
from commonroom.settings import Settings
from commonroom.settings.addresses import MailServer, mail_server
from commonroom.titles.tmdb import requests
from commonroom.titles.tmdb.client import TmdbClient
from commonroom.titles.tmdb.responses import TmdbUnavailable, TokenRefused


async def examine_mail(settings: Settings) -> list[Finding]:
    """Speaks with the mail server and sends nothing."""
    server = mail_server(settings.mail_server)
    if server is None:
        return [ok("mail", "no mail server is set; everything works without one")]
    return [await _reach(server, settings.mail_from), *mail_doubts(server, settings)]


async def _reach(server: MailServer, sender: str) -> Finding:
    try:
        await SmtpMailer(server, sender).reach()
    except MailFailed as failed:
        repair = "Check COMMONROOM_MAIL_SERVER and the firewall."
        return problem("mail", failed.why, repair)
    return ok("mail", f"{server} responds and accepts the login")


def mail_doubts(server: MailServer, settings: Settings) -> Iterator[Finding]:
    """Yields what could be better, even where the server answers."""
    if server.security == "none" and not _is_near(server.host):
        repair = "Use smtps:// or smtp+starttls:// if the server supports them."
        yield warning("mail", f"e-mail to {server} is not encrypted", repair)
    if not settings.public_address:
        repair = "Set COMMONROOM_PUBLIC_ADDRESS to the address that people use."
        yield warning("mail", f"the links in e-mails lead to {settings.local_address}", repair)


def _is_near(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


async def examine_films(settings: Settings) -> list[Finding]:
    """Asks TMDB whether it knows the access token, where there is one."""
    if not settings.tmdb_key:
        return [ok("films", "from the built-in catalogue; COMMONROOM_TMDB_KEY adds those of TMDB")]
    fetcher = Fetcher.of(settings)
    try:
        await TmdbClient(fetcher, settings.tmdb_address, settings.tmdb_key).send(
            requests.authentication()
        )
    except TokenRefused as error:
        repair = "Set it to the “API Read Access Token” that your TMDB account shows."
        return [problem("films", error.detail, repair)]
    except TmdbUnavailable as error:
        repair = (
            "Until then, films come from the built-in catalogue. Check "
            "COMMONROOM_TMDB_ADDRESS and the network."
        )
        return [warning("films", f"TMDB is not available: {error.detail}", repair)]
    finally:
        await fetcher.close()
    return [ok("films", f"TMDB is available; streaming services of {settings.region}")]


def examine_rooms(settings: Settings) -> list[Finding]:
    """Returns what rooms that are open say of the settings. Nobody is asked."""
    opened = [room for room in ROOMS if settings.is_open(room.key)]
    return [one.examine(settings) for one in offers_without_server(opened, SettingsExamination)]
