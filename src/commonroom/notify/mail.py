"""E-mail: one for each notification, where there is a mail server."""

from __future__ import annotations

from collections.abc import Callable

from commonroom.accounts.tables import User
from commonroom.notify.channels import NotSent, Undeliverable
from commonroom.notify.kinds import Words
from commonroom.notify.tables import Notification
from commonroom.outgoing.mail import Email, Mailer, MailFailed
from commonroom.store import Store

Footer = Callable[[User], str]
"""What an e-mail ends with: how to have no more of them, in the reader's language."""


class MailChannel:
    """Sends e-mail to people's addresses."""

    name = "mail"

    def __init__(self, mailer: Mailer, public_address: str, footer: Footer) -> None:
        self._mailer = mailer
        self._public_address = public_address
        self._footer = footer

    async def send(
        self,
        store: Store,  # noqa: ARG002 - other channels need it
        notification: Notification,
        person: User,
        words: Words,
    ) -> None:
        """Writes to a person, if they have an address and have confirmed that it is theirs."""
        if person.email is None or person.email_confirmed_at is None:
            return
        parts = [words.text, self._address(notification), "-- \n" + self._footer(person)]
        email = Email(person.email, words.title, "\n\n".join(filter(None, parts)) + "\n")
        try:
            await self._mailer.send(email)
        except MailFailed as error:
            raise (Undeliverable if error.for_good else NotSent)(error.why) from error

    def _address(self, notification: Notification) -> str:
        """Where to read on; without a public address nobody knows how this house is called."""
        if not self._public_address:
            return ""
        return f"{self._public_address}/notifications/{notification.notification_id}"
