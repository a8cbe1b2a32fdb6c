"""Channels: ways in which a notification goes further than its list, each for itself; e-mail."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable, Mapping
from typing import ClassVar, Protocol

from commonroom.accounts.tables import User, user_by_id
from commonroom.errors import CommonroomError
from commonroom.notifications.imported import was_due_at_import
from commonroom.notifications.kinds import Kind, Words
from commonroom.notifications.notifications import channels_for, is_news
from commonroom.notifications.preferences import ChannelName, waits_until
from commonroom.notifications.tables import Notification, notification_by_id
from commonroom.notifications.wording import email_footer, write_words
from commonroom.outgoing.mail import Email, Mailer, MailFailed
from commonroom.store import Store, put
from commonroom.store.engine import Clock
from commonroom.store.streams import Change, Consumer, RetryPolicy
from commonroom.timers import Handler, Timer, timer

logger = logging.getLogger(__name__)

RETRY_POLICY = RetryPolicy(first_delay=15.0, longest_delay=3600.0, max_attempts=10)
"""Two hours in all: a service that is away for longer brings nobody anything in time."""
SECONDS = 60.0
SEND = "notify.send"
"""The timer of what waits until quiet hours end."""


class NotSent(CommonroomError):
    """A channel could not take a notification now; it is tried again."""


class Undeliverable(CommonroomError):
    """A channel will never take a notification; it is not tried again."""


class Channel(Protocol):
    """One way to tell people."""

    name: str
    follows: ClassVar[ChannelName]
    """Which of a person's choices says what it carries: its own, or the list's."""
    is_quiet: ClassVar[bool]
    """Whether it disturbs nobody, so that it need not wait for quiet hours to end."""

    async def send(
        self, store: Store, notification: Notification, person: User, words: Words
    ) -> None:
        """Sends it, maybe for the second time; raises `Undeliverable` where that is hopeless."""


class Delivery:
    """Carries notifications by one channel, at once or when quiet hours are over."""

    def __init__(self, channel: Channel, kinds: Mapping[str, Kind]) -> None:
        self.channel = channel
        self._kinds = kinds

    async def deliver(
        self, store: Store, now: float, user_id: str, notification_id: str
    ) -> float | None:
        """Sends what is unread and wanted; returns the moment until which it waits."""
        key = {"user_id": user_id, "notification_id": notification_id}
        notification = await store.get(notification_by_id(**key))
        if not isinstance(notification, Notification) or notification.read_at is not None:
            return None  # it was read in the list
        person = await store.get(user_by_id(user_id=user_id))
        if person is None or not self._is_wanted(person, notification):
            return None
        waits = self._waits_until(now, person, notification)
        if waits is not None:
            return waits
        words = write_words(self._kinds, notification, person)
        try:
            await self.channel.send(store, notification, person, words)
        except Undeliverable as error:
            logger.warning("Not sent by %s, for good: %s", self.channel.name, error)
        return None

    def _is_wanted(self, person: User, notification: Notification) -> bool:
        kind = self._kinds.get(notification.kind)
        if kind is None:  # of another version
            return person.disabled_at is None
        return self.channel.follows in channels_for(person, kind)

    def _waits_until(self, now: float, person: User, notification: Notification) -> float | None:
        kind = self._kinds.get(notification.kind)
        passes = self.channel.is_quiet or (kind is not None and kind.passes_quiet_hours)
        return None if passes else waits_until(person, now)


def channel_consumer(
    channel: Channel, kinds: Mapping[str, Kind], clock: Clock = time.time
) -> Consumer:
    """Follows notifications, and sends them; what fails holds no other channel up."""
    delivery = Delivery(channel, kinds)

    async def handle(store: Store, change: Change) -> None:
        """Sends a notification to a person who wants it, at once or after their quiet hours."""
        if change.kind != "insert" or not await is_news(store, change.new, clock()):
            return
        notification: Notification = change.new
        person, number = notification.user_id, notification.notification_id
        waits = await delivery.deliver(store, clock(), person, number)
        if waits is not None:
            await store.write(put(_waiting(channel, notification, waits, clock())))

    name = f"notify-{channel.name}"
    return Consumer(name, (Notification,), handle, RETRY_POLICY, SECONDS, sets=(SEND,))


def _waiting(channel: Channel, notification: Notification, until: float, now: float) -> Timer:
    about = {
        "channel": channel.name,
        "user_id": notification.user_id,
        "notification_id": notification.notification_id,
    }
    return timer(SEND, until, about, set_at=now)


def sending_handler(channels: Iterable[Channel], kinds: Mapping[str, Kind]) -> Handler:
    """Returns the handler of what waits until quiet hours are over."""
    deliveries = {one.name: Delivery(one, kinds) for one in channels}

    async def send(store: Store, waited: Timer, now: float) -> float | None:
        """Sends what waited for quiet hours to end, unless it was read or resolved meanwhile."""
        about = waited.about
        delivery = deliveries.get(about["channel"])
        if delivery is None:
            return None  # there is no such channel any more
        if await was_due_at_import(store, waited, now):
            return None
        return await delivery.deliver(store, now, about["user_id"], about["notification_id"])

    return send


class MailChannel:
    """Sends e-mail to people's addresses."""

    name = "mail"
    follows: ClassVar[ChannelName] = "mail"
    is_quiet: ClassVar[bool] = False

    def __init__(self, mailer: Mailer, public_address: str) -> None:
        self._mailer = mailer
        self._public_address = public_address

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
        address = address_of(self._public_address, notification)
        parts = [words.text, address, "-- \n" + email_footer(person)]
        email = Email(person.email, words.title, "\n\n".join(filter(None, parts)) + "\n")
        await send_email(self._mailer, email)


async def send_email(mailer: Mailer, email: Email) -> None:
    """Sends an e-mail, or says whether to try again."""
    try:
        await mailer.send(email)
    except MailFailed as error:
        raise (Undeliverable if error.for_good else NotSent)(error.why) from error


def address_of(public_address: str, notification: Notification) -> str:
    """Returns where to read on; without a public address nobody knows how this house is called."""
    if not public_address:
        return ""
    return f"{public_address}/notifications/{notification.notification_id}"
