"""Channels: ways in which a notification goes further than its list, each for itself; e-mail."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Protocol, TypeAlias

from commonroom.accounts.tables import User, user_by_id
from commonroom.errors import CommonroomError
from commonroom.notify.notifications import Words, is_fresh
from commonroom.notify.tables import Notification
from commonroom.outgoing.mail import Email, Mailer, MailFailed
from commonroom.store import Store
from commonroom.store.engine import Clock
from commonroom.store.streams import Change, Consumer, RetryPolicy

logger = logging.getLogger(__name__)

RETRY_POLICY = RetryPolicy(first_delay=15.0, longest_delay=3600.0, max_attempts=10)
"""Two hours in all: a service that is away for longer brings nobody anything in time."""
SECONDS = 60.0

Wording: TypeAlias = Callable[[Notification, User], Words]
"""Writes a notification for a person, in their language."""

Footer = Callable[[User], str]
"""What an e-mail ends with: how to have no more of them, in the reader's language."""


class NotSent(CommonroomError):
    """A channel could not take a notification now; it is tried again."""


class Undeliverable(CommonroomError):
    """A channel will never take a notification; it is not tried again."""


class Channel(Protocol):
    """One way to tell people."""

    name: str

    async def send(
        self, store: Store, notification: Notification, person: User, words: Words
    ) -> None:
        """Sends it, maybe for the second time; raises `Undeliverable` where that is hopeless."""


def channel_consumer(channel: Channel, wording: Wording, clock: Clock = time.time) -> Consumer:
    """Follows what people are told, and sends it; what fails holds no other channel up."""

    async def handle(store: Store, change: Change) -> None:
        if change.kind != "insert" or not is_fresh(change.new, clock()):
            return
        notification = await store.get(change.new.ref)
        if notification is None or notification.read_at is not None:
            return  # whoever has read it in their list need not be told any more
        person = await store.get(user_by_id(user_id=notification.user_id))
        if person is None or person.disabled_at is not None:
            return
        try:
            await channel.send(store, notification, person, wording(notification, person))
        except Undeliverable as error:
            logger.warning("Not sent by %s, for good: %s", channel.name, error)

    return Consumer(f"notify-{channel.name}", (Notification,), handle, RETRY_POLICY, SECONDS)


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
